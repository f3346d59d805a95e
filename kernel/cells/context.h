// SPDX-License-Identifier: MIT
// What stands around the end of a piece of code that is being typed. Positions are byte
// offsets.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define CONTEXT_NONE ((size_t)-1)

struct context {
    size_t line;         // start of the last line
    size_t statement;    // first character of the last statement, after its indentation
    size_t string;       // after the quotes of a string that is open; CONTEXT_NONE: none
    size_t string_begin; // its prefix or first quote
    size_t bracket;      // the innermost bracket that is open; CONTEXT_NONE: none
    char quote;          // of the open string
    bool is_comment;     // the text ends in a comment
    bool is_escape;      // the statement is a magic or a shell command
    bool is_cell_magic;  // the text is the first line of %%name
};

bool context_is_name_char(char c);
// Looks at the code from its start to `end`. A replacement field of an f-string that is
// open counts as code, with its brace as the innermost bracket.
struct context context_find(const char *code, size_t end);
// The start of the name that ends at `end`; `end` when there is none.
size_t context_name_start(const char *code, size_t end);
// The start of the expression of names, calls, subscripts and literals that ends at
// `end`: of `x = a.b[0](c)` the `a`. `end` when there is none.
size_t context_expression_start(const char *code, size_t end);

// Characters to bytes and back, in UTF-8.
size_t context_byte_offset(const char *text, long long characters);
long long context_char_offset(const char *text, size_t bytes);

enum binding { BINDING_VALUE, BINDING_FUNCTION, BINDING_CLASS, BINDING_PARAMETER };
// Calls `found` for the names that the code binds: assignments, parameters, loops,
// imports.
void context_each_binding(const char *code, size_t len,
        void (*found)(const char *name, size_t len, enum binding kind, void *data),
        void *data);

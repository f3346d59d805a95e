// SPDX-License-Identifier: MIT
// From a notebook cell to plain Python: magics, shell escapes, help marks, prompts,
// indentation.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

struct transform_options {
    // Whether a bare first word means a line magic (automagic); NULL: never.
    bool (*is_automagic)(const char *name, void *data);
    // Whether `name rest` in a cell of one line means a call (%autocall); NULL: never.
    bool (*is_called)(const char *name, bool has_rest, void *data);
    void *data;
};

// The Python source for `code`, on the same line numbers. The caller frees it.
char *transform_cell(
        const char *code, size_t len, const struct transform_options *options);
// Whether the last token of Python source is a semicolon, which silences the cell's
// result.
bool transform_ends_with_semicolon(const char *code, size_t len);
// Whether the source opens with %%name, so that all of it belongs to a cell magic.
bool transform_is_cell_magic(const char *code, size_t len);
// Appends `text` as a Python string literal, quoted as repr() does.
void transform_quote(struct str *out, const char *text, size_t len);

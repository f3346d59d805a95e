// SPDX-License-Identifier: MIT
// Strings while compiled code runs on the CPU: their memory, and what the functions that
// implement str's methods share. Each such function stores its result in the layout of
// abi.h, holding one reference, and returns a status.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "compiler/support/characters.h"
#include "compiler/support/host_hooks.h"
#include "compiler/support/raise.h"
#include "compiler/support/support.h"
#include "compiler/types/abi.h"

enum {
    TEXT_OK = STATUS_OK,
    TEXT_NO_MEMORY = STATUS_MEMORY,
    TEXT_INTERRUPTED = STATUS_INTERRUPTED,
};

// The number that float() reads in UTF-8; false where it would raise.
bool text_constant_float(const char *text, size_t len, double *value);

// New text of `len` characters to be filled in; NULL without memory.
uint32_t *text_create(struct abi_text *out, int64_t len);
int32_t text_copy(struct abi_text *out, const uint32_t *data, int64_t len);
// Copies characters between memory that does not overlap; false where an interrupt came.
bool text_fill(uint32_t *to, const uint32_t *from, int64_t len);
int32_t text_from_utf8(struct abi_text *out, const char *utf8, size_t len);
int32_t text_from_ascii(struct abi_text *out, const char *text, size_t len);
// Characters start..stop of `from`, in the same memory.
int32_t text_view(
        struct abi_text *out, const struct abi_text *from, int64_t start, int64_t stop);
int32_t text_same(struct abi_text *out, const struct abi_text *from);
void text_release(const struct abi_text *text);
// Forgets what print() or str() has put together so far, where it is not come to its end.
void text_drop_line(void);
bool text_equal(const struct abi_text *a, const struct abi_text *b);
int64_t text_find_in(const uint32_t *text, int64_t len, const struct abi_text *part);
// Characters from UTF-8 as Python writes it, lone surrogates included.
int64_t text_utf8_length(const char *utf8, size_t size);
void text_decode_utf8(const char *utf8, size_t size, uint32_t *out);
void text_append_utf8(struct str *out, const uint32_t *data, int64_t len);
// Brings a slice's bounds into 0..len, as Python does for find() and its kind.
void text_clamp(int64_t len, int64_t *start, int64_t *stop);

// A text being put together.
struct text_builder {
    uint32_t *data;
    int64_t len, capacity;
    bool failed;
};
void text_builder_add(struct text_builder *builder, uint32_t c);
void text_builder_append(struct text_builder *builder, const uint32_t *data, int64_t len);
int32_t text_builder_take(struct text_builder *builder, struct abi_text *out);

struct text_time {
    int64_t count;
    int unit, multiple; // of enum time_unit; how many of it are counted as one
    bool is_delta;
};

// A date or span of time, as str() or, nested, as repr().
void text_add_time(struct str *out, struct text_time time, bool is_nested);
// Numbers as repr() writes them (text/number.c). `is_single`: a float32.
// Writes the number before `end`, without a 0 behind it; returns where it begins.
enum { TEXT_INTEGER_MAX = 20 };
char *text_put_integer(char *end, bool is_negative, uint64_t magnitude);
void text_add_float(struct str *out, double number, bool is_single);
void text_add_half(struct str *out, double number);
void text_add_complex(struct str *out, double real, double imag, bool is_single);
double text_read_float(const char *digits);
void text_add_bytes(struct str *out, const uint32_t *data, int64_t len);
void text_add_repr(struct str *out, const uint32_t *data, int64_t len);

// The lists that split() and rsplit() give (text/split.c).
int32_t text_split(struct abi_row **out, const struct abi_text *text,
        const struct abi_text *separator, int64_t most);
int32_t text_rsplit(struct abi_row **out, const struct abi_text *text,
        const struct abi_text *separator, int64_t most);

// The functions that compiled code calls; each table ends with a NULL name.
extern const struct support_symbol text_symbols[], text_case_symbols[],
        text_search_symbols[], text_shape_symbols[], text_number_symbols[],
        text_format_symbols[], text_split_symbols[], text_coding_symbols[],
        bytes_symbols[], print_symbols[];

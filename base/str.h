// SPDX-License-Identifier: MIT
// String builder: text that grows, always NUL-terminated, possibly with NULs inside.
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct str {
    char *text; // NULL while empty
    size_t len, capacity;
};

void str_append(struct str *str, const char *text);
void str_append_bytes(struct str *str, const void *bytes, size_t len);
void str_append_char(struct str *str, char c);
void str_printf(struct str *str, const char *format, ...)
        __attribute__((format(printf, 2, 3)));
void str_vprintf(struct str *str, const char *format, va_list args);
// Makes room for so many bytes more at once.
void str_reserve(struct str *str, size_t more);
void str_clear(struct str *str);
// The text ("" while empty); valid until the next change.
const char *str_text(const struct str *str);
// Hands the heap text to the caller, who frees it, and leaves the builder empty. Never
// NULL.
char *str_take(struct str *str);
// Appends what is in a file, as far as it can be read. False where it cannot be opened.
bool str_append_file(struct str *str, const char *path);
void str_finish(struct str *str);

bool str_starts_with(const char *text, const char *prefix);
bool str_ends_with(const char *text, const char *suffix);
// Of words with one space between: whether one is the first `len` bytes of `word`.
bool words_have(const char *words, const char *word, size_t len);
// The words from the i-th on, "" if there are no more.
const char *words_from(const char *words, size_t i);

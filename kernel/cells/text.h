// SPDX-License-Identifier: MIT
// Text on its way into JSON: always valid UTF-8, whatever bytes a program wrote.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

bool text_is_valid(const char *bytes, size_t len);
// Appends `bytes` with each invalid byte replaced by U+FFFD.
void text_append_valid(struct str *out, const char *bytes, size_t len);
// Appends JSON with the escapes of lone surrogates, which no UTF-8 text can hold,
// replaced by U+FFFD's.
void text_append_paired(struct str *out, const char *json, size_t len);
// How many bytes at the end begin a UTF-8 sequence that is not complete yet (0 to 3).
size_t text_incomplete_tail(const char *bytes, size_t len);
// Appends a JSON string with its quotes. `text` is valid UTF-8; NUL is allowed.
void text_append_json(struct str *out, const char *text, size_t len);

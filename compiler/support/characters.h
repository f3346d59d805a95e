// SPDX-License-Identifier: MIT
// What texts ask about characters.
#pragma once

#include <stdint.h>

// What CPython knows of characters; plain functions, which need no GIL.
struct text_tables {
    int (*is_alpha)(uint32_t c);
    int (*is_decimal)(uint32_t c);
    int (*is_digit)(uint32_t c);
    int (*is_numeric)(uint32_t c);
    int (*is_lower)(uint32_t c);
    int (*is_upper)(uint32_t c);
    int (*is_title)(uint32_t c);
    int (*is_space)(uint32_t c);
    int (*is_printable)(uint32_t c);
    int (*is_line_break)(uint32_t c);
    int (*is_name_start)(uint32_t c);
    int (*is_name_part)(uint32_t c);
    int (*is_cased)(uint32_t c);
    int (*is_case_ignorable)(uint32_t c);
    int (*decimal_value)(uint32_t c); // -1: none
    // Up to three characters; how many.
    int (*to_lower)(uint32_t c, uint32_t *out);
    int (*to_upper)(uint32_t c, uint32_t *out);
    int (*to_title)(uint32_t c, uint32_t *out);
    int (*to_folded)(uint32_t c, uint32_t *out);
    int64_t (*hash_bytes)(const void *bytes, int64_t size_bytes);
};

// Of ASCII alone, where nobody brings Python's.
extern const struct text_tables ascii_tables;

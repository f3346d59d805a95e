// SPDX-License-Identifier: MIT
// What is known of characters where no Python has brought its tables: ASCII.
#include "compiler/support/characters.h"

static int ascii_alpha(uint32_t c)
{
    return (c | 32) >= 'a' && (c | 32) <= 'z';
}

static int ascii_digit(uint32_t c)
{
    return c >= '0' && c <= '9';
}

static int ascii_lower(uint32_t c)
{
    return c >= 'a' && c <= 'z';
}

static int ascii_upper(uint32_t c)
{
    return c >= 'A' && c <= 'Z';
}

static int ascii_space(uint32_t c)
{
    return c == ' ' || (c >= 9 && c <= 13) || (c >= 28 && c <= 31);
}

static int ascii_printable(uint32_t c)
{
    return c >= 32 && c < 127;
}

static int ascii_line_break(uint32_t c)
{
    return (c >= 10 && c <= 13) || (c >= 28 && c <= 30);
}

static int ascii_name_start(uint32_t c)
{
    return ascii_alpha(c) || c == '_';
}

static int ascii_name_part(uint32_t c)
{
    return ascii_name_start(c) || ascii_digit(c);
}

static int ascii_none(uint32_t c)
{
    (void)c;
    return 0;
}

static int ascii_decimal_value(uint32_t c)
{
    return ascii_digit(c) ? (int)(c - '0') : -1;
}

static int ascii_to_lower(uint32_t c, uint32_t *out)
{
    out[0] = ascii_upper(c) ? c + 32 : c;
    return 1;
}

static int ascii_to_upper(uint32_t c, uint32_t *out)
{
    out[0] = ascii_lower(c) ? c - 32 : c;
    return 1;
}

static int64_t plain_hash(const void *bytes, int64_t size_bytes)
{
    uint64_t hash = 14695981039346656037u;
    for (int64_t i = 0; i < size_bytes; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
    return (int64_t)hash;
}

const struct text_tables ascii_tables = {ascii_alpha, ascii_digit, ascii_digit,
        ascii_digit, ascii_lower, ascii_upper, ascii_none, ascii_space, ascii_printable,
        ascii_line_break, ascii_name_start, ascii_name_part, ascii_alpha, ascii_none,
        ascii_decimal_value, ascii_to_lower, ascii_to_upper, ascii_to_upper,
        ascii_to_lower, plain_hash};

// SPDX-License-Identifier: MIT
// UTF-8 as RFC 3629 has it (no surrogates, nothing overlong), and JSON string escapes.
#include "kernel/cells/text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// Length of the sequence that `first` begins, or 0 when no sequence begins so.
static size_t sequence_len(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first < 0xe0)
        return 2;
    if (first >= 0xe0 && first < 0xf0)
        return 3;
    return first >= 0xf0 && first < 0xf5 ? 4 : 0;
}

static bool is_second_byte(unsigned char first, unsigned char second)
{
    unsigned char low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    unsigned char high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    return second >= low && second <= high;
}

// How many of the bytes at `bytes` agree with one sequence; *wanted is its full length.
static size_t sequence_match(const unsigned char *bytes, size_t len, size_t *wanted)
{
    *wanted = sequence_len(bytes[0]);
    size_t i = 1;
    while (i < *wanted && i < len) {
        bool fits =
                i == 1 ? is_second_byte(bytes[0], bytes[1]) : (bytes[i] & 0xc0) == 0x80;
        if (!fits)
            break;
        i++;
    }
    return i;
}

// ---- eight bytes at a time

#define EACH(byte) (UINT64_C(0x0101010101010101) * (byte))

static uint64_t load_word(const void *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

// The number of bytes at the start that are ASCII, counted by words: it may be less.
static size_t ascii_run(const unsigned char *bytes, size_t len)
{
    size_t i = 0;
    while (i + 8 <= len && !(load_word(bytes + i) & EACH(0x80)))
        i += 8;
    return i;
}

static uint64_t has_zero(uint64_t word)
{
    return (word - EACH(1)) & ~word & EACH(0x80);
}

static uint64_t has_below(uint64_t word, unsigned limit)
{
    return (word - EACH(limit)) & ~word & EACH(0x80);
}

static bool is_plain_word(const char *text)
{
    uint64_t word = load_word(text);
    return !(has_below(word, 0x20) | has_zero(word ^ EACH('"')) |
             has_zero(word ^ EACH('\\')) | has_zero(word ^ EACH(0x7f)));
}

bool text_is_valid(const char *text, size_t len)
{
    const unsigned char *bytes = (const unsigned char *)text;
    for (size_t i = ascii_run(bytes, len), wanted; i < len; i += wanted) {
        if (bytes[i] < 0x80)
            wanted = 1;
        else if (sequence_match(bytes + i, len - i, &wanted) != wanted)
            return false;
    }
    return true;
}

void text_append_valid(struct str *out, const char *text, size_t len)
{
    const unsigned char *bytes = (const unsigned char *)text;
    size_t start = 0, i = 0;
    while (i < len) {
        if (bytes[i] < 0x80) {
            i++;
            continue;
        }
        size_t wanted, matched = sequence_match(bytes + i, len - i, &wanted);
        if (matched == wanted) {
            i += wanted;
            continue;
        }
        str_append_bytes(out, text + start, i - start);
        str_append_bytes(out, "\xef\xbf\xbd", 3);
        i += wanted ? matched : 1;
        start = i;
    }
    str_append_bytes(out, text + start, len - start);
}

size_t text_incomplete_tail(const char *text, size_t len)
{
    const unsigned char *bytes = (const unsigned char *)text;
    for (size_t back = 1; back <= 3 && back <= len; back++) {
        unsigned char byte = bytes[len - back];
        if (byte < 0x80)
            return 0;
        if (byte < 0xc0)
            continue;
        size_t wanted, matched = sequence_match(bytes + len - back, back, &wanted);
        return wanted > back && matched == back ? back : 0;
    }
    return 0;
}

enum { PLAIN, HEXADECIMAL, PIECE_BYTES = 4096, LONGEST_ESCAPE = 6 };

// How JSON writes a byte: PLAIN, HEXADECIMAL, or the letter behind a backslash.
static int escape_of(unsigned char c)
{
    switch (c) {
    case '"':
    case '\\':
        return c;
    case '\n':
        return 'n';
    case '\r':
        return 'r';
    case '\t':
        return 't';
    default:
        return c < 0x20 || c == 0x7f ? HEXADECIMAL : PLAIN;
    }
}

static char *write_byte(char *to, unsigned char c)
{
    static const char digits[] = "0123456789abcdef";
    int escape = escape_of(c);
    if (escape == PLAIN) {
        *to++ = (char)c;
        return to;
    }
    *to++ = '\\';
    if (escape != HEXADECIMAL) {
        *to++ = (char)escape;
        return to;
    }
    memcpy(to, "u00", 3);
    to[3] = digits[c >> 4];
    to[4] = digits[c & 15];
    return to + 5;
}

static char *write_piece(char *to, const char *text, size_t len)
{
    size_t i = 0;
    for (; i + 8 <= len; i += 8) {
        if (is_plain_word(text + i)) {
            memcpy(to, text + i, 8);
            to += 8;
            continue;
        }
        for (size_t k = 0; k < 8; k++)
            to = write_byte(to, (unsigned char)text[i + k]);
    }
    for (; i < len; i++)
        to = write_byte(to, (unsigned char)text[i]);
    return to;
}

void text_append_json(struct str *out, const char *text, size_t len)
{
    str_append_char(out, '"');
    if (len > PIECE_BYTES)
        str_reserve(out, len + len / 8 + LONGEST_ESCAPE * PIECE_BYTES);
    for (size_t at = 0, size; at < len; at += size) {
        size = len - at < PIECE_BYTES ? len - at : PIECE_BYTES;
        size_t most = LONGEST_ESCAPE * size + 2;
        if (out->len + most + 1 > out->capacity)
            str_reserve(out, most + out->len / 2);
        char *end = write_piece(out->text + out->len, text + at, size);
        out->len = (size_t)(end - out->text);
    }
    str_append_char(out, '"');
}

// The code unit of an escape \uXXXX at `at`, or -1.
static long escape_at(const char *at, const char *end)
{
    char digits[5] = {0}, *stop;
    if (end - at < 6 || at[0] != '\\' || at[1] != 'u')
        return -1;
    memcpy(digits, at + 2, 4);
    long unit = strtol(digits, &stop, 16);
    return stop == digits + 4 ? unit : -1;
}

static bool is_between(long unit, long first, long last)
{
    return unit >= first && unit <= last;
}

void text_append_paired(struct str *out, const char *json, size_t len)
{
    const char *end = json + len;
    while (json < end) {
        long unit = escape_at(json, end),
             next = unit >= 0 ? escape_at(json + 6, end) : -1;
        size_t step = *json == '\\' && end - json > 1 ? 2 : 1;
        if (is_between(unit, 0xd800, 0xdbff) && is_between(next, 0xdc00, 0xdfff))
            step = 12;
        if (step < 12 && is_between(unit, 0xd800, 0xdfff)) {
            str_append(out, "\\ufffd");
            json += 6;
            continue;
        }
        str_append_bytes(out, json, step);
        json += step;
    }
}

// SPDX-License-Identifier: MIT
// str.encode() and bytes.decode(): UTF-8, and what is none.
#include "compiler/support/text/text.h"

#include <stdio.h>

#include "base/str.h"
#include "compiler/support/support.h"

static int32_t no_coding(
        bool is_decoding, uint32_t code, int64_t from, int64_t to, const char *reason)
{
    const char *verb = is_decoding ? "decode" : "encode";
    const char *what = is_decoding ? "byte" : "character";
    const char *class = is_decoding ? "UnicodeDecodeError" : "UnicodeEncodeError";
    if (to - from > 1)
        return support_raise(class,
                "'utf-8' codec can't %s %ss in position %lld-%lld: %s", verb, what,
                (long long)from, (long long)to - 1, reason);
    char name[16];
    snprintf(name, sizeof name, is_decoding ? "0x%02x" : "'\\u%04x'", code);
    return support_raise(class, "'utf-8' codec can't %s %s %s in position %lld: %s", verb,
            what, name, (long long)from, reason);
}

static bool is_surrogate(uint32_t code)
{
    return code >= 0xD800 && code <= 0xDFFF;
}

static int32_t text_encode(struct abi_text *out, const struct abi_text *text)
{
    for (int64_t i = 0, end; i < text->len; i++) {
        for (end = i; end < text->len && is_surrogate(text->data[end]);)
            end++;
        if (end > i)
            return no_coding(false, text->data[i], i, end, "surrogates not allowed");
    }
    struct str utf8 = {0};
    text_append_utf8(&utf8, text->data, text->len);
    uint32_t *to = text_create(out, (int64_t)utf8.len);
    for (size_t i = 0; to && i < utf8.len; i++)
        to[i] = (unsigned char)utf8.text[i];
    str_finish(&utf8);
    return to ? TEXT_OK : TEXT_NO_MEMORY;
}

// How many bytes follow the first one of a character; -1: no character begins with it.
static int utf8_followers(uint32_t byte)
{
    if (byte < 0x80)
        return 0;
    return byte >= 0xC2 && byte <= 0xDF   ? 1
           : (byte & 0xF0) == 0xE0        ? 2
           : byte >= 0xF0 && byte <= 0xF4 ? 3
                                          : -1;
}

// Whether the byte may follow `first` directly: no character has two forms, none is a
// surrogate or above 0x10FFFF.
static bool utf8_may_follow(uint32_t first, uint32_t byte)
{
    uint32_t low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    uint32_t high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    return byte >= low && byte <= high;
}

static int32_t check_utf8(const struct abi_text *bytes)
{
    for (int64_t i = 0; i < bytes->len; i++) {
        uint32_t first = bytes->data[i];
        int count = utf8_followers(first);
        if (count < 0)
            return no_coding(true, first, i, i + 1, "invalid start byte");
        for (int k = 1; k <= count; k++) {
            if (i + k >= bytes->len)
                return no_coding(true, first, i, i + k, "unexpected end of data");
            if (!utf8_may_follow(k == 1 ? first : 0, bytes->data[i + k]))
                return no_coding(true, first, i, i + k, "invalid continuation byte");
        }
        i += count;
    }
    return TEXT_OK;
}

static int32_t text_decode(struct abi_text *out, const struct abi_text *bytes)
{
    int32_t status = check_utf8(bytes);
    if (status != TEXT_OK)
        return status;
    struct str utf8 = {0};
    for (int64_t i = 0; i < bytes->len; i++)
        str_append_char(&utf8, (char)bytes->data[i]);
    status = text_from_utf8(out, utf8.text, utf8.len);
    str_finish(&utf8);
    return status;
}

const struct support_symbol text_coding_symbols[] = {
        SUPPORT_FUNCTION(text_encode),
        SUPPORT_FUNCTION(text_decode),
        {0},
};

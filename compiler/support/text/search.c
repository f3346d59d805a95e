// SPDX-License-Identifier: MIT
// Finding and replacing: count, find, index, startswith, replace, partition, strip.
#include "compiler/support/text/text.h"

#include <string.h>

// The first or last place of `part` within bounds, or -1.
static int64_t find_within(const struct abi_text *text, const struct abi_text *part,
        int64_t start, int64_t stop, bool is_last)
{
    text_clamp(text->len, &start, &stop);
    if (stop - start < part->len)
        return -1;
    if (!is_last) {
        int64_t at = text_find_in(text->data + start, stop - start, part);
        return at < 0 ? -1 : start + at;
    }
    for (int64_t i = stop - part->len; i >= start; i--)
        if (!memcmp(text->data + i, part->data, (size_t)part->len * 4))
            return i;
    return -1;
}

static int32_t found(int64_t place)
{
    return place >= 0 ? TEXT_OK : support_raise("ValueError", "substring not found");
}

// Answers a question about `part` and the text from `start` to `stop`.
#define SEARCH(name, type, answer, status)                                               \
    static int32_t text_##name(type *out, const struct abi_text *text,                   \
            const struct abi_text *part, int64_t start, int64_t stop)                    \
    {                                                                                    \
        *out = answer;                                                                   \
        return status;                                                                   \
    }
SEARCH(find, int64_t, find_within(text, part, start, stop, false), TEXT_OK)
SEARCH(rfind, int64_t, find_within(text, part, start, stop, true), TEXT_OK)
SEARCH(index, int64_t, find_within(text, part, start, stop, false), found(*out))
SEARCH(rindex, int64_t, find_within(text, part, start, stop, true), found(*out))

static int32_t text_count(int64_t *out, const struct abi_text *text,
        const struct abi_text *part, int64_t start, int64_t stop)
{
    text_clamp(text->len, &start, &stop);
    *out = 0;
    if (stop < start)
        return TEXT_OK;
    if (!part->len) {
        *out = stop - start + 1;
        return TEXT_OK;
    }
    for (int64_t at; (at = text_find_in(text->data + start, stop - start, part)) >= 0;) {
        ++*out;
        start += at + part->len;
    }
    return TEXT_OK;
}

static bool matches_at(const struct abi_text *text, const struct abi_text *part,
        int64_t start, int64_t stop, bool at_end)
{
    text_clamp(text->len, &start, &stop);
    if (stop - start < part->len)
        return false;
    int64_t at = at_end ? stop - part->len : start;
    return !memcmp(text->data + at, part->data, (size_t)part->len * 4);
}

SEARCH(startswith, bool, matches_at(text, part, start, stop, false), TEXT_OK)
SEARCH(endswith, bool, matches_at(text, part, start, stop, true), TEXT_OK)

static int32_t text_removeprefix(
        struct abi_text *out, const struct abi_text *text, const struct abi_text *part)
{
    bool has = matches_at(text, part, 0, text->len, false);
    return text_view(out, text, has ? part->len : 0, text->len);
}

static int32_t text_removesuffix(
        struct abi_text *out, const struct abi_text *text, const struct abi_text *part)
{
    bool has = matches_at(text, part, 0, text->len, true);
    return text_view(out, text, 0, text->len - (has ? part->len : 0));
}

// Puts `to` between all characters.
static void interleave(struct text_builder *builder, const struct abi_text *text,
        const struct abi_text *to, int64_t count)
{
    for (int64_t i = 0; i <= text->len; i++) {
        if (count < 0 || i < count)
            text_builder_append(builder, to->data, to->len);
        if (i < text->len)
            text_builder_add(builder, text->data[i]);
    }
}

static int32_t text_replace(struct abi_text *out, const struct abi_text *text,
        const struct abi_text *from, const struct abi_text *to, int64_t count)
{
    struct text_builder builder = {0};
    if (!from->len) {
        interleave(&builder, text, to, count);
        return text_builder_take(&builder, out);
    }
    int64_t at = 0, place;
    for (; count != 0; count--) {
        place = text_find_in(text->data + at, text->len - at, from);
        if (place < 0)
            break;
        text_builder_append(&builder, text->data + at, place);
        text_builder_append(&builder, to->data, to->len);
        at += place + from->len;
    }
    text_builder_append(&builder, text->data + at, text->len - at);
    return text_builder_take(&builder, out);
}

// (before, separator, after) as three texts in a row.
static int32_t split_at(struct abi_text *out, const struct abi_text *text,
        const struct abi_text *separator, bool is_last)
{
    if (!separator->len)
        return support_raise("ValueError", "empty separator");
    int64_t at = find_within(text, separator, 0, text->len, is_last);
    if (at >= 0) {
        text_view(&out[0], text, 0, at);
        text_same(&out[1], separator);
        return text_view(&out[2], text, at + separator->len, text->len);
    }
    for (int i = 0; i < 3; i++)
        text_view(&out[i], text, 0, i == (is_last ? 2 : 0) ? text->len : 0);
    return TEXT_OK;
}

static int32_t text_partition(struct abi_text *out, const struct abi_text *text,
        const struct abi_text *separator)
{
    return split_at(out, text, separator, false);
}

static int32_t text_rpartition(struct abi_text *out, const struct abi_text *text,
        const struct abi_text *separator)
{
    return split_at(out, text, separator, true);
}

// `characters` of length -1: white space.
static bool is_stripped(uint32_t c, const struct abi_text *characters)
{
    if (characters->len < 0)
        return host_hooks.characters->is_space(c);
    for (int64_t i = 0; i < characters->len; i++)
        if (characters->data[i] == c)
            return true;
    return false;
}

static int32_t strip(struct abi_text *out, const struct abi_text *text,
        const struct abi_text *characters, bool left, bool right)
{
    int64_t start = 0, stop = text->len;
    while (left && start < stop && is_stripped(text->data[start], characters))
        start++;
    while (right && stop > start && is_stripped(text->data[stop - 1], characters))
        stop--;
    return text_view(out, text, start, stop);
}

static int32_t text_strip(struct abi_text *out, const struct abi_text *text,
        const struct abi_text *characters)
{
    return strip(out, text, characters, true, true);
}

static int32_t text_lstrip(struct abi_text *out, const struct abi_text *text,
        const struct abi_text *characters)
{
    return strip(out, text, characters, true, false);
}

static int32_t text_rstrip(struct abi_text *out, const struct abi_text *text,
        const struct abi_text *characters)
{
    return strip(out, text, characters, false, true);
}

const struct support_symbol text_search_symbols[] = {
        SUPPORT_FUNCTION(text_find),
        SUPPORT_FUNCTION(text_rfind),
        SUPPORT_FUNCTION(text_index),
        SUPPORT_FUNCTION(text_rindex),
        SUPPORT_FUNCTION(text_count),
        SUPPORT_FUNCTION(text_startswith),
        SUPPORT_FUNCTION(text_endswith),
        SUPPORT_FUNCTION(text_removeprefix),
        SUPPORT_FUNCTION(text_removesuffix),
        SUPPORT_FUNCTION(text_replace),
        SUPPORT_FUNCTION(text_partition),
        SUPPORT_FUNCTION(text_rpartition),
        SUPPORT_FUNCTION(text_strip),
        SUPPORT_FUNCTION(text_lstrip),
        SUPPORT_FUNCTION(text_rstrip),
        {0},
};

// SPDX-License-Identifier: MIT
// Texts and lists of texts: split, rsplit, splitlines, join.
#include <string.h>

#include "compiler/support/support.h"
#include "compiler/support/text/text.h"

static struct abi_row *new_list(void)
{
    static const int64_t memory_place = offsetof(struct abi_text, memory);
    return gridcell_row_create(4, sizeof(struct abi_text), 1, &memory_place);
}

// Appends characters start..stop, which share the text's memory.
static bool add_part(
        struct abi_row *list, const struct abi_text *text, int64_t start, int64_t stop)
{
    if (gridcell_row_splice(list, list->len, 0, 1) != STATUS_OK)
        return false;
    struct abi_text *items = list->memory.data;
    text_view(&items[list->len - 1], text, start, stop);
    return true;
}

static int32_t finish(struct abi_row **out, struct abi_row *list, bool is_done)
{
    if (!is_done && list)
        gridcell_memory_release(&list->memory);
    *out = is_done ? list : NULL;
    return is_done ? TEXT_OK : TEXT_NO_MEMORY;
}

static void reverse(struct abi_row *list)
{
    for (int64_t a = 0, b = list->len - 1; a < b; a++, b--)
        gridcell_row_swap(list, a, b);
}

static bool is_space(const struct abi_text *text, int64_t at)
{
    return host_hooks.characters->is_space(text->data[at]);
}

// Words between runs of white space; what is left after the last split keeps its blanks.
static bool split_words(struct abi_row *list, const struct abi_text *text, int64_t most)
{
    int64_t at = 0, start;
    for (;;) {
        while (at < text->len && is_space(text, at))
            at++;
        if (at == text->len)
            return true;
        start = at;
        if (most == 0)
            break;
        while (at < text->len && !is_space(text, at))
            at++;
        if (!add_part(list, text, start, at))
            return false;
        most--;
    }
    return add_part(list, text, start, text->len);
}

static bool split_words_backward(
        struct abi_row *list, const struct abi_text *text, int64_t most)
{
    int64_t at = text->len, stop;
    for (;;) {
        while (at > 0 && is_space(text, at - 1))
            at--;
        if (at == 0)
            return true;
        stop = at;
        if (most == 0)
            break;
        while (at > 0 && !is_space(text, at - 1))
            at--;
        if (!add_part(list, text, at, stop))
            return false;
        most--;
    }
    return add_part(list, text, 0, stop);
}

static bool split_at(struct abi_row *list, const struct abi_text *text,
        const struct abi_text *separator, int64_t most)
{
    int64_t at = 0;
    for (; most != 0; most--) {
        int64_t found = text_find_in(text->data + at, text->len - at, separator);
        if (found < 0)
            break;
        if (!add_part(list, text, at, at + found))
            return false;
        at += found + separator->len;
    }
    return add_part(list, text, at, text->len);
}

static bool split_at_backward(struct abi_row *list, const struct abi_text *text,
        const struct abi_text *separator, int64_t most)
{
    int64_t stop = text->len;
    for (; most != 0; most--) {
        int64_t at = stop - separator->len;
        while (at >= 0 &&
                memcmp(text->data + at, separator->data, (size_t)separator->len * 4) != 0)
            at--;
        if (at < 0)
            break;
        if (!add_part(list, text, at + separator->len, stop))
            return false;
        stop = at;
    }
    return add_part(list, text, 0, stop);
}

// A separator of length -1: white space.
int32_t text_split(struct abi_row **out, const struct abi_text *text,
        const struct abi_text *separator, int64_t most)
{
    if (separator->len == 0)
        return support_raise("ValueError", "empty separator");
    struct abi_row *list = new_list();
    bool is_done = list && (separator->len < 0 ? split_words(list, text, most)
                                               : split_at(list, text, separator, most));
    return finish(out, list, is_done);
}

int32_t text_rsplit(struct abi_row **out, const struct abi_text *text,
        const struct abi_text *separator, int64_t most)
{
    if (separator->len == 0)
        return support_raise("ValueError", "empty separator");
    struct abi_row *list = new_list();
    bool is_done =
            list && (separator->len < 0 ? split_words_backward(list, text, most)
                                        : split_at_backward(list, text, separator, most));
    if (is_done)
        reverse(list);
    return finish(out, list, is_done);
}

static int32_t text_splitlines(
        struct abi_row **out, const struct abi_text *text, int64_t keeps_ends)
{
    struct abi_row *list = new_list();
    bool is_done = list;
    for (int64_t at = 0; is_done && at < text->len;) {
        int64_t start = at;
        while (at < text->len && !host_hooks.characters->is_line_break(text->data[at]))
            at++;
        int64_t stop = at;
        if (at < text->len) {
            bool is_pair = text->data[at] == '\r' && at + 1 < text->len &&
                           text->data[at + 1] == '\n';
            at += is_pair ? 2 : 1;
        }
        is_done = add_part(list, text, start, keeps_ends ? at : stop);
    }
    return finish(out, list, is_done);
}

static int32_t join(struct abi_text *out, const struct abi_text *separator,
        const struct abi_text *parts, int64_t count)
{
    struct text_builder builder = {0};
    for (int64_t i = 0; i < count; i++) {
        if (i)
            text_builder_append(&builder, separator->data, separator->len);
        text_builder_append(&builder, parts[i].data, parts[i].len);
    }
    return text_builder_take(&builder, out);
}

static int32_t text_join(struct abi_text *out, const struct abi_text *separator,
        const struct abi_row *list)
{
    return join(out, separator, list->memory.data, list->len);
}

// Puts the separator between the characters.
static int32_t text_join_characters(struct abi_text *out,
        const struct abi_text *separator, const struct abi_text *text)
{
    struct text_builder builder = {0};
    for (int64_t i = 0; i < text->len; i++) {
        if (i)
            text_builder_append(&builder, separator->data, separator->len);
        text_builder_add(&builder, text->data[i]);
    }
    return text_builder_take(&builder, out);
}

const struct support_symbol text_split_symbols[] = {
        SUPPORT_FUNCTION(text_split),
        SUPPORT_FUNCTION(text_rsplit),
        SUPPORT_FUNCTION(text_splitlines),
        SUPPORT_FUNCTION(text_join),
        SUPPORT_FUNCTION(text_join_characters),
        {0},
};

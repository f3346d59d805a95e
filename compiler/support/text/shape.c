// SPDX-License-Identifier: MIT
// Texts brought to a width: center, ljust, rjust, zfill, expandtabs.
#include "compiler/support/text/text.h"

#include <string.h>

static int32_t pad(struct abi_text *out, const struct abi_text *text, int64_t left,
        int64_t right, uint32_t fill)
{
    if (left <= 0 && right <= 0)
        return text_same(out, text);
    left = left < 0 ? 0 : left;
    right = right < 0 ? 0 : right;
    uint32_t *to = text_create(out, left + text->len + right);
    if (!to)
        return TEXT_NO_MEMORY;
    for (int64_t i = 0; i < left; i++)
        to[i] = fill;
    memcpy(to + left, text->data, (size_t)text->len * 4);
    for (int64_t i = 0; i < right; i++)
        to[left + text->len + i] = fill;
    return TEXT_OK;
}

// The fill character, given or a blank.
static int32_t read_fill(const struct abi_text *fill, uint32_t *c)
{
    *c = fill->len == 1 ? fill->data[0] : ' ';
    if (fill->len <= 1 && fill->len != 0)
        return TEXT_OK;
    return support_raise(
            "TypeError", "The fill character must be exactly one character long");
}

static int32_t text_center(struct abi_text *out, const struct abi_text *text,
        int64_t width, const struct abi_text *fill)
{
    uint32_t c;
    int64_t margin = width - text->len;
    int32_t status = read_fill(fill, &c);
    if (status)
        return status;
    if (width <= text->len)
        return text_same(out, text);
    int64_t left = margin / 2 + (margin & width & 1);
    return pad(out, text, left, margin - left, c);
}

static int32_t text_ljust(struct abi_text *out, const struct abi_text *text,
        int64_t width, const struct abi_text *fill)
{
    uint32_t c;
    int32_t status = read_fill(fill, &c);
    return status ? status
                  : pad(out, text, 0, width > text->len ? width - text->len : 0, c);
}

static int32_t text_rjust(struct abi_text *out, const struct abi_text *text,
        int64_t width, const struct abi_text *fill)
{
    uint32_t c;
    int32_t status = read_fill(fill, &c);
    return status ? status
                  : pad(out, text, width > text->len ? width - text->len : 0, 0, c);
}

static int32_t text_zfill(
        struct abi_text *out, const struct abi_text *text, int64_t width)
{
    int64_t missing = width > text->len ? width - text->len : 0;
    int32_t status = pad(out, text, missing, 0, '0');
    if (status != TEXT_OK || !missing || !text->len)
        return status;
    uint32_t *data = (uint32_t *)out->data, sign = data[missing];
    if (sign == '+' || sign == '-') {
        data[missing] = '0';
        data[0] = sign;
    }
    return TEXT_OK;
}

static int32_t text_expandtabs(
        struct abi_text *out, const struct abi_text *text, int64_t tab_width)
{
    if (tab_width != (int32_t)tab_width)
        return support_raise("OverflowError", "Python int too large to convert to C int");
    struct text_builder builder = {0};
    int64_t column = 0;
    for (int64_t i = 0; i < text->len; i++) {
        uint32_t c = text->data[i];
        if (c != '\t') {
            text_builder_add(&builder, c);
            column = c == '\n' || c == '\r' ? 0 : column + 1;
        } else if (tab_width > 0) {
            int64_t blanks = tab_width - column % tab_width;
            column += blanks;
            while (blanks-- && !builder.failed)
                text_builder_add(&builder, ' ');
        }
    }
    return text_builder_take(&builder, out);
}

const struct support_symbol text_shape_symbols[] = {
        SUPPORT_FUNCTION(text_center),
        SUPPORT_FUNCTION(text_ljust),
        SUPPORT_FUNCTION(text_rjust),
        SUPPORT_FUNCTION(text_zfill),
        SUPPORT_FUNCTION(text_expandtabs),
        {0},
};

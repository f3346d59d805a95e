// SPDX-License-Identifier: MIT
// bytes where they are no text: outside ASCII they are of no class of characters. They
// are hidden as characters for private use from the functions that ask for one.
#include "compiler/support/support.h"
#include "compiler/support/text/text.h"

enum { PRIVATE = 0xE000 };

// Unlike str, bytes take 0x1c to 0x1f for no white space.
static bool is_to_hide(uint32_t c)
{
    return c > 0x7f || (c >= 0x1c && c <= 0x1f);
}

static int32_t bytes_hide(struct abi_text *out, const struct abi_text *bytes)
{
    int64_t at = 0;
    while (at < bytes->len && !is_to_hide(bytes->data[at]))
        at++;
    if (at >= bytes->len)
        return text_same(out, bytes);
    uint32_t *to = text_create(out, bytes->len);
    for (int64_t i = 0; to && i < bytes->len; i++)
        to[i] = is_to_hide(bytes->data[i]) ? PRIVATE + bytes->data[i] : bytes->data[i];
    return to ? TEXT_OK : TEXT_NO_MEMORY;
}

static int32_t bytes_show(struct abi_text *out, const struct abi_text *hidden)
{
    int64_t at = 0;
    while (at < hidden->len && hidden->data[at] < PRIVATE)
        at++;
    if (at >= hidden->len)
        return text_same(out, hidden);
    uint32_t *to = text_create(out, hidden->len);
    for (int64_t i = 0; to && i < hidden->len; i++)
        to[i] = hidden->data[i] & 0xff;
    return to ? TEXT_OK : TEXT_NO_MEMORY;
}

// The items of a new list, in place.
static int32_t show_items(struct abi_row **out)
{
    struct abi_row *list = *out;
    struct abi_text *items = list->memory.data;
    for (int64_t i = 0; i < list->len; i++) {
        struct abi_text shown;
        int32_t status = bytes_show(&shown, &items[i]);
        if (status != TEXT_OK) {
            gridcell_memory_release(&list->memory);
            *out = NULL;
            return status;
        }
        text_release(&items[i]);
        items[i] = shown;
    }
    return TEXT_OK;
}

static int32_t bytes_split(struct abi_row **out, const struct abi_text *hidden,
        const struct abi_text *separator, int64_t most)
{
    int32_t status = text_split(out, hidden, separator, most);
    return status == TEXT_OK ? show_items(out) : status;
}

static int32_t bytes_rsplit(struct abi_row **out, const struct abi_text *hidden,
        const struct abi_text *separator, int64_t most)
{
    int32_t status = text_rsplit(out, hidden, separator, most);
    return status == TEXT_OK ? show_items(out) : status;
}

static int32_t bytes_hex(struct abi_text *out, const struct abi_text *bytes)
{
    static const char digits[] = "0123456789abcdef";
    uint32_t *to = text_create(out, 2 * bytes->len);
    for (int64_t i = 0; to && i < bytes->len; i++) {
        to[2 * i] = (uint32_t)digits[bytes->data[i] >> 4 & 15];
        to[2 * i + 1] = (uint32_t)digits[bytes->data[i] & 15];
    }
    return to ? TEXT_OK : TEXT_NO_MEMORY;
}

static int32_t bytes_of_number(struct abi_text *out, int64_t number)
{
    if (number < 0 || number > 255)
        return support_raise("ValueError", "byte must be in range(0, 256)");
    uint32_t c = (uint32_t)number;
    return text_copy(out, &c, 1);
}

const struct support_symbol bytes_symbols[] = {
        SUPPORT_FUNCTION(bytes_hide),
        SUPPORT_FUNCTION(bytes_show),
        SUPPORT_FUNCTION(bytes_split),
        SUPPORT_FUNCTION(bytes_rsplit),
        SUPPORT_FUNCTION(bytes_hex),
        SUPPORT_FUNCTION(bytes_of_number),
        {0},
};

// SPDX-License-Identifier: MIT
// Letters: the is...() questions, and the mappings between cases, by Python's tables; and
// ascii(), which maps what is no ASCII to its number.
#include "compiler/support/text/text.h"

#include <stdio.h>

// --- Questions

static bool all_are(const struct abi_text *text, int (*is)(uint32_t c))
{
    for (int64_t i = 0; i < text->len; i++)
        if (!is(text->data[i]))
            return false;
    return text->len > 0;
}

static int is_alphanumeric(uint32_t c)
{
    return host_hooks.characters->is_alpha(c) || host_hooks.characters->is_decimal(c) ||
           host_hooks.characters->is_digit(c) || host_hooks.characters->is_numeric(c);
}

static int is_ascii(uint32_t c)
{
    return c < 128;
}

// Answers a question about the whole text.
#define QUESTION(name, answer)                                                           \
    static int32_t text_##name(bool *out, const struct abi_text *text)                   \
    {                                                                                    \
        *out = (answer);                                                                 \
        return TEXT_OK;                                                                  \
    }
QUESTION(isalnum, all_are(text, is_alphanumeric))
QUESTION(isalpha, all_are(text, host_hooks.characters->is_alpha))
QUESTION(isascii, !text->len || all_are(text, is_ascii))
QUESTION(isdecimal, all_are(text, host_hooks.characters->is_decimal))
QUESTION(isdigit, all_are(text, host_hooks.characters->is_digit))
QUESTION(isnumeric, all_are(text, host_hooks.characters->is_numeric))
QUESTION(isspace, all_are(text, host_hooks.characters->is_space))
QUESTION(isprintable, !text->len || all_are(text, host_hooks.characters->is_printable))

static int32_t text_isidentifier(bool *out, const struct abi_text *text)
{
    *out = text->len &&
           (text->data[0] == '_' || host_hooks.characters->is_name_start(text->data[0]));
    for (int64_t i = 1; *out && i < text->len; i++)
        *out = host_hooks.characters->is_name_part(text->data[i]);
    return TEXT_OK;
}

// Some letters have case, and all of those are as `is` says, none as `is_not` does.
static bool has_case(
        const struct abi_text *text, int (*is)(uint32_t c), int (*is_not)(uint32_t c))
{
    bool is_so = false;
    for (int64_t i = 0; i < text->len; i++) {
        uint32_t c = text->data[i];
        if (is_not(c) || host_hooks.characters->is_title(c))
            return false;
        is_so = is_so || is(c);
    }
    return is_so;
}

QUESTION(islower,
        has_case(text, host_hooks.characters->is_lower, host_hooks.characters->is_upper))
QUESTION(isupper,
        has_case(text, host_hooks.characters->is_upper, host_hooks.characters->is_lower))

static int32_t text_istitle(bool *out, const struct abi_text *text)
{
    bool is_inside = false, has_word = false;
    *out = false;
    for (int64_t i = 0; i < text->len; i++) {
        uint32_t c = text->data[i];
        if (host_hooks.characters->is_upper(c) || host_hooks.characters->is_title(c)) {
            if (is_inside)
                return TEXT_OK;
            is_inside = has_word = true;
        } else if (host_hooks.characters->is_lower(c)) {
            if (!is_inside)
                return TEXT_OK;
        } else {
            is_inside = false;
        }
    }
    *out = has_word;
    return TEXT_OK;
}

// --- Mappings

// A capital sigma at the end of a word has a lower case of its own.
static bool is_final_sigma(const struct abi_text *text, int64_t at)
{
    int64_t i = at - 1;
    while (i >= 0 && host_hooks.characters->is_case_ignorable(text->data[i]))
        i--;
    if (i < 0 || !host_hooks.characters->is_cased(text->data[i]))
        return false;
    for (i = at + 1;
            i < text->len && host_hooks.characters->is_case_ignorable(text->data[i]);)
        i++;
    return i == text->len || !host_hooks.characters->is_cased(text->data[i]);
}

enum { CAPITAL_SIGMA = 0x3A3, SMALL_SIGMA = 0x3C3, FINAL_SIGMA = 0x3C2 };

static void add_lower(
        struct text_builder *builder, const struct abi_text *text, int64_t at)
{
    uint32_t mapped[3], c = text->data[at];
    int count = 1;
    if (c == CAPITAL_SIGMA)
        mapped[0] = is_final_sigma(text, at) ? FINAL_SIGMA : SMALL_SIGMA;
    else
        count = host_hooks.characters->to_lower(c, mapped);
    text_builder_append(builder, mapped, count);
}

static void add_mapped(
        struct text_builder *builder, uint32_t c, int (*map)(uint32_t c, uint32_t *out))
{
    uint32_t mapped[3];
    text_builder_append(builder, mapped, map(c, mapped));
}

static void add_upper(
        struct text_builder *builder, const struct abi_text *text, int64_t at)
{
    add_mapped(builder, text->data[at], host_hooks.characters->to_upper);
}

static void add_folded(
        struct text_builder *builder, const struct abi_text *text, int64_t at)
{
    add_mapped(builder, text->data[at], host_hooks.characters->to_folded);
}

static void add_capitalized(
        struct text_builder *builder, const struct abi_text *text, int64_t at)
{
    if (at == 0)
        add_mapped(builder, text->data[at], host_hooks.characters->to_title);
    else
        add_lower(builder, text, at);
}

static void add_swapped(
        struct text_builder *builder, const struct abi_text *text, int64_t at)
{
    if (host_hooks.characters->is_upper(text->data[at]))
        add_lower(builder, text, at);
    else if (host_hooks.characters->is_lower(text->data[at]))
        add_upper(builder, text, at);
    else
        text_builder_add(builder, text->data[at]);
}

// A word starts behind what has no case.
static void add_titled(
        struct text_builder *builder, const struct abi_text *text, int64_t at)
{
    if (at > 0 && host_hooks.characters->is_cased(text->data[at - 1]))
        add_lower(builder, text, at);
    else
        add_mapped(builder, text->data[at], host_hooks.characters->to_title);
}

static void add_ascii(
        struct text_builder *builder, const struct abi_text *text, int64_t at)
{
    uint32_t c = text->data[at];
    char escape[16];
    if (c < 128) {
        text_builder_add(builder, c);
        return;
    }
    (void)snprintf(escape, sizeof escape,
            c < 0x100     ? "\\x%02x"
            : c < 0x10000 ? "\\u%04x"
                          : "\\U%08x",
            c);
    for (const char *next = escape; *next; next++)
        text_builder_add(builder, (unsigned char)*next);
}

// Maps each character by what `add` puts in its place.
#define MAPPING(name, add)                                                               \
    static int32_t text_##name(struct abi_text *out, const struct abi_text *text)        \
    {                                                                                    \
        struct text_builder builder = {0};                                               \
        for (int64_t i = 0; i < text->len; i++)                                          \
            add(&builder, text, i);                                                      \
        return text_builder_take(&builder, out);                                         \
    }
MAPPING(lower, add_lower)
MAPPING(upper, add_upper)
MAPPING(casefold, add_folded)
MAPPING(capitalize, add_capitalized)
MAPPING(swapcase, add_swapped)
MAPPING(title, add_titled)
MAPPING(ascii, add_ascii)

const struct support_symbol text_case_symbols[] = {
        SUPPORT_FUNCTION(text_isalnum),
        SUPPORT_FUNCTION(text_isalpha),
        SUPPORT_FUNCTION(text_isascii),
        SUPPORT_FUNCTION(text_isdecimal),
        SUPPORT_FUNCTION(text_isdigit),
        SUPPORT_FUNCTION(text_isidentifier),
        SUPPORT_FUNCTION(text_islower),
        SUPPORT_FUNCTION(text_isnumeric),
        SUPPORT_FUNCTION(text_isprintable),
        SUPPORT_FUNCTION(text_isspace),
        SUPPORT_FUNCTION(text_istitle),
        SUPPORT_FUNCTION(text_isupper),
        SUPPORT_FUNCTION(text_lower),
        SUPPORT_FUNCTION(text_upper),
        SUPPORT_FUNCTION(text_casefold),
        SUPPORT_FUNCTION(text_capitalize),
        SUPPORT_FUNCTION(text_swapcase),
        SUPPORT_FUNCTION(text_title),
        SUPPORT_FUNCTION(text_ascii),
        {0},
};

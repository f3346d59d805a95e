// SPDX-License-Identifier: MIT
// Letters: the is...() questions, and the mappings between cases, by Python's tables.
#include "compiler/support/text/text.h"

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

static int32_t text_isalnum(bool *out, const struct abi_text *text)
{
    *out = all_are(text, is_alphanumeric);
    return TEXT_OK;
}

static int32_t text_isalpha(bool *out, const struct abi_text *text)
{
    *out = all_are(text, host_hooks.characters->is_alpha);
    return TEXT_OK;
}

static int32_t text_isascii(bool *out, const struct abi_text *text)
{
    *out = !text->len || all_are(text, is_ascii);
    return TEXT_OK;
}

static int32_t text_isdecimal(bool *out, const struct abi_text *text)
{
    *out = all_are(text, host_hooks.characters->is_decimal);
    return TEXT_OK;
}

static int32_t text_isdigit(bool *out, const struct abi_text *text)
{
    *out = all_are(text, host_hooks.characters->is_digit);
    return TEXT_OK;
}

static int32_t text_isnumeric(bool *out, const struct abi_text *text)
{
    *out = all_are(text, host_hooks.characters->is_numeric);
    return TEXT_OK;
}

static int32_t text_isspace(bool *out, const struct abi_text *text)
{
    *out = all_are(text, host_hooks.characters->is_space);
    return TEXT_OK;
}

static int32_t text_isprintable(bool *out, const struct abi_text *text)
{
    *out = !text->len || all_are(text, host_hooks.characters->is_printable);
    return TEXT_OK;
}

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

static int32_t text_islower(bool *out, const struct abi_text *text)
{
    *out = has_case(
            text, host_hooks.characters->is_lower, host_hooks.characters->is_upper);
    return TEXT_OK;
}

static int32_t text_isupper(bool *out, const struct abi_text *text)
{
    *out = has_case(
            text, host_hooks.characters->is_upper, host_hooks.characters->is_lower);
    return TEXT_OK;
}

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

static int32_t text_lower(struct abi_text *out, const struct abi_text *text)
{
    struct text_builder builder = {0};
    for (int64_t i = 0; i < text->len; i++)
        add_lower(&builder, text, i);
    return text_builder_take(&builder, out);
}

static int32_t text_upper(struct abi_text *out, const struct abi_text *text)
{
    struct text_builder builder = {0};
    for (int64_t i = 0; i < text->len; i++)
        add_mapped(&builder, text->data[i], host_hooks.characters->to_upper);
    return text_builder_take(&builder, out);
}

static int32_t text_casefold(struct abi_text *out, const struct abi_text *text)
{
    struct text_builder builder = {0};
    for (int64_t i = 0; i < text->len; i++)
        add_mapped(&builder, text->data[i], host_hooks.characters->to_folded);
    return text_builder_take(&builder, out);
}

static int32_t text_capitalize(struct abi_text *out, const struct abi_text *text)
{
    struct text_builder builder = {0};
    for (int64_t i = 0; i < text->len; i++) {
        if (i == 0)
            add_mapped(&builder, text->data[i], host_hooks.characters->to_title);
        else
            add_lower(&builder, text, i);
    }
    return text_builder_take(&builder, out);
}

static int32_t text_swapcase(struct abi_text *out, const struct abi_text *text)
{
    struct text_builder builder = {0};
    for (int64_t i = 0; i < text->len; i++) {
        if (host_hooks.characters->is_upper(text->data[i]))
            add_lower(&builder, text, i);
        else if (host_hooks.characters->is_lower(text->data[i]))
            add_mapped(&builder, text->data[i], host_hooks.characters->to_upper);
        else
            text_builder_add(&builder, text->data[i]);
    }
    return text_builder_take(&builder, out);
}

static int32_t text_title(struct abi_text *out, const struct abi_text *text)
{
    struct text_builder builder = {0};
    bool is_inside = false;
    for (int64_t i = 0; i < text->len; i++) {
        if (is_inside)
            add_lower(&builder, text, i);
        else
            add_mapped(&builder, text->data[i], host_hooks.characters->to_title);
        is_inside = host_hooks.characters->is_cased(text->data[i]);
    }
    return text_builder_take(&builder, out);
}

const struct support_symbol text_case_symbols[] = {
        {"gridcell_text_isalnum", (void *)text_isalnum},
        {"gridcell_text_isalpha", (void *)text_isalpha},
        {"gridcell_text_isascii", (void *)text_isascii},
        {"gridcell_text_isdecimal", (void *)text_isdecimal},
        {"gridcell_text_isdigit", (void *)text_isdigit},
        {"gridcell_text_isidentifier", (void *)text_isidentifier},
        {"gridcell_text_islower", (void *)text_islower},
        {"gridcell_text_isnumeric", (void *)text_isnumeric},
        {"gridcell_text_isprintable", (void *)text_isprintable},
        {"gridcell_text_isspace", (void *)text_isspace},
        {"gridcell_text_istitle", (void *)text_istitle},
        {"gridcell_text_isupper", (void *)text_isupper},
        {"gridcell_text_lower", (void *)text_lower},
        {"gridcell_text_upper", (void *)text_upper},
        {"gridcell_text_casefold", (void *)text_casefold},
        {"gridcell_text_capitalize", (void *)text_capitalize},
        {"gridcell_text_swapcase", (void *)text_swapcase},
        {"gridcell_text_title", (void *)text_title},
        {0},
};

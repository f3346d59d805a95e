// SPDX-License-Identifier: MIT
// Letters: the is...() questions, and the mappings between cases, by Python's tables.
#include "compiler/support/text/text.h"

// --- ASCII, where no Python has set its tables

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

static const struct text_tables ascii_tables = {ascii_alpha, ascii_digit, ascii_digit,
        ascii_digit, ascii_lower, ascii_upper, ascii_none, ascii_space, ascii_printable,
        ascii_line_break, ascii_name_start, ascii_name_part, ascii_alpha, ascii_none,
        ascii_decimal_value, ascii_to_lower, ascii_to_upper, ascii_to_upper,
        ascii_to_lower, plain_hash};

const struct text_tables *text_tables = &ascii_tables;

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
    return text_tables->is_alpha(c) || text_tables->is_decimal(c) ||
           text_tables->is_digit(c) || text_tables->is_numeric(c);
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
    *out = all_are(text, text_tables->is_alpha);
    return TEXT_OK;
}

static int32_t text_isascii(bool *out, const struct abi_text *text)
{
    *out = !text->len || all_are(text, is_ascii);
    return TEXT_OK;
}

static int32_t text_isdecimal(bool *out, const struct abi_text *text)
{
    *out = all_are(text, text_tables->is_decimal);
    return TEXT_OK;
}

static int32_t text_isdigit(bool *out, const struct abi_text *text)
{
    *out = all_are(text, text_tables->is_digit);
    return TEXT_OK;
}

static int32_t text_isnumeric(bool *out, const struct abi_text *text)
{
    *out = all_are(text, text_tables->is_numeric);
    return TEXT_OK;
}

static int32_t text_isspace(bool *out, const struct abi_text *text)
{
    *out = all_are(text, text_tables->is_space);
    return TEXT_OK;
}

static int32_t text_isprintable(bool *out, const struct abi_text *text)
{
    *out = !text->len || all_are(text, text_tables->is_printable);
    return TEXT_OK;
}

static int32_t text_isidentifier(bool *out, const struct abi_text *text)
{
    *out = text->len &&
           (text->data[0] == '_' || text_tables->is_name_start(text->data[0]));
    for (int64_t i = 1; *out && i < text->len; i++)
        *out = text_tables->is_name_part(text->data[i]);
    return TEXT_OK;
}

// Some letters have case, and all of those are as `is` says, none as `is_not` does.
static bool has_case(
        const struct abi_text *text, int (*is)(uint32_t c), int (*is_not)(uint32_t c))
{
    bool is_so = false;
    for (int64_t i = 0; i < text->len; i++) {
        uint32_t c = text->data[i];
        if (is_not(c) || text_tables->is_title(c))
            return false;
        is_so = is_so || is(c);
    }
    return is_so;
}

static int32_t text_islower(bool *out, const struct abi_text *text)
{
    *out = has_case(text, text_tables->is_lower, text_tables->is_upper);
    return TEXT_OK;
}

static int32_t text_isupper(bool *out, const struct abi_text *text)
{
    *out = has_case(text, text_tables->is_upper, text_tables->is_lower);
    return TEXT_OK;
}

static int32_t text_istitle(bool *out, const struct abi_text *text)
{
    bool is_inside = false, has_word = false;
    *out = false;
    for (int64_t i = 0; i < text->len; i++) {
        uint32_t c = text->data[i];
        if (text_tables->is_upper(c) || text_tables->is_title(c)) {
            if (is_inside)
                return TEXT_OK;
            is_inside = has_word = true;
        } else if (text_tables->is_lower(c)) {
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
    while (i >= 0 && text_tables->is_case_ignorable(text->data[i]))
        i--;
    if (i < 0 || !text_tables->is_cased(text->data[i]))
        return false;
    for (i = at + 1; i < text->len && text_tables->is_case_ignorable(text->data[i]);)
        i++;
    return i == text->len || !text_tables->is_cased(text->data[i]);
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
        count = text_tables->to_lower(c, mapped);
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
        add_mapped(&builder, text->data[i], text_tables->to_upper);
    return text_builder_take(&builder, out);
}

static int32_t text_casefold(struct abi_text *out, const struct abi_text *text)
{
    struct text_builder builder = {0};
    for (int64_t i = 0; i < text->len; i++)
        add_mapped(&builder, text->data[i], text_tables->to_folded);
    return text_builder_take(&builder, out);
}

static int32_t text_capitalize(struct abi_text *out, const struct abi_text *text)
{
    struct text_builder builder = {0};
    for (int64_t i = 0; i < text->len; i++) {
        if (i == 0)
            add_mapped(&builder, text->data[i], text_tables->to_title);
        else
            add_lower(&builder, text, i);
    }
    return text_builder_take(&builder, out);
}

static int32_t text_swapcase(struct abi_text *out, const struct abi_text *text)
{
    struct text_builder builder = {0};
    for (int64_t i = 0; i < text->len; i++) {
        if (text_tables->is_upper(text->data[i]))
            add_lower(&builder, text, i);
        else if (text_tables->is_lower(text->data[i]))
            add_mapped(&builder, text->data[i], text_tables->to_upper);
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
            add_mapped(&builder, text->data[i], text_tables->to_title);
        is_inside = text_tables->is_cased(text->data[i]);
    }
    return text_builder_take(&builder, out);
}

const struct text_symbol text_case_symbols[] = {
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

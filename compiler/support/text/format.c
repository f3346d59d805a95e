// SPDX-License-Identifier: MIT
// format(): Python's format specifications for integers, floats, complex numbers, text.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/support/text/text.h"

struct format_spec {
    uint32_t fill, type;     // type 0: none given
    char align, sign, group; // 0: none given
    bool is_alternate, is_positive_zero, has_fill;
    int64_t width, precision; // -1: none given
};

static bool is_align(uint32_t c)
{
    return c == '<' || c == '>' || c == '=' || c == '^';
}

// A decimal number; -1: there is none, -2: it is too large.
static int64_t read_number(const struct abi_text *text, int64_t *at)
{
    int64_t number = -1;
    for (; *at < text->len && text->data[*at] - '0' < 10; ++*at) {
        number = (number < 0 ? 0 : number) * 10 + (text->data[*at] - '0');
        if (number > INT64_MAX / 20)
            return -2;
    }
    return number;
}

static int32_t too_many_digits(void)
{
    return support_raise("ValueError", "Too many decimal digits in format string");
}

static bool take(const struct abi_text *text, int64_t *at, uint32_t c)
{
    bool is_there = *at < text->len && text->data[*at] == c;
    *at += is_there;
    return is_there;
}

static void read_flags(
        struct format_spec *spec, const struct abi_text *text, int64_t *at, char align)
{
    bool has_align = true;
    *spec = (struct format_spec){
            .fill = ' ', .align = align, .width = -1, .precision = -1};
    if (text->len >= 2 && is_align(text->data[1])) {
        spec->fill = text->data[0];
        spec->align = (char)text->data[1];
        spec->has_fill = true;
        *at = 2;
    } else if (text->len >= 1 && is_align(text->data[0])) {
        spec->align = (char)text->data[0];
        *at = 1;
    } else {
        has_align = false;
    }
    if (*at < text->len &&
            (text->data[*at] == '+' || text->data[*at] == '-' || text->data[*at] == ' '))
        spec->sign = (char)text->data[(*at)++];
    spec->is_positive_zero = take(text, at, 'z');
    spec->is_alternate = take(text, at, '#');
    if (!spec->has_fill && take(text, at, '0')) {
        spec->fill = '0';
        if (!has_align && align == '>')
            spec->align = '=';
    }
}

static int32_t read_group(
        struct format_spec *spec, const struct abi_text *text, int64_t *at)
{
    if (take(text, at, ','))
        spec->group = ',';
    if (take(text, at, '_')) {
        if (spec->group)
            return support_raise("ValueError", "Cannot specify both ',' and '_'.");
        spec->group = '_';
    }
    if (*at < text->len && text->data[*at] == ',' && spec->group == '_')
        return support_raise("ValueError", "Cannot specify both ',' and '_'.");
    return TEXT_OK;
}

static int32_t check_group(const struct format_spec *spec)
{
    if (!spec->group || !spec->type ||
            (spec->type < 128 && strchr("defgEG%F", (int)spec->type)))
        return TEXT_OK;
    if (spec->group == '_' && spec->type < 128 && strchr("boxX", (int)spec->type))
        return TEXT_OK;
    return support_raise("ValueError", "Cannot specify '%c' with '%c'.", spec->group,
            (int)(spec->type < 128 ? spec->type : '?'));
}

static int32_t invalid_spec(const struct abi_text *text, const char *class_name)
{
    struct str utf8 = {0};
    text_append_utf8(&utf8, text->data, text->len);
    int32_t status = support_raise("ValueError",
            "Invalid format specifier '%s' for object of type '%s'", str_text(&utf8),
            class_name);
    str_finish(&utf8);
    return status;
}

static int32_t read_spec(struct format_spec *spec, const struct abi_text *text,
        char align, const char *class_name)
{
    int64_t at = 0;
    read_flags(spec, text, &at, align);
    spec->width = read_number(text, &at);
    if (spec->width == -2)
        return too_many_digits();
    int32_t status = read_group(spec, text, &at);
    if (status != TEXT_OK)
        return status;
    if (take(text, &at, '.')) {
        spec->precision = read_number(text, &at);
        if (spec->precision == -2)
            return too_many_digits();
        if (spec->precision < 0)
            return support_raise("ValueError", "Format specifier missing precision");
    }
    if (text->len - at > 1)
        return invalid_spec(text, class_name);
    if (at < text->len)
        spec->type = text->data[at];
    return check_group(spec);
}

static int32_t unknown_type(const struct format_spec *spec, const char *class_name)
{
    struct str type = {0};
    if (spec->type > 32 && spec->type < 128)
        str_append_char(&type, (char)spec->type);
    else
        str_printf(&type, "\\x%x", spec->type);
    int32_t status = support_raise("ValueError",
            "Unknown format code '%s' for object of type '%s'", str_text(&type),
            class_name);
    str_finish(&type);
    return status;
}

// --- Putting a number together

struct number_parts {
    char sign; // 0: none
    const char *prefix;
    const char *digits; // of the integer part
    size_t digit_count;
    const char *rest;
};

static void repeat(struct text_builder *builder, uint32_t c, int64_t count)
{
    for (int64_t i = 0; i < count && !builder->failed; i++)
        text_builder_add(builder, c);
}

static void add_ascii(struct text_builder *builder, const char *text)
{
    for (; *text; text++)
        text_builder_add(builder, (unsigned char)*text);
}

static int group_size(const struct format_spec *spec)
{
    return !spec->group                                                        ? 0
           : spec->type && spec->type < 128 && strchr("boxX", (int)spec->type) ? 4
                                                                               : 3;
}

static int64_t grouped_length(int64_t digits, int size)
{
    return size && digits ? digits + (digits - 1) / size : digits;
}

// Leading zeros up to `least` characters, and the separators.
static void add_grouped(struct text_builder *builder, const struct format_spec *spec,
        const struct number_parts *parts, int64_t least)
{
    int size = group_size(spec);
    int64_t count = (int64_t)parts->digit_count;
    bool has_digits = count && parts->digits[0] >= '0' && parts->digits[0] <= '9';
    bool is_hex = spec->type == 'x' || spec->type == 'X';
    if (!has_digits && !is_hex)
        size = 0; // inf and nan
    while (grouped_length(count, size) < least)
        count++;
    for (int64_t i = 0; i < count; i++) {
        if (i && size && (count - i) % size == 0)
            text_builder_add(builder, (uint32_t)spec->group);
        int64_t zeros = count - (int64_t)parts->digit_count;
        text_builder_add(
                builder, i < zeros ? '0' : (unsigned char)parts->digits[i - zeros]);
    }
}

static void add_number(struct text_builder *builder, const struct format_spec *spec,
        const struct number_parts *parts)
{
    int64_t around = (parts->sign != 0) + (int64_t)strlen(parts->prefix) +
                     (int64_t)strlen(parts->rest);
    bool fills_zeros = spec->align == '=' && spec->fill == '0';
    int64_t digits = grouped_length((int64_t)parts->digit_count, group_size(spec));
    int64_t padding = fills_zeros ? 0 : spec->width - around - digits;
    int64_t left = padding < 0          ? 0
                   : spec->align == '^' ? padding / 2
                   : spec->align == '>' ? padding
                                        : 0;
    repeat(builder, spec->fill, left);
    if (parts->sign)
        text_builder_add(builder, (uint32_t)parts->sign);
    add_ascii(builder, parts->prefix);
    if (spec->align == '=')
        repeat(builder, spec->fill, padding);
    add_grouped(builder, spec, parts, fills_zeros ? spec->width - around : 0);
    add_ascii(builder, parts->rest);
    if (spec->align != '=')
        repeat(builder, spec->fill, padding - left);
}

static char sign_of(const struct format_spec *spec, bool is_negative)
{
    return is_negative ? '-' : spec->sign == '+' || spec->sign == ' ' ? spec->sign : 0;
}

// --- Text

static int32_t add_text(struct text_builder *builder, const struct format_spec *spec,
        const uint32_t *data, int64_t len)
{
    if (spec->precision >= 0 && len > spec->precision)
        len = spec->precision;
    int64_t padding = spec->width > len ? spec->width - len : 0;
    int64_t left = spec->align == '>' ? padding : spec->align == '^' ? padding / 2 : 0;
    repeat(builder, spec->fill, left);
    text_builder_append(builder, data, len);
    repeat(builder, spec->fill, padding - left);
    return TEXT_OK;
}

static int32_t text_format_text(
        struct abi_text *out, const struct abi_text *text, const struct abi_text *format)
{
    struct format_spec spec;
    if (!format->len)
        return text_same(out, text);
    int32_t status = read_spec(&spec, format, '<', "str");
    if (status != TEXT_OK)
        return status;
    if (spec.type && spec.type != 's')
        return unknown_type(&spec, "str");
    if (spec.sign)
        return support_raise("ValueError",
                spec.sign == ' ' ? "Space not allowed in string format specifier"
                                 : "Sign not allowed in string format specifier");
    if (spec.is_positive_zero)
        return support_raise("ValueError",
                "Negative zero coercion (z) not allowed in string format specifier");
    if (spec.is_alternate)
        return support_raise("ValueError",
                "Alternate form (#) not allowed in string format specifier");
    if (spec.group)
        return support_raise("ValueError", "Cannot specify '%c' with 's'.", spec.group);
    if (spec.align == '=')
        return support_raise(
                "ValueError", "'=' alignment not allowed in string format specifier");
    struct text_builder builder = {0};
    add_text(&builder, &spec, text->data, text->len);
    return text_builder_take(&builder, out);
}

// --- Floats

// Digits of |number| in form `type` (e, f or g) as ASCII in `out`.
static void float_digits(struct str *out, double number, const struct format_spec *spec,
        char type, int64_t precision, bool keeps_point_zero)
{
    char format[16];
    if (type != 'g') {
        snprintf(format, sizeof format, spec->is_alternate ? "%%#.*%c" : "%%.*%c", type);
        char few[400], *text = few;
        int len = snprintf(few, sizeof few, format, (int)precision, number);
        if (len >= (int)sizeof few) {
            text = malloc((size_t)len + 1);
            if (text)
                snprintf(text, (size_t)len + 1, format, (int)precision, number);
        }
        str_append(out, text ? text : "");
        if (text != few)
            free(text);
        return;
    }
    precision = precision ? precision : 1;
    struct str digits = {0};
    struct format_spec plain = {0};
    float_digits(&digits, number, &plain, 'e', precision - 1, false);
    char *mark = strchr(digits.text, 'e');
    int64_t exponent = atoi(mark + 1);
    bool is_long = exponent < -4 || exponent >= precision - (keeps_point_zero ? 1 : 0);
    *mark = '\0';
    char *all = digits.text;
    if (all[1])
        memmove(all + 1, all + 2, strlen(all + 2) + 1);
    size_t count = strlen(all);
    while (!spec->is_alternate && count > 1 && all[count - 1] == '0')
        all[--count] = '\0';
    int64_t before = is_long ? 1 : exponent + 1; // digits before the point
    for (int64_t i = before; i < 1 && !is_long; i++)
        str_append(out, i == before ? "0." : "0");
    for (int64_t i = 0; i < (int64_t)count || i < before; i++) {
        if (i == before && before > 0)
            str_append_char(out, '.');
        str_append_char(out, i < (int64_t)count ? all[i] : '0');
    }
    bool has_point = before <= 0 || (int64_t)count > before;
    if (!has_point && spec->is_alternate)
        str_append_char(out, '.');
    else if (!has_point && keeps_point_zero && !is_long)
        str_append(out, ".0");
    if (is_long)
        str_printf(out, "e%c%02d", exponent < 0 ? '-' : '+', abs((int)exponent));
    str_finish(&digits);
}

// Puts a point before the exponent, or at the end.
static void insert_point(struct str *out)
{
    size_t at = strcspn(str_text(out), "e");
    str_append_char(out, '.');
    memmove(out->text + at + 1, out->text + at, out->len - 1 - at);
    out->text[at] = '.';
}

// |number| by the specification; `is_part`: of a complex number, which has no ".0".
static void add_magnitude(struct str *out, double number, bool is_single,
        const struct format_spec *spec, bool is_part)
{
    if (isnan(number) || isinf(number)) {
        str_append(out, isnan(number) ? "nan" : "inf");
    } else if (!spec->type && spec->precision < 0) {
        text_add_float(out, number, is_single);
        if (is_part && str_ends_with(str_text(out), ".0"))
            out->text[out->len -= 2] = '\0';
        if (spec->is_alternate && !strchr(str_text(out), '.'))
            insert_point(out);
    } else {
        char type = spec->type == '%'                  ? 'f'
                    : !spec->type || spec->type == 'n' ? 'g'
                                                       : (char)(spec->type | 32);
        int64_t precision = spec->precision < 0 ? 6 : spec->precision;
        float_digits(out, number, spec, type, precision, !spec->type && !is_part);
    }
    if (spec->type == '%')
        str_append_char(out, '%');
    bool is_capital = spec->type == 'E' || spec->type == 'F' || spec->type == 'G';
    for (size_t i = 0; is_capital && i < out->len; i++)
        if (out->text[i] >= 'a' && out->text[i] <= 'z')
            out->text[i] = (char)(out->text[i] - 32);
}

static bool is_all_zero(const char *text)
{
    return text[strspn(text, "0.")] == '\0' || strchr("eE%", text[strspn(text, "0.")]);
}

static void add_real(struct text_builder *builder, double number, bool is_single,
        const struct format_spec *spec, bool is_part)
{
    struct str body = {0};
    if (spec->type == '%')
        number *= 100;
    bool is_negative = signbit(number) && !isnan(number);
    add_magnitude(&body, fabs(number), is_single, spec, is_part);
    if (is_negative && spec->is_positive_zero && is_all_zero(str_text(&body)))
        is_negative = false;
    struct number_parts parts = {.sign = sign_of(spec, is_negative), .prefix = ""};
    parts.digits = str_text(&body);
    parts.digit_count = strspn(parts.digits, "0123456789");
    if (!parts.digit_count) // inf, nan
        parts.digit_count = strspn(parts.digits, "infatINFAT");
    parts.rest = parts.digits + parts.digit_count;
    add_number(builder, spec, &parts);
    str_finish(&body);
}

static int32_t format_real(struct abi_text *out, double number, bool is_single,
        const struct format_spec *spec, const char *class_name)
{
    if (spec->type && (spec->type > 127 || !strchr("eEfFgGn%", (int)spec->type)))
        return unknown_type(spec, class_name);
    if (spec->precision > INT32_MAX)
        return support_raise("ValueError", "precision too big");
    struct text_builder builder = {0};
    add_real(&builder, number, is_single, spec, false);
    return text_builder_take(&builder, out);
}

static int32_t text_format_float(struct abi_text *out, double number, int32_t is_single,
        const struct abi_text *format)
{
    struct format_spec spec;
    int32_t status = read_spec(&spec, format, '>', "float");
    return status == TEXT_OK ? format_real(out, number, is_single, &spec, "float")
                             : status;
}

static int32_t text_format_complex(struct abi_text *out, double real, double imag,
        int32_t is_single, const struct abi_text *format)
{
    struct format_spec spec;
    int32_t status = read_spec(&spec, format, '>', "complex");
    if (status != TEXT_OK)
        return status;
    if (spec.type && (spec.type > 127 || !strchr("eEfFgGn", (int)spec.type)))
        return unknown_type(&spec, "complex");
    if (spec.fill == '0')
        return support_raise(
                "ValueError", "Zero padding is not allowed in complex format specifier");
    if (spec.align == '=')
        return support_raise("ValueError",
                "'=' alignment flag is not allowed in complex format specifier");
    struct format_spec part = spec;
    part.width = -1;
    bool has_parentheses = !spec.type, has_real = spec.type || real != 0 || signbit(real);
    struct text_builder builder = {0};
    if (has_parentheses && has_real)
        text_builder_add(&builder, '(');
    if (has_real)
        add_real(&builder, real, is_single, &part, true);
    part.sign = has_real ? '+' : spec.sign;
    add_real(&builder, imag, is_single, &part, true);
    text_builder_add(&builder, 'j');
    if (has_parentheses && has_real)
        text_builder_add(&builder, ')');
    struct text_builder padded = {0};
    spec.precision = -1;
    add_text(&padded, &spec, builder.data, builder.len);
    padded.failed = padded.failed || builder.failed;
    free(builder.data);
    return text_builder_take(&padded, out);
}

// --- Integers

static int32_t check_integer(const struct format_spec *spec, const char *class_name)
{
    if (spec->type && (spec->type > 127 || !strchr("dnboxXc", (int)spec->type)))
        return unknown_type(spec, class_name);
    if (spec->precision >= 0)
        return support_raise(
                "ValueError", "Precision not allowed in integer format specifier");
    if (spec->is_positive_zero)
        return support_raise("ValueError",
                "Negative zero coercion (z) not allowed in integer format specifier");
    if (spec->type == 'c' && spec->sign)
        return support_raise(
                "ValueError", "Sign not allowed with integer format specifier 'c'");
    if (spec->type == 'c' && spec->is_alternate)
        return support_raise("ValueError",
                "Alternate form (#) not allowed with integer format specifier 'c'");
    return TEXT_OK;
}

static const char *digits_of(uint64_t magnitude, uint32_t type, char *end)
{
    unsigned base = type == 'b' ? 2 : type == 'o' ? 8 : (type | 32) == 'x' ? 16 : 10;
    const char *digits = type == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    *end = '\0';
    do {
        *--end = digits[magnitude % base];
        magnitude /= base;
    } while (magnitude);
    return end;
}

static int32_t format_character(struct abi_text *out, const struct format_spec *spec,
        bool is_negative, uint64_t code)
{
    if (is_negative || code > 0x10FFFF)
        return support_raise("OverflowError", "%%c arg not in range(0x110000)");
    struct text_builder builder = {0};
    uint32_t c = (uint32_t)code;
    add_text(&builder, spec, &c, 1);
    return text_builder_take(&builder, out);
}

static int32_t format_integer(struct abi_text *out, bool is_negative, uint64_t magnitude,
        const struct abi_text *format, const char *class_name)
{
    struct format_spec spec;
    int32_t status = read_spec(&spec, format, '>', class_name);
    if (status != TEXT_OK)
        return status;
    if (spec.type && spec.type < 128 && strchr("eEfFgG%", (int)spec.type))
        return format_real(out, is_negative ? -(double)magnitude : (double)magnitude,
                false, &spec, class_name);
    status = check_integer(&spec, class_name);
    if (status != TEXT_OK)
        return status;
    if (spec.type == 'c')
        return format_character(out, &spec, is_negative, magnitude);
    char digits[72], prefix[3] = {'0', (char)spec.type, '\0'};
    bool has_prefix = spec.is_alternate && spec.type && strchr("boxX", (int)spec.type);
    struct number_parts parts = {.sign = sign_of(&spec, is_negative),
            .prefix = has_prefix ? prefix : "",
            .rest = ""};
    parts.digits = digits_of(magnitude, spec.type, digits + sizeof digits - 1);
    parts.digit_count = strlen(parts.digits);
    struct text_builder builder = {0};
    add_number(&builder, &spec, &parts);
    return text_builder_take(&builder, out);
}

// As str() has it.
static int32_t plain_integer(struct abi_text *out, bool is_negative, uint64_t magnitude)
{
    char text[TEXT_INTEGER_MAX], *end = text + sizeof text;
    const char *digits = text_put_integer(end, is_negative, magnitude);
    return text_from_ascii(out, digits, (size_t)(end - digits));
}

static int32_t text_format_int(
        struct abi_text *out, int64_t number, const struct abi_text *format)
{
    bool is_negative = number < 0;
    uint64_t magnitude = is_negative ? 0 - (uint64_t)number : (uint64_t)number;
    return format->len ? format_integer(out, is_negative, magnitude, format, "int")
                       : plain_integer(out, is_negative, magnitude);
}

static int32_t text_format_uint(
        struct abi_text *out, uint64_t number, const struct abi_text *format)
{
    return format->len ? format_integer(out, false, number, format, "int")
                       : plain_integer(out, false, number);
}

static int32_t text_format_bool(
        struct abi_text *out, int32_t truth, const struct abi_text *format)
{
    if (!format->len)
        return text_from_ascii(out, truth ? "True" : "False", truth ? 4 : 5);
    return format_integer(out, false, (uint64_t)truth, format, "bool");
}

const struct support_symbol text_format_symbols[] = {
        SUPPORT_FUNCTION(text_format_text),
        SUPPORT_FUNCTION(text_format_float),
        SUPPORT_FUNCTION(text_format_complex),
        SUPPORT_FUNCTION(text_format_int),
        SUPPORT_FUNCTION(text_format_uint),
        SUPPORT_FUNCTION(text_format_bool),
        {0},
};

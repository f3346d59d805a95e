// SPDX-License-Identifier: MIT
// Numbers as text and text as numbers: what repr(), int() and float() do.
#include "compiler/support/text/text.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- The shortest digits

// Decimal points and their like are C's, whatever locale the program has set.
static locale_t plain_locale;

static void make_locale(void)
{
    plain_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

static double read_real(const char *digits, bool is_single)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_locale);
    return is_single ? (double)strtof_l(digits, NULL, plain_locale)
                     : strtod_l(digits, NULL, plain_locale);
}

double text_read_float(const char *digits)
{
    return read_real(digits, false);
}

// "d.ddde+xx" one unit in the last place away from zero.
static void next_digits(char *digits)
{
    char *at = strchr(digits, 'e') - 1;
    for (; at >= digits; at--) {
        if (*at == '.')
            continue;
        if (*at != '9') {
            ++*at;
            return;
        }
        *at = '0';
    }
}

static void print_digits(double number, int precision, char *digits, size_t size)
{
    snprintf(digits, size, "%.*e", precision, number);
    char *point = strchr(digits, ',');
    if (point)
        *point = '.';
}

// Without the zeros before the exponent; returns the precision that is left.
static int strip_zeros(char *digits, int precision)
{
    char *mark = strchr(digits, 'e'), *end = mark;
    while (precision > 0 && end[-1] == '0') {
        end--;
        precision--;
    }
    if (!precision && end[-1] == '.')
        end--;
    memmove(end, mark, strlen(mark) + 1);
    return precision;
}

// The fewest digits, as "d.ddde+xx", that read back as the same positive number; of
// several such, those nearest to it. So many digits as the type keeps always read back as
// themselves: where they suffice, none but zeros can be left out.
static int shortest_digits(double number, bool is_single, char *digits, size_t size)
{
    int kept = is_single ? 5 : 14, most = is_single ? 8 : 16;
    if (number < (is_single ? (double)FLT_MIN : DBL_MIN))
        kept = 0; // of subnormal numbers there are fewer digits
    for (int precision = kept;; precision++) {
        print_digits(number, precision, digits, size);
        if (precision >= most || read_real(digits, is_single) == number)
            return strip_zeros(digits, precision);
        // above a power of two the gap is wider than below: the digits rounded down may
        // fail where the next ones do not
        char above[64];
        snprintf(above, sizeof above, "%s", digits);
        next_digits(above);
        if (above[0] != '0' && read_real(above, is_single) == number) {
            snprintf(digits, size, "%s", above);
            return strip_zeros(digits, precision);
        }
    }
}

static void add_digits(struct str *out, const char *digits, int precision, int exponent)
{
    char all[64];
    all[0] = digits[0];
    memcpy(all + 1, digits + 2, (size_t)precision);
    int count = precision + 1;
    for (int i = exponent; i < 0; i++)
        str_append(out, i == exponent ? "0." : "0");
    for (int i = 0; i < count || i <= exponent; i++) {
        if (i == exponent + 1 && exponent >= 0)
            str_append_char(out, '.');
        str_append_char(out, i < count ? all[i] : '0');
    }
}

// `suffix` follows a number that looks like an integer.
static void add_shortest(
        struct str *out, double number, bool is_single, const char *suffix)
{
    if (isnan(number) || isinf(number)) {
        str_append(out, isnan(number) ? "nan" : number < 0 ? "-inf" : "inf");
        return;
    }
    if (signbit(number))
        str_append_char(out, '-');
    number = fabs(number);
    if (number < (is_single ? 16777216.0 : 1e15) && number == floor(number)) {
        str_printf(out, "%lld%s", (long long)number, suffix);
        return;
    }
    char digits[64];
    int precision = shortest_digits(number, is_single, digits, sizeof digits);
    int exponent = atoi(strchr(digits, 'e') + 1);
    if (exponent < -4 || exponent >= 16) {
        *strchr(digits, 'e') = '\0';
        str_printf(out, "%se%c%02d", digits, exponent < 0 ? '-' : '+', abs(exponent));
        return;
    }
    add_digits(out, digits, precision, exponent);
    if (precision <= exponent)
        str_append(out, suffix);
}

char *text_put_integer(char *end, bool is_negative, uint64_t magnitude)
{
    do {
        *--end = (char)('0' + magnitude % 10);
        magnitude /= 10;
    } while (magnitude);
    if (is_negative)
        *--end = '-';
    return end;
}

void text_add_float(struct str *out, double number, bool is_single)
{
    add_shortest(out, number, is_single, ".0");
}

// The nearest float16 to a positive number.
static double round_to_half(double number)
{
    int exponent;
    frexp(number, &exponent);
    double step = ldexp(1, (exponent < -13 ? -13 : exponent) - 11);
    return rint(number / step) * step;
}

// The fewest digits that read back as the same float16.
void text_add_half(struct str *out, double number)
{
    double shown = fabs(number);
    for (int precision = 0; precision < 5 && isfinite(number); precision++) {
        char digits[64];
        print_digits(fabs(number), precision, digits, sizeof digits);
        shown = text_read_float(digits);
        if (round_to_half(shown) == fabs(number))
            break;
    }
    text_add_float(out, copysign(shown, number), false);
}

void text_add_complex(struct str *out, double real, double imag, bool is_single)
{
    bool has_real = real != 0 || signbit(real);
    if (has_real) {
        str_append_char(out, '(');
        add_shortest(out, real, is_single, "");
        if (!signbit(imag) || isnan(imag))
            str_append_char(out, '+');
    }
    add_shortest(out, imag, is_single, "");
    str_append(out, has_real ? "j)" : "j");
}

// --- repr() of text

static void add_escaped(struct str *out, uint32_t c)
{
    static const char plain[] = "\\\n\r\t", letters[] = "\\nrt";
    const char *found = c && c < 128 ? strchr(plain, (int)c) : NULL;
    if (found)
        str_printf(out, "\\%c", letters[found - plain]);
    else
        str_printf(out, c < 0x100 ? "\\x%02x" : c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
}

// The one that the text does not contain, where there is one.
static char quote_for(const uint32_t *data, int64_t len)
{
    bool has_single = false, has_double = false;
    for (int64_t i = 0; i < len; i++) {
        has_single = has_single || data[i] == '\'';
        has_double = has_double || data[i] == '"';
    }
    return has_single && !has_double ? '"' : '\'';
}

void text_add_repr(struct str *out, const uint32_t *data, int64_t len)
{
    char quote = quote_for(data, len);
    str_append_char(out, quote);
    for (int64_t i = 0; i < len; i++) {
        uint32_t c = data[i];
        if (c == (uint32_t)quote) {
            str_append_char(out, '\\');
            str_append_char(out, quote);
        } else if (c == '\\' || !host_hooks.characters->is_printable(c)) {
            add_escaped(out, c);
        } else {
            text_append_utf8(out, &c, 1);
        }
    }
    str_append_char(out, quote);
}

// The repr of bytes, which lie in `data` one to a character.
void text_add_bytes(struct str *out, const uint32_t *data, int64_t len)
{
    char quote = quote_for(data, len);
    str_printf(out, "b%c", quote);
    for (int64_t i = 0; i < len; i++) {
        uint32_t c = data[i];
        if (c == (uint32_t)quote)
            str_printf(out, "\\%c", quote);
        else if (c == '\\' || c < 32 || c > 126)
            add_escaped(out, c);
        else
            str_append_char(out, (char)c);
    }
    str_append_char(out, quote);
}

// --- Reading numbers

// The text without blanks around it, decimal digits of all scripts as ASCII; other
// characters beyond ASCII become '?'.
static char *plain_text(const struct abi_text *text)
{
    int64_t start = 0, stop = text->len;
    while (start < stop && host_hooks.characters->is_space(text->data[start]))
        start++;
    while (stop > start && host_hooks.characters->is_space(text->data[stop - 1]))
        stop--;
    char *plain = malloc((size_t)(stop - start) + 1);
    for (int64_t i = start; plain && i < stop; i++) {
        uint32_t c = text->data[i];
        int digit = c < 128 ? -1 : host_hooks.characters->decimal_value(c);
        plain[i - start] = digit >= 0     ? (char)('0' + digit)
                           : c && c < 128 ? (char)c
                                          : '?';
    }
    if (plain)
        plain[stop - start] = '\0';
    return plain;
}

static int32_t bad_number(const char *what, const struct abi_text *text)
{
    struct str repr = {0};
    text_add_repr(&repr, text->data, text->len);
    int32_t status = support_raise("ValueError", "%s%s", what, str_text(&repr));
    str_finish(&repr);
    return status;
}

static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 32;
    return c >= 'a' && c <= 'z' ? c - 'a' + 10 : 99;
}

// Skips 0x and its like where they fit the base; base 0 is found out.
static const char *skip_prefix(const char *at, int64_t *base)
{
    int64_t named = 0;
    if (at[0] == '0' && at[1]) {
        char letter = (char)(at[1] | 32);
        named = letter == 'x' ? 16 : letter == 'o' ? 8 : letter == 'b' ? 2 : 0;
    }
    if (named && (*base == 0 || *base == named)) {
        *base = named;
        at += 2;
        return *at == '_' ? at + 1 : at;
    }
    return at;
}

// Digits with single underscores between them; false where there is anything else.
static bool read_digits(
        const char *at, int64_t base, unsigned __int128 *out, bool *overflow)
{
    *out = 0;
    if (!*at || *at == '_')
        return false;
    for (; *at; at++) {
        if (*at == '_' && at[1] && at[1] != '_')
            continue;
        int digit = digit_value(*at);
        if (digit >= base)
            return false;
        *out = *out * (unsigned)base + (unsigned)digit;
        *overflow = *overflow || *out > (unsigned __int128)1 << 64;
        if (*overflow)
            *out = 0;
    }
    return true;
}

static bool is_all_zeros(const char *at)
{
    return at[strspn(at, "0_")] == '\0';
}

static int32_t text_to_int(int64_t *out, const struct abi_text *text, int64_t base)
{
    if (base != 0 && (base < 2 || base > 36))
        return support_raise("ValueError", "int() base must be >= 2 and <= 36, or 0");
    char *plain = plain_text(text);
    if (!plain)
        return TEXT_NO_MEMORY;
    const char *at = plain;
    int64_t asked = base;
    bool is_negative = *at == '-', overflow = false;
    at += *at == '-' || *at == '+';
    const char *digits = skip_prefix(at, &base);
    bool is_good = base != 0 || *digits != '0' || is_all_zeros(digits);
    unsigned __int128 value = 0;
    is_good = is_good && read_digits(digits, base ? base : 10, &value, &overflow);
    free(plain);
    if (!is_good) {
        char what[64];
        snprintf(what, sizeof what,
                "invalid literal for int() with base %lld: ", (long long)asked);
        return bad_number(what, text);
    }
    if (overflow || value > (unsigned __int128)INT64_MAX + is_negative)
        return support_raise(
                "OverflowError", "int too large: it does not fit in 64 bits");
    *out = (int64_t)(is_negative ? 0 - (uint64_t)value : (uint64_t)value);
    return TEXT_OK;
}

// Removes the underscores between digits; false where one stands elsewhere.
static bool drop_underscores(char *text)
{
    char *to = text;
    for (char *at = text; *at; at++) {
        bool is_between =
                at > text && digit_value(at[-1]) < 10 && digit_value(at[1]) < 10;
        if (*at == '_' && !is_between)
            return false;
        if (*at != '_')
            *to++ = *at;
    }
    *to = '\0';
    return true;
}

static const char *skip_digits(const char *at)
{
    return at + strspn(at, "0123456789");
}

// Python's grammar of a float: C's is wider (hexadecimal digits, nan with a payload).
static bool is_float(const char *at)
{
    at += *at == '-' || *at == '+';
    char word[12] = "";
    size_t len = strlen(at);
    for (size_t i = 0; i < len && i + 1 < sizeof word; i++)
        word[i] = (char)(at[i] | 32);
    if (!strcmp(word, "inf") || !strcmp(word, "infinity") || !strcmp(word, "nan"))
        return len <= 8;
    const char *end = skip_digits(at);
    bool has_digits = end != at;
    if (*end == '.') {
        const char *after = skip_digits(end + 1);
        has_digits = has_digits || after != end + 1;
        end = after;
    }
    if (has_digits && (*end | 32) == 'e') {
        end++;
        end += *end == '-' || *end == '+';
        const char *exponent = end;
        end = skip_digits(end);
        has_digits = end != exponent;
    }
    return has_digits && !*end;
}

bool text_constant_float(const char *text, size_t len, double *value)
{
    while (len && strchr(" \t\n\r\f\v", *text))
        text++, len--;
    while (len && strchr(" \t\n\r\f\v", text[len - 1]))
        len--;
    char *plain = strndup(text, len);
    bool is_good = plain && drop_underscores(plain) && is_float(plain);
    if (is_good)
        *value = read_real(plain, false);
    free(plain);
    return is_good;
}

static int32_t text_to_float(double *out, const struct abi_text *text)
{
    char *plain = plain_text(text);
    if (!plain)
        return TEXT_NO_MEMORY;
    bool is_good = drop_underscores(plain) && is_float(plain);
    if (is_good)
        *out = read_real(plain, false);
    free(plain);
    return is_good ? TEXT_OK : bad_number("could not convert string to float: ", text);
}

// Scaling is exact but near a tie: there the decimal digits decide, as in Python.
static int32_t round_digits(double *out, double number, int64_t digits)
{
    *out = number;
    if (!isfinite(number) || digits > 330)
        return TEXT_OK;
    if (digits < -308) {
        *out = copysign(0, number);
        return TEXT_OK;
    }
    double power = pow(10, (double)llabs(digits));
    double scaled = digits < 0 ? number / power : number * power;
    double distance = fabs(fabs(scaled - trunc(scaled)) - 0.5);
    if (llabs(digits) <= 22 && fabs(scaled) < 4503599627370496.0 && distance > 1e-3) {
        double whole = rint(scaled);
        *out = digits < 0 ? whole * power : whole / power;
        return TEXT_OK;
    }
    char text[700];
    if (digits >= 0) {
        snprintf(text, sizeof text, "%.*f", (int)digits, number);
        *out = text_read_float(text);
        return TEXT_OK;
    }
    // to tens: of the exact value, which all its digits tell
    snprintf(text, sizeof text, "%.0f", fabs(trunc(number)));
    double unit = pow(10, (double)-digits), whole = floor(fabs(number) / unit);
    double below = whole * unit, above = (whole + 1) * unit, size = fabs(number);
    bool is_up = size - below > above - size ||
                 (size - below == above - size && fmod(whole, 2) != 0);
    *out = copysign(is_up ? above : below, number);
    return isfinite(*out) ? TEXT_OK
                          : support_raise("OverflowError",
                                    "rounded value too large to represent");
}

const struct support_symbol text_number_symbols[] = {
        SUPPORT_FUNCTION(text_to_int),
        SUPPORT_FUNCTION(text_to_float),
        SUPPORT_FUNCTION(round_digits),
        {0},
};

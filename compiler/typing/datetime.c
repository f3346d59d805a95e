// SPDX-License-Identifier: MIT
// Units of NumPy's dates and spans: their types, what converts exactly, dates as text.
#include "compiler/typing/datetime.h"

#include <string.h>

static const char *const unit_names[] = {
        "Y", "M", "W", NULL, "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as", ""};
// How many of the next finer unit one is; 0: that depends on the date.
static const int64_t steps[] = {
        12, 0, 7, 0, 24, 60, 60, 1000, 1000, 1000, 1000, 1000, 1000};

const char *time_unit_name(enum time_unit unit)
{
    return unit_names[unit];
}

enum time_unit time_unit_named(const char *name, size_t len)
{
    for (int unit = TIME_YEAR; unit < TIME_GENERIC; unit++)
        if (unit_names[unit] && strlen(unit_names[unit]) == len &&
                !memcmp(unit_names[unit], name, len))
            return (enum time_unit)unit;
    return !len || (len == 7 && !memcmp(name, "generic", 7)) ? TIME_GENERIC
                                                             : TIME_NO_UNIT;
}

const struct type *type_time(int unit, bool is_delta)
{
    struct str name = {0};
    str_printf(&name, "%s[%s]", is_delta ? "timedelta64" : "datetime64",
            time_unit_name((enum time_unit)unit));
    return type_intern_named(&(struct type){.kind = TYPE_TIME,
                                     .bits = 64,
                                     .element = type_int64,
                                     .time = {unit, is_delta}},
            &name);
}

bool type_is_item(const struct type *type)
{
    return type_is_number(type) || type->kind == TYPE_TIME || type->kind == TYPE_BFLOAT;
}

const struct type *time_type_named(const char *name)
{
    static const char *const kinds[] = {"M8", "datetime64", "m8", "timedelta64"};
    for (size_t i = 0; i < 4; i++) {
        size_t len = strlen(kinds[i]), whole = strlen(name);
        if (strncmp(name, kinds[i], len) != 0)
            continue;
        if (whole == len)
            return type_time(TIME_GENERIC, i > 1);
        if (name[len] != '[' || name[whole - 1] != ']')
            continue;
        enum time_unit unit = time_unit_named(name + len + 1, whole - len - 2);
        return unit == TIME_NO_UNIT ? NULL : type_time((int)unit, i > 1);
    }
    return NULL;
}

static bool is_calendar(enum time_unit unit)
{
    return unit == TIME_YEAR || unit == TIME_MONTH;
}

int64_t time_factor(enum time_unit from, enum time_unit to)
{
    if (from == to || from == TIME_GENERIC)
        return 1;
    if (to == TIME_GENERIC || from > to)
        return 0;
    int64_t factor = 1;
    for (int unit = (int)from; unit < (int)to; unit = unit == TIME_WEEK ? 4 : unit + 1)
        if (!steps[unit] || __builtin_mul_overflow(factor, steps[unit], &factor))
            return 0;
    return factor;
}

static enum time_unit unit_of(const struct type *type)
{
    return (enum time_unit)type->time.unit;
}

bool time_converts(const struct type *from, const struct type *to)
{
    enum time_unit a = unit_of(from), b = unit_of(to);
    if (from->time.is_delta != to->time.is_delta)
        return false;
    if (time_factor(a, b))
        return true;
    return !from->time.is_delta && is_calendar(a) && b != TIME_WEEK &&
           time_factor(TIME_DAY, b);
}

const struct type *time_unify(const struct type *a, const struct type *b)
{
    enum time_unit first = unit_of(a), second = unit_of(b);
    if (first == TIME_GENERIC || (second != TIME_GENERIC && second > first)) {
        enum time_unit swap = first;
        first = second;
        second = swap;
    }
    // the first is the finer one now; weeks and months have days in common
    if (first == TIME_WEEK && is_calendar(second))
        first = TIME_DAY;
    const struct type *both = type_time((int)first, a->time.is_delta);
    return time_converts(a, both) && time_converts(b, both) ? both : NULL;
}

// --- Dates as text

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

// Days from 1970 to the first of a month, which is counted from January 1970 on.
static int64_t days_to_month(int64_t months)
{
    int64_t shifted = months + 1970 * 12 - 2; // years that begin with March
    int64_t year = floor_div(shifted, 12), month = shifted - year * 12;
    return year * 365 + floor_div(year, 4) - floor_div(year, 100) + floor_div(year, 400) +
           (153 * month + 2) / 5 - 719468;
}

bool time_count_in(enum time_unit from, int64_t count, enum time_unit to, int64_t *out)
{
    *out = count;
    if (count == TIME_NAT)
        return true;
    if (is_calendar(from) && !is_calendar(to)) {
        if (count < -10000000 || count > 10000000)
            return false;
        count = days_to_month(from == TIME_YEAR ? count * 12 : count);
        from = TIME_DAY;
    }
    int64_t factor = time_factor(from, to);
    return factor && !__builtin_mul_overflow(count, factor, out);
}

struct reader {
    const char *at, *end;
};

static bool skip(struct reader *reader, const char *any)
{
    if (reader->at == reader->end || !strchr(any, *reader->at))
        return false;
    reader->at++;
    return true;
}

// A number of so many digits, in a range.
static bool read_number(
        struct reader *reader, int digits, int64_t least, int64_t most, int64_t *out)
{
    *out = 0;
    for (int i = 0; i < digits; i++) {
        if (reader->at == reader->end || *reader->at < '0' || *reader->at > '9')
            return false;
        *out = *out * 10 + (*reader->at++ - '0');
    }
    return *out >= least && *out <= most;
}

// Up to 18 digits behind the seconds, in groups of three.
static bool read_fraction(struct reader *reader, int64_t *unit, int64_t *count)
{
    int digits = 0;
    for (; digits < 18 && reader->at < reader->end; digits++) {
        int64_t digit;
        if (!read_number(reader, 1, 0, 9, &digit) ||
                __builtin_mul_overflow(*count, 10, count) ||
                __builtin_add_overflow(*count, digit, count))
            return false;
    }
    for (; digits % 3; digits++)
        if (__builtin_mul_overflow(*count, 10, count))
            return false;
    *unit = TIME_SECOND + digits / 3;
    return digits > 0;
}

static bool read_time(struct reader *reader, int64_t *unit, int64_t *count)
{
    int64_t part;
    if (!read_number(reader, 2, 0, 23, &part))
        return false;
    *count = *count * 24 + part;
    *unit = TIME_HOUR;
    for (; *unit < TIME_SECOND && skip(reader, ":"); ++*unit) {
        if (!read_number(reader, 2, 0, 59, &part))
            return false;
        *count = *count * 60 + part;
    }
    if (*unit == TIME_SECOND && skip(reader, "."))
        return read_fraction(reader, unit, count);
    return true;
}

bool time_parse(const char *text, size_t len, enum time_unit *unit, int64_t *count)
{
    struct reader reader = {text, text + len};
    int64_t year, month, day, reached = TIME_YEAR;
    if (!len || (len == 3 && (!memcmp(text, "NaT", 3) || !memcmp(text, "nat", 3)))) {
        *unit = TIME_GENERIC;
        *count = TIME_NAT;
        return true;
    }
    if (!read_number(&reader, 4, 0, 9999, &year))
        return false;
    *count = year - 1970;
    if (skip(&reader, "-")) {
        if (!read_number(&reader, 2, 1, 12, &month))
            return false;
        *count = *count * 12 + month - 1;
        reached = TIME_MONTH;
        if (skip(&reader, "-")) {
            int64_t first = days_to_month(*count), next = days_to_month(*count + 1);
            if (!read_number(&reader, 2, 1, next - first, &day))
                return false;
            *count = first + day - 1;
            reached = TIME_DAY;
            if (skip(&reader, "T ") && !read_time(&reader, &reached, count))
                return false;
        }
    }
    *unit = (enum time_unit)reached;
    return reader.at == reader.end;
}

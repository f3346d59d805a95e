// SPDX-License-Identifier: MIT
// Units of NumPy's dates and spans: their types, what converts exactly, dates as text.
#include "compiler/types/datetime.h"

#include "base/str.h"
#include "compiler/types/kinds.h"

#include <stdio.h>
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

enum time_unit time_step_named(const char *name, size_t len, int *multiple)
{
    const char *unit_name = name, *end = name + len;
    int number = 0;
    for (; name < end && *name >= '0' && *name <= '9' && number < 10000000; name++)
        number = number * 10 + (*name - '0');
    bool has_number = name > unit_name;
    len = (size_t)(end - name);
    *multiple = has_number ? number : 1;
    for (int unit = TIME_YEAR; unit < TIME_GENERIC && *multiple; unit++)
        if (unit_names[unit] && strlen(unit_names[unit]) == len &&
                !memcmp(unit_names[unit], name, len))
            return (enum time_unit)unit;
    bool is_generic = !len || (len == 7 && !memcmp(name, "generic", 7));
    return is_generic && !has_number ? TIME_GENERIC : TIME_NO_UNIT;
}

void time_step_name(const struct type *type, char out[TIME_STEP_NAME])
{
    const char *unit = unit_names[type->time.unit];
    if (type->time.multiple == 1)
        snprintf(out, TIME_STEP_NAME, "%s", unit);
    else
        snprintf(out, TIME_STEP_NAME, "%d%s", type->time.multiple, unit);
}

const struct type *type_time(int unit, int multiple, bool is_delta)
{
    struct str name = {0};
    char step[TIME_STEP_NAME];
    struct type type = {.kind = TYPE_TIME,
            .bits = 64,
            .element = type_int64,
            .time = {unit, multiple, is_delta}};
    time_step_name(&type, step);
    str_printf(&name, "%s[%s]", is_delta ? "timedelta64" : "datetime64", step);
    return type_intern_named(&type, &name);
}

const struct type *time_as(const struct type *type, bool is_delta)
{
    return type_time(type->time.unit, type->time.multiple, is_delta);
}

bool type_is_item(const struct type *type)
{
    return type_traits_of(type)->form == FORM_NUMBER;
}

const struct type *time_type_named(const char *name)
{
    static const char *const kinds[] = {"M8", "datetime64", "m8", "timedelta64"};
    name += strchr("<=|", name[0]) && name[0] ? 1 : 0;
    for (size_t i = 0; i < 4; i++) {
        size_t len = strlen(kinds[i]), whole = strlen(name);
        if (strncmp(name, kinds[i], len) != 0)
            continue;
        if (whole == len)
            return type_time(TIME_GENERIC, 1, i > 1);
        if (name[len] != '[' || name[whole - 1] != ']')
            continue;
        int multiple;
        enum time_unit unit = time_step_named(name + len + 1, whole - len - 2, &multiple);
        return unit == TIME_NO_UNIT ? NULL : type_time((int)unit, multiple, i > 1);
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

static int64_t greatest_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// Days in the mean of the calendar's years, or months: *days over the result.
static int64_t mean_days(enum time_unit unit, int64_t *days)
{
    *days = 146097;
    return unit == TIME_YEAR ? 400 : 4800;
}

// One of the coarser unit in the finer, as *times / *over.
static bool unit_ratio(
        enum time_unit coarse, enum time_unit fine, int64_t *times, int64_t *over)
{
    *over = 1;
    *times = time_factor(coarse, fine);
    if (*times || !is_calendar(coarse) || is_calendar(fine))
        return *times != 0;
    *over = mean_days(coarse, times);
    if (fine == TIME_WEEK)
        *over *= 7;
    else
        return !__builtin_mul_overflow(*times, time_factor(TIME_DAY, fine), times) &&
               *times;
    return true;
}

bool time_ratio(
        const struct type *from, const struct type *to, int64_t *times, int64_t *over)
{
    enum time_unit a = unit_of(from), b = unit_of(to);
    *times = *over = 1;
    if (a == TIME_GENERIC)
        return true;
    bool is_refined = a <= b;
    if (b == TIME_GENERIC ||
            !(is_refined ? unit_ratio(a, b, times, over) : unit_ratio(b, a, over, times)))
        return false;
    if (__builtin_mul_overflow(*times, (int64_t)from->time.multiple, times) ||
            __builtin_mul_overflow(*over, (int64_t)to->time.multiple, over))
        return false;
    int64_t common = greatest_divisor(*times, *over);
    *times /= common;
    *over /= common;
    return true;
}

bool time_crosses_calendar(const struct type *from, const struct type *to)
{
    return from->time.unit != TIME_GENERIC && to->time.unit != TIME_GENERIC &&
           is_calendar(unit_of(from)) != is_calendar(unit_of(to));
}

bool time_converts_roughly(const struct type *from, const struct type *to)
{
    int64_t times, over;
    if (from->time.is_delta != to->time.is_delta)
        return false;
    if (from->time.is_delta || !time_crosses_calendar(from, to))
        return time_ratio(from, to, &times, &over);
    enum time_unit unit = is_calendar(unit_of(from)) ? unit_of(to) : unit_of(from);
    return unit == TIME_WEEK || time_factor(TIME_DAY, unit);
}

bool time_converts(const struct type *from, const struct type *to)
{
    int64_t times, over;
    if (!time_converts_roughly(from, to))
        return false;
    if (!time_crosses_calendar(from, to))
        return time_ratio(from, to, &times, &over) && over == 1;
    return !from->time.is_delta && is_calendar(unit_of(from)) &&
           unit_of(to) != TIME_WEEK && to->time.multiple == 1;
}

// The step that goes into those of both, as NumPy has it: dates whose months meet days
// take what divides both numbers.
const struct type *time_unify(const struct type *a, const struct type *b)
{
    if (unit_of(a) == TIME_GENERIC || unit_of(b) == TIME_GENERIC)
        return unit_of(a) == TIME_GENERIC ? time_as(b, a->time.is_delta) : a;
    const struct type *coarse = unit_of(a) <= unit_of(b) ? a : b,
                      *fine = coarse == a ? b : a;
    int64_t factor = time_factor(unit_of(coarse), unit_of(fine)), steps_of_coarse;
    if (time_crosses_calendar(a, b)) {
        if (a->time.is_delta || !time_converts_roughly(coarse, fine))
            return NULL;
        factor = 1;
    }
    if (!factor || __builtin_mul_overflow(
                           factor, (int64_t)coarse->time.multiple, &steps_of_coarse))
        return NULL;
    return type_time(fine->time.unit,
            (int)greatest_divisor(steps_of_coarse, fine->time.multiple),
            a->time.is_delta);
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

bool time_count_in(
        enum time_unit from, int64_t count, const struct type *to, int64_t *out)
{
    *out = count;
    if (count == TIME_NAT)
        return true;
    enum time_unit unit = unit_of(to);
    if (is_calendar(from) && !is_calendar(unit)) {
        if (count < -10000000 || count > 10000000)
            return false;
        count = days_to_month(from == TIME_YEAR ? count * 12 : count);
        from = TIME_DAY;
    }
    if (from == TIME_DAY && unit == TIME_WEEK) { // as NumPy has it: rounded down
        *out = floor_div(floor_div(count, 7), to->time.multiple);
        return true;
    }
    int64_t factor = time_factor(from, unit);
    bool fits = factor && !__builtin_mul_overflow(count, factor, out);
    *out = fits ? floor_div(*out, to->time.multiple) : *out;
    return fits;
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

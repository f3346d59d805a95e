// SPDX-License-Identifier: MIT
// NumPy's dates and spans of time as text, as NumPy writes them.
#include "compiler/support/text/text.h"
#include "compiler/types/datetime.h"

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

// What is left of *count in the unit below, which it is divided by.
static int64_t take(int64_t *count, int64_t parts)
{
    int64_t whole = floor_div(*count, parts), rest = *count - whole * parts;
    *count = whole;
    return rest;
}

// A year counted from 1970 on; far beyond all dates the sum wraps, as NumPy's does.
static void add_year(struct str *out, int64_t since)
{
    int64_t year = (int64_t)((uint64_t)since + 1970);
    str_printf(out, "%04lld", (long long)year);
}

// The date of a day, counted from 1970 on: by eras of 400 years that begin with March.
static void add_day(struct str *out, int64_t days)
{
    enum { ERA = 146097, SHIFT = 135080 }; // days; 1970 is four eras and so many after 0
    int64_t era = days, day = take(&era, ERA) + SHIFT;
    era += 4 + day / ERA;
    day %= ERA;
    int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
    day -= 365 * year + year / 4 - year / 100;
    int64_t month = (5 * day + 2) / 153;
    day -= (153 * month + 2) / 5;
    month = month < 10 ? month + 3 : month - 9;
    add_year(out, era * 400 + year + (month <= 2) - 1970);
    str_printf(out, "-%02lld-%02lld", (long long)month, (long long)day + 1);
}

static void add_moment(struct str *out, int64_t count, int unit)
{
    static const int parts[] = {24, 60, 60};
    int64_t clock[3] = {0}, fraction = 0, scale = 1;
    int digits = unit > TIME_SECOND ? 3 * (unit - TIME_SECOND) : 0;
    for (int i = 0; i < digits; i++)
        scale *= 10;
    if (digits)
        fraction = take(&count, scale);
    int last = unit > TIME_SECOND ? TIME_SECOND : unit;
    for (int i = last; i >= TIME_HOUR; i--)
        clock[i - TIME_HOUR] = take(&count, parts[i - TIME_HOUR]);
    add_day(out, count);
    for (int i = TIME_HOUR; i <= last; i++)
        str_printf(out, "%c%02lld", i == TIME_HOUR ? 'T' : ':',
                (long long)clock[i - TIME_HOUR]);
    if (digits)
        str_printf(out, ".%0*lld", digits, (long long)fraction);
}

static void add_date(struct str *out, int64_t count, int unit)
{
    if (unit == TIME_YEAR) {
        add_year(out, count);
    } else if (unit == TIME_MONTH) {
        int64_t month = take(&count, 12);
        add_year(out, count);
        str_printf(out, "-%02lld", (long long)month + 1);
    } else if (unit == TIME_WEEK || unit == TIME_DAY) {
        add_day(out, unit == TIME_WEEK ? (int64_t)((uint64_t)count * 7) : count);
    } else {
        add_moment(out, count, unit);
    }
}

// Units since 1970, or of a span; far beyond all dates the product wraps, as NumPy's
// does.
static int64_t units(struct text_time time)
{
    return (int64_t)((uint64_t)time.count * (uint64_t)time.multiple);
}

static void add_representation(struct str *out, struct text_time time)
{
    str_append(out, time.is_delta ? "np.timedelta64(" : "np.datetime64(");
    if (time.count == TIME_NAT) {
        str_append(out, "'NaT'");
    } else if (time.is_delta) {
        str_printf(out, "%lld", (long long)time.count);
    } else {
        str_append(out, "'");
        add_date(out, units(time), time.unit);
        str_append(out, "'");
    }
    // the text of a date tells its unit, as NumPy has it, but for hours
    const char *name = time_unit_name((enum time_unit)time.unit);
    if (time.multiple != 1)
        str_printf(out, ",'%d%s'", time.multiple, name);
    else if (time.unit != TIME_GENERIC &&
             (time.is_delta || time.count == TIME_NAT || time.unit == TIME_HOUR))
        str_printf(out, ",'%s'", name);
    str_append(out, ")");
}

void text_add_time(struct str *out, struct text_time time, bool is_nested)
{
    static const char *const names[] = {"years", "months", "weeks", "", "days", "hours",
            "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds",
            "picoseconds", "femtoseconds", "attoseconds", "generic time units"};
    if (is_nested)
        add_representation(out, time);
    else if (time.count == TIME_NAT)
        str_append(out, "NaT");
    else if (time.is_delta)
        str_printf(out, "%lld %s", (long long)units(time), names[time.unit]);
    else
        add_date(out, units(time), time.unit);
}

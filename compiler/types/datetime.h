// SPDX-License-Identifier: MIT
// NumPy's dates and spans of time: int64 counts of a unit, from 1970 on, with NaT among
// them.
#pragma once

#include "compiler/types/type.h"

#define TIME_NAT INT64_MIN

// Numbered as NumPy numbers them.
enum time_unit {
    TIME_YEAR = 0,
    TIME_MONTH = 1,
    TIME_WEEK = 2,
    TIME_DAY = 4,
    TIME_HOUR = 5,
    TIME_SECOND = 7,
    TIME_MICROSECOND = 9,
    TIME_ATTOSECOND = 13,
    TIME_GENERIC = 14, // none was said: counts whatever the other operand does
    TIME_NO_UNIT = -1,
};

enum { TIME_STEP_NAME = 24 };

const char *time_unit_name(enum time_unit unit); // "D", "ms"; "" for GENERIC
// The unit and how many of it "D" or "25s" means; TIME_NO_UNIT: it is none.
enum time_unit time_step_named(const char *name, size_t len, int *multiple);
void time_step_name(const struct type *type, char out[TIME_STEP_NAME]);
// The span of a date's steps, or the date of a span's.
const struct type *time_as(const struct type *type, bool is_delta);
// The type that "M8[D]", "timedelta64[s]" and the like name; NULL: none.
const struct type *time_type_named(const char *name);

// How many of `to` one of `from` is; 0 where that is no whole number, or too great.
int64_t time_factor(enum time_unit from, enum time_unit to);
// One step of a type in steps of the other, as *times / *over (of the calendar's: in the
// mean); false where that is more than integers hold.
bool time_ratio(
        const struct type *from, const struct type *to, int64_t *times, int64_t *over);
// Whether one counts years or months, and the other what depends on the date then.
bool time_crosses_calendar(const struct type *from, const struct type *to);
// Whether values of one type can be rounded to the other's, as astype does.
bool time_converts_roughly(const struct type *from, const struct type *to);
// Whether every value of one type is exactly one of the other.
bool time_converts(const struct type *from, const struct type *to);
// The type that holds values of both; NULL when there is none.
const struct type *time_unify(const struct type *a, const struct type *b);
// Reads a date as NumPy writes it ("2020-01-31T12:30:00.5", "NaT"), in the unit that its
// text tells; false: it is none.
bool time_parse(const char *text, size_t len, enum time_unit *unit, int64_t *count);
// A count of one unit in steps of a type, rounded down to one; false where it does not
// fit, or its unit is coarser.
bool time_count_in(
        enum time_unit from, int64_t count, const struct type *to, int64_t *out);

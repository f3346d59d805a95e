// SPDX-License-Identifier: MIT
// NumPy's dates and spans of time: conversion between units, and comparison. NaT stays
// NaT, and is equal to nothing.
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/values/datetime.h"
#include "compiler/types/datetime.h"

static value is_nat(struct codegen *gen, value count)
{
    return LLVMBuildICmp(gen->builder, LLVMIntEQ, count, value_i64(gen, TIME_NAT), "");
}

static value times(struct codegen *gen, value count, int64_t factor)
{
    return LLVMBuildMul(gen->builder, count, value_i64(gen, factor), "");
}

static value plus(struct codegen *gen, value count, int64_t more)
{
    return LLVMBuildAdd(gen->builder, count, value_i64(gen, more), "");
}

static value floor_div(struct codegen *gen, value count, int64_t divisor)
{
    LLVMBuilderRef builder = gen->builder;
    value by = value_i64(gen, divisor);
    value rest = LLVMBuildSRem(builder, count, by, "");
    value is_below = LLVMBuildICmp(builder, LLVMIntSLT, rest, value_i64(gen, 0), "");
    return LLVMBuildAdd(builder, LLVMBuildSDiv(builder, count, by, ""),
            LLVMBuildSExt(builder, is_below, gen->i64, ""), "");
}

// Days from 1970 to the first of a month, which is counted from January 1970 on.
static value days_to_month(struct codegen *gen, value months)
{
    LLVMBuilderRef builder = gen->builder;
    // years that begin with March
    value shifted = plus(gen, months, 1970 * 12 - 2);
    value year = floor_div(gen, shifted, 12);
    value month = LLVMBuildSub(builder, shifted, times(gen, year, 12), "");
    value days = times(gen, year, 365);
    days = LLVMBuildAdd(builder, days, floor_div(gen, year, 4), "");
    days = LLVMBuildSub(builder, days, floor_div(gen, year, 100), "");
    days = LLVMBuildAdd(builder, days, floor_div(gen, year, 400), "");
    value in_year = floor_div(gen, plus(gen, times(gen, month, 153), 2), 5);
    return plus(gen, LLVMBuildAdd(builder, days, in_year, ""), -719468);
}

// Months from January 1970 to that of a day, which is counted from 1970 on: by eras of
// 400 years that begin with March.
static value month_of_day(struct codegen *gen, value days)
{
    LLVMBuilderRef builder = gen->builder;
    value shifted = plus(gen, days, 719468);
    value era = floor_div(gen, shifted, 146097);
    value day = LLVMBuildSub(builder, shifted, times(gen, era, 146097), "");
    value years = LLVMBuildSub(builder, day, floor_div(gen, day, 1460), "");
    years = LLVMBuildAdd(builder, years, floor_div(gen, day, 36524), "");
    years = LLVMBuildSub(builder, years, floor_div(gen, day, 146096), "");
    years = floor_div(gen, years, 365);
    value before =
            LLVMBuildAdd(builder, times(gen, years, 365), floor_div(gen, years, 4), "");
    before = LLVMBuildSub(builder, before, floor_div(gen, years, 100), "");
    value in_year = LLVMBuildSub(builder, day, before, "");
    value month = floor_div(gen, plus(gen, times(gen, in_year, 5), 2), 153);
    value year = LLVMBuildAdd(builder, times(gen, era, 400), years, "");
    value months = LLVMBuildAdd(builder, times(gen, year, 12), month, "");
    return plus(gen, months, 2 - 1970 * 12);
}

static value scaled(struct codegen *gen, value count, int64_t factor, int64_t divisor)
{
    value product = factor == 1 ? count : times(gen, count, factor);
    return divisor == 1 ? product : floor_div(gen, product, divisor);
}

// In steps of `to`, rounded down; `from` and `to` are of one kind.
static value converted(
        struct codegen *gen, const struct type *from, const struct type *to, value count)
{
    int64_t factor = 1, divisor = 1;
    if (from->time.is_delta || !time_crosses_calendar(from, to)) {
        time_ratio(from, to, &factor, &divisor);
        return scaled(gen, count, factor, divisor);
    }
    const struct type *month = type_time(TIME_MONTH, 1, false),
                      *day = type_time(TIME_DAY, 1, false);
    bool is_from_calendar = from->time.unit < TIME_WEEK;
    time_ratio(from, is_from_calendar ? month : day, &factor, &divisor);
    count = scaled(gen, count, factor, divisor);
    count = is_from_calendar ? days_to_month(gen, count) : month_of_day(gen, count);
    time_ratio(is_from_calendar ? day : month, to, &factor, &divisor);
    return scaled(gen, count, factor, divisor);
}

value datetime_convert(
        struct body *body, const struct type *from, const struct type *to, value count)
{
    struct codegen *gen = body->gen;
    value result = converted(gen, from, to, count);
    return result == count ? count
                           : value_select(gen, is_nat(gen, count),
                                     value_i64(gen, TIME_NAT), result);
}

value datetime_compare(struct body *body, value compared, enum ir_compare compare,
        value left, value right)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef builder = gen->builder;
    value either = LLVMBuildOr(builder, is_nat(gen, left), is_nat(gen, right), "");
    if (compare == COMPARE_NE)
        return LLVMBuildOr(builder, compared, either, "");
    return LLVMBuildAnd(builder, compared, LLVMBuildNot(builder, either, ""), "");
}

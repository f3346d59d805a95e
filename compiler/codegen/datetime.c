// SPDX-License-Identifier: MIT
// NumPy's dates and spans of time: conversion to a finer unit, and comparison. NaT stays
// NaT, and is equal to nothing.
#include "compiler/codegen/codegen.h"
#include "compiler/typing/datetime.h"

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

value datetime_convert(
        struct body *body, const struct type *from, const struct type *to, value count)
{
    struct codegen *gen = body->gen;
    enum time_unit unit = (enum time_unit)from->time.unit,
                   wanted = (enum time_unit)to->time.unit;
    int64_t factor = time_factor(unit, wanted);
    value converted = count;
    if (!factor) { // a date of the calendar
        if (unit == TIME_YEAR)
            converted = times(gen, converted, 12);
        converted = days_to_month(gen, converted);
        factor = time_factor(TIME_DAY, wanted);
    }
    if (factor == 1 && unit != TIME_YEAR && unit != TIME_MONTH)
        return converted;
    return value_select(gen, is_nat(gen, count), value_i64(gen, TIME_NAT),
            times(gen, converted, factor));
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

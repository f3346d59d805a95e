// SPDX-License-Identifier: MIT
// Comparisons: numbers, tuples in order, optionals with None, strings, and membership.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/values/arith.h"
#include "compiler/codegen/values/cast.h"
#include "compiler/codegen/values/compare.h"
#include "compiler/codegen/values/datetime.h"
#include "compiler/codegen/values/text.h"

#include <assert.h>

static value compare_integers(
        struct body *body, enum ir_compare compare, bool is_signed, value a, value b)
{
    assert(LLVMTypeOf(a) == LLVMTypeOf(b));
    LLVMIntPredicate predicate = value_predicate(compare, is_signed);
    return LLVMBuildICmp(body->gen->builder, predicate, a, b, "");
}

// Ordered, as IEEE 754 and Python have it: with a NaN all are false but `!=`.
static value compare_floats(struct body *body, enum ir_compare compare, value a, value b)
{
    assert(LLVMTypeOf(a) == LLVMTypeOf(b));
    LLVMRealPredicate predicate = value_real_predicate(compare);
    return fp(body, LLVMBuildFCmp(body->gen->builder, predicate, a, b, ""));
}

// Lexicographic: decided by the first items that differ.
// From the last item to the first, so that each result is ready when the item before it
// asks what comes behind. All items are compared: they are numbers or short texts, and
// LLVM joins the comparisons of EQ and of the order.
static value compare_tuples(struct body *body, enum ir_compare compare,
        const struct type *type, const value *a, const value *b, struct span span)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef builder = gen->builder;
    assert(type->kind == TYPE_TUPLE);
    bool is_strict =
            compare == COMPARE_LT || compare == COMPARE_GT || compare == COMPARE_NE;
    value result = value_bool(gen, !is_strict);
    size_t at = type_leaf_count(gen, type);
    for (size_t i = type->tuple.len; i-- > 0;) {
        const struct type *item = type->tuple.items[i];
        at -= type_leaf_count(gen, item);
        value equal = compare_values(body, COMPARE_EQ, item, a + at, b + at, span);
        if (compare == COMPARE_EQ)
            result = LLVMBuildAnd(builder, equal, result, "");
        else if (compare == COMPARE_NE)
            result = LLVMBuildOr(builder, LLVMBuildNot(builder, equal, ""), result, "");
        else
            result = value_select(gen, equal, result,
                    compare_values(body, compare, item, a + at, b + at, span));
    }
    return result;
}

// Equal when both are None, or both are there and equal.
static value compare_optionals(struct body *body, enum ir_compare compare,
        const struct type *type, const value *a, const value *b, struct span span)
{
    LLVMBuilderRef builder = body->gen->builder;
    size_t flag = type_leaf_count(body->gen, type->element);
    value same = LLVMBuildICmp(builder, LLVMIntEQ, a[flag], b[flag], "");
    value absent = LLVMBuildNot(builder, a[flag], "");
    value equal = compare_values(body, COMPARE_EQ, type->element, a, b, span);
    value result =
            LLVMBuildAnd(builder, same, LLVMBuildOr(builder, absent, equal, ""), "");
    return compare == COMPARE_NE ? LLVMBuildNot(builder, result, "") : result;
}

// Whatever has no order: complex numbers, ranges, functions, objects (by identity).
static value compare_leaves(struct body *body, enum ir_compare compare,
        const struct type *type, const value *a, const value *b)
{
    struct codegen *gen = body->gen;
    const struct leaf_list *list = type_leaves(gen, type);
    value same = value_bool(gen, true);
    for (size_t i = 0; i < list->len; i++) {
        value equal = list->items[i].type->kind == TYPE_FLOAT
                              ? compare_floats(body, COMPARE_EQ, a[i], b[i])
                              : compare_integers(body, COMPARE_EQ, false, a[i], b[i]);
        same = LLVMBuildAnd(gen->builder, same, equal, "");
    }
    return compare == COMPARE_NE ? LLVMBuildNot(gen->builder, same, "") : same;
}

// Both sides have the same type. IS is asked of numbers, too, as small ones are one
// object in Python; of objects a single leaf is compared, their address.
value compare_values(struct body *body, enum ir_compare compare, const struct type *type,
        const value *left, const value *right, struct span span)
{
    if (compare == COMPARE_IS)
        compare = COMPARE_EQ;
    if (compare == COMPARE_IS_NOT)
        compare = COMPARE_NE;
    switch (type->kind) {
    case TYPE_BOOL:
        return compare_integers(body, compare, false, left[0], right[0]);
    case TYPE_INT:
        return compare_integers(body, compare, type->is_signed, left[0], right[0]);
    case TYPE_FLOAT:
        return compare_floats(body, compare, left[0], right[0]);
    case TYPE_ENUM:
        return compare_values(body, compare, type->element, left, right, span);
    case TYPE_TIME:
        return datetime_compare(body,
                compare_integers(body, compare, true, left[0], right[0]), compare,
                left[0], right[0]);
    case TYPE_TUPLE:
        return compare_tuples(body, compare, type, left, right, span);
    case TYPE_STRING:
        return text_compare_values(body, compare, left, right);
    case TYPE_OPTIONAL:
        return compare_optionals(body, compare, type, left, right, span);
    default:
        if (compare != COMPARE_EQ && compare != COMPARE_NE)
            codegen_fail(body->gen, ERROR_INTERNAL, span,
                    "values of type %s have no order", type->name);
        return compare_leaves(body, compare, type, left, right);
    }
}

// x in (a, b, c): the items have x's type or cast to it.
static value tuple_contains(struct body *body, const struct ir_instr *instr)
{
    struct codegen *gen = body->gen;
    const struct type *item = instr->operands[0]->type, *tuple = instr->operands[1]->type;
    const value *items = operand(body, instr, 1);
    value found = value_bool(gen, false);
    value *cast = value_row(gen, type_leaf_count(gen, item));
    for (size_t i = 0; i < tuple->tuple.len; i++) {
        cast_value(body, tuple->tuple.items[i], item, items, cast, instr->span);
        value equal = compare_values(
                body, COMPARE_EQ, item, operand(body, instr, 0), cast, instr->span);
        found = LLVMBuildOr(gen->builder, found, equal, "");
        items += type_leaf_count(gen, tuple->tuple.items[i]);
    }
    return found;
}

// x in range(start, stop, step)
static value range_contains(struct body *body, const struct ir_instr *instr)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef builder = gen->builder;
    const struct type *element = instr->operands[1]->type->element;
    const value *range = operand(body, instr, 1);
    value x;
    cast_value(body, instr->operands[0]->type, element, operand(body, instr, 0), &x,
            instr->span);
    value zero = LLVMConstNull(LLVMTypeOf(x));
    value is_up = compare_integers(body, COMPARE_GT, element->is_signed, range[2], zero);
    bool is_signed = element->is_signed;
    value low = value_select(gen, is_up,
            compare_integers(body, COMPARE_GE, is_signed, x, range[0]),
            compare_integers(body, COMPARE_LE, is_signed, x, range[0]));
    value high = value_select(gen, is_up,
            compare_integers(body, COMPARE_LT, is_signed, x, range[1]),
            compare_integers(body, COMPARE_GT, is_signed, x, range[1]));
    value distance = LLVMBuildSub(builder, x, range[0], "");
    value rest = LLVMBuildSRem(builder, distance, range[2], "");
    value on_step = LLVMBuildICmp(builder, LLVMIntEQ, rest, zero, "");
    return LLVMBuildAnd(builder, LLVMBuildAnd(builder, low, high, ""), on_step, "");
}

static value contains(struct body *body, const struct ir_instr *instr)
{
    const struct type *container = instr->operands[1]->type;
    if (container->kind == TYPE_TUPLE)
        return tuple_contains(body, instr);
    if (container->kind == TYPE_RANGE)
        return range_contains(body, instr);
    codegen_fail(body->gen, ERROR_LOWERING, instr->span, "'in' is not supported on %s",
            container->name);
    return value_bool(body->gen, false);
}

void compare_instr(struct body *body, const struct ir_instr *instr, value *out)
{
    if (instr->compare == COMPARE_IN)
        out[0] = contains(body, instr);
    else if (instr->compare == COMPARE_NOT_IN)
        out[0] = LLVMBuildNot(body->gen->builder, contains(body, instr), "");
    else if (narrow_applies(body, instr)) {
        value left = narrow_operand(body, instr, 0),
              right = narrow_operand(body, instr, 1);
        out[0] = compare_values(
                body, instr->compare, type_int32, &left, &right, instr->span);
    } else
        out[0] = compare_values(body, instr->compare, instr->operands[0]->type,
                operand(body, instr, 0), operand(body, instr, 1), instr->span);
}

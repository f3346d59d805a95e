// SPDX-License-Identifier: MIT
// Comparisons of numbers.
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/numbers/numbers.h"

bool rule_compare_as(struct rule *r, enum ir_compare op, const struct type *type)
{
    r->type = type_bool;
    if (r->is_emitting)
        r->value = rule_compare_op(
                r, op, rule_cast(r, r->args[0], type), rule_cast(r, r->args[1], type));
    return true;
}

// int64 against uint64: no integer type holds both, so the sign is looked at first.
static bool compare_mixed_signs(struct rule *r, enum ir_compare op, bool is_left_signed)
{
    r->type = type_bool;
    if (!r->is_emitting)
        return true;
    static const enum ir_compare mirrored[] = {
            COMPARE_EQ, COMPARE_NE, COMPARE_GT, COMPARE_GE, COMPARE_LT, COMPARE_LE};
    if (!is_left_signed)
        op = mirrored[op];
    struct ir_instr *integer = rule_cast(r, r->args[!is_left_signed], type_int64);
    struct ir_instr *natural = rule_cast(r, r->args[is_left_signed], type_uint64);
    if (integer->op == IR_CONST && integer->constant.integer >= 0) {
        r->value = rule_compare_op(r, op, rule_cast(r, integer, type_uint64), natural);
        return true;
    }
    struct ir_instr *is_negative =
            rule_compare_op(r, COMPARE_LT, integer, rule_int(r, type_int64, 0));
    struct ir_instr *result =
            rule_compare_op(r, op, rule_cast(r, integer, type_uint64), natural);
    bool negative_result = op == COMPARE_LT || op == COMPARE_LE || op == COMPARE_NE;
    if (!negative_result)
        is_negative = rule_not_op(r, is_negative);
    r->value = rule_binary_op(
            r, negative_result ? BINARY_OR : BINARY_AND, type_bool, is_negative, result);
    return true;
}

bool rule_compare_numbers(
        struct rule *r, enum ir_compare op, const struct type *a, const struct type *b)
{
    bool is_order = op != COMPARE_EQ && op != COMPARE_NE;
    if (is_order && (a->kind == TYPE_COMPLEX || b->kind == TYPE_COMPLEX))
        return rule_no_match(r, "Complex numbers have no order.");
    if (a->kind == TYPE_INT && b->kind == TYPE_INT && a->is_signed != b->is_signed &&
            (a == type_uint64 || b == type_uint64))
        return compare_mixed_signs(r, op, a->is_signed);
    return rule_compare_as(r, op, type_unify(a, b));
}

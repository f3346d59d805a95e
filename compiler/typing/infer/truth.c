// SPDX-License-Identifier: MIT
// The truth of conditions as far as types and literals tell it: branches that are never
// taken are not typed.
#include <string.h>

#include "compiler/typing/infer/rule.h"

// The order of two constant strings, for comparing with 0.
static bool compare_known_texts(const struct ir_instr *compare, int64_t *order)
{
    const struct constant *a = rule_constant(compare->operands[0]),
                          *b = rule_constant(compare->operands[1]);
    if (!a || !b || a->type != type_string || b->type != type_string)
        return false;
    size_t shorter = a->string.len < b->string.len ? a->string.len : b->string.len;
    int difference = memcmp(a->string.text, b->string.text, shorter);
    *order = difference                       ? difference
             : a->string.len == b->string.len ? 0
             : a->string.len < b->string.len  ? -1
                                              : 1;
    return true;
}

// What types, or members of an enum, tell: 0 for equal.
static bool compare_known_objects(const struct ir_instr *compare, int64_t *order)
{
    const struct type *a = compare->operands[0]->type, *b = compare->operands[1]->type;
    bool is_identity =
            compare->compare == COMPARE_IS || compare->compare == COMPARE_IS_NOT;
    if (!a || !b || (compare->compare > COMPARE_NE && !is_identity))
        return false;
    *order = a != b;
    if (a->kind == TYPE_CLASS && b->kind == TYPE_CLASS)
        return true;
    if (is_identity)
        return false;
    const struct constant *left = rule_constant(compare->operands[0]),
                          *right = rule_constant(compare->operands[1]);
    if (!left || !right || a != b || a->kind != TYPE_ENUM || !type_is_integer(a->element))
        return false;
    *order = left->integer != right->integer;
    return true;
}

// The number of a constant that is a float, or of any beside one.
static bool known_real(const struct ir_instr *value, double *out)
{
    const struct constant *constant = rule_constant(value);
    int64_t number = 0;
    bool is_float = constant && constant->type && constant->type->kind == TYPE_FLOAT;
    if (!is_float && !rule_constant_int(value, &number))
        return false;
    *out = is_float ? constant->real : (double)number;
    return true;
}

static bool compare_known_reals(const struct ir_instr *compare, bool *truth)
{
    double a, b;
    if (compare->compare > COMPARE_GE || !known_real(compare->operands[0], &a) ||
            !known_real(compare->operands[1], &b))
        return false;
    const bool results[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
    *truth = results[compare->compare];
    return true;
}

// `flag is True`
static bool compare_known_truths(const struct ir_instr *compare, bool *truth)
{
    const struct constant *a = rule_constant(compare->operands[0]),
                          *b = rule_constant(compare->operands[1]);
    bool is_identity =
            compare->compare == COMPARE_IS || compare->compare == COMPARE_IS_NOT;
    if (!is_identity || !a || !b || a->type != type_bool || b->type != type_bool)
        return false;
    *truth = (!a->integer == !b->integer) == (compare->compare == COMPARE_IS);
    return true;
}

static bool compare_known(const struct ir_instr *compare, bool *truth)
{
    int64_t a, b = 0;
    if (compare_known_truths(compare, truth))
        return true;
    if (compare_known_objects(compare, &a)) {
        *truth = (a == 0) ==
                 (compare->compare == COMPARE_EQ || compare->compare == COMPARE_IS);
        return true;
    }
    if (compare->compare <= COMPARE_GE && compare_known_texts(compare, &a)) {
        const bool results[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
        *truth = results[compare->compare];
        return true;
    }
    if (compare->compare > COMPARE_GE || !rule_constant_int(compare->operands[0], &a) ||
            !rule_constant_int(compare->operands[1], &b))
        return compare_known_reals(compare, truth);
    const bool results[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
    *truth = results[compare->compare];
    return true;
}

static const char *literal_text(const struct ir_instr *value)
{
    const struct constant *constant = rule_constant(value);
    if (value->type && value->type->kind == TYPE_LITERAL)
        return value->type->function;
    return constant && constant->type == type_string ? constant->string.text : NULL;
}

// A literal argument of a library function against a string, which may be one that only
// a run shows.
static bool compare_literals(const struct ir_instr *compare, bool *truth)
{
    const struct ir_instr *a = compare->operands[0], *b = compare->operands[1];
    if (compare->compare > COMPARE_NE || !a->type || !b->type ||
            (a->type->kind != TYPE_LITERAL && b->type->kind != TYPE_LITERAL))
        return false;
    const char *left = literal_text(a), *right = literal_text(b);
    if ((!left && a->type == type_string) || (!right && b->type == type_string))
        return false;
    *truth = (left && right && !strcmp(left, right)) == (compare->compare == COMPARE_EQ);
    return true;
}

// What has a type of its own is not None, and nothing but None equals it: an array that
// is asked `== None` may be left out, as one that is asked `is None`.
static bool compare_with_none(const struct ir_instr *compare, bool *truth)
{
    enum ir_compare op = compare->compare;
    bool is_identity = op == COMPARE_IS || op == COMPARE_IS_NOT;
    const struct type *a = compare->operands[0]->type, *b = compare->operands[1]->type;
    if ((!is_identity && op > COMPARE_NE) || !a || !b ||
            (a != type_none && b != type_none))
        return false;
    const struct type *other = a == type_none ? b : a;
    if (other->kind == TYPE_OPTIONAL || (!is_identity && other->kind == TYPE_INSTANCE))
        return false;
    *truth = (a == b) == (op == COMPARE_IS || op == COMPARE_EQ);
    return true;
}

bool infer_known_truth(const struct ir_instr *condition, bool *truth)
{
    if (condition->op == IR_PAIR_SECOND && infer_never_iterates(condition->operands[0])) {
        *truth = false;
        return true;
    }
    int64_t known;
    if (rule_constant_int(condition, &known)) {
        *truth = known != 0;
        return true;
    }
    if (condition->op == IR_UNARY && condition->unary == UNARY_NOT &&
            infer_known_truth(condition->operands[0], truth)) {
        *truth = !*truth;
        return true;
    }
    if (condition->op == IR_TRUTH)
        return infer_known_truth(condition->operands[0], truth);
    if (condition->type == type_none) {
        *truth = false;
        return true;
    }
    if (condition->type && condition->type->kind == TYPE_TUPLE) {
        *truth = condition->type->tuple.len != 0;
        return true;
    }
    if (condition->type && condition->type->kind == TYPE_LITERAL) {
        *truth = condition->type->function[0] &&
                 strcmp(condition->type->function, "False");
        return true;
    }
    if (condition->op == IR_COMPARE &&
            (compare_known(condition, truth) || compare_literals(condition, truth)))
        return true;
    return condition->op == IR_COMPARE && compare_with_none(condition, truth);
}

// SPDX-License-Identifier: MIT
// Members of Flag, which are no numbers but have their bits: what joins and parts them
// gives a value of the class again. Those of IntFlag count as ints, as numba has it.
#include <assert.h>
#include <string.h>

#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/containers/objects.h"
#include "compiler/typing/rules/text/text.h"

bool rule_is_flag(const struct type *type)
{
    return type->kind == TYPE_ENUM && type->enumeration.is_flag &&
           !type->enumeration.is_int;
}

static struct ir_instr *bits_of(struct rule *r, size_t i, const struct type *type)
{
    return rule_cast(r, r->args[i], type->element);
}

bool rule_flag_binary(struct rule *r, enum ir_binary op)
{
    const struct type *type = rule_arg_type(r, 0);
    assert(rule_is_flag(type));
    if (rule_arg_type(r, 1) != type ||
            (op != BINARY_AND && op != BINARY_OR && op != BINARY_XOR))
        return rule_no_match(r,
                "Members of a Flag have |, &, ^ and ~, with members of the "
                "same class: take .value for a number.");
    r->type = type;
    if (r->is_emitting)
        r->value = rule_cast(r,
                rule_binary_op(
                        r, op, type->element, bits_of(r, 0, type), bits_of(r, 1, type)),
                type);
    return true;
}

bool rule_flag_unary(struct rule *r, enum ir_unary op)
{
    const struct type *type = rule_arg_type(r, 0);
    enum flag_boundary boundary = type->enumeration.boundary;
    assert(rule_is_flag(type));
    if (op != UNARY_INVERT)
        return rule_no_match(r, "Members of a Flag have |, &, ^ and ~.");
    if (boundary == BOUNDARY_KEEP || boundary == BOUNDARY_EJECT)
        return rule_fail(r, ERROR_TYPING,
                "~ of a value of %s, whose boundary is KEEP or EJECT, is not known in "
                "compiled code: name the members, or compute with .value",
                type->name);
    r->type = type;
    if (!r->is_emitting)
        return true;
    struct ir_instr *mask = rule_int(r, type->element, type->enumeration.mask);
    struct ir_instr *shared =
            rule_binary_op(r, BINARY_AND, type->element, bits_of(r, 0, type), mask);
    r->value = rule_cast(
            r, rule_binary_op(r, BINARY_XOR, type->element, shared, mask), type);
    return true;
}

bool rule_flag_contains(struct rule *r)
{
    const struct type *type = rule_arg_type(r, 1);
    assert(rule_is_flag(type));
    if (rule_arg_type(r, 0) != type)
        return rule_no_match(r, "In a value of a Flag are members of the same class.");
    r->type = type_bool;
    if (!r->is_emitting)
        return true;
    struct ir_instr *bits = bits_of(r, 0, type);
    struct ir_instr *shared =
            rule_binary_op(r, BINARY_AND, type->element, bits, bits_of(r, 1, type));
    r->value = rule_compare_op(
            r, r->instr->compare == COMPARE_IN ? COMPARE_EQ : COMPARE_NE, shared, bits);
    return true;
}

bool rule_flag_number(struct rule *r, const struct type *type)
{
    assert(rule_is_flag(type));
    if (type->enumeration.boundary == BOUNDARY_EJECT)
        return rule_fail(r, ERROR_TYPING,
                "a value of %s, whose boundary is EJECT, may be an int: compiled code "
                "knows its members by their names",
                type->name);
    r->type = type;
    if (!r->is_emitting)
        return true;
    const char *name = strchr(type->name, '(') + 1;
    struct ir_instr *operands[] = {rule_cast(r, r->args[0], type_int64),
            rule_int(r, type_int64, type->enumeration.mask),
            rule_int(r, type_int64, type->enumeration.boundary),
            rule_text_constant(r, name, strlen(name) - 1)};
    struct ir_instr *number =
            r->in->target == TARGET_HOST
                    ? rule_text_call(r, TEXT_FLAG_VALUE, type_int64, operands, 4)
                    : operands[0];
    r->value = rule_cast(r, rule_cast(r, number, type->element), type);
    return true;
}

// SPDX-License-Identifier: MIT
// Operators that programs overload, as in @overload(operator.add): asked before the
// rules.
#include "compiler/typing/infer/overload.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/containers/container.h"
#include "compiler/typing/rules/language/language.h"
#include "compiler/typing/rules/numbers/numbers.h"

// Whether numbers have no such operator.
static bool is_of_no_number(const struct ir_instr *instr, bool has_complex, bool is_whole)
{
    switch (instr->op) {
    case IR_GETITEM:
    case IR_SETITEM:
    case IR_DELITEM:
        return true;
    case IR_COMPARE:
        return instr->compare >= COMPARE_IN ||
               (has_complex && instr->compare >= COMPARE_LT &&
                       instr->compare <= COMPARE_GE);
    case IR_BINARY:
    case IR_INPLACE:
        return instr->binary == BINARY_MATMUL ||
               (has_complex && (instr->binary == BINARY_FLOORDIV ||
                                       instr->binary == BINARY_MOD)) ||
               (!is_whole && instr->binary >= BINARY_LSHIFT);
    case IR_UNARY:
        return !is_whole && instr->unary == UNARY_INVERT;
    default:
        return false;
    }
}

// Numbers and None keep the operators that they have, and within the library all values
// but those of types that programs add.
static bool may_be_overloaded(const struct rule *r)
{
    bool is_library = r->in->source->options.is_library, has_complex = false;
    bool is_whole = true, is_of_program = false, has_other = false;
    for (size_t i = 0; i < r->arg_count; i++) {
        const struct type *type = rule_arg_type(r, i);
        is_of_program = is_of_program || rule_is_of_program(type) ||
                        type_has_own_array(r->args[i]->type);
        has_other = has_other || !(type_is_number(type) || r->args[i]->type == type_none);
        has_complex = has_complex || type->kind == TYPE_COMPLEX;
        is_whole = is_whole && (type->kind == TYPE_INT || type->kind == TYPE_BOOL);
    }
    return is_of_program || (!is_library && has_other) ||
           (!has_other && is_of_no_number(r->instr, has_complex, is_whole));
}

bool rule_is_of_program(const struct type *type)
{
    return type->kind == TYPE_EXTENSION || type->kind == TYPE_INSTANCE;
}

static const char *name_of(const struct ir_instr *instr)
{
    switch (instr->op) {
    case IR_BINARY:
    case IR_INPLACE:
    case IR_UNARY:
        return arith_operator_name(instr);
    case IR_COMPARE:
        return compare_operator_name(instr);
    case IR_GETITEM:
        return "getitem";
    case IR_SETITEM:
        return "setitem";
    case IR_DELITEM:
        return "delitem";
    case IR_TRUTH:
        return "truth";
    default:
        return NULL;
    }
}

bool rule_operator_overload(struct rule *r, bool *is_done)
{
    const char *name = overload_has_operators() ? name_of(r->instr) : NULL;
    if (!name || r->arg_count > 3 || !may_be_overloaded(r))
        return true;
    struct ir_instr *args[3] = {NULL, NULL, NULL};
    bool is_member =
            r->instr->op == IR_COMPARE &&
            (r->instr->compare == COMPARE_IN || r->instr->compare == COMPARE_NOT_IN);
    for (size_t i = 0; i < r->arg_count; i++)
        args[i] = r->args[is_member ? r->arg_count - 1 - i : i];
    if (!rule_overloaded_operator(r, name, args, is_done))
        return false;
    if (!*is_done && r->instr->op == IR_INPLACE &&
            !rule_overloaded_operator(r, arith_plain_name(r->instr), args, is_done))
        return false;
    bool is_not = !*is_done && r->instr->op == IR_UNARY && r->instr->unary == UNARY_NOT;
    if (is_not && !rule_overloaded_operator(r, "truth", args, is_done))
        return false;
    if (!*is_done && (is_not || r->instr->op == IR_TRUTH) &&
            !rule_overloaded_operator(r, type_class(type_bool)->name, args, is_done))
        return false;
    if (*is_done && is_not)
        return rule_negate(r);
    if (*is_done && r->instr->op == IR_COMPARE && r->instr->compare == COMPARE_NOT_IN)
        return rule_negate(r);
    return true;
}

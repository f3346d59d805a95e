// SPDX-License-Identifier: MIT
// Operators that programs overload, as in @overload(operator.add): asked before the
// rules.
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/containers/container.h"
#include "compiler/typing/rules/language/language.h"
#include "compiler/typing/rules/numbers/numbers.h"

// Numbers and None keep the operators that they have.
static bool has_object(const struct rule *r)
{
    for (size_t i = 0; i < r->arg_count; i++)
        if (!type_is_number(rule_arg_type(r, i)) && r->args[i]->type != type_none)
            return true;
    return false;
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
    const char *name = name_of(r->instr);
    if (!name || r->arg_count > 3 || r->in->source->options.is_library || !has_object(r))
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
    if (!*is_done && r->instr->op == IR_TRUTH &&
            !rule_overloaded_operator(r, type_class(type_bool)->name, args, is_done))
        return false;
    if (*is_done && r->instr->op == IR_COMPARE && r->instr->compare == COMPARE_NOT_IN)
        return rule_negate(r);
    return true;
}

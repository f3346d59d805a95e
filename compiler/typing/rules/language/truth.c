// SPDX-License-Identifier: MIT
// The truth of values: conditions, bool() and `not`.
#include "compiler/types/object_class.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/containers/container.h"
#include "compiler/typing/rules/language/language.h"

// An object without these methods is true.
bool rule_instance_truth(struct rule *r)
{
    const struct type *type = rule_arg_type(r, 0);
    const char *name = object_method_find(type, "__bool__")  ? "__bool__"
                       : object_method_find(type, "__len__") ? "__len__"
                                                             : NULL;
    if (!name)
        return rule_do_constant(r, (struct constant){.type = type_bool, .integer = 1});
    if (!rule_instance_operation(r, name))
        return false;
    r->type = type_bool;
    if (r->is_emitting)
        r->value = rule_cast(r, r->value, type_bool);
    return true;
}

static struct ir_instr *emit_truth(struct rule *r, struct ir_instr *value)
{
    return rule_cast(r, value, type_bool);
}

bool rule_not(struct rule *r)
{
    bool truth;
    if (infer_known_truth(r->instr, &truth))
        return rule_do_constant(
                r, (struct constant){.type = type_bool, .integer = truth});
    if (rule_arg_type(r, 0)->kind == TYPE_INSTANCE)
        return rule_instance_truth(r) && rule_negate(r);
    if (type_is_container(rule_arg_type(r, 0)))
        return rule_container_truth(r) && rule_negate(r);
    if (!type_is_item(rule_arg_type(r, 0)) && rule_arg_type(r, 0)->kind != TYPE_STRING)
        return rule_no_match(r, "'not' needs a number, a bool, a string or None.");
    r->type = type_bool;
    if (!r->is_emitting)
        return true;
    r->value = rule_not_op(r, emit_truth(r, r->args[0]));
    return true;
}

bool rule_truth(struct rule *r)
{
    bool truth;
    r->name = "bool";
    const struct type *type = rule_arg_type(r, 0);
    if (infer_known_truth(r->instr, &truth))
        return rule_do_constant(
                r, (struct constant){.type = type_bool, .integer = truth});
    if (type->kind == TYPE_TUPLE)
        return rule_do_constant(
                r, (struct constant){.type = type_bool, .integer = type->tuple.len != 0});
    if (type->kind == TYPE_INSTANCE)
        return rule_instance_truth(r);
    if (type_is_container(type))
        return rule_container_truth(r);
    if (!type_is_item(type) && type->kind != TYPE_STRING)
        return rule_no_match(
                r, "A condition must be a number, a bool, a string, a tuple or None.");
    r->type = type_bool;
    if (r->is_emitting)
        r->value = emit_truth(r, r->args[0]);
    return true;
}

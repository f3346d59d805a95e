// SPDX-License-Identifier: MIT
// The truth of values: conditions, bool() and `not`.
#include "compiler/types/object_class.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/containers/container.h"
#include "compiler/typing/rules/containers/objects.h"
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

bool rule_is_array_with_truth(const struct type *type)
{
    return type->kind == TYPE_ARRAY && type->element->kind != TYPE_RECORD;
}

// The truth of the operand, if its type has one; otherwise it fails with the advice.
static bool truth_of_operand(struct rule *r, const char *advice)
{
    const struct type *type = rule_arg_type(r, 0);
    if (type->kind == TYPE_INSTANCE)
        return rule_instance_truth(r);
    if (type == type_caught)
        return rule_do_constant(r, (struct constant){.type = type_bool, .integer = 1});
    if (type_is_container(type))
        return rule_container_truth(r);
    if (type->kind == TYPE_DICT_VIEW)
        return rule_dict_view_truth(r);
    if (rule_is_array_with_truth(type))
        return rule_library(r, "shapes.truth");
    bool is_flag = rule_is_flag(type);
    if (!type_is_item(type) && type->kind != TYPE_STRING && !is_flag)
        return rule_no_match(r, advice);
    r->type = type_bool;
    if (r->is_emitting)
        r->value = rule_cast(r,
                is_flag ? rule_cast(r, r->args[0], type->element) : r->args[0],
                type_bool);
    return true;
}

bool rule_not(struct rule *r)
{
    bool truth;
    if (infer_known_truth(r->instr, &truth))
        return rule_do_constant(
                r, (struct constant){.type = type_bool, .integer = truth});
    return truth_of_operand(r, "'not' needs a number, a bool, a string, a tuple, a list, "
                               "an array or None.") &&
           rule_negate(r);
}

bool rule_truth(struct rule *r)
{
    bool truth;
    r->name = "bool";
    if (infer_known_truth(r->instr, &truth))
        return rule_do_constant(
                r, (struct constant){.type = type_bool, .integer = truth});
    return truth_of_operand(r, "A condition must be a number, a bool, a string, a tuple, "
                               "a list, an array or None.");
}

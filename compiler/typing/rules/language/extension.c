// SPDX-License-Identifier: MIT
// Values of the types that a program adds.
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/language/language.h"

// member(value, "name"): what the model of the value's type has under that name
bool rule_extension_member(struct rule *r)
{
    const struct type *type = rule_arg_type(r, 0);
    const struct constant *name = rule_constant(r->args[1]);
    if (type->kind != TYPE_EXTENSION || !name || name->type != type_string)
        return rule_no_match(r, "It takes a value of an extension type, and a name.");
    if (!type->tuple.names)
        return rule_fail(r, ERROR_TYPING,
                "%s has no model: register one with @register_model(the type's class)",
                type->name);
    int i = type_extension_member(type, name->string.text);
    if (i < 0)
        return rule_fail(r, ERROR_TYPING, "the model of %s has no member '%s'",
                type->name, name->string.text);
    r->type = type->tuple.items[i];
    r->value = r->is_emitting ? rule_tuple_get(r, r->args[0], (size_t)i) : NULL;
    return true;
}

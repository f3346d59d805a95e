// SPDX-License-Identifier: MIT
// Methods of objects whose classes are compiled, and operations that are such methods.
#include <stdio.h>

#include "compiler/types/object_class.h"
#include "compiler/typing/infer/rule.h"

bool rule_instance_operation(struct rule *r, const char *name)
{
    const struct type *type = rule_value_type(r->args[0]->type);
    const struct object_method *method =
            type->kind == TYPE_INSTANCE ? object_method_find(type, name) : NULL;
    if (!method || method->kind != METHOD_PLAIN) {
        char help[120];
        snprintf(help, sizeof help, "The class has no method %s.", name);
        return rule_no_match(r, help);
    }
    return rule_call_source(r, method->source, r->args, r->arg_count, 0);
}

// SPDX-License-Identifier: MIT
// Items of values of any type, read and set, and unpacking: which room does it.
#include <string.h>

#include "compiler/types/datetime.h"
#include "compiler/types/object_class.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/arrays/arrays.h"
#include "compiler/typing/rules/containers/container.h"
#include "compiler/typing/rules/containers/objects.h"
#include "compiler/typing/rules/cuda/cuda.h"
#include "compiler/typing/rules/language/language.h"
#include "compiler/typing/rules/text/text.h"

bool rule_getitem(struct rule *r)
{
    const struct type *type = rule_arg_type(r, 0);
    r->name = "getitem";
    if (type->kind == TYPE_ARRAY)
        return rule_array_getitem(r);
    if (rule_is_whole_field(r))
        return rule_get_whole_field(r);
    if (rule_is_array_items(r->args[0]))
        return rule_items_getitem(r);
    if (type->kind == TYPE_TUPLE)
        return rule_tuple_item(r);
    if (type == type_string)
        return rule_text_getitem(r);
    if (type == type_bytes)
        return rule_bytes_getitem(r);
    if (type->kind == TYPE_CLASS && type->element->kind == TYPE_ENUM)
        return rule_enum_item(r);
    if (type->kind == TYPE_CLASS && type->element)
        return rule_class_item(r);
    if (type->kind == TYPE_FUNCTION && type->function &&
            (!strcmp(type->function, "numpy.s_") ||
                    !strcmp(type->function, "numpy.index_exp")))
        return rule_index_expression(r, type->function[6] == 'i');
    if (type_is_container(type))
        return rule_container_getitem(r);
    if (type->kind == TYPE_INSTANCE)
        return rule_instance_operation(r, "__getitem__");
    if (type->kind == TYPE_POINTER && type->element)
        return rule_pointer_item(r);
    if (type->kind == TYPE_RANGE)
        return rule_library(r, rule_arg_type(r, 1)->kind == TYPE_SLICE
                                       ? "iteration.range_slice"
                                       : "iteration.range_item");
    return rule_no_match(r, "Arrays, lists, dicts, tuples and strings can be indexed.");
}

bool rule_setitem(struct rule *r)
{
    const struct type *type = rule_arg_type(r, 0);
    r->name = "setitem";
    if (rule_is_whole_field(r))
        return rule_set_whole_field(r);
    if (type->kind == TYPE_TUPLE)
        return rule_no_match(r, "A tuple cannot be changed.");
    if (rule_is_array_items(r->args[0]))
        return rule_items_setitem(r);
    if (type_is_container(type))
        return rule_container_setitem(r);
    if (type->kind == TYPE_INSTANCE)
        return rule_instance_operation(r, "__setitem__");
    if (type->kind == TYPE_POINTER && type->element)
        return rule_pointer_item(r);
    if (type->kind != TYPE_ARRAY)
        return rule_no_match(r, "Only items of arrays, lists and dicts can be set.");
    return rule_array_setitem(r);
}

bool rule_unpack(struct rule *r)
{
    const struct type *type = rule_arg_type(r, 0);
    r->name = "exhaust_iter";
    if (type_is_container(type))
        return rule_container_unpack(r);
    bool is_indexed = type->kind == TYPE_ARRAY || type->kind == TYPE_RANGE ||
                      type == type_string || type == type_bytes;
    if (is_indexed && r->instr->op == IR_UNPACK && r->instr->count >= 0)
        return rule_unpack_by(r, "list.unpack");
    if (type->kind != TYPE_TUPLE)
        return rule_no_match(r, "Only what can be looped over is unpacked.");
    // a negative count: at least so many, as one target is starred
    int wanted = r->instr->count, at = r->instr->index;
    size_t least = wanted < 0 ? (size_t)-wanted : 0;
    if (wanted < 0 ? type->tuple.len < least : type->tuple.len != (size_t)wanted)
        return rule_fail(r, ERROR_TYPING, "%s values to unpack (expected %d, got %zu)",
                wanted >= 0 && type->tuple.len > (size_t)wanted ? "too many"
                                                                : "not enough",
                wanted < 0 ? -wanted : wanted, type->tuple.len);
    size_t index = at < 0 ? type->tuple.len - (size_t)-at : (size_t)at;
    r->type = type->tuple.items[index];
    if (r->is_emitting)
        r->value = rule_tuple_get(r, r->args[0], index);
    return true;
}

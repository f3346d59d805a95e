// SPDX-License-Identifier: MIT
// What the library is written with to implement containers: their cells and parts.

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "compiler/types/object_class.h"
#include "compiler/typing/infer/infer.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/containers/container.h"

// list_load(l, i), list_store(l, i, x), list_append(l, x), list_push(l, x),
// list_splice(l, at, removed, inserted), list_swap(l, i, j); data: the primitive
bool rule_library_list(struct rule *r)
{
    const struct type *type = rule_arg_type(r, 0);
    if (type->kind != TYPE_LIST || type_is_incomplete(type))
        return type->kind == TYPE_LIST || rule_no_match(r, "It takes a list.");
    enum ir_primitive primitive = (enum ir_primitive)r->data;
    bool is_added =
            primitive == PRIMITIVE_LIST_APPEND || primitive == PRIMITIVE_LIST_PUSH;
    size_t item = primitive == PRIMITIVE_LIST_STORE ? 2 : is_added ? 1 : SIZE_MAX;
    if (item < r->arg_count && !rule_check_stored(r, type->element, r->args[item]->type))
        return false;
    // a position that is no integer is in no range, whichever it is compared with
    for (size_t i = 1; i < r->arg_count; i++)
        if (i != item && !type_is_integer(rule_arg_type(r, i)) &&
                rule_arg_type(r, i) != type_bool)
            return rule_no_match(r, "A list is indexed by integers and slices.");
    r->type = primitive == PRIMITIVE_LIST_LOAD ? type->element : type_none;
    if (!r->is_emitting)
        return true;
    struct ir_instr *operands[4] = {rule_cast(r, r->args[0], type)};
    for (size_t i = 1; i < r->arg_count && i < 4; i++)
        operands[i] = rule_cast(r, r->args[i], i == item ? type->element : type_int64);
    r->value = rule_primitive(r, primitive, r->type, operands, r->arg_count);
    return true;
}

// list_part(l, i, part), list_set_part(l, i, part, x): of an item that is a tuple, or all
// of one that is not
bool rule_library_list_part(struct rule *r)
{
    const struct type *type = rule_arg_type(r, 0);
    int64_t part;
    if (type->kind != TYPE_LIST || type_is_incomplete(type))
        return type->kind == TYPE_LIST || rule_no_match(r, "It takes a list.");
    const struct type *item = type->element;
    if (!rule_constant_int(r->args[2], &part) || part < 0 ||
            (item->kind == TYPE_TUPLE && (size_t)part >= item->tuple.len))
        return rule_no_match(r, "The items must have this part.");
    const struct type *held = item->kind == TYPE_TUPLE ? item->tuple.items[part] : item;
    r->type = r->data ? type_none : held;
    if (r->data && !rule_check_stored(r, held, r->args[3]->type))
        return false;
    if (!r->is_emitting)
        return true;
    struct ir_instr *operands[3] = {
            rule_cast(r, r->args[0], type), rule_cast(r, r->args[1], type_int64)};
    if (r->data)
        operands[2] = rule_cast(r, r->args[3], held);
    r->value = rule_primitive(r, r->data ? PRIMITIVE_LIST_SET_PART : PRIMITIVE_LIST_PART,
            r->type, operands, r->data ? 3 : 2);
    r->value->immediate = item->kind == TYPE_TUPLE ? (int)part : -1;
    return true;
}

// empty_like(container[, capacity]): a new one of its type
bool rule_library_empty_like(struct rule *r)
{
    const struct type *type = rule_arg_type(r, 0);
    if (type->kind == TYPE_CLASS)
        type = type->element;
    if (!type_is_container(type))
        return rule_no_match(r, "It takes a container.");
    r->type = type;
    if (!r->is_emitting || type_is_incomplete(type))
        return true;
    struct ir_instr *capacity =
            rule_has_arg(r, 1) ? rule_cast(r, r->args[1], type_int64) : NULL;
    r->value = type->kind == TYPE_LIST && capacity
                       ? rule_primitive(r, PRIMITIVE_LIST_NEW, type, &capacity, 1)
                       : rule_empty_container(r, type);
    return true;
}

static bool check_defined(struct rule *r, const struct type *type)
{
    assert(type_is_object(type));
    return !type_is_undefined(type) || rule_fail(r, ERROR_TYPING,
                                               "a deferred type that %s has fields of is "
                                               "not defined: call its method "
                                               "define() before objects are used",
                                               type->name);
}

// dict._entries and such
bool rule_cell_getattr(struct rule *r, const struct type *type)
{
    assert(type_cell_field(type, r->name));
    const struct type_field *field = type_cell_field(type, r->name);
    if (!check_defined(r, type))
        return false;
    r->type = field->type;
    if (!r->is_emitting)
        return true;
    struct ir_instr *object = rule_cast(r, r->args[0], type);
    r->value = rule_primitive(r, PRIMITIVE_CELL_GET, r->type, &object, 1);
    r->value->immediate = (int)(field - type->cell.fields);
    return true;
}

// Whether a value is set to a field for the item that it is an array of: one without
// axes.
static bool is_set_for_item(const struct type *value, const struct type *held)
{
    return value->kind == TYPE_ARRAY && !value->array.ndim && held->kind != TYPE_ARRAY &&
           type_conversion(value, held) == CONVERT_NEVER;
}

bool rule_cell_setattr(struct rule *r, const struct type *type)
{
    const struct type_field *field = type_cell_field(type, r->instr->attribute);
    const struct type *held = field->type;
    if (!check_defined(r, type))
        return false;
    infer_refine_as(r->in, r->args[1], held);
    struct ir_instr *value = r->args[1];
    const struct type *given = value->type;
    bool is_item = is_set_for_item(given, held);
    if (type_conversion(is_item ? given->element : given, held) == CONVERT_NEVER)
        return rule_fail(r, ERROR_TYPING, "Cannot resolve setattr: (%s).%s = %s",
                type->name, field->name, given->name);
    if (!r->is_emitting)
        return true;
    if (is_item)
        value = rule_primitive(r, PRIMITIVE_ARRAY_LOAD, given->element, &value, 1);
    struct ir_instr *operands[] = {
            rule_cast(r, r->args[0], type), rule_cast(r, value, held)};
    rule_primitive(r, PRIMITIVE_CELL_SET, type_none, operands, 2)->immediate =
            (int)(field - type->cell.fields);
    return true;
}

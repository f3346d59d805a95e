// SPDX-License-Identifier: MIT
// Loops over np.ndindex, np.ndenumerate and np.nditer. Where nothing but one loop has
// what such a call gives, the loop goes over the places themselves; else, and for what
// has no axes, the call makes a generator (library/iteration.py).
#include "base/memory.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/arrays/arrays.h"

#include <stdlib.h>

// Generators need memory of the host's.
static bool is_on_host(struct rule *r)
{
    return rule_on_host(r,
            "%s() runs on the host only. In a kernel, loop over range() along each axis.",
            r->name);
}

static bool is_shape(const struct type *type)
{
    bool is_whole = type->kind == TYPE_TUPLE && type->tuple.len > 0;
    for (size_t i = 0; is_whole && i < type->tuple.len; i++)
        is_whole = type->tuple.items[i] == type_int64;
    return is_whole;
}

static bool over_primitive(struct rule *r, enum ir_primitive primitive,
        const struct type *type, struct ir_instr *operand)
{
    r->type = type;
    if (r->is_emitting)
        r->value = rule_primitive(r, primitive, type, &operand, 1);
    return true;
}

bool rule_np_ndindex(struct rule *r)
{
    struct rule shape = *r;
    if (!is_on_host(r))
        return false;
    if (!rule_is_asked_once(r, false))
        return rule_library(r, "iteration.ndindex");
    if (!rule_library(&shape, "iteration.shape_given"))
        return false;
    if (!shape.type)
        return true;
    return is_shape(shape.type) ? over_primitive(r, PRIMITIVE_INDICES,
                                          type_indices(shape.type), shape.value)
                                : rule_library(r, "iteration.ndindex");
}

// Whether the array has items that a loop over it gives one by one.
static bool has_items(const struct type *type)
{
    return type->kind == TYPE_ARRAY && type->array.ndim > 0 &&
           type->element->kind != TYPE_CELLS;
}

static const struct type *shape_type(int ndim)
{
    const struct type **items = memory_alloc((size_t)ndim * sizeof *items);
    for (int i = 0; i < ndim; i++)
        items[i] = type_int64;
    const struct type *type = type_tuple(items, (size_t)ndim);
    free(items);
    return type;
}

// One axis for all items of an array in C order.
static bool flatten(struct rule *r, struct ir_instr *array, struct rule *flat)
{
    *flat = *r;
    flat->args = arena_array(&r->in->function->arena, struct ir_instr *, 1);
    flat->args[0] = array;
    flat->arg_count = 1;
    return rule_library(flat, "iteration.flat_of");
}

bool rule_np_ndenumerate(struct rule *r)
{
    const struct type *array = rule_arg_type(r, 0);
    struct rule flat;
    bool is_plain = has_items(array) && array->array.layout == LAYOUT_C;
    if (!is_on_host(r))
        return false;
    if (!is_plain || !rule_is_asked_once(r, false))
        return rule_library(r, "iteration.ndenumerate");
    if (!flatten(r, r->args[0], &flat))
        return false;
    if (!flat.type)
        return true;
    const struct type *shape = shape_type(array->array.ndim);
    const struct type *both[] = {type_indices(shape), flat.type};
    r->type = type_zip(both, 2);
    if (r->is_emitting) {
        struct ir_instr *value = rule_cast(r, r->args[0], array);
        value = rule_primitive(r, PRIMITIVE_ARRAY_SHAPE, shape, &value, 1);
        struct ir_instr *parts[] = {
                rule_primitive(r, PRIMITIVE_INDICES, both[0], &value, 1), flat.value};
        r->value = rule_primitive(r, PRIMITIVE_ZIP, r->type, parts, 2);
    }
    return true;
}

// Of several arrays, which are broadcast to one shape first.
static bool over_several(struct rule *r)
{
    struct rule inner = *r;
    bool is_typed = rule_library(&inner, "iteration.operands_of");
    if (!is_typed || !inner.type)
        return is_typed;
    size_t count = inner.type->tuple.len;
    const struct type **types = memory_alloc((count + 1) * sizeof *types);
    bool have_items = count > 0;
    for (size_t i = 0; i < count; i++) {
        have_items = have_items && has_items(inner.type->tuple.items[i]);
        types[i] = have_items ? type_views(inner.type->tuple.items[i]) : NULL;
    }
    r->type = have_items ? type_zip(types, count) : NULL;
    free(types);
    if (!have_items)
        return rule_library(r, "iteration.nditer");
    if (!r->is_emitting)
        return true;
    struct ir_instr **parts =
            arena_array(&r->in->function->arena, struct ir_instr *, count);
    for (size_t i = 0; i < count; i++) {
        struct ir_instr *array = rule_tuple_get(r, inner.value, i);
        parts[i] = rule_primitive(r, PRIMITIVE_VIEWS, r->type->tuple.items[i], &array, 1);
    }
    r->value = rule_primitive(r, PRIMITIVE_ZIP, r->type, parts, count);
    return true;
}

bool rule_np_nditer(struct rule *r)
{
    const struct type *op = rule_arg_type(r, 0);
    struct rule flat;
    if (!is_on_host(r))
        return false;
    if (!rule_is_asked_once(r, false))
        return rule_library(r, "iteration.nditer");
    if (op->kind == TYPE_TUPLE || op->kind == TYPE_LIST)
        return over_several(r);
    if (!has_items(op))
        return rule_library(r, "iteration.nditer");
    if (op->array.layout != LAYOUT_C)
        return over_primitive(r, PRIMITIVE_VIEWS, type_views(op),
                r->is_emitting ? rule_cast(r, r->args[0], op) : NULL);
    if (!flatten(r, r->args[0], &flat))
        return false;
    return !flat.type ||
           over_primitive(r, PRIMITIVE_VIEWS, type_views(flat.type), flat.value);
}

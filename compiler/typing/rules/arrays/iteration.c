// SPDX-License-Identifier: MIT
// Loops over np.ndindex, np.ndenumerate, np.nditer and a.flat. Where nothing but one loop
// has what such a call gives, the loop goes over the places themselves; else, and for
// what has no axes, the call makes a generator (library/iteration.py).
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/arrays/arrays.h"

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

// One axis for all items of an array without gaps, as they lie.
static bool flatten(struct rule *r, struct ir_instr *array, struct rule *flat)
{
    *flat = *r;
    flat->args = arena_array(&r->in->function->arena, struct ir_instr *, 1);
    flat->args[0] = array;
    flat->arg_count = 1;
    return rule_library(flat, "iteration.lying");
}

bool rule_np_ndenumerate(struct rule *r)
{
    const struct type *array = rule_arg_type(r, 0);
    if (!is_on_host(r))
        return false;
    if (!has_items(array) || !rule_is_asked_once(r, false))
        return rule_library(r, "iteration.ndenumerate");
    return over_primitive(r, PRIMITIVE_INDICES, type_indices(array),
            r->is_emitting ? rule_cast(r, r->args[0], array) : NULL);
}

bool rule_array_flat(struct rule *r, const struct type *array)
{
    bool is_walked = r->is_emitting ? r->instr->type->kind == TYPE_FLAT
                                    : r->in->target == TARGET_HOST && has_items(array) &&
                                              array->array.layout != LAYOUT_C &&
                                              rule_is_asked_once(r, false);
    if (!is_walked)
        return rule_library(r, "iteration.flat_of");
    return over_primitive(r, PRIMITIVE_FLAT, type_flat(array),
            r->is_emitting ? rule_cast(r, r->args[0], array) : NULL);
}

// Of several arrays, which are broadcast to one shape first.
static bool over_several(struct rule *r)
{
    struct rule inner = *r;
    bool is_typed = rule_library(&inner, "iteration.operands_of");
    if (!is_typed || !inner.type)
        return is_typed;
    bool have_items = inner.type->tuple.len > 0;
    for (size_t i = 0; i < inner.type->tuple.len; i++)
        have_items = have_items && has_items(inner.type->tuple.items[i]);
    if (!have_items)
        return rule_library(r, "iteration.nditer");
    return over_primitive(r, PRIMITIVE_VIEWS, type_views(inner.type), inner.value);
}

// One array in Fortran order is gone over as it lies, as by NumPy.
bool rule_np_nditer(struct rule *r)
{
    const struct type *op = rule_arg_type(r, 0);
    struct rule inner;
    if (!is_on_host(r))
        return false;
    if (!rule_is_asked_once(r, false))
        return rule_library(r, "iteration.nditer");
    if (op->kind == TYPE_TUPLE || op->kind == TYPE_LIST)
        return over_several(r);
    if (!has_items(op))
        return rule_library(r, "iteration.nditer");
    if (op->array.layout == LAYOUT_A)
        return over_primitive(r, PRIMITIVE_VIEWS, type_views(op),
                r->is_emitting ? rule_cast(r, r->args[0], op) : NULL);
    return flatten(r, r->args[0], &inner) &&
           (!inner.type || over_primitive(r, PRIMITIVE_VIEWS, type_views(inner.type),
                                   inner.value));
}

// SPDX-License-Identifier: MIT
// Methods of arrays that take a shape or an order of axes: as a tuple, or item by item.

#include <string.h>

#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/arrays/arrays.h"

// A tuple of the values, or what stands for one while nothing is emitted.
static struct ir_instr *tuple_of(
        struct rule *r, struct ir_instr *const *values, size_t count)
{
    if (r->is_emitting)
        return rule_tuple(r, values, count);
    const struct type **types =
            arena_array(&r->in->function->arena, const struct type *, count + 1);
    for (size_t i = 0; i < count; i++)
        types[i] = type_int64;
    return rule_stand_in(r, type_tuple(types, count));
}

// The first arguments as a tuple, unless the first one is a tuple itself.
static struct ir_instr *leading_tuple(struct rule *r, size_t count)
{
    return rule_arg_type(r, 0)->kind == TYPE_TUPLE ? r->args[0]
                                                   : tuple_of(r, r->args, count);
}

bool rule_transpose_by(struct rule *r)
{
    struct ir_instr *args[] = {r->receiver, leading_tuple(r, r->arg_count)};
    r->args = args;
    r->arg_count = 2;
    return rule_library(r, "shapes.transpose");
}

static bool reshape_to(struct rule *r, const struct type *type,
        struct ir_instr *const *dims, size_t count);

// Of an array in another layout than C: a view where its strides allow one. In CUDA code,
// where nothing can be copied, the library refuses all that are not contiguous.
static bool reshape_apart(struct rule *r, struct ir_instr *const *dims, size_t count)
{
    if (r->in->target == TARGET_HOST) {
        struct ir_instr *args[] = {r->receiver, tuple_of(r, dims, count)};
        r->args = args;
        r->arg_count = 2;
        return rule_library(r, "strides.reshaped");
    }
    struct rule dense = *r;
    dense.args = &r->receiver;
    dense.arg_count = 1;
    dense.value = NULL;
    if (!rule_library(&dense, "views.contiguous") || !dense.type)
        return r->in->err->kind == ERROR_NONE;
    if (r->is_emitting)
        r->receiver = dense.value;
    return reshape_to(r, dense.type, dims, count);
}

static bool reshape_to(struct rule *r, const struct type *type,
        struct ir_instr *const *dims, size_t count)
{
    if (type->array.layout != LAYOUT_C)
        return reshape_apart(r, dims, count);
    r->type = type_array_in(type->element, (int)count, LAYOUT_C, type->array.is_readonly,
            type->array.is_aligned, type->array.address_space);
    if (!r->is_emitting)
        return true;
    struct ir_instr **values =
            arena_array(&r->in->function->arena, struct ir_instr *, count + 1);
    for (size_t i = 0; i < count; i++)
        values[i] = rule_cast(r, dims[i], type_int64);
    struct ir_instr *operands[] = {
            rule_cast(r, r->receiver, type), rule_tuple(r, values, count)};
    r->value = rule_primitive(r, PRIMITIVE_ARRAY_RESHAPE, r->type, operands, 2);
    return true;
}

// reshape(2, 3, order="F"): of one shape
static bool reshape_ordered(struct rule *r)
{
    const struct ir_call *call = &r->instr->call;
    size_t count = r->arg_count - 1;
    if (call->keyword_count != 1 || strcmp(call->keywords[0], "order") != 0 || !count)
        return rule_no_match(r, "Its one keyword is `order`.");
    struct ir_instr *args[] = {r->receiver, leading_tuple(r, count), r->args[count]};
    r->args = args;
    r->arg_count = 3;
    return rule_library(r, "shapes.reshape");
}

bool rule_reshape(struct rule *r, const struct type *type)
{
    if (r->instr->call.keyword_count)
        return reshape_ordered(r);
    for (size_t i = 0; i < r->arg_count; i++)
        if (!type_is_integer(rule_arg_type(r, i)) &&
                rule_arg_type(r, i)->kind != TYPE_TUPLE)
            return rule_no_match(r, "reshape() takes integers, or a tuple of them.");
    if (r->arg_count != 1 || rule_arg_type(r, 0)->kind != TYPE_TUPLE)
        return reshape_to(r, type, r->args, r->arg_count);
    const struct type *tuple = rule_arg_type(r, 0);
    size_t count = tuple->tuple.len;
    struct ir_instr **dims =
            arena_array(&r->in->function->arena, struct ir_instr *, count + 1);
    for (size_t i = 0; i < count; i++) {
        if (!type_is_integer(tuple->tuple.items[i]))
            return rule_no_match(r, "reshape() takes integers, or a tuple of them.");
        if (r->is_emitting)
            dims[i] = rule_tuple_get(r, r->args[0], i);
    }
    return reshape_to(r, type, dims, count);
}

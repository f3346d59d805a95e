// SPDX-License-Identifier: MIT
// What a loop runs over: of an enum its members, of a dict or set a list of what is in
// it, of a value of a type that the program added what its code for iteration gives.
#include <assert.h>

#include "compiler/typing/infer/overload.h"
#include "compiler/typing/infer/rule.h"

// --- Members of an enum

struct ir_instr *rule_member(struct rule *r, const struct type *type, size_t i)
{
    assert(type->kind == TYPE_ENUM && i < type->enumeration.len);
    struct ir_instr *value = rule_emit(r, IR_CONST, type, NULL, 0);
    value->constant = type_member_value(type, i);
    value->constant.type = type;
    return value;
}

struct ir_instr *rule_members(struct rule *r, const struct type *class_type)
{
    const struct type *type = class_type->element;
    struct ir_instr **members = arena_array(
            &r->in->function->arena, struct ir_instr *, type->enumeration.len + 1);
    for (size_t i = 0; i < type->enumeration.len; i++)
        members[i] = rule_member(r, type, i);
    return rule_tuple(r, members, type->enumeration.len);
}

// --- Types that the program adds

// What its getiter and iternext are called by is a generator: the attribute __iter__,
// which numba/core/extension/iteration.py answers for.
static bool extension_iterable(struct rule *r, struct ir_instr *value,
        const struct type **type, struct ir_instr **out)
{
    struct rule inner = *r;
    inner.args = &value;
    inner.arg_count = 1;
    inner.value = NULL;
    inner.type = NULL;
    bool has = false;
    if (!overload_has_answers())
        return true;
    if (!rule_overloads_have(&inner, value->type, "__iter__", &has))
        return false;
    if (!has)
        return true;
    if (!rule_overloaded_attribute(&inner, value->type))
        return false;
    *type = inner.type;
    if (inner.value)
        *out = inner.value;
    return true;
}

// --- Containers

bool rule_container_iterable(struct rule *r, struct ir_instr *value,
        const struct type **type, struct ir_instr **out)
{
    const struct type *container = value->type;
    *out = value;
    *type = container;
    if (container->kind == TYPE_EXTENSION)
        return extension_iterable(r, value, type, out);
    bool is_texts = rule_is_text_array(container) && container->array.ndim == 1;
    if (container->kind != TYPE_DICT && container->kind != TYPE_SET && !is_texts)
        return true;
    struct rule inner = *r;
    inner.args = &value;
    inner.arg_count = 1;
    inner.value = NULL;
    inner.type = NULL;
    if (!rule_library(&inner, is_texts                       ? "texts.items"
                              : container->kind == TYPE_DICT ? "dict.keys"
                                                             : "set.items"))
        return false;
    *type = type_list(is_texts ? container->element->element : container->element, false);
    if (inner.value)
        *out = inner.value;
    return true;
}

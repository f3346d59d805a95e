// SPDX-License-Identifier: MIT
// Lists, sets and dicts as they are made: displays, calls of their classes, and what
// numba.typed has for it.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/typing/infer/infer.h"
#include "compiler/typing/rules/containers/container.h"

static bool on_host(struct rule *r)
{
    return rule_on_host(r, "lists, dicts and sets need memory that grows, which CUDA "
                           "code does not have: use an array or a tuple.");
}

static const struct type *part_type(
        struct rule *r, const struct type *known, size_t first, size_t step)
{
    for (size_t i = first; i < r->arg_count; i += step) {
        const struct type *type = r->args[i]->type;
        const struct type *both = known ? type_unify(known, type) : type;
        if (!both) {
            rule_fail(r, ERROR_TYPING,
                    "Cannot unify %s and %s: the items of a list, set or dict must have "
                    "one type",
                    known->name, type->name);
            return NULL;
        }
        known = both;
    }
    return known;
}

static const struct type *display_type(enum ir_op op, const struct type *element,
        const struct type *value, bool is_typed)
{
    return op == IR_BUILD_LIST  ? type_list(element, is_typed)
           : op == IR_BUILD_SET ? type_set(element, is_typed)
                                : type_dict(element, value, true);
}

// A list or set that only a loop or a membership test sees, as a tuple: CUDA code has
// these.
static bool build_tuple(struct rule *r, const struct type *element)
{
    const struct type **types = memory_alloc(r->arg_count * sizeof *types);
    for (size_t i = 0; i < r->arg_count; i++)
        types[i] = element;
    r->type = type_tuple(types, r->arg_count);
    free(types);
    if (!r->is_emitting)
        return true;
    for (size_t i = 0; i < r->arg_count; i++)
        r->args[i] = rule_cast(r, r->args[i], element);
    r->value = rule_tuple(r, r->args, r->arg_count);
    return true;
}

// Types, and fills, the container with r->args.
static bool build(struct rule *r, enum ir_op op, bool is_typed)
{
    const struct type *refined = r->instr->refined;
    bool is_dict = op == IR_BUILD_DICT;
    if (!refined && !is_typed && rule_is_mixed_display(r, op))
        return rule_mixed_display(r, op);
    const struct type *element =
            part_type(r, refined ? refined->element : NULL, 0, is_dict ? 2 : 1);
    const struct type *value =
            is_dict ? part_type(r, refined ? refined->cell.value : NULL, 1, 2) : NULL;
    if (r->in->target != TARGET_HOST && r->instr->immediate && element)
        return build_tuple(r, element);
    if (!on_host(r) || r->in->err->kind)
        return false;
    r->type = display_type(op, element, value, is_typed);
    for (size_t i = 0; i < r->arg_count; i++)
        infer_refine_as(r->in, r->args[i], is_dict && i % 2 ? value : element);
    if (type_is_incomplete(r->type))
        return true;
    if (op == IR_BUILD_LIST) {
        if (!r->is_emitting)
            return true;
        r->value = rule_new_list(r, r->type, r->arg_count);
        for (size_t i = 0; i < r->arg_count; i++) {
            struct ir_instr *operands[] = {
                    r->value, rule_cast(r, r->args[i], r->type->element)};
            rule_primitive(r, PRIMITIVE_LIST_PUSH, type_none, operands, 2);
        }
        return true;
    }
    const struct type *type = r->type;
    struct ir_instr **args = r->args;
    size_t count = r->arg_count;
    struct ir_instr container = {.op = IR_CONST, .id = INT32_MAX, .type = type};
    struct ir_instr *made = r->is_emitting ? rule_empty_container(r, type) : &container;
    for (size_t i = 0; i < count; i += is_dict ? 2 : 1) {
        struct ir_instr *parts[] = {made, args[i], is_dict ? args[i + 1] : NULL};
        r->args = parts;
        r->arg_count = is_dict ? 3 : 2;
        r->type = NULL;
        if (!rule_library(r, is_dict ? "dict.put" : "set.add"))
            return false;
    }
    r->type = type;
    r->value = r->is_emitting ? made : NULL;
    return true;
}

bool rule_display(struct rule *r)
{
    r->name = ir_op_name(r->instr->op);
    return build(r, r->instr->op, false);
}

// What a loop would go over is new, and nobody else's.
static bool list_of_entries(struct rule *r)
{
    struct ir_instr *list = NULL;
    const struct type *type;
    if (!rule_container_iterable(r, r->args[0], &type, &list))
        return false;
    r->type = type;
    r->value = r->is_emitting ? list : NULL;
    return true;
}

// list(), list(iterable), and so on; data: the display's op, negative: a typed one
bool rule_container_new(struct rule *r)
{
    enum ir_op op = (enum ir_op)(r->data < 0 ? -r->data : r->data);
    if (!r->arg_count)
        return build(r, op, r->data < 0);
    if (r->data == IR_BUILD_LIST && type_has_entries(r->args[0]->type) &&
            !type_is_incomplete(r->args[0]->type))
        return on_host(r) && list_of_entries(r);
    return on_host(r) &&
           rule_library(r, r->data < 0           ? op == IR_BUILD_LIST  ? "list.make_typed"
                                                   : op == IR_BUILD_SET ? "set.make_typed"
                                                                        : "dict.make"
                           : op == IR_BUILD_LIST ? "list.make"
                           : op == IR_BUILD_SET  ? "set.make"
                                                 : "dict.make");
}

// List.empty_list(T), Dict.empty(K, V): of the types that are given
bool rule_container_empty(struct rule *r)
{
    enum ir_op op = (enum ir_op)r->data;
    const struct type *types[2] = {NULL};
    for (size_t i = 0; i < (op == IR_BUILD_DICT ? 2 : 1); i++) {
        types[i] = rule_dtype(r->args[i]);
        if (!types[i])
            return rule_no_match(r, "The types of what it holds are to be given.");
    }
    if (!on_host(r))
        return false;
    r->type = display_type(op, types[0], types[1], true);
    if (r->is_emitting)
        r->value = rule_empty_container(r, r->type);
    return true;
}

bool rule_typed_attribute(struct rule *r, const char *class)
{
    char full[64];
    snprintf(full, sizeof full, "%s.%s", class, r->name);
    const struct builtin *builtin = rule_find_builtin(r, full);
    if (!builtin)
        return rule_overloaded_attribute(r, r->args[0]->type);
    r->type = type_function_of(builtin->name);
    if (r->is_emitting) {
        r->value = rule_emit(r, IR_CONST, r->type, NULL, 0);
        r->value->constant =
                (struct constant){.type = type_function, .name = builtin->name};
    }
    return true;
}

// SPDX-License-Identifier: MIT
// Loops that run in parallel: the function of a part of the loop, and the one that adds
// parts up, for the types of what they use.

#include <string.h>

#include "compiler/typing/infer/infer.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/language/language.h"

enum { BOUND_COUNT = 3 };

static struct ir_function *infer_body(struct rule *r)
{
    struct ir_parallel *parallel = r->instr->parallel;
    const struct type **types =
            arena_array(&r->in->function->arena, const struct type *, r->arg_count + 1);
    for (size_t i = 0; i < r->arg_count; i++)
        types[i] = i < BOUND_COUNT ? type_int64 : r->args[i]->type;
    struct signature signature = {.params = types, .param_count = r->arg_count};
    return infer_callee(r->in, parallel->body, signature, r->instr->span);
}

// The totals' types: what holds the initial values and the parts.
static bool find_totals(
        struct rule *r, const struct type *parts, const struct type **totals)
{
    const struct ir_parallel *parallel = r->instr->parallel;
    for (size_t i = 0; i < parallel->result_count; i++) {
        const struct type *initial = r->args[parallel->initial[i]]->type;
        totals[i] = type_unify(initial, parts->tuple.items[i]);
        if (!totals[i])
            return rule_fail(r, ERROR_TYPING,
                    "Cannot unify %s and %s for a variable that the loop adds up",
                    initial->name, parts->tuple.items[i]->name);
    }
    return true;
}

static struct ir_function *infer_combine(
        struct rule *r, const struct type *parts, const struct type *const *totals)
{
    const struct ir_parallel *parallel = r->instr->parallel;
    size_t count = parallel->result_count;
    const struct type **types =
            arena_array(&r->in->function->arena, const struct type *, 2 * count + 1);
    for (size_t i = 0; i < count; i++) {
        types[2 * i] = totals[i];
        types[2 * i + 1] = parts->tuple.items[i];
    }
    struct signature signature = {.params = types,
            .param_count = 2 * count,
            .returns = type_tuple(totals, count)};
    return infer_callee(r->in, parallel->combine, signature, r->instr->span);
}

static bool check_bounds(struct rule *r)
{
    for (size_t i = 0; i < BOUND_COUNT; i++)
        if (!type_is_integer(rule_arg_type(r, i)))
            return rule_fail(r, ERROR_TYPING, "prange() takes integers, not %s",
                    r->args[i]->type->name);
    return true;
}

static void emit(struct rule *r, struct ir_function *body, struct ir_function *combine,
        const struct type *const *totals)
{
    struct ir_parallel *parallel = r->instr->parallel;
    size_t count = r->arg_count + parallel->result_count;
    struct ir_instr **operands =
            arena_array(&r->in->function->arena, struct ir_instr *, count + 1);
    for (size_t i = 0; i < r->arg_count; i++)
        operands[i] = rule_cast(r, r->args[i], body->params[i]);
    for (size_t i = 0; i < parallel->result_count; i++)
        operands[r->arg_count + i] =
                rule_cast(r, r->args[parallel->initial[i]], totals[i]);
    r->value = rule_emit(r, IR_PARALLEL_FOR, r->type, operands, count);
    struct ir_parallel *copy = arena_new(&r->in->function->arena, struct ir_parallel);
    *copy = *parallel;
    copy->body_function = body;
    copy->combine_function = combine;
    r->value->parallel = copy;
}

bool rule_parallel_for(struct rule *r)
{
    const struct ir_parallel *parallel = r->instr->parallel;
    const struct type **totals = arena_array(
            &r->in->function->arena, const struct type *, parallel->result_count + 1);
    if (!check_bounds(r))
        return false;
    struct ir_function *body = infer_body(r), *combine = NULL;
    if (!body)
        return false;
    if (!body->returns)
        return true;
    if (!find_totals(r, body->returns, totals))
        return false;
    if (parallel->result_count && !(combine = infer_combine(r, body->returns, totals)))
        return false;
    r->type = type_tuple(totals, parallel->result_count);
    if (r->is_emitting)
        emit(r, body, combine, totals);
    return true;
}

// What a reduction starts with: 0 or 1 of the type, for an array one of such elements.
bool rule_parallel_start(struct rule *r)
{
    const struct type *type = rule_arg_type(r, 0);
    if (type->kind == TYPE_ARRAY)
        return rule_call_builtin(r, r->data ? "numpy.ones_like" : "numpy.zeros_like");
    if (!type_is_number(type))
        return rule_no_match(r, "A loop can add up numbers and arrays.");
    r->type = type;
    if (r->is_emitting)
        r->value = rule_int(r, type, r->data);
    return true;
}

bool rule_thread(struct rule *r)
{
    return rule_do_primitive(r, (enum ir_primitive)r->data, type_int64, NULL);
}

// SPDX-License-Identifier: MIT
// Reductions of expressions of whole arrays, np.sum(a * b): the expression is a function
// of numbers (arrays/elementwise.c) that the reduction's loop calls. It makes no array.

#include <stdio.h>
#include <string.h>

#include "compiler/typing/infer/infer.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/arrays/arrays.h"

enum { OPERANDS = 6, PARAMS = OPERANDS + 2 };

// The reduction's name in the library, or NULL.
static const char *reduction_name(const struct builtin *builtin)
{
    static const char *const names[] = {"sum", "prod", "mean", "max", "min", "any", "all",
            "count_nonzero", "var", "std", "argmin", "argmax"};
    if (!str_starts_with(builtin->name, "numpy."))
        return NULL;
    const char *name = builtin->name + strlen("numpy.");
    if (!strcmp(name, "amax") || !strcmp(name, "amin"))
        name++;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name))
            return names[i];
    return NULL;
}

static bool is_reducible(const struct rule *r)
{
    const struct type *type = r->args[0]->type;
    if (type->kind != TYPE_ARRAY || !type->array.ndim)
        return false;
    const struct type *item = type->element;
    return item == type_bool || type_is_integer(item) || item == type_float32 ||
           item == type_float64;
}

// Whether threads share it out: places and distances from the mean they do not.
static bool is_shared(const char *name)
{
    return strncmp(name, "arg", 3) != 0 && strcmp(name, "var") != 0 &&
           strcmp(name, "std") != 0;
}

static bool is_plain(const struct rule *r)
{
    return r->in->target == TARGET_HOST && !r->out && r->arg_count == 1;
}

// A large array without gaps, under parallel=True, as an expression of itself.
static bool whole_array(
        const struct rule *r, const struct builtin *builtin, struct ir_map *map)
{
    const char *name = reduction_name(builtin);
    if (!r->in->source->options.parallel || r->in->source->options.is_library || !name ||
            !is_shared(name) || !is_plain(r))
        return false;
    const struct type *type = rule_arg_type(r, 0);
    if (type->kind != TYPE_ARRAY || type->array.layout != LAYOUT_C || !is_reducible(r) ||
            type->element == type_bool)
        return false;
    map->function = type_function_of("numpy.positive");
    map->operands = r->args;
    map->count = 1;
    return true;
}

static struct ir_map *map_of(struct rule *r, const struct builtin *builtin)
{
    if (!is_plain(r) || !reduction_name(builtin) || !rule_can_fuse(r, r->args[0]))
        return NULL;
    struct ir_map *map = r->args[0]->map;
    if (is_reducible(r))
        return map;
    if (!r->is_emitting && map->fused_into == r->instr)
        map->fused_into = NULL;
    return NULL;
}

// The map's function as one of all six operands.
static const struct type *function_of(struct rule *r, const struct ir_map *map)
{
    const char *name = map->function->function;
    if (str_starts_with(name, FUSED_PREFIX))
        return map->function;
    char *text = arena_printf(&r->in->function->arena, FUSED_PREFIX "%s(", name);
    for (size_t i = 0; i < map->count; i++)
        text = arena_printf(&r->in->function->arena, "%s%s%zu", text, i ? "," : "", i);
    return type_function_of(arena_printf(&r->in->function->arena, "%s)", text));
}

static void emit_call(struct rule *r, struct ir_function *callee,
        const struct ir_map *map, const struct type *const *params)
{
    struct ir_instr *values[PARAMS];
    values[0] = rule_constant_of(r, params[0],
            (struct constant){.type = type_function, .name = params[0]->function});
    for (size_t i = 0; i < OPERANDS; i++)
        values[i + 1] = i < map->count ? rule_cast(r, map->operands[i], params[i + 1])
                                       : rule_int(r, type_int64, 0);
    const struct type *dtype = params[PARAMS - 1];
    values[PARAMS - 1] = rule_constant_of(
            r, dtype, (struct constant){.type = dtype, .instance = dtype->element});
    r->value = rule_emit(r, IR_CALL_DIRECT, callee->returns, values, PARAMS);
    r->value->callee = callee;
}

bool rule_reduce_map(struct rule *r, const struct builtin *builtin, bool *is_done)
{
    struct ir_map *map = map_of(r, builtin), whole = {0};
    if (!map && whole_array(r, builtin, &whole))
        map = &whole;
    if (!map)
        return true;
    bool is_parallel =
            r->in->source->options.parallel && is_shared(reduction_name(builtin));
    char name[64];
    snprintf(name, sizeof name, "reduced.%s%s", is_parallel ? "spread_" : "",
            reduction_name(builtin));
    const struct type *params[PARAMS] = {function_of(r, map)};
    for (size_t i = 0; i < OPERANDS; i++)
        params[i + 1] =
                i < map->count ? rule_value_type(map->operands[i]->type) : type_int64;
    params[PARAMS - 1] = type_class(r->args[0]->type->element);
    struct source *source = infer_library(r->in, name);
    struct signature signature = {.params = params, .param_count = PARAMS};
    struct ir_function *callee =
            source ? rule_library_callee(r, source, signature) : NULL;
    if (!callee)
        return false;
    *is_done = true;
    map->fused_into = r->instr;
    r->type = callee->returns;
    if (r->is_emitting && is_parallel)
        rule_note_parallel(r, "reduction", reduction_name(builtin));
    if (r->is_emitting)
        emit_call(r, callee, map, params);
    return true;
}

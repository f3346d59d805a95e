// SPDX-License-Identifier: MIT
// Sources: their life, and binding of call arguments to parameters. Inference is
// typing/infer/infer.c's.
#include "compiler/frontend/source.h"

#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "compiler/ir/ir.h"
#include "compiler/frontend/ufunc_names.h"

struct source *source_create(const char *name)
{
    static atomic_uint_fast64_t count;
    types_init();
    struct source *source = memory_zalloc(sizeof *source);
    source->serial = atomic_fetch_add(&count, 1) + 1;
    source->name = source->qualname = arena_strdup(&source->arena, name);
    return source;
}

void source_destroy(struct source *source)
{
    if (!source)
        return;
    ufunc_forget(source);
    vec_each (typed, &source->typed)
        ir_function_destroy(typed->function);
    vec_finish(&source->typed);
    vec_each (inner, &source->inner)
        source_destroy(*inner);
    vec_finish(&source->inner);
    arena_finish(&source->arena);
    free(source);
}

static int find_param(const struct source *source, const char *name)
{
    for (size_t i = 0; i < source->param_count; i++)
        if (!source->params[i].is_star && !strcmp(source->params[i].name, name))
            return (int)i;
    return -1;
}

// Positional arguments fill parameters in order; *args takes the rest.
static bool bind_positional(
        const struct source *source, size_t count, int *order, struct error *err)
{
    size_t param = 0;
    for (size_t i = 0; i < count; i++, param++) {
        if (param >= source->param_count || source->params[param].is_keyword_only)
            return error_set(err, ERROR_TYPE, SPAN_NONE,
                    "too many arguments: expected %zu, got %zu",
                    param - source->capture_count, count - source->capture_count);
        order[param] = (int)i;
        if (source->params[param].is_star)
            break;
    }
    return true;
}

static bool bind_keyword(const struct source *source, const char *name, int index,
        int *order, struct error *err)
{
    int param = find_param(source, name);
    if (param < 0)
        return error_set(err, ERROR_TYPE, SPAN_NONE,
                "got an unexpected keyword argument '%s'", name);
    if (source->params[param].is_positional_only)
        return error_set(err, ERROR_TYPE, SPAN_NONE,
                "got some positional-only arguments passed as keyword arguments: '%s'",
                name);
    if (order[param] >= 0)
        return error_set(err, ERROR_TYPE, SPAN_NONE,
                "got multiple values for argument '%s'", name);
    order[param] = index;
    return true;
}

bool source_bind(const struct source *source, size_t positional_count,
        const char *const *keywords, size_t keyword_count, int *order, struct error *err)
{
    for (size_t i = 0; i < source->param_count; i++)
        order[i] = -1;
    if (!bind_positional(source, positional_count, order, err))
        return false;
    for (size_t i = 0; i < keyword_count; i++)
        if (!bind_keyword(source, keywords[i], (int)(positional_count + i), order, err))
            return false;
    for (size_t i = 0; i < source->param_count; i++) {
        const struct source_param *param = &source->params[i];
        if (order[i] < 0 && param->default_param)
            order[i] = param->default_param - 1;
        if (order[i] >= 0 || param->has_default || param->is_star)
            continue;
        if (keyword_count)
            return error_set(
                    err, ERROR_TYPE, SPAN_NONE, "missing argument '%s'", param->name);
        return error_set(err, ERROR_TYPE, SPAN_NONE,
                "not enough arguments: expected %zu, got %zu",
                source->param_count - source->capture_count,
                positional_count - source->capture_count);
    }
    return true;
}

// SPDX-License-Identifier: MIT
// The public entry: inference, then the backend of the target.
#include "compiler/compiler.h"

#include "compiler/backends/backend.h"
#include "compiler/ir/lower/lower.h"
#include "compiler/typing/infer/annotate.h"
#include "compiler/typing/rules.h"

static const struct infer_stages stages = {
        .lower = ir_lower,
        .verify = ir_verify,
        .rules = &typing_rules,
        .annotate = annotate_function,
        .resolve = infer_resolve,
        .check_own_arrays = infer_check_own_arrays,
};

struct ir_function *source_infer(struct source *source, const struct type *const *params,
        size_t param_count, const struct type *returns, enum target_kind target,
        struct error *err)
{
    struct signature signature = {returns, params, param_count};
    return infer_source(&stages, source, &signature, target, err);
}

struct compiled *compile(struct source *source, const struct type *const *params,
        size_t param_count, const struct type *returns,
        const struct compile_options *options, struct error *err)
{
    struct ir_function *function =
            source_infer(source, params, param_count, returns, options->target, err);
    return function ? compile_resolved(function, options, err) : NULL;
}

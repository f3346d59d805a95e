// SPDX-License-Identifier: MIT
// The public entry: inference, then the backend of the target.
#include "compiler/compiler.h"

#include "compiler/backends/backend.h"

struct compiled *compile(struct source *source, const struct type *const *params,
        size_t param_count, const struct type *returns,
        const struct compile_options *options, struct error *err)
{
    struct ir_function *function =
            source_infer(source, params, param_count, returns, options->target, err);
    return function ? compile_resolved(function, options, err) : NULL;
}

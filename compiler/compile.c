// SPDX-License-Identifier: MIT
// The public entry: inference, then the backend of the target.
#include "compiler/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "compiler/backends/backend.h"
#include "compiler/backends/cpu/host.h"
#include "compiler/backends/emulator/emulator.h"
#include "compiler/backends/gpu/gpu.h"
#include "compiler/compiler.h"
#include "compiler/ir/lower/lower.h"
#include "compiler/typing/infer/annotate.h"
#include "compiler/typing/rules.h"

bool (*compiler_load_llvm)(struct error *err);

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static bool run_backend(struct compiled *compiled, const struct compile_options *options,
        struct error *err)
{
    switch (options->target) {
    case TARGET_HOST:
        return host_compile(compiled, options, err);
    case TARGET_EMULATOR:
        return emulator_compile(compiled, options, err);
    case TARGET_GPU:
        return gpu_compile(compiled, options, err);
    }
    return error_set(err, ERROR_VALUE, SPAN_NONE, "unknown target");
}

// GRIDCELL_DUMP=ir,llvm,ptx writes what was compiled to stderr.
static void dump(struct compiled *compiled)
{
    const char *wanted = getenv("GRIDCELL_DUMP");
    if (!wanted)
        return;
    if (strstr(wanted, "ir")) {
        struct str text = {0};
        ir_print(compiled->function, &text);
        fputs(str_text(&text), stderr);
        str_finish(&text);
    }
    struct error ignored = {0};
    const char *llvm_ir =
            strstr(wanted, "llvm") ? compiled_llvm(compiled, &ignored) : NULL;
    if (llvm_ir)
        fputs(llvm_ir, stderr);
    if (strstr(wanted, "ptx") && compiled->ptx)
        fputs(compiled->ptx, stderr);
}

struct compiled *compile_resolved(const struct ir_function *function,
        const struct compile_options *options, struct error *err)
{
    double start = now_ms();
    if (compiler_load_llvm && !compiler_load_llvm(err))
        return NULL;
    struct compiled *compiled = memory_zalloc(sizeof *compiled);
    compiled->private = memory_zalloc(sizeof *compiled->private);
    compiled->function = function;
    compiled->target = options->target;
    if (!run_backend(compiled, options, err)) {
        compiled_destroy(compiled);
        return NULL;
    }
    dump(compiled);
    compiled->compile_ms = now_ms() - start;
    return compiled;
}

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

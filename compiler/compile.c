// SPDX-License-Identifier: MIT
// All that a function goes through from its syntax tree to machine code or PTX, in order,
// with what it requires and leaves. Nobody else calls a pass by name. GRIDCELL_DUMP names
// passes after which to print the code, or "passes" for their times.
#include "compiler/compile.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/guard.h"
#include "base/memory.h"
#include "compiler/backends/backend.h"
#include "compiler/backends/compilation.h"
#include "compiler/backends/cpu/code_cache.h"
#include "compiler/backends/cpu/host.h"
#include "compiler/backends/cpu/jit.h"
#include "compiler/backends/emulator/emulator.h"
#include "compiler/backends/gpu/gpu.h"
#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/codegen.h"
#include "compiler/compiler.h"
#include "compiler/ir/analyses.h"
#include "compiler/ir/lower/lower.h"
#include "compiler/pass_log.h"
#include "compiler/provoke.h"
#include "compiler/report.h"
#include "compiler/support/host_hooks.h"
#include "compiler/typing/infer/annotate.h"
#include "compiler/typing/infer/infer.h"
#include "compiler/typing/infer/stages.h"
#include "compiler/typing/rules.h"

enum pass_id {
    PASS_LOWER,
    PASS_VERIFY,
    PASS_LITERALS,
    PASS_TYPES,
    PASS_TYPED,
    PASS_ANNOTATE,
    PASS_RESOLVE,
    PASS_COUNT_LOOPS,
    PASS_OWN_ARRAYS,
    PASS_VERIFY_RESOLVED,
    PASS_LOOPS,
    PASS_FIELDS,
    PASS_CHECK,
    PASS_REACH,
    PASS_COUNTERS,
    PASS_WRITES,
    PASS_OPEN,
    PASS_LANES,
    PASS_TURNS,
    PASS_SEGMENTS,
    PASS_CODEGEN,
    PASS_FLOW,
    PASS_INTERVALS,
    PASS_NAMES,
    PASS_CACHE,
    PASS_VERIFY_MODULE,
    PASS_UNROLL,
    PASS_INLINED,
    PASS_OPTIMISE,
    PASS_UNIFY_MATH,
    PASS_TIDY,
    PASS_JOIN,
    PASS_TEXT,
    PASS_FRAME,
    PASS_OBJECT,
    PASS_KEEP,
    PASS_LOAD,
    PASS_PTX,
    PASS_LTOIR,
    PASS_COUNT,
};

enum { TARGETS = TARGET_GPU + 1 };

// One of the functions is set; of `run` one for each target that has the pass.
struct pass {
    const char *name;     // in GRIDCELL_DUMP and the table of times
    const char *requires; // what must hold before it
    const char *keeps;    // what still holds after it, beyond what the next row names
    const char *breaks;   // what no longer holds
    union {
        bool (*lower)(
                struct source *source, struct ir_function *function, struct error *err);
        bool (*verify)(const struct ir_function *function, struct error *err);
        void (*rewrite)(struct ir_function *function);
        bool (*infer)(struct infer *in);
        struct flow *(*flow)(struct arena *arena, const struct ir_function *function);
        struct interval *(*intervals)(const struct ir_function *function,
                const struct interval *params, struct arena *arena);
        bool (*run[TARGETS])(struct compilation *c);
    };
    bool is_cached; // left out where a cache had the machine code
};

// The runtime has made the syntax tree of the source before (frontend/, under the GIL).
// Rows up to "resolved" run for each function of a group that calls itself, callees
// first, when its types are first asked for; those behind once for each compilation, on
// its thread. "flow" and "intervals" run inside of "codegen", which knows the callees.
static const struct pass passes[PASS_COUNT] = {
        // SSA form comes with it (ir/lower/ssa.c): there is no IR without.
        [PASS_LOWER] = {"lower", "an AST with its names resolved; parameters' types",
                "the AST, which other types lower again", "nothing", .lower = ir_lower},
        [PASS_VERIFY] = {"verify", "IR of the Python level", "all", "nothing",
                .verify = ir_verify},
        [PASS_LITERALS] = {"literals", "verified IR of a user's function", "SSA form",
                "nothing: parameters of literal types become constants",
                .rewrite = literal_settle},
        // Calls start the rows above for callees that are new; their time is their own.
        [PASS_TYPES] = {"types", "verified IR of the Python level",
                "instructions, but for stars in calls", "types of earlier rounds",
                .infer = infer_run_rounds},
        [PASS_TYPED] = {"typed", "rounds that changed nothing", "all", "nothing",
                .infer = infer_check_typed},
        [PASS_ANNOTATE] = {"annotate", "types; the Python level", "all", "nothing",
                .rewrite = annotate_function},
        [PASS_RESOLVE] = {"resolve", "a type for each value that is reached",
                "SSA form, spans, names of variables",
                "the Python level: annotations cannot be made any more",
                .infer = infer_resolve},
        [PASS_COUNT_LOOPS] = {"count-loops", "the resolved level, blocks in order", "all",
                "while loops that count", .rewrite = ir_count_loops},
        [PASS_OWN_ARRAYS] = {"own-arrays", "the resolved level", "all", "nothing",
                .infer = infer_check_own_arrays},
        [PASS_VERIFY_RESOLVED] = {"resolved", "the resolved level", "all", "nothing",
                .verify = ir_verify},
        [PASS_LOOPS] = {"loops", "the resolved level, blocks in order", "all", "nothing",
                .rewrite = ir_note_loops},
        // Callees of the group may come first: it goes to them by itself.
        [PASS_FIELDS] = {"fields", "the resolved level of the group", "all", "nothing",
                .rewrite = ir_note_fields},

        [PASS_CHECK] = {"check", "resolved IR of all that is called", "all", "nothing",
                .run = {[TARGET_EMULATOR] = emulator_check, [TARGET_GPU] = gpu_check}},
        [PASS_REACH] = {"reach", "resolved IR of all that is called", "all", "nothing",
                .run = {[TARGET_EMULATOR] = backend_find_reach,
                        [TARGET_GPU] = backend_find_reach}},
        [PASS_COUNTERS] = {"counters", "resolved IR of all that is called", "all",
                "nothing", .run = {[TARGET_EMULATOR] = emulator_find_counters}},
        [PASS_WRITES] = {"writes", "resolved IR of all that is called", "all", "nothing",
                .run = {[TARGET_GPU] = gpu_find_writes}},
        // The analyses behind it ask for leaves of types, which a module's context makes.
        [PASS_OPEN] = {"open", "nothing", "all", "nothing",
                .run = {[TARGET_EMULATOR] = emulator_open}},
        [PASS_LANES] = {"lanes", "reach; an open module", "all", "nothing",
                .run = {[TARGET_EMULATOR] = emulator_find_lanes}},
        [PASS_TURNS] = {"turns", "reach; an open module", "all", "nothing",
                .run = {[TARGET_EMULATOR] = emulator_find_turns}},
        [PASS_SEGMENTS] = {"segments", "reach; an open module", "all", "nothing",
                .run = {[TARGET_EMULATOR] = emulator_find_segments}},
        // Whether an index is in bounds depends on the code that is there by then, and
        // what
        // callees reach is asked at each call: these cannot be passes ahead of it.
        [PASS_CODEGEN] = {"codegen", "resolved IR of all that is called; the rows above",
                "the IR, which is only read", "nothing",
                .run = {host_emit, emulator_emit, gpu_emit}},
        // Also asked for by those who cut a kernel, in rows above.
        [PASS_FLOW] = {"flow", "resolved IR", "all", "nothing", .flow = flow_analyse},
        [PASS_INTERVALS] = {"intervals", "resolved IR", "all", "nothing",
                .intervals = ir_find_intervals},

        [PASS_NAMES] = {"names", "a module", "code", "names of internal functions",
                .run = {[TARGET_HOST] = backend_name_functions,
                        [TARGET_GPU] = backend_name_functions}},
        // Its key is the module as it is here: rows above must give the same text in each
        // process.
        [PASS_CACHE] = {"cache", "a portable module, functions numbered", "all",
                "nothing", .run = {[TARGET_HOST] = code_cache_find}},
        [PASS_VERIFY_MODULE] = {"llvm-verify", "a module", "all", "nothing",
                .run = {backend_verify_module, backend_verify_module,
                        backend_verify_module},
                .is_cached = true},
        [PASS_UNROLL] = {"unroll", "a verified module as codegen made it", "SSA form",
                "loops of few turns", .run = {jit_unroll, jit_unroll}, .is_cached = true},
        [PASS_INLINED] = {"inlined", "functions as small as codegen made them",
                "all but attributes", "nothing",
                .run = {jit_mark_inlined, jit_mark_inlined}, .is_cached = true},
        [PASS_OPTIMISE] = {"optimise", "marks of what is inlined early",
                "symbols that are looked up", "names, order and number of all else",
                .run = {jit_optimise, jit_optimise}, .is_cached = true},
        [PASS_UNIFY_MATH] = {"unify-math", "vectorised loops", "all else",
                "scalar calls beside vector ones",
                .run = {jit_unify_math, jit_unify_math}, .is_cached = true},
        [PASS_TIDY] = {"tidy", "a verified module as codegen made it",
                "variables that debuggers are to find", "stack slots",
                .run = {[TARGET_GPU] = gpu_tidy}},
        [PASS_JOIN] = {"join", "values in place of stack slots", "the first entry",
                "nothing", .run = {[TARGET_GPU] = gpu_join}},
        [PASS_TEXT] = {"text", "the optimised module; for the GPU the one before PTX",
                "all", "nothing",
                .run = {backend_keep_text, backend_keep_text, backend_keep_text},
                .is_cached = true},
        [PASS_FRAME] = {"frame", "coroutines split by LLVM", "all else",
                "stores of the frame's size",
                .run = {[TARGET_EMULATOR] = emulator_settle_frame}},
        [PASS_OBJECT] = {"object", "the optimised module", "nothing of it",
                "the module: LLVM changes it while it selects instructions",
                .run = {jit_make_object, jit_make_object}, .is_cached = true},
        [PASS_KEEP] = {"keep", "an object of a portable module", "all", "nothing",
                .run = {[TARGET_HOST] = code_cache_keep}, .is_cached = true},
        [PASS_LOAD] = {"load", "an object", "nothing", "the object, which the JIT takes",
                .run = {host_load, emulator_load}},
        [PASS_PTX] = {"ptx", "a module for the GPU", "the module: a copy is compiled",
                "nothing", .run = {[TARGET_GPU] = gpu_make_ptx}},
        [PASS_LTOIR] = {"ltoir", "a module for the GPU", "the module", "nothing",
                .run = {[TARGET_GPU] = gpu_make_ltoir}},
};

static_assert((int)PASS_COUNT <= (int)PASS_LOG_ROWS, "the log has a row for each pass");

// The pass that this thread is in, for reports. Passes within others set it back.
static _Thread_local enum pass_id running;

static enum pass_id begin(enum pass_id id)
{
    enum pass_id outer = running;
    running = id;
    provoke_at(id);
    return outer;
}

// One run of a pass over a function: for reports, and in the log of times.
struct stage {
    enum pass_id outer;
    struct pass_run run;
};

static void stage_enter(
        struct stage *stage, enum pass_id id, const struct ir_function *function)
{
    stage->outer = begin(id);
    pass_begin(&stage->run, id, function);
}

static void stage_leave(
        struct stage *stage, enum pass_id id, const struct ir_function *function)
{
    running = stage->outer;
    pass_end(&stage->run, passes[id].name, function);
}

// --- Passes over functions, as inference and code generation get them

static bool run_lower(
        struct source *source, struct ir_function *function, struct error *err)
{
    struct stage stage;
    stage_enter(&stage, PASS_LOWER, NULL);
    bool is_done = passes[PASS_LOWER].lower(source, function, err);
    stage_leave(&stage, PASS_LOWER, function);
    return is_done;
}

static bool run_verify(const struct ir_function *function, struct error *err)
{
    enum pass_id id = function->is_resolved ? PASS_VERIFY_RESOLVED : PASS_VERIFY;
    struct stage stage;
    stage_enter(&stage, id, function);
    bool is_done = passes[id].verify(function, err);
    stage_leave(&stage, id, function);
    return is_done;
}

static bool run_rewrite(enum pass_id id, struct ir_function *function)
{
    struct stage stage;
    stage_enter(&stage, id, function);
    passes[id].rewrite(function);
    stage_leave(&stage, id, function);
    return true;
}

static void run_literals(struct ir_function *function)
{
    run_rewrite(PASS_LITERALS, function);
}

static void run_annotate(struct ir_function *function)
{
    run_rewrite(PASS_ANNOTATE, function);
}

static void run_notes(struct ir_function *function)
{
    run_rewrite(PASS_LOOPS, function);
    run_rewrite(PASS_FIELDS, function);
}

static bool run_infer(enum pass_id id, struct infer *in)
{
    struct ir_function *function = in->function;
    struct stage stage;
    stage_enter(&stage, id, function);
    bool is_done = passes[id].infer(in);
    stage_leave(&stage, id, function);
    return is_done;
}

static bool run_types(struct infer *in)
{
    return run_infer(PASS_TYPES, in);
}

static bool run_typed(struct infer *in)
{
    return run_infer(PASS_TYPED, in);
}

static bool run_resolve(struct infer *in)
{
    return run_infer(PASS_RESOLVE, in) && run_rewrite(PASS_COUNT_LOOPS, in->function);
}

static bool run_own_arrays(struct infer *in)
{
    return run_infer(PASS_OWN_ARRAYS, in);
}

static struct flow *run_flow(struct arena *arena, const struct ir_function *function)
{
    struct stage stage;
    stage_enter(&stage, PASS_FLOW, function);
    struct flow *flow = passes[PASS_FLOW].flow(arena, function);
    stage_leave(&stage, PASS_FLOW, function);
    return flow;
}

static struct interval *run_intervals(const struct ir_function *function,
        const struct interval *params, struct arena *arena)
{
    struct stage stage;
    stage_enter(&stage, PASS_INTERVALS, function);
    struct interval *found = passes[PASS_INTERVALS].intervals(function, params, arena);
    stage_leave(&stage, PASS_INTERVALS, function);
    return found;
}

static void tell_given_up(struct error *err)
{
    report_given_up(passes[running].name, err);
}

static const struct infer_stages stages = {
        .lower = run_lower,
        .verify = run_verify,
        .settle_literals = run_literals,
        .rules = &typing_rules,
        .find_types = run_types,
        .check_typed = run_typed,
        .annotate = run_annotate,
        .resolve = run_resolve,
        .check_own_arrays = run_own_arrays,
        .note = run_notes,
        .complete = pass_log_show_ir,
        .given_up = tell_given_up,
};

static const struct ir_analyses analyses = {run_flow, run_intervals};

// --- Passes over the module

// A pass that fails has set the error; what it has made so far goes with the compilation.
// Runs the rows of the target from its first to `last`.
static bool run_rows(struct compilation *c, enum pass_id last)
{
    for (enum pass_id id = PASS_CHECK; id <= last; id++) {
        const struct pass *pass = &passes[id];
        if (id == PASS_FLOW || id == PASS_INTERVALS || !pass->run[c->options->target] ||
                (pass->is_cached && c->cached.bytes))
            continue;
        struct pass_run run;
        guard_at(&SPAN_NONE);
        begin(id);
        pass_begin_module(&run, id, c->module);
        bool is_done = pass->run[c->options->target](c);
        pass_end_module(&run, pass->name, c->module);
        if (!is_done)
            return false;
    }
    return true;
}

struct rows {
    struct compilation *c;
    enum pass_id last;
    bool is_done;
};

static void run_guarded(void *data)
{
    struct rows *rows = data;
    rows->is_done = run_rows(rows->c, rows->last);
}

// What a pass was amid of when it failed is nothing to go on with: the module and its
// context are left where they are, and LLVM's parts that compilations share made anew.
static bool run_backend(struct compilation *c, enum pass_id last)
{
    struct rows rows = {c, last, false};
    enum pass_id outer = running;
    struct pass_mark mark = pass_log_mark();
    if (!guard_run(run_guarded, &rows)) {
        pass_log_return(mark);
        report_given_up(passes[running].name, c->err);
        jit_renew(running == PASS_LOAD);
        c->is_given_up = true;
        rows.is_done = false;
    }
    running = outer;
    return rows.is_done;
}

// In this order: the module lives in its context. The object is only left where loading
// was not reached.
static void compilation_finish(struct compilation *c)
{
    if (c->is_given_up)
        return;
    if (c->emulated.gen)
        codegen_finish(c->emulated.gen, false);
    free(c->emulated.gen);
    if (c->object)
        LLVMDisposeMemoryBuffer(c->object);
    if (c->module)
        LLVMDisposeModule(c->module);
    if (c->context)
        LLVMContextDispose(c->context);
    free(c->cached.name);
    free(c->cached.bytes);
}

// Portable, as only code that a cache held has no text. Not through the cache: that would
// find the object again, and have no text again.
bool compile_text(struct compiled *compiled, struct error *err)
{
    const struct compiled_private *private = compiled->private;
    struct compile_options options = {.kind = private->kind,
            .target = TARGET_HOST,
            .opt_level = private->opt_level,
            .owner = private->owner};
    struct compilation c = {.compiled = compiled,
            .options = &options,
            .analyses = &analyses,
            .err = err,
            .opt_level = options.opt_level,
            .is_portable = true};
    assert(compiled->target == TARGET_HOST && !compiled->llvm_ir);
    bool is_done = run_backend(&c, PASS_TEXT);
    compilation_finish(&c);
    const struct ir_function *function = compiled->function;
    const struct report report = {function->source, function->params,
            function->param_count, TARGET_HOST, function};
    report_write(&report, err);
    return is_done;
}

// --- The public entry

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

// The IR is printed here once more: a function that was typed before is compiled again
// for another kind of entry, and its first print may be far up. GRIDCELL_DUMP=ir,llvm,ptx
// writes what was compiled to stderr.
static void dump(struct compiled *compiled)
{
    struct error ignored = {0};
    pass_log_show_ir(compiled->function);
    const char *llvm_ir =
            pass_log_wants("llvm") ? compiled_llvm(compiled, &ignored) : NULL;
    if (llvm_ir)
        fputs(llvm_ir, stderr);
    if (pass_log_wants("ptx") && compiled->ptx)
        fputs(compiled->ptx, stderr);
}

static struct compiled *compile_function(const struct ir_function *function,
        const struct compile_options *options, struct error *err)
{
    double start = now_ms();
    if ((unsigned)options->target >= TARGETS) {
        error_set(err, ERROR_VALUE, SPAN_NONE, "unknown target");
        return NULL;
    }
    if (!report_check_room(SPAN_NONE, err) ||
            (host_hooks.load_llvm && !host_hooks.load_llvm(err)))
        return NULL;
    assert(function->is_resolved && function->symbol);
    struct compiled *compiled = memory_zalloc(sizeof *compiled);
    compiled->private = memory_zalloc(sizeof *compiled->private);
    compiled->function = function;
    compiled->target = options->target;
    struct compilation c = {.compiled = compiled,
            .options = options,
            .analyses = &analyses,
            .err = err,
            .opt_level = options->opt_level,
            .is_portable = options->cache != NULL};
    bool is_done = run_backend(&c, PASS_COUNT - 1);
    compilation_finish(&c);
    if (!is_done) {
        if (!c.is_given_up)
            compiled_destroy(compiled);
        return NULL;
    }
    dump(compiled);
    compiled->compile_ms = now_ms() - start;
    return compiled;
}

bool compiler_provoke(const char *pass, const char *way)
{
    for (size_t i = 0; i < PASS_COUNT; i++)
        if (!strcmp(passes[i].name, pass))
            return provoke_next(i, way);
    return false;
}

const char *const *compiler_pass_names(void)
{
    static const char *names[PASS_COUNT + 1]; // written with the same each time
    for (size_t i = 0; i < PASS_COUNT; i++)
        names[i] = passes[i].name;
    return names;
}

static struct ir_function *infer_function(struct source *source,
        const struct type *const *params, size_t param_count, const struct type *returns,
        enum target_kind target, struct error *err)
{
    if (!report_check_room(SPAN_NONE, err))
        return NULL;
    struct signature signature = {returns, params, param_count};
    enum pass_id outer = running;
    struct pass_mark mark = pass_log_mark();
    struct ir_function *function = infer_source(&stages, source, &signature, target, err);
    running = outer;
    pass_log_return(mark);
    return function;
}

static void close_log(struct pass_log *log, const char *what)
{
    pass_log_close(log, compiler_pass_names(), PASS_COUNT, what);
}

struct compiled *compile_resolved(const struct ir_function *function,
        const struct compile_options *options, struct error *err)
{
    struct pass_log log;
    bool has_log = pass_log_open(&log);
    struct compiled *compiled = compile_function(function, options, err);
    if (has_log)
        close_log(&log, function->name);
    const struct report report = {function->source, function->params,
            function->param_count, options->target, function};
    report_write(&report, err);
    return compiled;
}

struct ir_function *source_infer(struct source *source, const struct type *const *params,
        size_t param_count, const struct type *returns, enum target_kind target,
        struct error *err)
{
    struct pass_log log;
    bool has_log = pass_log_open(&log);
    struct ir_function *function =
            infer_function(source, params, param_count, returns, target, err);
    if (has_log)
        close_log(&log, source->name);
    const struct report report = {source, params, param_count, target, function};
    report_write(&report, err);
    return function;
}

struct compiled *compile(struct source *source, const struct type *const *params,
        size_t param_count, const struct type *returns,
        const struct compile_options *options, struct error *err)
{
    struct pass_log log;
    bool has_log = pass_log_open(&log);
    struct ir_function *function =
            infer_function(source, params, param_count, returns, options->target, err);
    struct compiled *compiled =
            function ? compile_function(function, options, err) : NULL;
    if (has_log)
        close_log(&log, source->name);
    const struct report report = {source, params, param_count, options->target, function};
    report_write(&report, err);
    return compiled;
}

// SPDX-License-Identifier: MIT
// The process's JIT for the CPU: one LLJIT, started at the first use, and the optimiser
// for it. Modules are optimised and turned into objects here, under a lock, and loaded
// one by one.
#include "compiler/backends/cpu/jit.h"

#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/Error.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/LLJIT.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Support.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "base/build_id.h"
#include "base/guard.h"
#include "base/log.h"
#include "base/machine.h"
#include "compiler/backends/backend.h"
#include "compiler/backends/cpu/comparisons.h"
#include "compiler/backends/cpu/debugged_code.h"
#include "compiler/backends/cpu/early_inlining.h"
#include "compiler/backends/cpu/symbols.h"
#include "compiler/codegen/analysis/choices.h"
#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/values/math.h"
#include "compiler/support/interrupt.h"
#include "compiler/support/stack.h"
#include "compiler/support/support.h"
#include "compiler/support/text/text.h"

// guarded by lock. Made once and never freed: code of it may run until the process ends.
// `jit`, `library`, `triple` and `layout` do not change after the start, so that who has
// called jit_start reads them without the lock.
static struct {
    pthread_mutex_t lock;
    bool is_started, has_lost_machine;
    LLVMOrcLLJITRef jit;
    LLVMOrcJITDylibRef library;
    LLVMTargetMachineRef machine; // of the optimiser: it serves one thread at a time
    LLVMTargetMachineRef quick;   // the same for what is not optimised; NULL until needed
    char *triple, *layout;
    VEC(struct support_symbol) symbols; // for each start
    unsigned starts;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

// Takes the failure.
static bool report(struct error *err, LLVMErrorRef failure)
{
    if (!failure)
        return true;
    char *message = LLVMGetErrorMessage(failure);
    error_set(err, ERROR_INTERNAL, SPAN_NONE, "internal: LLVM: %s", message);
    LLVMDisposeErrorMessage(message);
    return false;
}

// The processor that code is made for, in LLVM's words: this very one with all that it
// has, unless the variables of numba say another. Code on disk and of a cluster says in
// its key for which one it is.
struct processor {
    char *name, *features; // owned
};

static struct processor chosen_processor(void)
{
    const char *name = getenv("NUMBA_CPU_NAME"), *features = getenv("NUMBA_CPU_FEATURES");
    if (!features && name && !strcasecmp(name, "generic"))
        features = "";
    return (struct processor){
            .name = name && *name ? LLVMCreateMessage(name) : LLVMGetHostCPUName(),
            .features = features ? LLVMCreateMessage(features) : LLVMGetHostCPUFeatures(),
    };
}

static void free_processor(struct processor processor)
{
    LLVMDisposeMessage(processor.name);
    LLVMDisposeMessage(processor.features);
}

// Position independent, as the JIT may put it anywhere.
static LLVMTargetMachineRef create_machine(LLVMCodeGenOptLevel level, struct error *err)
{
    LLVMTargetRef target;
    char *message = NULL, *triple = LLVMGetDefaultTargetTriple();
    struct processor processor = chosen_processor();
    LLVMTargetMachineRef machine = NULL;
    if (LLVMGetTargetFromTriple(triple, &target, &message))
        error_set(err, ERROR_INTERNAL, SPAN_NONE, "internal: LLVM: %s", message);
    else
        machine = LLVMCreateTargetMachine(target, triple, processor.name,
                processor.features, level, LLVMRelocPIC, LLVMCodeModelSmall);
    LLVMDisposeMessage(message);
    LLVMDisposeMessage(triple);
    free_processor(processor);
    return machine;
}

// A name can be defined once: LLVM refuses the second.
static bool define_symbol(const char *name, void *address, struct error *err)
{
    LLVMOrcCSymbolMapPair pair = {
            .Name = LLVMOrcLLJITMangleAndIntern(state.jit, name),
            .Sym = {.Address = (LLVMOrcExecutorAddress)(uintptr_t)address,
                    .Flags = {LLVMJITSymbolGenericFlagsExported, 0}},
    };
    return report(
            err, LLVMOrcJITDylibDefine(state.library, LLVMOrcAbsoluteSymbols(&pair, 1)));
}

// Symbols of the process, and of the vector math library where it is installed.
static bool add_generators(struct error *err)
{
    char prefix = LLVMOrcLLJITGetGlobalPrefix(state.jit);
    LLVMOrcDefinitionGeneratorRef generator;
    if (!report(err, LLVMOrcCreateDynamicLibrarySearchGeneratorForProcess(
                             &generator, prefix, NULL, NULL)))
        return false;
    LLVMOrcJITDylibAddGenerator(state.library, generator);
    static const char *const libraries[] = {
            "libm.so.6", "libgcc_s.so.1", "libsleefgnuabi.so.3"};
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        LLVMErrorRef failure = LLVMOrcCreateDynamicLibrarySearchGeneratorForPath(
                &generator, libraries[i], prefix, NULL, NULL);
        if (failure)
            LLVMConsumeError(failure);
        else
            LLVMOrcJITDylibAddGenerator(state.library, generator);
    }
    return true;
}

// The functions that compiled code calls.
static const struct support_symbol *const support_tables[] = {support_symbols,
        print_symbols, text_symbols, text_case_symbols, text_search_symbols,
        text_shape_symbols, text_number_symbols, text_format_symbols, text_split_symbols,
        text_coding_symbols, bytes_symbols, value_symbols, complex_symbols,
        meminfo_symbols};
enum { SUPPORT_TABLES = sizeof support_tables / sizeof *support_tables };

static bool define_support_symbols(struct error *err)
{
    for (size_t i = 0; i < SUPPORT_TABLES; i++)
        for (const struct support_symbol *symbol = support_tables[i]; symbol->name;
                symbol++)
            if (!define_symbol(symbol->name, symbol->address, err))
                return false;
    return true;
}

// LLVM ends the process when this returns.
static void take_fatal_error(const char *reason)
{
    char text[300];
    snprintf(text, sizeof text, "LLVM: %s", reason);
    guard_give_up(text);
}

// What LLVM takes from a command line alone, and once in a process. Two concern passes
// whose time grows with the square of what a function holds, and leave the code of
// functions as people write them as it is:
// - the search for sums that could move into AVX-512's mask registers: with the branches;
// - the order of calls and accesses to memory in one block, exact up to so many of them.
// Two concern rows. Those shorter than some vectors together have vectors, too: LLVM 19
// looks at the length of one vector alone for that. And whether arrays overlap is asked
// by a difference in each row: LLVM would rather ask ahead of all rows by dearer checks,
// which stay where they are as the loop over the rows can be interrupted.
static void set_options(void)
{
    static const char *const options[] = {"gridcell", "-disable-x86-domain-reassignment",
            "-dag-maps-huge-region=300", "-epilogue-vectorization-minimum-VF=8",
            "-hoist-runtime-checks=false"};
    static bool are_set; // guarded by the lock
    if (!are_set)
        LLVMParseCommandLineOptions(
                (int)(sizeof options / sizeof *options), options, NULL);
    are_set = true;
}

static bool start(struct error *err)
{
    LLVMResetFatalErrorHandler(); // LLVM refuses a second one
    LLVMInstallFatalErrorHandler(take_fatal_error);
    set_options();
    MACHINE_LLVM(TargetInfo);
    MACHINE_LLVM(Target);
    MACHINE_LLVM(TargetMC);
    MACHINE_LLVM(AsmPrinter);
    state.machine = create_machine(LLVMCodeGenLevelAggressive, err);
    // the JIT takes the machine that it is made with: the optimiser needs its own
    LLVMTargetMachineRef builder_machine =
            state.machine ? create_machine(LLVMCodeGenLevelAggressive, err) : NULL;
    if (!builder_machine)
        return false;
    LLVMOrcLLJITBuilderRef builder = LLVMOrcCreateLLJITBuilder();
    LLVMOrcLLJITBuilderSetJITTargetMachineBuilder(builder,
            LLVMOrcJITTargetMachineBuilderCreateFromTargetMachine(builder_machine));
    if (!report(err, LLVMOrcCreateLLJIT(&state.jit, builder)))
        return false;
    state.library = LLVMOrcLLJITGetMainJITDylib(state.jit);
    state.triple = strdup(LLVMOrcLLJITGetTripleString(state.jit));
    state.layout = strdup(LLVMOrcLLJITGetDataLayoutStr(state.jit));
    if (!add_generators(err))
        return false;
    if (!define_symbol("compiler_poll_flag", (void *)&compiler_poll_flag, err) ||
            !define_symbol("compiler_poll_keeping", (void *)compiler_poll_keeping, err))
        return false;
    if (!define_symbol("gridcell_stack_limit_offset",
                (void *)compiler_stack_limit_offset(), err))
        return false;
    if (!define_support_symbols(err))
        return false;
    vec_each (symbol, &state.symbols)
        if (!define_symbol(symbol->name, symbol->address, err))
            return false;
    state.is_started = true;
    state.starts++;
    return true;
}

// Under the lock: another one in the place of one that was lost.
static bool find_machine(struct error *err)
{
    LLVMTargetMachineRef machine = NULL;
    if (state.has_lost_machine)
        machine = create_machine(LLVMCodeGenLevelAggressive, err);
    if (machine) {
        state.machine = machine;
        state.quick = NULL;
        state.has_lost_machine = false;
    }
    return !state.has_lost_machine;
}

bool jit_start(struct error *err)
{
    guard_lock(&state.lock);
    bool is_started = state.is_started || start(err);
    is_started = is_started && find_machine(err);
    guard_unlock(&state.lock);
    return is_started;
}

// Whether the symbol is on the list for the start. Asked under the lock.
static bool is_waiting(const char *name)
{
    vec_each (symbol, &state.symbols)
        if (!strcmp(symbol->name, name))
            return true;
    return false;
}

void *compiler_symbol(const char *name)
{
    for (size_t i = 0; i < SUPPORT_TABLES; i++)
        for (const struct support_symbol *symbol = support_tables[i]; symbol->name;
                symbol++)
            if (!strcmp(symbol->name, name))
                return symbol->address;
    void *address = NULL;
    guard_lock(&state.lock);
    vec_each (symbol, &state.symbols)
        if (!strcmp(symbol->name, name))
            address = symbol->address;
    guard_unlock(&state.lock);
    return address ? address : dlsym(RTLD_DEFAULT, name);
}

void compiler_define_symbol(const char *name, void *address)
{
    struct error ignored = {0};
    guard_lock(&state.lock);
    if (state.is_started)
        define_symbol(name, address, &ignored);
    if (!is_waiting(name))
        vec_push(&state.symbols, (struct support_symbol){strdup(name), address});
    guard_unlock(&state.lock);
}

// The next guarded work makes them: it may be for want of memory that they are lost.
// Leaves the old ones where they are: what their last work was amid of is unknown. The
// code of the old JIT stays valid, which is all that its callers need.
void jit_renew(bool has_lost_code)
{
    guard_lock(&state.lock);
    state.has_lost_machine = true;
    if (has_lost_code)
        state.is_started = false;
    guard_unlock(&state.lock);
}

void compiler_define_symbols(const struct support_symbol *table)
{
    for (; table->name; table++)
        compiler_define_symbol(table->name, table->address);
}

void jit_target_module(LLVMModuleRef module)
{
    assert(state.layout); // jit_start comes first
    LLVMSetTarget(module, state.triple);
    LLVMSetDataLayout(module, state.layout);
}

// Loops of few turns are unrolled before all else, or LLVM would first double those whose
// conditions are constants once the loop is gone, and find less in common afterwards.
static const char unroll_brief_loops[] =
        "function(sroa,simplifycfg,loop(loop-rotate,indvars,loop-unroll-full),sroa,"
        "simplifycfg)";

// Functions that are to be inlined are made small first.
static const char inline_early[] = "function(sroa,early-cse,simplifycfg),always-inline,";

// What LLVM's own list does for a module once its functions are simple, with switches
// turned into branches ahead of the vectoriser, which refuses them: those of few cases
// into comparisons (comparisons.c). What gets no vectors has its switches back
// afterwards.
static const char without_switches[] =
        "function<eager-inv>(lower-switch,float2int,"
        "lower-constant-intrinsics,loop(loop-rotate,loop-deletion),inject-tli-mappings,"
        "loop-vectorize<no-interleave-forced-only;no-vectorize-forced-only>,"
        "infer-alignment,loop-load-elim,instcombine<no-verify-fixpoint>,"
        "simplifycfg<forward-switch-cond;switch-range-to-icmp;switch-to-lookup;"
        "no-keep-loops;hoist-common-insts;sink-common-insts>,slp-vectorizer,"
        "vector-combine,instcombine<no-verify-fixpoint>,loop-unroll<O3>,"
        "sroa<preserve-cfg>,infer-alignment,instcombine<no-verify-fixpoint>,"
        "loop-mssa(licm<allowspeculation>),alignment-from-assumptions,instsimplify,"
        "div-rem-pairs,tailcallelim,simplifycfg<speculate-unpredictables>),"
        "globaldce,constmerge";

static bool has_metadata(const struct compilation *c, const char *name)
{
    assert(c->module && *name);
    return LLVMGetNamedMetadata(c->module, name, strlen(name)) != NULL;
}

// All that loops gain by; some of it LLVM leaves out where nobody asks.
static LLVMPassBuilderOptionsRef optimiser_options(void)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(options, true);
    LLVMPassBuilderOptionsSetSLPVectorization(options, true);
    LLVMPassBuilderOptionsSetLoopInterleaving(options, true);
    LLVMPassBuilderOptionsSetLoopUnrolling(options, true);
    return options;
}

// Under the lock: the machine is one for the process.
static bool run_llvm(struct compilation *c, const char *passes)
{
    guard_lock(&state.lock);
    LLVMPassBuilderOptionsRef options = optimiser_options();
    bool is_done =
            report(c->err, LLVMRunPasses(c->module, passes, state.machine, options));
    LLVMDisposePassBuilderOptions(options);
    guard_unlock(&state.lock);
    return is_done;
}

// The options come from the user, who may have written any number.
static int optimisation(const struct compilation *c)
{
    return c->opt_level < 0 ? 0 : c->opt_level > 3 ? 3 : c->opt_level;
}

bool jit_unroll(struct compilation *c)
{
    bool is_due = optimisation(c) >= 2 && has_metadata(c, HAS_BRIEF_LOOPS);
    return !is_due || run_llvm(c, unroll_brief_loops);
}

bool jit_mark_inlined(struct compilation *c)
{
    c->inlines_early = optimisation(c) >= 2 && early_inlining_mark(c->module);
    return true;
}

// Calls that count references on no memory: once slots are registers, one sees which.
// LLVM could only be told by names that would let it take released memory for freed.
static void drop_calls_on_null(LLVMModuleRef module, const char *name)
{
    LLVMValueRef function = LLVMGetNamedFunction(module, name);
    LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL;
    while (use) {
        LLVMValueRef call = LLVMGetUser(use);
        use = LLVMGetNextUse(use);
        if (LLVMIsACallInst(call) && LLVMGetCalledValue(call) == function &&
                LLVMIsNull(LLVMGetOperand(call, 0)))
            LLVMInstructionEraseFromParent(call);
    }
}

bool jit_optimise(struct compilation *c)
{
    bool has_choices = optimisation(c) >= 2 && has_metadata(c, HAS_CHOICES);
    char passes[sizeof inline_early + 32];
    snprintf(passes, sizeof passes, "%s%s<O%d>", c->inlines_early ? inline_early : "",
            has_choices ? "thinlto-pre-link" : "default", optimisation(c));
    if (!run_llvm(c, passes))
        return false;
    if (has_choices) {
        comparisons_for_switches(c->module);
        if (!run_llvm(c, without_switches))
            return false;
    }
    drop_calls_on_null(c->module, "gridcell_memory_retain");
    drop_calls_on_null(c->module, "gridcell_memory_release");
    return true;
}

bool jit_unify_math(struct compilation *c)
{
    vector_math_unify(c->module);
    return true;
}

// A frame larger than a page is touched page by page: so a full stack is noticed at its
// guard page, and no large frame steps over it. Smaller frames cost nothing.
static void probe_stacks(LLVMModuleRef module)
{
    static const char name[] = "probe-stack", way[] = "inline-asm";
    LLVMAttributeRef probe = LLVMCreateStringAttribute(
            LLVMGetModuleContext(module), name, sizeof name - 1, way, sizeof way - 1);
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
            function = LLVMGetNextFunction(function))
        if (!LLVMIsDeclaration(function))
            LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, probe);
}

// Under the lock.
static LLVMTargetMachineRef machine_for(int level, struct error *err)
{
    if (!find_machine(err))
        return NULL;
    if (level)
        return state.machine;
    if (!state.quick)
        state.quick = create_machine(LLVMCodeGenLevelNone, err);
    return state.quick;
}

// Under the lock. The module is of no more use: LLVM prepares it for selection in place.
static LLVMMemoryBufferRef emit(
        LLVMModuleRef module, int level, LLVMCodeGenFileType kind, struct error *err)
{
    char *message = NULL;
    LLVMMemoryBufferRef buffer = NULL;
    LLVMTargetMachineRef machine = machine_for(level, err);
    if (!machine)
        return NULL;
    probe_stacks(module);
    if (!LLVMTargetMachineEmitToMemoryBuffer(machine, module, kind, &message, &buffer))
        return buffer;
    error_set(err, ERROR_INTERNAL, SPAN_NONE, "internal: LLVM: %s", message);
    LLVMDisposeMessage(message);
    return NULL;
}

bool jit_make_object(struct compilation *c)
{
    guard_lock(&state.lock);
    c->object = emit(c->module, optimisation(c), LLVMObjectFile, c->err);
    guard_unlock(&state.lock);
    return c->object != NULL;
}

bool jit_load(struct compilation *c)
{
    assert(c->object && !c->compiled->private->code);
    if (c->options->debug)
        c->compiled->private->debugged = debugged_code_create(
                LLVMGetBufferStart(c->object), LLVMGetBufferSize(c->object));
    guard_lock(&state.lock);
    LLVMOrcResourceTrackerRef tracker =
            LLVMOrcJITDylibCreateResourceTracker(state.library);
    // takes the object in any case
    bool is_loaded = report(
            c->err, LLVMOrcLLJITAddObjectFileWithRT(state.jit, tracker, c->object));
    c->object = NULL;
    c->compiled->private->code = tracker;
    c->compiled->private->code_start = state.starts;
    guard_unlock(&state.lock);
    return is_loaded;
}

bool jit_define(const char *name, const void *address, struct error *err)
{
    guard_lock(&state.lock);
    bool is_defined = define_symbol(name, (void *)address, err);
    guard_unlock(&state.lock);
    return is_defined;
}

void jit_describe(struct str *out)
{
    unsigned major, minor, patch;
    LLVMGetVersion(&major, &minor, &patch);
    struct processor processor = chosen_processor();
    str_printf(out, "gridcell %s ", GRIDCELL_VERSION);
    build_id_append(out);
    str_printf(out, "\nLLVM %u.%u.%u\n%s\n%s\n%s\n", major, minor, patch, state.triple,
            processor.name, processor.features);
    free_processor(processor);
}

// Without the lock: LLVM's own is enough. The first look at a symbol links the object,
// which takes some time.
void *jit_lookup(const char *name, struct error *err)
{
    LLVMOrcExecutorAddress address = 0;
    if (!report(err, LLVMOrcLLJITLookup(state.jit, &address, name)))
        return NULL;
    return (void *)(uintptr_t)address;
}

// Nothing of the code may run any more: who destroys `compiled` answers for that.
void jit_unload(struct compiled *compiled)
{
    LLVMOrcResourceTrackerRef tracker = compiled->private->code;
    if (!tracker || compiled->private->keeps_code ||
            compiled->private->code_start != state.starts)
        return;
    debugged_code_destroy(compiled->private->debugged);
    compiled->private->debugged = NULL;
    LLVMErrorRef failure = LLVMOrcResourceTrackerRemove(tracker);
    if (failure)
        LLVMConsumeError(failure);
    LLVMOrcReleaseResourceTracker(tracker);
    compiled->private->code = NULL;
}

// LLVM's own handler prints warnings among the user's output, and ends the process at an
// error.
static void take_diagnostic(LLVMDiagnosticInfoRef diagnostic, void *data)
{
    (void)data;
    bool is_error = LLVMGetDiagInfoSeverity(diagnostic) == LLVMDSError;
    char *text = LLVMGetDiagInfoDescription(diagnostic);
    log_write(is_error ? LOG_ERROR : LOG_DEBUG, "LLVM: %s", text);
    LLVMDisposeMessage(text);
}

LLVMContextRef jit_context_create(void)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(context, take_diagnostic, NULL);
    return context;
}

// From the text, as the module is long gone; with the optimiser's machine, so that it is
// what the JIT has made.
char *jit_assembly(const char *llvm_ir, int level, struct error *err)
{
    LLVMContextRef context = jit_context_create();
    LLVMMemoryBufferRef text =
            LLVMCreateMemoryBufferWithMemoryRangeCopy(llvm_ir, strlen(llvm_ir), "ir");
    LLVMModuleRef module = NULL;
    char *message = NULL, *result = NULL;
    if (LLVMParseIRInContext(context, text, &module, &message)) {
        error_set(err, ERROR_INTERNAL, SPAN_NONE, "internal: LLVM: %s", message);
        LLVMDisposeMessage(message);
    } else {
        guard_lock(&state.lock);
        LLVMMemoryBufferRef assembly = emit(module, level, LLVMAssemblyFile, err);
        guard_unlock(&state.lock);
        if (assembly) {
            result = strndup(LLVMGetBufferStart(assembly), LLVMGetBufferSize(assembly));
            LLVMDisposeMemoryBuffer(assembly);
        }
        LLVMDisposeModule(module);
    }
    LLVMContextDispose(context);
    return result;
}

// SPDX-License-Identifier: MIT
// Kernels for NVIDIA GPUs: the module for PTX, with each leaf of the arguments as a
// parameter.
#include "compiler/backends/gpu/gpu.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "compiler/backends/backend.h"
#include "compiler/backends/gpu/joined_blocks.h"
#include "compiler/backends/gpu/loops.h"
#include "compiler/backends/gpu/module/call_graph.h"
#include "compiler/backends/gpu/ptx.h"
#include "compiler/codegen/analysis/reach.h"
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/control.h"
#include "compiler/codegen/cuda/alignment.h"
#include "compiler/codegen/cuda/debug_info.h"
#include "compiler/llvm/versions.h"

enum { CALLING_CONVENTION_PTX_KERNEL = 71, GLOBAL_SPACE = 1 };

// Of kernels whose loops gather: told of a limit, the assembler has more loads under way
// than it has by itself, where it leaves room for as many blocks as possible. With so
// many registers blocks of 1024 threads can still be launched.
// So they have to be of kernels whose threads call functions that count.
enum { FEW_REGISTERS = 64 };

static value add_function(struct codegen *gen, const struct ir_function *ir,
        const char *symbol, LLVMTypeRef returns, bool has_result_pointer)
{
    size_t count = has_result_pointer;
    for (size_t i = 0; i < ir->param_count; i++)
        count += type_leaf_count(gen, ir->params[i]);
    LLVMTypeRef *types = arena_array(&gen->arena, LLVMTypeRef, count + 1);
    types[0] = gen->ptr;
    size_t at = has_result_pointer;
    for (size_t i = 0; i < ir->param_count; i++) {
        const struct leaf_list *leaves = type_leaves(gen, ir->params[i]);
        for (size_t j = 0; j < leaves->len; j++)
            types[at++] = type_memory(gen, leaves->items[j].type);
    }
    value function = LLVMAddFunction(gen->module, symbol,
            LLVMFunctionType(returns, types, (unsigned)count, false));
    codegen_attribute(gen, function, LLVMAttributeFunctionIndex, "nounwind", 0);
    return function;
}

// The parameters as values: bool comes as a byte.
static value *function_args(
        struct codegen *gen, const struct ir_function *ir, value function, unsigned first)
{
    value *args = value_row(gen, LLVMCountParams(function));
    unsigned at = 0;
    for (size_t i = 0; i < ir->param_count; i++) {
        const struct leaf_list *leaves = type_leaves(gen, ir->params[i]);
        for (size_t j = 0; j < leaves->len; j++, at++) {
            args[at] = LLVMGetParam(function, first + at);
            if (leaves->items[j].type->kind == TYPE_BOOL)
                args[at] = LLVMBuildICmp(
                        gen->builder, LLVMIntNE, args[at], LLVMConstNull(gen->i8), "");
        }
    }
    assert(first + at == LLVMCountParams(function));
    return args;
}

// Keeps the first exception of any thread where the host looks for it: ABI_GPU_ERROR.
static void report_status(struct body *body)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    LLVMTypeRef type = LLVMArrayType2(gen->i32, sizeof(struct abi_gpu_error) / 4);
    value global =
            LLVMAddGlobalInAddressSpace(gen->module, type, ABI_GPU_ERROR, GLOBAL_SPACE);
    LLVMSetInitializer(global, LLVMConstNull(type));
    LLVMSetAlignment(global, 8);
    value place = LLVMConstAddrSpaceCast(global, gen->ptr);
    value status = LLVMBuildLoad2(b, gen->i32, body->status_slot, "status");
    LLVMBasicBlockRef failed = body_block(body, "failed"),
                      first = body_block(body, "first"), end = body_block(body, "end");
    value none = value_i32(gen, STATUS_OK);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntNE, status, none, ""), failed, end);
    LLVMPositionBuilderAtEnd(b, failed);
    value pair = LLVMBuildAtomicCmpXchg(b, place, none, status,
            LLVMAtomicOrderingMonotonic, LLVMAtomicOrderingMonotonic, false);
    LLVMBuildCondBr(b, LLVMBuildExtractValue(b, pair, 1, ""), first, end);
    LLVMPositionBuilderAtEnd(b, first);
    for (int axis = 0; axis < 3; axis++) {
        size_t thread = offsetof(struct abi_gpu_error, thread) + 4 * (size_t)axis,
               block = offsetof(struct abi_gpu_error, block) + 4 * (size_t)axis;
        LLVMBuildStore(b, gen->target->geometry(body, PRIMITIVE_CUDA_THREAD_IDX, axis),
                value_offset(gen, place, thread));
        LLVMBuildStore(b, gen->target->geometry(body, PRIMITIVE_CUDA_BLOCK_IDX, axis),
                value_offset(gen, place, block));
    }
    LLVMBuildBr(b, end);
    LLVMPositionBuilderAtEnd(b, end);
    LLVMBuildRetVoid(b);
}

// Loads of what the kernel only reads may go through the read-only cache, and past stores
// to other arrays. The launch sees to it that no two of them share memory.
static void mark_read_only(const struct body *body, const bool *is_written)
{
    assert(is_written);
    struct codegen *gen = body->gen;
    const struct ir_function *ir = body->ir;
    unsigned at = 1; // as an attribute's index
    for (size_t i = 0; i < ir->param_count; i++) {
        if (ir->params[i]->kind == TYPE_ARRAY && !is_written[i]) {
            codegen_attribute(gen, body->function, at + ARRAY_DATA, "noalias", 0);
            codegen_attribute(gen, body->function, at + ARRAY_DATA, "readonly", 0);
        }
        at += (unsigned)type_leaf_count(gen, ir->params[i]);
    }
}

// What is chosen for a kernel by its loops.
struct choices {
    bool is_disjoint; // whether it may assume that its arrays are; then whether it does
    bool is_aligned;  // likewise
    bool has_gathers;
    const bool *is_written; // by parameter, of arrays; set where it may be disjoint
};

// Threads that fail jump to the exit, where the first one leaves its mark. Without debug
// nobody looks for it: a failing thread just ends.
static bool emit_kernel(struct codegen *gen, const struct ir_function *ir,
        const char *symbol, bool reports, struct choices *choices)
{
    value kernel = add_function(gen, ir, symbol, gen->void_type, false);
    LLVMSetFunctionCallConv(kernel, CALLING_CONVENTION_PTX_KERNEL);
    struct body body = {.gen = gen,
            .ir = ir,
            .function = kernel,
            .mode = reports ? RETURN_JUMP : RETURN_VOID,
            .result = LLVMConstNull(gen->ptr)};
    body.allocas = body_block(&body, "entry");
    LLVMPositionBuilderAtEnd(gen->builder, body.allocas);
    body.args = function_args(gen, ir, kernel, 0);
    choices->is_aligned = choices->is_aligned && cuda_assume_alignment(&body);
    if (reports) {
        body.status_slot = value_alloca(&body, gen->i32, "status");
        body.exit = body_block(&body, "exit");
    }
    body_emit(&body);
    choices->has_gathers = gpu_loop_gathers(&body);
    choices->is_disjoint = choices->is_disjoint && gpu_gains_by_disjoint(&body);
    if (choices->is_disjoint)
        mark_read_only(&body, choices->is_written);
    if (reports) {
        LLVMPositionBuilderAtEnd(gen->builder, body.exit);
        report_status(&body);
    }
    return codegen_emit_pending(gen);
}

// What a device function for C returns: nothing, a number, or a complex number as the
// struct that it is in C. NULL: no other is.
static LLVMTypeRef c_result(struct codegen *gen, const struct type *type)
{
    const struct leaf_list *leaves = type_leaves(gen, type);
    if (!leaves->len)
        return gen->void_type;
    LLVMTypeRef first = type_memory(gen, leaves->items[0].type);
    if (type->kind == TYPE_COMPLEX)
        return LLVMStructTypeInContext(
                gen->context, (LLVMTypeRef[]){first, first}, 2, false);
    return leaves->len == 1 ? first : NULL;
}

// A device function that C code can call: numbers in, a number or nothing out.
// By numba's convention the result goes through a pointer, and a status is returned.
static bool emit_function(struct codegen *gen, const struct ir_function *ir,
        const char *symbol, bool has_numba_abi)
{
    LLVMTypeRef returns = has_numba_abi ? gen->i32 : c_result(gen, ir->returns);
    if (!returns)
        return codegen_fail(gen, ERROR_UNSUPPORTED, ir->blocks.items[0]->span,
                "a device function for C returns one number, not %s", ir->returns->name);
    bool by_value = !has_numba_abi && returns != gen->void_type;
    value function = add_function(gen, ir, symbol, returns, has_numba_abi);
    struct body body = {.gen = gen, .ir = ir, .function = function, .mode = RETURN_JUMP};
    body.allocas = body_block(&body, "entry");
    LLVMPositionBuilderAtEnd(gen->builder, body.allocas);
    body.args = function_args(gen, ir, function, has_numba_abi);
    body.status_slot = value_alloca(&body, gen->i32, "status");
    body.result = has_numba_abi ? LLVMGetParam(function, 0)
                  : by_value    ? value_alloca(&body, returns, "result")
                                : LLVMConstNull(gen->ptr);
    body.exit = body_block(&body, "exit");
    body_emit(&body);
    LLVMPositionBuilderAtEnd(gen->builder, body.exit);
    if (has_numba_abi)
        LLVMBuildRet(gen->builder,
                LLVMBuildLoad2(gen->builder, gen->i32, body.status_slot, ""));
    else if (by_value)
        LLVMBuildRet(
                gen->builder, LLVMBuildLoad2(gen->builder, returns, body.result, ""));
    else
        LLVMBuildRetVoid(gen->builder);
    return codegen_emit_pending(gen);
}

// Whether debuggers are to find the user's variables.
static bool shows_variables(const struct compile_options *options)
{
    return options->debug && !options->is_observed &&
           (!options->max_ptx_version || options->max_ptx_version >= PTX_WITH_VARIABLES);
}

// What only LLVM's own passes read, and LLVM 7's do not know.
static void drop_calls(LLVMModuleRef module, const char *name)
{
    value function = LLVMGetNamedFunction(module, name);
    for (LLVMUseRef use; function && (use = LLVMGetFirstUse(function));)
        LLVMInstructionEraseFromParent(LLVMGetUser(use));
}

// Stack slots become values, and what is always inlined is, for the reader's sake, and
// for what chooses by the code. What the arguments' alignment says of loads and stores is
// written to them.
static void tidy(LLVMModuleRef module)
{
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef failure = LLVMRunPasses(module,
            "always-inline,function(sroa,early-cse,simplifycfg,infer-alignment)", NULL,
            options);
    if (failure)
        LLVMConsumeError(failure);
    LLVMDisposePassBuilderOptions(options);
    drop_calls(module, "llvm.assume");
    drop_calls(module, "llvm.experimental.noalias.scope.decl");
}

bool gpu_tidy(struct compilation *c)
{
    if (!shows_variables(c->options))
        tidy(c->module);
    return true;
}

// A second entry for grids of many blocks. Launch bounds are of the first, and so are the
// places in the source.
bool gpu_join(struct compilation *c)
{
    struct compiled *compiled = c->compiled;
    const struct compile_options *options = c->options;
    if (options->kind != COMPILE_KERNEL)
        return true;
    const char *symbol = compiled->private->shown_symbol;
    value kernel = LLVMGetNamedFunction(c->module, symbol);
    assert(kernel);
    bool is_bound = options->launch_bounds[0] || options->launch_bounds[1] ||
                    options->launch_bounds[2] || options->max_registers;
    compiled->can_join = !is_bound && !options->debug && !options->lineinfo &&
                         options->opt_level && !compiled->link_count &&
                         gpu_join_blocks(c->module, kernel, NULL);
    if (!compiled->can_join || !options->may_join_blocks)
        return true;
    struct str name = {0};
    str_printf(&name, "%s_joined", symbol);
    gpu_join_blocks(c->module, kernel, str_text(&name));
    compiled->joined_entry = str_take(&name);
    return true;
}

static bool has_barrier(LLVMModuleRef module)
{
    // the second is also the first of those that vote
    static const char *const prefixes[] = {LLVM_BLOCK_BARRIER, "llvm.nvvm.barrier0"};
    value function = LLVMGetFirstFunction(module);
    for (size_t len; function; function = LLVMGetNextFunction(function)) {
        const char *name = LLVMGetValueName2(function, &len);
        if (LLVMGetFirstUse(function) && (str_starts_with(name, prefixes[0]) ||
                                                 str_starts_with(name, prefixes[1])))
            return true;
    }
    return false;
}

enum { NEWEST_MEASURED = 90 }; // compute capability

// By `bench/gpu kernels`: where threads wait for each other libnvvm's code is the faster,
// and LLVM's elsewhere. Kernels without loops and calls are the same by both.
static bool suits_llvm(const struct compilation *c)
{
    const struct compile_options *options = c->options;
    if (c->compiled->can_join)
        return true;
    return options->kind == COMPILE_KERNEL && options->opt_level &&
           !c->compiled->link_count && !has_barrier(c->module) &&
           options->compute_major * 10 + options->compute_minor <= NEWEST_MEASURED;
}

// What decides the PTX beside the module. The key of PTX on disk holds all of these.
static struct ptx_options choose_options(const struct compilation *c)
{
    const struct compile_options *options = c->options;
    const struct source *source = c->compiled->function->source;
    bool is_fast = source && source->options.fastmath;
    struct ptx_options ptx_options =
            is_fast ? ptx_options_fastmath() : ptx_options_default();
    ptx_options.optimization = options->opt_level;
    ptx_options.max_ptx_version = options->max_ptx_version;
    ptx_options.max_registers = options->max_registers;
    bool is_free = !options->max_registers && !options->launch_bounds[0];
    if (is_free && (c->gpu.has_gathers || options->is_observed))
        ptx_options.max_registers = FEW_REGISTERS;
    ptx_options.max_threads = options->launch_bounds[0];
    ptx_options.min_blocks = options->launch_bounds[1];
    ptx_options.max_cluster = options->launch_bounds[2];
    ptx_options.has_foreign_code = c->reach.is_foreign;
    ptx_options.has_variables = shows_variables(options);
    ptx_options.suits_llvm = suits_llvm(c);
    return ptx_options;
}

// Appends the code; on failure `out` is empty.
static bool compile_ptx(
        struct compilation *c, const struct ptx_options *options, struct str *out)
{
    int capability = c->options->compute_major * 10 + c->options->compute_minor;
    if (ptx_compile(c->module, capability, options, out, c->err))
        return true;
    str_finish(out);
    return false;
}

bool gpu_make_ptx(struct compilation *c)
{
    struct ptx_options options = choose_options(c);
    struct str ptx = {0};
    if (!compile_ptx(c, &options, &ptx))
        return false;
    const char *symbol = c->options->symbol;
    c->compiled->recurses = gpu_module_recurses(c->module);
    c->compiled->ptx = str_take(&ptx);
    c->compiled->ptx_entry = strdup(symbol ? symbol : c->compiled->private->shown_symbol);
    return true;
}

bool gpu_make_ltoir(struct compilation *c)
{
    if (!c->options->wants_ltoir)
        return true;
    struct ptx_options options = choose_options(c);
    struct str ltoir = {0};
    options.as_ltoir = true;
    if (!compile_ptx(c, &options, &ltoir))
        return false;
    c->compiled->ltoir_len = ltoir.len;
    c->compiled->ltoir = str_take(&ltoir);
    return true;
}

bool gpu_check(struct compilation *c)
{
    const struct ir_function *ir = c->compiled->function;
    bool is_kernel = c->options->kind == COMPILE_KERNEL;
    if (is_kernel && ir->returns && ir->returns->kind != TYPE_NONE)
        return error_set(c->err, ERROR_TYPING, ir->blocks.items[0]->span,
                "a kernel must not return a value");
    return true;
}

bool gpu_find_writes(struct compilation *c)
{
    const struct ir_function *ir = c->compiled->function;
    if (!c->options->may_assume_disjoint || c->options->debug)
        return true;
    bool *is_written =
            arena_array(&c->compiled->private->arena, bool, ir->param_count + 1);
    for (size_t i = 0; i < ir->param_count; i++)
        is_written[i] = ir->params[i]->kind == TYPE_ARRAY && ir_param_is_written(ir, i);
    c->gpu.is_written = is_written;
    return true;
}

bool gpu_emit(struct compilation *c)
{
    const struct compile_options *options = c->options;
    struct compiled *compiled = c->compiled;
    const struct ir_function *ir = compiled->function;
    bool is_kernel = options->kind == COMPILE_KERNEL;
    c->context = LLVMContextCreate();
    struct codegen gen;
    codegen_init(&gen, &target_gpu, c->context, ir->name, c->err);
    gen.root = ir;
    gen.is_interruptible = options->is_stoppable;
    gen.is_observed = options->is_observed;
    gen.counting = options->counting;
    gen.analyses = c->analyses;
    if ((options->lineinfo || options->debug) && !options->is_observed)
        debug_begin(&gen, ir->source ? ir->source->file : NULL,
                shows_variables(options) ? DEBUG_VARIABLES : DEBUG_DIRECTIVES);
    struct arena *arena = &compiled->private->arena;
    // without a number of the process, so that what is made of it is found on disk
    const char *symbol =
            arena_printf(arena, "gc_%s", backend_plain_name(arena, ir->symbol));
    compiled->private->shown_symbol =
            is_kernel ? symbol : arena_strdup(arena, ir->symbol);
    struct choices choices = {.is_disjoint = c->gpu.is_written != NULL,
            .is_aligned = options->may_assume_aligned && !options->debug,
            .is_written = c->gpu.is_written};
    bool is_done =
            is_kernel ? emit_kernel(&gen, ir, symbol, c->reach.can_fail, &choices)
                      : emit_function(&gen, ir, options->symbol, options->has_numba_abi);
    compiled->is_unoptimised = options->opt_level == 0;
    compiled->assumes_disjoint = choices.is_disjoint;
    compiled->assumes_aligned = is_kernel && choices.is_aligned;
    c->gpu.has_gathers = choices.has_gathers;
    backend_take_raise_sites(compiled, &gen);
    backend_take_observed(compiled, &gen);
    compiled->static_shared_bytes = gen.shared_bytes;
    compiled->uses_dynamic_shared = gen.uses_dynamic_shared;
    c->module = codegen_finish(&gen, is_done);
    return c->module != NULL;
}

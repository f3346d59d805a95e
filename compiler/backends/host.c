// SPDX-License-Identifier: MIT
// Functions and ufunc loops for the CPU: the wrappers that callers enter through.
#include "compiler/backends/backend.h"

#include <string.h>

#include "base/arena.h"

static struct callee *declare_user_function(
        struct compiled *compiled, struct codegen *gen)
{
    struct arena *arena = &compiled->private->arena;
    const char *name = backend_unique_name(arena, compiled->function->symbol);
    compiled->private->shown_symbol = name;
    struct callee *callee = codegen_declare(gen, compiled->function, name);
    LLVMSetLinkage(callee->function, LLVMExternalLinkage); // kept, to be looked at
    return callee;
}

static value add_wrapper(struct codegen *gen, const char *name, LLVMTypeRef returns,
        LLVMTypeRef *params, unsigned count, const char *const *names)
{
    value wrapper = LLVMAddFunction(
            gen->module, name, LLVMFunctionType(returns, params, count, false));
    codegen_attribute(gen, wrapper, LLVMAttributeFunctionIndex, "nounwind", 0);
    for (unsigned i = 0; i < count; i++)
        LLVMSetValueName2(LLVMGetParam(wrapper, i), names[i], strlen(names[i]));
    LLVMPositionBuilderAtEnd(
            gen->builder, LLVMAppendBasicBlockInContext(gen->context, wrapper, "entry"));
    return wrapper;
}

// i32 entry(result, args): loads the arguments from the block and calls the function.
static void emit_entry(struct codegen *gen, const struct callee *callee, const char *name)
{
    LLVMTypeRef params[2] = {gen->ptr, gen->ptr};
    static const char *const names[2] = {"result", "args"};
    value wrapper = add_wrapper(gen, name, gen->i32, params, 2, names);
    const struct ir_function *ir = callee->ir;
    size_t *offsets = arena_array(&gen->arena, size_t, ir->param_count + 1);
    abi_block_layout(ir->params, ir->param_count, offsets);
    value *args = value_row(gen, LLVMCountParams(callee->function));
    args[0] = LLVMGetParam(wrapper, 0);
    size_t at = 1;
    for (size_t i = 0; i < ir->param_count; i++) {
        value from = value_offset(gen, LLVMGetParam(wrapper, 1), offsets[i]);
        const char *param =
                ir->param_names && ir->param_names[i] ? ir->param_names[i] : "";
        value_load(gen, ir->params[i], from, 0, param, args + at);
        at += type_leaf_count(gen, ir->params[i]);
    }
    value status = LLVMBuildCall2(
            gen->builder, callee->type, callee->function, args, (unsigned)at, "");
    // one copy of the code is enough: the call costs a nanosecond
    codegen_attribute(gen, status, LLVMAttributeFunctionIndex, "noinline", 0);
    LLVMBuildRet(gen->builder, status);
}

// The loop of a ufunc while it is emitted.
struct ufunc {
    struct body body; // what the helpers of codegen want to know
    const struct callee *callee;
    value data, count;
    value pointers[33], steps[33];
    size_t inputs, operands;
    struct parallel_loop parallel;
};

static const struct type *ufunc_operand(const struct ir_function *ir, size_t index)
{
    if (index < ir->param_count)
        return ir->params[index];
    if (ir->returns->kind == TYPE_TUPLE)
        return ir->returns->tuple.items[index - ir->param_count];
    return ir->returns;
}

static void load_table(
        struct ufunc *ufunc, value table, LLVMTypeRef type, const char *name, value *out)
{
    struct codegen *gen = ufunc->body.gen;
    for (size_t i = 0; i < ufunc->operands; i++)
        out[i] =
                LLVMBuildLoad2(gen->builder, type, value_offset(gen, table, 8 * i), name);
}

// All operands are dense, and an output is either an input itself or apart from it: then
// the elements are independent. (ufunc.accumulate passes its output shifted by one as an
// input.)
static value is_independent(struct ufunc *ufunc)
{
    struct codegen *gen = ufunc->body.gen;
    LLVMBuilderRef b = gen->builder;
    value result = value_bool(gen, true), starts[33], ends[33];
    for (size_t i = 0; i < ufunc->operands; i++) {
        value size =
                value_i64(gen, (int64_t)abi_size(ufunc_operand(ufunc->callee->ir, i)));
        value is_dense = LLVMBuildICmp(b, LLVMIntEQ, ufunc->steps[i], size, "");
        result = LLVMBuildAnd(b, result, is_dense, "");
        starts[i] = LLVMBuildPtrToInt(b, ufunc->pointers[i], gen->i64, "");
        ends[i] = LLVMBuildAdd(b, starts[i], LLVMBuildMul(b, ufunc->count, size, ""), "");
    }
    for (size_t out = ufunc->inputs; out < ufunc->operands; out++)
        for (size_t i = 0; i < out; i++) {
            value same = LLVMBuildICmp(b, LLVMIntEQ, starts[out], starts[i], "");
            value after = LLVMBuildICmp(b, LLVMIntUGE, starts[out], ends[i], "");
            value before = LLVMBuildICmp(b, LLVMIntUGE, starts[i], ends[out], "");
            value apart = LLVMBuildOr(b, LLVMBuildOr(b, same, after, ""), before, "");
            result = LLVMBuildAnd(b, result, apart, "");
        }
    return result;
}

static void report_failure(struct ufunc *ufunc, value status)
{
    struct codegen *gen = ufunc->body.gen;
    LLVMBuilderRef b = gen->builder;
    LLVMBasicBlockRef failed = body_block(&ufunc->body, "failed");
    LLVMBasicBlockRef next = body_block(&ufunc->body, "next");
    value is_failure = LLVMBuildICmp(b, LLVMIntNE, status, value_i32(gen, 0), "");
    LLVMBuildCondBr(b, is_failure, failed, next);
    LLVMPositionBuilderAtEnd(b, failed);
    LLVMTypeRef types[2] = {gen->ptr, gen->i32};
    value args[2] = {ufunc->data, status};
    value raise = codegen_external(gen, "gridcell_ufunc_raise", gen->void_type, types, 2);
    codegen_call(gen, raise, args, 2, "");
    LLVMBuildRetVoid(b);
    LLVMPositionBuilderAtEnd(b, next);
}

static value element_pointer(struct ufunc *ufunc, size_t index, value turn, bool is_dense)
{
    struct codegen *gen = ufunc->body.gen;
    const struct type *type = ufunc_operand(ufunc->callee->ir, index);
    value step = is_dense ? value_i64(gen, (int64_t)abi_size(type)) : ufunc->steps[index];
    value offset = LLVMBuildNSWMul(gen->builder, turn, step, "");
    return LLVMBuildInBoundsGEP2(
            gen->builder, gen->i8, ufunc->pointers[index], &offset, 1, "");
}

static void emit_turn(struct ufunc *ufunc, value turn, bool is_dense, value result)
{
    struct codegen *gen = ufunc->body.gen;
    const struct callee *callee = ufunc->callee;
    value *args = value_row(gen, LLVMCountParams(callee->function));
    size_t at = 0;
    args[at++] = result;
    for (size_t i = 0; i < ufunc->inputs; i++) {
        const struct type *type = ufunc_operand(callee->ir, i);
        value_load(
                gen, type, element_pointer(ufunc, i, turn, is_dense), 0, "", args + at);
        at += type_leaf_count(gen, type);
    }
    value status = LLVMBuildCall2(
            gen->builder, callee->type, callee->function, args, (unsigned)at, "");
    codegen_attribute(gen, status, LLVMAttributeFunctionIndex, "alwaysinline", 0);
    if (callee->can_fail)
        report_failure(ufunc, status);
    value *leaves = value_row(gen, type_leaf_count(gen, callee->ir->returns));
    value_load(gen, callee->ir->returns, result, 0, "", leaves);
    for (size_t i = ufunc->inputs; i < ufunc->operands; i++) {
        const struct type *type = ufunc_operand(callee->ir, i);
        value_store(gen, type, element_pointer(ufunc, i, turn, is_dense), 0, leaves);
        leaves += type_leaf_count(gen, type);
    }
}

static void emit_ufunc_loop(struct ufunc *ufunc, bool is_dense)
{
    struct body *body = &ufunc->body;
    struct codegen *gen = body->gen;
    const struct type *returns = ufunc->callee->ir->returns;
    value result =
            value_alloca(body, LLVMArrayType2(gen->i8, abi_size(returns)), "result");
    LLVMSetAlignment(result, (unsigned)abi_alignment(returns));
    struct counted_loop loop;
    value turn = control_loop_open(body, ufunc->count, &loop);
    LLVMBasicBlockRef first = LLVMGetInsertBlock(gen->builder);
    emit_turn(ufunc, turn, is_dense, result);
    if (is_dense)
        parallel_mark_blocks(
                gen, &ufunc->parallel, first, LLVMGetInsertBlock(gen->builder));
    control_loop_close(body, &loop);
    if (is_dense)
        parallel_mark_latch(gen, &ufunc->parallel, &loop);
    LLVMBuildRetVoid(gen->builder);
}

// void loop(args, dims, steps, data): see abi_ufunc_loop.
static void emit_ufunc(struct codegen *gen, const struct callee *callee, const char *name)
{
    LLVMTypeRef params[4] = {gen->ptr, gen->ptr, gen->ptr, gen->ptr};
    static const char *const names[4] = {"args", "dims", "steps", "data"};
    value wrapper = add_wrapper(gen, name, gen->void_type, params, 4, names);
    const struct ir_function *ir = callee->ir;
    struct ufunc ufunc = {.callee = callee,
            .inputs = ir->param_count,
            .data = LLVMGetParam(wrapper, 3),
            .body = {.gen = gen, .ir = ir, .function = wrapper, .mode = RETURN_VOID}};
    bool is_tuple = ir->returns->kind == TYPE_TUPLE;
    ufunc.operands = ufunc.inputs + (is_tuple ? ir->returns->tuple.len : 1);
    if (ufunc.operands > 32) {
        codegen_fail(gen, ERROR_VALUE, SPAN_NONE, "a ufunc takes at most 32 operands");
        return;
    }
    ufunc.body.allocas = LLVMGetInsertBlock(gen->builder);
    ufunc.parallel = parallel_create(gen);
    ufunc.count =
            LLVMBuildLoad2(gen->builder, gen->i64, LLVMGetParam(wrapper, 1), "count");
    load_table(&ufunc, LLVMGetParam(wrapper, 0), gen->ptr, "arg", ufunc.pointers);
    load_table(&ufunc, LLVMGetParam(wrapper, 2), gen->i64, "step", ufunc.steps);
    LLVMBasicBlockRef dense = body_block(&ufunc.body, "dense");
    LLVMBasicBlockRef strided = body_block(&ufunc.body, "strided");
    LLVMBuildCondBr(gen->builder, is_independent(&ufunc), dense, strided);
    LLVMPositionBuilderAtEnd(gen->builder, dense);
    emit_ufunc_loop(&ufunc, true);
    LLVMPositionBuilderAtEnd(gen->builder, strided);
    emit_ufunc_loop(&ufunc, false);
}

static bool emit_module(struct compiled *compiled, struct codegen *gen,
        const struct compile_options *options, const char *entry)
{
    struct callee *callee = declare_user_function(compiled, gen);
    if (!codegen_emit_pending(gen))
        return false;
    if (options->kind == COMPILE_UFUNC)
        emit_ufunc(gen, callee, entry);
    else
        emit_entry(gen, callee, entry);
    return !codegen_failed(gen);
}

static bool load_entry(struct compiled *compiled, const struct compile_options *options,
        const char *entry, struct error *err)
{
    void *address = jit_lookup(entry, err);
    if (options->kind == COMPILE_UFUNC)
        compiled->ufunc_loop = (abi_ufunc_loop)address;
    else
        compiled->entry = (abi_entry)address;
    return address != NULL;
}

bool host_compile(struct compiled *compiled, const struct compile_options *options,
        struct error *err)
{
    if (!jit_start(err))
        return false;
    struct arena *arena = &compiled->private->arena;
    const char *entry = backend_unique_name(
            arena, arena_printf(arena, "%s.%s", compiled->function->symbol,
                           options->kind == COMPILE_UFUNC ? "loop" : "entry"));
    LLVMContextRef context = LLVMContextCreate();
    struct codegen gen;
    codegen_init(&gen, &target_host, context, compiled->function->name, err);
    jit_target_module(gen.module);
    bool is_done = emit_module(compiled, &gen, options, entry);
    backend_take_raise_sites(compiled, &gen);
    LLVMModuleRef module = codegen_finish(&gen, is_done);
    if (module && (!backend_verify(module, err) ||
                          !jit_optimise(compiled, module, options->opt_level, err))) {
        LLVMDisposeModule(module);
        module = NULL;
    }
    is_done = module && jit_load(compiled, module, err) &&
              load_entry(compiled, options, entry, err);
    LLVMContextDispose(context);
    return is_done;
}

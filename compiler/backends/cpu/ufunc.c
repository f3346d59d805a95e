// SPDX-License-Identifier: MIT
// Inner loops of NumPy ufuncs: one for dense, independent operands, which vectorises, and
// one that takes any steps in order. ufunc_run.c chooses between them, block by block.
#include "compiler/backends/cpu/wrappers.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>

#include "compiler/backends/backend.h"
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/counted_loop.h"
#include "compiler/codegen/body/declare.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/loops/parallel.h"
#include "compiler/support/ufunc_run.h"

struct ufunc {
    struct body body; // what the helpers of codegen want to know
    const struct callee *callee;
    bool is_dense;
    value pointers[UFUNC_MAX_OPERANDS], steps[UFUNC_MAX_OPERANDS];
    size_t inputs, operands;
};

// Inputs first, as NumPy counts operands; a tuple that is returned is several outputs.
static const struct type *operand_type(const struct ufunc *ufunc, size_t index)
{
    const struct ir_function *ir = ufunc->callee->ir;
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

// The steps of dense operands are constants, which is what vectorisation needs to know.
static value element_pointer(struct ufunc *ufunc, size_t index, value turn)
{
    struct codegen *gen = ufunc->body.gen;
    value step = ufunc->is_dense
                         ? value_i64(gen, (int64_t)abi_size(operand_type(ufunc, index)))
                         : ufunc->steps[index];
    value offset = LLVMBuildNSWMul(gen->builder, turn, step, "");
    return LLVMBuildInBoundsGEP2(
            gen->builder, gen->i8, ufunc->pointers[index], &offset, 1, "");
}

// The scalar function stores its result in a slot of the stack. It is inlined, so that
// the slot becomes a value and the loop can be vectorised.
static void emit_turn(struct ufunc *ufunc, value turn, value result)
{
    struct codegen *gen = ufunc->body.gen;
    const struct callee *callee = ufunc->callee;
    value *args = value_row(gen, LLVMCountParams(callee->function));
    size_t at = 0;
    args[at++] = result;
    for (size_t i = 0; i < ufunc->inputs; i++) {
        const struct type *type = operand_type(ufunc, i);
        value_load(gen, type, element_pointer(ufunc, i, turn), 0, "", args + at);
        at += type_leaf_count(gen, type);
    }
    assert(at == LLVMCountParams(callee->function));
    value status = LLVMBuildCall2(
            gen->builder, callee->type, callee->function, args, (unsigned)at, "");
    codegen_attribute(gen, status, LLVMAttributeFunctionIndex, "alwaysinline", 0);
    if (callee->can_fail)
        control_fail_if(&ufunc->body,
                LLVMBuildICmp(gen->builder, LLVMIntNE, status, value_i32(gen, 0), ""),
                status);
    value *leaves = value_row(gen, type_leaf_count(gen, callee->ir->returns));
    value_load(gen, callee->ir->returns, result, 0, "", leaves);
    for (size_t i = ufunc->inputs; i < ufunc->operands; i++) {
        const struct type *type = operand_type(ufunc, i);
        value_store(gen, type, element_pointer(ufunc, i, turn), 0, leaves);
        leaves += type_leaf_count(gen, type);
    }
}

// Dense operands do not overlap, but for an output that is an input: turns are
// independent, as ufunc_run.c sees to it. Of others nothing is known: theirs run in
// order.
static void emit_turns(struct ufunc *ufunc, value count)
{
    struct body *body = &ufunc->body;
    struct codegen *gen = body->gen;
    const struct type *returns = ufunc->callee->ir->returns;
    struct parallel_loop parallel = {0};
    if (ufunc->is_dense)
        parallel = parallel_create(gen, PARALLEL_LONG);
    value result =
            value_alloca(body, LLVMArrayType2(gen->i8, abi_size(returns)), "result");
    // of a byte array, which LLVM would align as bytes
    LLVMSetAlignment(result, (unsigned)abi_alignment(returns));
    struct counted_loop loop;
    value turn = control_loop_open(body, count, &loop);
    LLVMBasicBlockRef first = LLVMGetInsertBlock(gen->builder);
    emit_turn(ufunc, turn, result);
    parallel_mark_blocks(gen, &parallel, first, LLVMGetInsertBlock(gen->builder));
    control_loop_close(body, &loop);
    parallel_mark_latch(gen, &parallel, &loop);
    LLVMBuildRet(gen->builder, value_i32(gen, STATUS_OK));
}

// i32 name(args, steps, count): see ufunc_loop in ufunc_run.h.
static value emit_loop(
        struct codegen *gen, const struct callee *callee, const char *name, bool is_dense)
{
    LLVMTypeRef params[3] = {gen->ptr, gen->ptr, gen->i64};
    static const char *const names[3] = {"args", "steps", "count"};
    value function = backend_open_function(gen, name, gen->i32, params, 3, names);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    const struct ir_function *ir = callee->ir;
    struct ufunc ufunc = {.callee = callee,
            .is_dense = is_dense,
            .inputs = ir->param_count,
            .body = {.gen = gen, .ir = ir, .function = function, .mode = RETURN_STATUS}};
    bool is_tuple = ir->returns->kind == TYPE_TUPLE;
    ufunc.operands = ufunc.inputs + (is_tuple ? ir->returns->tuple.len : 1);
    assert(ufunc.operands <= UFUNC_MAX_OPERANDS);
    ufunc.body.allocas = LLVMGetInsertBlock(gen->builder);
    load_table(&ufunc, LLVMGetParam(function, 0), gen->ptr, "arg", ufunc.pointers);
    if (!is_dense)
        load_table(&ufunc, LLVMGetParam(function, 1), gen->i64, "step", ufunc.steps);
    emit_turns(&ufunc, LLVMGetParam(function, 2));
    return function;
}

// struct ufunc_plan as a constant of the module.
static value emit_plan(
        struct codegen *gen, const struct callee *callee, value dense, value serial)
{
    const struct ir_function *ir = callee->ir;
    struct ufunc ufunc = {.callee = callee};
    size_t outputs = ir->returns->kind == TYPE_TUPLE ? ir->returns->tuple.len : 1;
    size_t operands = ir->param_count + outputs;
    value sizes[UFUNC_MAX_OPERANDS];
    for (size_t i = 0; i < UFUNC_MAX_OPERANDS; i++)
        sizes[i] = value_i64(
                gen, i < operands ? (int64_t)abi_size(operand_type(&ufunc, i)) : 0);
    value fields[5] = {dense, serial, value_i64(gen, (int64_t)ir->param_count),
            value_i64(gen, (int64_t)operands),
            LLVMConstArray2(gen->i64, sizes, UFUNC_MAX_OPERANDS)};
    value plan = LLVMConstStructInContext(gen->context, fields, 5, false);
    value global = LLVMAddGlobal(gen->module, LLVMTypeOf(plan), "plan");
    LLVMSetInitializer(global, plan);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    return global;
}

void ufunc_emit(struct codegen *gen, const struct callee *callee, const char *name)
{
    const struct ir_function *ir = callee->ir;
    size_t outputs = ir->returns->kind == TYPE_TUPLE ? ir->returns->tuple.len : 1;
    if (ir->param_count + outputs > UFUNC_MAX_OPERANDS) {
        codegen_fail(gen, ERROR_VALUE, SPAN_NONE, "a ufunc takes at most %d operands",
                UFUNC_MAX_OPERANDS);
        return;
    }
    char part[256];
    snprintf(part, sizeof part, "%.200s.dense", name);
    value dense = emit_loop(gen, callee, part, true);
    snprintf(part, sizeof part, "%.200s.serial", name);
    value serial = emit_loop(gen, callee, part, false);
    LLVMTypeRef types[4] = {gen->ptr, gen->ptr, gen->ptr, gen->ptr};
    static const char *const names[4] = {"args", "dims", "steps", "data"};
    value wrapper = backend_open_function(gen, name, gen->void_type, types, 4, names);
    value run = codegen_external(gen, "gridcell_ufunc_run", gen->i32, types, 4);
    value args[5] = {emit_plan(gen, callee, dense, serial)};
    for (unsigned i = 0; i < 4; i++)
        args[1 + i] = LLVMGetParam(wrapper, i);
    value status = codegen_call(gen, run, args, 4, "status");
    struct body body = {.gen = gen, .ir = ir, .function = wrapper, .mode = RETURN_VOID};
    LLVMBasicBlockRef failed = body_block(&body, "failed"),
                      done = body_block(&body, "done");
    value is_failure =
            LLVMBuildICmp(gen->builder, LLVMIntNE, status, value_i32(gen, 0), "");
    LLVMBuildCondBr(gen->builder, is_failure, failed, done);
    LLVMPositionBuilderAtEnd(gen->builder, failed);
    LLVMTypeRef raise_types[2] = {gen->ptr, gen->i32};
    value raise =
            codegen_external(gen, "gridcell_ufunc_raise", gen->void_type, raise_types, 2);
    value raise_args[2] = {args[4], status};
    codegen_call(gen, raise, raise_args, 2, "");
    LLVMBuildBr(gen->builder, done);
    LLVMPositionBuilderAtEnd(gen->builder, done);
    LLVMBuildRetVoid(gen->builder);
}

// SPDX-License-Identifier: MIT
// Generators: a function with yields becomes a coroutine, and calling it makes a counted
// object (struct abi_generator) that holds the coroutine and the value yielded last.
//
//   f(result, args):  object = create; f.body(object, args)  (up to its start)
//   f.body:           keep args; suspend; the function; each yield: store, suspend
//
// What the function owns lives in the coroutine's frame, and is released when the object
// goes before the function has ended.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/coroutine.h"
#include "compiler/codegen/body/declare.h"
#include "compiler/codegen/body/line_hook.h"
#include "compiler/codegen/body/ownership.h"
#include "compiler/codegen/calls/generator.h"

#include <stddef.h>
#include <string.h>

static value field(struct codegen *gen, value object, size_t offset)
{
    return value_offset(gen, object, offset);
}

// --- The coroutine

static value coro(struct codegen *gen, const char *name, LLVMTypeRef *overload,
        const value *args, unsigned count)
{
    return codegen_intrinsic(gen, name, overload, overload ? 1 : 0, args, count, "");
}

static void begin(struct body *body)
{
    struct codegen *gen = body->gen;
    value null = LLVMConstNull(gen->ptr);
    value id_args[4] = {value_i32(gen, 16), null, null, null};
    gen->coroutine.id = coro(gen, "llvm.coro.id", NULL, id_args, 4);
    value size = coro(gen, "llvm.coro.size", &gen->i64, NULL, 0);
    value begin_args[2] = {gen->coroutine.id,
            codegen_call_external(gen, "gridcell_coroutine_alloc", gen->ptr, &size, 1)};
    gen->coroutine.handle = coro(gen, "llvm.coro.begin", NULL, begin_args, 2);
    gen->coroutine.suspend = body_block(body, "suspend");
    codegen_attribute(
            gen, body->function, LLVMAttributeFunctionIndex, "presplitcoroutine", 0);
}

static void finish(struct body *body, LLVMBasicBlockRef destroy)
{
    struct codegen *gen = body->gen;
    LLVMPositionBuilderAtEnd(gen->builder, destroy);
    value free_args[2] = {gen->coroutine.id, gen->coroutine.handle};
    value memory = coro(gen, "llvm.coro.free", NULL, free_args, 2);
    codegen_call_external(gen, "gridcell_coroutine_free", gen->void_type, &memory, 1);
    LLVMBuildBr(gen->builder, gen->coroutine.suspend);
    LLVMPositionBuilderAtEnd(gen->builder, gen->coroutine.suspend);
    value end_args[3] = {gen->coroutine.handle, value_bool(gen, false),
            LLVMConstNull(LLVMTokenTypeInContext(gen->context))};
    coro(gen, "llvm.coro.end", NULL, end_args, 3);
    LLVMBuildRet(gen->builder, gen->coroutine.handle);
    memset(&gen->coroutine, 0, sizeof gen->coroutine);
}

static void each_param(struct body *body,
        void (*visit)(struct body *body, const struct type *type, const value *leaves))
{
    size_t at = 0;
    for (size_t i = 0; i < body->ir->param_count; i++) {
        visit(body, body->ir->params[i], body->args + at);
        at += type_leaf_count(body->gen, body->ir->params[i]);
    }
}

// Suspends; where the object goes instead of being asked again, control goes to `gone`.
static void suspend(struct body *body, LLVMBasicBlockRef gone, bool is_final)
{
    body->gen->coroutine.cleanup = gone;
    coroutine_suspend(body, is_final);
}

static LLVMTypeRef body_type(struct codegen *gen, const struct callee *callee)
{
    unsigned count = LLVMCountParams(callee->function);
    LLVMTypeRef *types = arena_array(&gen->arena, LLVMTypeRef, count + 1);
    LLVMGetParamTypes(callee->type, types); // the first is the result, here the object
    return LLVMFunctionType(gen->ptr, types, count, false);
}

static void emit_coroutine(struct codegen *gen, struct callee *callee, value function)
{
    unsigned count = LLVMCountParams(function);
    struct body body = {.gen = gen,
            .ir = callee->ir,
            .function = function,
            .mode = RETURN_JUMP,
            .generator = LLVMGetParam(function, 0)};
    body.args = value_row(gen, count);
    for (unsigned i = 1; i < count; i++)
        body.args[i - 1] = LLVMGetParam(function, i);
    body.allocas = body_block(&body, "entry");
    LLVMPositionBuilderAtEnd(gen->builder, body.allocas);
    begin(&body);
    LLVMBasicBlockRef drop_args = body_block(&body, "drop.args"),
                      destroy = body_block(&body, "destroy");
    body.exit = body_block(&body, "ended");
    body.abandoned = body_block(&body, "abandoned");
    body.status_slot = value_alloca(&body, gen->i32, "status");
    each_param(&body, ownership_retain);
    suspend(&body, drop_args, false);
    gen->emitter->body(&body);
    if (codegen_failed(gen))
        return;
    LLVMPositionBuilderAtEnd(gen->builder, body.exit);
    value status = LLVMBuildLoad2(gen->builder, gen->i32, body.status_slot, "");
    LLVMBuildStore(gen->builder, status,
            field(gen, body.generator, offsetof(struct abi_generator, status)));
    LLVMBuildStore(gen->builder, value_i32(gen, 1),
            field(gen, body.generator, offsetof(struct abi_generator, is_done)));
    each_param(&body, ownership_release);
    suspend(&body, destroy, true);
    LLVMPositionBuilderAtEnd(gen->builder, body.abandoned);
    ownership_release_all(&body);
    LLVMBuildBr(gen->builder, drop_args);
    LLVMPositionBuilderAtEnd(gen->builder, drop_args);
    each_param(&body, ownership_release);
    LLVMBuildBr(gen->builder, destroy);
    finish(&body, destroy);
}

void generator_yield(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    const struct type *type = instr->operands[0]->type;
    value *leaves = operand(body, instr, 0);
    value taken =
            field(gen, body->generator, offsetof(struct abi_generator, is_value_taken));
    LLVMBasicBlockRef gone = body_block(body, "gone");
    ownership_retain(body, type, leaves);
    value_store(gen, type,
            field(gen, body->generator, offsetof(struct abi_generator, value)), 0,
            leaves);
    LLVMBuildStore(gen->builder, value_i32(gen, 0), taken);
    line_hook_leave(body, value_i32(gen, STATUS_OK));
    suspend(body, gone, false);
    line_hook_resume(body);
    LLVMBasicBlockRef resumed = LLVMGetInsertBlock(gen->builder);
    LLVMBasicBlockRef places[2] = {gone, resumed};
    for (int i = 0; i < 2; i++) { // the value is released unless its receiver took it
        LLVMPositionBuilderAtEnd(gen->builder, places[i]);
        value is_taken = LLVMBuildICmp(gen->builder, LLVMIntNE,
                LLVMBuildLoad2(gen->builder, gen->i32, taken, ""), value_i32(gen, 0), "");
        ownership_release_unless(body, type, leaves, is_taken);
        if (places[i] == gone)
            LLVMBuildBr(gen->builder, body->abandoned);
    }
}

// --- The object

// A function of the module that resumes or destroys a coroutine.
static value thunk(struct codegen *gen, const char *name, const char *intrinsic)
{
    value function = LLVMGetNamedFunction(gen->module, name);
    if (function)
        return function;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(gen->builder);
    function = LLVMAddFunction(
            gen->module, name, LLVMFunctionType(gen->void_type, &gen->ptr, 1, false));
    LLVMSetLinkage(function, LLVMInternalLinkage);
    codegen_attribute(gen, function, LLVMAttributeFunctionIndex, "nounwind", 0);
    LLVMPositionBuilderAtEnd(
            gen->builder, LLVMAppendBasicBlockInContext(gen->context, function, "entry"));
    value handle = LLVMGetParam(function, 0);
    coro(gen, intrinsic, NULL, &handle, 1);
    LLVMBuildRetVoid(gen->builder);
    LLVMPositionBuilderAtEnd(gen->builder, here);
    return function;
}

static void emit_creation(struct codegen *gen, struct callee *callee, value function)
{
    LLVMBuilderRef b = gen->builder;
    unsigned count = LLVMCountParams(callee->function);
    LLVMBasicBlockRef entry =
            LLVMAppendBasicBlockInContext(gen->context, callee->function, "entry");
    LLVMBasicBlockRef made =
            LLVMAppendBasicBlockInContext(gen->context, callee->function, "made");
    LLVMBasicBlockRef none =
            LLVMAppendBasicBlockInContext(gen->context, callee->function, "none");
    LLVMPositionBuilderAtEnd(b, entry);
    value create_args[3] = {value_i64(gen, (int64_t)abi_size(callee->ir->yields)),
            thunk(gen, "generator.resume", "llvm.coro.resume"),
            thunk(gen, "generator.destroy", "llvm.coro.destroy")};
    value object = codegen_call_external(
            gen, "gridcell_generator_create", gen->ptr, create_args, 3);
    LLVMBuildCondBr(b, LLVMBuildIsNull(b, object, ""), none, made);
    LLVMPositionBuilderAtEnd(b, none);
    LLVMBuildRet(b, value_i32(gen, STATUS_MEMORY));
    LLVMPositionBuilderAtEnd(b, made);
    value *args = value_row(gen, count);
    args[0] = object;
    for (unsigned i = 1; i < count; i++)
        args[i] = LLVMGetParam(callee->function, i);
    value handle = codegen_call(gen, function, args, count, "");
    LLVMBuildStore(b, handle, field(gen, object, offsetof(struct abi_generator, handle)));
    LLVMBuildStore(b, object, LLVMGetParam(callee->function, 0));
    LLVMBuildRet(b, value_i32(gen, STATUS_OK));
}

void generator_emit(struct codegen *gen, struct callee *callee)
{
    const char *name = arena_printf(&gen->arena, "%s.body", callee->ir->symbol);
    value function = LLVMAddFunction(gen->module, name, body_type(gen, callee));
    LLVMSetLinkage(function, LLVMInternalLinkage);
    codegen_attribute(gen, function, LLVMAttributeFunctionIndex, "nounwind", 0);
    emit_coroutine(gen, callee, function);
    if (!codegen_failed(gen))
        emit_creation(gen, callee, function);
}

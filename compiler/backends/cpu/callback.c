// SPDX-License-Identifier: MIT
// A function that C calls: takes its arguments as C passes them, and where the function
// fails, tells the runtime and returns zero.
#include "compiler/backends/cpu/wrappers.h"

#include <string.h>

#include "compiler/backends/backend.h"
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/declare.h"
#include "compiler/codegen/values/c_abi.h"

enum { MAX_ARGUMENTS = 255 };

// The function's signature as one type.
static const struct type *signature_of(const struct ir_function *ir)
{
    return type_function_value(TYPE_FOREIGN, ir->returns, ir->params, ir->param_count);
}

static value open_callback(
        struct codegen *gen, const struct ir_function *ir, const char *name)
{
    LLVMTypeRef types[MAX_ARGUMENTS];
    unsigned count = 0;
    for (size_t i = 0; i < ir->param_count && count + 2 < MAX_ARGUMENTS; i++)
        count += c_abi_types(gen, ir->params[i], types + count);
    const char *names[MAX_ARGUMENTS];
    for (unsigned i = 0; i < count; i++)
        names[i] = "";
    value function = backend_open_function(
            gen, name, c_abi_result(gen, ir->returns), types, count, names);
    c_abi_describe(gen, function, signature_of(ir));
    return function;
}

// How the arguments lie in memory on their way to the guarded function.
static LLVMTypeRef block_type(struct codegen *gen, value callback)
{
    LLVMTypeRef types[MAX_ARGUMENTS];
    unsigned count = LLVMCountParams(callback);
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(LLVMGetParam(callback, i));
    return LLVMStructTypeInContext(gen->context, types, count, false);
}

// A function (result, arguments) -> status that calls the compiled one, and in which
// faults are caught.
static value guarded_function(struct codegen *gen, const struct callee *callee,
        const char *name, LLVMTypeRef block)
{
    const struct ir_function *ir = callee->ir;
    LLVMTypeRef params[] = {gen->ptr, gen->ptr};
    const char *names[] = {"result", "arguments"};
    value function = backend_open_function(gen,
            arena_printf(&gen->arena, "%s.guarded", name), gen->i32, params, 2, names);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    value *args = value_row(gen, LLVMCountParams(callee->function));
    unsigned from = 0, at = 1;
    args[0] = LLVMGetParam(function, 0);
    for (size_t i = 0; i < ir->param_count; i++) {
        value given[2];
        LLVMTypeRef types[2];
        unsigned count = c_abi_types(gen, ir->params[i], types);
        for (unsigned k = 0; k < count; k++, from++)
            given[k] = LLVMBuildLoad2(gen->builder, types[k],
                    LLVMBuildStructGEP2(
                            gen->builder, block, LLVMGetParam(function, 1), from, ""),
                    "");
        c_abi_take(gen, ir->params[i], given, args + at);
        at += (unsigned)type_leaf_count(gen, ir->params[i]);
    }
    LLVMBuildRet(gen->builder,
            LLVMBuildCall2(gen->builder, callee->type, callee->function, args, at, ""));
    return function;
}

// Calls the function by what catches faults; its status. `result`: where its result goes.
static value call(struct codegen *gen, const struct callee *callee, value callback,
        const char *name, value result)
{
    LLVMTypeRef block = block_type(gen, callback);
    value arguments = LLVMBuildAlloca(gen->builder, block, "arguments");
    for (unsigned i = 0; i < LLVMCountParams(callback); i++)
        LLVMBuildStore(gen->builder, LLVMGetParam(callback, i),
                LLVMBuildStructGEP2(gen->builder, block, arguments, i, ""));
    LLVMBasicBlockRef here = LLVMGetInsertBlock(gen->builder);
    value args[] = {guarded_function(gen, callee, name, block), result, arguments};
    LLVMPositionBuilderAtEnd(gen->builder, here);
    LLVMTypeRef types[] = {gen->ptr, gen->ptr, gen->ptr};
    return codegen_call(gen,
            codegen_external(gen, "gridcell_fault_call", gen->i32, types, 3), args, 3,
            "");
}

static void emit_return(struct codegen *gen, const struct type *type, value result)
{
    value leaves[2];
    if (!type_leaf_count(gen, type)) {
        LLVMBuildRetVoid(gen->builder);
        return;
    }
    value_load(gen, type, result, 0, "", leaves);
    LLVMBuildRet(gen->builder, c_abi_return(gen, type, leaves));
}

void callback_emit(struct codegen *gen, const struct callee *callee, const char *name,
        const void *owner)
{
    const struct type *returns = callee->ir->returns;
    value callback = open_callback(gen, callee->ir, name);
    value result = LLVMBuildAlloca(
            gen->builder, LLVMArrayType2(gen->i8, abi_size(returns) + 1), "result");
    LLVMSetAlignment(result, 16);
    value status = call(gen, callee, callback, name, result);
    LLVMBasicBlockRef failed =
            LLVMAppendBasicBlockInContext(gen->context, callback, "failed");
    LLVMBasicBlockRef done =
            LLVMAppendBasicBlockInContext(gen->context, callback, "done");
    value is_ok =
            LLVMBuildICmp(gen->builder, LLVMIntEQ, status, value_i32(gen, STATUS_OK), "");
    LLVMBuildCondBr(gen->builder, is_ok, done, failed);
    LLVMPositionBuilderAtEnd(gen->builder, done);
    emit_return(gen, returns, result);
    LLVMPositionBuilderAtEnd(gen->builder, failed);
    value args[] = {codegen_address(gen, owner), status};
    LLVMTypeRef types[] = {gen->ptr, gen->i32};
    codegen_call(gen,
            codegen_external(gen, "gridcell_callback_failed", gen->void_type, types, 2),
            args, 2, "");
    if (type_leaf_count(gen, returns))
        LLVMBuildRet(gen->builder, LLVMConstNull(c_abi_result(gen, returns)));
    else
        LLVMBuildRetVoid(gen->builder);
}

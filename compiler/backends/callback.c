// SPDX-License-Identifier: MIT
// A function that C calls: takes its arguments as C passes them, and where the function
// fails, tells the runtime and returns zero.
#include "compiler/backends/backend.h"

#include <string.h>

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

// Calls the function; its status. `result`: where its result goes.
static value call(
        struct codegen *gen, const struct callee *callee, value callback, value result)
{
    const struct ir_function *ir = callee->ir;
    value *args = value_row(gen, LLVMCountParams(callee->function));
    unsigned from = 0, at = 1;
    args[0] = result;
    for (size_t i = 0; i < ir->param_count; i++) {
        value given[2];
        LLVMTypeRef types[2];
        unsigned count = c_abi_types(gen, ir->params[i], types);
        for (unsigned k = 0; k < count; k++)
            given[k] = LLVMGetParam(callback, from++);
        c_abi_take(gen, ir->params[i], given, args + at);
        at += (unsigned)type_leaf_count(gen, ir->params[i]);
    }
    return LLVMBuildCall2(gen->builder, callee->type, callee->function, args, at, "");
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
    value status = call(gen, callee, callback, result);
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

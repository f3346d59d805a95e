// SPDX-License-Identifier: MIT
// A kernel with barriers as an LLVM coroutine: one for each thread of the block,
// suspended at each barrier. LLVM splits it and computes the frame of values that live
// across barriers.
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/coroutine.h"

#include <assert.h>

static value coro(struct codegen *gen, const char *name, LLVMTypeRef *overload,
        const value *args, unsigned count)
{
    return codegen_intrinsic(gen, name, overload, overload ? 1 : 0, args, count, "");
}

static value no_token(struct codegen *gen)
{
    return LLVMConstNull(LLVMTokenTypeInContext(gen->context));
}

// `memory`: where the frame is to lie. Stores the frame's size in the global
// `frame_bytes`.
void coroutine_begin(struct body *body, value memory, value frame_bytes)
{
    struct codegen *gen = body->gen;
    value null = LLVMConstNull(gen->ptr);
    value id_args[4] = {value_i32(gen, 16), null, null, null};
    gen->coroutine.id = coro(gen, "llvm.coro.id", NULL, id_args, 4);
    LLVMBuildStore(
            gen->builder, coro(gen, "llvm.coro.size", &gen->i64, NULL, 0), frame_bytes);
    value begin_args[2] = {gen->coroutine.id, memory};
    gen->coroutine.handle = coro(gen, "llvm.coro.begin", NULL, begin_args, 2);
    gen->coroutine.suspend = body_block(body, "suspend");
    gen->coroutine.cleanup = body_block(body, "destroy");
    codegen_attribute(
            gen, body->function, LLVMAttributeFunctionIndex, "presplitcoroutine", 0);
}

// LLVM's protocol (its "Coroutines" manual): -1 suspends, 0 goes on, 1 destroys. A final
// suspend is never resumed; it makes coro.done true.
void coroutine_suspend(struct body *body, bool is_final)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    assert(gen->coroutine.suspend && gen->coroutine.cleanup);
    value args[2] = {no_token(gen), value_bool(gen, is_final)};
    value signal = coro(gen, "llvm.coro.suspend", NULL, args, 2);
    LLVMBasicBlockRef resumed = body_block(body, is_final ? "never" : "resumed");
    value choice = LLVMBuildSwitch(b, signal, gen->coroutine.suspend, 2);
    LLVMAddCase(choice, LLVMConstInt(gen->i8, 0, false), resumed);
    LLVMAddCase(choice, LLVMConstInt(gen->i8, 1, false), gen->coroutine.cleanup);
    LLVMPositionBuilderAtEnd(b, resumed);
    if (is_final)
        LLVMBuildUnreachable(b);
}

// The frame is the caller's memory (the runtime gives one for each thread of a block), so
// that coro.free's answer is not used: nobody frees here.
void coroutine_end(struct body *body)
{
    struct codegen *gen = body->gen;
    coroutine_suspend(body, true);
    LLVMPositionBuilderAtEnd(gen->builder, gen->coroutine.cleanup);
    value free_args[2] = {gen->coroutine.id, gen->coroutine.handle};
    coro(gen, "llvm.coro.free", NULL, free_args, 2);
    LLVMBuildBr(gen->builder, gen->coroutine.suspend);
    LLVMPositionBuilderAtEnd(gen->builder, gen->coroutine.suspend);
    value end_args[3] = {gen->coroutine.handle, value_bool(gen, false), no_token(gen)};
    coro(gen, "llvm.coro.end", NULL, end_args, 3);
    LLVMBuildRet(gen->builder, gen->coroutine.handle);
    gen->coroutine.suspend = NULL;
}

value coroutine_is_done(struct codegen *gen, value handle)
{
    return coro(gen, "llvm.coro.done", NULL, &handle, 1);
}

void coroutine_resume(struct codegen *gen, value handle)
{
    coro(gen, "llvm.coro.resume", NULL, &handle, 1);
}

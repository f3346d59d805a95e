// SPDX-License-Identifier: MIT
// The CPU as a target: libm, an interrupt flag of the process, printing by calls.
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/calls/print.h"
#include "compiler/codegen/values/math.h"
#include "compiler/support/interrupt.h"
#include "compiler/support/stack.h"
#include "compiler/llvm/versions.h"

#include <assert.h>
#include <stdio.h>

static value stop_flag(struct body *body)
{
    struct codegen *gen = body->gen;
    static const char name[] = "compiler_poll_flag";
    value flag = LLVMGetNamedGlobal(gen->module, name);
    return value_load_flag(gen, flag ? flag : LLVMAddGlobal(gen->module, gen->i32, name));
}

// A call that changes no register and no memory that the code can see: a loop is to be no
// worse for it (support/poll.c).
static value poll_answer(struct body *body)
{
    enum { INACCESSIBLE_MEMORY = 3 << LLVM_MEMORY_INACCESSIBLE };
    struct codegen *gen = body->gen;
    assert(gen->is_interruptible);
    static const char name[] = "compiler_poll_keeping";
    LLVMTypeRef type = LLVMFunctionType(gen->i32, NULL, 0, false);
    value function = LLVMGetNamedFunction(gen->module, name);
    if (!function)
        function = LLVMAddFunction(gen->module, name, type);
    value status = LLVMBuildCall2(gen->builder, type, function, NULL, 0, "");
#ifdef __x86_64__
    LLVMSetFunctionCallConv(function, LLVMPreserveAllCallConv);
    LLVMSetInstructionCallConv(status, LLVMPreserveAllCallConv);
#endif
    unsigned index = (unsigned)LLVMAttributeFunctionIndex;
    codegen_attribute(gen, status, index, "memory", INACCESSIBLE_MEMORY);
    codegen_attribute(gen, status, index, "nounwind", 0);
    codegen_attribute(gen, status, index, "cold", 0);
    return status;
}

const struct target target_host = {
        .kind = TARGET_HOST,
        .math_symbol = math_library_name,
        .describe_math = vector_math_describe,
        .stop_flag = stop_flag,
        .poll_answer = poll_answer,
        .strip_turns = 1024,
        .loop_turns = 1,
        .stack_limit_offset = compiler_stack_limit_offset,
        .print = print_by_calls,
};

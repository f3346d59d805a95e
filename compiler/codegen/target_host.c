// SPDX-License-Identifier: MIT
// The CPU as a target: libm, an interrupt flag of the process, printing by calls.
#include "compiler/codegen/calls/print.h"
#include "compiler/codegen/values/math.h"
#include "compiler/support/interrupt.h"
#include "compiler/support/stack.h"

#include <stdio.h>

static value interrupt_flag(struct body *body)
{
    struct codegen *gen = body->gen;
    value flag = LLVMGetNamedGlobal(gen->module, "compiler_interrupt_flag");
    return flag ? flag : LLVMAddGlobal(gen->module, gen->i32, "compiler_interrupt_flag");
}

const struct target target_host = {
        .kind = TARGET_HOST,
        .math_symbol = math_library_name,
        .describe_math = vector_math_describe,
        .stop_flag = interrupt_flag,
        .stack_limit_offset = compiler_stack_limit_offset,
        .print = print_by_calls,
};

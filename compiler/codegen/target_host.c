// SPDX-License-Identifier: MIT
// The CPU as a target: libm, an interrupt flag of the process, printing by calls.
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/calls/print.h"
#include "compiler/codegen/values/math.h"
#include "compiler/support/interrupt.h"
#include "compiler/support/stack.h"

#include <stdio.h>

static value stop_flag(struct body *body)
{
    struct codegen *gen = body->gen;
    static const char name[] = "compiler_interrupt_flag";
    value flag = LLVMGetNamedGlobal(gen->module, name);
    return value_load_flag(gen, flag ? flag : LLVMAddGlobal(gen->module, gen->i32, name));
}

const struct target target_host = {
        .kind = TARGET_HOST,
        .math_symbol = math_library_name,
        .describe_math = vector_math_describe,
        .stop_flag = stop_flag,
        .strip_turns = 1024,
        .loop_turns = 1,
        .stack_limit_offset = compiler_stack_limit_offset,
        .print = print_by_calls,
};

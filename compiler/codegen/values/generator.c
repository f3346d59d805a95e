// SPDX-License-Identifier: MIT
// A generator as a value: asked for its next item.
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/values/generator.h"

#include <stddef.h>

value generator_next(struct body *body, value object, struct span span)
{
    struct codegen *gen = body->gen;
    value status =
            codegen_call_external(gen, "gridcell_generator_next", gen->i32, &object, 1);
    value has_item = LLVMBuildICmp(
            gen->builder, LLVMIntEQ, status, value_i32(gen, GENERATOR_YIELDED), "");
    value is_failure = LLVMBuildICmp(
            gen->builder, LLVMIntNE, status, value_i32(gen, GENERATOR_ENDED), "");
    is_failure = LLVMBuildAnd(
            gen->builder, is_failure, LLVMBuildNot(gen->builder, has_item, ""), "");
    control_check_call(
            body, value_select(gen, is_failure, status, value_i32(gen, STATUS_OK)), span);
    return has_item;
}

void generator_value(struct body *body, const struct type *type, value object, value *out)
{
    struct codegen *gen = body->gen;
    value_load(gen, type,
            value_offset(gen, object, offsetof(struct abi_generator, value)), 0, "", out);
}

value generator_next_if(
        struct body *body, value object, value condition, struct span span)
{
    LLVMBuilderRef b = body->gen->builder;
    LLVMBasicBlockRef from = LLVMGetInsertBlock(b);
    LLVMBasicBlockRef more = body_block_after(body, "more"), next;
    LLVMPositionBuilderAtEnd(b, more);
    value advanced = generator_next(body, object, span);
    LLVMBasicBlockRef end = LLVMGetInsertBlock(b);
    next = body_block_after(body, "advanced");
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, from);
    LLVMBuildCondBr(b, condition, more, next);
    LLVMPositionBuilderAtEnd(b, next);
    return value_phi(body->gen, "", (value[]){value_bool(body->gen, false), advanced},
            (LLVMBasicBlockRef[]){from, end});
}

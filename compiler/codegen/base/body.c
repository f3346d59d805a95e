// SPDX-License-Identifier: MIT
// Blocks of the LLVM function that a body is emitted into.
#include "compiler/codegen/base/value.h"

LLVMBasicBlockRef body_block(struct body *body, const char *name)
{
    return LLVMAppendBasicBlockInContext(body->gen->context, body->function, name);
}

LLVMBasicBlockRef body_block_after(struct body *body, const char *name)
{
    LLVMBasicBlockRef next =
            LLVMGetNextBasicBlock(LLVMGetInsertBlock(body->gen->builder));
    if (next)
        return LLVMInsertBasicBlockInContext(body->gen->context, next, name);
    return body_block(body, name);
}

void body_join(struct body *body, LLVMBasicBlockRef *block, value *phi, const char *name,
        value status)
{
    LLVMBuilderRef b = body->gen->builder;
    LLVMBasicBlockRef from = LLVMGetInsertBlock(b);
    if (!*block) {
        *block = body_block(body, name);
        LLVMPositionBuilderAtEnd(b, *block);
        *phi = LLVMBuildPhi(b, body->gen->i32, "status");
        LLVMPositionBuilderAtEnd(b, from);
    }
    LLVMAddIncoming(*phi, &status, &from, 1);
    LLVMBuildBr(b, *block);
}

// Tells LLVM that the first successor of a branch is hardly ever taken.
// With weights this far apart the failing side is laid out at the end of the function.
static void mark_unlikely(struct codegen *gen, value branch)
{
    LLVMMetadataRef weights[3] = {
            LLVMMDStringInContext2(gen->context, "branch_weights", 14),
            LLVMValueAsMetadata(value_i32(gen, 1)),
            LLVMValueAsMetadata(value_i32(gen, 1048575)),
    };
    LLVMMetadataRef node = LLVMMDNodeInContext2(gen->context, weights, 3);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(gen->context, "prof", 4),
            LLVMMetadataAsValue(gen->context, node));
}

void control_branch_unlikely(
        struct body *body, value condition, LLVMBasicBlockRef yes, LLVMBasicBlockRef no)
{
    struct codegen *gen = body->gen;
    mark_unlikely(gen, LLVMBuildCondBr(gen->builder, condition, yes, no));
}

LLVMBasicBlockRef body_enter_seldom(struct body *body, value condition, const char *name)
{
    LLVMBasicBlockRef next = body_block_after(body, "next");
    LLVMBasicBlockRef seldom = body_block(body, name);
    control_branch_unlikely(body, condition, seldom, next);
    LLVMPositionBuilderAtEnd(body->gen->builder, seldom);
    return next;
}

// SPDX-License-Identifier: MIT
// Loops that count from 0, for code that no loop of the user's program stands for.
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/counted_loop.h"

#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

// `count` may be negative or 0: the comparison comes first.
value control_loop_open(struct body *body, value count, struct counted_loop *loop)
{
    struct codegen *gen = body->gen;
    assert(LLVMTypeOf(count) == gen->i64);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(gen->builder);
    loop->head = body_block_after(body, "each");
    LLVMPositionBuilderAtEnd(gen->builder, loop->head);
    loop->index = LLVMBuildPhi(gen->builder, gen->i64, "index");
    LLVMBasicBlockRef inside = body_block_after(body, "each.body");
    LLVMPositionBuilderAtEnd(gen->builder, inside);
    loop->exit = body_block_after(body, "each.end");
    loop->count = count;
    value zero = value_i64(gen, 0);
    LLVMAddIncoming(loop->index, &zero, &before, 1);
    LLVMPositionBuilderAtEnd(gen->builder, before);
    LLVMBuildBr(gen->builder, loop->head);
    LLVMPositionBuilderAtEnd(gen->builder, loop->head);
    value more = LLVMBuildICmp(gen->builder, LLVMIntSLT, loop->index, count, "");
    LLVMBuildCondBr(gen->builder, more, inside, loop->exit);
    LLVMPositionBuilderAtEnd(gen->builder, inside);
    return loop->index;
}

void control_loop_close(struct body *body, struct counted_loop *loop)
{
    struct codegen *gen = body->gen;
    assert(loop->head && !LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(gen->builder)));
    value next = LLVMBuildNSWAdd(gen->builder, loop->index, value_i64(gen, 1), "");
    LLVMBasicBlockRef end = LLVMGetInsertBlock(gen->builder);
    LLVMAddIncoming(loop->index, &next, &end, 1);
    loop->back_edge = LLVMBuildBr(gen->builder, loop->head);
    LLVMPositionBuilderAtEnd(gen->builder, loop->exit);
}

static LLVMMetadataRef text_of(struct codegen *gen, const char *text)
{
    return LLVMMDStringInContext2(gen->context, text, strlen(text));
}

static LLVMMetadataRef property(struct codegen *gen, const char *name, value setting)
{
    LLVMMetadataRef parts[2] = {text_of(gen, name), LLVMValueAsMetadata(setting)};
    return LLVMMDNodeInContext2(gen->context, parts, 2);
}

static void mark_loop(struct codegen *gen, value back_edge, LLVMMetadataRef more)
{
    LLVMMetadataRef unroll = text_of(gen, "llvm.loop.unroll.disable");
    // the node's first operand is the node itself, which makes it this loop's own
    LLVMMetadataRef self = LLVMTemporaryMDNode(gen->context, NULL, 0);
    LLVMMetadataRef operands[3] = {
            self, LLVMMDNodeInContext2(gen->context, &unroll, 1), more};
    LLVMMetadataRef node = LLVMMDNodeInContext2(gen->context, operands, more ? 3 : 2);
    LLVMMetadataReplaceAllUsesWith(self, node);
    LLVMSetMetadata(back_edge, LLVMGetMDKindIDInContext(gen->context, "llvm.loop", 9),
            LLVMMetadataAsValue(gen->context, node));
}

void loop_keep_scalar(struct codegen *gen, value back_edge)
{
    mark_loop(gen, back_edge,
            property(gen, "llvm.loop.vectorize.enable", value_bool(gen, false)));
}

void loop_keep_rolled(struct codegen *gen, value back_edge)
{
    mark_loop(gen, back_edge, NULL);
}

void loop_keep_short(struct codegen *gen, value back_edge)
{
    mark_loop(gen, back_edge,
            property(gen, "llvm.loop.interleave.count", value_i32(gen, 2)));
}

// SPDX-License-Identifier: MIT
// Switches turned into comparisons, one after the other. LLVM's own pass searches in
// halves, which takes fewer steps, but of vectors, which take all of them, more: each
// step is two comparisons there.
#include "compiler/backends/cpu/comparisons.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

enum { MOST_CASES = 8 }; // of more, halves have fewer steps

struct edge {
    LLVMBasicBlockRef from, to;
};

// The phi again, with the new blocks in the place of the one that ended in a switch.
static void renew_phi(LLVMBuilderRef builder, LLVMValueRef phi, LLVMBasicBlockRef from,
        LLVMBasicBlockRef to, const struct edge *edges, unsigned count)
{
    LLVMPositionBuilderBefore(builder, phi);
    LLVMValueRef renewed = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
    LLVMValueRef value = NULL;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef incoming = LLVMGetIncomingValue(phi, i);
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
        if (block == from)
            value = incoming;
        else
            LLVMAddIncoming(renewed, &incoming, &block, 1);
    }
    assert(value);
    for (unsigned i = 0; i < count; i++)
        if (edges[i].to == to)
            LLVMAddIncoming(renewed, &value, (LLVMBasicBlockRef[]){edges[i].from}, 1);
    LLVMReplaceAllUsesWith(phi, renewed);
    LLVMInstructionEraseFromParent(phi);
}

static void renew_phis(LLVMBuilderRef builder, LLVMBasicBlockRef from,
        LLVMBasicBlockRef to, const struct edge *edges, unsigned count)
{
    for (LLVMValueRef phi = LLVMGetFirstInstruction(to); phi && LLVMIsAPHINode(phi);) {
        LLVMValueRef next = LLVMGetNextInstruction(phi);
        renew_phi(builder, phi, from, to, edges, count);
        phi = next;
    }
}

// Whether the edge is the first one to its block.
static bool is_first(const struct edge *edges, unsigned at)
{
    for (unsigned i = 0; i < at; i++)
        if (edges[i].to == edges[at].to)
            return false;
    return true;
}

static void replace(LLVMBuilderRef builder, LLVMValueRef choice, unsigned cases)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(choice), from = block;
    LLVMContextRef context =
            LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(block)));
    LLVMValueRef number = LLVMGetOperand(choice, 0);
    struct edge edges[MOST_CASES + 1];
    LLVMPositionBuilderBefore(builder, choice);
    for (unsigned i = 0; i < cases; i++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(choice, i + 1);
        bool is_last = i + 1 == cases;
        LLVMBasicBlockRef otherwise = LLVMGetSwitchDefaultDest(choice);
        if (!is_last) {
            otherwise = LLVMAppendBasicBlockInContext(
                    context, LLVMGetBasicBlockParent(block), "");
            LLVMMoveBasicBlockAfter(otherwise, from);
        }
        LLVMValueRef is_case = LLVMBuildICmp(
                builder, LLVMIntEQ, number, LLVMGetOperand(choice, 2 * i + 2), "");
        LLVMBuildCondBr(builder, is_case, to, otherwise);
        edges[i] = (struct edge){from, to};
        if (is_last)
            edges[cases] = (struct edge){from, otherwise};
        from = otherwise;
        LLVMPositionBuilderAtEnd(builder, from);
    }
    LLVMInstructionEraseFromParent(choice);
    for (unsigned i = 0; i <= cases; i++)
        if (is_first(edges, i))
            renew_phis(builder, block, edges[i].to, edges, cases + 1);
}

void comparisons_for_switches(LLVMModuleRef module)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
            function = LLVMGetNextFunction(function))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
                block = LLVMGetNextBasicBlock(block)) {
            LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
            unsigned cases =
                    last && LLVMIsASwitchInst(last) ? LLVMGetNumSuccessors(last) - 1 : 0;
            if (cases && cases <= MOST_CASES)
                replace(builder, last, cases);
        }
    LLVMDisposeBuilder(builder);
}

// SPDX-License-Identifier: MIT
// Switches turned into comparisons, one after the other. LLVM's own pass searches in
// halves, which takes fewer steps, but of vectors, which take all of them, more: each
// step is two comparisons there.
#include "compiler/backends/cpu/comparisons.h"

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    MOST_CASES = 8,  // of more, halves have fewer steps
    MOST_CHOSEN = 4, // cases whose values are chosen without branches
    MOST_VALUES = 2,
};

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

// --- Switches that do no more than choose values

// Where an edge of the switch comes to, which may lead through a block of its own that
// does nothing.
static LLVMBasicBlockRef end_of_edge(LLVMValueRef choice, LLVMBasicBlockRef to)
{
    LLVMValueRef only = LLVMGetFirstInstruction(to);
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(to));
    for (; use; use = LLVMGetNextUse(use))
        if (LLVMGetUser(use) != choice && !LLVMIsAPHINode(LLVMGetUser(use)))
            return to;
    bool is_empty = LLVMIsABranchInst(only) && !LLVMIsConditional(only);
    return is_empty ? LLVMGetSuccessor(only, 0) : to;
}

// The block that all edges come to, or NULL.
static LLVMBasicBlockRef common_end(LLVMValueRef choice)
{
    LLVMBasicBlockRef end = end_of_edge(choice, LLVMGetSuccessor(choice, 0));
    for (unsigned i = 1; i < LLVMGetNumSuccessors(choice); i++)
        if (end_of_edge(choice, LLVMGetSuccessor(choice, i)) != end)
            return NULL;
    unsigned count = 0;
    LLVMValueRef phi = LLVMGetFirstInstruction(end);
    for (; LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
        count++;
    return count <= MOST_VALUES && end != LLVMGetInstructionParent(choice) ? end : NULL;
}

static LLVMValueRef value_from(LLVMValueRef phi, LLVMBasicBlockRef block)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingBlock(phi, i) == block)
            return LLVMGetIncomingValue(phi, i);
    return NULL;
}

// The phi's value by the edge with this number, of the switch in `from`.
static LLVMValueRef value_by(LLVMValueRef choice, unsigned edge, LLVMValueRef phi)
{
    LLVMBasicBlockRef to = LLVMGetSuccessor(choice, edge);
    return value_from(phi,
            to == LLVMGetInstructionParent(phi) ? LLVMGetInstructionParent(choice) : to);
}

static bool is_of_switch(
        LLVMValueRef choice, LLVMBasicBlockRef block, LLVMBasicBlockRef end)
{
    bool is_edge = block == LLVMGetInstructionParent(choice);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(choice) && !is_edge; i++)
        is_edge = LLVMGetSuccessor(choice, i) == block && block != end;
    return is_edge;
}

static void choose(LLVMBuilderRef builder, LLVMValueRef choice, LLVMValueRef phi)
{
    LLVMBasicBlockRef from = LLVMGetInstructionParent(choice);
    LLVMPositionBuilderBefore(builder, choice);
    LLVMValueRef chosen = value_by(choice, 0, phi);
    for (unsigned i = LLVMGetNumSuccessors(choice) - 1; i; i--) {
        LLVMValueRef is_case = LLVMBuildICmp(builder, LLVMIntEQ,
                LLVMGetOperand(choice, 0), LLVMGetOperand(choice, 2 * i), "");
        chosen = LLVMBuildSelect(builder, is_case, value_by(choice, i, phi), chosen, "");
    }
    LLVMPositionBuilderBefore(builder, phi);
    LLVMValueRef renewed = LLVMBuildPhi(builder, LLVMTypeOf(phi), "");
    LLVMAddIncoming(renewed, &chosen, &from, 1);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef incoming = LLVMGetIncomingValue(phi, i);
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
        if (!is_of_switch(choice, block, LLVMGetInstructionParent(phi)))
            LLVMAddIncoming(renewed, &incoming, &block, 1);
    }
    LLVMReplaceAllUsesWith(phi, renewed);
    LLVMInstructionEraseFromParent(phi);
}

static void choose_all(LLVMBuilderRef builder, LLVMValueRef choice, LLVMBasicBlockRef end)
{
    for (LLVMValueRef phi = LLVMGetFirstInstruction(end); LLVMIsAPHINode(phi);) {
        LLVMValueRef next = LLVMGetNextInstruction(phi);
        choose(builder, choice, phi);
        phi = next;
    }
    LLVMBasicBlockRef empty[MOST_CHOSEN + 1];
    unsigned count = 0;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(choice); i++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(choice, i);
        bool is_known = to == end;
        for (unsigned k = 0; k < count && !is_known; k++)
            is_known = empty[k] == to;
        if (!is_known)
            empty[count++] = to;
    }
    LLVMPositionBuilderBefore(builder, choice);
    LLVMBuildBr(builder, end);
    LLVMInstructionEraseFromParent(choice);
    while (count)
        LLVMDeleteBasicBlock(empty[--count]);
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
            LLVMBasicBlockRef end =
                    cases && cases <= MOST_CHOSEN ? common_end(last) : NULL;
            if (end)
                choose_all(builder, last, end);
            else if (cases && cases <= MOST_CASES)
                replace(builder, last, cases);
        }
    LLVMDisposeBuilder(builder);
}

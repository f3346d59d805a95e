// SPDX-License-Identifier: MIT
// Which functions of a module are put into their callers before LLVM optimises it. The
// library's helpers call one another many levels deep; LLVM would optimise each of them
// for itself, and then what they are put into.
#include "compiler/backends/cpu/early_inlining.h"

#include <string.h>

#include "compiler/codegen/base/module.h"

enum { FEW_INSTRUCTIONS = 10, DEEP = 8 };

static bool has_attribute(value function, const char *name)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
}

static bool is_short(value function)
{
    int count = 0;
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
    for (; block; block = LLVMGetNextBasicBlock(block))
        for (value instr = LLVMGetFirstInstruction(block); instr;
                instr = LLVMGetNextInstruction(instr))
            if (++count > FEW_INSTRUCTIONS)
                return false;
    return true;
}

// How many calls of the function there are; -1 where it is used otherwise, or calls
// itself.
static int call_count(value function)
{
    int count = 0;
    LLVMUseRef use = LLVMGetFirstUse(function);
    for (; use; use = LLVMGetNextUse(use), count++) {
        value user = LLVMGetUser(use);
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function ||
                LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == function)
            return -1;
    }
    return count;
}

static bool is_inlined(value function);

static bool has_loop_itself(value function)
{
    unsigned kind = LLVMGetMDKindIDInContext(
            LLVMGetModuleContext(LLVMGetGlobalParent(function)), "llvm.loop", 9);
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
    for (; block; block = LLVMGetNextBasicBlock(block)) {
        value last = LLVMGetBasicBlockTerminator(block);
        if (last && LLVMGetMetadata(last, kind))
            return true;
    }
    return false;
}

// With what is put into it.
static bool has_loop(value function, int depth)
{
    if (!depth || has_loop_itself(function))
        return true;
    LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
    for (; block; block = LLVMGetNextBasicBlock(block))
        for (value instr = LLVMGetFirstInstruction(block); instr;
                instr = LLVMGetNextInstruction(instr)) {
            value callee = LLVMIsACallInst(instr) ? LLVMGetCalledValue(instr) : NULL;
            if (callee && LLVMIsAFunction(callee) && is_inlined(callee) &&
                    has_loop(callee, depth - 1))
                return true;
        }
    return false;
}

// Whether its one caller is a function that LLVM does not optimise. A loop would stay as
// it is there.
static bool is_for_plain_code(value function)
{
    value call = LLVMGetUser(LLVMGetFirstUse(function));
    value caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    return has_attribute(caller, "optnone");
}

static bool is_inlined(value function)
{
    if (LLVMIsDeclaration(function) || LLVMGetLinkage(function) != LLVMInternalLinkage ||
            has_attribute(function, "noinline"))
        return false;
    int calls = call_count(function);
    if (calls == 1)
        return !is_for_plain_code(function) || !has_loop(function, DEEP);
    return calls > 1 && is_short(function);
}

bool early_inlining_mark(LLVMModuleRef module)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
    LLVMAttributeRef always =
            LLVMCreateEnumAttribute(LLVMGetModuleContext(module), kind, 0);
    bool is_marked = false;
    for (value function = LLVMGetFirstFunction(module); function;
            function = LLVMGetNextFunction(function))
        if (is_inlined(function)) {
            LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, always);
            is_marked = true;
        }
    return is_marked;
}

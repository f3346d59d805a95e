// SPDX-License-Identifier: MIT
// Which functions lead to which, asked of the uses of each: modules have few functions by
// now, as the small ones became part of others.
#include "compiler/backends/gpu/module/call_graph.h"

#include <assert.h>

#include "base/vec.h"

typedef VEC(LLVMValueRef) functions;

// A handful: a list is searched faster than a set.
static bool contains(const functions *list, LLVMValueRef function)
{
    vec_each (item, list)
        if (*item == function)
            return true;
    return false;
}

// The functions that call `function`; false where it is used in another way.
static bool add_callers(functions *callers, LLVMValueRef function)
{
    LLVMUseRef use = LLVMGetFirstUse(function);
    for (; use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user))
            continue; // a list of what must be kept
        if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != function)
            return false;
        LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
        if (!contains(callers, caller))
            vec_push(callers, caller);
    }
    return true;
}

// Whether `function` is among those that lead to it.
static bool recurses(LLVMValueRef function)
{
    assert(!LLVMIsDeclaration(function));
    functions callers = {0};
    bool is_known = add_callers(&callers, function);
    for (size_t i = 0; is_known && i < callers.len; i++)
        is_known =
                callers.items[i] != function && add_callers(&callers, callers.items[i]);
    vec_finish(&callers);
    return !is_known;
}

bool gpu_module_recurses(LLVMModuleRef module)
{
    LLVMValueRef function = LLVMGetFirstFunction(module);
    for (; function; function = LLVMGetNextFunction(function))
        if (!LLVMIsDeclaration(function) && recurses(function))
            return true;
    return false;
}

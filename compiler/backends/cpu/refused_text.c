// SPDX-License-Identifier: MIT
// Looks at modules that a program's own generators wrote before anything is compiled with
// them, so that what is wrong with one is told in their name.
#include "compiler/backends/cpu/refused_text.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/IRReader.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "compiler/backends/cpu/jit.h"
#include "compiler/backends/cpu/symbols.h"
#include "compiler/llvm/load.h"

struct reading {
    const char *text;
    char *refusal; // or NULL
};

// Whether the module defines the function, or LLVM or this process has it.
static bool is_there(LLVMValueRef function)
{
    const char *name = LLVMGetValueName(function);
    if (!LLVMIsDeclaration(function))
        return true;
    if (strncmp(name, "llvm.", 5) == 0)
        return LLVMGetIntrinsicID(function) != 0;
    return compiler_symbol(name) != NULL;
}

// Likewise of a variable; those in another address space are a GPU's own.
static bool has_variable(LLVMValueRef variable)
{
    return !LLVMIsDeclaration(variable) ||
           LLVMGetPointerAddressSpace(LLVMTypeOf(variable)) != 0 ||
           compiler_symbol(LLVMGetValueName(variable)) != NULL;
}

static char *missing(const char *what, LLVMValueRef thing)
{
    char *refusal;
    if (asprintf(&refusal, "there is no %s '%s'", what, LLVMGetValueName(thing)) < 0)
        refusal = strdup("what it refers to is not there");
    return refusal;
}

static char *missing_name(LLVMModuleRef module)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
            function = LLVMGetNextFunction(function))
        if (!is_there(function))
            return missing("function", function);
    for (LLVMValueRef variable = LLVMGetFirstGlobal(module); variable;
            variable = LLVMGetNextGlobal(variable))
        if (!has_variable(variable))
            return missing("variable", variable);
    return NULL;
}

static void read_text(void *data)
{
    struct reading *reading = data;
    LLVMContextRef context = jit_context_create();
    LLVMModuleRef module = NULL;
    char *message = NULL;
    bool is_refused = LLVMParseIRInContext(context,
            LLVMCreateMemoryBufferWithMemoryRangeCopy(
                    reading->text, strlen(reading->text), "text"),
            &module, &message);
    if (!is_refused)
        is_refused = LLVMVerifyModule(module, LLVMReturnStatusAction, &message);
    reading->refusal = is_refused ? strdup(message) : missing_name(module);
    LLVMDisposeMessage(message);
    if (module)
        LLVMDisposeModule(module);
    LLVMContextDispose(context);
}

char *jit_refused_text(const char *llvm_ir)
{
    struct reading reading = {.text = llvm_ir};
    struct error err = {0};
    if (!llvm_load(&err))
        return strdup(err.message);
    if (!guard_run(read_text, &reading)) {
        jit_renew(false);
        reading.refusal = strdup("it cannot be read");
    }
    return reading.refusal;
}

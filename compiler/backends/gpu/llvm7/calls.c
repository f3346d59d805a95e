// SPDX-License-Identifier: MIT
// Calls: direct, indirect, variadic, inline assembly, intrinsics.
#include "compiler/backends/gpu/llvm7/writer_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

// What the call's line needs cast before it: the callee and pointer arguments; -1: as it
// is.
struct prepared_call {
    LLVMValueRef call, callee;
    LLVMTypeRef type;
    int callee_temp;
    unsigned count;
    struct prepared_argument {
        LLVMTypeRef pointee;
        bool is_byval;
        unsigned temp;
    } * arguments;
};

static const char *callee_name(LLVMValueRef callee)
{
    size_t len;
    return LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &len) : "";
}

static void prepare(struct llvm7_writer *writer, struct prepared_call *prepared)
{
    LLVMValueRef call = prepared->call, callee = prepared->callee;
    bool is_direct =
            LLVMIsAInlineAsm(callee) ||
            (LLVMIsAFunction(callee) && LLVMGlobalGetValueType(callee) == prepared->type);
    prepared->callee_temp = -1;
    if (!is_direct) {
        prepared->callee_temp = (int)llvm7_temp(writer);
        llvm7_print(writer, "bitcast ");
        llvm7_typed_value(writer, callee);
        llvm7_print(writer, " to ");
        llvm7_function_type(writer, prepared->type);
        llvm7_print(writer, "*\n");
    }
    LLVMTypeRef typed = llvm7_intrinsic_pointee(callee_name(callee), LLVMTypeOf(call));
    for (unsigned i = 0; i < prepared->count; i++) {
        struct prepared_argument *argument = &prepared->arguments[i];
        LLVMTypeRef byval = llvm7_call_byval_type(call, i);
        argument->is_byval = byval != NULL;
        argument->pointee = byval ? byval : i == 0 ? typed : NULL;
        if (argument->pointee)
            argument->temp = llvm7_cast_pointer(
                    writer, LLVMGetOperand(call, i), argument->pointee);
    }
}

static void print_quoted(struct llvm7_writer *writer, const char *text, size_t len)
{
    llvm7_print(writer, "\"");
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        bool is_plain = c >= 32 && c < 127 && c != '"' && c != '\\';
        llvm7_print(writer, is_plain ? "%c" : "\\%02X", c);
    }
    llvm7_print(writer, "\"");
}

static void print_inline_asm(struct llvm7_writer *writer, LLVMValueRef callee)
{
    size_t len;
    llvm7_print(writer, "asm %s",
            LLVMGetInlineAsmHasSideEffects(callee) ? "sideeffect " : "");
    const char *text = LLVMGetInlineAsmAsmString(callee, &len);
    print_quoted(writer, text, len);
    llvm7_print(writer, ", ");
    text = LLVMGetInlineAsmConstraintString(callee, &len);
    print_quoted(writer, text, len);
}

static void print_arguments(
        struct llvm7_writer *writer, const struct prepared_call *prepared)
{
    llvm7_print(writer, "(");
    for (unsigned i = 0; i < prepared->count; i++) {
        const struct prepared_argument *argument = &prepared->arguments[i];
        LLVMValueRef value = LLVMGetOperand(prepared->call, i);
        llvm7_print(writer, i ? ", " : "");
        if (argument->pointee) {
            llvm7_pointer_type(writer, argument->pointee, LLVMTypeOf(value));
            llvm7_print(writer, "%s %%t.%u", argument->is_byval ? " byval" : "",
                    argument->temp);
        } else {
            llvm7_typed_value(writer, value);
        }
    }
    llvm7_print(writer, ")");
}

static void print_call(struct llvm7_writer *writer, struct prepared_call *prepared)
{
    LLVMValueRef call = prepared->call, callee = prepared->callee;
    bool is_void = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind;
    if (is_void)
        llvm7_print(writer, "  ");
    else
        llvm7_result(writer, call);
    llvm7_print(writer, "call");
    llvm7_fast_math_flags(writer, call);
    llvm7_print(writer, " ");
    if (LLVMIsFunctionVarArg(prepared->type))
        llvm7_function_type(writer, prepared->type);
    else
        llvm7_type(writer, LLVMTypeOf(call));
    llvm7_print(writer, " ");
    if (LLVMIsAInlineAsm(callee))
        print_inline_asm(writer, callee);
    else if (prepared->callee_temp >= 0)
        llvm7_print(writer, "%%t.%d", prepared->callee_temp);
    else
        llvm7_global_name(writer, callee);
    print_arguments(writer, prepared);
    llvm7_call_attributes(writer, call);
    llvm7_print(writer, "\n");
}

void llvm7_call(struct llvm7_writer *writer, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    const char *name = callee_name(callee);
    bool is_intrinsic = str_starts_with(name, "llvm.");
    if (is_intrinsic && llvm7_is_dropped(name))
        return;
    if (LLVMGetNumOperandBundles(call)) {
        llvm7_fail(writer, "call with operand bundles");
        return;
    }
    if (is_intrinsic && llvm7_rewrite_intrinsic(writer, name, call))
        return;
    struct prepared_call prepared = {.call = call,
            .callee = callee,
            .type = LLVMGetCalledFunctionType(call),
            .count = LLVMGetNumArgOperands(call)};
    prepared.arguments = memory_zalloc((prepared.count + 1) * sizeof *prepared.arguments);
    prepare(writer, &prepared);
    print_call(writer, &prepared);
    free(prepared.arguments);
}

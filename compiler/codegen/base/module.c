// SPDX-License-Identifier: MIT
// What every room needs of the module under construction: functions of C, calls,
// constants outside of it, failures.
#include "compiler/codegen/base/value.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

bool codegen_failed(const struct codegen *gen)
{
    return gen->err->kind != ERROR_NONE;
}

bool codegen_fail(struct codegen *gen, enum error_kind kind, struct span span,
        const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error_set_va(gen->err, kind, span, format, args);
    va_end(args);
    return false;
}

void codegen_attribute(struct codegen *gen, value function, unsigned index,
        const char *name, uint64_t argument)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAttributeRef attribute = LLVMCreateEnumAttribute(gen->context, kind, argument);
    if (LLVMIsAFunction(function))
        LLVMAddAttributeAtIndex(function, index, attribute);
    else
        LLVMAddCallSiteAttribute(function, index, attribute);
}

value codegen_external(struct codegen *gen, const char *name, LLVMTypeRef returns,
        const LLVMTypeRef *params, unsigned count)
{
    value function = LLVMGetNamedFunction(gen->module, name);
    if (function)
        return function;
    LLVMTypeRef type = LLVMFunctionType(returns, (LLVMTypeRef *)params, count, 0);
    function = LLVMAddFunction(gen->module, name, type);
    codegen_attribute(gen, function, LLVMAttributeFunctionIndex, "nounwind", 0);
    return function;
}

value codegen_call(struct codegen *gen, value function, const value *args, unsigned count,
        const char *name)
{
    return LLVMBuildCall2(gen->builder, LLVMGlobalGetValueType(function), function,
            (value *)args, count, name);
}

value codegen_call_external(struct codegen *gen, const char *name, LLVMTypeRef returns,
        const value *args, unsigned count)
{
    enum { MAX_ARGS = 12 };
    LLVMTypeRef types[MAX_ARGS];
    assert(count <= MAX_ARGS);
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(args[i]);
    return codegen_call(
            gen, codegen_external(gen, name, returns, types, count), args, count, "");
}

value codegen_intrinsic(struct codegen *gen, const char *name, LLVMTypeRef *overloads,
        size_t overload_count, const value *args, unsigned count, const char *result_name)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    value function =
            LLVMGetIntrinsicDeclaration(gen->module, id, overloads, overload_count);
    return codegen_call(gen, function, args, count, result_name);
}

value codegen_text(struct codegen *gen, const char *text, size_t len)
{
    value bytes = LLVMConstStringInContext2(gen->context, text, len, false);
    value global = LLVMAddGlobal(gen->module, LLVMTypeOf(bytes), "text");
    LLVMSetInitializer(global, bytes);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
    return global;
}

// A symbol of no known size or alignment, so that LLVM concludes nothing from either.
static value outside_symbol(struct codegen *gen, size_t number)
{
    char name[64];
    snprintf(name, sizeof name, PORTABLE_TAG ".%zu", number);
    value symbol = LLVMGetNamedGlobal(gen->module, name);
    if (symbol)
        return symbol;
    LLVMTypeRef type = LLVMGetTypeByName2(gen->context, "outside");
    if (!type)
        type = LLVMStructCreateNamed(gen->context, "outside");
    return LLVMAddGlobal(gen->module, type, name);
}

value codegen_address(struct codegen *gen, const void *object)
{
    if (!object)
        return LLVMConstNull(gen->ptr);
    if (!gen->is_portable)
        return LLVMConstIntToPtr(value_i64(gen, (int64_t)(intptr_t)object), gen->ptr);
    size_t number = 0;
    while (number < gen->outside.len && gen->outside.items[number] != object)
        number++;
    if (number == gen->outside.len)
        vec_push(&gen->outside, object);
    return outside_symbol(gen, number);
}

value codegen_file_name(struct codegen *gen, const char *file)
{
    if (!gen->is_portable)
        return codegen_text(gen, file, strlen(file));
    const char *known = map_get(&gen->file_names, file);
    if (!known)
        map_set(&gen->file_names, file, (void *)file);
    return codegen_address(gen, known ? known : file);
}

value gpu_assembly(struct codegen *gen, const char *text, const char *constraints,
        LLVMTypeRef returns, value *args, unsigned count, bool is_convergent)
{
    LLVMTypeRef types[3];
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(args[i]);
    LLVMTypeRef type = LLVMFunctionType(returns, types, count, false);
    value code = LLVMGetInlineAsm(type, text, strlen(text), constraints,
            strlen(constraints), true, false, LLVMInlineAsmDialectATT, false);
    value call = LLVMBuildCall2(gen->builder, type, code, args, count, "");
    if (is_convergent)
        codegen_attribute(
                gen, call, (unsigned)LLVMAttributeFunctionIndex, "convergent", 0);
    return call;
}

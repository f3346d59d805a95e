// SPDX-License-Identifier: MIT
// Types: opaque pointers become i8 pointers, named structs become literal ones.
#include "compiler/backends/gpu/llvm7/writer_internal.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

bool llvm7_is_vector(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind;
}

LLVMTypeRef llvm7_scalar(LLVMTypeRef type)
{
    return llvm7_is_vector(type) ? LLVMGetElementType(type) : type;
}

void llvm7_address_space(struct llvm7_writer *writer, unsigned space)
{
    if (space)
        llvm7_print(writer, " addrspace(%u)", space);
}

void llvm7_pointer_type(
        struct llvm7_writer *writer, LLVMTypeRef pointee, LLVMTypeRef pointer)
{
    assert(LLVMGetTypeKind(llvm7_scalar(pointer)) == LLVMPointerTypeKind);
    bool is_vector = llvm7_is_vector(pointer);
    if (is_vector)
        llvm7_print(writer, "<%u x ", LLVMGetVectorSize(pointer));
    llvm7_type(writer, pointee);
    llvm7_address_space(writer, LLVMGetPointerAddressSpace(llvm7_scalar(pointer)));
    llvm7_print(writer, is_vector ? "*>" : "*");
}

static void print_parameter(
        struct llvm7_writer *writer, LLVMTypeRef type, LLVMTypeRef byval)
{
    if (byval)
        llvm7_pointer_type(writer, byval, type);
    else
        llvm7_type(writer, type);
}

// `function`, where there is one, knows which parameters are byval.
static void print_function_type(
        struct llvm7_writer *writer, LLVMTypeRef type, LLVMValueRef function)
{
    unsigned count = LLVMCountParamTypes(type);
    LLVMTypeRef *params = memory_alloc((count + 1) * sizeof *params);
    LLVMGetParamTypes(type, params);
    llvm7_type(writer, LLVMGetReturnType(type));
    llvm7_print(writer, " (");
    for (unsigned i = 0; i < count; i++) {
        llvm7_print(writer, i ? ", " : "");
        print_parameter(
                writer, params[i], function ? llvm7_byval_type(function, i) : NULL);
    }
    if (LLVMIsFunctionVarArg(type))
        llvm7_print(writer, count ? ", ..." : "...");
    llvm7_print(writer, ")");
    free(params);
}

void llvm7_function_type(struct llvm7_writer *writer, LLVMTypeRef type)
{
    print_function_type(writer, type, NULL);
}

void llvm7_signature(struct llvm7_writer *writer, LLVMValueRef function)
{
    print_function_type(writer, LLVMGlobalGetValueType(function), function);
    llvm7_print(writer, "*");
}

static void print_struct(struct llvm7_writer *writer, LLVMTypeRef type)
{
    if (LLVMIsOpaqueStruct(type))
        llvm7_fail(writer, "opaque struct type");
    bool is_packed = LLVMIsPackedStruct(type);
    llvm7_print(writer, is_packed ? "<{ " : "{ ");
    for (unsigned i = 0, n = LLVMCountStructElementTypes(type); i < n; i++) {
        llvm7_print(writer, i ? ", " : "");
        llvm7_type(writer, LLVMStructGetTypeAtIndex(type, i));
    }
    llvm7_print(writer, is_packed ? " }>" : " }");
}

static void print_repeated(struct llvm7_writer *writer, LLVMTypeRef type, uint64_t count,
        const char *brackets)
{
    llvm7_print(writer, "%c%llu x ", brackets[0], (unsigned long long)count);
    llvm7_type(writer, LLVMGetElementType(type));
    llvm7_print(writer, "%c", brackets[1]);
}

static void fail_type(struct llvm7_writer *writer, LLVMTypeRef type)
{
    char *text = LLVMPrintTypeToString(type);
    llvm7_fail(writer, "type %s", text);
    LLVMDisposeMessage(text);
}

// What a type without parts is called by itself, and within the names of intrinsics.
struct plain_type {
    const char *name, *mangled;
};

static const struct plain_type *plain_type(LLVMTypeRef type)
{
    static const struct plain_type names[] = {[LLVMVoidTypeKind] = {"void", NULL},
            [LLVMHalfTypeKind] = {"half", "f16"},
            [LLVMFloatTypeKind] = {"float", "f32"},
            [LLVMDoubleTypeKind] = {"double", "f64"}};
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    bool is_plain = (size_t)kind < sizeof names / sizeof *names && names[kind].name;
    return is_plain ? &names[kind] : NULL;
}

void llvm7_type(struct llvm7_writer *writer, LLVMTypeRef type)
{
    const struct plain_type *plain = plain_type(type);
    if (plain) {
        llvm7_print(writer, "%s", plain->name);
        return;
    }
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        llvm7_print(writer, "i%u", LLVMGetIntTypeWidth(type));
        break;
    case LLVMPointerTypeKind:
        llvm7_print(writer, "i8");
        llvm7_address_space(writer, LLVMGetPointerAddressSpace(type));
        llvm7_print(writer, "*");
        break;
    case LLVMFunctionTypeKind:
        llvm7_function_type(writer, type);
        break;
    case LLVMArrayTypeKind:
        print_repeated(writer, type, LLVMGetArrayLength2(type), "[]");
        break;
    case LLVMVectorTypeKind:
        print_repeated(writer, type, LLVMGetVectorSize(type), "<>");
        break;
    case LLVMStructTypeKind:
        print_struct(writer, type);
        break;
    default:
        fail_type(writer, type);
    }
}

static LLVMTypeRef type_attribute(LLVMAttributeRef attribute)
{
    return attribute ? LLVMGetTypeAttributeValue(attribute) : NULL;
}

LLVMTypeRef llvm7_byval_type(LLVMValueRef function, unsigned param)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    return type_attribute(LLVMGetEnumAttributeAtIndex(function, param + 1, kind));
}

LLVMTypeRef llvm7_call_byval_type(LLVMValueRef call, unsigned arg)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    return type_attribute(LLVMGetCallSiteEnumAttribute(call, arg + 1, kind));
}

LLVMTypeRef llvm7_gep_result(LLVMValueRef gep)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    for (int i = 2, n = LLVMGetNumOperands(gep); i < n; i++) {
        if (LLVMGetTypeKind(type) != LLVMStructTypeKind) {
            type = LLVMGetElementType(type);
            continue;
        }
        // a vector GEP may have a splat here
        LLVMValueRef index = LLVMGetOperand(gep, i);
        if (!LLVMIsAConstantInt(index))
            index = LLVMGetAggregateElement(index, 0);
        type = LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index));
    }
    return type;
}

void llvm7_mangled_type(struct llvm7_writer *writer, struct str *out, LLVMTypeRef type)
{
    if (llvm7_is_vector(type))
        str_printf(out, "v%u", LLVMGetVectorSize(type));
    LLVMTypeRef scalar = llvm7_scalar(type);
    const struct plain_type *plain = plain_type(scalar);
    if (plain && plain->mangled)
        str_append(out, plain->mangled);
    else if (LLVMGetTypeKind(scalar) == LLVMIntegerTypeKind)
        str_printf(out, "i%u", LLVMGetIntTypeWidth(scalar));
    else if (LLVMGetTypeKind(scalar) == LLVMPointerTypeKind)
        str_printf(out, "p%ui8", LLVMGetPointerAddressSpace(scalar));
    else
        fail_type(writer, type);
}

void llvm7_splat(struct llvm7_writer *writer, LLVMTypeRef type, const char *text)
{
    if (!llvm7_is_vector(type)) {
        llvm7_print(writer, "%s", text);
        return;
    }
    llvm7_print(writer, "<");
    for (unsigned i = 0, n = LLVMGetVectorSize(type); i < n; i++) {
        llvm7_print(writer, i ? ", " : "");
        llvm7_type(writer, LLVMGetElementType(type));
        llvm7_print(writer, " %s", text);
    }
    llvm7_print(writer, ">");
}

void llvm7_condition_type(struct llvm7_writer *writer, LLVMTypeRef like)
{
    if (llvm7_is_vector(like))
        llvm7_print(writer, "<%u x i1>", LLVMGetVectorSize(like));
    else
        llvm7_print(writer, "i1");
}

// SPDX-License-Identifier: MIT
// Types: opaque pointers become i8 pointers, named structs become literal ones.
#include "compiler/backends/gpu/llvm7/writer_internal.h"

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
    bool is_vector = llvm7_is_vector(pointer);
    if (is_vector)
        llvm7_print(writer, "<%u x ", LLVMGetVectorSize(pointer));
    llvm7_type(writer, pointee);
    llvm7_address_space(writer, LLVMGetPointerAddressSpace(llvm7_scalar(pointer)));
    llvm7_print(writer, is_vector ? "*>" : "*");
}

void llvm7_function_type(struct llvm7_writer *writer, LLVMTypeRef type)
{
    llvm7_type(writer, LLVMGetReturnType(type));
    llvm7_print(writer, " (");
    unsigned count = LLVMCountParamTypes(type);
    LLVMTypeRef *params = memory_alloc((count + 1) * sizeof *params);
    LLVMGetParamTypes(type, params);
    for (unsigned i = 0; i < count; i++) {
        llvm7_print(writer, i ? ", " : "");
        llvm7_type(writer, params[i]);
    }
    free(params);
    if (LLVMIsFunctionVarArg(type))
        llvm7_print(writer, count ? ", ..." : "...");
    llvm7_print(writer, ")");
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

static void fail_type(struct llvm7_writer *writer, LLVMTypeRef type)
{
    char *text = LLVMPrintTypeToString(type);
    llvm7_fail(writer, "type %s", text);
    LLVMDisposeMessage(text);
}

void llvm7_type(struct llvm7_writer *writer, LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
        llvm7_print(writer, "void");
        break;
    case LLVMHalfTypeKind:
        llvm7_print(writer, "half");
        break;
    case LLVMFloatTypeKind:
        llvm7_print(writer, "float");
        break;
    case LLVMDoubleTypeKind:
        llvm7_print(writer, "double");
        break;
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
        llvm7_print(writer, "[%llu x ", (unsigned long long)LLVMGetArrayLength2(type));
        llvm7_type(writer, LLVMGetElementType(type));
        llvm7_print(writer, "]");
        break;
    case LLVMVectorTypeKind:
        llvm7_print(writer, "<%u x ", LLVMGetVectorSize(type));
        llvm7_type(writer, LLVMGetElementType(type));
        llvm7_print(writer, ">");
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

void llvm7_signature(struct llvm7_writer *writer, LLVMValueRef function)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    unsigned count = LLVMCountParams(function);
    llvm7_type(writer, LLVMGetReturnType(type));
    llvm7_print(writer, " (");
    for (unsigned i = 0; i < count; i++) {
        LLVMTypeRef param = LLVMTypeOf(LLVMGetParam(function, i));
        LLVMTypeRef byval = llvm7_byval_type(function, i);
        llvm7_print(writer, i ? ", " : "");
        if (byval)
            llvm7_pointer_type(writer, byval, param);
        else
            llvm7_type(writer, param);
    }
    if (LLVMIsFunctionVarArg(type))
        llvm7_print(writer, count ? ", ..." : "...");
    llvm7_print(writer, ")*");
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
    switch (LLVMGetTypeKind(scalar)) {
    case LLVMHalfTypeKind:
        str_append(out, "f16");
        break;
    case LLVMFloatTypeKind:
        str_append(out, "f32");
        break;
    case LLVMDoubleTypeKind:
        str_append(out, "f64");
        break;
    case LLVMIntegerTypeKind:
        str_printf(out, "i%u", LLVMGetIntTypeWidth(scalar));
        break;
    case LLVMPointerTypeKind:
        str_printf(out, "p%ui8", LLVMGetPointerAddressSpace(scalar));
        break;
    default:
        fail_type(writer, type);
    }
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

const char *llvm7_opcode_name(LLVMOpcode opcode)
{
    static const char *const names[] = {[LLVMAdd] = "add",
            [LLVMFAdd] = "fadd",
            [LLVMSub] = "sub",
            [LLVMFSub] = "fsub",
            [LLVMMul] = "mul",
            [LLVMFMul] = "fmul",
            [LLVMUDiv] = "udiv",
            [LLVMSDiv] = "sdiv",
            [LLVMFDiv] = "fdiv",
            [LLVMURem] = "urem",
            [LLVMSRem] = "srem",
            [LLVMFRem] = "frem",
            [LLVMShl] = "shl",
            [LLVMLShr] = "lshr",
            [LLVMAShr] = "ashr",
            [LLVMAnd] = "and",
            [LLVMOr] = "or",
            [LLVMXor] = "xor",
            [LLVMTrunc] = "trunc",
            [LLVMZExt] = "zext",
            [LLVMSExt] = "sext",
            [LLVMFPToUI] = "fptoui",
            [LLVMFPToSI] = "fptosi",
            [LLVMUIToFP] = "uitofp",
            [LLVMSIToFP] = "sitofp",
            [LLVMFPTrunc] = "fptrunc",
            [LLVMFPExt] = "fpext",
            [LLVMPtrToInt] = "ptrtoint",
            [LLVMIntToPtr] = "inttoptr",
            [LLVMBitCast] = "bitcast",
            [LLVMAddrSpaceCast] = "addrspacecast",
            [LLVMExtractElement] = "extractelement",
            [LLVMInsertElement] = "insertelement"};
    return (size_t)opcode < sizeof names / sizeof *names ? names[opcode] : NULL;
}

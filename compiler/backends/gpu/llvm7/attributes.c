// SPDX-License-Identifier: MIT
// Linkage and the attributes that LLVM 7 has too; the rest are only hints and are left
// out.
#include "compiler/backends/gpu/llvm7/writer_internal.h"

#include <string.h>

#include "compiler/llvm/versions.h"

static const char *const FUNCTION_ATTRIBUTES[] = {"alwaysinline", "noinline", "nounwind",
        "noreturn", "optnone", "convergent", "norecurse", "speculatable", "readnone",
        "readonly", "cold", NULL};
static const char *const PARAMETER_ATTRIBUTES[] = {"noalias", "nocapture", "readonly",
        "readnone", "writeonly", "nonnull", "signext", "zeroext", NULL};
static const char *const CALL_ATTRIBUTES[] = {
        "noinline", "nounwind", "noreturn", "convergent", NULL};

static unsigned kind_of(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static void print_memory(struct llvm7_writer *writer, LLVMAttributeRef attribute)
{
    uint64_t value = LLVMGetEnumAttributeValue(attribute);
    unsigned arguments = value >> LLVM_MEMORY_OF_ARGUMENTS & 3;
    unsigned inaccessible = value >> LLVM_MEMORY_INACCESSIBLE & 3;
    // LLVM 7 counts errno among these
    unsigned other = (value >> LLVM_MEMORY_OTHER | value >> LLVM_MEMORY_ERRNO) & 3;
    unsigned any = arguments | inaccessible | other;
    if (!any) {
        llvm7_print(writer, " readnone");
        return;
    }
    if (!(any & 2))
        llvm7_print(writer, " readonly");
    else if (!(any & 1))
        llvm7_print(writer, " writeonly");
    if (!inaccessible && !other)
        llvm7_print(writer, " argmemonly");
    else if (!arguments && !other)
        llvm7_print(writer, " inaccessiblememonly");
    else if (!other)
        llvm7_print(writer, " inaccessiblemem_or_argmemonly");
}

void llvm7_function_attributes(struct llvm7_writer *writer, LLVMValueRef function)
{
    unsigned index = (unsigned)LLVMAttributeFunctionIndex;
    for (const char *const *name = FUNCTION_ATTRIBUTES; *name; name++) {
        unsigned kind = kind_of(*name);
        if (kind && LLVMGetEnumAttributeAtIndex(function, index, kind))
            llvm7_print(writer, " %s", *name);
    }
    LLVMAttributeRef memory =
            LLVMGetEnumAttributeAtIndex(function, index, kind_of("memory"));
    if (memory)
        print_memory(writer, memory);
}

void llvm7_parameter_attributes(
        struct llvm7_writer *writer, LLVMValueRef function, unsigned index)
{
    for (const char *const *name = PARAMETER_ATTRIBUTES; *name; name++) {
        unsigned kind = kind_of(*name);
        if (kind && LLVMGetEnumAttributeAtIndex(function, index + 1, kind))
            llvm7_print(writer, " %s", *name);
    }
    // LLVM 21 says nocapture so
    LLVMAttributeRef captures =
            LLVMGetEnumAttributeAtIndex(function, index + 1, kind_of("captures"));
    if (captures && !LLVMGetEnumAttributeValue(captures))
        llvm7_print(writer, " nocapture");
    LLVMAttributeRef align =
            LLVMGetEnumAttributeAtIndex(function, index + 1, kind_of("align"));
    if (align)
        llvm7_print(writer, " align %llu",
                (unsigned long long)LLVMGetEnumAttributeValue(align));
}

void llvm7_call_attributes(struct llvm7_writer *writer, LLVMValueRef call)
{
    unsigned index = (unsigned)LLVMAttributeFunctionIndex;
    for (const char *const *name = CALL_ATTRIBUTES; *name; name++) {
        if (LLVMGetCallSiteEnumAttribute(call, index, kind_of(*name)))
            llvm7_print(writer, " %s", *name);
    }
    LLVMAttributeRef memory =
            LLVMGetCallSiteEnumAttribute(call, index, kind_of("memory"));
    if (memory)
        print_memory(writer, memory);
}

const char *llvm7_linkage(struct llvm7_writer *writer, LLVMValueRef global)
{
    switch (LLVMGetLinkage(global)) {
    case LLVMExternalLinkage:
        return "";
    case LLVMInternalLinkage:
    case LLVMPrivateLinkage:
        return "internal ";
    case LLVMLinkOnceAnyLinkage:
        return "linkonce ";
    case LLVMLinkOnceODRLinkage:
        return "linkonce_odr ";
    case LLVMWeakAnyLinkage:
        return "weak ";
    case LLVMWeakODRLinkage:
        return "weak_odr ";
    case LLVMAvailableExternallyLinkage:
        return "available_externally ";
    case LLVMCommonLinkage:
        return "common ";
    default: {
        size_t len;
        llvm7_fail(writer, "linkage of '%s'", LLVMGetValueName2(global, &len));
        return "";
    }
    }
}

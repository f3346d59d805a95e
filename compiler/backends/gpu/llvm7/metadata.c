// SPDX-License-Identifier: MIT
// Metadata: the IR version that libnvvm asks for, and the annotations that mark kernels.
// Node 0 is the version, node 1 the empty node, annotations follow.
#include "compiler/backends/gpu/llvm7/writer_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compiler/backends/gpu/module/ptx_module.h"

static void print_annotated(struct llvm7_writer *writer, LLVMValueRef operand)
{
    unsigned len;
    if (!operand) {
        llvm7_print(writer, "null");
    } else if (LLVMIsAFunction(operand)) {
        llvm7_signature(writer, operand);
        llvm7_print(writer, " ");
        llvm7_global_name(writer, operand);
    } else if (LLVMIsAMDString(operand)) {
        const char *text = LLVMGetMDString(operand, &len);
        llvm7_print(writer, "!\"%.*s\"", (int)len, text);
    } else if (LLVMIsAConstantInt(operand)) {
        llvm7_typed_value(writer, operand);
    } else {
        llvm7_fail(writer, "operand of !nvvm.annotations");
    }
}

static void print_annotation(struct llvm7_writer *writer, LLVMValueRef node)
{
    unsigned count = LLVMGetMDNodeNumOperands(node);
    LLVMValueRef *operands = memory_alloc((count + 1) * sizeof *operands);
    LLVMGetMDNodeOperands(node, operands);
    for (unsigned i = 0; i < count; i++) {
        llvm7_print(writer, i ? ", " : "");
        print_annotated(writer, operands[i]);
    }
    free(operands);
}

static unsigned print_module_annotations(struct llvm7_writer *writer, unsigned next)
{
    static const char name[] = "nvvm.annotations";
    unsigned count = LLVMGetNamedMetadataNumOperands(writer->module, name);
    LLVMValueRef *nodes = memory_alloc((count + 1) * sizeof *nodes);
    LLVMGetNamedMetadataOperands(writer->module, name, nodes);
    for (unsigned i = 0; i < count; i++) {
        llvm7_print(writer, "!%u = !{", next++);
        print_annotation(writer, nodes[i]);
        llvm7_print(writer, "}\n");
    }
    free(nodes);
    return next;
}

// A kernel by calling convention needs the annotation that LLVM 7 knows kernels by.
static unsigned print_kernels(struct llvm7_writer *writer, unsigned next)
{
    LLVMValueRef f = LLVMGetFirstFunction(writer->module);
    for (; f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) ||
                LLVMGetFunctionCallConv(f) != PTX_KERNEL_CALL_CONVENTION)
            continue;
        llvm7_print(writer, "!%u = !{", next++);
        llvm7_signature(writer, f);
        llvm7_print(writer, " ");
        llvm7_global_name(writer, f);
        llvm7_print(writer, ", !\"kernel\", i32 1}\n");
    }
    return next;
}

static bool is_text(LLVMValueRef node, const char *text)
{
    unsigned len;
    LLVMValueRef operand;
    if (!LLVMIsAMDNode(node) || LLVMGetMDNodeNumOperands(node) != 1)
        return false;
    LLVMGetMDNodeOperands(node, &operand);
    const char *found = operand ? LLVMGetMDString(operand, &len) : NULL;
    return found && len == strlen(text) && !memcmp(found, text, len);
}

// Of what is said of loops, that they are to stay as they are.
void llvm7_loop(struct llvm7_writer *writer, LLVMValueRef branch)
{
    static const char loop[] = "llvm.loop";
    LLVMContextRef context = LLVMGetModuleContext(writer->module);
    LLVMValueRef node = LLVMGetMetadata(
            branch, LLVMGetMDKindIDInContext(context, loop, sizeof loop - 1));
    unsigned count = node ? LLVMGetMDNodeNumOperands(node) : 0;
    LLVMValueRef *operands = memory_alloc((count + 1) * sizeof *operands);
    if (node)
        LLVMGetMDNodeOperands(node, operands);
    for (unsigned i = 1; i < count; i++)
        if (operands[i] && is_text(operands[i], "llvm.loop.unroll.disable"))
            llvm7_print(writer, ", !llvm.loop !2");
    free(operands);
}

void llvm7_metadata(struct llvm7_writer *writer)
{
    const unsigned first = 4;
    llvm7_print(writer, "\n!0 = !{i32 2, i32 0}\n!1 = !{}\n!2 = distinct !{!2, !3}\n"
                        "!3 = !{!\"llvm.loop.unroll.disable\"}\n");
    unsigned end = print_module_annotations(writer, first);
    end = print_kernels(writer, end);
    llvm7_print(writer, "!nvvm.annotations = !{");
    for (unsigned i = first; i < end; i++)
        llvm7_print(writer, i > first ? ", !%u" : "!%u", i);
    llvm7_print(writer, "}\n!nvvmir.version = !{!0}\n");
    llvm7_debug_metadata(writer);
}

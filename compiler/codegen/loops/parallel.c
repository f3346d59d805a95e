// SPDX-License-Identifier: MIT
// Metadata for loops whose turns do not depend on each other.
#include "compiler/codegen/loops/parallel.h"

#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <string.h>

// The C API has no constructor for distinct nodes: they are read from text. What a short
// loop leaves to single threads is not worth unrolling.
struct parallel_loop parallel_create(struct codegen *gen, enum parallel_kind kind)
{
    static const char format[] =
            "!group = !{!0}\n"
            "!loop = !{!1}\n"
            "!0 = distinct !{}\n"
            "!1 = distinct !{!1, !2%s}\n"
            "!2 = !{!\"llvm.loop.parallel_accesses\", !0}\n"
            "!3 = !{!\"llvm.loop.interleave.count\", i32 1}\n"
            "!4 = !{!\"llvm.loop.vectorize.followup_epilogue\", !5, !6}\n"
            "!5 = !{!\"llvm.loop.unroll.disable\"}\n"
            "!6 = !{!\"llvm.loop.isvectorized\", i32 1}\n"
            "!7 = !{!\"llvm.loop.vectorize.predicate.enable\", i1 true}\n";
    static const char *const hints[] = {[PARALLEL_LONG] = "",
            [PARALLEL_SHORT] = ", !3, !4",
            [PARALLEL_MASKED] = ", !3, !4, !7"};
    char text[sizeof format + 16];
    int len = snprintf(text, sizeof text, format, hints[kind]);
    struct parallel_loop parallel = {0};
    LLVMMemoryBufferRef buffer =
            LLVMCreateMemoryBufferWithMemoryRangeCopy(text, (size_t)len, "parallel");
    LLVMModuleRef module;
    char *message = NULL;
    if (LLVMParseIRInContext(gen->context, buffer, &module, &message)) {
        codegen_fail(gen, ERROR_INTERNAL, SPAN_NONE, "internal: LLVM: %s", message);
        LLVMDisposeMessage(message);
        return parallel;
    }
    LLVMGetNamedMetadataOperands(module, "group", &parallel.access_group);
    LLVMGetNamedMetadataOperands(module, "loop", &parallel.loop_id);
    LLVMDisposeModule(module);
    return parallel;
}

static bool touches_memory(value instruction)
{
    LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    return opcode == LLVMLoad || opcode == LLVMStore || opcode == LLVMCall;
}

void parallel_mark_blocks(struct codegen *gen, const struct parallel_loop *parallel,
        LLVMBasicBlockRef first, LLVMBasicBlockRef last)
{
    unsigned kind = LLVMGetMDKindIDInContext(gen->context, "llvm.access.group", 17);
    if (!parallel->access_group)
        return;
    for (LLVMBasicBlockRef block = first; block; block = LLVMGetNextBasicBlock(block)) {
        for (value instr = LLVMGetFirstInstruction(block); instr;
                instr = LLVMGetNextInstruction(instr))
            if (touches_memory(instr))
                LLVMSetMetadata(instr, kind, parallel->access_group);
        if (block == last)
            break;
    }
}

void parallel_mark_latch(struct codegen *gen, const struct parallel_loop *parallel,
        const struct counted_loop *loop)
{
    if (parallel->loop_id)
        LLVMSetMetadata(loop->back_edge,
                LLVMGetMDKindIDInContext(gen->context, "llvm.loop", 9),
                parallel->loop_id);
}

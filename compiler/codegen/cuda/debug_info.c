// SPDX-License-Identifier: MIT
// Which line of the user's source each instruction comes from, for profilers and
// debuggers: .loc directives in the PTX, DWARF for the CPU.
#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "compiler/codegen/base/value.h"
#include "compiler/codegen/cuda/debug_info.h"
#include "compiler/types/source.h"

enum {
    FULL_DEBUG = 1,
    DEBUG_DIRECTIVES_ONLY = 3,
    METADATA_VERSION = 3
}; // not named by LLVM's C header

static LLVMMetadataRef file_of(struct codegen *gen, const char *path)
{
    const char *name = path ? path : "unknown";
    return LLVMDIBuilderCreateFile(gen->debug.builder, name, strlen(name), "", 0);
}

void debug_begin(struct codegen *gen, const char *path, enum debug_detail detail)
{
    bool has_variables = detail == DEBUG_VARIABLES;
    static const char version[] = "Debug Info Version", producer[] = "gridcell";
    // the languages that debuggers of GPUs know
    LLVMDWARFSourceLanguage language = has_variables ? LLVMDWARFSourceLanguageC_plus_plus
                                                     : LLVMDWARFSourceLanguagePython;
    gen->debug.has_variables = has_variables;
    gen->debug.builder = LLVMCreateDIBuilder(gen->module);
    LLVMAddModuleFlag(gen->module, LLVMModuleFlagBehaviorWarning, version,
            sizeof version - 1, LLVMValueAsMetadata(value_i32(gen, METADATA_VERSION)));
    LLVMDIBuilderCreateCompileUnit(gen->debug.builder, language, file_of(gen, path),
            producer, sizeof producer - 1, !has_variables, "", 0, 0, "", 0,
            (LLVMDWARFEmissionKind)(detail == DEBUG_DIRECTIVES ? DEBUG_DIRECTIVES_ONLY
                                                               : FULL_DEBUG),
            0, false, false, "", 0, "", 0);
}

// The builder keeps its line when it goes on to another function, of which LLVM takes
// lines of its own only; and a call that may be inlined into a function with lines must
// have one.
static void settle_line(struct codegen *gen, value instr, LLVMMetadataRef function)
{
    LLVMMetadataRef line = LLVMInstructionGetDebugLoc(instr);
    bool is_own = line && LLVMDILocationGetScope(line) == function;
    if (is_own || (!line && !(function && LLVMIsACallInst(instr))))
        return;
    LLVMInstructionSetDebugLoc(
            instr, !function ? NULL
                             : LLVMDIBuilderCreateDebugLocation(
                                       gen->context, 0, 0, function, NULL));
}

static void settle_lines(struct codegen *gen)
{
    for (value function = LLVMGetFirstFunction(gen->module); function;
            function = LLVMGetNextFunction(function))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
                block = LLVMGetNextBasicBlock(block))
            for (value instr = LLVMGetFirstInstruction(block); instr;
                    instr = LLVMGetNextInstruction(instr))
                settle_line(gen, instr, LLVMGetSubprogram(function));
}

void debug_finish(struct codegen *gen)
{
    if (!gen->debug.builder)
        return;
    settle_lines(gen);
    LLVMDIBuilderFinalize(gen->debug.builder);
    LLVMDisposeDIBuilder(gen->debug.builder);
    gen->debug.builder = NULL;
    vec_finish(&gen->debug.variables);
}

void debug_enter(struct body *body)
{
    struct codegen *gen = body->gen;
    const struct source *source = body->ir->source;
    if (!gen->debug.builder)
        return;
    size_t len;
    const char *name = body->ir->name, *symbol = LLVMGetValueName2(body->function, &len);
    if (gen->target->kind == TARGET_HOST)
        len = 0; // gdb would show it in place of the name
    unsigned line = source && source->first_line > 0 ? (unsigned)source->first_line : 1;
    LLVMMetadataRef file = file_of(gen, source ? source->file : NULL);
    LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(
            gen->debug.builder, file, NULL, 0, LLVMDIFlagZero);
    gen->debug.scope = LLVMDIBuilderCreateFunction(gen->debug.builder, file, name,
            strlen(name), symbol, len, file, line, type, false, true, line,
            LLVMDIFlagZero, !gen->debug.has_variables);
    gen->debug.variables.len = 0;
    LLVMSetSubprogram(body->function, gen->debug.scope);
    debug_at(body, (struct span){.line = (int)line});
}

void debug_at(struct body *body, struct span span)
{
    struct codegen *gen = body->gen;
    if (gen->debug.builder && span.line > 0)
        LLVMSetCurrentDebugLocation2(gen->builder,
                LLVMDIBuilderCreateDebugLocation(gen->context, (unsigned)span.line,
                        span.column > 0 ? (unsigned)span.column : 0, gen->debug.scope,
                        NULL));
}

// SPDX-License-Identifier: MIT
// Which line of the user's source each instruction comes from, for profilers and
// debuggers of GPUs: .loc directives in the PTX.
#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "compiler/codegen/codegen.h"
#include "compiler/source.h"

enum { DEBUG_DIRECTIVES_ONLY = 3, METADATA_VERSION = 3 }; // not named by LLVM's C header

static LLVMMetadataRef file_of(struct codegen *gen, const char *path)
{
    const char *name = path ? path : "unknown";
    return LLVMDIBuilderCreateFile(gen->debug.builder, name, strlen(name), "", 0);
}

void debug_begin(struct codegen *gen, const char *path)
{
    static const char version[] = "Debug Info Version", producer[] = "gridcell";
    gen->debug.builder = LLVMCreateDIBuilder(gen->module);
    LLVMAddModuleFlag(gen->module, LLVMModuleFlagBehaviorWarning, version,
            sizeof version - 1, LLVMValueAsMetadata(value_i32(gen, METADATA_VERSION)));
    LLVMDIBuilderCreateCompileUnit(gen->debug.builder, LLVMDWARFSourceLanguagePython,
            file_of(gen, path), producer, sizeof producer - 1, true, "", 0, 0, "", 0,
            (LLVMDWARFEmissionKind)DEBUG_DIRECTIVES_ONLY, 0, false, false, "", 0, "", 0);
}

void debug_finish(struct codegen *gen)
{
    if (!gen->debug.builder)
        return;
    LLVMDIBuilderFinalize(gen->debug.builder);
    LLVMDisposeDIBuilder(gen->debug.builder);
    gen->debug.builder = NULL;
}

void debug_enter(struct body *body)
{
    struct codegen *gen = body->gen;
    const struct source *source = body->ir->source;
    if (!gen->debug.builder)
        return;
    size_t len;
    const char *name = body->ir->name, *symbol = LLVMGetValueName2(body->function, &len);
    unsigned line = source && source->first_line > 0 ? (unsigned)source->first_line : 1;
    LLVMMetadataRef file = file_of(gen, source ? source->file : NULL);
    LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(
            gen->debug.builder, file, NULL, 0, LLVMDIFlagZero);
    gen->debug.scope = LLVMDIBuilderCreateFunction(gen->debug.builder, file, name,
            strlen(name), symbol, len, file, line, type, false, true, line,
            LLVMDIFlagZero, true);
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

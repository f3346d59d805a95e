// SPDX-License-Identifier: MIT
// What a compilation yields: its life, and the texts that inspection asks for.
#include "compiler/compiler.h"

#include <stdlib.h>

#include "compiler/backends/backend.h"
#include "compiler/backends/cfg/cfg.h"
#include "compiler/backends/cpu/jit.h"
#include "compiler/compile.h"
#include "compiler/typing/infer/annotate.h"

void compiler_llvm_version(unsigned *major, unsigned *minor, unsigned *patch)
{
    LLVMGetVersion(major, minor, patch);
}

// The caller knows that no code of it runs and that nothing points to its strings: raise
// sites lie in the arena. The IR stays its source's.
void compiled_destroy(struct compiled *compiled)
{
    if (!compiled)
        return;
    jit_unload(compiled);
    arena_finish(&compiled->private->arena);
    free(compiled->private);
    free(compiled->ptx);
    free(compiled->ptx_entry);
    free(compiled->joined_entry);
    free(compiled->ltoir);
    free(compiled->llvm_ir);
    free(compiled->asm_text);
    free(compiled->cache_file);
    free(compiled->cache_failure);
    free(compiled);
}

// Not for two threads at once, on the same `compiled`, as the text is kept in it.
const char *compiled_llvm(struct compiled *compiled, struct error *err)
{
    if (!compiled->llvm_ir && !compile_text(compiled, err))
        return NULL;
    return compiled->llvm_ir;
}

const char *compiled_asm(struct compiled *compiled, struct error *err)
{
    if (compiled->ptx)
        return compiled->ptx;
    const char *llvm_ir = compiled->asm_text ? NULL : compiled_llvm(compiled, err);
    if (llvm_ir)
        compiled->asm_text = jit_assembly(llvm_ir, err);
    return compiled->asm_text;
}

// Looked up by name each time: the code may have been loaded from disk, under a name that
// was made then.
void *compiled_code(const struct compiled *compiled, struct error *err)
{
    return jit_lookup(compiled->private->code_symbol, err);
}

bool compiled_cfg_dot(struct compiled *compiled, struct str *out, struct error *err)
{
    return compiled_llvm(compiled, err) &&
           cfg_dot(compiled->llvm_ir, compiled->private->shown_symbol, out, err);
}

bool compiled_cfg_svg(struct compiled *compiled, struct str *out, struct error *err)
{
    return compiled_llvm(compiled, err) &&
           cfg_svg(compiled->llvm_ir, compiled->private->shown_symbol,
                   compiled->raise_sites, compiled->raise_site_count, out, err);
}

bool compiled_types(const struct compiled *compiled, const char *const *source_lines,
        size_t line_count, struct str *out, struct error *err)
{
    return annotate_print(compiled->function, source_lines, line_count, out, err);
}

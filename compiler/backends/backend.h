// SPDX-License-Identifier: MIT
// What the backends share: the part of `compiled` that only they see, names, the table of
// raise sites, verification.
#pragma once

#include "compiler/backends/compilation.h"
#include "compiler/backends/compiled.h"
#include "compiler/codegen/codegen.h"

struct compiled_private {
    struct arena arena;       // strings of the raise sites
    const char *shown_symbol; // LLVM function that stands for the user's
    const char *code_symbol;  // TARGET_HOST: of this function in this process
    const char *entry_symbol; // TARGET_HOST: that callers enter by
    enum compile_kind kind;   // as the options were
    int opt_level;
    const void *owner;
    const void *const *outside; // of a portable module: see codegen_address
    size_t outside_count;
    void *code_address;             // TARGET_HOST: where code_symbol is
    void *code;                     // of jit_unload
    unsigned code_start;            // of the JIT that has it, see jit_renew()
    struct debugged_code *debugged; // what a debugger knows of it, or NULL
    bool keeps_code; // it holds texts that outlive it, in lists and other objects
};

// A name for the LLVM function of one of ours that no other module of the process uses.
const char *backend_unique_name(struct arena *arena, const struct ir_function *function);
// The symbol without what differs between processes.
const char *backend_plain_name(struct arena *arena, const char *symbol);
// Names the module's own functions by their order in it.
void backend_number_functions(struct arena *arena, LLVMModuleRef module);
// Copies the table of raise sites with its strings.
void backend_take_raise_sites(struct compiled *compiled, struct codegen *gen);
// What an observed kernel tells, likewise.
void backend_take_observed(struct compiled *compiled, const struct codegen *gen);
// Verifies the module; a defect is ERROR_LOWERING with LLVM's words.
bool backend_verify(LLVMModuleRef module, struct error *err);

// Adds a function with named parameters and places the builder in its first block.
value backend_open_function(struct codegen *gen, const char *name, LLVMTypeRef returns,
        LLVMTypeRef *params, unsigned count, const char *const *names);

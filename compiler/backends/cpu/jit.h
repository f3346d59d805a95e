// SPDX-License-Identifier: MIT
// The process's one JIT for the CPU, and the optimiser for it. Any thread.
#pragma once

#include <llvm-c/Core.h>

#include "base/str.h"
#include "compiler/backends/compiled.h"

// Starts it, unless that is done.
bool jit_start(struct error *err);
// Prepares an empty module of codegen for the CPU.
void jit_target_module(LLVMModuleRef module);
// A context whose diagnostics go to the log.
LLVMContextRef jit_context_create(void);
// Optimises the module and keeps its text in compiled->llvm_ir.
bool jit_optimise(struct compiled *compiled, LLVMModuleRef module, int opt_level,
        struct error *err);
// Loads the module's code; disposes of the module in any case.
bool jit_load(struct compiled *compiled, LLVMModuleRef module, struct error *err);
// The module's code as an ELF object, which the caller disposes of; NULL with err set.
LLVMMemoryBufferRef jit_object(LLVMModuleRef module, struct error *err);
// Loads such an object, and disposes of it.
bool jit_load_object(
        struct compiled *compiled, LLVMMemoryBufferRef object, struct error *err);
bool jit_define(const char *name, const void *address, struct error *err);
// Appends what else code depends on than its module: processor, LLVM, this build.
void jit_describe(struct str *out);
void *jit_lookup(const char *name, struct error *err);
void jit_unload(struct compiled *compiled);
// Assembly of a module given as text; caller frees. NULL and an error if it cannot be
// made.
char *jit_assembly(const char *llvm_ir, struct error *err);

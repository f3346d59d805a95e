// SPDX-License-Identifier: MIT
// The process's one JIT for the CPU, and the optimiser for it. Any thread.
#pragma once

#include <llvm-c/Core.h>

#include "base/str.h"
#include "compiler/backends/compilation.h"

// Starts it, unless that is done.
bool jit_start(struct error *err);
// After work with LLVM was given up: what compilations share is made anew, the JIT itself
// where it was amid of loading code.
void jit_renew(bool has_lost_code);
// Prepares an empty module of codegen for the CPU.
void jit_target_module(LLVMModuleRef module);
// A context whose diagnostics go to the log.
LLVMContextRef jit_context_create(void);
bool jit_define(const char *name, const void *address, struct error *err);
// Appends what else code depends on than its module: processor, LLVM, this build.
void jit_describe(struct str *out);
void *jit_lookup(const char *name, struct error *err);
void jit_unload(struct compiled *compiled);
// Assembly of a module given as text; caller frees. NULL and an error if it cannot be
// made.
char *jit_assembly(const char *llvm_ir, int level, struct error *err);

// The passes of LLVM over a module for this CPU, in this order.

// Unrolls loops of few turns, if the module says that it has some.
bool jit_unroll(struct compilation *c);
// Marks functions that are inlined before all else.
bool jit_mark_inlined(struct compilation *c);
// Inlines those, and runs LLVM's own passes.
bool jit_optimise(struct compilation *c);
// Scalar calls of math functions beside vector ones go through those, too.
bool jit_unify_math(struct compilation *c);
// The module's code as an ELF object.
bool jit_make_object(struct compilation *c);
// Loads the object; jit_unload takes its code out again.
bool jit_load(struct compilation *c);

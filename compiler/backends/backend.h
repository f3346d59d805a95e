// SPDX-License-Identifier: MIT
// Between compile.c and the backends: each turns a resolved IR function into what
// `compiled` holds for its target.
#pragma once

#include "compiler/codegen/codegen.h"
#include "compiler/compiler.h"

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
    void *code;      // of jit_unload
    bool keeps_code; // it holds texts that outlive it, in lists and other objects
};

// Compiles resolved IR; the function must outlive the result.
struct compiled *compile_resolved(const struct ir_function *function,
        const struct compile_options *options, struct error *err);

bool host_compile(struct compiled *compiled, const struct compile_options *options,
        struct error *err);
// The optimised module of what a cache holds the code of, for compiled->llvm_ir.
bool host_show(struct compiled *compiled, struct error *err);
bool emulator_compile(struct compiled *compiled, const struct compile_options *options,
        struct error *err);
bool gpu_compile(struct compiled *compiled, const struct compile_options *options,
        struct error *err);

// joined_blocks.c: whether the kernel is of the kind that gains by running JOINED_BLOCKS
// blocks in one; adds such a kernel under `name` (NULL: only asks).
bool gpu_join_blocks(LLVMModuleRef module, value kernel, const char *name);

// gpu/loops.c: whether a loop reads an array at indices that it has read from another.
bool gpu_loop_gathers(const struct body *body);
// Arrays that are only read, while a loop writes to others: where no memory is shared
// among them, loads of several turns can go ahead of the stores. What other arguments
// point to is not known.
bool gpu_gains_by_disjoint(const struct body *body);

// A name for the LLVM function of `symbol` that no other module of the process uses.
const char *backend_unique_name(struct arena *arena, const char *symbol);
// The symbol without what differs between processes.
const char *backend_plain_name(struct arena *arena, const char *symbol);
// Names the module's own functions by their order in it.
void backend_number_functions(struct arena *arena, LLVMModuleRef module);
// Copies the table of raise sites with its strings.
void backend_take_raise_sites(struct compiled *compiled, struct codegen *gen);
// Lists the foreign code that the function's code is to be linked with.
void backend_take_links(struct compiled *compiled);
// Verifies the module; a defect is ERROR_LOWERING with LLVM's words.
bool backend_verify(LLVMModuleRef module, struct error *err);

// Adds a function with named parameters and places the builder in its first block.
value backend_open_function(struct codegen *gen, const char *name, LLVMTypeRef returns,
        LLVMTypeRef *params, unsigned count, const char *const *names);

// ufunc.c: emits a NumPy inner loop (abi_ufunc_loop) over a scalar function.
void ufunc_emit(struct codegen *gen, const struct callee *callee, const char *name);

// callback.c: emits a function of C over it, which reports failures of `owner`.
void callback_emit(struct codegen *gen, const struct callee *callee, const char *name,
        const void *owner);

// early_inlining.c: marks functions that are to be inlined before all else; false if
// there are none.
bool early_inlining_mark(LLVMModuleRef module);

// jit.c: the process's one JIT for the CPU. Any thread.
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

// code_cache.c: code of portable modules on disk
// Loads the module's code, from a file if there is one; disposes of the module. Sets
// code_symbol and entry_symbol to the names in this process.
bool code_cache_load(struct compiled *compiled, LLVMModuleRef module,
        const struct code_cache *cache, struct error *err);

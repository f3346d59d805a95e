// SPDX-License-Identifier: MIT
// A compilation on its way through the passes of its target, which compile.c lists. Each
// pass reads what earlier ones have left here and returns false with `err` set; the list
// owns all of it and lets go of it at the end, however far the passes came.
#pragma once

#include <llvm-c/Core.h>

#include "base/sha256.h"
#include "compiler/backends/compiled.h"

struct codegen;
struct ir_analyses;
struct ir_block;
struct segments;

struct compilation {
    struct compiled *compiled; // the result, filled in
    const struct compile_options *options;
    const struct ir_analyses *analyses; // what code generation asks of the IR
    struct error *err;
    LLVMContextRef context;     // of the module
    LLVMModuleRef module;       // NULL until code generation has made it
    LLVMMemoryBufferRef object; // machine code, from the module; NULL once it is loaded
    int opt_level;              // for LLVM: the emulated device has a limit
    bool is_portable;           // the module is the same in each process: for the disk
    bool is_given_up;           // amid a pass: see base/guard.h
    bool inlines_early;         // some functions are to be inlined before all else
    struct {
        unsigned char digest[SHA256_BYTES];
        char *name;  // of the file, without its suffix; NULL: no cache
        char *bytes; // an object that the disk had or will have, renamed when loaded
        size_t size_bytes;
    } cached;
    // What the function does, or one that it can reach; a target asks what it needs.
    struct {
        bool syncs_grid, has_barrier, is_foreign, can_fail;
    } reach;
    struct {
        struct codegen *gen;             // from "open" to "codegen", else NULL
        struct segments *segments;       // the kernel cut at its barriers, or NULL
        const struct ir_block *header;   // of a loop with turns together, or NULL
        const char *entry, *frame_bytes; // names; frame_bytes: of coroutines, else NULL
    } emulated;
    struct {
        bool has_gathers;       // a loop of the kernel reads at indices that it has read
        const bool *is_written; // by parameter, of arrays; NULL: not asked
    } gpu;
};

typedef bool compilation_pass(struct compilation *c);

// Passes that several backends have in common.

// Fills in `reach`, and lists the foreign code that a kernel is linked with.
compilation_pass backend_find_reach;
// Numbers the module's own functions, where it is to be found again on disk.
compilation_pass backend_name_functions;
// Verifies the module.
compilation_pass backend_verify_module;
// Keeps the module's text for inspection.
compilation_pass backend_keep_text;

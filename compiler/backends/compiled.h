// SPDX-License-Identifier: MIT
// What a compilation is asked for and what it yields: machine code or PTX, with
// everything that launches and inspection need to know about it.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "compiler/ir/ir.h"
#include "compiler/support/foreign.h"
#include "compiler/types/abi.h"
#include "compiler/types/observed.h"
#include "compiler/types/raise_site.h"
#include "compiler/types/source.h"

// Where code for the CPU is kept between processes. Its key is the content of the module,
// callees and constants included, so that nothing in it can be out of date.
struct code_cache {
    const char *const *folders; // the first that can be written gets new code
    size_t folder_count;
    const char *label; // begins the names of its files
};

enum cache_outcome { CACHE_UNUSED, CACHE_MISS, CACHE_HIT };

// How many blocks of the grid one block of `joined_entry` runs. It takes one parameter
// more than the kernel, an int32: how many blocks the grid has.
// For grids of so many blocks, along one axis.
enum { JOINED_BLOCKS = 4, JOINED_LEAST = 4096 };

// An array argument of a kernel on the emulated device.
struct array_argument {
    size_t offset; // in the argument block
    int ndim;
    size_t item_bytes;
    bool is_counter; // the kernel only adds to it
};

// What a compilation yields. Immutable; freed with compiled_destroy once no code of it
// runs.
struct compiled {
    const struct ir_function *function; // owned by its source
    enum target_kind target;
    abi_entry entry;                   // TARGET_HOST
    abi_ufunc_loop ufunc_loop;         // TARGET_HOST, when asked for
    void *callback;                    // TARGET_HOST: the function of C
    const char *symbol;                // TARGET_HOST: the name of one of these
    abi_emulated_entry emulated_entry; // TARGET_EMULATOR
    size_t static_shared_bytes;
    size_t frame_bytes;    // TARGET_EMULATOR: coroutine frame of one thread, 0 without
                           // barrier
    char *ptx, *ptx_entry; // TARGET_GPU
    char *ltoir;           // TARGET_GPU, if asked for: for optimisation when it is linked
    size_t ltoir_len;
    const struct foreign_code **links; // that a GPU's code must be linked with
    size_t link_count;
    bool is_cooperative;                    // a kernel whose blocks wait for each other
    struct array_argument *array_arguments; // TARGET_EMULATOR, if one is a counter
    size_t array_argument_count, argument_bytes;
    bool joins_blocks; // TARGET_EMULATOR: blocks side by side can run as one
    bool walks_rows;   // if so: also those of several rows had better
    int max_threads;   // of a block, that the program promises not to exceed; 0: any
    bool uses_dynamic_shared; // a kernel with a shared array of size 0
    bool is_unoptimised;      // TARGET_GPU: by opt=False
    bool recurses;            // TARGET_GPU: how much stack it takes is not known
    bool assumes_disjoint;    // TARGET_GPU: see compile_options.may_assume_disjoint
    bool assumes_aligned;     // TARGET_GPU: see compile_options.may_assume_aligned
    bool can_join;            // TARGET_GPU: with may_join_blocks it has a joined_entry:
    char *joined_entry;       // see backends/gpu/joined_blocks.c
    bool checks_shared;  // TARGET_EMULATOR: its accesses to shared memory are checked
    bool has_line_hooks; // TARGET_EMULATOR: debuggers may stop in it
    const struct observed_site *observed_sites; // of a kernel that tells what it does
    size_t observed_site_count;
    const struct observed_work *observed_works;
    size_t observed_work_count, observed_part_count;
    const struct observed_loop_site *observed_loops;
    size_t observed_loop_count;
    struct raise_site *raise_sites;
    size_t raise_site_count;
    char *llvm_ir;  // optimised module as text; NULL: see compiled_llvm
    char *asm_text; // filled in by compiled_asm
    double compile_ms;
    enum cache_outcome cache_outcome;
    char *cache_file;    // that the code was read from or written to, or NULL
    char *cache_failure; // why it could not be written, or NULL
    struct compiled_private *private;
};

enum compile_kind {
    COMPILE_FUNCTION, // host function with an abi_entry
    COMPILE_UFUNC,    // host ufunc loop over the scalar function
    COMPILE_CALLBACK, // host function that C calls
    COMPILE_KERNEL,   // CUDA kernel: emulator or GPU
};

struct compile_options {
    enum compile_kind kind;
    enum target_kind target;
    int compute_major, compute_minor; // TARGET_GPU
    int max_ptx_version;  // TARGET_GPU: newest that the driver loads (e.g. 90), 0: any
    int max_registers;    // TARGET_GPU, 0: no limit
    int launch_bounds[3]; // TARGET_GPU: most threads, least blocks, largest cluster; 0:
                          // any
    bool wants_ltoir;     // TARGET_GPU: besides PTX
    bool has_numba_abi;   // COMPILE_FUNCTION for TARGET_GPU: else C's
    // TARGET_GPU, of a kernel whose launches see to it that no array that it writes to
    // shares memory with another, and choose between its entries
    bool may_assume_disjoint, may_join_blocks;
    // TARGET_GPU, of a kernel whose launches see to it that arrays lie as
    // abi_usual_alignment says
    bool may_assume_aligned;
    bool is_stoppable; // TARGET_GPU: its loops poll ABI_GPU_CONTROL, which the host sets
    int opt_level;     // 0..3
    bool debug, lineinfo;
    bool has_line_hooks; // not TARGET_GPU: debuggers of ours may stop in it
    bool is_observed;    // a kernel whose threads tell what they do
    // TARGET_GPU, of an observed kernel: the functions that count, by enum counting
    const struct ir_function *const *counting;
    const void *owner; // COMPILE_CALLBACK: what gridcell_callback_failed is told
    const struct code_cache *cache; // TARGET_HOST, NULL: none
    const char *symbol; // COMPILE_FUNCTION for TARGET_GPU: the function's name in C
};

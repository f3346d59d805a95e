// SPDX-License-Identifier: MIT
// Public entry of the compiler: a source and argument types in, machine code or PTX out,
// with everything that inspection shows. Nothing here needs Python or a device.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/str.h"
#include "compiler/types/abi.h"
#include "compiler/support/foreign.h"
#include "compiler/frontend/source.h"

// A place that can raise: what STATUS n > 0 refers to.
struct raise_site {
    enum error_kind kind;   // for errors of our own (index, zero division, ...)
    const char *class_name; // "ValueError"
    void *class_object;     // the user's exception class, or NULL: use `kind`
    const char *message;    // NULL: no arguments
    bool is_format;         // the message is one for Python's %, of the arguments
    bool has_arguments;     // given to gridcell_raise_arguments before
    const char *function;   // qualname
    struct span span;
    bool is_dynamic; // class and message are the thread's: compiler_take_raised
};

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

// What a compilation yields. Immutable; freed with compiled_destroy once no code of it
// runs.
// An array argument of a kernel on the emulated device.
struct array_argument {
    size_t offset; // in the argument block
    int ndim;
    size_t item_bytes;
    bool is_counter; // the kernel only adds to it
};

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
    bool assumes_disjoint;    // TARGET_GPU: see compile_options.may_assume_disjoint
    bool can_join;            // TARGET_GPU: with may_join_blocks it has a joined_entry:
    char *joined_entry;       // see backends/gpu/joined_blocks.c
    bool checks_shared; // TARGET_EMULATOR: its accesses to shared memory are checked
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
    int opt_level; // 0..3
    bool debug, lineinfo;
    const void *owner; // COMPILE_CALLBACK: what gridcell_callback_failed is told
    const struct code_cache *cache; // TARGET_HOST, NULL: none
    const char *symbol; // COMPILE_FUNCTION for TARGET_GPU: the function's name in C
};

// The resolved IR of `source` for the argument types on a target, inferred on first use
// and owned by the source. Callees are inferred with it. `returns`: declared return type,
// or NULL. Errors: ERROR_TYPING, ERROR_UNSUPPORTED, ERROR_LOWERING with the place in the
// user's source.
struct ir_function *source_infer(struct source *source, const struct type *const *params,
        size_t param_count, const struct type *returns, enum target_kind target,
        struct error *err);

// Compiles `source` for the argument types. `returns`: the declared return type or NULL.
// May run without the GIL. Thread-safe.
struct compiled *compile(struct source *source, const struct type *const *params,
        size_t param_count, const struct type *returns,
        const struct compile_options *options, struct error *err);
void compiled_destroy(struct compiled *compiled);

// The function itself, which takes the address of its result and the arguments' leaves
// and returns a status; TARGET_HOST.
void *compiled_code(const struct compiled *compiled, struct error *err);

// Text of the optimised LLVM module; owned by `compiled`. Code from a cache is compiled
// once more for it.
const char *compiled_llvm(struct compiled *compiled, struct error *err);
// Text of the machine code (host) or PTX; owned by `compiled`.
const char *compiled_asm(struct compiled *compiled, struct error *err);
// The control-flow graph of the function's optimised LLVM IR as DOT text in the form of
// LLVM's dot-cfg printer, and as a standalone SVG picture (no external program).
bool compiled_cfg_dot(struct compiled *compiled, struct str *out, struct error *err);
bool compiled_cfg_svg(struct compiled *compiled, struct str *out, struct error *err);
// The body of numba's inspect_types: each source line with its typed IR above it.
bool compiled_types(const struct compiled *compiled, const char *const *source_lines,
        size_t line_count, struct str *out, struct error *err);

// Functions that compiled code calls are looked up in the process first, then here.
void compiler_define_symbol(const char *name, void *address);
// Builtins by canonical name ("math.exp", "builtins.abs", "cuda.grid"): all that typing
// knows, for the importer to recognise Python objects by. NULL-terminated.
const char *const *compiler_builtin_names(void);

// The class and message of the error that a function which compiled code called has left
// on this thread, once; the texts are valid until the thread's next one.
bool compiler_take_raised(const char **class_name, const char **message);

// Sets who supplies functions of the library in the compiled subset: `load` returns the
// imported source of "module.function" of compiler/library, which then lives for ever. It
// may take the GIL.
void compiler_set_library(struct source *(*load)(const char *name, struct error *err));

// Loads LLVM, where it is not linked with this code: called before it is used.
extern bool (*compiler_load_llvm)(struct error *err);
void compiler_llvm_version(unsigned *major, unsigned *minor, unsigned *patch);

// The flag that compiled loops poll; non-zero asks them to return STATUS_INTERRUPTED.
extern volatile int compiler_interrupt_flag;
// Whether the exception class is `class` or derived from it: `name`, and the Python
// object if there is one. Set by the runtime; without it names are compared.
extern bool (*compiler_exception_is)(
        const struct constant *class, const char *name, void *object);

// Has recursive code on this thread raise RecursionError before its stack is full.
void compiler_watch_stack(void);
// Where that limit lies, from a thread's base address; 0: nowhere.
uintptr_t compiler_stack_limit_offset(void);

// Appends the text of an exception of this thread that only the runtime knows.
extern void (*compiler_exception_text)(int32_t status, struct str *out);

// The calls that the exception which leaves compiled code passed through, innermost
// first; of the calling thread. Strings belong to the code.
enum { COMPILER_TRACE_MAX = 64 };
struct compiler_frame {
    const char *function, *file;
    int line;
};
struct compiler_trace {
    struct compiler_frame frames[COMPILER_TRACE_MAX];
    size_t count, left_out; // left out: behind the first half
};
struct compiler_trace *compiler_trace(void);
// Makes counted memory that keeps the object that a host array came from alive; NULL when
// there is none. Set by the runtime.
extern struct abi_memory *(*compiler_keep_parent)(void *parent);
// Writes the lines that print() makes on the CPU and the emulated device, on the thread
// that printed; at first to C's stdout.
extern void (*compiler_print)(const char *text, size_t len);
// The text of an array as str() or repr() has it, to be freed; NULL where it cannot be
// told on this thread. `dtype` is a name that NumPy knows.
extern char *(*compiler_array_text)(
        const char *dtype, const struct abi_array *array, int ndim, bool is_repr);

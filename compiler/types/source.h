// SPDX-License-Identifier: MIT
// A Python function as the compiler sees it: its syntax tree with captured values,
// imported once under the GIL by frontend/importer/py_ast.c, immutable afterwards except
// for its cache of typed functions. The struct lies with the types, for a function's type
// is its source; what is done with it is in frontend/source.h.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"
#include "compiler/types/constant.h"

struct ast_function; // frontend/ast.h
struct ast_node;
struct foreign_code; // compiler/support/foreign.h
struct ir_function;

enum target_kind { TARGET_HOST, TARGET_EMULATOR, TARGET_GPU };

struct source_param {
    const char *name;
    bool has_default;
    bool is_star; // *args
    bool is_positional_only, is_keyword_only;
    struct constant default_value;
    const struct type *omitted; // of an argument that is left out, where its default is a
                                // constant of the code (TYPE_OMITTED), or NULL
    int default_param; // of an inner function: the parameter that brings it, plus 1
};

// A local variable of a declared type.
struct source_local {
    const char *name;
    const struct type *type;
};

// Which indices are checked: none; those where it costs little (codegen/bounds/bounds.c);
// all.
enum bounds_checks { BOUNDS_UNCHECKED, BOUNDS_DEFAULT, BOUNDS_ALL };

struct source_options {
    const struct source_local *locals; // of the decorator's owner
    size_t local_count;
    bool fastmath;           // whole "fast" set; single flags in fastmath_flags
    unsigned fastmath_flags; // bits of LLVMFastMathFlags
    enum bounds_checks boundscheck;
    bool overflow_check;       // of integers
    bool is_numpy_error_model; // division by zero gives inf/nan or 0 instead of raising
    bool is_library;           // its options may be literal types
    bool is_small;             // runs once a call: compiled in little time, not optimised
    bool is_compact;           // loops are not unrolled or vectorised
    bool is_inlined;           // into its callers, whatever its size
    bool is_part_of_callers;   // calls of compiled code do not heed declared signatures
    bool debug;
    bool nogil;
    bool is_device; // cuda.jit
    bool parallel;  // prange runs on several threads
};

// Whether the library is to be found out where it reaches out of bounds: by default it
// has looked before.
static inline bool source_checks_library(const struct source_options *options)
{
    return options->is_library && options->boundscheck == BOUNDS_ALL;
}

// What a kernel is compiled for besides types, where shapes of shared or local arrays
// depend on it: values of integer parameters, and extents of the launch.
enum {
    LAUNCH_PARAMS = 24,
    LAUNCH_BLOCK_DIM = LAUNCH_PARAMS, // x, y, z
    LAUNCH_GRID_DIM = LAUNCH_BLOCK_DIM + 3,
    LAUNCH_CONSTANTS = LAUNCH_GRID_DIM + 3,
};
struct launch_constants {
    unsigned needed; // bits by position in values
    int64_t values[LAUNCH_CONSTANTS];
};
// An error's `code` with this bit: the other bits are constants of the launch that the
// function would have to be compiled for.
enum { LAUNCH_CODE = 1 << LAUNCH_CONSTANTS };

// A typed version of a source, cached in it.
struct typed_function {
    struct ir_function *function;
    enum target_kind target;
    const struct type *const *asked; // parameters; the function may have refined them
    const struct type *declared;     // return type that was asked for, or NULL
    bool is_complete;                // false while its inference is under way (recursion)
};

struct source {
    struct arena arena;
    uint64_t serial; // no other source of the process has it
    const char *name, *qualname, *module, *file;
    int first_line, last_line; // of the def with its decorators
    struct source_param *params;
    size_t param_count;
    size_t capture_count;       // of an inner function: its first parameters
    VEC(struct source *) inner; // functions defined in this one; owned
    struct ast_function *ast;   // NULL until py_ast_import has filled it in
    struct source_options options;
    const struct launch_constants *launch; // NULL: compiled for any launch
    // Declared signatures, set by the owner: compiled calls convert to the best of them.
    // 0: any types.
    const struct signature *signatures;
    size_t signature_count;
    uint64_t literal_params; // bits: compiled for each value of these (literally)
    uint64_t hoped_literals; // of these bits: also without, where no value is known
    bool knows_displays;     // chosen for a call whose lists' and dicts' items are known
    bool is_ufunc;           // compiled code names it as one: frontend/ufunc_names.h
    const struct foreign_code *links; // what its code is linked with, set by the owner
    size_t link_count;
    bool is_loop_part;   // the body of a prange loop
    bool is_overloaded;  // no function: typing asks which one a call means (overload.h)
    const char *builtin; // of an overloaded one: what it is where no overload fits
    void *owner;         // the dispatcher object; opaque
    void *watched;       // list of what its names meant, in `captured`; opaque
    // Of an inner function, opaque: its code with what it takes to make a Python
    // function.
    void *origin;
    uint64_t cell_captures; // bits: captures that are cells
    void *captured;         // list of Python objects kept alive for the constants; opaque
    VEC(struct typed_function) typed;
};

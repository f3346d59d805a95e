// SPDX-License-Identifier: MIT
// The LLVM module under construction, and what every room needs of it: declarations of C
// functions, calls, constants outside of it, and failures.
#pragma once

#include <llvm-c/Core.h>

#include "base/map.h"
#include "base/vec.h"
#include "compiler/codegen/base/target.h"
#include "compiler/types/observed.h"
#include "compiler/types/raise_site.h"

struct callee;
struct emitter;
struct ir_analyses;
struct matcher;

typedef LLVMValueRef value; // one LLVM value; a row of them is `value *`

// Where a debugger finds a variable.
struct debug_variable {
    const char *name;
    const struct type *type;
    LLVMValueRef slot;
};

// What names begin with that a portable module shares with the process; its digits are
// exchanged for others when the code is loaded (backends/cpu/code_cache.c).
#define PORTABLE_TAG "gridcell.0000000000000000"

// What names begin with of arrays that a GPU would have in its constant memory.
#define CONSTANT_MEMORY "constant.memory"

// An LLVM module under construction. Failures stick: the first one is kept in `err`, and
// what is emitted after it is discarded with the module.
struct codegen {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    const struct target *target;
    const struct ir_analyses *analyses; // set before the first body is opened
    const struct emitter *emitter;      // of the room on top
    const struct ir_function *root;     // that the module is for
    struct {
        LLVMDIBuilderRef builder;             // NULL: nobody asks for lines
        LLVMMetadataRef scope;                // the function that is emitted
        bool has_variables;                   // those of the user's are described, too
        VEC(struct debug_variable) variables; // of that function
    } debug;
    struct error *err;
    struct arena arena;
    LLVMTypeRef i1, i8, i16, i32, i64, f16, f32, f64, ptr, void_type;
    struct map leaf_lists; // type -> struct leaf_list
    struct map functions;  // struct ir_function * -> struct callee
    struct map file_names; // of a portable module: text -> the first of these texts
    VEC(struct callee *) pending;
    VEC(struct raise_site) raise_sites;
    VEC(struct observed_site) observed_sites;
    VEC(struct observed_work) observed_works;
    VEC(struct observed_loop_site) observed_loops;
    struct map observed_parts; // where a part begins -> its number, plus 1
    int observed_part_count;
    VEC(struct matcher *) matchers; // body/exception.c
    VEC(value) kept;                // declarations that must survive optimisation
    size_t shared_bytes;
    size_t constant_bytes;    // of a GPU's constant memory that are taken
    struct map shared_arrays; // struct ir_instr * -> where its memory is, as the target
                              // has it
    bool uses_dynamic_shared;
    bool checks_shared; // emulated device under debug: see emulated/shared_check.c
    bool is_observed;   // a kernel that tells what its threads do
    const struct ir_function *const *counting; // of a GPU's, see compile_options
    bool has_line_hooks;       // debuggers may stop in it: see body/line_hook.c
    bool has_texts;            // some string constant, which values may point to for ever
    bool is_interruptible;     // loops poll the target's flag
    bool is_portable;          // the module's content is the same in each process
    VEC(const void *) outside; // if so: what it refers to by number, see codegen_address
    bool has_private_memory;   // some alloca is addressed dynamically
    const char *prefix;        // of names of module-level objects
    int serial;
    struct {
        value id, handle, slot, scope_slot;
        LLVMBasicBlockRef suspend, cleanup; // NULL outside of a coroutine
    } coroutine;
};

// By which rooms below have IR emitted whatever it is: the dispatch on operations lies
// on top of them all (control.c), and sets this when the module is opened.
struct emitter {
    // The whole IR function; the builder stands where its code is to begin.
    void (*body)(struct body *body);
    void (*instr)(struct body *body, const struct ir_instr *instr);
    // What it gives alone: of one that stands elsewhere, or is emitted again.
    void (*value)(struct body *body, const struct ir_instr *instr, value *out);
};

bool codegen_failed(const struct codegen *gen);
bool codegen_fail(struct codegen *gen, enum error_kind kind, struct span span,
        const char *format, ...) __attribute__((format(printf, 4, 5)));
// An attribute by name, on a function or call site (`index` as in LLVM-C).
void codegen_attribute(struct codegen *gen, value function, unsigned index,
        const char *name, uint64_t argument);
// A declared function of C: its type is returned by LLVMGlobalGetValueType.
value codegen_external(struct codegen *gen, const char *name, LLVMTypeRef returns,
        const LLVMTypeRef *params, unsigned count);
value codegen_call(struct codegen *gen, value function, const value *args, unsigned count,
        const char *name);
// Both: calls a function of C, whose parameters have the types of the arguments.
value codegen_call_external(struct codegen *gen, const char *name, LLVMTypeRef returns,
        const value *args, unsigned count);
value codegen_intrinsic(struct codegen *gen, const char *name, LLVMTypeRef *overloads,
        size_t overload_count, const value *args, unsigned count,
        const char *result_name);
// The address of something outside of the module; in a portable module a symbol, whose
// number is the address's place in `outside`.
value codegen_address(struct codegen *gen, const void *object);
// The address of a file's name, of which the module's content does not depend.
value codegen_file_name(struct codegen *gen, const char *file);
// A private constant with NUL-terminated text.
value codegen_text(struct codegen *gen, const char *text, size_t len);
// A line of PTX with operands $0, $1...; convergent: threads must not be split around it.
value gpu_assembly(struct codegen *gen, const char *text, const char *constraints,
        LLVMTypeRef returns, value *args, unsigned count, bool is_convergent);

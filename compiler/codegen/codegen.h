// SPDX-License-Identifier: MIT
// From resolved IR to one LLVM module. A value of the compiled language is a row of
// scalar "leaves" (an array: memory, parent, data, shape, strides; a complex number: its
// parts), so that LLVM sees nothing but scalars: parameters, phis and tuples need no
// aggregates.
#pragma once

#include <llvm-c/Core.h>

#include "base/map.h"
#include "base/vec.h"
#include "compiler/types/abi.h"
#include "compiler/compiler.h"
#include "compiler/support/foreign.h"
#include "compiler/ir/ir.h"

struct codegen;
struct body;
struct target;

// One scalar of a value: BOOL, INT, FLOAT or POINTER at an offset in memory.
struct leaf {
    const struct type *type;
    size_t offset;
    const char *suffix; // "", ".data", ".0.re"
};

// Where a debugger finds a variable.
struct debug_variable {
    const char *name;
    const struct type *type;
    LLVMValueRef slot;
};

struct leaf_list {
    struct leaf *items;
    size_t len;
};

// What names begin with that a portable module shares with the process; its digits are
// exchanged for others when the code is loaded (backends/cpu/code_cache.c).
#define PORTABLE_TAG "gridcell.0000000000000000"

// Positions of an array's leaves.
enum { ARRAY_MEMORY, ARRAY_PARENT, ARRAY_DATA, ARRAY_DIMS };
#define ARRAY_SHAPE(axis) (ARRAY_DIMS + (axis))
#define ARRAY_STRIDE(type, axis) (ARRAY_DIMS + (type)->array.ndim + (axis))

// Positions of a string's leaves.
enum { STRING_MEMORY, STRING_DATA, STRING_LENGTH };

typedef LLVMValueRef value; // one LLVM value; a row of them is `value *`

// An LLVM module under construction. Failures stick: the first one is kept in `err`, and
// what is emitted after it is discarded with the module.
struct codegen {
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    const struct target *target;
    const struct ir_function *root; // that the module is for
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
    VEC(struct matcher *) matchers; // exception.c
    VEC(value) kept;                // declarations that must survive optimisation
    size_t shared_bytes;
    size_t constant_bytes;    // TARGET_GPU: of its constant memory that are taken
    struct map shared_arrays; // struct ir_instr * -> where its memory is, as the target
                              // has it
    bool uses_dynamic_shared;
    bool checks_shared;        // emulated device under debug: see shared_check.c
    bool has_texts;            // some string constant, which values may point to for ever
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

// A function of the module: declared when first called, emitted later.
struct callee {
    const struct ir_function *ir;
    value function;
    LLVMTypeRef type;
    bool can_fail;
    bool borrows; // returns an array that an argument brings, without a reference
};

// How a body ends, apart from storing its result.
enum return_mode {
    RETURN_STATUS, // ret i32 status
    RETURN_VOID,   // ret void; the status is lost
    RETURN_JUMP,   // status -> *status_slot, then to exit
};

// One IR function while it is emitted into an LLVM function.
struct body {
    struct codegen *gen;
    const struct ir_function *ir;
    const struct source_options *options;
    struct body *outer; // the body this one is emitted inline into
    value function;
    LLVMBasicBlockRef allocas; // block whose end holds stack slots
    value *args;               // leaves of the parameters, in a row
    value result;              // pointer to the result
    value hidden[4];           // the target's own parameters
    enum return_mode mode;
    value status_slot;
    LLVMBasicBlockRef exit, cleanup;
    value cleanup_status;        // phi in `cleanup`
    value **values;              // leaves by instruction id
    struct iterator **iterators; // by instruction id of GETITER
    value *owned;                // slots of counted memory by instruction id
    bool owns_memory;
    struct {
        const struct ir_block *header; // NULL: loops are loops
        value number, any;             // int64; slot: whether some thread had such a turn
        LLVMBasicBlockRef end;
    } turn; // of a body that is emitted for one turn of its loop: interchange.c
    struct lanes *lanes; // of a loop that takes something for granted: lanes.h
    struct map names;    // of values and blocks: how often each was given
    struct flow *flow;
    const struct interval *intervals; // by instruction id: where integers lie
    struct strip **strips;            // by block id: of headers that run in strips
    value *turns;                     // by block id: slots of small loops' counters
    bool *checked; // by block id: whether recursion was checked by its end: call.c
    struct body_bounds *bounds;       // bounds.h
    LLVMBasicBlockRef *starts, *ends; // by block id
    const struct ir_block *block;     // that is being emitted, or NULL
    struct landing **landings;        // by block id: exception.c
    value generator;                  // the object, of a generator's body
    LLVMBasicBlockRef abandoned;      // where such a body goes that is not asked again
    value caught;                     // slot of the status that a handler is for
};

// Loops of an IR function: flow.c
struct flow {
    size_t block_count, order_len;
    struct ir_block **order;           // reachable blocks, reverse postorder
    int *position;                     // by block id: index in `order`, -1 unreachable
    bool *is_header;                   // by block id
    bool *is_innermost;                // headers: no loop inside
    const struct ir_block **innermost; // by block id: header of such a loop around it
    bool *is_straight;  // headers: innermost, counted, each turn comes to its end
    int *depth;         // by block id: the loops around it
    bool *is_counted;   // headers: a for loop over what stays as long as it is
    bool *is_brief;     // headers: few turns, known now, with those of loops inside
    bool *is_small;     // headers: innermost, of few instructions, no vectors
    bool *is_tiny;      // headers: innermost, counted, of very few instructions
    bool *is_unrolled;  // headers: so brief that LLVM is told to unroll the loop
    bool is_of_library; // the function
};

enum barrier_scope { BARRIER_WARP = 1, BARRIER_BLOCK = 2, BARRIER_GRID = 3 };

// What differs between targets; target_*.c define the instances.
struct target {
    enum target_kind kind;
    const char *triple, *data_layout; // NULL: the host's
    size_t hidden_count;
    // The types of the hidden parameters.
    void (*hidden_types)(struct codegen *gen, LLVMTypeRef *types, const char **names);
    // Writes the name of the library function for a math primitive on floats of 32 or 64
    // bits.
    void (*math_symbol)(enum ir_primitive primitive, int bits, char *name, size_t size);
    // Adds what the optimiser may know of a math function just declared; may be NULL.
    void (*describe_math)(struct codegen *gen, value function,
            enum ir_primitive primitive, int bits, unsigned param_count);
    // Coordinates: CUDA_THREAD_IDX, BLOCK_IDX, BLOCK_DIM, GRID_DIM as int32; NULL off
    // CUDA.
    value (*geometry)(struct body *body, enum ir_primitive primitive, int axis);
    // Pointer to the `size` bytes shared by the block that an instruction names: static
    // ones (size > 0), the same wherever it is emitted again, or the dynamic ones.
    value (*shared_memory)(struct body *body, const struct ir_instr *instr,
            size_t size_bytes, size_t alignment);
    value (*dynamic_shared_bytes)(struct body *body);
    void (*barrier)(struct body *body, enum barrier_scope scope);
    // Where a thread keeps the limit of its stack, from its base; NULL or 0: nowhere.
    uintptr_t (*stack_limit_offset)(void);
    // Whether arrays that the kernel only counts in are the CPU thread's own; NULL:
    // never.
    value (*counts_apart)(struct body *body);
    // Address of the flag that loops poll; NULL: loops are not interruptible.
    value (*stop_flag)(struct body *body);
    void (*print)(struct body *body, const struct ir_instr *instr);
};

extern const struct target target_host, target_emulator, target_gpu;

// module.c
// Opens an empty module for a target; `err` receives the first failure.
void codegen_init(struct codegen *gen, const struct target *target,
        LLVMContextRef context, const char *name, struct error *err);
// Frees all but the module, which goes to the caller (or is disposed of with take =
// false).
LLVMModuleRef codegen_finish(struct codegen *gen, bool take);
// Declares a function under `name` with its IR parameters behind the hidden ones.
struct callee *codegen_declare(
        struct codegen *gen, const struct ir_function *ir, const char *name);
// Emits a declared function, then all that is reachable from it.
bool codegen_emit(struct codegen *gen, struct callee *callee);
bool codegen_emit_pending(struct codegen *gen);
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
value codegen_intrinsic(struct codegen *gen, const char *name, LLVMTypeRef *overloads,
        size_t overload_count, const value *args, unsigned count,
        const char *result_name);
// Index + 1 of a new entry in the table of raise sites.
int codegen_raise_site(struct body *body, enum error_kind kind, const char *class_name,
        void *class_object, const char *message, struct span span);
// The address of something outside of the module; in a portable module a symbol, whose
// number is the address's place in `outside`.
value codegen_address(struct codegen *gen, const void *object);
// The address of a file's name, of which the module's content does not depend.
value codegen_file_name(struct codegen *gen, const char *file);
// A private constant with NUL-terminated text.
value codegen_text(struct codegen *gen, const char *text, size_t len);

// types.c
const struct leaf_list *type_leaves(struct codegen *gen, const struct type *type);
size_t type_leaf_count(struct codegen *gen, const struct type *type);
LLVMTypeRef type_llvm(struct codegen *gen, const struct type *scalar);
LLVMTypeRef type_memory(struct codegen *gen, const struct type *scalar); // bool is a byte
LLVMTypeRef type_int_bits(struct codegen *gen, int bits);
value *value_row(struct codegen *gen, size_t count);
value value_i32(struct codegen *gen, int64_t number);
value value_i64(struct codegen *gen, int64_t number);
value value_bool(struct codegen *gen, bool truth);
value value_float(struct codegen *gen, const struct type *type, double number);
value value_zero(struct codegen *gen, const struct type *scalar);
// Says of a loaded int32 that it is at least `low` and below `high`.
void value_set_range(struct codegen *gen, value loaded, int32_t low, int32_t high);
value value_offset(struct codegen *gen, value pointer, size_t offset);
// A value at `pointer` in the layout of abi.h; `alignment` 0: natural.
void value_load(struct codegen *gen, const struct type *type, value pointer,
        size_t alignment, const char *name, value *leaves);
void value_store(struct codegen *gen, const struct type *type, value pointer,
        size_t alignment, const value *leaves);
void value_constant(struct body *body, const struct constant *constant, value *leaves);
value value_alloca(struct body *body, LLVMTypeRef type, const char *name);
// The operands of an instruction as one tuple.
const struct type *value_pack_type(struct codegen *gen, const struct ir_instr *instr);
value *value_pack(struct body *body, const struct ir_instr *instr);
value value_select(struct codegen *gen, value condition, value yes, value no);

// flow.c
struct flow *flow_analyse(struct arena *arena, const struct ir_function *function);
// The ITERNEXT of a header of the usual shape: its answer decides between the body and
// the exit.
const struct ir_instr *flow_deciding_iternext(const struct ir_block *header);
// By block id: whether the block belongs to the header's loop.
bool *flow_loop(
        struct arena *arena, const struct flow *flow, const struct ir_block *header);
bool flow_is_of_library(const struct ir_function *function);
// Whether all that asks this iterator for items is a counted loop.
bool flow_counts(const struct flow *flow, const struct ir_instr *getiter);

// Metadata of a module with loops that are to be unrolled before all else.
#define HAS_BRIEF_LOOPS "gridcell.brief_loops"

// turn.c: what happens at the end of a loop's turn
// Before the terminator of a block: asks, where it ends a turn, whether to stop.
void turn_end(struct body *body, const struct ir_block *block);
// Whether each turn of the loop asks rather than strips of them: one may take long, or
// the loop is likely to be short.
bool turn_asks(struct body *body, const struct ir_block *header);
// Says on a jump back to a header how LLVM is to treat the loop.
void turn_mark(struct body *body, const struct ir_instr *jump, value branch);

// control.c
void body_emit(struct body *body);
// The same step by step: prepares, and goes to the first block.
void body_open(struct body *body);
void body_emit_block(struct body *body, const struct ir_block *block);
void body_emit_instr(struct body *body, const struct ir_instr *instr);
void body_emit_terminator(struct body *body, const struct ir_instr *instr);
LLVMBasicBlockRef body_block(struct body *body, const char *name);
// A block after the current one, so that the printed code reads in order of execution.
LLVMBasicBlockRef body_block_after(struct body *body, const char *name);
void control_return(struct body *body, value status);
void control_branch_unlikely(
        struct body *body, value condition, LLVMBasicBlockRef yes, LLVMBasicBlockRef no);
// Leaves the function with the error when `condition` holds; goes on in a new block.
void control_raise_if(struct body *body, value condition, enum error_kind kind,
        const char *message, struct span span);
// Leaves the function with an exception whose text Python's % makes of the format and of
// the tuple of numbers; in device code the message is `plain`.
void control_raise_format_if(struct body *body, value condition, enum error_kind kind,
        const char *plain, const char *format, const struct type *tuple,
        const value *leaves, struct span span);
void exception_raise_format(struct body *body, enum error_kind kind, const char *format,
        const struct type *tuple, const value *leaves, struct span span);
// Leaves the function when it is asked to stop.
void control_poll(struct body *body);
void control_fail_if(struct body *body, value condition, value status);
// Leaves the function if the status of a call says that it failed.
void control_check_call(struct body *body, value status, struct span span);
// A loop of `count` (int64) turns: open yields the index; the code until close is its
// body.
struct counted_loop {
    LLVMBasicBlockRef head, exit;
    value index, count, back_edge;
};
// loop.c
value control_loop_open(struct body *body, value count, struct counted_loop *loop);
void control_loop_close(struct body *body, struct counted_loop *loop);
// Of a loop with few turns: it is neither vectorised nor unrolled.
void loop_keep_scalar(struct codegen *gen, value back_edge);
// Of a loop that may be vectorised, but is not worth unrolling.
void loop_keep_rolled(struct codegen *gen, value back_edge);

// text.c
void text_constant(struct body *body, const struct constant *constant, value *leaves);
void text_primitive(struct body *body, const struct ir_instr *instr, value *out);
void text_item(struct body *body, const value *text, value index, value *out);
// The number of a byte, as an int64.
value text_byte(struct body *body, const value *text, value index);
value text_compare_values(
        struct body *body, enum ir_compare compare, const value *a, const value *b);

// exception.c
// The block of this function that an exception of `block` goes to, or NULL.
const struct ir_block *exception_handler(const struct ir_block *block);
// Goes to the handler of the current block with a status; false if it is to be returned.
bool exception_catch(struct body *body, value status);
// When all blocks are emitted, before their phis are connected.
void exception_finish_landings(struct body *body);
// The block by which an exception comes from `from` to `to`; NULL for other ways.
LLVMBasicBlockRef exception_source(
        const struct body *body, const struct ir_block *from, const struct ir_block *to);
void exception_raise(struct body *body, const struct ir_instr *instr);
void exception_reraise(struct body *body, const struct ir_instr *instr);
void exception_caught(struct body *body, value *out);
value exception_matches(struct body *body, const struct ir_instr *instr);
void exception_catch_end(struct body *body, const struct ir_instr *instr);
// When all raise sites of the module are known.
void exception_define_matchers(struct codegen *gen);
// The text of the exception that a status stands for; null: known when it runs.
value exception_message(struct body *body, value status);
void exception_trace_call(struct body *body, struct span span);
// An address in this process as a constant.

// warp.c
// A line of PTX with operands $0, $1...; convergent: threads must not be split around it.
value gpu_assembly(struct codegen *gen, const char *text, const char *constraints,
        LLVMTypeRef returns, value *args, unsigned count, bool is_convergent);
void warp_primitive(struct body *body, const struct ir_instr *instr, value *out);
void cached_primitive(struct body *body, const struct ir_instr *instr, value *out);
void libdevice_primitive(struct body *body, const struct ir_instr *instr, value *out);

// shared_check.c: what the emulated device finds out about shared memory under debug
// Before an access to an array's item at `address`; `stored`: the leaves to be stored.
void shared_check_access(struct body *body, const struct type *array, value address,
        enum abi_access access, const value *stored, struct span span);
void shared_check_barrier(struct body *body, struct span span); // of the block, ahead
void shared_check_warp(struct body *body);                      // its lanes have met

// coroutine.c
void coroutine_begin(struct body *body, value memory, value frame_bytes);
void coroutine_suspend(struct body *body, bool is_final);
void coroutine_end(struct body *body);
value coroutine_is_done(struct codegen *gen, value handle);
void coroutine_resume(struct codegen *gen, value handle);

// parallel_for.c
void parallel_for(struct body *body, const struct ir_instr *instr, value *out);
// The number of the thread, or how many there may be.
value parallel_question(struct body *body, bool is_number);

// objmode.c
void objmode_call(struct body *body, const struct ir_instr *instr, value *out);

// generator.c
void generator_emit(struct codegen *gen, struct callee *callee);
void generator_yield(struct body *body, const struct ir_instr *instr);
// Whether the generator has another value; leaves the function when it failed.
value generator_next(struct body *body, value object, struct span span);
void generator_value(
        struct body *body, const struct type *type, value object, value *out);

// strip.c: innermost loops in strips, between which they ask whether to stop
struct strip_bounds {
    value position, stop;
    bool is_up, is_signed;
};
struct strip_state {
    value position;                  // slot of what the bounds are about
    value number_slot, number, step; // of a range that counts its turns; else NULL
};
// The slot of the limit if the loop over this iterator is to run in strips, else NULL.
// Where there are no turns the stop becomes the position.
value strip_open(struct body *body, const struct ir_instr *getiter,
        struct strip_bounds *bounds, const struct strip_state *state);
value strip_compare(struct body *body, const struct strip_bounds *bounds, value limit);
// Makes the outer phis of a header; the builder is at the header's start before and
// after.
void strip_phis(struct body *body, const struct ir_block *header);
// Emits the branch of a header that runs in strips; false if it does not.
bool strip_branch(struct body *body, const struct ir_instr *branch);
LLVMBasicBlockRef body_edge_target(
        const struct body *body, const struct ir_block *from, const struct ir_block *to);
// Gives the phi, number `index` of its block, its incoming values.
void body_connect_phi(struct body *body, const struct ir_instr *phi, size_t index);

// interchange.c
// The header of the loop of a kernel whose threads may take their turns together, or
// NULL.
const struct ir_block *interchange_find(
        struct codegen *gen, const struct ir_function *ir);
// Whether the loop with this header strides by the block or the grid from where a thread
// is, so that threads that take their turns together walk through memory side by side.
bool interchange_strides(
        struct arena *arena, const struct flow *flow, const struct ir_block *header);
value interchange_item(struct body *body, const struct ir_instr *iternext,
        const struct type *range, const value *leaves, value *position);

// parallel.c: loops whose turns are independent, which LLVM may vectorise without checks
struct parallel_loop {
    value access_group, loop_id;
};
enum parallel_kind {
    PARALLEL_LONG,
    PARALLEL_SHORT,  // one vector a turn
    PARALLEL_MASKED, // the same, the last turn with what is left of one
};
struct parallel_loop parallel_create(struct codegen *gen, enum parallel_kind kind);
// Marks the memory accesses and calls in the blocks from `first` to `last` in layout
// order.
void parallel_mark_blocks(struct codegen *gen, const struct parallel_loop *parallel,
        LLVMBasicBlockRef first, LLVMBasicBlockRef last);
void parallel_mark_latch(struct codegen *gen, const struct parallel_loop *parallel,
        const struct counted_loop *loop);

// Instructions
value fp(struct body *body, value instruction); // applies the function's fast-math flags
void arith_unary(struct body *body, const struct ir_instr *instr, const value *operand,
        value *out);
// Whether a division by zero gives 0, inf or nan, as NumPy's do, rather than raise.
bool arith_divides_as_numpy(const struct body *body, const struct ir_instr *instr);
void arith_binary(struct body *body, const struct ir_instr *instr, value *out);
void overflow_check_binary( // overflow.c
        struct body *body, const struct ir_instr *instr, value a, value b);
void overflow_check_negative(
        struct body *body, const struct type *type, value number, struct span span);
void complex_multiply(struct body *body, const value *a, const value *b, value *out);
void complex_divide(struct body *body, const struct ir_instr *instr, const value *a,
        const value *b, value *out);
void complex_power(struct body *body, const struct ir_instr *instr, const value *a,
        const value *b, value *out);
void power_by_integer(struct body *body, const struct type *type, const value *base,
        value exponent, bool exponent_is_signed, value *out);
// A date or span in a finer unit; what a comparison of two counts is with regard to NaT.
// bfloat.c: a float32 of its bits; the bits of a float32 or float64, rounded to nearest
value bfloat_widen(struct body *body, value bits);
value bfloat_narrow(struct body *body, value real);
// A number of 64 bits in place of another, which float64 holds and bfloat16 rounds alike.
value bfloat_sticky(struct body *body, const struct type *type, value number);
value datetime_convert(
        struct body *body, const struct type *from, const struct type *to, value count);
value datetime_compare(struct body *body, value compared, enum ir_compare compare,
        value left, value right);
value compare_values(struct body *body, enum ir_compare compare, const struct type *type,
        const value *left, const value *right, struct span span);
value compare_instr(struct body *body, const struct ir_instr *instr);
void cast_value(struct body *body, const struct type *from, const struct type *to,
        const value *in, value *out, struct span span);
void math_primitive(struct body *body, const struct ir_instr *instr, value *out);
value math_call(struct body *body, enum ir_primitive primitive, const struct type *type,
        const value *args, unsigned count);
void number_primitive(struct body *body, const struct ir_instr *instr, value *out);
void random_primitive(struct body *body, const struct ir_instr *instr, value *out);
void range_primitive(struct body *body, const struct ir_instr *instr, value *out);
value range_length(struct body *body, const struct type *element, const value *range);
void slice_primitive(struct body *body, const struct ir_instr *instr, value *out);
void array_primitive(struct body *body, const struct ir_instr *instr, value *out);
value array_plain_index(struct body *body, const struct ir_instr *instr); // as int64
// An index as int64, a negative one counted from the end.
value array_wrap_index(struct body *body, const struct ir_instr *instr, value extent);
// The address of the element that an access is to: operands: array, indices...
value array_address(struct body *body, const struct ir_instr *access);
value array_element_address(struct body *body, const struct type *type,
        const value *array, const value *indices);
void array_describe(struct body *body, const struct type *type, value data,
        const value *shape, value *out);
size_t array_item_bytes(const struct type *type);
size_t array_item_alignment(const struct type *type);
void array_copy_into(struct body *body, const struct ir_instr *instr);
void array_fill(struct body *body, const struct ir_instr *instr);
void array_view(struct body *body, const struct ir_instr *instr, value *out);
void array_strided(struct body *body, const struct ir_instr *instr, value *out);
void array_reshape(struct body *body, const struct ir_instr *instr, value *out);
void array_broadcast(struct body *body, const struct ir_instr *instr, value *out);
void array_allocate(
        struct body *body, const struct ir_instr *instr, bool is_zeroed, value *out);
void row_primitive(struct body *body, const struct ir_instr *instr, value *out);
value row_length(struct body *body, value row);
// How many entries a dict or set, which is of the type `table`, has.
value row_used(struct body *body, const struct type *table, value container);
// An item, without and with a reference on what it holds.
void row_peek(
        struct body *body, const struct type *item, value row, value index, value *out);
void row_load(
        struct body *body, const struct type *item, value row, value index, value *out);
void iter_open(struct body *body, const struct ir_instr *instr);
void iter_next(struct body *body, const struct ir_instr *instr);
void iter_item(struct body *body, const struct ir_instr *instr, value *out);
void call_external(struct body *body, const struct ir_instr *instr, value *out);
// callable.c
void callable_call(struct body *body, const struct ir_instr *instr, value *out);
// A function, or one of several, as a value of another type; false if it is neither.
bool callable_cast(struct body *body, const struct type *from, const struct type *to,
        const value *in, value *out, struct span span);
void pointer_primitive(struct body *body, const struct ir_instr *instr, value *out);
// c_abi.c: how C passes values. The types of C's parameters for a value.
unsigned c_abi_types(struct codegen *gen, const struct type *type, LLVMTypeRef *types);
LLVMTypeRef c_abi_result(struct codegen *gen, const struct type *type);
void c_abi_pass(
        struct codegen *gen, const struct type *type, const value *leaves, value *args);
void c_abi_take(
        struct codegen *gen, const struct type *type, const value *args, value *leaves);
value c_abi_return(struct codegen *gen, const struct type *type, const value *leaves);
void c_abi_take_result(
        struct codegen *gen, const struct type *type, value result, value *leaves);
// Says on a function or a call of it how small integers are extended.
void c_abi_describe(
        struct codegen *gen, value function, const struct type *function_type);
void foreign_call(struct body *body, const struct ir_instr *instr, value *out);
void call_direct(struct body *body, const struct ir_instr *instr, value *out);
// Before a block is emitted; those that lead to it have been, but for turns of loops.
void call_enter_block(struct body *body, const struct ir_block *block);
void cuda_primitive(struct body *body, const struct ir_instr *instr, value *out);
// counters.c: whether the kernel adds to the items of an argument and does nothing else
// with it, in no order that a thread could tell.
bool counters_are(const struct ir_function *kernel, const struct ir_instr *array);
void atomic_primitive(struct body *body, const struct ir_instr *instr, value *out);
// As str() has it, or repr() where `is_nested`.
void print_value(struct body *body, const struct type *type, const value *leaves,
        bool is_nested, struct span span);
void print_by_calls(struct body *body, const struct ir_instr *instr);
void print_by_vprintf(struct body *body, const struct ir_instr *instr);

// target_host.c: names of libm
void math_library_name(enum ir_primitive primitive, int bits, char *name, size_t size);

// vector_math.c
extern const char vector_math_library[]; // file name of SLEEF's vector ABI
// Tells the vectoriser about SIMD variants of a math function just declared.
void vector_math_describe(struct codegen *gen, value function,
        enum ir_primitive primitive, int bits, unsigned param_count);
// After optimisation: scalar calls beside calls of a SIMD variant go through it, too.
void vector_math_unify(LLVMModuleRef module);

// ownership.c
void ownership_plan(struct body *body);
bool ownership_borrows(const struct body *body, const struct ir_instr *instr);
// Whether callers of the function are to take what it returns for a view of an argument.
bool ownership_returns_borrowed(struct codegen *gen, const struct ir_function *function);
// Before the return: the caller gets a reference.
void ownership_return(struct body *body, const struct ir_instr *result);
void ownership_define(struct body *body, const struct ir_instr *instr);
void ownership_phis(struct body *body, const struct ir_block *block);
void ownership_retain(struct body *body, const struct type *type, const value *leaves);
void ownership_release(struct body *body, const struct type *type, const value *leaves);
void ownership_release_all(struct body *body);
void ownership_release(struct body *body, const struct type *type, const value *leaves);
void ownership_release_unless(
        struct body *body, const struct type *type, const value *leaves, value condition);

// The leaves of an instruction's operand.
static inline value *operand(
        struct body *body, const struct ir_instr *instr, size_t index)
{
    return body->values[instr->operands[index]->id];
}

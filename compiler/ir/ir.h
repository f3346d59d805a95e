// SPDX-License-Identifier: MIT
// The SSA form between the syntax tree and LLVM. Two levels share one data structure:
//   Python level    one instruction per Python operation (ir/lower/lower.c), then each
//   with its type
//                   (typing/infer/infer.c)
//   resolved level  casts explicit, calls bound to primitives or typed functions
//                   (typing/infer/resolve.c)
// Everything of a function lives in its arena. ir/text.c prints any level.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/str.h"
#include "base/vec.h"
#include "compiler/types/constant.h"

enum ir_op {
#define OP(name, text, operands, has_result, has_effect) IR_##name,
#include "compiler/ir/ir_ops.def"
#undef OP
    IR_OP_COUNT
};

enum ir_primitive {
#define PRIMITIVE(name, text) PRIMITIVE_##name,
#include "compiler/ir/primitives.def"
#undef PRIMITIVE
    PRIMITIVE_COUNT
};

// CAUGHT's immediate: its exception is told of, or raised again, after other code.
enum { CAUGHT_IS_HELD = 1 };

// PRIMITIVE_EXTERNAL's immediate: the answer is a status, by which the function may fail;
// arrays pass their counted memory rather than its address.
enum { EXTERNAL_STATUS = 1, EXTERNAL_MEMORY = 2 };

// PRIMITIVE_LLVM_TEXT's immediate: it computes from its operands, and does nothing else.
enum { LLVM_TEXT_IS_PURE = 1 };

enum ir_unary { UNARY_NEGATIVE, UNARY_POSITIVE, UNARY_INVERT, UNARY_NOT };

// Resolved operand and result types: T = one number type, both operands and result,
// except:
enum ir_binary {
    BINARY_ADD,
    BINARY_SUB,
    BINARY_MUL,
    BINARY_TRUEDIV,  // T float or complex
    BINARY_FLOORDIV, // T int or float: Python's floor
    BINARY_MOD,      // T int or float: sign of the divisor
    BINARY_POW,      // T; or (float or complex T, int64) -> T with an integer exponent
    BINARY_LSHIFT,
    BINARY_RSHIFT,
    BINARY_AND, // INT or BOOL
    BINARY_OR,
    BINARY_XOR,
    BINARY_MATMUL,
};

enum ir_compare {
    COMPARE_EQ,
    COMPARE_NE,
    COMPARE_LT,
    COMPARE_LE,
    COMPARE_GT,
    COMPARE_GE,
    COMPARE_IS,
    COMPARE_IS_NOT,
    COMPARE_IN,
    COMPARE_NOT_IN,
};

struct ir_function;
struct ir_block;
struct ir_instr;
struct source;
struct rule_set;
struct intrinsic;

struct ir_call {
    const char **keywords; // names of the last keyword_count operands
    size_t keyword_count;
    const bool *is_starred; // by operand: a tuple of arguments; NULL: none is
};

struct ir_raise {
    const struct constant *class; // EXCEPTION
    const char *message;          // UTF-8; of literals; NULL: no arguments, or others
    struct ir_block *handler;     // in this function, or NULL
    bool is_format;               // the message is one for Python's %, of the operands
};

struct ir_match {
    const struct constant *classes; // EXCEPTION
    size_t count;
};

// A block that runs in the interpreter.
struct ir_objmode {
    void *function;             // of Python
    const struct type *outputs; // tuple
};

// A loop whose turns are shared out.
struct ir_parallel {
    struct source *body, *combine;
    size_t result_count;
    size_t *initial; // by result: the operand that it starts from
    struct ir_function *body_function, *combine_function; // once resolved
};

// An operation on whole arrays while it is typed: a function of numbers for each element.
struct ir_map {
    const struct type *function; // FUNCTION
    struct ir_instr **operands;  // arrays and numbers
    size_t count;
    const struct ir_instr *fused_into; // the operation that does this one's work, or NULL
};

// What is assigned to a variable anywhere, for the type of one that is read where none of
// it has been.
struct ir_assigned {
    struct ir_instr **values;
    int *lines; // by value
    size_t len;
};

// What a division by zero does.
enum ir_division {
    DIVISION_RAISES,   // as the error model has it
    DIVISION_AS_NUMPY, // gives what NumPy's does
    DIVISION_OF_DIVMOD // raises divmod()'s error
};

struct ir_instr {
    enum ir_op op;
    int id;                  // unique in its function, in order of creation
    const struct type *type; // NULL before typing, and where there is no result
    struct span span;
    const char *variable; // the Python variable this value was stored to, or NULL
    int version;          // which of the variable's values: 0 is the first
    const char *origin;   // CONST: the dotted global name it was read from, or NULL
    struct ir_block *block;
    struct ir_instr *previous, *next; // in the block
    struct ir_instr **operands;
    size_t operand_count;
    union {
        struct constant constant;     // CONST
        int index;                    // ARG, TUPLE_GET, UNPACK
        enum ir_unary unary;          // UNARY
        enum ir_binary binary;        // BINARY, INPLACE
        enum ir_compare compare;      // COMPARE
        enum ir_primitive primitive;  // PRIMITIVE
        const char *attribute;        // GETATTR, SETATTR
        struct ir_call call;          // CALL; is_starred also of BUILD_TUPLE, BUILD_LIST
        struct source *closure;       // MAKE_CLOSURE
        struct ir_function *callee;   // CALL_DIRECT
        struct ir_block *targets[2];  // JUMP, BRANCH, GUARD
        struct ir_raise raise;        // RAISE; handler also of RERAISE
        struct ir_match match;        // MATCH
        struct ir_parallel *parallel; // PARALLEL_FOR
        struct ir_objmode objmode;    // OBJMODE
        int *lines; // PHI of a variable: by operand, that of its assignment, or 0
    };
    const struct type *refined;         // of a new container: what its uses put into it
    const struct ir_assigned *assigned; // PHI: of a variable that no way here assigns
    struct ir_map *map;                 // Python level: of what makes an array
    int count;                          // UNPACK, UNPACK_REST: items expected, at least
    int immediate;                      // PRIMITIVE: small compile-time operand; BINARY:
                                        // enum ir_division;
                                        // GETITER: which of what it goes over side by
                                        // side are entries of an operand, as bits
    const int64_t *immediate_shape;     // PRIMITIVE *_ARRAY: one entry per dimension
};

struct ir_block {
    int id; // position in function->blocks
    struct ir_function *function;
    struct ir_instr *first, *last; // phis come first
    VEC(struct ir_block *) predecessors;
    struct span span;
};

// A line of what inspect_types shows: the text of a typed instruction.
struct ir_annotation {
    int line; // of the user's source
    const char *text;
};

// What became of a prange loop, for warnings and parallel_diagnostics.
struct ir_loop_note {
    int line, reason_line;
    bool is_parallel, is_race;
    const char *text; // why it is not parallel, or its reductions
    struct ir_loop_note *next;
};

// Values that a typed dict takes as numbers of a type that cannot hold all of theirs.
struct ir_cast_note {
    int line;
    const struct type *from, *to;
    struct ir_cast_note *next;
};

// A call that would be faster with other arguments.
struct ir_slow_note {
    int line;
    const char *text;
    struct ir_slow_note *next;
};

struct ir_function {
    struct arena arena;
    const char *name;     // "f"
    const char *qualname; // "outer.<locals>.f"
    const char *symbol;   // unique in the process, holds the name; valid for LLVM and PTX
    atomic_uint *times_named; // modules with a function of that name (backends/names.c)
    struct source *source;
    const struct rule_set *rules; // by which it is typed: they answer what types tell
    const struct type **params;
    const char **param_names;
    size_t param_count;
    bool is_generator;
    const struct type *yields;     // of a generator; NULL before it is known
    const struct type *returns;    // NULL while inference is under way
    VEC(struct ir_block *) blocks; // blocks.items[0] is the entry
    VEC(struct ir_block *)
    all_blocks; // also those that were dropped, for ir_function_destroy
    int next_id;
    const struct ir_annotation
            *annotations; // of the Python level, made before it is resolved
    size_t annotation_count;
    struct ir_loop_note *loop_notes;
    struct ir_cast_note *cast_notes;
    struct ir_slow_note *slow_notes;
    bool is_resolved;
    bool may_raise;   // some instruction, or a callee, can fail: set by resolve
    bool has_barrier; // CUDA_SYNCTHREADS here or in a callee: set by resolve
    bool has_loop;    // set by ir_note_loops
    enum { FIELDS_UNKNOWN, FIELDS_CHANGE, FIELDS_STAY } fields; // set by ir_note_fields
};

struct ir_function *ir_function_create(const char *name);
void ir_function_clear(struct ir_function *function); // of its code
void ir_function_destroy(struct ir_function *function);
struct ir_block *ir_block_create(struct ir_function *function);
// Makes an instruction without placing it; operands start NULL.
struct ir_instr *ir_instr_create(struct ir_function *function, enum ir_op op,
        size_t operand_count, struct span span);
void ir_append(struct ir_block *block, struct ir_instr *instr);
void ir_insert_before(struct ir_instr *place, struct ir_instr *instr);
void ir_remove(struct ir_instr *instr);
bool ir_is_terminator(enum ir_op op);
bool ir_has_result(enum ir_op op);
bool ir_has_effect(enum ir_op op);
// How many operands an instruction has; -1: that depends on more than its op.
int ir_operand_count(enum ir_op op);
const char *ir_op_name(enum ir_op op);
// As Python writes the operator.
const char *ir_binary_text(enum ir_binary binary);
bool ir_has_operand(const struct ir_instr *instr, const struct ir_instr *value);
// The successor blocks of a block's terminator; returns how many (0 to 2).
size_t ir_successors(const struct ir_block *block, struct ir_block *successors[2]);
// The block of this function that a failure in `block` goes to, or NULL.
struct ir_block *ir_handler(const struct ir_block *block);
// Orders the blocks in reverse postorder and forgets those that the entry does not reach.
void ir_order_blocks(struct ir_function *function);
// Notes whether the function has a loop. Its blocks are in order.
void ir_note_loops(struct ir_function *function);
// Makes loops over ranges of while loops that count, in a resolved function.
void ir_count_loops(struct ir_function *function);
const char *ir_primitive_name(enum ir_primitive primitive);
// The row of compiler/types/intrinsics.def that the primitive stands for; NULL: none.
const struct intrinsic *ir_intrinsic(enum ir_primitive primitive);
// Whether it is such a row, and computes from its operands alone; depends on the thread;
// lets time pass or orders memory; orders memory.
bool ir_is_pure_intrinsic(enum ir_primitive primitive);
bool ir_is_intrinsic_by_thread(enum ir_primitive primitive);
bool ir_heeds_others(enum ir_primitive primitive);
bool ir_orders_memory(enum ir_primitive primitive);
// Whether it runs code of others that may do anything.
bool ir_is_unknown_code(const struct ir_instr *instr);
// Whether the resolved function may write to the array (or what it is a view of) that a
// parameter brings; true when that cannot be told.
bool ir_param_is_written(const struct ir_function *function, size_t param);
// Notes whether running the resolved function may give an object's field another value
// that is no number; FIELDS_STAY: it does not. Its group is resolved.
void ir_note_fields(struct ir_function *function);
// The first float64 literal, or cast of an integer, that makes arithmetic on float32
// values run in float64, in a resolved function without float64 parameters; NULL when
// there is none.
const struct ir_instr *ir_find_double(const struct ir_function *function);

// The numbers from low to high.
struct interval {
    int64_t low, high;
};
// Where the integers of a resolved function lie, by instruction id, in the arena; of
// other instructions nothing is said. `params`: where its arguments do; NULL: anywhere.
struct interval *ir_find_intervals(const struct ir_function *function,
        const struct interval *params, struct arena *arena);

// for (struct ir_instr *instr : the block's instructions)
#define ir_each_instr(instr, block)                                                      \
    for (struct ir_instr *instr = (block)->first; instr; instr = instr->next)

// Prints the function, one line an instruction: `x.1 = binary + (x, y)  :: float64`.
void ir_print(const struct ir_function *function, struct str *out);
void ir_print_instr(const struct ir_instr *instr, struct str *out); // without a newline
// The same with types in place of the values of constants.
void ir_print_shape(const struct ir_function *function, struct str *out);
void ir_print_instr_shape(const struct ir_instr *instr, struct str *out);
void constant_print(const struct constant *constant, struct str *out);
// Checks the invariants of SSA and of the level; a broken one is ERROR_LOWERING naming
// it.
bool ir_verify(const struct ir_function *function, struct error *err);

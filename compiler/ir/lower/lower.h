// SPDX-License-Identifier: MIT
// From the syntax tree to the Python level of the SSA form, and what its parts share.
#pragma once

#include "compiler/frontend/ast.h"
#include "compiler/ir/ir.h"

// Fills in `function` (its params are set) with the SSA form of the source's tree.
bool ir_lower(struct source *source, struct ir_function *function, struct error *err);

// --- Between lower*.c and ssa.c

struct incomplete_phi {
    int local;
    struct ir_instr *phi;
    bool is_flag; // says whether the local has a value
};

// Whether each path to the end of a block gives a variable a value, as far as it is
// known.
enum lower_assignment { ASSIGNMENT_UNKNOWN, ASSIGNMENT_SURE, ASSIGNMENT_UNSURE };

// What a variable is at the end of a block.
struct lower_definition {
    struct ir_instr *value; // NULL: none here yet
    int line;               // of the assignment; 0: a value that paths bring here
    enum lower_assignment assignment;
};

struct lower_block {
    struct lower_definition *definitions; // by local
    struct ir_instr **flags;              // by local, or NULL: none is asked for here
    bool is_sealed;                       // all predecessors are known
    VEC(struct incomplete_phi) incomplete;
};

// An assignment to a variable.
struct lower_assigned {
    int local;
    int line; // where it stands
    struct ir_instr *value;
};

struct loop {
    struct ir_block *on_break, *on_continue; // the latter: NULL until it is asked for
    struct loop *outer;
};

// A try around what is being lowered.
struct guard {
    struct ir_block *handler;
    const struct ast_list *finally;    // to run on the way out, or NULL
    struct loop *loop;                 // the innermost one around the try
    struct ir_instr *caught, *context; // as they are around the try
    struct guard *outer;
};

// A prange loop, and a variable that its turns set for themselves.
struct lower_forgetting {
    const struct ast_node *loop;
    int local;
};

// The prange loops that run turn after turn, as what their turns set is read behind them.
struct lower_in_turn {
    VEC(struct lower_forgetting) loops;
    VEC(struct lower_forgetting) forgetting; // all there are
    bool has_grown;
};

struct lowering {
    struct source *source;
    const struct ast_function *ast;
    struct ir_function *function;
    struct ir_block *block; // where instructions go; NULL: the code here is not reachable
    struct loop *loop;
    struct guard *guard;            // innermost, or NULL
    int finally_depth;              // how many are around what is being lowered
    struct ir_instr *caught;        // the exception that is being handled, or NULL
    struct ir_instr *context;       // likewise, also while `finally` runs
    VEC(struct lower_block) blocks; // by block id
    struct ir_instr **undefined;    // by local; the marker for "no definition reaches"
    VEC(struct lower_assigned) assigned; // all there are, in the source's order
    bool *is_forgotten;                  // by local; a statement takes its value away
    struct ir_instr *truths[2];          // False and True, at the top of the entry
    VEC(struct ir_instr *) checks;       // branches on whether a local has a value
    int *versions;                       // by local; how many values were named after it
    int capture_depth;                   // of functions that capture functions
    struct lower_in_turn *in_turn;
    struct error *err;
};

struct ir_block *lower_new_block(struct lowering *lw, struct span span);
void lower_edge(struct ir_block *from, struct ir_block *to);
struct ir_instr *lower_emit(
        struct lowering *lw, enum ir_op op, size_t operand_count, struct span span);
struct ir_instr *lower_emit_operands(struct lowering *lw, enum ir_op op, struct span span,
        struct ir_instr *const *operands, size_t count);
// lower_emit_of(lw, op, span, operand...)
#define lower_emit_of(lw, op, span, ...)                                                 \
    lower_emit_operands(lw, op, span, (struct ir_instr *[]){__VA_ARGS__},                \
            sizeof(struct ir_instr *[]){__VA_ARGS__} / sizeof(struct ir_instr *))
struct ir_instr *lower_emit_constant(
        struct lowering *lw, struct constant constant, struct span span);
void lower_jump(struct lowering *lw, struct ir_block *target, struct span span);
void lower_branch(struct lowering *lw, struct ir_instr *condition, struct ir_block *then,
        struct ir_block *otherwise, struct span span);
// Where the branch that ends the block goes.
void lower_end_branch(
        struct lowering *lw, struct ir_block *then, struct ir_block *otherwise);
// Goes on in `block` if it has predecessors, and nowhere if not; seals it.
void lower_continue_in(struct lowering *lw, struct ir_block *block);

struct ir_instr *ssa_read(
        struct lowering *lw, int local, struct ir_block *block, struct span span);
// Gives a local a value at the end of what lw->block holds now; `place` is where the
// source does so.
void ssa_write(struct lowering *lw, int local, struct ir_instr *value, struct span place);
// Names a value after the local that it is stored to.
void ssa_name(struct lowering *lw, int local, struct ir_instr *value);
// Notes an assignment, for reads that no assignment reaches.
void ssa_note_assigned(
        struct lowering *lw, int local, struct span span, struct ir_instr *value);
// Takes the local's value away from here on.
void ssa_forget(struct lowering *lw, int local);
// The marker for a local that has no definition.
struct ir_instr *ssa_undefined(struct lowering *lw, int local);
// A constant at the top of the entry, where it dominates all.
struct ir_instr *ssa_entry_constant(struct lowering *lw);
// Says that where lw->block is now the local has this value, whatever the paths to it
// were.
void ssa_note_value(struct lowering *lw, int local, struct ir_instr *value);
// Whether an assignment to the local comes before the line in the text.
bool ssa_is_assigned_before(const struct lowering *lw, int local, int line);
// Leaves out the checks that cost something in loops.
void ssa_settle_checks(struct lowering *lw);
// Whether each path that is known to lead to the block's end gives the local a value: of
// a loop around it those into it, for its turns take none away but by `del`.
bool ssa_is_assigned(struct lowering *lw, int local, struct ir_block *block);
// What is true at run time where the local has a value at the block's end.
struct ir_instr *ssa_flag(struct lowering *lw, int local, struct ir_block *block);
// The operands of a phi of ssa_flag(), whose block has all its predecessors.
void ssa_fill_flag(struct lowering *lw, int local, struct ir_instr *phi);
// Says that the block gets no more predecessors.
void ssa_seal(struct lowering *lw, struct ir_block *block);
// Removes phis that merge nothing or are not used, and blocks that are not reachable;
// orders the blocks in reverse postorder.
void ssa_finish(struct lowering *lw);
// Lowers the function, and notes in `in_turn` what it should have known of its loops.
bool lower_once(struct source *source, struct ir_function *function,
        struct lower_in_turn *in_turn, struct error *err);
void lower_note_forgetting(struct lowering *lw, const struct ast_node *loop, int local);
void lower_seek_read_behind(struct lowering *lw);
// The name of what is read behind the loop, which therefore runs turn after turn; or
// NULL.
const char *lower_read_behind(const struct lowering *lw, const struct ast_node *loop);

// Values of expressions; NULL with err set.
struct ir_instr *lower_expr(struct lowering *lw, const struct ast_node *node);
// Marks the value of a list or set display that no variable ever holds: it can be a
// tuple.
void lower_keep_nameless(const struct ast_node *node, struct ir_instr *value);
// The value of a local variable.
struct ir_instr *lower_local(struct lowering *lw, int local, struct span span);
// Variables that inner functions assign (lower/cells.c).
bool lower_is_cell(const struct lowering *lw, int local);
struct ir_instr *lower_read_cell(struct lowering *lw, int local, struct span span);
void lower_write_cell(
        struct lowering *lw, int local, struct ir_instr *value, struct span span);
void lower_make_cells(struct lowering *lw);
// yield and yield from, whose value is None.
struct ir_instr *lower_yield(struct lowering *lw, const struct ast_node *node);
bool lower_is_prange(const struct ast_node *node);
// Lowers a prange loop so that its turns are shared out; not *is_done: they cannot be.
bool lower_parallel_for(struct lowering *lw, const struct ast_node *loop, bool *is_done);
bool lower_define(struct lowering *lw, const struct ast_node *node);
// Values that come from one of several paths.
struct ir_instr *lower_and_or(struct lowering *lw, const struct ast_node *node);
struct ir_instr *lower_conditional(struct lowering *lw, const struct ast_node *node);
struct ir_instr *lower_compare(struct lowering *lw, const struct ast_node *node);
bool lower_condition(struct lowering *lw, const struct ast_node *node,
        struct ir_block *then, struct ir_block *otherwise);
bool lower_assign(
        struct lowering *lw, const struct ast_node *target, struct ir_instr *value);
// Leaves the function with None.
bool lower_return_none(struct lowering *lw, struct span span);
bool lower_body(struct lowering *lw, const struct ast_list *body);
// The statements that start in `block`; goes from there to `end`.
bool lower_arm(struct lowering *lw, struct ir_block *block, const struct ast_list *body,
        struct ir_block *end, struct span span);
bool lower_while(struct lowering *lw, const struct ast_node *node);
bool lower_for(struct lowering *lw, const struct ast_node *node);
bool lower_leave(struct lowering *lw, const struct ast_node *node); // break, continue
// Within a try: ends the block, if it can fail, before something changes.
void lower_guard(struct lowering *lw);
// Runs what `finally` holds, of all tries or of those within the loop.
bool lower_leave_tries(struct lowering *lw, bool is_return, struct span span);
bool lower_try(struct lowering *lw, const struct ast_node *node);
// Raises an exception of our own.
bool lower_raise_text(
        struct lowering *lw, const char *class, const char *text, struct span span);
bool lower_raise_call(struct lowering *lw, const struct constant *class,
        struct ast_node *const *args, size_t count, struct span span);
bool lower_raise(struct lowering *lw, const struct ast_node *node);
bool lower_assert(struct lowering *lw, const struct ast_node *node);

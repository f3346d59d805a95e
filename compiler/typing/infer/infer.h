// SPDX-License-Identifier: MIT
// The state of inference: a session, and one function whose types are being found. What
// the parts of inference call each other for; rules are written with rule.h.
#pragma once

#include "compiler/types/source.h"
#include "compiler/ir/ir.h"
#include "compiler/types/type.h"

struct infer;
struct infer_stages;
struct overload_question;

// The functions whose types are being found, callers first.
struct infer_session {
    const struct infer_stages *stages;
    VEC(struct infer *) stack;
    const char *wanted; // library function without which the session failed: below
    char wanted_name[128];
    bool wants_literals; // parameters turned out to be literal ones
    bool is_of_library;  // the last that matched nothing stands in the library
    struct overload_question *asked; // without whose answer the session failed
};

struct infer {
    struct infer_session *session;
    struct source *source;
    struct ir_function *function;
    enum target_kind target;
    const struct type *declared; // return type, or NULL
    bool *reached;               // by block id: some execution gets there
    bool changed;                // in this round
    int round;
    const struct ir_instr *grown; // got another type in this round; a variable, if any
    bool is_refined;              // a container's items turned out to be others
    bool is_forced;               // conditions without a type are taken both ways
    bool has_none;                // loops begin with None, whose turns have no types yet
    enum { TAKES_NO_NONE, TAKES_ASKED, TAKES_ALL } takes_none; // which have that type
    bool is_active;                                            // a round is under way
    const struct type *given; // what the paths of this round return, or yield
    bool has_conflict;        // and some of it has no type in common with the rest
    bool is_final;            // nothing more is found out: that is an error now
    size_t depth, lowest;     // position in the stack; least one that the types depend on
    struct ir_instr **values; // while resolving: what became of each instruction, by id
    int value_count;
    struct error *err;
};

// --- infer.c

// These are false with in->err set.
bool infer_instr(struct infer *in, struct ir_instr *instr);
// Rounds over the function until nothing changes.
bool infer_run_rounds(struct infer *in);
// Whether every value has got its type, and every container its items'.
bool infer_check_typed(struct infer *in);
// False, with the error that says so: a method is called where it is taken from an
// object.
bool infer_refuse_method(struct infer *in, const struct type *method, struct span span);
// Whether a CONST is a global that is computed at each use.
bool infer_is_computed(const struct ir_instr *instr);
// Whether control can go from `from` to `to`, as far as types tell.
bool infer_edge_is_taken(
        struct infer *in, const struct ir_block *from, const struct ir_block *to);

// --- session.c

// The function behind a call of a jitted function, possibly still being typed (its
// `returns` can be NULL then). `returns` of the signature: the declared return type, or
// NULL.
struct ir_function *infer_callee(struct infer *in, struct source *callee,
        struct signature signature, struct span span);
// The lock of inference, for what it guards.
void infer_lock_enter(void);
void infer_lock_leave(void);
// A library function; NULL, with the session marked to be run again, while it is not
// loaded.
struct source *infer_library(struct infer *in, const char *name);

// --- overload.c

// Answers a question, which is freed; without the lock.
bool overload_answer(struct overload_question *question, struct error *err);

// --- raised.c

bool infer_check_raise(struct infer *in, const struct ir_instr *last);
bool infer_check_chain(struct infer *in, const struct ir_instr *chain);

// --- operand.c

// What a message calls a value: a variable by its name, in quotes.
const char *infer_name_of(struct infer *in, const struct ir_instr *value);

// --- none.c

// Whether a loop's variable, which is None before it, has no type until its turns give
// one.
bool infer_awaits_turn(struct infer *in, const struct ir_instr *phi);
// Nothing more is found out: what loops begin with as None is that, as far as is known,
// first where it is asked for. True if there is such.
bool infer_take_none(struct infer *in);

// --- unify.c

// False, with an error. What comes to a phi is of `type` on one path, and of another on a
// later one. The line is that where `other` was assigned to the variable, or 0.
bool infer_refuse_to_unify(struct infer *in, const struct ir_instr *phi,
        const struct type *type, const struct ir_instr *other, int other_line);
// These add to what the function gives; false, with an error, where that cannot be.
bool infer_return(struct infer *in, const struct ir_instr *instr);
bool infer_yield(struct infer *in, const struct ir_instr *instr);
// At the end of a round.
void infer_note_given(struct infer *in);

// --- literal.c

// The parameter of the function that the value is becomes literal: the session ends and
// starts again. False with an error in any case.
bool literal_ask(struct infer *in, const struct ir_instr *value, const char *name,
        struct span span);
// Within an inner function: asks for the parameters that a value is computed of.
// False when there are none; otherwise an error is set.
bool literal_ask_parts(struct infer *in, const struct ir_instr *value, const char *name,
        struct span span);
// Within an inner function, for what takes no argument of this type: perhaps one whose
// value is known. False: there is no such parameter, or it was asked for before.
bool literal_hope(struct infer *in, const struct ir_instr *value, const char *name,
        struct span span);
// Whether all parameters that must be are of literal types.
bool literal_has_all(
        const struct source *source, const struct type *const *params, struct error *err);
// Parameters of literal types become constants.
void literal_settle(struct ir_function *function);

// --- stars.c

// Whether operands stand for all items of a tuple; puts these in their place.
bool infer_has_stars(const struct ir_instr *instr);
bool infer_expand_stars(struct infer *in, struct ir_instr *instr);
// Whether it is the first of those that unpack a value which has no items by number; puts
// a list of them in its place, once it has been asked for all.
bool infer_unpacks_iterable(const struct ir_instr *instr);
bool infer_list_unpacked(struct infer *in, struct ir_instr *first);

// --- resolve.c

// Rewrites the typed function to the resolved level.
bool infer_resolve(struct infer *in);

// --- own_arrays.c

// Refuses a resolved device function that returns memory of its own.
bool infer_check_own_arrays(struct infer *in);

// --- refine.c

// `element` (of a dict: keys and values) is put into the container that a value is.
void infer_refine(struct infer *in, struct ir_instr *container,
        const struct type *element, const struct type *value);
// A variable that inner functions share gets a value of the type, which it widens for.
void infer_refine_cell(
        struct infer *in, struct ir_instr *cell, const struct type *element);
// The value is to be of the container type `wanted`.
void infer_refine_as(struct infer *in, struct ir_instr *value, const struct type *wanted);
// Empty arguments that nothing is put into have integers: true if there are such.
bool infer_refine_arguments(struct infer *in);
// The parameters get the types that were found out.
void infer_settle_arguments(struct infer *in);
// Containers of two types that meet in a value are to hold the items of both: true if
// they can.
bool infer_refine_both(struct infer *in, struct ir_instr *value, const struct type *a,
        const struct type *b);
// Forgets all types but what is known of containers.
void infer_start_again(struct infer *in);
// Whether an operation's type depends on what is not known yet.
bool infer_waits(const struct infer *in, const struct ir_instr *instr);
// Whether calls of inner functions wait for what is in a container they captured.
bool infer_awaits_inner(const struct infer *in);
// Fails for a container of which nothing was found out: true with in->err set.
bool infer_imprecise(struct infer *in, const struct ir_instr *instr);

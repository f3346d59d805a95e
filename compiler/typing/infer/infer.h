// SPDX-License-Identifier: MIT
// What the parts of typing share: the state of one function's inference, and the
// interface that the rules of operations and builtins are written against.
#pragma once

#include "compiler/ir/ir.h"
#include "compiler/frontend/source.h"
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
    bool wants_literals;             // parameters turned out to be literal ones
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
    bool is_refined;             // a container's items turned out to be others
    bool is_forced;              // conditions without a type are taken both ways
    bool is_active;              // a round is under way
    size_t depth, lowest;     // position in the stack; least one that the types depend on
    struct ir_instr **values; // while resolving: what became of each instruction, by id
    int value_count;
    struct error *err;
};

// One operation being typed, or (emitting) rewritten to the resolved level. A rule sets
// `type`, or leaves it NULL while it cannot know; when emitting it also sets `value`
// (NULL for an effect only).
struct rule {
    struct infer *in;
    struct ir_instr *instr;
    const char *name;          // of the function or operator, for messages
    struct ir_instr **args;    // bound to the builtin's parameters; NULL: left out
    size_t arg_count;          // without trailing ones that were left out
    struct ir_instr *receiver; // of a method
    struct ir_instr *out;      // array that the result goes into, or NULL
    struct ir_instr *ufunc_dtype, *ufunc_where; // such arguments of a ufunc, or NULL
    int data;                                   // of the builtin's table entry
    bool is_emitting;
    const struct type *type;
    struct ir_instr *value;
};

struct builtin {
    const char *name;
    bool (*rule)(struct rule *r);
    int data;
    int min_args, max_args;
    const char *params;  // names, separated by blanks
    const char *library; // "module.function" of compiler/library, where that is the
                         // implementation
    bool is_ufunc;       // applies to arrays element by element
};

const struct builtin *builtin_find(const char *name);
// The same by way of the rules that type the function; for rooms below the table.
const struct builtin *rule_find_builtin(const struct rule *r, const char *name);

// --- Typing (infer.c): false with in->err set
bool infer_instr(struct infer *in, struct ir_instr *instr);
// Rounds over the function until nothing changes.
bool infer_run_rounds(struct infer *in);
// Whether every value has got its type, and every container its items'.
bool infer_check_typed(struct infer *in);
// The function behind a call of a jitted function, possibly still being typed (its
// `returns` can be NULL then). `returns` of the signature: the declared return type, or
// NULL.
struct ir_function *infer_callee(struct infer *in, struct source *callee,
        struct signature signature, struct span span);
// Answers a question of overload.c, which is freed; without the lock.
bool overload_answer(struct overload_question *question, struct error *err);
// The lock of inference, for what it guards.
void infer_lock_enter(void);
void infer_lock_leave(void);
// A library function; NULL, with the session marked to be run again, while it is not
// loaded.
struct source *infer_library(struct infer *in, const char *name);
// literal.c: parameters that `literally` asks the values of
// The parameter of the function that the value is becomes literal: the session ends and
// starts again. False with an error in any case.
bool literal_ask(struct infer *in, const struct ir_instr *value, const char *name,
        struct span span);
// Within an inner function: asks for the parameters that a value is computed of.
// False when there are none; otherwise an error is set.
bool literal_ask_parts(struct infer *in, const struct ir_instr *value, const char *name,
        struct span span);
// Whether all parameters that must be are of literal types.
bool literal_has_all(
        const struct source *source, const struct type *const *params, struct error *err);
// Parameters of literal types become constants.
void literal_settle(struct ir_function *function);
// Whether a CONST is a global that is computed at each use.
bool infer_is_computed(const struct ir_instr *instr);
// Whether operands stand for all items of a tuple; puts these in their place.
bool infer_has_stars(const struct ir_instr *instr);
bool infer_expand_stars(struct infer *in, struct ir_instr *instr);
// Whether control can go from `from` to `to`, as far as types tell.
bool infer_edge_is_taken(
        struct infer *in, const struct ir_block *from, const struct ir_block *to);
// The truth of a condition that types or literals decide.
bool infer_known_truth(const struct ir_instr *condition, bool *truth);
// Whether an ITERNEXT is over an empty tuple.
bool infer_never_iterates(const struct ir_instr *next);
// Rewrites the typed function to the resolved level.
bool infer_resolve(struct infer *in);
// Refuses a resolved device function that returns memory of its own.
bool infer_check_own_arrays(struct infer *in);

// --- Containers whose items are found out (refine.c)

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

// --- Rules of operations, one for each op; they set r->type and emit
bool rule_apply(struct rule *r); // by r->instr->op
bool rule_unary(struct rule *r);
bool rule_binary(struct rule *r); // BINARY and INPLACE
bool rule_compare(struct rule *r);
bool rule_truth(struct rule *r);
bool rule_not(struct rule *r);
bool rule_call(struct rule *r);
bool rule_getattr(struct rule *r);
bool rule_attribute(struct rule *r, const char *name); // of r->args[0]
bool rule_setattr(struct rule *r);
bool rule_getitem(struct rule *r);
bool rule_setitem(struct rule *r);
bool rule_unpack(struct rule *r);
// Two tuples joined, one repeated, an item or a slice of one
bool rule_tuple_add(struct rule *r);
bool rule_tuple_repeat(struct rule *r);
bool rule_tuple_item(struct rule *r);
bool rule_delitem(struct rule *r);
bool rule_slice(struct rule *r);
// Fields of structured arrays and their items
bool rule_is_record_array(const struct type *type);
bool rule_has_field(const struct type *type, const char *name);
// The tuple of a record's fields; NULL where arrays are among them.
const struct type *rule_record_tuple_type(const struct type *view);
struct ir_instr *rule_record_tuple(struct rule *r, struct ir_instr *view);
// The view of some fields: rec[['x', 'y']].
bool rule_get_numbered_field(struct rule *r, int64_t number);
bool rule_get_fields(struct rule *r, const struct ir_instr *names);
bool rule_set_fields(struct rule *r, const struct ir_instr *names);
// Whether it is a list of names of an array's fields.
bool rule_is_field_list(const struct type *array, const struct ir_instr *names);
bool rule_get_field(struct rule *r, const char *name);
bool rule_set_field(struct rule *r, const char *name, size_t value_arg);
// Whole records: from a record of the same type, or a tuple of the fields' values
bool rule_can_store_record(const struct type *view, const struct type *value);
void rule_store_record(struct rule *r, struct ir_instr *view, struct ir_instr *value);
bool rule_method(struct rule *r); // a call whose callee is a METHOD
bool rule_class(struct rule *r);  // a call whose callee is a CLASS
bool rule_jitted(struct rule *r); // a call whose callee is a DISPATCHER
bool rule_cuda_index(struct rule *r, const char *base); // cuda.threadIdx.x and such
bool rule_global(struct rule *r); // a CONST that is computed: cuda.laneid

// A call of an overloaded function, of a method, and an attribute, as the program
// implements them (overload.c). False with an error when it does not.
bool rule_overloaded(struct rule *r, struct source *overloaded);
// Gives the parameter at `position` the value of a keyword argument; fails where there is
// none (negative), or it has a value already.
bool rule_bind_keyword(struct rule *r, const char *keyword, int position,
        struct ir_instr *value, struct ir_instr **bound);
// Notes that an operation runs on threads, for parallel_diagnostics.
void rule_note_parallel(struct rule *r, const char *what, const char *shown);
// What the program has for the operator `name`, called with r->arg_count arguments; false
// with an error, or while it is being asked.
bool rule_overloaded_operator(
        struct rule *r, const char *name, struct ir_instr **args, bool *is_done);
// Has an overloaded operator done, where the program has one for these operands.
bool rule_operator_overload(struct rule *r, bool *is_done);
bool rule_overloaded_attribute(struct rule *r, const struct type *type);
bool rule_has_overloaded_method(const struct rule *r, const struct type *type);
bool rule_overloaded_method(struct rule *r, const struct type *type);

// What library.kind and such say about a type; false for other questions.
bool library_describe(const char *question, const struct type *type, int64_t *out);
// Calls a function of the library with r->args (NULL: the parameter's default).
bool rule_library(struct rule *r, const char *name);
// The function of the library that does the same without memory of the host's.
const char *library_on_device(const char *name);
// A method that is the function `name` of the table of builtins, given the receiver
// first.
bool rule_builtin_method(struct rule *r, const char *name);
// A call of the builtin `name` with the arguments of r->instr.
bool rule_call_builtin(struct rule *r, const char *name);
// Both as the rooms above do them (stages.h).
bool rule_apply_builtin(struct rule *r, const char *name);
bool rule_apply_builtin_method(struct rule *r, const char *name);
struct rule_set;
bool rule_has_attribute(
        const struct rule_set *rules, const struct type *type, const char *name);
bool rule_parallel_for(struct rule *r);
// One of the functions of a tuple, by an index that is computed; and its call.
bool rule_choose(struct rule *r, const struct type *functions);
bool rule_call_choice(struct rule *r);
bool rule_is_functions(const struct type *tuple);
// A call of a function that is a value.
bool rule_call_value(struct rule *r);
// Sees to it that a function that becomes a value has the result that its type says.
bool rule_check_function_value(
        struct rule *r, const struct type *from, const struct type *to);
// Items of what a pointer points to, and its attributes.
bool rule_pointer_item(struct rule *r);
// What a pointer points to as an array without end.
struct ir_instr *rule_pointer_items(struct rule *r, struct ir_instr *pointer);
bool rule_pointer_attribute(struct rule *r, const struct type *type);
bool rule_array_pointer(struct rule *r, const struct type *type);
// Applies the builtin `name`, a function of r->arg_count scalars, to arrays element by
// element.
bool rule_elementwise(struct rule *r, const char *name);
// A call of a function that rule_elementwise made of several; its prefix.
#define FUSED_PREFIX "fused:"
bool rule_fused(struct rule *r, const char *name);

// --- What types alone answer (known.c)

enum match_question { MATCH_COMPARABLE, MATCH_SEQUENCE, MATCH_MAPPING };
bool infer_match(enum match_question question, struct ir_instr *const *args, size_t count,
        int64_t *out);
// Whether a value of the type is of one of the classes; *is_known is cleared where types
// do not tell.
bool infer_is_instance(
        const struct type *type, const struct ir_instr *classes, bool *is_known);
// isinstance(value, classes) as far as types tell.
bool rule_known_instance(const struct ir_instr *call, int64_t *out);
// What a call of one of match statement's questions answers.
bool rule_known_match(const struct ir_instr *call, int64_t *out);
// Dicts with literal keys and values of several types are tuples of such class names.
#define MIXED_DICT "LiteralStrKeyDict["
enum { MIXED_DICT_KEYS = 256 };
bool rule_is_mixed_dict(const struct type *type);
// The keys of such a dict, as a tuple of strings; NULL for other types.
const struct type *rule_mixed_dict_keys(const struct type *dict);
// What library.kind and such ask about: the items' type of an array or class.
const struct type *library_described(const struct type *type);

// --- What a loop runs over (iteration.c)

// All members of an enum, in their order, as a tuple.
const struct type *rule_members_type(const struct type *class_type);
struct ir_instr *rule_members(struct rule *r, const struct type *class_type);
struct ir_instr *rule_member(struct rule *r, const struct type *type, size_t i);
// What a loop over the value runs over: of a dict or set, a list.
bool rule_container_iterable(struct rule *r, struct ir_instr *value,
        const struct type **type, struct ir_instr **out);

// --- Calls of functions that are compiled too (jitted.c)

// Calls the function with `args`, the last of which have the keywords of a call.
bool rule_call_source(struct rule *r, struct source *callee, struct ir_instr **args,
        size_t count, size_t keyword_count);
// A function of the library for the signature; what fails in it is the caller's mistake.
struct ir_function *rule_library_callee(
        struct rule *r, struct source *callee, struct signature signature);
// An operation that is a method of the first argument; r->args are its arguments
// (method.c).
bool rule_instance_operation(struct rule *r, const char *method);

// --- Arrays that share memory (overlap.c)

// Whether writing array[index], or all of it without an index, element by element may
// change elements of `read` before they are read.
bool view_overlaps(const struct ir_instr *array, const struct ir_instr *index,
        const struct ir_instr *read);

// --- For writing rules (rule.c)

// The text that an item of fixed length holds; `item` is a view without dimensions.
// Arrays of texts of fixed length (text/fixed_text.c).
bool rule_is_text_array(const struct type *type);
// A new container with nothing in it.
struct ir_instr *rule_empty_container(struct rule *r, const struct type *type);
struct ir_instr *rule_new_list(struct rule *r, const struct type *type, size_t room);
// A value of the type, for rules to look at while nothing is emitted.
struct ir_instr *rule_stand_in(struct rule *r, const struct type *type);

// Fails: no such operation for these argument types; `help` says in plain words what
// there is.
bool rule_no_match(struct rule *r, const char *help);
bool rule_fail(struct rule *r, enum error_kind kind, const char *format, ...)
        __attribute__((format(printf, 3, 4)));
// Whether the code runs on the host; if not, fails with this text; in the library, where
// the user's code did not ask for it itself, with one that fits there.
bool rule_library_on_host(struct rule *r);
bool rule_on_host(struct rule *r, const char *format, ...)
        __attribute__((format(printf, 2, 3)));
// Whether this target can make arrays; fails if not.
bool rule_can_allocate(struct rule *r);
// Appends a value's type as numba names it in messages: literals show their value.
void rule_describe(const struct ir_instr *arg, struct str *text);
// The type of an argument; of the value inside for an optional.
const struct type *rule_arg_type(const struct rule *r, size_t i);
bool rule_has_arg(const struct rule *r, size_t i);
// The constant that a value is; NULL when it is computed.
const struct constant *rule_constant(const struct ir_instr *value);
// The integer that a value is, also when it is computed from literals and globals.
bool rule_constant_int(const struct ir_instr *value, int64_t *out);
// The text that a value is, UTF-8; NULL when it is computed, or no text.
const char *rule_constant_text(const struct ir_instr *value, size_t *len);
// The position in struct launch_constants of what a value is: an integer parameter,
// cuda.blockDim.x and its kin; -1: nothing of the kind.
int rule_launch_constant(const struct ir_instr *value);
// Marks the failure as one that constants of the launch, of which the value is made, end.
bool rule_ask_launch(struct rule *r, const struct ir_instr *value);
// The type that an argument means as a dtype (np.float32, int32, float), or NULL.
const struct type *rule_dtype(const struct ir_instr *value);
const struct type *rule_value_type(const struct type *type); // without OPTIONAL

// Emitting. Values may be those of either level.
struct ir_instr *rule_value(struct rule *r, struct ir_instr *value);
struct ir_instr *rule_cast(
        struct rule *r, struct ir_instr *value, const struct type *type);
struct ir_instr *rule_emit(struct rule *r, enum ir_op op, const struct type *type,
        struct ir_instr *const *operands, size_t count);
struct ir_instr *rule_primitive(struct rule *r, enum ir_primitive primitive,
        const struct type *type, struct ir_instr *const *operands, size_t count);
struct ir_instr *rule_constant_of(
        struct rule *r, const struct type *type, struct constant constant);
struct ir_instr *rule_int(struct rule *r, const struct type *type, int64_t value);
struct ir_instr *rule_none(struct rule *r);
struct ir_instr *rule_zero(struct rule *r, const struct type *type);
struct ir_instr *rule_tuple_get(struct rule *r, struct ir_instr *tuple, size_t index);
struct ir_instr *rule_tuple(struct rule *r, struct ir_instr *const *items, size_t count);
struct ir_instr *rule_binary_op(struct rule *r, enum ir_binary op,
        const struct type *type, struct ir_instr *left, struct ir_instr *right);
struct ir_instr *rule_not_op(struct rule *r, struct ir_instr *truth);
struct ir_instr *rule_compare_op(struct rule *r, enum ir_compare op,
        struct ir_instr *left, struct ir_instr *right);

// Both halves of the common case: every argument cast to `operand_type`, one primitive.
bool rule_do_primitive(struct rule *r, enum ir_primitive primitive,
        const struct type *type, const struct type *operand_type);
// The value is a constant known now.
bool rule_do_constant(struct rule *r, struct constant constant);

// An operator on two numbers or tuples, as BINARY.
bool rule_arith(struct rule *r, enum ir_binary op);

bool rule_compare_numbers(
        struct rule *r, enum ir_compare op, const struct type *a, const struct type *b);

// Numeric typing (numbers/arith.c): the result type, or NULL.
// The names of operators in Python's module operator; of an update's plain operator.
const char *arith_operator_name(const struct ir_instr *instr);
const char *arith_plain_name(const struct ir_instr *update);
const char *compare_operator_name(const struct ir_instr *instr);
const struct type *arith_result(
        enum ir_binary op, const struct type *a, const struct type *b);
// The float type that an integer or float operand computes in: float32 when it holds its
// values.
const struct type *arith_float(const struct type *type);
const struct type *arith_float_pair(const struct type *a, const struct type *b);

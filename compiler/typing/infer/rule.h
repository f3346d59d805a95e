// SPDX-License-Identifier: MIT
// What rules are written with: the operation that a rule types or emits, what is known of
// its operands, calls of compiled functions, messages, and emitting.
#pragma once

#include "compiler/typing/infer/infer.h"

// A call of a function that rule_elementwise made of several; its prefix.
#define FUSED_PREFIX "fused:"
// Dicts with literal keys and values of several types are tuples of such class names, and
// so are lists.
#define MIXED_DICT "LiteralStrKeyDict["
#define MIXED_LIST "LiteralList"

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

// Types or emits the operation; false with an error, or where it does not apply.
typedef bool rule_function(struct rule *r);

struct builtin {
    const char *name;
    rule_function *rule;
    int data;
    int min_args, max_args;
    const char *params;  // names, separated by blanks
    const char *library; // "module.function" of compiler/library, where that is the
                         // implementation
    bool is_ufunc;       // applies to arrays element by element
};

struct rule_set;

enum match_question { MATCH_COMPARABLE, MATCH_SEQUENCE, MATCH_MAPPING };

enum { MIXED_DICT_KEYS = 256 };

// A table of these ends with a name of NULL.
struct attribute {
    const char *name;
    bool (*rule)(struct rule *r, const struct type *type);
};

// --- rule.c

// The table of builtins, by way of the rules that type the function; NULL: no such name.
const struct builtin *rule_find_builtin(const struct rule *r, const char *name);
// Gives the parameter at `position` the value of a keyword argument; fails where there is
// none (negative), or it has a value already.
bool rule_bind_keyword(struct rule *r, const char *keyword, int position,
        struct ir_instr *value, struct ir_instr **bound);
// Notes that an operation runs on threads, for parallel_diagnostics.
void rule_note_parallel(struct rule *r, const char *what, const char *shown);
// A method that is the function `name` of the table of builtins, given the receiver
// first.
bool rule_builtin_method(struct rule *r, const char *name);
// A call of the builtin `name` with the arguments of r->instr.
bool rule_call_builtin(struct rule *r, const char *name);
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
// Appends a value's type as numba names it in messages: literals show their value.
void rule_describe(const struct ir_instr *arg, struct str *text);
// Emitting: only while r->is_emitting. Values may be those of either level.
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

// --- truth.c

// The truth of a condition that types or literals decide.
bool infer_known_truth(const struct ir_instr *condition, bool *truth);

// --- known.c

// Whether an ITERNEXT is over an empty tuple.
bool infer_never_iterates(const struct ir_instr *next);
// What library.kind and such say about a type; false for other questions.
bool library_describe(const char *question, const struct type *type, int64_t *out);
// The function of the library that does the same without memory of the host's.
const char *library_on_device(const char *name);
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
bool rule_is_mixed_dict(const struct type *type);
// The keys of such a dict, as a tuple of strings; NULL for other types.
const struct type *rule_mixed_dict_keys(const struct type *dict);
// What library.kind and such ask about: the items' type of an array or class.
const struct type *library_described(const struct type *type);
// All members of an enum, in their order, as a tuple.
const struct type *rule_members_type(const struct type *class_type);

// --- jitted.c

bool rule_jitted(struct rule *r); // a call whose callee is a DISPATCHER
// Calls a function of the library with r->args (NULL: the parameter's default).
bool rule_library(struct rule *r, const char *name);
// Calls the function with `args`, the last of which have the keywords of a call.
bool rule_call_source(struct rule *r, struct source *callee, struct ir_instr **args,
        size_t count, size_t keyword_count);
// A function of the library for the signature; what fails in it is the caller's mistake.
struct ir_function *rule_library_callee(
        struct rule *r, struct source *callee, struct signature signature);

// --- overloaded.c

// A call of an overloaded function, of a method, and an attribute, as the program
// implements them (overload.c). False with an error when it does not.
bool rule_overloaded(struct rule *r, struct source *overloaded);
// The same of a class, which is called: *is_done, where the program has something for it.
bool rule_overloaded_class(struct rule *r, bool *is_done);
// The same of a function of ours by its name, where an argument is an array of a class of
// the program's own: also in the library, which calls functions that it is given.
bool rule_overloaded_arrays(struct rule *r, const char *name, bool *is_done);
// What the program has for the operator `name`, called with r->arg_count arguments; false
// with an error, or while it is being asked.
bool rule_overloaded_operator(
        struct rule *r, const char *name, struct ir_instr **args, bool *is_done);
bool rule_overloaded_attribute(struct rule *r, const struct type *type);
// Whether an overload gives the type the attribute; false while that is being asked.
bool rule_overloads_have(
        struct rule *r, const struct type *type, const char *name, bool *has);
bool rule_has_overloaded_method(const struct rule *r, const struct type *type);
bool rule_overloaded_method(struct rule *r, const struct type *type);
// Calls the method `name` that the program gives the type of args[0], if it has one.
bool rule_overloaded_text(struct rule *r, const char *name, bool *is_done);
// Of an attribute that is set; *is_set: an overload does it.
bool rule_overloaded_setattr(struct rule *r, bool *is_set);

// --- function_value.c

// Sees to it that a function that becomes a value has the result that its type says.
bool rule_check_function_value(
        struct rule *r, const struct type *from, const struct type *to);

// --- iteration.c

struct ir_instr *rule_members(struct rule *r, const struct type *class_type);
struct ir_instr *rule_member(struct rule *r, const struct type *type, size_t i);
// The dict that a view is of.
struct ir_instr *rule_viewed_dict(struct rule *r, struct ir_instr *view);
// What a loop over the value runs over: of a dict, a view of one, or a set, a list.
// The iterator of a value of a type that the program added, for a loop of its own: the
// address of a copy, where what changes is, and the iterator. *has: the type has code for
// it.
bool rule_extension_iterator(struct rule *r, struct ir_instr *value, bool *has);
// Where that goes next: the item, and whether there is one.
bool rule_extension_next(struct rule *r, struct ir_instr *iterator);
bool rule_container_iterable(struct rule *r, struct ir_instr *value,
        const struct type **type, struct ir_instr **out);

// Whether what the instruction makes is gone over once, by a loop or, if these count, by
// a call, so that where it has got to need not be remembered.
bool rule_is_asked_once(const struct rule *r, bool by_calls);
// Whether the next thing that happens is that somebody goes over it.
bool rule_begins_at_once(const struct ir_instr *made);
// Whether some argument is a dict, a view of one or a set.
bool rule_has_entries(const struct rule *r);
// Puts iterators in place of these, which mind from now on how many entries there are.
// False with an error, or without one while their types are not known.
bool rule_start_entries(struct rule *r);

// --- method.c

// An operation that is a method of the first argument; r->args are its arguments.
bool rule_instance_operation(struct rule *r, const char *method);

// --- overlap.c

// Whether writing array[index], or all of it without an index, element by element may
// change elements of `read` before they are read.
bool view_overlaps(const struct ir_instr *array, const struct ir_instr *index,
        const struct ir_instr *read);

// --- operand.c

// Whether it is an array of texts of fixed length.
bool rule_is_text_array(const struct type *type);
// The type of an argument; of the value inside for an optional.
const struct type *rule_arg_type(const struct rule *r, size_t i);
bool rule_has_arg(const struct rule *r, size_t i);
// Of a copy, which has room for what builtins_*.def name beside the arguments.
void rule_replace_arg(struct rule *r, size_t i, struct ir_instr *value);
const struct type *rule_value_type(const struct type *type); // without OPTIONAL

// --- constant.c

// The constant that a value is; NULL when it is computed.
const struct constant *rule_constant(const struct ir_instr *value);
// The integer that a value is, also when it is computed from literals and globals.
bool rule_constant_int(const struct ir_instr *value, int64_t *out);
// Where a slice of `len` items that is known begins and ends.
bool rule_constant_slice(const struct ir_instr *slice, int64_t len, int64_t *start,
        int64_t *stop, int64_t *step);
// The text that a value is, UTF-8; NULL when it is computed, or no text.
const char *rule_constant_text(const struct ir_instr *value, size_t *len);
// The position in struct launch_constants of what a value is: an integer parameter,
// cuda.blockDim.x and its kin; -1: nothing of the kind.
int rule_launch_constant(const struct ir_instr *value);
// Marks the failure as one that constants of the launch, of which the value is made, end.
bool rule_ask_launch(struct rule *r, const struct ir_instr *value);
// The type that an argument means as a dtype (np.float32, int32, float), or NULL.
const struct type *rule_dtype(const struct ir_instr *value);
// The name of a dtype is known, if the value is one: that of an argument is asked for
// (literally). False: it failed, or is asked for.
bool rule_settle_dtype(struct rule *r, const struct ir_instr *value);

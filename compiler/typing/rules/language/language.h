// SPDX-License-Identifier: MIT
// The rules of Python itself, on values of any type: they decide which room does an
// operation.
#pragma once

#include "compiler/typing/infer/rule.h"

// --- call.c

// --- Rules of operations, one for each op; they set r->type and emit
bool rule_apply(struct rule *r); // by r->instr->op
bool rule_call(struct rule *r);
// Both as the rooms above do them (stages.h).
bool rule_apply_builtin(struct rule *r, const char *name);
bool rule_apply_builtin_method(struct rule *r, const char *name);

// --- idle_keywords.c

// A keyword argument that chooses nothing, as like=, device= and subok= for plain arrays:
// left out, after a check of its value, with which it fails.
bool rule_idle_keyword(struct rule *r, const struct builtin *builtin, const char *keyword,
        struct ir_instr *value, bool *is_idle);

// --- options.c

// The argument at the position is known, if the type of the result depends on it: the
// method of quantiles of the first argument, the order of what is made, which is a
// capital letter or left out from then on. False: it failed, or is asked for.
bool rule_settle_method(struct rule *r, size_t position);
bool rule_settle_order(struct rule *r, size_t position);

// --- whole.c

// Arguments that count, or name places, are whole numbers, and int64 from then on.
bool rule_whole_arguments(struct rule *r, const struct builtin *builtin);

// --- arithmetic.c

bool rule_unary(struct rule *r);
bool rule_binary(struct rule *r); // BINARY and INPLACE
// An operator on two numbers or tuples, as BINARY.
bool rule_arith(struct rule *r, enum ir_binary op);
// Notes that the product of the first two arguments reads arrays with gaps: a warning.
bool rule_note_strided(struct rule *r, const char *what);

// --- compare.c

bool rule_compare(struct rule *r);
const char *compare_operator_name(const struct ir_instr *instr);

// --- truth.c

rule_function rule_truth, rule_not;
// An operation that is a method of the first argument; r->args are its arguments.
// Arrays whose items have a truth: that of an array of one item is the item's.
bool rule_is_array_with_truth(const struct type *type);
// The truth of an object: by __bool__ or __len__.
bool rule_instance_truth(struct rule *r);

// --- attribute.c

bool rule_getattr(struct rule *r);
bool rule_attribute(struct rule *r, const char *name); // of r->args[0]
bool rule_setattr(struct rule *r);
bool rule_method(struct rule *r); // a call whose callee is a METHOD
bool rule_has_attribute(
        const struct rule_set *rules, const struct type *type, const char *name);

// --- item.c

rule_function rule_getitem, rule_setitem, rule_unpack;

// --- class.c

bool rule_class(struct rule *r); // a call whose callee is a CLASS

// --- operator.c

// Has an overloaded operator done, where the program has one for these operands.
bool rule_operator_overload(struct rule *r, bool *is_done);
// Whether it is a class of the program's, or a type that it adds: its operators may be
// overloaded, which code of the library asks for, too.
bool rule_is_of_program(const struct type *type);

// --- parallel.c

rule_function rule_parallel_for, rule_thread, rule_parallel_start;

// --- callable.c

// A call of a function that is a value.
bool rule_call_value(struct rule *r);

enum tuple_change { TUPLE_SET, TUPLE_INSERT, TUPLE_DROP };

// --- builtin.c

rule_function rule_abs, rule_min_max, rule_round, rule_divmod, rule_operator, rule_range,
        rule_len, rule_enumerate, rule_pow, rule_zip, rule_print, rule_breakpoint;

// --- functional.c

rule_function rule_only_in_with, rule_only_outside, rule_by_count, rule_filter, rule_iter,
        rule_reversed;

// --- library.c

rule_function rule_library_describe, rule_library_float_sum, rule_np_result_type,
        rule_library_dtype, rule_library_tuple_change, rule_library_tuple_take,
        rule_library_tuple_full, rule_library_result, rule_library_tuple_load,
        rule_library_strided, rule_library_external, rule_library_external_memory;

// --- extension.c

rule_function rule_extension_member;

// --- llvm_text.c

rule_function rule_llvm_text;

// --- object.c

rule_function rule_hasattr, rule_getattr_call;
bool rule_callable(struct rule *r); // callable(x): known by types
bool rule_hash(struct rule *r);
// Whether values of the type have the method __hash__, if `name` is that.
bool rule_has_hash(const struct type *type, const char *name);
rule_function rule_isinstance, rule_match, rule_slice_call, rule_slice_attribute,
        rule_slice_indices, rule_tuple_call, rule_type, rule_identity, rule_literally;

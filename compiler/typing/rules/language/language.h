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

bool rule_truth(struct rule *r);
bool rule_not(struct rule *r);
// An operation that is a method of the first argument; r->args are its arguments.
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

bool rule_getitem(struct rule *r);
bool rule_setitem(struct rule *r);
bool rule_unpack(struct rule *r);

// --- class.c

bool rule_class(struct rule *r); // a call whose callee is a CLASS

// --- operator.c

// Has an overloaded operator done, where the program has one for these operands.
bool rule_operator_overload(struct rule *r, bool *is_done);

// --- parallel.c

bool rule_parallel_for(struct rule *r);
bool rule_thread(struct rule *r);
bool rule_parallel_start(struct rule *r);

// --- callable.c

// A call of a function that is a value.
bool rule_call_value(struct rule *r);

enum tuple_change { TUPLE_SET, TUPLE_INSERT, TUPLE_DROP };

// --- builtin.c

bool rule_abs(struct rule *r);
bool rule_min_max(struct rule *r);
bool rule_round(struct rule *r);
bool rule_divmod(struct rule *r);
bool rule_operator(struct rule *r);
bool rule_range(struct rule *r);
bool rule_len(struct rule *r);
bool rule_enumerate(struct rule *r);
bool rule_pow(struct rule *r);
bool rule_zip(struct rule *r);
bool rule_print(struct rule *r);

// --- functional.c

bool rule_only_in_with(struct rule *r);
bool rule_only_outside(struct rule *r);
bool rule_by_count(struct rule *r);
bool rule_filter(struct rule *r);

// --- library.c

bool rule_library_describe(struct rule *r);
bool rule_library_float_sum(struct rule *r);
bool rule_np_result_type(struct rule *r);
bool rule_library_dtype(struct rule *r);
bool rule_library_tuple_change(struct rule *r);
bool rule_library_tuple_take(struct rule *r);
bool rule_library_tuple_full(struct rule *r);
bool rule_library_result(struct rule *r);
bool rule_library_tuple_load(struct rule *r);
bool rule_library_strided(struct rule *r);
bool rule_library_external(struct rule *r);
bool rule_library_external_memory(struct rule *r);

// --- object.c

bool rule_hasattr(struct rule *r);
bool rule_getattr_call(struct rule *r);
bool rule_callable(struct rule *r); // callable(x): known by types
bool rule_hash(struct rule *r);
// Whether values of the type have the method __hash__, if `name` is that.
bool rule_has_hash(const struct type *type, const char *name);
bool rule_isinstance(struct rule *r);
bool rule_match(struct rule *r);
bool rule_slice_call(struct rule *r);
bool rule_slice_attribute(struct rule *r);
bool rule_slice_indices(struct rule *r);
bool rule_tuple_call(struct rule *r);
bool rule_type(struct rule *r);
bool rule_identity(struct rule *r);
bool rule_literally(struct rule *r);

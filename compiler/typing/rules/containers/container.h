// SPDX-License-Identifier: MIT
// The rules of lists, sets, dicts and objects, for the rules that find out what a value
// is.
#pragma once

#include "compiler/typing/infer/rule.h"

bool rule_display(struct rule *r); // [a, b], {a, b}, {a: b}
// Whether what stands in a display has several types, and is no more than read: a list,
// or a dict with literal strings as keys. It is a tuple then, of which each item has its
// type.
bool rule_is_mixed_display(struct rule *r, enum ir_op op);
bool rule_mixed_display(struct rule *r, enum ir_op op);
struct ir_instr *rule_mixed_dict_emit_keys(struct rule *r, const struct type *dict);
// Methods of tuples, and of such dicts.
bool rule_tuple_has_method(const struct type *type, const char *name);
bool rule_tuple_method(struct rule *r, const struct type *type);
// The place in such a dict of the literal key; -1: no such dict, or key.
int rule_mixed_dict_place(const struct type *dict, struct ir_instr *key);
bool rule_container_getitem(struct rule *r);
bool rule_container_setitem(struct rule *r);
// Whether a value of `type` may be stored where `wanted` is held; fails where not.
bool rule_check_stored(
        struct rule *r, const struct type *wanted, const struct type *type);
bool rule_container_unpack(struct rule *r);
// By a function of the library, which takes the value, the index and the count.
bool rule_unpack_by(struct rule *r, const char *name);
bool rule_container_length(struct rule *r);
bool rule_container_truth(struct rule *r);
bool rule_negate(struct rule *r); // the value becomes `not` it
bool rule_container_binary(struct rule *r, enum ir_binary op, bool is_inplace);
bool rule_container_compare(struct rule *r); // also x in container
bool rule_container_has_method(
        const struct rule_set *rules, const struct type *type, const char *name);
bool rule_container_method(struct rule *r);
// A function that is an attribute of one of numba.typed's classes.
bool rule_typed_attribute(struct rule *r, const char *class);
// Fields of an object; `type` has one of this name.
bool rule_cell_getattr(struct rule *r, const struct type *type);
bool rule_cell_setattr(struct rule *r, const struct type *type);

// Two tuples joined, one repeated, an item or a slice of one
bool rule_tuple_add(struct rule *r);
bool rule_tuple_repeat(struct rule *r);
bool rule_tuple_item(struct rule *r);

bool rule_delitem(struct rule *r);
bool rule_container_empty(struct rule *r);
bool rule_put_into_first(struct rule *r);
bool rule_container_new(struct rule *r);

// One of the functions of a tuple, by an index that is computed; and its call.
bool rule_choose(struct rule *r, const struct type *functions);
bool rule_call_choice(struct rule *r);
bool rule_is_functions(const struct type *tuple);

bool rule_library_list(struct rule *r);
bool rule_library_list_part(struct rule *r);
bool rule_library_empty_like(struct rule *r);
bool rule_library_key_of(struct rule *r);

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
rule_function rule_container_getitem, rule_container_setitem;
// Whether a value of `type` may be stored where `wanted` is held; fails where not.
bool rule_check_stored(
        struct rule *r, const struct type *wanted, const struct type *type);
// Notes a number that is kept as one of a type that does not hold all of its type.
void rule_note_stored(
        struct rule *r, const struct ir_instr *value, const struct type *to);
bool rule_container_unpack(struct rule *r);
// By a function of the library, which takes the value, the index and the count.
bool rule_unpack_by(struct rule *r, const char *name);
rule_function rule_container_length, rule_container_truth;
bool rule_negate(struct rule *r); // the value becomes `not` it
bool rule_container_binary(struct rule *r, enum ir_binary op, bool is_inplace);
bool rule_container_compare(struct rule *r); // also x in container
bool rule_container_has_method(
        const struct rule_set *rules, const struct type *type, const char *name);
bool rule_container_method(struct rule *r);
// Of views of dicts; the comparison also of x in view.
bool rule_dict_view_binary(struct rule *r, enum ir_binary op);
rule_function rule_dict_view, rule_dict_view_compare, rule_dict_view_length,
        rule_dict_view_truth, rule_dict_view_method;
bool rule_dict_view_has_method(const struct type *type, const char *name);
// A function that is an attribute of one of numba.typed's classes.
bool rule_typed_attribute(struct rule *r, const char *class);
// Fields of an object; `type` has one of this name.
bool rule_cell_getattr(struct rule *r, const struct type *type);
bool rule_cell_setattr(struct rule *r, const struct type *type);

// Two tuples joined, one repeated, an item or a slice of one
rule_function rule_tuple_add, rule_tuple_repeat, rule_tuple_item;

rule_function rule_delitem, rule_container_empty, rule_put_into_first, rule_container_new;

// One of the functions of a tuple, by an index that is computed; and its call.
bool rule_choose(struct rule *r, const struct type *functions);
bool rule_call_choice(struct rule *r);
bool rule_is_functions(const struct type *tuple);

rule_function rule_library_list, rule_library_list_part, rule_library_empty_like,
        rule_library_key_of, rule_library_is_kept;

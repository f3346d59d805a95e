// SPDX-License-Identifier: MIT
// The rules of arrays: attributes, items, records, ufuncs and NumPy's functions.
#pragma once

#include "compiler/typing/infer/rule.h"

// --- index.c

rule_function rule_slice, rule_array_getitem, rule_array_setitem, rule_items_getitem,
        rule_items_setitem;

// --- iteration.c

// a.flat that is no row of items to be set.
bool rule_array_flat(struct rule *r, const struct type *array);
rule_function rule_np_ndindex, rule_np_ndenumerate, rule_np_nditer;

// --- record.c

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
// record['x'][()]: a single record's field as the array of no dimensions that NumPy makes
// it.
bool rule_is_whole_field(const struct rule *r);
rule_function rule_get_whole_field, rule_set_whole_field;
// Whole records: from a record of the same type, or a tuple of the fields' values
bool rule_can_store_record(
        const struct rule *r, const struct type *view, const struct type *value);
void rule_store_record(struct rule *r, struct ir_instr *view, struct ir_instr *value);

// --- fused.c

enum { FUSED_OPERANDS = 6 };

// What an expression has for an operand: its position, or the literal that it is.
struct fused_place {
    char text[32];
};

// Appends the expression of a function, of NumPy or fused, of operands at these places.
void fused_append(struct str *out, const char *function, size_t count,
        const struct fused_place *places);
// Whether the function is one of NumPy that minds only the type of a number: a literal
// exponent gives other results than the same number in a variable.
bool fused_takes_literals(const char *function);
// Writes the literal that the operand is; false if it is none, or none of the usual
// types.
bool fused_literal(const struct ir_instr *operand, struct fused_place *place);
bool rule_fused(struct rule *r, const char *name);

// --- elementwise.c

// Applies the builtin `name`, a function of r->arg_count scalars, to arrays element by
// element.
// The function of one operand that raises an array to the power of a literal, or NULL.
const char *rule_literal_power(const struct rule *r, const char *name);
// What a function of the library makes of the arguments; NULL with an error, or without
// one while its type is not known.
struct ir_instr *rule_library_value(
        struct rule *r, const char *name, struct ir_instr **args, size_t count);
bool rule_elementwise(struct rule *r, const char *name);
void rule_take_number(struct rule *r);
// Whether the instruction can do the work of `made`, an operation on whole arrays.
bool rule_can_fuse(const struct rule *r, const struct ir_instr *made);
// Whether argument i is an operation on whole arrays that the instruction can do as it
// puts the result into an array (on devices).
bool rule_is_lazy_array(struct rule *r, size_t i);
// Does it: into r->args[0][r->args[1]], which is `out`, NULL while nothing is emitted.
bool rule_put_lazy_array(
        struct rule *r, size_t i, const struct type *view, struct ir_instr *out);

// --- numpy.c

// Whether this target can make arrays; fails if not.
rule_function rule_can_allocate, rule_np_unary, rule_np_binary, rule_np_integral,
        rule_np_abs, rule_np_extreme, rule_np_arith, rule_np_power, rule_np_simple,
        rule_np_divisor, rule_np_compare, rule_np_ndim, rule_np_broadcast_to, rule_np_new,
        rule_np_new_like;

enum simple_ufunc {
    SIMPLE_SQUARE,
    SIMPLE_NEGATIVE,
    SIMPLE_SIGN,
    SIMPLE_INVERT,
    SIMPLE_POSITIVE,
    SIMPLE_LOGICAL_NOT,
};

enum new_array { NEW_EMPTY, NEW_ZEROS, NEW_ONES, NEW_FULL };

extern const struct attribute rule_array_attributes[], rule_array_methods[];

// --- fancy.c

// Indexing by arrays
bool rule_is_fancy(const struct rule *r);
rule_function rule_fancy_get, rule_fancy_set;

// --- reduced.c

// A reduction of the array that such an operation makes, with its work; *is_done: it is
// one.
bool rule_reduce_map(struct rule *r, const struct builtin *builtin, bool *is_done);

// --- ufunc.c

// Whether an array, `out`, can take a result of this type by NumPy's rule 'same_kind'.
bool rule_out_holds(struct rule *r, const struct type *out, const struct type *result);
// Copies the result into the array r->out, if there is one, which becomes the result.
bool rule_put_out(struct rule *r);
bool rule_put_result(struct rule *r); // of the shape of `out`
bool rule_user_ufunc(struct rule *r, const char *name);
// The arguments `dtype` and `where` of a ufunc, before and after it is applied.
bool rule_ufunc_convert(struct rule *r);
bool rule_ufunc_select(struct rule *r, struct ir_instr *out);
bool rule_ufunc_has_method(const struct rule *r, const char *function, const char *name);
bool rule_ufunc_attribute(struct rule *r, const char *function, const char *name);
bool rule_is_ufunc_method(const struct rule *r, const char *name);
bool rule_ufunc_method(struct rule *r, const char *name);

// --- dtype.c

bool rule_np_dtype(struct rule *r);
bool rule_class_item(struct rule *r); // float64[:] in code
bool rule_has_dtype_attribute(const struct type *type, const char *name);
bool rule_dtype_attribute(struct rule *r, const struct type *class);
bool rule_index_expression(struct rule *r, bool is_tuple); // np.s_[...]

// --- einsum.c

bool rule_np_einsum(struct rule *r);

// --- sequence.c

bool rule_array_of_list(struct rule *r, size_t i, bool of_arrays);
// np.array() and np.asarray() of a display of a few numbers, for which no list is made;
// false for all else.
bool rule_array_of_display(struct rule *r, const char *name);
// Makes tuples of the displays of lists among the arguments for shapes, axes and the
// like, by the names of the parameters (arrays/sequence.c); of argument i.
void rule_tuples_of_lists(struct rule *r, const char *params);
bool rule_tuple_of_list(struct rule *r, size_t i);
// Has empty displays among the arguments hold floats where nothing else reads them; true
// where that is news.
bool rule_settle_empty(struct rule *r);
bool rule_array_of_items(struct rule *r, size_t i, bool of_arrays);
bool rule_array_of_number(struct rule *r, size_t i);
bool rule_array_of_text(struct rule *r, size_t i, struct ir_instr *dtype);
bool rule_arrays_in_index(struct rule *r);
bool rule_arrays_in_tuple(struct rule *r, size_t i, bool of_arrays);

// --- reshape.c

// arrays/reshape.c: a.transpose(1, 0) or a.transpose((1, 0)); a.reshape(2, 3) likewise.
bool rule_transpose_by(struct rule *r);
bool rule_reshape(struct rule *r, const struct type *type);

// --- array.c

// a.flags, which like a bound method is nothing but its array; an attribute of it.
bool rule_is_array_flags(const struct ir_instr *value);
bool rule_array_flag(struct rule *r, struct ir_instr *array);
// a.flat of which only items are got and set: nothing but its array, too, so that no view
// or copy is made for an item.
bool rule_is_array_items(const struct ir_instr *value);
// The function of the table that is the method, of the type or of all arrays; or NULL.
const struct builtin *rule_method_builtin(
        const struct rule_set *rules, const struct type *type, const char *name);
// A call of one of such methods.
bool rule_call_method(
        struct rule *r, const struct type *type, const struct attribute *method);

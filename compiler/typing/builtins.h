// SPDX-License-Identifier: MIT
// The rules that the table of builtins names.
#pragma once

#include "compiler/typing/infer/stages.h"

enum simple_ufunc {
    SIMPLE_SQUARE,
    SIMPLE_NEGATIVE,
    SIMPLE_SIGN,
    SIMPLE_INVERT,
    SIMPLE_POSITIVE,
    SIMPLE_LOGICAL_NOT,
};
enum tuple_change { TUPLE_SET, TUPLE_INSERT, TUPLE_DROP };
enum new_array { NEW_EMPTY, NEW_ZEROS, NEW_ONES, NEW_FULL };

bool rule_abs(struct rule *r);
bool rule_container_empty(struct rule *r);
bool rule_put_into_first(struct rule *r);
bool rule_container_new(struct rule *r);
bool rule_library_list(struct rule *r);
bool rule_library_list_part(struct rule *r);
bool rule_library_empty_like(struct rule *r);
bool rule_library_key_of(struct rule *r);
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
bool rule_only_in_with(struct rule *r);
bool rule_only_outside(struct rule *r);
bool rule_thread(struct rule *r);
bool rule_parallel_start(struct rule *r);
bool rule_carray(struct rule *r);
bool rule_by_count(struct rule *r);
bool rule_filter(struct rule *r);

bool rule_chr(struct rule *r);
bool rule_ord(struct rule *r);
bool rule_repr(struct rule *r);
bool rule_format(struct rule *r);
bool rule_fstring(struct rule *r);
bool rule_convert(struct rule *r);

bool rule_math_unary(struct rule *r);
bool rule_math_binary(struct rule *r);
bool rule_math_pow(struct rule *r);
bool rule_math_copysign(struct rule *r);
bool rule_math_integral(struct rule *r);
bool rule_math_predicate(struct rule *r);
bool rule_math_real_predicate(struct rule *r);
bool rule_math_whole(struct rule *r);
bool rule_math_angle(struct rule *r);
bool rule_math_ldexp(struct rule *r);
bool rule_math_log(struct rule *r);
bool rule_math_fma(struct rule *r);

bool rule_complex_function(struct rule *r, enum ir_primitive primitive);
bool rule_cmath(struct rule *r);

// bfloat16: computed in float32
bool rule_has_bfloat(const struct rule *r);
bool rule_computes_bfloat(const struct rule *r, const char *builtin);
void rule_bfloat_widen(struct rule *r);
bool rule_bfloat_enter(struct rule *r, const char *builtin, bool *is_wide);
void rule_bfloat_narrow(struct rule *r);
bool rule_bfloat_binary(struct rule *r, enum ir_binary op);
bool rule_bfloat_unary(struct rule *r);
bool rule_bfloat_compare(struct rule *r, enum ir_compare op);
bool rule_bfloat_class(struct rule *r);
bool rule_bfloat_to(struct rule *r);
bool rule_bfloat_from(struct rule *r);
bool rule_bfloat_bits(struct rule *r);

bool rule_random(struct rule *r);
bool rule_random_seed(struct rule *r);
bool rule_random_uniform(struct rule *r);

bool rule_np_unary(struct rule *r);
bool rule_np_binary(struct rule *r);
bool rule_np_integral(struct rule *r);
bool rule_np_abs(struct rule *r);
bool rule_np_extreme(struct rule *r);
bool rule_np_arith(struct rule *r);
bool rule_np_simple(struct rule *r);
bool rule_np_compare(struct rule *r);
bool rule_np_isnat(struct rule *r);
bool rule_np_time(struct rule *r);
bool rule_np_ndim(struct rule *r);
bool rule_np_broadcast_to(struct rule *r);
bool rule_np_new(struct rule *r);
bool rule_np_new_like(struct rule *r);

// Indexing by arrays
bool rule_is_fancy(const struct rule *r);
bool rule_fancy_get(struct rule *r);
bool rule_fancy_set(struct rule *r);
// Whether the instruction can do the work of `made`, an operation on whole arrays.
bool rule_can_fuse(const struct rule *r, const struct ir_instr *made);
// A reduction of the array that such an operation makes, with its work; *is_done: it is
// one.
bool rule_reduce_map(struct rule *r, const struct builtin *builtin, bool *is_done);

// Whether argument i is an operation on whole arrays that the instruction can do as it
// puts the result into an array (on devices).
bool rule_is_lazy_array(struct rule *r, size_t i);
// Does it: into r->args[0][r->args[1]], which is `out`, NULL while nothing is emitted.
bool rule_put_lazy_array(
        struct rule *r, size_t i, const struct type *view, struct ir_instr *out);
// Copies the result into the array r->out, if there is one, which becomes the result.
bool rule_put_out(struct rule *r);

// Ufuncs that programs make, by their names; methods of all ufuncs
// Whether items of an array take such results, by the casting rule 'same_kind'.
bool arith_can_hold(const struct type *item, const struct type *result);
bool rule_user_ufunc(struct rule *r, const char *name);
// The arguments `dtype` and `where` of a ufunc, before and after it is applied.
bool rule_ufunc_convert(struct rule *r);
bool rule_ufunc_select(struct rule *r, struct ir_instr *out);
bool rule_ufunc_has_method(const struct rule *r, const char *function, const char *name);
bool rule_ufunc_attribute(struct rule *r, const char *function, const char *name);
bool rule_is_ufunc_method(const struct rule *r, const char *name);
bool rule_ufunc_method(struct rule *r, const char *name);

bool rule_library_describe(struct rule *r);
bool rule_library_float_sum(struct rule *r);
bool rule_library_bytes(struct rule *r);
bool rule_np_limits(struct rule *r);
// An attribute of what np.finfo or np.iinfo gives.
bool rule_limits_attribute(struct rule *r, const struct type *literal);
bool rule_np_dtype(struct rule *r);
bool rule_class_item(struct rule *r); // float64[:] in code
bool rule_has_dtype_attribute(const struct type *type, const char *name);
bool rule_dtype_attribute(struct rule *r, const struct type *class);
bool rule_index_expression(struct rule *r, bool is_tuple); // np.s_[...]
bool rule_np_result_type(struct rule *r);
bool rule_np_einsum(struct rule *r);
bool rule_array_of_list(struct rule *r, size_t i, bool of_arrays);
// Makes tuples of the displays of lists among the arguments for shapes, axes and the
// like, by the names of the parameters (arrays/sequence.c); of argument i.
void rule_tuples_of_lists(struct rule *r, const char *params);
bool rule_tuple_of_list(struct rule *r, size_t i);
// Has empty displays among the arguments hold floats where nothing else reads them; true
// where that is news.
bool rule_settle_empty(struct rule *r);
bool rule_array_of_items(struct rule *r, size_t i, bool of_arrays);
bool rule_array_of_number(struct rule *r, size_t i);
bool rule_arrays_in_index(struct rule *r);
bool rule_arrays_in_tuple(struct rule *r, size_t i, bool of_arrays);
// Notes that the product of the first two arguments reads arrays with gaps: a warning.
bool rule_note_strided(struct rule *r, const char *what);
// arrays/reshape.c: a.transpose(1, 0) or a.transpose((1, 0)); a.reshape(2, 3) likewise.
bool rule_transpose_by(struct rule *r);
bool rule_reshape(struct rule *r, const struct type *type);
bool rule_library_dtype(struct rule *r);
bool rule_library_tuple_change(struct rule *r);
bool rule_library_tuple_take(struct rule *r);
bool rule_library_tuple_full(struct rule *r);
bool rule_library_result(struct rule *r);
bool rule_library_tuple_load(struct rule *r);
bool rule_library_strided(struct rule *r);
bool rule_library_external(struct rule *r);
bool rule_library_external_memory(struct rule *r);
bool rule_foreign(struct rule *r);
bool rule_from_buffer(struct rule *r);

bool rule_hasattr(struct rule *r);
bool rule_getattr_call(struct rule *r);
bool rule_callable(struct rule *r); // callable(x): known by types
bool rule_hash(struct rule *r);
// Whether values of the type have the method __hash__, if `name` is that.
bool rule_has_hash(const struct type *type, const char *name);
bool rule_isinstance(struct rule *r);
// A table of these ends with a name of NULL.
struct attribute {
    const char *name;
    bool (*rule)(struct rule *r, const struct type *type);
};
extern const struct attribute rule_number_attributes[], rule_number_methods[];
extern const struct attribute rule_time_methods[];
// Whether NumPy's scalars alone have the attribute, so hasattr() does not find it.
bool rule_number_is_scalars(const char *name);
bool rule_match(struct rule *r);
bool rule_slice_call(struct rule *r);
bool rule_slice_attribute(struct rule *r);
bool rule_slice_indices(struct rule *r);
bool rule_tuple_call(struct rule *r);
bool rule_type(struct rule *r);
bool rule_identity(struct rule *r);
bool rule_literally(struct rule *r);
bool rule_not_callable(struct rule *r);
bool rule_is_device(struct rule *r); // fails off CUDA
bool rule_libdevice(struct rule *r);
bool rule_intrinsic(struct rule *r); // what rows of intrinsics.def say
// Whether a type is that of cuda.threadIdx or its kin, in CUDA code; its x, y, z.
bool rule_is_coordinates(const struct rule *r, const struct type *type);
struct ir_instr *rule_coordinates(struct rule *r, const struct type *type);
// A new array of a thread's own, of the constant shape r->args[0].
bool rule_local_array(struct rule *r, const struct type *dtype);
bool rule_cuda_grid(struct rule *r);
bool rule_cuda_array(struct rule *r);
bool rule_cuda_sync(struct rule *r);
bool rule_cuda_ffs(struct rule *r);
bool rule_cuda_select(struct rule *r);
bool rule_np_where(struct rule *r);
bool rule_cuda_meeting(struct rule *r);
bool rule_cuda_atomic(struct rule *r);
bool rule_cuda_atomic_made(struct rule *r);
bool rule_cuda_cached(struct rule *r);
bool rule_cuda_syncwarp(struct rule *r);
bool rule_cuda_this_grid(struct rule *r);
bool rule_cuda_sync_grid(struct rule *r);
bool rule_cuda_compare_and_swap(struct rule *r);
bool rule_cuda_constant(struct rule *r);

bool rule_number_abs(struct rule *r);
bool rule_number_binary(struct rule *r, enum ir_binary op);
bool rule_number_unary(struct rule *r);
// Both compared as values of the type.
bool rule_compare_as(struct rule *r, enum ir_compare op, const struct type *type);

bool rule_array_getitem(struct rule *r);
bool rule_array_setitem(struct rule *r);
extern const struct attribute rule_array_attributes[], rule_array_methods[];
// a.flags, which like a bound method is nothing but its array; an attribute of it.
bool rule_is_array_flags(const struct ir_instr *value);
bool rule_array_flag(struct rule *r, struct ir_instr *array);
// The function of the table that is the method, of the type or of all arrays; or NULL.
const struct builtin *rule_method_builtin(
        const struct rule_set *rules, const struct type *type, const char *name);
// A call of one of such methods.
bool rule_call_method(
        struct rule *r, const struct type *type, const struct attribute *method);

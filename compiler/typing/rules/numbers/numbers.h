// SPDX-License-Identifier: MIT
// The rules of numbers, of dates and spans of time, and of random numbers.
#pragma once

#include "compiler/typing/infer/rule.h"

// --- compare.c

bool rule_compare_numbers(
        struct rule *r, enum ir_compare op, const struct type *a, const struct type *b);
// Both compared as values of the type.
bool rule_compare_as(struct rule *r, enum ir_compare op, const struct type *type);

// --- arith.c

// Numeric typing (numbers/arith.c): the result type, or NULL.
// The names of operators in Python's module operator; of an update's plain operator.
const char *arith_operator_name(const struct ir_instr *instr);
const char *arith_plain_name(const struct ir_instr *update);
const struct type *arith_result(
        enum ir_binary op, const struct type *a, const struct type *b);
// The float type that an integer or float operand computes in: float32 when it holds its
// values.
const struct type *arith_float(const struct type *type);
const struct type *arith_float_pair(const struct type *a, const struct type *b);
// Ufuncs that programs make, by their names; methods of all ufuncs
// Whether items of an array take such results, by the casting rule 'same_kind'.
bool arith_can_hold(const struct type *item, const struct type *result);
// Twice the exponent, where that is a small literal that is a multiple of a half.
bool arith_literal_halves(const struct ir_instr *exponent, int64_t *out);
bool rule_number_abs(struct rule *r);
bool rule_number_binary(struct rule *r, enum ir_binary op);
bool rule_number_unary(struct rule *r);

// --- math.c

rule_function rule_math_unary, rule_math_binary, rule_math_pow, rule_math_copysign,
        rule_math_integral, rule_math_predicate, rule_math_real_predicate,
        rule_math_whole, rule_math_angle, rule_math_ldexp, rule_math_log, rule_math_fma;

// --- complex.c

bool rule_complex_function(struct rule *r, enum ir_primitive primitive);
bool rule_cmath(struct rule *r);

// --- bfloat.c

// bfloat16: computed in float32
bool rule_has_bfloat(const struct rule *r);
bool rule_computes_bfloat(const struct rule *r, const char *builtin);
void rule_bfloat_widen(struct rule *r);
bool rule_bfloat_enter(struct rule *r, const char *builtin, bool *is_wide);
void rule_bfloat_narrow(struct rule *r);
bool rule_bfloat_binary(struct rule *r, enum ir_binary op);
bool rule_bfloat_unary(struct rule *r);
bool rule_bfloat_compare(struct rule *r, enum ir_compare op);
rule_function rule_bfloat_class, rule_bfloat_to, rule_bfloat_from, rule_bfloat_bits;

// --- random.c

rule_function rule_random, rule_random_word, rule_random_seed, rule_random_uniform;

// --- datetime.c

rule_function rule_np_isnat, rule_np_time;
// Rules of operators and functions whose operands have a date or a span among them.
bool rule_has_time(const struct rule *r);
bool rule_time_binary(struct rule *r, enum ir_binary op);
bool rule_time_unary(struct rule *r, enum ir_unary op);
bool rule_time_compare(struct rule *r, enum ir_compare op);
rule_function rule_time_abs, rule_time_sign;
bool rule_time_predicate(struct rule *r, enum ir_primitive predicate);
// numpy.minimum and maximum, which pass NaT on.
bool rule_time_extreme(struct rule *r, bool is_least);
bool rule_time_class(struct rule *r, const struct type *type);
// Whether astype makes one of the other: units are rounded to, counts are numbers.
bool rule_time_casts(const struct type *from, const struct type *to);

// --- limits.c

bool rule_np_limits(struct rule *r);
// An attribute of what np.finfo or np.iinfo gives.
bool rule_limits_attribute(struct rule *r, const struct type *literal);

extern const struct attribute rule_number_attributes[], rule_number_methods[];

extern const struct attribute rule_time_methods[];

// --- number.c

// Whether NumPy's scalars alone have the attribute, so hasattr() does not find it.
bool rule_number_is_scalars(const char *name);

// SPDX-License-Identifier: MIT
// Functions of complex numbers: the module cmath, and NumPy's ufuncs on them. On the CPU
// they are C's; on devices the library has them in terms of real functions.

#include <stdio.h>

#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/numbers/numbers.h"
#include "compiler/typing/rules/text/text.h"

static const struct {
    enum ir_primitive primitive;
    enum text_call call;
    const char *library;
} functions[] = {
        {PRIMITIVE_MATH_EXP, TEXT_COMPLEX_EXP, "complexes.exp"},
        {PRIMITIVE_MATH_LOG, TEXT_COMPLEX_LOG, "complexes.log"},
        {PRIMITIVE_MATH_SQRT, TEXT_COMPLEX_SQRT, "complexes.sqrt"},
        {PRIMITIVE_MATH_SIN, TEXT_COMPLEX_SIN, "complexes.sin"},
        {PRIMITIVE_MATH_COS, TEXT_COMPLEX_COS, "complexes.cos"},
        {PRIMITIVE_MATH_TAN, TEXT_COMPLEX_TAN, "complexes.tan"},
        {PRIMITIVE_MATH_ASIN, TEXT_COMPLEX_ASIN, "complexes.asin"},
        {PRIMITIVE_MATH_ACOS, TEXT_COMPLEX_ACOS, "complexes.acos"},
        {PRIMITIVE_MATH_ATAN, TEXT_COMPLEX_ATAN, "complexes.atan"},
        {PRIMITIVE_MATH_SINH, TEXT_COMPLEX_SINH, "complexes.sinh"},
        {PRIMITIVE_MATH_COSH, TEXT_COMPLEX_COSH, "complexes.cosh"},
        {PRIMITIVE_MATH_TANH, TEXT_COMPLEX_TANH, "complexes.tanh"},
        {PRIMITIVE_MATH_ASINH, TEXT_COMPLEX_ASINH, "complexes.asinh"},
        {PRIMITIVE_MATH_ACOSH, TEXT_COMPLEX_ACOSH, "complexes.acosh"},
        {PRIMITIVE_MATH_ATANH, TEXT_COMPLEX_ATANH, "complexes.atanh"},
        {PRIMITIVE_MATH_EXP2, TEXT_COMPLEX_EXP2, "complexes.exp2"},
        {PRIMITIVE_MATH_EXPM1, TEXT_COMPLEX_EXPM1, "complexes.expm1"},
        {PRIMITIVE_MATH_LOG2, TEXT_COMPLEX_LOG2, "complexes.log2"},
        {PRIMITIVE_MATH_LOG10, TEXT_COMPLEX_LOG10, "complexes.log10"},
        {PRIMITIVE_MATH_LOG1P, TEXT_COMPLEX_LOG1P, "complexes.log1p"},
};

bool rule_complex_function(struct rule *r, enum ir_primitive primitive)
{
    const struct type *type = rule_arg_type(r, 0);
    type = type == type_float32 || type == type_complex64 ? type_complex64
                                                          : type_complex128;
    size_t i = 0, count = sizeof functions / sizeof *functions;
    while (i < count && functions[i].primitive != primitive)
        i++;
    if (i == count || !type_is_number(rule_arg_type(r, 0)))
        return rule_no_match(r, "It takes real numbers.");
    if (r->in->target != TARGET_HOST) {
        if (!rule_library(r, functions[i].library))
            return false;
        if (r->is_emitting)
            r->value = rule_cast(r, r->value, type);
        r->type = type;
        return true;
    }
    r->type = type;
    if (!r->is_emitting)
        return true;
    struct ir_instr *number = rule_cast(r, r->args[0], type_complex128);
    number = rule_text_call(r, functions[i].call, type_complex128, &number, 1);
    r->value = rule_cast(r, number, type);
    return true;
}

bool rule_cmath(struct rule *r)
{
    if (!type_is_number(rule_arg_type(r, 0)))
        return rule_no_match(r, "It takes a number.");
    return rule_complex_function(r, (enum ir_primitive)r->data);
}

// SPDX-License-Identifier: MIT
// np.finfo and np.iinfo: literal types that name a dtype, and their attributes.

#include <assert.h>
#include <string.h>

#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/numbers/numbers.h"

static bool limits_float(struct rule *r, const struct type *type, const char *name)
{
    static const struct {
        const char *name;
        double value[3]; // of float16, float32, float64
    } reals[] = {{"max", {65504, 0x1.fffffep127, 0x1.fffffffffffffp1023}},
            {"min", {-65504, -0x1.fffffep127, -0x1.fffffffffffffp1023}},
            {"eps", {0x1p-10, 0x1p-23, 0x1p-52}}, {"epsneg", {0x1p-11, 0x1p-24, 0x1p-53}},
            {"tiny", {0x1p-14, 0x1p-126, 0x1p-1022}},
            {"smallest_normal", {0x1p-14, 0x1p-126, 0x1p-1022}},
            {"smallest_subnormal", {0x1p-24, 0x1p-149, 0x1p-1074}},
            {"resolution", {1e-3, 1e-6, 1e-15}}};
    static const struct {
        const char *name;
        int value[3];
    } counts[] = {{"bits", {16, 32, 64}}, {"precision", {3, 6, 15}},
            {"nmant", {10, 23, 52}}, {"nexp", {5, 8, 11}}, {"maxexp", {16, 128, 1024}},
            {"minexp", {-14, -126, -1022}}, {"machep", {-10, -23, -52}},
            {"negep", {-11, -24, -53}}, {"iexp", {5, 8, 11}}};
    size_t row = type->bits == 16 ? 0 : type->bits == 32 ? 1 : 2;
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
        if (!strcmp(reals[i].name, name))
            return rule_do_constant(
                    r, (struct constant){.type = type, .real = reals[i].value[row]});
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (!strcmp(counts[i].name, name))
            return rule_do_constant(r, (struct constant){.type = type_int64,
                                               .integer = counts[i].value[row]});
    return rule_fail(r, ERROR_TYPING, "Unknown attribute '%s' of finfo", name);
}

bool rule_limits_attribute(struct rule *r, const struct type *literal)
{
    assert(literal->kind == TYPE_LITERAL);
    const struct type *type = literal->element;
    if (type->kind == TYPE_FLOAT)
        return limits_float(r, type, r->name);
    int64_t top = (int64_t)(UINT64_MAX >> (64 - type->bits + type->is_signed));
    const struct type *result = type == type_uint64 ? type_uint64 : type_int64;
    if (!strcmp(r->name, "max"))
        return rule_do_constant(r, (struct constant){.type = result, .integer = top});
    if (!strcmp(r->name, "min"))
        return rule_do_constant(r, (struct constant){.type = result,
                                           .integer = type->is_signed ? -top - 1 : 0});
    if (!strcmp(r->name, "bits"))
        return rule_do_constant(
                r, (struct constant){.type = type_int64, .integer = type->bits});
    return rule_fail(r, ERROR_TYPING, "Unknown attribute '%s' of iinfo", r->name);
}

// finfo(dtype or number), iinfo; data: the kind of numbers
bool rule_np_limits(struct rule *r)
{
    if (!rule_settle_dtype(r, r->args[0]))
        return false;
    const struct type *type = rule_dtype(r->args[0]);
    if (!type)
        type = rule_arg_type(r, 0);
    if (type->kind == TYPE_ARRAY || type->kind == TYPE_COMPLEX)
        type = type->element;
    if ((int)type->kind != r->data)
        return rule_no_match(r, r->data == TYPE_INT ? "It takes a dtype of integers."
                                                    : "It takes a dtype of floats.");
    const struct type *literal =
            type_literal(type, r->data == TYPE_INT ? "iinfo" : "finfo");
    return rule_do_constant(r, (struct constant){.type = literal});
}

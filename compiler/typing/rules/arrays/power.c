// SPDX-License-Identifier: MIT
// Powers of arrays whose exponent is a literal: by products and square roots, which are
// ten and more times as fast as logarithms, and as exact for small exponents.
#include <string.h>

#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/arrays/arrays.h"
#include "compiler/typing/rules/numbers/numbers.h"

// The functions of one number that raise it to a literal power, by twice the exponent: to
// whole powers in the type of the number, and to any in float64.
static const char *power_function(int64_t halves, bool is_float64)
{
    static const struct {
        int64_t halves;
        const char *own, *float64;
    } powers[] = {
#define POWER(exponent, name)                                                            \
    {2 * (exponent), "library.power_" name, "library.float_power_" name},
#define HALF_POWER(halves, name) {halves, NULL, "library.float_power_" name},
#include "compiler/types/powers.def"
    };
    for (size_t i = 0; i < sizeof powers / sizeof *powers; i++)
        if (powers[i].halves == halves)
            return is_float64 ? powers[i].float64 : powers[i].own;
    return NULL;
}

const char *rule_literal_power(const struct rule *r, const char *name)
{
    bool is_float_power = !strcmp(name, "numpy.float_power");
    int64_t halves;
    if ((strcmp(name, "numpy.power") != 0 && !is_float_power) || r->arg_count != 2 ||
            r->out || r->instr->op == IR_INPLACE ||
            !arith_literal_halves(r->args[1], &halves))
        return NULL;
    const struct type *type = rule_arg_type(r, 0);
    const struct type *item = type->kind == TYPE_ARRAY ? type->element : type_none;
    bool is_float = is_float_power || !type_is_integer(rule_arg_type(r, 1));
    if (!is_float && halves == 4 && (item == type_float64 || item->kind == TYPE_COMPLEX))
        return "numpy.square";
    if (item == type_complex128 && halves % 2 == 0)
        return power_function(halves, false);
    if (item->kind == TYPE_FLOAT && item->bits > 16)
        return power_function(halves, is_float);
    return is_float && type_is_integer(item) ? power_function(halves, true) : NULL;
}

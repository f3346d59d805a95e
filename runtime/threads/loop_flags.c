// SPDX-License-Identifier: MIT
// Which flags the results of a loop explain.
#include "runtime/threads/loop_flags.h"

#include <fenv.h>
#include <math.h>
#include <string.h>

// The item as a float64; of integers 0, which is as finite.
static double number_at(const struct loop_operands *operands, int operand, intptr_t index)
{
    const struct type *type = operands->types[operand];
    const char *place = operands->args[operand] + index * operands->steps[operand];
    double real = 0;
    float narrow;
    if (type == type_float64)
        memcpy(&real, place, sizeof real);
    if (type != type_float32)
        return real;
    memcpy(&narrow, place, sizeof narrow);
    return (double)narrow;
}

// The flags that one item explains.
static int explained(const struct loop_operands *operands, intptr_t index)
{
    double result = number_at(operands, operands->input_count, index);
    if (isfinite(result))
        return 0;
    for (int i = 0; i < operands->input_count; i++) {
        double input = number_at(operands, i, index);
        if (isnan(input) || (isinf(result) && isinf(input)))
            return 0;
    }
    return isnan(result) ? FE_INVALID : FE_DIVBYZERO | FE_OVERFLOW;
}

static bool is_plain(const struct type *type)
{
    return type == type_float64 || type == type_float32 || type_is_integer(type);
}

void loop_flags_settle(const struct loop_operands *operands)
{
    const int all = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW;
    int raised = fetestexcept(all), kept = 0;
    if (!raised || type_is_integer(operands->types[operands->input_count]))
        return;
    for (int i = 0; i <= operands->input_count; i++)
        if (!is_plain(operands->types[i]))
            return;
    for (intptr_t i = 0; i < operands->count && kept != all; i++)
        kept |= explained(operands, i);
    feclearexcept(raised & ~kept);
}

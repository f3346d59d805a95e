// SPDX-License-Identifier: MIT
// numba.cuda.libdevice: NVIDIA's math functions by their own names and exact types.
#include "compiler/support/libdevice.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/cuda/cuda.h"

// What the call gives: the returned value, then what is stored through pointers.
static const struct type *result_type(const char *signature)
{
    const struct type *items[3];
    size_t count = 0;
    if (signature[0] != 'V')
        items[count++] = libdevice_type(signature[0]);
    for (const char *code = signature + 2; *code; code++)
        if (*code == 'P')
            items[count++] = libdevice_type(*++code);
    return count == 1 ? items[0] : type_tuple(items, count);
}

// data: number in libdevice_functions
bool rule_libdevice(struct rule *r)
{
    const char *signature = libdevice_functions[r->data].signature;
    struct ir_instr *operands[4];
    size_t count = 0;
    if (!rule_is_device(r))
        return false;
    for (const char *code = signature + 2; *code && *code != 'P'; code++, count++) {
        if (count >= r->arg_count)
            return rule_fail(r, ERROR_TYPING, "%s() is given too few arguments", r->name);
        const struct type *type = libdevice_type(*code), *given = rule_arg_type(r, count);
        if (!type_is_number(given) || given->kind == TYPE_COMPLEX)
            return rule_no_match(r, "It takes real numbers.");
        if (r->is_emitting)
            operands[count] = rule_cast(r, r->args[count], type);
    }
    if (r->arg_count > count)
        return rule_fail(r, ERROR_TYPING, "%s() is given too many arguments", r->name);
    r->type = result_type(signature);
    if (r->is_emitting) {
        r->value = rule_primitive(r, PRIMITIVE_CUDA_LIBDEVICE, r->type, operands, count);
        r->value->immediate = r->data;
    }
    return true;
}

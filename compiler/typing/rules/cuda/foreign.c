// SPDX-License-Identifier: MIT
// Device functions that others compiled, and the addresses of arrays that they take.
#include "compiler/support/foreign.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/cuda/cuda.h"

enum { MAX_PARAMETERS = 64 };

static struct ir_instr *address_of(
        struct rule *r, struct ir_instr *array, const struct type *pointer)
{
    return rule_primitive(r, PRIMITIVE_ARRAY_POINTER, pointer, &array, 1);
}

// cffi's ffi.from_buffer(array): its first item's address
bool rule_from_buffer(struct rule *r)
{
    const struct type *array = rule_arg_type(r, 0);
    if (array->kind != TYPE_ARRAY)
        return rule_no_match(r, "It takes an array.");
    if (array->array.ndim != 1 && array->array.layout != LAYOUT_C)
        return rule_fail(r, ERROR_TYPING,
                "from_buffer() takes a contiguous array, not %s", array->name);
    r->type = type_pointer(array->element);
    if (r->is_emitting)
        r->value = address_of(r, rule_cast(r, r->args[0], array), r->type);
    return true;
}

// The argument as a parameter of the declared type takes it; NULL: it does not.
static bool accepts(struct rule *r, const struct type *declared, size_t i)
{
    const struct type *given = rule_arg_type(r, i);
    if (declared->kind == TYPE_POINTER && given->kind == TYPE_ARRAY)
        return !declared->element || declared->element == given->element;
    if (declared->kind == TYPE_POINTER)
        return given->kind == TYPE_POINTER &&
               (given == declared || !declared->element || !given->element);
    if (declared->kind == TYPE_ARRAY)
        return type_conversion(given, declared) != CONVERT_NEVER;
    return type_is_number(declared) && declared->kind != TYPE_COMPLEX &&
           type_is_number(given) && given->kind != TYPE_COMPLEX;
}

static struct ir_instr *converted(struct rule *r, const struct type *declared, size_t i)
{
    const struct type *given = rule_arg_type(r, i);
    if (declared->kind == TYPE_POINTER && given->kind == TYPE_ARRAY)
        return address_of(r, rule_cast(r, r->args[i], given), declared);
    if (declared->kind == TYPE_POINTER)
        return rule_value(r, r->args[i]);
    return rule_cast(r, r->args[i], declared);
}

static bool is_result(const struct type *type)
{
    return type && (type == type_none || type->kind == TYPE_POINTER ||
                           (type_is_number(type) && type->kind != TYPE_COMPLEX));
}

// foreign("symbol", flags, result type, type, argument, type, argument...)
bool rule_foreign(struct rule *r)
{
    const struct constant *name = rule_constant(r->args[0]);
    const struct type *result = rule_dtype(r->args[2]);
    struct ir_instr *operands[MAX_PARAMETERS + 1];
    size_t count = 1;
    int64_t flags;
    if (!rule_is_device(r))
        return false;
    if (!name || name->type != type_string || !rule_constant_int(r->args[1], &flags))
        return rule_no_match(r, "It takes a symbol, flags and types.");
    if (!is_result(result))
        return rule_fail(r, ERROR_TYPING,
                "a foreign function gives a number or an address, not %s",
                result ? result->name : "this");
    for (size_t i = 3; i + 1 < r->arg_count && count < MAX_PARAMETERS; i += 2, count++) {
        const struct type *declared = rule_dtype(r->args[i]);
        if (!declared || !accepts(r, declared, i + 1))
            return rule_fail(r, ERROR_TYPING,
                    "%s() is declared with %s as parameter %zu, and is given %s",
                    name->string.text, declared ? declared->name : "an unknown type",
                    count, rule_arg_type(r, i + 1)->name);
        if (r->is_emitting)
            operands[count] = converted(r, declared, i + 1);
    }
    r->type = result;
    if (!r->is_emitting)
        return true;
    operands[0] = rule_value(r, r->args[0]);
    r->value = rule_primitive(r, PRIMITIVE_FOREIGN, result, operands, count);
    r->value->immediate = (int)flags;
    return true;
}

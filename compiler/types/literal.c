// SPDX-License-Identifier: MIT
// Literal types: types of one value, which their name tells.
#include <stdio.h>

#include "base/str.h"
#include "compiler/types/constant.h"

enum { MAX_LITERAL_ITEMS = 64 };

// Of a tuple of integers: its type says the numbers.
static const struct type *tuple_literal(const struct constant *constant)
{
    struct str text = {0};
    const struct constant *items = constant->tuple.items;
    bool is_so = constant->tuple.len && constant->tuple.len <= MAX_LITERAL_ITEMS;
    for (size_t i = 0; is_so && i < constant->tuple.len; i++) {
        is_so = items[i].type->kind == TYPE_INT && items[i].type != type_uint64;
        if (is_so)
            str_printf(&text, "%s%lld", i ? ", " : "", (long long)items[i].integer);
    }
    const struct type *type =
            is_so ? type_literal(constant->type, str_text(&text)) : NULL;
    str_finish(&text);
    return type;
}

const struct type *literal_type(const struct constant *constant)
{
    char text[24];
    if (constant->type->kind == TYPE_TUPLE)
        return tuple_literal(constant);
    if (constant->type == type_string)
        return type_literal(type_string, constant->string.text);
    if (constant->type == type_bool)
        return type_literal(type_bool, constant->integer ? "True" : "False");
    if (constant->type->kind != TYPE_INT || constant->type == type_uint64)
        return NULL;
    snprintf(text, sizeof text, "%lld", (long long)constant->integer);
    return type_literal(type_int64, text);
}

// SPDX-License-Identifier: MIT
// The types of functions as values, and how one becomes another.
#include "compiler/types/functions.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/str.h"
#include "compiler/types/source.h"

const struct type *type_function_value(enum type_kind kind, const struct type *returns,
        const struct type *const *params, size_t count)
{
    struct str name = {0};
    bool is_foreign = kind == TYPE_FOREIGN;
    str_append(&name, is_foreign ? "ExternalFunctionPointer((" : "FunctionType[");
    if (!is_foreign)
        str_printf(&name, "%s(", returns->name);
    for (size_t i = 0; i < count; i++)
        str_printf(&name, "%s%s", i ? ", " : "", params[i]->name);
    if (is_foreign)
        str_printf(&name, "%s) -> %s)", count == 1 ? "," : "", returns->name);
    else
        str_append(&name, ")]");
    struct type function = {.kind = kind, .element = returns};
    function.tuple.items = params;
    function.tuple.len = count;
    return type_intern_named(&function, &name);
}

bool type_is_of_c(const struct type *type)
{
    bool is_value = type_is_number(type) || type->kind == TYPE_POINTER;
    return type == type_none || (is_value && type != type_float16);
}

bool function_may_be_of_c(const struct type *function)
{
    bool may_be = type_is_of_c(function->element);
    for (size_t i = 0; may_be && i < function->tuple.len; i++)
        may_be = type_is_of_c(function->tuple.items[i]);
    return may_be;
}

bool type_is_known_function(const struct type *type)
{
    return (type->kind == TYPE_DISPATCHER && type->source) ||
           (type->kind == TYPE_FUNCTION && type->function) ||
           (type->kind == TYPE_CLOSURE && !type->tuple.len);
}

// --- Choices

static const struct type *const *functions_of(const struct type *choice, size_t *count)
{
    const struct type *tuple = choice->tuple.items[0];
    *count = tuple->tuple.len;
    return tuple->tuple.items;
}

int function_position(const struct type *choice, const struct type *function)
{
    size_t count;
    const struct type *const *functions = functions_of(choice, &count);
    for (size_t i = 0; i < count; i++)
        if (functions[i] == function)
            return (int)i;
    return -1;
}

static int by_id(const void *a, const void *b)
{
    const struct type *const *left = a, *const *right = b;
    return (*left)->id < (*right)->id ? -1 : (*left)->id > (*right)->id;
}

// The functions that the type stands for, behind those that are there; false: none.
static bool add_functions(
        const struct type *type, const struct type **functions, size_t *count)
{
    size_t more = 1;
    const struct type *const *items = &type;
    if (type->kind == TYPE_CHOICE)
        items = functions_of(type, &more);
    for (size_t i = 0; i < more; i++) {
        if (!type_is_known_function(items[i]))
            return false;
        functions[(*count)++] = items[i];
    }
    return true;
}

static size_t function_count(const struct type *type)
{
    size_t count = 1;
    if (type->kind == TYPE_CHOICE)
        functions_of(type, &count);
    return count;
}

const struct type *type_choice_of_both(const struct type *a, const struct type *b)
{
    size_t count = 0, unique = 0;
    const struct type **functions =
            memory_alloc((function_count(a) + function_count(b)) * sizeof *functions);
    const struct type *choice = NULL;
    if (add_functions(a, functions, &count) && add_functions(b, functions, &count)) {
        qsort(functions, count, sizeof *functions, by_id);
        for (size_t i = 0; i < count; i++)
            if (!i || functions[i] != functions[i - 1])
                functions[unique++] = functions[i];
        choice = type_choice(type_tuple(functions, unique));
    }
    free(functions);
    return choice;
}

// --- One type from another

static bool has_signature(const struct source *source, const struct type *to)
{
    for (size_t i = 0; i < source->signature_count; i++) {
        const struct signature *signature = &source->signatures[i];
        bool is_same = signature->param_count == to->tuple.len &&
                       signature->returns == to->element;
        for (size_t k = 0; is_same && k < to->tuple.len; k++)
            is_same = signature->params[k] == to->tuple.items[k];
        if (is_same)
            return true;
    }
    return false;
}

static bool takes_signature(const struct type *function, const struct type *to)
{
    const struct source *source = function->source;
    if (function->kind != TYPE_DISPATCHER || !source || source->is_overloaded ||
            !source->owner || source->param_count != to->tuple.len)
        return false;
    for (size_t i = 0; i < source->param_count; i++)
        if (source->params[i].is_star)
            return false;
    return !source->signature_count || has_signature(source, to);
}

enum conversion function_conversion(const struct type *from, const struct type *to)
{
    bool is_choice = from->kind == TYPE_CHOICE;
    if (!is_choice && !type_is_known_function(from))
        return CONVERT_NEVER;
    size_t count = 1;
    const struct type *const *functions = &from;
    if (is_choice)
        functions = functions_of(from, &count);
    for (size_t i = 0; i < count; i++) {
        bool fits = to->kind == TYPE_CALLABLE ? takes_signature(functions[i], to)
                                              : function_position(to, functions[i]) >= 0;
        if (!fits)
            return CONVERT_NEVER;
    }
    return CONVERT_SAFE;
}

const struct type *function_unify(const struct type *a, const struct type *b)
{
    if (b->kind == TYPE_CALLABLE && a->kind != TYPE_CALLABLE)
        return function_unify(b, a);
    if (a->kind == TYPE_CALLABLE)
        return b->kind != TYPE_CALLABLE && function_conversion(b, a) != CONVERT_NEVER
                       ? a
                       : NULL;
    bool are_functions = (a->kind == TYPE_CHOICE || type_is_known_function(a)) &&
                         (b->kind == TYPE_CHOICE || type_is_known_function(b));
    return are_functions ? type_choice_of_both(a, b) : NULL;
}

const struct type *type_tuple_of_choices(const struct type *tuple)
{
    size_t count = tuple->tuple.len;
    if (tuple->kind != TYPE_TUPLE || !count)
        return NULL;
    const struct type *common = tuple->tuple.items[0];
    for (size_t i = 1; common && i < count; i++)
        if (tuple->tuple.items[i] != common)
            common = function_unify(common, tuple->tuple.items[i]);
    if (!common)
        return NULL;
    const struct type **items = memory_alloc(count * sizeof *items);
    for (size_t i = 0; i < count; i++)
        items[i] = common;
    const struct type *uniform = type_tuple(items, count);
    free(items);
    return uniform;
}

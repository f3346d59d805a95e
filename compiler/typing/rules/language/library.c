// SPDX-License-Identifier: MIT
// What the library alone can say: questions about types that are answered when the code
// is compiled, arithmetic on tuples of integers, views by strides, and calls of C
// functions.

#include <string.h>

#include "compiler/typing/infer/infer.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/language/language.h"

bool rule_library_describe(struct rule *r)
{
    int64_t answer;
    const char *name = r->instr->operands[0]->type->function;
    if (!library_describe(name, r->args[0]->type, &answer))
        return rule_no_match(r, "It is a question of the library.");
    return rule_do_constant(r, (struct constant){.type = type_int64, .integer = answer});
}

// float_sum(a, start, n): the sum of so many items of a row
bool rule_library_float_sum(struct rule *r)
{
    bool is_easy = r->in->target == TARGET_HOST &&
                   library_described(rule_arg_type(r, 0))->bits > 16;
    return rule_library(r, is_easy ? "reductions.host_sum" : "reductions.pairwise");
}

// The class of a number, or of the items of an array
bool rule_library_dtype(struct rule *r)
{
    const struct type *type = library_described(rule_arg_type(r, 0));
    if (type == type_int64 && rule_arg_type(r, 0)->kind == TYPE_LITERAL)
        type = type_bool;
    return rule_do_constant(
            r, (struct constant){.type = type_class(type), .instance = type});
}

// A star takes the values from its place on as one tuple.
static void pack_starred(
        const struct source *callee, const struct type **types, size_t *count)
{
    for (size_t i = 0; i < callee->param_count && i <= *count; i++)
        if (callee->params[i].is_star) {
            types[i] = type_tuple(types + i, *count - i);
            *count = i + 1;
        }
}

// result_dtype(function, values...): the class of what calling it with such values
// returns
bool rule_library_result(struct rule *r)
{
    const struct type *function = r->args[0]->type;
    if (function->kind != TYPE_DISPATCHER || !function->source)
        return rule_no_match(r, "It takes a compiled function.");
    const struct type *params[16];
    for (size_t i = 1; i < r->arg_count; i++)
        params[i - 1] = r->args[i]->type;
    struct signature signature = {.params = params, .param_count = r->arg_count - 1};
    pack_starred(function->source, params, &signature.param_count);
    struct ir_function *callee =
            infer_callee(r->in, function->source, signature, r->instr->span);
    if (!callee)
        return false;
    if (!callee->returns)
        return true;
    const struct type *type = library_described(callee->returns);
    return rule_do_constant(
            r, (struct constant){.type = type_class(type), .instance = type});
}

// tuple_load(n, array): its first n integers
bool rule_library_tuple_load(struct rule *r)
{
    int64_t len;
    const struct type *array = rule_arg_type(r, 1);
    if (!rule_constant_int(r->args[0], &len) || len < 0 || len > 63 ||
            array->kind != TYPE_ARRAY || array->array.ndim != 1)
        return rule_no_match(r, "The length must be known when the code is compiled.");
    const struct type *items[64];
    for (int64_t i = 0; i < len; i++)
        items[i] = array->element;
    r->type = type_tuple(items, (size_t)len);
    if (!r->is_emitting)
        return true;
    struct ir_instr *loaded[64], *from = rule_cast(r, r->args[1], array);
    for (int64_t i = 0; i < len; i++) {
        struct ir_instr *operands[] = {from, rule_int(r, type_int64, i)};
        loaded[i] = rule_primitive(r, PRIMITIVE_ARRAY_LOAD, array->element, operands, 2);
    }
    r->value = rule_tuple(r, loaded, (size_t)len);
    return true;
}

// The type that holds numbers of `type` and of another, which may be a tuple of them;
// NULL when there is none. Items that a tuple could have had would be floats, as NumPy
// has it.
static const struct type *promoted(const struct type *type, const struct type *other)
{
    if (other->kind == TYPE_TUPLE && !other->tuple.len)
        return type ? type_unify(type, type_float64) : type_float64;
    if (other->kind == TYPE_TUPLE) {
        for (size_t i = 0; i < other->tuple.len; i++)
            if (!(type = promoted(type, other->tuple.items[i])))
                return NULL;
        return type;
    }
    if (other->kind == TYPE_LIST)
        return promoted(type, other->element);
    other = library_described(other);
    bool is_as_it_is = other->kind == TYPE_CELLS || other->kind == TYPE_RECORD;
    if (is_as_it_is)
        return !type || type == other ? other : NULL;
    if (!type_is_item(other))
        return NULL;
    return type ? type_unify(type, other) : other;
}

// The dtype that holds numbers of all the arguments' types
bool rule_np_result_type(struct rule *r)
{
    const struct type *type = NULL;
    for (size_t i = 0; i < r->arg_count; i++) {
        if (!rule_settle_dtype(r, r->args[i]))
            return false;
        const struct type *dtype = rule_dtype(r->args[i]);
        type = promoted(type, dtype ? dtype : rule_arg_type(r, i));
        if (!type)
            return rule_no_match(r, "It takes dtypes, arrays and numbers. An array of "
                                    "texts needs a dtype that says how long: 'U5'.");
    }
    return rule_do_constant(
            r, (struct constant){.type = type_class(type), .instance = type});
}

// --- Tuples of integers

static struct ir_instr *select_if(struct rule *r, enum ir_compare op,
        struct ir_instr *position, size_t i, struct ir_instr *yes, struct ir_instr *no)
{
    struct ir_instr *operands[] = {
            rule_compare_op(r, op, position, rule_int(r, type_int64, (int64_t)i)), yes,
            no};
    return rule_primitive(r, PRIMITIVE_SELECT, yes->type, operands, 3);
}

static struct ir_instr *choose(
        struct rule *r, struct ir_instr *tuple, size_t len, struct ir_instr *position)
{
    struct ir_instr *value = rule_tuple_get(r, tuple, 0);
    for (size_t i = 1; i < len; i++)
        value = select_if(r, COMPARE_EQ, position, i, rule_tuple_get(r, tuple, i), value);
    return value;
}

static struct ir_instr *changed_item(struct rule *r, size_t i, size_t len,
        struct ir_instr *position, struct ir_instr *value)
{
    struct ir_instr *tuple = r->args[0];
    struct ir_instr *here = i < len ? rule_tuple_get(r, tuple, i) : NULL;
    switch (r->data) {
    case TUPLE_SET:
        return select_if(r, COMPARE_EQ, position, i, value, here);
    case TUPLE_DROP:
        return select_if(
                r, COMPARE_GT, position, i, here, rule_tuple_get(r, tuple, i + 1));
    default: { // insert
        struct ir_instr *before = i ? rule_tuple_get(r, tuple, i - 1) : value;
        struct ir_instr *from =
                i ? select_if(r, COMPARE_EQ, position, i, value, before) : value;
        return here ? select_if(r, COMPARE_GT, position, i, here, from) : from;
    }
    }
}

static size_t changed_length(const struct rule *r, size_t len)
{
    return r->data == TUPLE_SET ? len : r->data == TUPLE_DROP ? len - 1 : len + 1;
}

static const struct type *integers(size_t len)
{
    const struct type *items[64];
    for (size_t i = 0; i < len; i++)
        items[i] = type_int64;
    return type_tuple(items, len);
}

static bool is_integers(const struct type *type)
{
    if (type->kind != TYPE_TUPLE || type->tuple.len > 63)
        return false;
    for (size_t i = 0; i < type->tuple.len; i++)
        if (!type_is_integer(type->tuple.items[i]))
            return false;
    return true;
}

// tuple_set(t, i, value), tuple_insert(t, i, value), tuple_drop(t, i)
bool rule_library_tuple_change(struct rule *r)
{
    const struct type *tuple = rule_arg_type(r, 0);
    if (!is_integers(tuple) || (r->data == TUPLE_DROP && !tuple->tuple.len))
        return rule_no_match(r, "It takes a tuple of integers.");
    size_t len = changed_length(r, tuple->tuple.len);
    r->type = integers(len);
    if (!r->is_emitting)
        return true;
    r->args[0] = rule_cast(r, r->args[0], integers(tuple->tuple.len));
    struct ir_instr *position = rule_cast(r, r->args[1], type_int64);
    struct ir_instr *value =
            r->data == TUPLE_DROP ? NULL : rule_cast(r, r->args[2], type_int64);
    struct ir_instr *items[64];
    for (size_t i = 0; i < len; i++)
        items[i] = changed_item(r, i, tuple->tuple.len, position, value);
    r->value = rule_tuple(r, items, len);
    return true;
}

// tuple_take(t, places): t[places[0]], t[places[1]], ...
bool rule_library_tuple_take(struct rule *r)
{
    const struct type *tuple = rule_arg_type(r, 0), *places = rule_arg_type(r, 1);
    if (!is_integers(tuple) || !is_integers(places) ||
            (!tuple->tuple.len && places->tuple.len))
        return rule_no_match(r, "It takes two tuples of integers.");
    size_t len = places->tuple.len;
    r->type = integers(len);
    if (!r->is_emitting)
        return true;
    struct ir_instr *from = rule_cast(r, r->args[0], integers(tuple->tuple.len));
    struct ir_instr *order = rule_cast(r, r->args[1], integers(len));
    struct ir_instr *items[64];
    for (size_t i = 0; i < len; i++)
        items[i] = choose(r, from, tuple->tuple.len, rule_tuple_get(r, order, i));
    r->value = rule_tuple(r, items, len);
    return true;
}

// tuple_full(n, value), n known from types; tuple_range(n, start) counts up
bool rule_library_tuple_full(struct rule *r)
{
    int64_t len;
    if (!rule_constant_int(r->args[0], &len) || len < 0 || len > 63)
        return rule_no_match(r, "The length must be known when the code is compiled.");
    r->type = integers((size_t)len);
    if (!r->is_emitting)
        return true;
    struct ir_instr *items[64];
    struct ir_instr *value = rule_cast(r, r->args[1], type_int64);
    for (int64_t i = 0; i < len; i++)
        items[i] = r->data ? rule_binary_op(r, BINARY_ADD, type_int64, value,
                                     rule_int(r, type_int64, i))
                           : value;
    r->value = rule_tuple(r, items, (size_t)len);
    return true;
}

// --- Memory

// strided(array, dtype, layout, offset, shape, strides): a view of its memory; strides
// None: dense
bool rule_library_strided(struct rule *r)
{
    const struct type *array = rule_arg_type(r, 0), *dtype = rule_dtype(r->args[1]);
    const struct type *shape = rule_arg_type(r, 4), *strides = rule_arg_type(r, 5);
    int64_t layout;
    if (array->kind != TYPE_ARRAY || !dtype || !rule_constant_int(r->args[2], &layout) ||
            !is_integers(shape) ||
            (strides != type_none &&
                    (!is_integers(strides) || shape->tuple.len != strides->tuple.len)))
        return rule_no_match(r, "It takes an array and a description of a view of it.");
    size_t ndim = shape->tuple.len;
    r->type = type_array_in(dtype, (int)ndim, (enum array_layout)layout,
            array->array.is_readonly, array->array.is_aligned,
            array->array.address_space);
    if (r->is_emitting) {
        struct ir_instr *operands[] = {rule_cast(r, r->args[0], array),
                rule_cast(r, r->args[3], type_int64),
                rule_cast(r, r->args[4], integers(ndim)), NULL};
        bool has_strides = strides != type_none;
        if (has_strides)
            operands[3] = rule_cast(r, r->args[5], integers(ndim));
        r->value = rule_primitive(
                r, PRIMITIVE_ARRAY_STRIDED, r->type, operands, has_strides ? 4 : 3);
    }
    return true;
}

static bool can_pass(const struct type *type)
{
    return type->kind == TYPE_ARRAY || type_is_number(type) || is_integers(type) ||
           type->kind == TYPE_POINTER;
}

static bool pass_to_library(struct rule *r, int passed_memory)
{
    const struct constant *name = rule_constant(r->args[0]);
    const struct constant *answer = rule_constant(r->args[1]);
    bool is_status = answer && answer->type == type_string;
    const struct type *result = is_status || r->args[1]->type == type_none
                                        ? type_none
                                        : rule_dtype(r->args[1]);
    if (!rule_library_on_host(r))
        return false;
    bool is_known = name && name->type == type_string && result;
    for (size_t i = 2; is_known && i < r->arg_count; i++)
        is_known = can_pass(rule_arg_type(r, i));
    if (!is_known)
        return rule_no_match(r, "It takes a symbol, a dtype, arrays and numbers.");
    r->type = result;
    if (!r->is_emitting)
        return true;
    struct ir_instr *operands[32] = {rule_value(r, r->args[0])};
    size_t count = 1;
    for (size_t i = 2; i < r->arg_count && count < 32; i++) {
        const struct type *type = rule_arg_type(r, i);
        const struct type *passed = is_integers(type) ? integers(type->tuple.len) : type;
        operands[count++] = rule_cast(r, r->args[i], passed);
    }
    r->value = rule_primitive(r, PRIMITIVE_EXTERNAL, result, operands, count);
    r->value->immediate = (is_status ? EXTERNAL_STATUS : 0) | passed_memory;
    return true;
}

// external("symbol", result dtype, None or "status", arguments...): arrays pass the
// address of their first item, tuples of integers that of a copy. By a status other than
// 0 the calling function fails.
bool rule_library_external(struct rule *r)
{
    return pass_to_library(r, 0);
}

// Likewise, but new arrays pass the counted memory that they fill.
bool rule_library_external_memory(struct rule *r)
{
    return pass_to_library(r, EXTERNAL_MEMORY);
}

// SPDX-License-Identifier: MIT
// What the library alone can say: questions about types that are answered when the code
// is compiled, arithmetic on tuples of integers, views by strides, and calls of C
// functions.
#include "compiler/typing/builtins.h"

#include <string.h>

static const struct type *described(const struct type *type)
{
    type = rule_value_type(type);
    bool has_element = type->kind == TYPE_ARRAY || type->kind == TYPE_CLASS;
    return has_element && type->element ? type->element : type;
}

static int64_t number_kind(const struct type *type)
{
    switch (type->kind) {
    case TYPE_BOOL:
        return 1;
    case TYPE_INT:
        return type->is_signed ? 2 : 3;
    case TYPE_FLOAT:
        return 4;
    case TYPE_COMPLEX:
        return 5;
    case TYPE_TIME:
        return 6;
    case TYPE_CELLS:
        return 7;
    case TYPE_RECORD:
        return 8;
    default:
        return 0;
    }
}

static int64_t form(const struct type *type)
{
    type = rule_value_type(type);
    switch (type->kind) {
    case TYPE_NONE:
        return 0;
    case TYPE_ARRAY:
        return 2;
    case TYPE_TUPLE:
        return 3;
    case TYPE_STRING:
    case TYPE_LITERAL:
        return 4;
    case TYPE_CLASS:
        return 5;
    case TYPE_SLICE:
        return 6;
    case TYPE_LIST:
        return 8;
    case TYPE_RANGE:
        return 9;
    default:
        return type_is_item(type) ? 1 : 7;
    }
}

// What a ufunc gives for no numbers at all; 2 where it has no such value.
static int64_t identity(const struct type *type)
{
    static const struct {
        const char *name;
        int value;
    } known[] = {{"numpy.add", 0}, {"numpy.multiply", 1}, {"numpy.bitwise_and", -1},
            {"numpy.bitwise_or", 0}, {"numpy.bitwise_xor", 0}, {"numpy.logical_and", 1},
            {"numpy.logical_or", 0}, {"numpy.logical_xor", 0}, {"numpy.hypot", 0},
            {"numpy.gcd", 0}};
    for (size_t i = 0; type->function && i < sizeof known / sizeof *known; i++)
        if (!strcmp(known[i].name, type->function))
            return known[i].value;
    return 2;
}

// How many dimensions the array has that is made of nested lists, tuples and arrays.
static int64_t nesting(const struct type *type)
{
    if (type->kind == TYPE_ARRAY)
        return type->array.ndim;
    if (type->kind == TYPE_LIST)
        return 1 + nesting(type->element);
    if (type->kind == TYPE_TUPLE)
        return 1 + (type->tuple.len ? nesting(type->tuple.items[0]) : 0);
    return 0;
}

bool library_describe(const char *question, const struct type *type, int64_t *out)
{
    if (!strcmp(question, "library.kind"))
        *out = number_kind(described(type));
    else if (!strcmp(question, "library.bits"))
        *out = described(type)->bits;
    else if (!strcmp(question, "library.form"))
        *out = form(type);
    else if (!strcmp(question, "library.layout"))
        *out = type->kind == TYPE_ARRAY ? (int64_t)type->array.layout : -1;
    else if (!strcmp(question, "library.nesting"))
        *out = nesting(type);
    else if (!strcmp(question, "library.identity"))
        *out = type->kind == TYPE_FUNCTION ? identity(type) : 2;
    else if (!strcmp(question, "library.is_span"))
        *out = described(type)->kind == TYPE_TIME && described(type)->time.is_delta;
    else if (!strcmp(question, "library.readonly"))
        *out = type->kind == TYPE_ARRAY && type->array.is_readonly;
    else
        return false;
    return true;
}

const char *library_on_device(const char *name)
{
    static const char *const others[][2] = {{"products.dot", "device.dot"},
            {"products.vdot", "device.vdot"}, {"products.matmul", "device.matmul"},
            {"axes.host_row_of", "device.row_of"}, {"views.flat", "device.items_of"},
            {"axes.var", "device.var"}, {"axes.std", "device.std"},
            {"statistics.nanvar", "device.nanvar"},
            {"statistics.nanstd", "device.nanstd"},
            {"statistics.median", "device.median"},
            {"statistics.nanmedian", "device.nanmedian"}};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(others[i][0], name))
            return others[i][1];
    return name;
}

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
    bool is_easy =
            r->in->target == TARGET_HOST && described(rule_arg_type(r, 0))->bits > 16;
    return rule_library(r, is_easy ? "reductions.host_sum" : "reductions.pairwise");
}

// The class of a number, or of the items of an array
bool rule_library_dtype(struct rule *r)
{
    const struct type *type = described(rule_arg_type(r, 0));
    if (type == type_int64 && rule_arg_type(r, 0)->kind == TYPE_LITERAL)
        type = type_bool;
    return rule_do_constant(
            r, (struct constant){.type = type_class(type), .instance = type});
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
    struct ir_function *callee =
            infer_callee(r->in, function->source, signature, r->instr->span);
    if (!callee)
        return false;
    if (!callee->returns)
        return true;
    const struct type *type = described(callee->returns);
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
// NULL when there is none.
static const struct type *promoted(const struct type *type, const struct type *other)
{
    if (other->kind == TYPE_TUPLE) {
        for (size_t i = 0; i < other->tuple.len; i++)
            if (!(type = promoted(type, other->tuple.items[i])))
                return NULL;
        return type;
    }
    if (other->kind == TYPE_LIST)
        return promoted(type, other->element);
    other = described(other);
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
        const struct type *dtype = rule_dtype(r->args[i]);
        type = promoted(type, dtype ? dtype : rule_arg_type(r, i));
        if (!type)
            return rule_no_match(r, "It takes dtypes, arrays and numbers. An array of "
                                    "texts needs a dtype that says how long: 'U5'.");
    }
    return rule_do_constant(
            r, (struct constant){.type = type_class(type), .instance = type});
}

// --- Lists where NumPy wants arrays

// A value of the type, for rules to look at while nothing is emitted.
struct ir_instr *rule_stand_in(struct rule *r, const struct type *type)
{
    struct ir_instr *value =
            ir_instr_create(r->in->function, IR_CALL_DIRECT, 0, r->instr->span);
    value->type = type;
    return value;
}

// Whether lists and tuples inside it end in numbers (or arrays).
static bool ends_in(const struct type *type, bool in_arrays)
{
    while (type &&
            (type->kind == TYPE_LIST || (type->kind == TYPE_TUPLE && type->tuple.len)))
        type = type->kind == TYPE_LIST ? type->element : type->tuple.items[0];
    type = type ? rule_value_type(type) : NULL;
    return type && (type_is_item(type) || (in_arrays && type->kind == TYPE_ARRAY));
}

// The array of a list or tuple (nested, of numbers or arrays); NULL with an error, or
// without one while its type is not known.
static struct ir_instr *array_of(struct rule *r, struct ir_instr *items)
{
    struct rule inner = *r;
    inner.args = &items;
    inner.arg_count = 1;
    inner.value = inner.out = NULL;
    inner.type = NULL;
    if (!rule_library(&inner, "shapes.array") || !inner.type)
        return NULL;
    return r->is_emitting ? inner.value : rule_stand_in(r, inner.type);
}

// Makes an array of the argument where it is a list of numbers, or of arrays if wanted.
// False with an error, or without one while its type is not known.
bool rule_array_of_list(struct rule *r, size_t i, bool of_arrays)
{
    return !rule_has_arg(r, i) || rule_arg_type(r, i)->kind != TYPE_LIST ||
           rule_array_of_items(r, i, of_arrays);
}

static bool replace_by_array(struct rule *r, size_t i)
{
    struct ir_instr *array = array_of(r, r->args[i]);
    if (!array)
        return false;
    struct ir_instr **args =
            arena_array(&r->in->function->arena, struct ir_instr *, r->arg_count + 24);
    memcpy(args, r->args, r->arg_count * sizeof *args);
    args[i] = array;
    r->args = args;
    return true;
}

// The same where it is a list or a tuple.
bool rule_array_of_items(struct rule *r, size_t i, bool of_arrays)
{
    const struct type *type = rule_arg_type(r, i);
    bool has_items = type->kind == TYPE_LIST || type->kind == TYPE_TUPLE;
    return !has_items || !ends_in(type, of_arrays) || replace_by_array(r, i);
}

// The same where it is a number.
bool rule_array_of_number(struct rule *r, size_t i)
{
    return !type_is_item(rule_arg_type(r, i)) || replace_by_array(r, i);
}

// Makes arrays of the lists and tuples in a tuple.
bool rule_arrays_in_tuple(struct rule *r, size_t i, bool of_arrays)
{
    const struct type *tuple = rule_arg_type(r, i);
    struct arena *arena = &r->in->function->arena;
    size_t len = tuple->tuple.len;
    const struct type **types = arena_array(arena, const struct type *, len + 1);
    struct ir_instr **items = arena_array(arena, struct ir_instr *, len + 1);
    bool has_changed = false;
    for (size_t k = 0; k < len; k++) {
        items[k] = r->is_emitting ? rule_tuple_get(r, r->args[i], k)
                                  : rule_stand_in(r, tuple->tuple.items[k]);
        struct rule inner = *r;
        inner.args = &items[k];
        inner.arg_count = 1;
        if (!rule_array_of_items(&inner, 0, of_arrays))
            return false;
        has_changed = has_changed || inner.args[0] != items[k];
        items[k] = inner.args[0];
        types[k] = items[k]->type;
    }
    if (!has_changed)
        return true;
    struct ir_instr **args = arena_array(arena, struct ir_instr *, r->arg_count + 24);
    memcpy(args, r->args, r->arg_count * sizeof *args);
    args[i] = r->is_emitting ? rule_tuple(r, items, len)
                             : rule_stand_in(r, type_tuple(types, len));
    r->args = args;
    return true;
}

// Makes arrays of the lists and tuples in an index.
bool rule_arrays_in_index(struct rule *r)
{
    return rule_arg_type(r, 1)->kind == TYPE_TUPLE ? rule_arrays_in_tuple(r, 1, false)
                                                   : rule_array_of_list(r, 1, false);
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

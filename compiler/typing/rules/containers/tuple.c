// SPDX-License-Identifier: MIT
// Tuples, whose lengths are known while compiling: joined, repeated, indexed, sliced.

#include <assert.h>
#include <string.h>

#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/containers/container.h"
#include "compiler/typing/rules/containers/objects.h"

// The tuple of these items of the two arguments: counted through both, from 0 on.
static bool make_tuple(struct rule *r, const size_t *places, size_t count)
{
    struct arena *arena = &r->in->function->arena;
    const struct type *a = rule_arg_type(r, 0);
    size_t first = a->kind == TYPE_TUPLE ? a->tuple.len : 0;
    const struct type **types = arena_array(arena, const struct type *, count + 1);
    for (size_t i = 0; i < count; i++)
        types[i] = places[i] < first
                           ? a->tuple.items[places[i]]
                           : rule_arg_type(r, 1)->tuple.items[places[i] - first];
    r->type = type_tuple(types, count);
    if (!r->is_emitting)
        return true;
    struct ir_instr **items = arena_array(arena, struct ir_instr *, count + 1);
    for (size_t i = 0; i < count; i++)
        items[i] = places[i] < first ? rule_tuple_get(r, r->args[0], places[i])
                                     : rule_tuple_get(r, r->args[1], places[i] - first);
    r->value = rule_tuple(r, items, count);
    return true;
}

bool rule_tuple_add(struct rule *r)
{
    assert(rule_arg_type(r, 0)->kind == TYPE_TUPLE &&
            rule_arg_type(r, 1)->kind == TYPE_TUPLE);
    size_t count = rule_arg_type(r, 0)->tuple.len + rule_arg_type(r, 1)->tuple.len;
    size_t *places = arena_array(&r->in->function->arena, size_t, count + 1);
    for (size_t i = 0; i < count; i++)
        places[i] = i;
    return make_tuple(r, places, count);
}

enum { MOST_ITEMS = 4096 }; // of a repeated tuple: each is a value of its own

bool rule_tuple_repeat(struct rule *r)
{
    assert(rule_arg_type(r, 0)->kind == TYPE_TUPLE ||
            rule_arg_type(r, 1)->kind == TYPE_TUPLE);
    bool is_left = rule_arg_type(r, 0)->kind == TYPE_TUPLE;
    int64_t times;
    if (!rule_constant_int(r->args[is_left], &times))
        return rule_no_match(
                r, "A tuple is repeated a number of times that is a literal.");
    int64_t len = (int64_t)rule_arg_type(r, !is_left)->tuple.len;
    times = times < 0 ? 0 : times;
    if (len && times > MOST_ITEMS / len)
        return rule_no_match(r, "The tuple would be too long: use a list or an array.");
    size_t count = (size_t)(len * times);
    size_t *places = arena_array(&r->in->function->arena, size_t, count + 1);
    for (size_t i = 0; i < count; i++)
        places[i] = i % (size_t)len;
    return make_tuple(r, places, count);
}

// --- Slices

static bool slice_tuple(struct rule *r, const struct type *tuple)
{
    int64_t len = (int64_t)tuple->tuple.len, start, stop, step;
    if (!rule_constant_slice(r->args[1], len, &start, &stop, &step))
        return rule_no_match(r, "A tuple is sliced by literals.");
    size_t *places = arena_array(&r->in->function->arena, size_t, (size_t)len + 1);
    size_t count = 0;
    for (int64_t i = start; step > 0 ? i < stop : i > stop; i += step) {
        places[count++] = (size_t)i;
        if (step > len || step < -len)
            break;
    }
    return make_tuple(r, places, count);
}

// --- Items

static bool get_literal_item(struct rule *r, const struct type *tuple, int64_t position)
{
    int64_t len = (int64_t)tuple->tuple.len;
    if (position < -len || position >= len)
        return rule_fail(r, ERROR_TYPING, "tuple index out of range: %lld of %lld items",
                (long long)position, (long long)len);
    size_t i = (size_t)(position < 0 ? position + len : position);
    r->type = tuple->tuple.items[i];
    if (r->is_emitting)
        r->value = rule_tuple_get(r, r->args[0], i);
    return true;
}

// The item at a position from `start` to below `end`: a tree of choices. One after the
// other they would be a chain as long as the tuple, which LLVM takes the square of its
// length to go over.
static struct ir_instr *emit_item_between(
        struct rule *r, struct ir_instr *position, size_t start, size_t end)
{
    if (end - start == 1)
        return rule_cast(r, rule_tuple_get(r, r->args[0], start), r->type);
    size_t middle = start + (end - start) / 2;
    struct ir_instr *is_before = rule_compare_op(
            r, COMPARE_LT, position, rule_int(r, type_int64, (int64_t)middle));
    struct ir_instr *operands[] = {is_before,
            emit_item_between(r, position, start, middle),
            emit_item_between(r, position, middle, end)};
    return rule_primitive(r, PRIMITIVE_SELECT, r->type, operands, 3);
}

// --- Long tuples of constant numbers

enum { LONG_TUPLE = 8 };

static const struct constant *constant_item(const struct ir_instr *tuple, size_t i)
{
    const struct constant *constant = rule_constant(tuple);
    if (constant)
        return &constant->tuple.items[i];
    return tuple->op == IR_BUILD_TUPLE && !tuple->call.is_starred
                   ? rule_constant(tuple->operands[i])
                   : NULL;
}

// In little-endian order, as all targets have it.
static size_t write_item(char *out, const struct constant *item)
{
    float single = (float)item->real;
    size_t size = item->type == type_bool ? 1 : (size_t)item->type->bits / 8;
    if (item->type->kind != TYPE_FLOAT)
        memcpy(out, &item->integer, size);
    else if (size == sizeof single)
        memcpy(out, &single, size);
    else
        memcpy(out, &item->real, size);
    return size;
}

static bool has_plain_items(const struct type *item)
{
    return item == type_bool || item->kind == TYPE_INT || item == type_float32 ||
           item == type_float64;
}

// A constant array of the tuple's items, if they are constants and many; or NULL. Then an
// item costs one load rather than a comparison with each position.
static struct ir_instr *constant_array(struct rule *r, size_t len)
{
    struct arena *arena = &r->in->function->arena;
    if (len < LONG_TUPLE || !has_plain_items(r->type))
        return NULL;
    char *bytes = arena_alloc(arena, len * sizeof(int64_t));
    int64_t *shape = arena_new(arena, int64_t);
    *shape = (int64_t)len;
    struct constant_array array = {.data = bytes, .shape = shape};
    for (size_t i = 0; i < len; i++) {
        const struct constant *item = constant_item(r->args[0], i);
        if (!item || item->type != r->type)
            return NULL;
        array.size_bytes += write_item(bytes + array.size_bytes, item);
    }
    const struct type *type = type_array(r->type, 1, LAYOUT_C, true);
    return rule_constant_of(r, type, (struct constant){.type = type, .array = array});
}

// Index computed at run time: chooses among the items, which have one type.
static struct ir_instr *emit_choice(struct rule *r, const struct type *tuple)
{
    struct ir_instr *position = rule_cast(r, r->args[1], type_int64);
    size_t len = tuple->tuple.len;
    position = rule_primitive(r, PRIMITIVE_TUPLE_INDEX, type_int64, &position, 1);
    position->immediate = (int)len;
    struct ir_instr *array = constant_array(r, len);
    if (array)
        return rule_primitive(r, PRIMITIVE_ARRAY_LOAD, r->type,
                (struct ir_instr *[]){array, position}, 2);
    return emit_item_between(r, position, 0, len);
}

// The type of function values that the items of a tuple are, or can become; or NULL.
static const struct type *common_function(const struct type *tuple)
{
    const struct type *common = tuple->tuple.len ? tuple->tuple.items[0] : NULL;
    for (size_t i = 1; common && i < tuple->tuple.len; i++)
        common = type_unify(common, tuple->tuple.items[i]);
    return common && common->kind == TYPE_CALLABLE ? common : NULL;
}

bool rule_tuple_item(struct rule *r)
{
    assert(rule_arg_type(r, 0)->kind == TYPE_TUPLE);
    const struct type *tuple = rule_arg_type(r, 0);
    int64_t position;
    const struct type *type = rule_arg_type(r, 1);
    int place = rule_mixed_dict_place(tuple, r->args[1]);
    if (place >= 0)
        return get_literal_item(r, tuple, place);
    if (type->kind == TYPE_SLICE)
        return slice_tuple(r, tuple);
    if (!type_is_integer(type))
        return rule_no_match(r, "A tuple is indexed by an integer.");
    if (rule_constant_int(r->args[1], &position))
        return get_literal_item(r, tuple, position);
    r->type = tuple->tuple.len ? type_iterated(tuple) : NULL;
    if (!r->type && rule_is_functions(tuple))
        return rule_choose(r, tuple);
    if (!r->type)
        r->type = common_function(tuple);
    if (!r->type)
        return rule_no_match(
                r, "A tuple with items of different types is indexed by literals only.");
    if (r->is_emitting)
        r->value = emit_choice(r, tuple);
    return true;
}

// --- Displays of items of several types

static const char *literal_key(const struct ir_instr *key)
{
    const struct constant *text = rule_constant(key);
    return text && text->type == type_string ? text->string.text : NULL;
}

bool rule_is_mixed_display(struct rule *r, enum ir_op op)
{
    size_t step = op == IR_BUILD_DICT ? 2 : 1;
    const struct type *known = NULL;
    bool is_mixed = false;
    if (op == IR_BUILD_SET)
        return false;
    for (size_t i = 0; i < r->arg_count; i += step) {
        const struct type *type = r->args[i + step - 1]->type;
        if (type_is_incomplete(type) || (step == 2 && !literal_key(r->args[i])))
            return false;
        known = is_mixed ? NULL : known ? type_unify(known, type) : type;
        is_mixed = !known;
    }
    return is_mixed;
}

bool rule_mixed_display(struct rule *r, enum ir_op op)
{
    struct arena *arena = &r->in->function->arena;
    size_t step = op == IR_BUILD_DICT ? 2 : 1, count = r->arg_count / step;
    const struct type **types = arena_array(arena, const struct type *, count);
    const char **names = arena_array(arena, const char *, count);
    struct ir_instr **items = arena_array(arena, struct ir_instr *, count);
    struct str class_name = {0};
    str_append(&class_name, step == 2 ? MIXED_DICT : MIXED_LIST);
    for (size_t i = 0; i < count; i++) {
        items[i] = r->args[i * step + step - 1];
        types[i] = items[i]->type;
        names[i] = step == 2 ? literal_key(r->args[i * step]) : "[]";
        if (step == 2)
            str_printf(&class_name, "%s%s", i ? "," : "", names[i]);
    }
    str_append(&class_name, step == 2 ? "]" : "");
    r->type = type_named_tuple(types, names, count, str_text(&class_name), NULL, NULL);
    str_finish(&class_name);
    if (r->is_emitting)
        r->value = rule_emit(r, IR_BUILD_TUPLE, r->type, items, count);
    return true;
}

int rule_mixed_dict_place(const struct type *dict, struct ir_instr *key)
{
    const char *name = literal_key(key);
    return name && rule_is_mixed_dict(dict) ? rule_named_item(dict, name) : -1;
}

static struct ir_instr *emit_key(struct rule *r, const struct type *dict, size_t i)
{
    const char *name = dict->tuple.names[i];
    struct constant key = {.type = type_string};
    key.string.text = name;
    key.string.len = strlen(name);
    return rule_constant_of(r, type_string, key);
}

struct ir_instr *rule_mixed_dict_emit_keys(struct rule *r, const struct type *dict)
{
    assert(rule_is_mixed_dict(dict) && dict->tuple.len <= MIXED_DICT_KEYS);
    struct ir_instr *keys[MIXED_DICT_KEYS];
    for (size_t i = 0; i < dict->tuple.len; i++)
        keys[i] = emit_key(r, dict, i);
    return rule_tuple(r, keys, dict->tuple.len);
}

static bool is_mixed_list(const struct type *type)
{
    return type->kind == TYPE_TUPLE && !type->tuple.class_object &&
           str_starts_with(type->name, MIXED_LIST);
}

// copy(): nothing changes such a dict or list, so that it is its own copy
static bool mixed_copy(struct rule *r)
{
    if (r->arg_count)
        return rule_no_match(r, "It takes no arguments.");
    r->type = r->receiver->type;
    r->value = r->is_emitting ? rule_value(r, r->receiver) : NULL;
    return true;
}

// keys(), values(), items(): tuples
static bool mixed_dict_parts(struct rule *r, const struct type *dict)
{
    bool is_keys = !strcmp(r->name, "keys"), is_items = !strcmp(r->name, "items");
    const struct type *types[MIXED_DICT_KEYS];
    struct ir_instr *parts[MIXED_DICT_KEYS];
    if (r->arg_count || dict->tuple.len > MIXED_DICT_KEYS)
        return rule_no_match(r, "It takes no arguments.");
    for (size_t i = 0; i < dict->tuple.len; i++) {
        const struct type *pair[] = {type_string, dict->tuple.items[i]};
        types[i] = is_keys ? type_string : is_items ? type_tuple(pair, 2) : pair[1];
    }
    r->type = type_tuple(types, dict->tuple.len);
    for (size_t i = 0; r->is_emitting && i < dict->tuple.len; i++) {
        struct ir_instr *key = emit_key(r, dict, i);
        struct ir_instr *both[] = {key, rule_tuple_get(r, r->receiver, i)};
        parts[i] = is_keys ? key : is_items ? rule_tuple(r, both, 2) : both[1];
    }
    r->value = r->is_emitting ? rule_tuple(r, parts, dict->tuple.len) : NULL;
    return true;
}

bool rule_tuple_has_method(const struct type *type, const char *name)
{
    if (rule_is_mixed_dict(type))
        return !strcmp(name, "keys") || !strcmp(name, "values") ||
               !strcmp(name, "items") || !strcmp(name, "copy");
    if (is_mixed_list(type) && !strcmp(name, "copy"))
        return true;
    return type->kind == TYPE_TUPLE && (!strcmp(name, "index") || !strcmp(name, "count"));
}

bool rule_tuple_method(struct rule *r, const struct type *type)
{
    assert(type->kind == TYPE_TUPLE);
    if (!strcmp(r->name, "copy"))
        return mixed_copy(r);
    if (rule_is_mixed_dict(type))
        return mixed_dict_parts(r, type);
    return rule_builtin_method(
            r, !strcmp(r->name, "index") ? "tuple.index" : "tuple.count");
}

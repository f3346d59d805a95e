// SPDX-License-Identifier: MIT
// Indexing by arrays of integers and by masks, mixed with integers, slices, ... and new
// axes: the basic parts become a view, the library does the rest.
#include <assert.h>

#include "compiler/typing/infer/infer.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/arrays/arrays.h"
#include "compiler/typing/rules/text/text.h"

enum { MAX_PARTS = 64 };

struct fancy {
    const struct type *array;
    struct ir_instr *value;
    bool is_tuple;
    size_t part_count;
    size_t missing;           // axes that no part names
    int64_t order[MAX_PARTS]; // axes of the view: those that arrays index, then the
                              // others
    int64_t others[MAX_PARTS];
    int64_t axes[MAX_PARTS]; // of the array, that arrays index: as messages name them
    size_t named, kept;      // how many of each
    size_t before;           // kept axes that come before those of the index arrays
    size_t arrays;           // parts that are arrays
    size_t basic;            // integers, slices, truths and new axes among the parts
    bool has_ellipsis;
};

// True or False: a mask without axes, which stands for a new axis and a mask of one item.
static bool is_truth(const struct type *type)
{
    return type == type_bool || (type->kind == TYPE_ARRAY && !type->array.ndim &&
                                        type->element->kind == TYPE_BOOL);
}

static const struct type *truth_type(void)
{
    return type_array(type_bool, 1, LAYOUT_C, false);
}

static const struct type *part_type(const struct fancy *fancy, size_t part)
{
    return rule_value_type(
            fancy->is_tuple ? fancy->value->type->tuple.items[part] : fancy->value->type);
}

static bool is_index_array(const struct type *type)
{
    return is_truth(type) || (type->kind == TYPE_ARRAY && type_is_integer(type->element));
}

static size_t axes_named(const struct type *type)
{
    if (type->kind == TYPE_ARRAY && type->element->kind == TYPE_BOOL)
        return (size_t)type->array.ndim;
    return type != type_ellipsis && type != type_none && !is_truth(type);
}

bool rule_is_fancy(const struct rule *r)
{
    const struct type *type = rule_arg_type(r, 1);
    if (type->kind != TYPE_TUPLE)
        return is_index_array(type);
    for (size_t i = 0; i < type->tuple.len; i++)
        if (is_index_array(rule_value_type(type->tuple.items[i])))
            return true;
    return false;
}

static bool check_part(struct rule *r, const struct type *type)
{
    if (is_index_array(type) || type->kind == TYPE_INT || type->kind == TYPE_SLICE ||
            type == type_none || type == type_ellipsis)
        return true;
    return rule_no_match(r,
            "An array is indexed by integers, slices, ..., None, arrays of integers and "
            "masks.");
}

// Counts the axes that the parts name, and what an ellipsis or the end stands for.
static bool measure(struct rule *r, struct fancy *fancy)
{
    size_t named = 0, ellipses = 0;
    fancy->array = rule_arg_type(r, 0);
    fancy->value = r->args[1];
    fancy->is_tuple = rule_value_type(fancy->value->type)->kind == TYPE_TUPLE;
    fancy->part_count = fancy->is_tuple ? fancy->value->type->tuple.len : 1;
    for (size_t i = 0; i < fancy->part_count; i++) {
        if (!check_part(r, part_type(fancy, i)))
            return false;
        named += axes_named(part_type(fancy, i));
        ellipses += part_type(fancy, i) == type_ellipsis;
    }
    if (ellipses > 1)
        return rule_fail(
                r, ERROR_TYPING, "Only one ellipsis (...) is allowed in an index");
    if (named > (size_t)fancy->array->array.ndim || fancy->part_count > MAX_PARTS / 2)
        return rule_fail(r, ERROR_TYPING, "cannot index %s with %zu indices: %s",
                fancy->array->name, named, fancy->value->type->name);
    fancy->has_ellipsis = ellipses > 0;
    fancy->missing = (size_t)fancy->array->array.ndim - named;
    return true;
}

static void keep_axes(struct fancy *fancy, size_t *axis, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fancy->others[fancy->kept++] = (int64_t)(*axis)++;
}

// Finds the axes of the view. Index arrays and integers that are not side by side put the
// axes of the arrays first.
static void place_axes(struct fancy *fancy)
{
    size_t axis = 0, missing = fancy->missing, own = 0; // own: of the array itself
    enum { BEFORE, INSIDE, AFTER, APART } state = BEFORE;
    for (size_t i = 0; i < fancy->part_count; i++) {
        const struct type *type = part_type(fancy, i);
        bool is_array = type->kind == TYPE_ARRAY || is_truth(type);
        bool is_advanced = is_array || type->kind == TYPE_INT;
        if (is_advanced && state == BEFORE) {
            fancy->before = fancy->kept;
            state = INSIDE;
        } else if (is_advanced && state == AFTER) {
            state = APART;
        } else if (!is_advanced && state == INSIDE) {
            state = AFTER;
        }
        fancy->arrays += is_array;
        fancy->basic += (!is_array && type != type_ellipsis) || is_truth(type);
        if (is_array)
            for (size_t k = 0; k < axes_named(type) + is_truth(type); k++) {
                fancy->axes[fancy->named] = (int64_t)(own + k);
                fancy->order[fancy->named++] = (int64_t)axis++;
            }
        else if (type == type_ellipsis)
            keep_axes(fancy, &axis, missing);
        else if (!is_advanced)
            keep_axes(fancy, &axis, 1);
        own += type == type_ellipsis ? missing : axes_named(type);
        missing = type == type_ellipsis ? 0 : missing;
    }
    keep_axes(fancy, &axis, missing);
    if (state == APART)
        fancy->before = 0;
    for (size_t i = 0; i < fancy->kept; i++)
        fancy->order[fancy->named + i] = fancy->others[i];
}

// --- What the library is called with: view, order of its axes, arrays, axes before them

static const struct type *view_type(const struct fancy *fancy)
{
    if (!fancy->basic)
        return fancy->array;
    return type_array_in(fancy->array->element, (int)(fancy->named + fancy->kept),
            LAYOUT_A, fancy->array->array.is_readonly, fancy->array->array.is_aligned,
            fancy->array->array.address_space);
}

static const struct type *integers(size_t len)
{
    const struct type *items[MAX_PARTS];
    for (size_t i = 0; i < len; i++)
        items[i] = type_int64;
    return type_tuple(items, len);
}

static const struct type *arrays_type(const struct fancy *fancy)
{
    const struct type *items[MAX_PARTS];
    size_t count = 0;
    for (size_t i = 0; i < fancy->part_count; i++)
        if (is_truth(part_type(fancy, i)))
            items[count++] = truth_type();
        else if (part_type(fancy, i)->kind == TYPE_ARRAY)
            items[count++] = part_type(fancy, i);
    return type_tuple(items, count);
}

static struct ir_instr *part_value(struct rule *r, const struct fancy *fancy, size_t part)
{
    return fancy->is_tuple ? rule_tuple_get(r, fancy->value, part)
                           : rule_value(r, fancy->value);
}

static struct ir_instr *full_slice(struct rule *r)
{
    struct ir_instr *none = rule_none(r);
    struct ir_instr *bounds[] = {none, none, none};
    return rule_primitive(r, PRIMITIVE_SLICE, type_slice2, bounds, 3);
}

static struct ir_instr *emit_view(struct rule *r, const struct fancy *fancy)
{
    struct ir_instr *operands[2 * MAX_PARTS] = {rule_cast(r, r->args[0], fancy->array)};
    size_t count = 1, missing = fancy->missing;
    for (size_t i = 0; i < fancy->part_count; i++) {
        const struct type *type = part_type(fancy, i);
        bool is_whole =
                (type->kind == TYPE_ARRAY && !is_truth(type)) || type == type_ellipsis;
        size_t axes = type == type_ellipsis ? missing : axes_named(type);
        missing = type == type_ellipsis ? 0 : missing;
        for (size_t k = 0; is_whole && k < axes; k++)
            operands[count++] = full_slice(r);
        if (type == type_none || is_truth(type))
            operands[count++] = rule_none(r);
        else if (type->kind == TYPE_INT)
            operands[count++] = rule_cast(r, part_value(r, fancy, i),
                    type == type_uint64 ? type_uint64 : type_int64);
        else if (!is_whole)
            operands[count++] = part_value(r, fancy, i);
    }
    for (size_t k = 0; k < missing; k++)
        operands[count++] = full_slice(r);
    return fancy->basic ? rule_primitive(r, PRIMITIVE_ARRAY_VIEW, view_type(fancy),
                                  operands, count)
                        : operands[0];
}

static struct ir_instr *emit_integers(struct rule *r, const int64_t *numbers, size_t len)
{
    struct ir_instr *items[MAX_PARTS];
    for (size_t i = 0; i < len; i++)
        items[i] = rule_int(r, type_int64, numbers ? numbers[i] : 0);
    return rule_tuple(r, items, len);
}

static struct ir_instr *emit_truth(struct rule *r, struct ir_instr *value)
{
    struct ir_instr *operands[] = {rule_int(r, type_int64, 1)};
    struct ir_instr *shape = rule_tuple(r, operands, 1);
    struct ir_instr *mask =
            rule_primitive(r, PRIMITIVE_ARRAY_EMPTY, truth_type(), &shape, 1);
    const struct type *type = rule_value_type(value->type);
    value = rule_cast(r, value, type);
    if (type->kind == TYPE_ARRAY)
        value = rule_primitive(r, PRIMITIVE_ARRAY_LOAD, type_bool, &value, 1);
    struct ir_instr *fill[] = {mask, value};
    rule_primitive(r, PRIMITIVE_ARRAY_FILL, type_none, fill, 2);
    return mask;
}

static struct ir_instr *emit_arrays(struct rule *r, const struct fancy *fancy)
{
    struct ir_instr *items[MAX_PARTS];
    size_t count = 0;
    for (size_t i = 0; i < fancy->part_count; i++)
        if (is_truth(part_type(fancy, i)))
            items[count++] = emit_truth(r, part_value(r, fancy, i));
        else if (part_type(fancy, i)->kind == TYPE_ARRAY)
            items[count++] = rule_cast(r, part_value(r, fancy, i), part_type(fancy, i));
    return rule_tuple(r, items, count);
}

// Calls indexing.get, or indexing.set with the value.
static bool call_indexing(struct rule *r, struct fancy *fancy, const struct type *value)
{
    struct source *source = infer_library(r->in, value ? "indexing.set" : "indexing.get");
    if (!source)
        return false;
    if (r->in->target != TARGET_HOST)
        return rule_no_match(r, "CUDA code indexes by integers and slices.");
    const struct type *params[] = {view_type(fancy), integers(fancy->named + fancy->kept),
            arrays_type(fancy), integers(fancy->before), integers(fancy->named), value};
    size_t count = value ? 6 : 5;
    struct signature signature = {.params = params, .param_count = count};
    struct ir_function *callee = rule_library_callee(r, source, signature);
    if (!callee)
        return false;
    r->type = value ? type_none : callee->returns;
    if (!r->is_emitting)
        return true;
    struct ir_instr *operands[] = {emit_view(r, fancy),
            emit_integers(r, fancy->order, fancy->named + fancy->kept),
            emit_arrays(r, fancy), emit_integers(r, NULL, fancy->before),
            emit_integers(r, fancy->axes, fancy->named),
            value ? rule_cast(r, r->args[2], value) : NULL};
    struct ir_instr *call =
            rule_emit(r, IR_CALL_DIRECT, callee->returns, operands, count);
    call->callee = callee;
    r->value = value ? NULL : call;
    return true;
}

// An array without axes is its item, where the index names all axes.
static void load_item(struct rule *r, const struct fancy *fancy)
{
    if (!r->type || r->type->array.ndim || fancy->has_ellipsis ||
            r->type->element->kind == TYPE_RECORD)
        return;
    r->type = r->type->element;
    if (r->is_emitting)
        r->value = rule_primitive(r, PRIMITIVE_ARRAY_LOAD, r->type, &r->value, 1);
}

bool rule_fancy_get(struct rule *r)
{
    assert(rule_is_fancy(r));
    struct fancy fancy = {0};
    if (!measure(r, &fancy))
        return false;
    place_axes(&fancy);
    if (!call_indexing(r, &fancy, NULL))
        return false;
    load_item(r, &fancy);
    return true;
}

bool rule_fancy_set(struct rule *r)
{
    assert(rule_is_fancy(r));
    struct fancy fancy = {0};
    const struct type *value = rule_arg_type(r, 2);
    const struct type *item = value->kind == TYPE_ARRAY ? value->element : value;
    if (!measure(r, &fancy))
        return false;
    bool is_same = item == fancy.array->element || rule_takes_text(r, fancy.array, item);
    if (!is_same && (!type_is_item(item) ||
                            type_conversion(item, fancy.array->element) == CONVERT_NEVER))
        return rule_no_match(r, "The value cannot be converted to the array's dtype.");
    place_axes(&fancy);
    return call_indexing(r, &fancy, value);
}

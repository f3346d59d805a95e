// SPDX-License-Identifier: MIT
// Lists where NumPy's functions take tuples: np.zeros([2, 3]), np.roll(a, [1, 2], [0,
// 1]). A display that nothing but such calls reads stands for the tuple of its items. And
// lists where they take arrays.

#include <string.h>

#include "compiler/typing/infer/infer.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/arrays/arrays.h"

enum { MOST_STORED = 9, MOST_NESTED = 3 }; // numbers of a display, stored one by one

// Whether the call leaves a list among its arguments as it is, and does not keep it.
static bool only_reads(const struct ir_instr *user)
{
    if (user->op == IR_BUILD_LIST || user->op == IR_BUILD_TUPLE)
        return !user->call.is_starred;
    if (user->op != IR_CALL)
        return false;
    const struct ir_instr *callee = user->operands[0];
    const struct type *type = callee->type;
    if (!type && callee->op == IR_CONST && callee->origin) // not looked at yet
        return str_starts_with(callee->origin, "np.") ||
               str_starts_with(callee->origin, "numpy.");
    if (type && type->kind == TYPE_FUNCTION && type->function)
        return str_starts_with(type->function, "numpy.") &&
               !strstr(type->function, "shuffle");
    return callee->op == IR_GETATTR && callee->operands[0]->type &&
           rule_value_type(callee->operands[0]->type)->kind == TYPE_ARRAY;
}

static bool is_only_read(const struct ir_function *function, const struct ir_instr *list)
{
    vec_each (block, &function->blocks)
        ir_each_instr(instr, *block)
        {
            for (size_t i = 0; i < instr->operand_count; i++)
                if (instr->operands[i] == list && !only_reads(instr))
                    return false;
        }
    return true;
}

static bool is_display(const struct rule *r, const struct ir_instr *value)
{
    return value && value->op == IR_BUILD_LIST && value->type &&
           value->type->kind == TYPE_LIST && !value->call.is_starred &&
           value->operand_count && value->operand_count < 64 &&
           !type_is_incomplete(value->type) && is_only_read(r->in->function, value);
}

// The display that an item of a tuple was written as: the tuple has the list that was
// made of it once it is resolved.
static struct ir_instr *as_written(const struct rule *r, struct ir_instr *item)
{
    const struct infer *in = r->in;
    if (!r->is_emitting || item->op == IR_BUILD_LIST || item->type->kind != TYPE_LIST)
        return item;
    vec_each (block, &in->function->blocks)
        ir_each_instr(instr, *block) if (instr->id < in->value_count &&
                                         in->values[instr->id] == item) return instr;
    return item;
}

// Whether it is a tuple put together here, with displays in it: axes=([0], [1]).
static bool holds_display(const struct rule *r, const struct ir_instr *value)
{
    if (value->op != IR_BUILD_TUPLE || !value->type || value->type->kind != TYPE_TUPLE ||
            value->call.is_starred)
        return false;
    for (size_t i = 0; i < value->operand_count; i++)
        if (is_display(r, as_written(r, value->operands[i])))
            return true;
    return false;
}

// The tuple of a display's items, of displays in it, too.
static struct ir_instr *tuple_of(struct rule *r, struct ir_instr *list)
{
    struct arena *arena = &r->in->function->arena;
    size_t count = list->operand_count;
    struct ir_instr **items = arena_array(arena, struct ir_instr *, count);
    const struct type **types = arena_array(arena, const struct type *, count);
    for (size_t i = 0; i < count; i++) {
        struct ir_instr *item = as_written(r, list->operands[i]);
        items[i] = is_display(r, item) ? tuple_of(r, item)
                   : r->is_emitting    ? rule_value(r, item)
                                       : item;
        types[i] = items[i]->type;
    }
    return r->is_emitting ? rule_tuple(r, items, count)
                          : rule_stand_in(r, type_tuple(types, count));
}

bool rule_tuple_of_list(struct rule *r, size_t i)
{
    if (r->in->source->options.is_library || !rule_has_arg(r, i) ||
            !(is_display(r, r->args[i]) || holds_display(r, r->args[i])))
        return false;
    rule_replace_arg(r, i, tuple_of(r, r->args[i]));
    return true;
}

// Whether NumPy takes a tuple for the parameter: a shape, axes, a list of arrays.
static bool takes_tuple(const struct rule *r, const char *params, size_t i)
{
    bool has_axes = !strcmp(r->name, "roll") || !strcmp(r->name, "flip") ||
                    !strcmp(r->name, "expand_dims");
    static const char names[] = "shape newshape new_shape axes source destination "
                                "shift reps dims dimensions pad_width constant_values "
                                "end_values stat_length window_shape strides multi_index "
                                "size funclist range";
    const char *param = words_from(params, i);
    size_t len = strcspn(param, " ");
    return (has_axes && words_have("axis", param, len)) || words_have(names, param, len);
}

static bool is_nested(const struct rule *r, size_t i)
{
    const struct type *type = rule_has_arg(r, i) ? rule_arg_type(r, i) : NULL;
    return type && type->kind == TYPE_LIST && type->element &&
           type->element->kind == TYPE_LIST;
}

// Lists of lists of different lengths, and those that go with a tuple.
static void convert_partners(struct rule *r)
{
    bool is_pieces = !strcmp(r->name, "piecewise"),
         is_select = !strcmp(r->name, "select");
    size_t last = is_pieces ? 2 : 1;
    bool is_mixed = (is_pieces || is_select) && rule_has_arg(r, last) &&
                    rule_arg_type(r, last)->kind == TYPE_TUPLE;
    bool joins = !strcmp(r->name, "concatenate") || !strcmp(r->name, "hstack");
    if (is_mixed)
        rule_tuple_of_list(r, last - 1);
    else if (joins && is_nested(r, 0))
        rule_tuple_of_list(r, 0);
    else if (!strcmp(r->name, "histogram2d") && is_nested(r, 2))
        rule_tuple_of_list(r, 2);
}

void rule_tuples_of_lists(struct rule *r, const char *params)
{
    for (size_t i = 0; i < r->arg_count; i++)
        if (takes_tuple(r, params, i))
            rule_tuple_of_list(r, i);
    convert_partners(r);
}

static bool has_other_user(const struct rule *r, const struct ir_instr *list)
{
    vec_each (block, &r->in->function->blocks)
        ir_each_instr(instr, *block) for (size_t i = 0; i < instr->operand_count;
                                          i++) if (instr->operands[i] == list &&
                                                   instr != r->instr) return true;
    return false;
}

bool rule_settle_empty(struct rule *r)
{
    bool is_pending = false;
    for (size_t i = 0; i < r->arg_count && !r->is_emitting; i++) {
        struct ir_instr *list = r->args[i];
        if (!list || list->op != IR_BUILD_LIST || list->operand_count || !list->type ||
                !type_is_incomplete(list->type))
            continue;
        is_pending = true;
        if (!has_other_user(r, list))
            infer_refine(r->in, list, type_float64, NULL);
    }
    return is_pending;
}

// --- Lists and tuples where NumPy takes arrays

// Whether lists and tuples inside it end in numbers (or arrays), or in nothing: () is an
// array of no floats.
static bool ends_in(const struct type *type, bool in_arrays)
{
    if (type->kind == TYPE_TUPLE && !type->tuple.len)
        return true;
    while (type &&
            (type->kind == TYPE_LIST || (type->kind == TYPE_TUPLE && type->tuple.len)))
        type = type->kind == TYPE_LIST ? type->element : type->tuple.items[0];
    type = type ? rule_value_type(type) : NULL;
    return type && (type_is_item(type) || (in_arrays && type->kind == TYPE_ARRAY));
}

// The numbers of a display, in the order of the array's memory.
struct numbers {
    struct ir_instr *items[MOST_STORED];
    size_t count, ndim, shape[MOST_NESTED];
};

static bool find_numbers(const struct rule *r, const struct ir_instr *display,
        struct numbers *found, size_t axis)
{
    if (axis == MOST_NESTED || !is_display(r, display) ||
            (found->count && found->shape[axis] != display->operand_count))
        return false;
    found->shape[axis] = display->operand_count;
    for (size_t i = 0; i < display->operand_count; i++) {
        struct ir_instr *item = display->operands[i];
        if (item->type && item->type->kind == TYPE_LIST) {
            if (!find_numbers(r, item, found, axis + 1))
                return false;
            continue;
        }
        if (!item->type || !type_is_number(rule_value_type(item->type)) ||
                found->count == MOST_STORED || (found->count && found->ndim != axis + 1))
            return false;
        found->ndim = axis + 1;
        found->items[found->count++] = item;
    }
    return true;
}

static void store_numbers(struct rule *r, struct ir_instr *array,
        const struct numbers *numbers, const struct type *item)
{
    for (size_t i = 0; i < numbers->count; i++) {
        struct ir_instr *operands[MOST_NESTED + 2] = {array};
        size_t ndim = numbers->ndim, rest = i;
        for (size_t axis = ndim; axis-- > 0; rest /= numbers->shape[axis])
            operands[1 + axis] =
                    rule_int(r, type_int64, (int64_t)(rest % numbers->shape[axis]));
        struct ir_instr *number = rule_cast(r, rule_value(r, numbers->items[i]), item);
        operands[1 + ndim] = rule_cast(r, number, array->type->element);
        rule_primitive(r, PRIMITIVE_ARRAY_STORE, type_none, operands, ndim + 2);
    }
}

// The array of a display of a few numbers, for which no list is made; NULL if it is none.
// `dtype` is NULL, or a type that takes each of the numbers as it is.
static struct ir_instr *array_of_numbers(
        struct rule *r, struct ir_instr *display, const struct type *dtype)
{
    struct numbers numbers = {.count = 0};
    if (r->in->target != TARGET_HOST || r->in->source->options.is_library ||
            !find_numbers(r, display, &numbers, 0))
        return NULL;
    const struct type *item = display->type;
    while (item->kind == TYPE_LIST)
        item = item->element;
    bool is_wider = dtype && type_is_integer(item) && dtype->kind == TYPE_FLOAT;
    if (!type_is_number(item) || (dtype && dtype != item && !is_wider))
        return NULL;
    const struct type *type =
            type_array(dtype ? dtype : item, (int)numbers.ndim, LAYOUT_C, false);
    if (!r->is_emitting)
        return rule_stand_in(r, type);
    struct ir_instr *lengths[MOST_NESTED];
    for (size_t axis = 0; axis < numbers.ndim; axis++)
        lengths[axis] = rule_int(r, type_int64, (int64_t)numbers.shape[axis]);
    struct ir_instr *shape = rule_tuple(r, lengths, numbers.ndim);
    struct ir_instr *array = rule_primitive(r, PRIMITIVE_ARRAY_EMPTY, type, &shape, 1);
    store_numbers(r, array, &numbers, item);
    return array;
}

// np.array() and np.asarray() of such a display, with or without a dtype.
bool rule_array_of_display(struct rule *r, const char *name)
{
    bool has_dtype = rule_has_arg(r, 1);
    const struct type *dtype = has_dtype ? rule_dtype(r->args[1]) : NULL;
    if ((strcmp(name, "numpy.array") != 0 && strcmp(name, "numpy.asarray") != 0) ||
            !rule_has_arg(r, 0) || r->arg_count > 2 || (has_dtype && !dtype))
        return false;
    struct ir_instr *array = array_of_numbers(r, r->args[0], dtype);
    if (!array)
        return false;
    r->type = array->type;
    r->value = r->is_emitting ? array : NULL;
    return true;
}

struct ir_instr *rule_library_value(
        struct rule *r, const char *function, struct ir_instr **args, size_t count)
{
    struct rule inner = *r;
    inner.args = args;
    inner.arg_count = count;
    inner.value = inner.out = NULL;
    inner.type = NULL;
    if (!rule_library(&inner, function) || !inner.type)
        return NULL;
    return r->is_emitting ? inner.value : rule_stand_in(r, inner.type);
}

// The array of a list or tuple (nested, of numbers or arrays); NULL as above.
static struct ir_instr *array_of(struct rule *r, struct ir_instr *items)
{
    struct ir_instr *array = array_of_numbers(r, items, NULL);
    return array ? array : rule_library_value(r, "shapes.array", &items, 1);
}

static bool replace_by_array(struct rule *r, size_t i)
{
    struct ir_instr *array = array_of(r, r->args[i]);
    if (array)
        rule_replace_arg(r, i, array);
    return array;
}

// Makes an array of the argument where it is a list of numbers, or of arrays if wanted.
// False with an error, or without one while its type is not known.
bool rule_array_of_list(struct rule *r, size_t i, bool of_arrays)
{
    return !rule_has_arg(r, i) || rule_arg_type(r, i)->kind != TYPE_LIST ||
           rule_array_of_items(r, i, of_arrays);
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

// A text or bytes that are known, as an array of no dimensions of them; `dtype`: its
// class.
bool rule_array_of_text(struct rule *r, size_t i, struct ir_instr *dtype)
{
    struct ir_instr *args[] = {r->args[i], dtype};
    struct ir_instr *array = rule_library_value(r, "shapes.array_of_text", args, 2);
    if (array)
        rule_replace_arg(r, i, array);
    return array;
}

// What may be None has to be there.
static struct ir_instr *present(struct rule *r, struct ir_instr *value)
{
    if (value->type->kind != TYPE_OPTIONAL)
        return value;
    return r->is_emitting ? rule_cast(r, value, rule_value_type(value->type))
                          : rule_stand_in(r, rule_value_type(value->type));
}

// A part of an index: in kernels, which gather nothing, an array of no dimensions is the
// integer that it holds.
static struct ir_instr *index_part(struct rule *r, struct ir_instr *part)
{
    struct ir_instr *value = present(r, part);
    const struct type *type = rule_value_type(value->type);
    if (r->in->target == TARGET_HOST || type->kind != TYPE_ARRAY || type->array.ndim ||
            type->element->kind != TYPE_INT)
        return value;
    return r->is_emitting
                   ? rule_primitive(r, PRIMITIVE_ARRAY_LOAD, type->element, &value, 1)
                   : rule_stand_in(r, type->element);
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
        struct ir_instr *item = r->is_emitting ? rule_tuple_get(r, r->args[i], k)
                                               : rule_stand_in(r, tuple->tuple.items[k]);
        items[k] = of_arrays ? present(r, item) : index_part(r, item);
        struct rule inner = *r;
        inner.args = &items[k];
        inner.arg_count = 1;
        if (!rule_array_of_items(&inner, 0, of_arrays))
            return false;
        has_changed = has_changed || inner.args[0] != item;
        items[k] = inner.args[0];
        types[k] = items[k]->type;
    }
    if (!has_changed)
        return true;
    rule_replace_arg(r, i,
            r->is_emitting ? rule_tuple(r, items, len)
                           : rule_stand_in(r, type_tuple(types, len)));
    return true;
}

// Makes arrays of the lists and tuples in an index.
bool rule_arrays_in_index(struct rule *r)
{
    struct ir_instr *index = index_part(r, r->args[1]);
    if (index != r->args[1])
        rule_replace_arg(r, 1, index);
    return rule_arg_type(r, 1)->kind == TYPE_TUPLE ? rule_arrays_in_tuple(r, 1, false)
                                                   : rule_array_of_list(r, 1, false);
}

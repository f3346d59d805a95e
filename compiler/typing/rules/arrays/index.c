// SPDX-License-Identifier: MIT
// Indexing and slicing of arrays.

#include <assert.h>
#include <string.h>

#include "compiler/types/object_class.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/arrays/arrays.h"
#include "compiler/typing/rules/text/text.h"

enum item_kind { ITEM_INTEGER, ITEM_SLICE, ITEM_NEW_AXIS, ITEM_FULL };

enum { MAX_ITEMS = 64 };

// An array index, an ellipsis and missing dimensions written out as full slices.
struct index {
    const struct type *array;
    struct ir_instr *value; // the index expression
    bool is_tuple;
    size_t part_count; // as written
    size_t left;       // parts before an ellipsis; all without one
    bool has_ellipsis;
    struct {
        enum item_kind kind;
        size_t part;
        bool has_step;
    } items[MAX_ITEMS];
    size_t count;
    size_t consumed; // dimensions that the parts name
    int result_ndim;
};

static const struct type *part_type(const struct index *index, size_t part)
{
    return rule_value_type(
            index->is_tuple ? index->value->type->tuple.items[part] : index->value->type);
}

static bool add_item(struct index *index, enum item_kind kind, size_t part)
{
    if (index->count == MAX_ITEMS)
        return false;
    index->items[index->count].kind = kind;
    index->items[index->count].part = part;
    index->count++;
    index->result_ndim += kind != ITEM_INTEGER;
    return true;
}

static bool count_part(struct rule *r, struct index *index, size_t part)
{
    const struct type *type = part_type(index, part);
    if (type == type_ellipsis) {
        if (index->has_ellipsis)
            return rule_fail(
                    r, ERROR_TYPING, "Only one ellipsis (...) is allowed in an index");
        index->has_ellipsis = true;
        index->left = part;
    } else if (type->kind == TYPE_INT || type->kind == TYPE_SLICE) {
        index->consumed++;
    } else if (type != type_none) {
        return rule_no_match(r,
                "An array is indexed by integers, slices, ... and None (a new "
                "axis), or a tuple of them.");
    }
    return true;
}

static bool fill_items(struct index *index)
{
    size_t missing = (size_t)index->array->array.ndim - index->consumed;
    bool is_done = true;
    for (size_t part = 0; is_done && part < index->part_count; part++) {
        const struct type *type = part_type(index, part);
        if (type == type_ellipsis) {
            for (size_t i = 0; is_done && i < missing; i++)
                is_done = add_item(index, ITEM_FULL, part);
            missing = 0;
        } else if (type->kind == TYPE_SLICE) {
            is_done = add_item(index, ITEM_SLICE, part);
            index->items[index->count - 1].has_step = type->has_step;
        } else {
            is_done = add_item(
                    index, type == type_none ? ITEM_NEW_AXIS : ITEM_INTEGER, part);
        }
    }
    for (size_t i = 0; is_done && i < missing; i++)
        is_done = add_item(index, ITEM_FULL, 0);
    return is_done;
}

static bool read_index(struct rule *r, struct index *index)
{
    index->array = rule_arg_type(r, 0);
    index->value = r->args[1];
    index->is_tuple = index->value->type->kind == TYPE_TUPLE;
    index->part_count = index->left = index->is_tuple ? index->value->type->tuple.len : 1;
    for (size_t part = 0; part < index->part_count; part++)
        if (!count_part(r, index, part))
            return false;
    if (index->consumed > (size_t)index->array->array.ndim)
        return rule_fail(r, ERROR_TYPING,
                "cannot index %s with %zu indices: %s\n\nThe array has %d dimension%s.",
                index->array->name, index->consumed, index->value->type->name,
                index->array->array.ndim, index->array->array.ndim == 1 ? "" : "s");
    return fill_items(index) || rule_fail(r, ERROR_TYPING, "Too many indices");
}

// A slice keeps an array contiguous only as the innermost index, without a step; a new
// axis, which has one item, does so anywhere.
static bool keeps_contiguity(const struct index *index, size_t part, bool is_innermost)
{
    const struct type *type = part_type(index, part);
    return type == type_ellipsis || type == type_none || type->kind == TYPE_INT ||
           (is_innermost && type->kind == TYPE_SLICE && !type->has_step);
}

// Whether all indices from `from` to before `to` make new axes.
static bool are_new(const struct index *index, size_t from, size_t to)
{
    for (size_t part = from; part < to; part++)
        if (part_type(index, part) != type_none)
            return false;
    return true;
}

static bool keeps_c(const struct index *index)
{
    bool names_all = index->consumed == (size_t)index->array->array.ndim;
    size_t right = index->has_ellipsis ? index->part_count - index->left - 1 : 0;
    if (right && !names_all)
        return false;
    for (size_t part = 0; part < index->part_count; part++)
        if (!keeps_contiguity(index, part, are_new(index, part + 1, index->part_count)))
            return false;
    return true;
}

static bool keeps_f(const struct index *index)
{
    bool names_all = index->consumed == (size_t)index->array->array.ndim;
    if (!names_all && !(index->has_ellipsis && index->left == 0))
        return false;
    for (size_t part = index->part_count; part-- > 0;)
        if (!keeps_contiguity(index, part, are_new(index, 0, part)))
            return false;
    return true;
}

static const struct type *view_type(const struct index *index)
{
    assert(index->result_ndim >= 0);
    const struct type *array = index->array;
    enum array_layout layout = LAYOUT_A;
    if ((array->array.layout == LAYOUT_C && keeps_c(index)) || index->result_ndim == 0)
        layout = LAYOUT_C;
    else if (array->array.layout == LAYOUT_F && keeps_f(index))
        layout = index->result_ndim == 1 ? LAYOUT_C : LAYOUT_F;
    return type_array_in(array->element, index->result_ndim, layout,
            array->array.is_readonly, array->array.is_aligned,
            array->array.address_space);
}

static bool is_element(const struct index *index)
{
    return index->result_ndim == 0 && !index->has_ellipsis;
}

static struct ir_instr *emit_integer(struct rule *r, struct ir_instr *value)
{
    const struct type *type = rule_value_type(value->type);
    return rule_cast(r, value, type == type_uint64 ? type_uint64 : type_int64);
}

static struct ir_instr *emit_full_slice(struct rule *r)
{
    struct ir_instr *none = rule_none(r);
    struct ir_instr *bounds[] = {none, none, none};
    return rule_primitive(r, PRIMITIVE_SLICE, type_slice2, bounds, 3);
}

static struct ir_instr *emit_item(struct rule *r, const struct index *index, size_t i)
{
    if (index->items[i].kind == ITEM_FULL)
        return emit_full_slice(r);
    if (index->items[i].kind == ITEM_NEW_AXIS)
        return rule_none(r);
    struct ir_instr *part =
            index->is_tuple ? rule_tuple_get(r, index->value, index->items[i].part)
                            : rule_value(r, index->value);
    return index->items[i].kind == ITEM_INTEGER ? emit_integer(r, part) : part;
}

// ARRAY_LOAD, ARRAY_STORE or ARRAY_VIEW over the items, `value` last where there is one.
static struct ir_instr *emit_access(struct rule *r, const struct index *index,
        enum ir_primitive primitive, const struct type *type, struct ir_instr *value)
{
    assert(index->count <= MAX_ITEMS);
    struct ir_instr *operands[MAX_ITEMS + 2] = {rule_cast(r, r->args[0], index->array)};
    size_t count = 1;
    for (size_t i = 0; i < index->count; i++)
        operands[count++] = emit_item(r, index, i);
    if (value)
        operands[count++] = value;
    return rule_primitive(r, primitive, type, operands, count);
}

// The name in a['x'], or NULL; the fields of a single record have numbers, too.
static const char *field_name(struct rule *r)
{
    int64_t number;
    const struct type *type = rule_arg_type(r, 0);
    const struct constant *name = rule_constant(r->args[1]);
    const struct type *literal = r->args[1]->type;
    if (!rule_is_record_array(type))
        return NULL;
    if (literal->kind == TYPE_LITERAL && literal->element == type_string)
        return literal->function;
    if (name && name->type == type_string)
        return name->string.text;
    if (type->array.ndim || !rule_constant_int(r->args[1], &number))
        return NULL;
    int64_t len = (int64_t)type->element->record.len;
    number += number < 0 ? len : 0;
    return number >= 0 && number < len ? type->element->record.fields[number].name : NULL;
}

bool rule_array_getitem(struct rule *r)
{
    assert(rule_arg_type(r, 0)->kind == TYPE_ARRAY);
    struct index index = {0};
    const char *field = field_name(r);
    int64_t number;
    const struct type *array = rule_arg_type(r, 0);
    if (field)
        return rule_get_field(r, field);
    if (rule_is_record_array(array) && array->array.ndim == 0 &&
            rule_constant_int(r->args[1], &number))
        return rule_get_numbered_field(r, number);
    if (rule_is_field_list(array, r->args[1]))
        return rule_get_fields(r, r->args[1]);
    if (!rule_arrays_in_index(r))
        return r->in->err->kind == ERROR_NONE;
    if (rule_is_fancy(r))
        return rule_fancy_get(r);
    if (!read_index(r, &index))
        return false;
    const struct type *element = index.array->element;
    if (is_element(&index) && element->kind == TYPE_CELLS) {
        r->type = element->element;
        if (r->is_emitting)
            r->value = rule_cells_load(r,
                    emit_access(r, &index, PRIMITIVE_ARRAY_VIEW, view_type(&index), NULL),
                    element);
        return rule_text_on_host(r);
    }
    bool is_loaded = is_element(&index) && element->kind != TYPE_RECORD;
    r->type = is_loaded ? index.array->element : view_type(&index);
    if (r->is_emitting)
        r->value = emit_access(r, &index,
                is_loaded ? PRIMITIVE_ARRAY_LOAD : PRIMITIVE_ARRAY_VIEW, r->type, NULL);
    return true;
}

// --- Assignment

static bool set_view(struct rule *r, const struct index *index)
{
    const struct type *view = view_type(index), *value = rule_arg_type(r, 2);
    bool is_array = value->kind == TYPE_ARRAY;
    const struct type *element = is_array ? value->element : value;
    if (rule_takes_text(r, view, value))
        return rule_fill_texts(r, view,
                r->is_emitting ? emit_access(r, index, PRIMITIVE_ARRAY_VIEW, view, NULL)
                               : NULL,
                r->args[2]);
    if (!is_array && !type_is_item(value))
        return rule_no_match(r, "A slice is set to a number or an array.");
    if (type_conversion(element, index->array->element) == CONVERT_NEVER)
        return rule_no_match(r, "The value cannot be converted to the array's dtype.");
    if (is_array && r->in->target != TARGET_HOST && value->array.ndim > view->array.ndim)
        return rule_no_match(r, "The value has more dimensions than the slice.");
    if (is_array && rule_is_lazy_array(r, 2))
        return rule_put_lazy_array(r, 2, view,
                r->is_emitting ? emit_access(r, index, PRIMITIVE_ARRAY_VIEW, view, NULL)
                               : NULL);
    if (!r->is_emitting)
        return true;
    struct ir_instr *operands[] = {
            emit_access(r, index, PRIMITIVE_ARRAY_VIEW, view, NULL),
            rule_cast(r, r->args[2], is_array ? value : element)};
    if (!is_array)
        operands[1] = rule_cast(r, operands[1], view->element);
    rule_primitive(r, is_array ? PRIMITIVE_ARRAY_COPY_INTO : PRIMITIVE_ARRAY_FILL,
            type_none, operands, 2);
    return true;
}

static bool set_element(struct rule *r, const struct index *index)
{
    const struct type *element = index->array->element, *value = rule_arg_type(r, 2);
    if (value->kind == TYPE_ARRAY && value->array.ndim == 0)
        return set_view(r, index);
    if (type_conversion(value, element) == CONVERT_NEVER)
        return rule_no_match(r, "The value cannot be converted to the array's dtype.");
    if (r->is_emitting)
        emit_access(r, index, PRIMITIVE_ARRAY_STORE, type_none,
                rule_cast(r, r->args[2], element));
    return true;
}

static bool set_record(struct rule *r, const struct index *index)
{
    const struct type *view = view_type(index);
    if (!rule_can_store_record(r, view, rule_arg_type(r, 2)))
        return rule_no_match(r, "A record is set to one of the same type, or to a tuple "
                                "of as many values "
                                "as it has fields.");
    if (r->is_emitting)
        rule_store_record(
                r, emit_access(r, index, PRIMITIVE_ARRAY_VIEW, view, NULL), r->args[2]);
    return true;
}

// A text, or an array of no dimensions that holds one
static bool set_text(struct rule *r, const struct index *index)
{
    const struct type *cells = index->array->element, *value = rule_arg_type(r, 2);
    bool is_array = rule_is_text_array(value) && value->array.ndim == 0;
    if (!rule_text_fits(r, cells, is_array ? value->element->element : value))
        return rule_no_match(r, "The item is set to a str, or bytes where it is 'S'.");
    if (!r->is_emitting)
        return true;
    struct ir_instr *text = r->args[2];
    if (is_array)
        text = rule_cells_load(r, rule_cast(r, text, value), value->element);
    rule_cells_store(r,
            emit_access(r, index, PRIMITIVE_ARRAY_VIEW, view_type(index), NULL), cells,
            text);
    return true;
}

// Whether the target is a.flat of an array whose items do not lie in C order, of which
// flat is a copy: what is set is set in the array.
static bool is_flat_copy(const struct ir_instr *target)
{
    const struct type *array =
            target->op == IR_GETATTR && !strcmp(target->attribute, "flat")
                    ? target->operands[0]->type
                    : NULL;
    return array && array->kind == TYPE_ARRAY && !array->array.is_readonly;
}

bool rule_items_getitem(struct rule *r)
{
    struct ir_instr *args[] = {r->args[0]->operands[0], r->args[1]};
    r->args = args;
    return rule_library(r, "iteration.get_flat");
}

bool rule_items_setitem(struct rule *r)
{
    struct ir_instr *args[] = {r->args[0]->operands[0], r->args[1], r->args[2]};
    const struct type *type = rule_value_type(args[0]->type);
    if (type->array.is_readonly)
        return rule_fail(
                r, ERROR_TYPING, "Cannot modify readonly array of type: %s", type->name);
    r->args = args;
    return rule_library(r, "iteration.set_flat");
}

bool rule_array_setitem(struct rule *r)
{
    assert(rule_arg_type(r, 0)->kind == TYPE_ARRAY);
    const struct type *type = rule_arg_type(r, 0);
    struct index index = {0};
    if (type->array.is_readonly && is_flat_copy(r->args[0])) {
        struct ir_instr *args[] = {r->args[0]->operands[0], r->args[1], r->args[2]};
        r->args = args;
        return rule_library(r, "iteration.set_flat");
    }
    if (type->array.is_readonly)
        return rule_fail(
                r, ERROR_TYPING, "Cannot modify readonly array of type: %s", type->name);
    const char *field = field_name(r);
    int64_t number;
    if (field)
        return rule_set_field(r, field, 2);
    if (rule_is_record_array(type) && type->array.ndim == 0 &&
            rule_constant_int(r->args[1], &number) && number >= 0 &&
            number < (int64_t)type->element->record.len)
        return rule_set_field(r, type->element->record.fields[number].name, 2);
    if (rule_is_field_list(type, r->args[1]))
        return rule_set_fields(r, r->args[1]);
    bool is_sequence = !rule_is_record_array(type);
    if (!rule_arrays_in_index(r) || (is_sequence && !rule_array_of_items(r, 2, false)))
        return r->in->err->kind == ERROR_NONE;
    if (rule_is_fancy(r))
        return rule_fancy_set(r);
    if (!read_index(r, &index))
        return false;
    if (rule_is_record_array(type))
        return set_record(r, &index);
    if (type->element->kind == TYPE_CELLS && is_element(&index))
        return set_text(r, &index);
    return is_element(&index) ? set_element(r, &index) : set_view(r, &index);
}

// --- Slices

bool rule_slice(struct rule *r)
{
    r->name = "slice";
    for (size_t i = 0; i < r->arg_count; i++)
        if (r->args[i]->type != type_none && rule_arg_type(r, i)->kind != TYPE_INT)
            return rule_no_match(r, "The bounds of a slice are integers or left out.");
    bool has_step = r->arg_count > 2 && r->args[2]->type != type_none;
    r->type = has_step ? type_slice3 : type_slice2;
    if (!r->is_emitting)
        return true;
    struct ir_instr *operands[3];
    for (size_t i = 0; i < 3; i++) {
        bool is_given = i < r->arg_count && r->args[i]->type != type_none;
        operands[i] = is_given ? rule_cast(r, r->args[i], type_int64) : rule_none(r);
    }
    r->value = rule_primitive(r, PRIMITIVE_SLICE, r->type, operands, 3);
    return true;
}

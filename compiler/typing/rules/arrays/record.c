// SPDX-License-Identifier: MIT
// Fields of structured arrays. An item of such an array is a view without dimensions:
// a[i]['x'] and a[i].x then load or store the field, a['x'] is a view of all of them.

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/arrays/arrays.h"
#include "compiler/typing/rules/text/text.h"

static bool is_named(const struct type_field *field, const char *name)
{
    return !strcmp(field->name, name) || (field->title && !strcmp(field->title, name));
}

static bool find_field(const struct type *array, const char *name, size_t *field)
{
    const struct type *record = array->kind == TYPE_ARRAY ? array->element : NULL;
    if (!record || record->kind != TYPE_RECORD)
        return false;
    for (*field = 0; *field < record->record.len; ++*field)
        if (is_named(&record->record.fields[*field], name))
            return true;
    return false;
}

bool rule_is_record_array(const struct type *type)
{
    return type->kind == TYPE_ARRAY && type->element->kind == TYPE_RECORD;
}

bool rule_has_field(const struct type *type, const char *name)
{
    size_t field;
    return find_field(type, name, &field);
}

static bool no_field(struct rule *r, const struct type *array, const char *name)
{
    return rule_fail(r, ERROR_TYPING, "Field '%s' was not found in record with dtype %s",
            name, array->element->name);
}

static struct ir_instr *emit_field(
        struct rule *r, struct ir_instr *array, const struct type *view, size_t field)
{
    struct ir_instr *value = rule_primitive(r, PRIMITIVE_ARRAY_FIELD, view, &array, 1);
    value->immediate = (int)field;
    return value;
}

// NumPy calls an array of packed records aligned wherever it lies; their fields are not.
static const struct type *field_view(const struct type *array, size_t field)
{
    const struct type_field *described = &array->element->record.fields[field];
    bool is_aligned = array->array.is_aligned && array->element->record.is_aligned;
    return type_array_in(described->type, array->array.ndim + described->ndim,
            array->array.ndim ? LAYOUT_A : LAYOUT_C, array->array.is_readonly, is_aligned,
            array->array.address_space);
}

static bool is_item(const struct type *view)
{
    return view->array.ndim == 0 && view->element->kind != TYPE_RECORD;
}

// What reading a view of a field gives: one item is loaded.
static const struct type *value_type(const struct type *view)
{
    if (!is_item(view))
        return view;
    return view->element->kind == TYPE_CELLS ? view->element->element : view->element;
}

static struct ir_instr *emit_load(struct rule *r, struct ir_instr *view)
{
    const struct type *type = view->type;
    if (!is_item(type))
        return view;
    return type->element->kind == TYPE_CELLS
                   ? rule_cells_load(r, view, type->element)
                   : rule_primitive(r, PRIMITIVE_ARRAY_LOAD, type->element, &view, 1);
}

bool rule_get_field(struct rule *r, const char *name)
{
    const struct type *array = rule_arg_type(r, 0);
    size_t field;
    if (!find_field(array, name, &field))
        return no_field(r, array, name);
    const struct type *view = field_view(array, field);
    r->type = value_type(view);
    if (r->is_emitting)
        r->value =
                emit_load(r, emit_field(r, rule_cast(r, r->args[0], array), view, field));
    return view->element->kind != TYPE_CELLS || !is_item(view) || rule_text_on_host(r);
}

// The field by its number: record[0].
bool rule_get_numbered_field(struct rule *r, int64_t number)
{
    const struct type *array = rule_arg_type(r, 0);
    int64_t len = (int64_t)array->element->record.len;
    if (number < -len || number >= len)
        return rule_fail(r, ERROR_TYPING, "The record has %lld fields: %s",
                (long long)len, array->element->name);
    return rule_get_field(
            r, array->element->record.fields[number < 0 ? number + len : number].name);
}

// --- All fields, or some

const struct type *rule_record_tuple_type(const struct type *view)
{
    assert(rule_is_record_array(view));
    const struct type *record = view->element;
    const struct type **items = memory_alloc((record->record.len + 1) * sizeof *items);
    bool is_tuple = view->array.ndim == 0;
    for (size_t i = 0; is_tuple && i < record->record.len; i++) {
        const struct type *field = field_view(view, i);
        items[i] = field->element->kind == TYPE_RECORD && field->array.ndim == 0
                           ? rule_record_tuple_type(field)
                           : value_type(field);
        is_tuple = items[i] && items[i]->kind != TYPE_ARRAY;
    }
    const struct type *tuple = is_tuple ? type_tuple(items, record->record.len) : NULL;
    free(items);
    return tuple;
}

struct ir_instr *rule_record_tuple(struct rule *r, struct ir_instr *view)
{
    const struct type *type = view->type;
    struct ir_instr **items = arena_array(
            &r->in->function->arena, struct ir_instr *, type->element->record.len + 1);
    for (size_t i = 0; i < type->element->record.len; i++) {
        struct ir_instr *field = emit_field(r, view, field_view(type, i), i);
        items[i] = field->type->element->kind == TYPE_RECORD ? rule_record_tuple(r, field)
                                                             : emit_load(r, field);
    }
    return rule_tuple(r, items, type->element->record.len);
}

bool rule_is_field_list(const struct type *array, const struct ir_instr *names)
{
    if (!rule_is_record_array(array) || names->op != IR_BUILD_LIST ||
            names->operand_count == 0)
        return false;
    for (size_t i = 0; i < names->operand_count; i++) {
        const struct constant *name = rule_constant(names->operands[i]);
        if (!name || name->type != type_string)
            return false;
    }
    return true;
}

bool rule_get_fields(struct rule *r, const struct ir_instr *names)
{
    const struct type *array = rule_arg_type(r, 0), *record = array->element;
    struct type_field *fields =
            arena_array(&r->in->function->arena, struct type_field, names->operand_count);
    for (size_t i = 0; i < names->operand_count; i++) {
        const char *name = rule_constant(names->operands[i])->string.text;
        size_t field;
        if (!find_field(array, name, &field))
            return no_field(r, array, name);
        fields[i] = record->record.fields[field];
    }
    const struct type *part = type_record(fields, names->operand_count,
            record->record.size_bytes, record->record.is_aligned);
    r->type = type_array_in(part, array->array.ndim, array->array.layout,
            array->array.is_readonly, array->array.is_aligned,
            array->array.address_space);
    if (r->is_emitting)
        r->value = rule_emit(r, IR_CAST, r->type,
                &(struct ir_instr *){rule_cast(r, r->args[0], array)}, 1);
    return true;
}

// --- Storing

// Whether a value can be stored to all of a view: of a field, or of whole records.
static bool fits_view(
        const struct rule *r, const struct type *view, const struct type *value)
{
    const struct type *element = view->element;
    if (element->kind == TYPE_RECORD && value->kind == TYPE_TUPLE) {
        if (value->tuple.len != element->record.len)
            return false;
        for (size_t i = 0; i < value->tuple.len; i++)
            if (!fits_view(r, field_view(view, i), value->tuple.items[i]))
                return false;
        return true;
    }
    if (value->kind == TYPE_ARRAY)
        return value->array.ndim <= view->array.ndim &&
               (element->kind == TYPE_RECORD ? value->element == element
                                             : type_conversion(value->element, element) !=
                                                       CONVERT_NEVER);
    if (element->kind == TYPE_CELLS)
        return is_item(view) && rule_takes_text(r, view, rule_value_type(value));
    return element->kind != TYPE_RECORD &&
           type_conversion(value, element) != CONVERT_NEVER;
}

static void emit_store(struct rule *r, struct ir_instr *view, struct ir_instr *value)
{
    const struct type *type = view->type;
    value = rule_value(r, value);
    if (type->element->kind == TYPE_RECORD && value->type->kind == TYPE_TUPLE) {
        for (size_t i = 0; i < value->type->tuple.len; i++)
            emit_store(r, emit_field(r, view, field_view(type, i), i),
                    rule_tuple_get(r, value, i));
        return;
    }
    bool is_array = rule_value_type(value->type)->kind == TYPE_ARRAY;
    if (type->element->kind == TYPE_CELLS && !is_array) {
        rule_cells_store(r, view, type->element, value);
        return;
    }
    if (!is_array)
        value = rule_cast(r, value, type->element);
    struct ir_instr *operands[] = {view, value};
    rule_primitive(r,
            is_array        ? PRIMITIVE_ARRAY_COPY_INTO
            : is_item(type) ? PRIMITIVE_ARRAY_STORE
                            : PRIMITIVE_ARRAY_FILL,
            type_none, operands, 2);
}

bool rule_set_field(struct rule *r, const char *name, size_t value_arg)
{
    const struct type *array = rule_arg_type(r, 0), *value = rule_arg_type(r, value_arg);
    size_t field;
    if (!find_field(array, name, &field))
        return no_field(r, array, name);
    if (array->array.is_readonly)
        return rule_fail(
                r, ERROR_TYPING, "Cannot modify readonly array of type: %s", array->name);
    const struct type *view = field_view(array, field);
    if (!is_item(view) && rule_takes_text(r, view, value))
        return rule_fill_texts(r, view,
                r->is_emitting
                        ? emit_field(r, rule_cast(r, r->args[0], array), view, field)
                        : NULL,
                r->args[value_arg]);
    if (!fits_view(r, view, value))
        return rule_no_match(r, "The value cannot be converted to the field's type.");
    if (r->is_emitting)
        emit_store(r, emit_field(r, rule_cast(r, r->args[0], array), view, field),
                r->args[value_arg]);
    return true;
}

// --- The field of a single record, as an array of no dimensions: record['x'][()]

// A number that is read of a field is its item: as such it has the index () or `...`.
bool rule_is_whole_field(const struct rule *r)
{
    const struct ir_instr *read = r->args[0];
    const struct type *index = rule_arg_type(r, 1);
    bool is_all = index->kind == TYPE_ELLIPSIS ||
                  (index->kind == TYPE_TUPLE && index->tuple.len == 0);
    if (!is_all || (read->op != IR_GETITEM && read->op != IR_GETATTR))
        return false;
    const struct type *record = read->operands[0]->type;
    return record && rule_is_record_array(record) && record->array.ndim == 0 &&
           read->type->kind != TYPE_ARRAY;
}

bool rule_get_whole_field(struct rule *r)
{
    r->type = rule_arg_type(r, 0);
    if (r->is_emitting)
        r->value = rule_cast(r, r->args[0], r->type);
    return true;
}

bool rule_set_whole_field(struct rule *r)
{
    struct ir_instr *read = r->args[0];
    bool is_named = read->op == IR_GETATTR;
    struct ir_instr *args[] = {
            read->operands[0], is_named ? r->args[1] : read->operands[1], r->args[2]};
    r->args = args;
    return is_named ? rule_set_field(r, read->attribute, 2) : rule_array_setitem(r);
}

// rec[['x', 'y']] = a tuple, or the same fields of other records. What lies between the
// fields stays.
bool rule_set_fields(struct rule *r, const struct ir_instr *names)
{
    const struct type *value = rule_arg_type(r, 2);
    struct rule inner = *r;
    if (!rule_get_fields(&inner, names))
        return false;
    const struct type *view = inner.type;
    bool is_same = value->kind == TYPE_ARRAY && value->element == view->element &&
                   value->array.ndim <= view->array.ndim;
    if (!is_same && (value->kind != TYPE_TUPLE || !fits_view(r, view, value)))
        return rule_no_match(r, "Fields are set to a tuple of as many values, or to the "
                                "same fields of other records.");
    if (!r->is_emitting)
        return true;
    struct ir_instr *given = rule_cast(r, r->args[2], value);
    for (size_t i = 0; i < names->operand_count; i++) {
        struct ir_instr *part =
                is_same ? emit_load(r, emit_field(r, given, field_view(value, i), i))
                        : rule_tuple_get(r, given, i);
        emit_store(r, emit_field(r, inner.value, field_view(view, i), i), part);
    }
    return true;
}

bool rule_can_store_record(
        const struct rule *r, const struct type *view, const struct type *value)
{
    return fits_view(r, view, value);
}

void rule_store_record(struct rule *r, struct ir_instr *view, struct ir_instr *value)
{
    emit_store(r, view, value);
}

// SPDX-License-Identifier: MIT
// Fields of structured arrays. An item of such an array is a view without dimensions:
// a[i]['x'] and a[i].x then load or store the field, a['x'] is a view of all of them.
#include "compiler/typing/builtins.h"

#include <string.h>

static bool find_field(const struct type *array, const char *name, size_t *field)
{
    const struct type *record = array->kind == TYPE_ARRAY ? array->element : NULL;
    if (!record || record->kind != TYPE_RECORD)
        return false;
    for (*field = 0; *field < record->record.len; ++*field)
        if (!strcmp(record->record.fields[*field].name, name))
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

bool rule_get_field(struct rule *r, const char *name)
{
    const struct type *array = rule_arg_type(r, 0);
    size_t field;
    if (!find_field(array, name, &field))
        return no_field(r, array, name);
    const struct type *view = field_view(array, field);
    r->type = is_item(view) ? view->element : view;
    if (!r->is_emitting)
        return true;
    r->value = emit_field(r, rule_cast(r, r->args[0], array), view, field);
    if (is_item(view))
        r->value = rule_primitive(r, PRIMITIVE_ARRAY_LOAD, r->type, &r->value, 1);
    return true;
}

// --- Storing

// Whether a value can be stored to all of a view: of a field, or of whole records.
static bool fits_view(const struct type *view, const struct type *value)
{
    const struct type *element = view->element;
    if (element->kind == TYPE_RECORD && value->kind == TYPE_TUPLE) {
        if (value->tuple.len != element->record.len)
            return false;
        for (size_t i = 0; i < value->tuple.len; i++)
            if (!fits_view(field_view(view, i), value->tuple.items[i]))
                return false;
        return true;
    }
    if (value->kind == TYPE_ARRAY)
        return value->array.ndim <= view->array.ndim &&
               (element->kind == TYPE_RECORD ? value->element == element
                                             : type_conversion(value->element, element) !=
                                                       CONVERT_NEVER);
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
    if (!fits_view(view, value))
        return rule_no_match(r, "The value cannot be converted to the field's type.");
    if (r->is_emitting)
        emit_store(r, emit_field(r, rule_cast(r, r->args[0], array), view, field),
                r->args[value_arg]);
    return true;
}

bool rule_can_store_record(const struct type *view, const struct type *value)
{
    return fits_view(view, value);
}

void rule_store_record(struct rule *r, struct ir_instr *view, struct ir_instr *value)
{
    emit_store(r, view, value);
}

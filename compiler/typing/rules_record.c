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
        struct rule *r, const struct type *array, const struct type *view, size_t field)
{
    struct ir_instr *operand = rule_cast(r, r->args[0], array);
    struct ir_instr *value = rule_primitive(r, PRIMITIVE_ARRAY_FIELD, view, &operand, 1);
    value->immediate = (int)field;
    return value;
}

// NumPy calls an array of packed records aligned wherever it lies; their fields are not.
static const struct type *field_view(const struct type *array, size_t field)
{
    int ndim = array->array.ndim;
    bool is_aligned = array->array.is_aligned && array->element->record.is_aligned;
    return type_array_in(array->element->record.fields[field].type, ndim,
            ndim ? LAYOUT_A : LAYOUT_C, array->array.is_readonly, is_aligned,
            array->array.address_space);
}

bool rule_get_field(struct rule *r, const char *name)
{
    const struct type *array = rule_arg_type(r, 0);
    size_t field;
    if (!find_field(array, name, &field))
        return no_field(r, array, name);
    const struct type *view = field_view(array, field);
    bool is_item = array->array.ndim == 0 && view->element->kind != TYPE_RECORD;
    r->type = is_item ? view->element : view;
    if (!r->is_emitting)
        return true;
    r->value = emit_field(r, array, view, field);
    if (is_item)
        r->value = rule_primitive(r, PRIMITIVE_ARRAY_LOAD, r->type, &r->value, 1);
    return true;
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
    const struct type *view = field_view(array, field), *element = view->element;
    if (element->kind == TYPE_RECORD || value->kind == TYPE_ARRAY ||
            type_conversion(value, element) == CONVERT_NEVER)
        return rule_no_match(r, "The value cannot be converted to the field's type.");
    if (!r->is_emitting)
        return true;
    bool is_item = array->array.ndim == 0;
    struct ir_instr *operands[] = {
            emit_field(r, array, view, field), rule_cast(r, r->args[value_arg], element)};
    rule_primitive(r, is_item ? PRIMITIVE_ARRAY_STORE : PRIMITIVE_ARRAY_FILL, type_none,
            operands, 2);
    return true;
}

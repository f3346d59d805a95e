// SPDX-License-Identifier: MIT
// Types of lists, sets, dicts and objects: their names, and where they keep their fields.
//
// A value is a pointer to a struct abi_row. A list's items are the row's; what the others
// keep is one item of it, a struct of the fields that are placed here. Compiled code
// (codegen/values/row.c), the library (library/table.py, dict.py, set.py) and the
// runtime, which makes Python's objects of them (py_reflect.c, py_typed.c), all go by
// these places.
#include <assert.h>
#include <string.h>

#include "base/str.h"
#include "compiler/types/abi.h"
#include "compiler/types/kinds.h"
#include "compiler/types/object_class.h"

bool type_is_container(const struct type *type)
{
    return type->kind == TYPE_LIST || type->kind == TYPE_SET || type->kind == TYPE_DICT;
}

bool type_has_entries(const struct type *type)
{
    return type->kind == TYPE_SET || type->kind == TYPE_DICT ||
           type->kind == TYPE_DICT_VIEW;
}

bool type_is_object(const struct type *type)
{
    return type_traits_of(type)->detail == DETAIL_CELL;
}

// Asked after each round of typing, for it ends when nothing is incomplete. A type behind
// a reference (what a function takes, what a class holds) is found out where that is
// typed.
bool type_is_incomplete(const struct type *type)
{
    enum type_counted counted = type_traits_of(type)->counted;
    if (type_is_container(type))
        return !type->element || type_is_incomplete(type->element) ||
               (type->kind == TYPE_DICT &&
                       (!type->cell.value || type_is_incomplete(type->cell.value)));
    if (counted == COUNTED_ELEMENT)
        return type->element && type_is_incomplete(type->element);
    for (size_t i = 0; counted == COUNTED_ITEMS && i < type->tuple.len; i++)
        if (type_is_incomplete(type->tuple.items[i]))
            return true;
    return false;
}

static const char *part_name(const struct type *part)
{
    return part ? part->name : "undefined";
}

// A function in a container is one of several: others may come.
static const struct type *kept_type(const struct type *part)
{
    return part && type_is_known_function(part) ? type_choice_of_both(part, part) : part;
}

const struct type *type_list(const struct type *element, bool is_typed)
{
    element = kept_type(element);
    struct type list = {.kind = TYPE_LIST, .element = element};
    list.cell.is_typed = is_typed;
    const struct type *known = type_intern(&list, NULL);
    if (known)
        return known;
    struct str name = {0};
    if (is_typed)
        str_printf(&name, "ListType[%s]", element ? element->name : "Undefined");
    else
        str_printf(&name, "%slist(%s)<iv=None>", element ? "reflected " : "",
                part_name(element));
    return type_intern_named(&list, &name);
}

// Places the fields one after another as a C compiler would. The end is padded to 8
// bytes, the most that any of them is aligned to.
static void place_fields(struct type *type, struct type_field *fields, size_t len)
{
    size_t offset = 0;
    for (size_t i = 0; i < len; i++) {
        assert(fields[i].type && abi_alignment(fields[i].type) <= 8);
        fields[i].offset_bytes = abi_place(fields[i].type, &offset);
    }
    type->cell.fields = fields;
    type->cell.len = len;
    type->cell.size_bytes = (offset + 7) / 8 * 8;
}

// The entries in order of insertion, where to look for a hash among them, and how many
// are in use: what library/dict.py and library/set.py work on.
static void place_table(
        struct type *type, struct type_field *fields, const struct type *entry)
{
    _Static_assert(
            TABLE_ENTRIES == 0 && TABLE_FIELDS == 3, "as the block of one has them");
    fields[TABLE_ENTRIES] =
            (struct type_field){.name = "_entries", .type = type_list(entry, false)};
    fields[TABLE_PLACES] =
            (struct type_field){.name = "_table", .type = type_list(type_int32, false)};
    fields[TABLE_USED] = (struct type_field){.name = "_used", .type = type_int64};
    place_fields(type, fields, TABLE_FIELDS);
}

// The fields are placed once all parts of an entry are known: until then no value is
// made.
static const struct type *type_table(struct type *table)
{
    const struct type *known = type_intern(table, NULL);
    if (known)
        return known;
    const struct type *key = table->element, *value = table->cell.value;
    const struct type *parts[] = {type_int64, key, value};
    bool is_set = table->kind == TYPE_SET, is_typed = table->cell.is_typed;
    struct type_field fields[TABLE_FIELDS];
    struct str name = {0};
    if (is_set)
        str_printf(&name, is_typed ? "SetType[%s]" : "reflected set(%s)", part_name(key));
    else
        str_printf(&name, is_typed ? "DictType[%s,%s]<iv=None>" : "dict(%s, %s)",
                part_name(key), part_name(value));
    if (key && (value || is_set))
        place_table(table, fields, type_tuple(parts, is_set ? 2 : 3));
    return type_intern_named(table, &name);
}

const struct type *type_set(const struct type *element, bool is_typed)
{
    struct type set = {.kind = TYPE_SET, .element = element};
    set.cell.is_typed = is_typed;
    return type_table(&set);
}

const struct type *type_dict(
        const struct type *key, const struct type *value, bool is_typed)
{
    struct type dict = {.kind = TYPE_DICT, .element = key};
    dict.cell.value = kept_type(value);
    dict.cell.is_typed = is_typed;
    return type_table(&dict);
}

// Named as numba names them.
const struct type *type_dict_view(const struct type *dict, enum dict_part part)
{
    static const char *const words[] = {"keys", "values", "items"};
    struct str name = {0};
    assert(dict->kind == TYPE_DICT && !type_is_incomplete(dict));
    str_printf(&name, "%s[%s]", words[part], dict->name);
    return type_intern_named(
            &(struct type){.kind = TYPE_DICT_VIEW, .element = dict, .bits = (int)part},
            &name);
}

const struct type *type_instance(
        struct object_class *class, struct type_field *fields, size_t len)
{
    struct str name = {0};
    struct type instance = {.kind = TYPE_INSTANCE};
    if (class->struct_name) {
        str_printf(&name, "%s(", class->struct_name);
        for (size_t i = 0; i < len; i++)
            str_printf(&name, "%s('%s', %s)%s", i ? " " : "", fields[i].name,
                    fields[i].type->name, i + 1 < len || len == 1 ? "," : "");
        str_append(&name, ")");
    } else {
        str_printf(&name, "instance.jitclass.%s#%zx<", class->name, (size_t) class);
        for (size_t i = 0; i < len; i++)
            str_printf(
                    &name, "%s%s:%s", i ? "," : "", fields[i].name, fields[i].type->name);
        str_append(&name, ">");
    }
    instance.cell.class = class;
    place_fields(&instance, fields, len);
    return type_intern_named(&instance, &name);
}

// Types are shared and constant but for this: nothing has looked at the fields before.
void instance_place_again(const struct type *instance)
{
    assert(instance->kind == TYPE_INSTANCE && type_is_object(instance));
    struct type *type = (struct type *)instance;
    struct type_field *fields = (struct type_field *)type->cell.fields;
    for (size_t i = 0; i < type->cell.len; i++)
        fields[i].type = type_defined(fields[i].type);
    place_fields(type, fields, type->cell.len);
}

const struct object_method *object_method_find(
        const struct type *instance, const char *name)
{
    const struct object_class *class = instance->cell.class;
    for (size_t i = 0; i < class->method_count; i++)
        if (!strcmp(class->methods[i].name, name))
            return &class->methods[i];
    return NULL;
}

const struct type_field *type_cell_field(const struct type *type, const char *name)
{
    assert(type_is_object(type));
    for (size_t i = 0; i < type->cell.len; i++)
        if (!strcmp(type->cell.fields[i].name, name))
            return &type->cell.fields[i];
    return NULL;
}

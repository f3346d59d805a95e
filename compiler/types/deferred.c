// SPDX-License-Identifier: MIT
// Deferred types: they stand for a type that the program defines later, so that a class
// may have fields of its own type.
//
// A deferred type is an object of no class. Types that fields are made of name it until
// it is defined; then the classes that wait for it get their fields anew, with the type
// itself in its place. Until then no object of such a class is made and no code reads its
// fields, so nothing has seen the old places.
#include <assert.h>

#include "base/vec.h"
#include "compiler/types/object_class.h"

// --- What a value of the type consists of, as far as it is not an object

static bool is_deferred(const struct type *type)
{
    return type->kind == TYPE_INSTANCE && type->cell.class->is_deferred;
}

// Whether the type or a part of it is deferred, or is the one deferred type.
static bool names(const struct type *type, const struct type *deferred)
{
    if (!type)
        return false;
    if (is_deferred(type))
        return !deferred || type == deferred;
    for (size_t i = 0; type->kind == TYPE_TUPLE && i < type->tuple.len; i++)
        if (names(type->tuple.items[i], deferred))
            return true;
    bool has_element = type->kind == TYPE_OPTIONAL || type_is_container(type);
    return (has_element && names(type->element, deferred)) ||
           (type->kind == TYPE_DICT && names(type->cell.value, deferred));
}

static const struct type *of_items(const struct type *tuple)
{
    size_t len = tuple->tuple.len;
    const struct type **items = memory_alloc((len + 1) * sizeof *items);
    for (size_t i = 0; i < len; i++)
        items[i] = type_defined(tuple->tuple.items[i]);
    const struct type *defined = type_tuple_like(tuple, items);
    free(items);
    return defined;
}

const struct type *type_defined(const struct type *type)
{
    if (!names(type, NULL))
        return type;
    const struct type *meant = is_deferred(type) ? type->cell.class->stands_for : NULL;
    switch (type->kind) {
    case TYPE_INSTANCE:
        return meant ? type_defined(meant) : type;
    case TYPE_OPTIONAL:
        return type_optional(type_defined(type->element));
    case TYPE_TUPLE:
        return of_items(type);
    case TYPE_LIST:
        return type_list(type_defined(type->element), type->cell.is_typed);
    case TYPE_SET:
        return type_set(type_defined(type->element), type->cell.is_typed);
    default:
        assert(type->kind == TYPE_DICT);
        return type_dict(type_defined(type->element), type_defined(type->cell.value),
                type->cell.is_typed);
    }
}

bool type_is_undefined(const struct type *type)
{
    for (size_t i = 0; type->kind == TYPE_INSTANCE && i < type->cell.len; i++)
        if (names(type_defined(type->cell.fields[i].type), NULL))
            return true;
    return names(type_defined(type), NULL);
}

// --- Definitions

// Classes whose fields may still change. Used by the thread that has the GIL.
static VEC(const struct type *) waiting;

void type_await(const struct type *instance)
{
    if (type_is_undefined(instance))
        vec_push(&waiting, instance);
}

bool type_define(const struct type *deferred, const struct type *wanted)
{
    bool is_free = is_deferred(deferred) && !deferred->cell.class->stands_for;
    // a value that held another of its type would have no end
    if (!is_free || names(type_defined(wanted), deferred))
        return false;
    deferred->cell.class->stands_for = wanted;
    size_t kept = 0;
    vec_each (instance, &waiting) {
        instance_place_again(*instance);
        if (type_is_undefined(*instance))
            waiting.items[kept++] = *instance;
    }
    waiting.len = kept;
    return true;
}

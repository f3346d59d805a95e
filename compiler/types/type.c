// SPDX-License-Identifier: MIT
// The interned types: makes each distinct type once, under a lock; numbers and the other
// types of which there is one.
//
// A type is never changed and never freed, so whoever has one may read it on any thread
// without the lock, and equal types are the same pointer: everybody compares these. The
// lock guards the tables alone.
#include "compiler/types/type.h"

#include <assert.h>
#include <pthread.h>
#include <string.h>

#include "base/arena.h"
#include "base/guard.h"
#include "base/map.h"
#include "base/str.h"
#include "compiler/types/constant.h"
#include "compiler/types/kinds.h"
#include "compiler/types/source.h"

const struct type *type_none, *type_bool, *type_int8, *type_int16, *type_int32,
        *type_int64, *type_uint8, *type_uint16, *type_uint32, *type_uint64, *type_float16,
        *type_bfloat16, *type_float32, *type_float64, *type_complex64, *type_complex128,
        *type_string, *type_bytes, *type_slice2, *type_slice3, *type_dim3, *type_voidptr,
        *type_ellipsis, *type_module, *type_function, *type_dispatcher, *type_exception,
        *type_caught, *type_pyobject;

static pthread_mutex_t types_lock = PTHREAD_MUTEX_INITIALIZER;
static struct arena types_arena; // guarded by types_lock
static struct map types_by_key;  // guarded by types_lock
static uint32_t types_count;     // guarded by types_lock

// --- What tells one type from another
//
// A key is the bytes of kind, numbers, element and detail. Parts are themselves interned,
// so their addresses stand for them. A name is no part of it: two classes of named tuples
// may have one.

static void key_of_tuple(const struct type *type, struct str *key)
{
    const struct source *function = type->tuple.function;
    uint64_t serial = function ? function->serial : 0;
    str_append_bytes(key, &serial, sizeof serial);
    if (type->kind != TYPE_EXTENSION) // known by its object, before it has a model
        str_append_bytes(
                key, type->tuple.items, type->tuple.len * sizeof *type->tuple.items);
    str_append_bytes(key, &type->tuple.class_object, sizeof type->tuple.class_object);
    if (type->tuple.names && !type->tuple.class_object)
        for (size_t i = 0; i < type->tuple.len; i++)
            str_printf(key, "%s;", type->tuple.names[i]);
}

static void key_of_array(const struct type *type, struct str *key)
{
    str_printf(key, "%d %d %d %d %d", type->array.ndim, type->array.layout,
            type->array.is_readonly, type->array.is_aligned, type->array.address_space);
}

static void key_of_record(const struct type *type, struct str *key)
{
    str_printf(key, "%zu %d ", type->record.size_bytes, type->record.is_aligned);
    for (size_t i = 0; i < type->record.len; i++) {
        const struct type_field *field = &type->record.fields[i];
        str_printf(key, "%s %u %zu ", field->name, field->type->id, field->offset_bytes);
        if (field->title)
            str_printf(key, "'%s' ", field->title);
        for (int axis = 0; axis < field->ndim; axis++)
            str_printf(key, "%lld,", (long long)field->shape[axis]);
    }
}

// The class alone: its members are what they were when it was first seen.
static void key_of_enum(const struct type *type, struct str *key)
{
    str_append_bytes(
            key, &type->enumeration.class_object, sizeof type->enumeration.class_object);
}

static void key_of_time(const struct type *type, struct str *key)
{
    str_printf(
            key, "%d %d %d", type->time.unit, type->time.multiple, type->time.is_delta);
}

// The fields follow from element, value and class.
static void key_of_cell(const struct type *type, struct str *key)
{
    str_append_bytes(key, &type->cell.is_typed, sizeof type->cell.is_typed);
    str_append_bytes(key, &type->cell.value, sizeof type->cell.value);
    str_append_bytes(key, &type->cell.class, sizeof type->cell.class);
}

static void key_of_name(const struct type *type, struct str *key)
{
    str_append(key, type->function ? type->function : "");
}

// The serial number, for the address of a source that is gone may be another's.
static void key_of_source(const struct type *type, struct str *key)
{
    str_printf(key, "%llu", type->source ? (unsigned long long)type->source->serial : 0);
}

// --- What a type keeps of what it was made of
//
// Callers make types of what lies in their frames; the interned one owns copies, in the
// arena. Sources and Python classes are kept alive by others: see
// compiler/types/source.h and the runtime.

static void copy_defaults(struct type *copy)
{
    size_t size_bytes = copy->tuple.len * sizeof *copy->tuple.defaults;
    struct constant *defaults =
            arena_copy(&types_arena, copy->tuple.defaults, size_bytes);
    for (size_t i = 0; i < copy->tuple.len; i++)
        if (defaults[i].type == type_string)
            defaults[i].string.text = arena_copy(
                    &types_arena, defaults[i].string.text, defaults[i].string.len + 1);
    copy->tuple.defaults = defaults;
}

static void copy_tuple(struct type *copy)
{
    size_t len = copy->tuple.len;
    copy->tuple.items =
            arena_copy(&types_arena, copy->tuple.items, len * sizeof *copy->tuple.items);
    if (!copy->tuple.names)
        return;
    const char **names = arena_array(&types_arena, const char *, len + 1);
    for (size_t i = 0; i < len; i++)
        names[i] = arena_strdup(&types_arena, copy->tuple.names[i]);
    copy->tuple.names = names;
    if (copy->tuple.defaults)
        copy_defaults(copy);
}

static void copy_record(struct type *copy)
{
    struct type_field *fields = arena_copy(&types_arena, copy->record.fields,
            copy->record.len * sizeof *copy->record.fields);
    for (size_t i = 0; i < copy->record.len; i++) {
        fields[i].name = arena_strdup(&types_arena, fields[i].name);
        if (fields[i].title)
            fields[i].title = arena_strdup(&types_arena, fields[i].title);
    }
    copy->record.fields = fields;
}

static void copy_enum(struct type *copy)
{
    size_t len = copy->enumeration.len;
    struct type_member *members = arena_array(&types_arena, struct type_member, len + 1);
    for (size_t i = 0; i < len; i++) {
        members[i] = copy->enumeration.members[i];
        members[i].name = arena_strdup(&types_arena, members[i].name);
        if (members[i].text)
            members[i].text =
                    arena_strndup(&types_arena, members[i].text, members[i].text_len);
    }
    copy->enumeration.members = members;
}

// The names of fields are the library's or their class's, which is never freed.
static void copy_cell(struct type *copy)
{
    copy->cell.fields = arena_copy(
            &types_arena, copy->cell.fields, copy->cell.len * sizeof *copy->cell.fields);
}

static void copy_name(struct type *copy)
{
    if (copy->function)
        copy->function = arena_strdup(&types_arena, copy->function);
}

static uint32_t add_weight(uint32_t sum, const struct type *part)
{
    uint32_t weight = part ? part->weight : 0;
    return sum > UINT32_MAX - weight ? UINT32_MAX : sum + weight;
}

static uint32_t weight_of(const struct type *type)
{
    uint32_t sum = add_weight(1, type->element);
    enum type_detail detail = type_traits_of(type)->detail;
    for (size_t i = 0; detail == DETAIL_TUPLE && i < type->tuple.len; i++)
        sum = add_weight(sum, type->tuple.items[i]);
    for (size_t i = 0; detail == DETAIL_RECORD && i < type->record.len; i++)
        sum = add_weight(sum, type->record.fields[i].type);
    return detail == DETAIL_CELL ? add_weight(sum, type->cell.value) : sum;
}

// NULL: nothing to add, nothing to copy.
static const struct {
    void (*add_key)(const struct type *type, struct str *key);
    void (*copy)(struct type *copy);
} details[DETAIL_COUNT] = {
        [DETAIL_TUPLE] = {key_of_tuple, copy_tuple},
        [DETAIL_ARRAY] = {key_of_array, NULL},
        [DETAIL_RECORD] = {key_of_record, copy_record},
        [DETAIL_ENUM] = {key_of_enum, copy_enum},
        [DETAIL_TIME] = {key_of_time, NULL},
        [DETAIL_CELL] = {key_of_cell, copy_cell},
        [DETAIL_NAME] = {key_of_name, copy_name},
        [DETAIL_SOURCE] = {key_of_source, NULL},
};

static void type_key(const struct type *type, struct str *key)
{
    enum type_detail detail = type_traits_of(type)->detail;
    const int numbers[] = {type->kind, type->bits, type->is_signed, type->has_step};
    str_append_bytes(key, numbers, sizeof numbers);
    str_append_bytes(key, &type->element, sizeof type->element);
    if (details[detail].add_key)
        details[detail].add_key(type, key);
}

static struct type *type_copy(const struct type *type)
{
    enum type_detail detail = type_traits_of(type)->detail;
    struct type *copy = arena_copy(&types_arena, type, sizeof *type);
    if (details[detail].copy)
        details[detail].copy(copy);
    return copy;
}

// The one type equal to `type`; `name` is used when it is new. NULL for a name, which
// takes longer to spell than to look for the type: NULL if it is new.
const struct type *type_intern(const struct type *type, const char *name)
{
    assert(type->kind < TYPE_KIND_COUNT);
    struct str key = {0};
    type_key(type, &key);
    guard_lock(&types_lock);
    struct type *found = map_get_bytes(&types_by_key, key.text, key.len);
    if (!found && name) {
        found = type_copy(type);
        found->name = arena_strdup(&types_arena, name);
        found->weight = weight_of(found);
        found->id = types_count++;
        map_set_bytes(&types_by_key, key.text, key.len, found);
    }
    guard_unlock(&types_lock);
    str_finish(&key);
    return found;
}

// The one change that a type sees: until it has members no value of it is made.
void type_extension_place(const struct type *extension, const struct type *const *items,
        const char *const *names, size_t len, bool is_array)
{
    assert(extension->kind == TYPE_EXTENSION && !extension->tuple.names);
    guard_lock(&types_lock);
    struct type *placed = (struct type *)extension;
    placed->tuple.items = items;
    placed->tuple.names = names;
    placed->tuple.len = len;
    placed->tuple.is_array = is_array;
    copy_tuple(placed);
    placed->weight = weight_of(placed);
    guard_unlock(&types_lock);
}

const struct type *type_intern_named(const struct type *type, struct str *name)
{
    const struct type *interned = type_intern(type, str_text(name));
    str_finish(name);
    return interned;
}

static const struct type *type_plain(enum type_kind kind, const char *name)
{
    return type_intern(&(struct type){.kind = kind}, name);
}

static const struct type *type_number(enum type_kind kind, int bits, bool is_signed,
        const struct type *part, const char *name)
{
    return type_intern(
            &(struct type){
                    .kind = kind, .bits = bits, .is_signed = is_signed, .element = part},
            name);
}

static void make_numbers(void)
{
    type_bool = type_number(TYPE_BOOL, 1, false, NULL, "bool");
    type_int8 = type_number(TYPE_INT, 8, true, NULL, "int8");
    type_int16 = type_number(TYPE_INT, 16, true, NULL, "int16");
    type_int32 = type_number(TYPE_INT, 32, true, NULL, "int32");
    type_int64 = type_number(TYPE_INT, 64, true, NULL, "int64");
    type_uint8 = type_number(TYPE_INT, 8, false, NULL, "uint8");
    type_uint16 = type_number(TYPE_INT, 16, false, NULL, "uint16");
    type_uint32 = type_number(TYPE_INT, 32, false, NULL, "uint32");
    type_uint64 = type_number(TYPE_INT, 64, false, NULL, "uint64");
    type_float16 = type_number(TYPE_FLOAT, 16, true, NULL, "float16");
    type_bfloat16 = type_number(TYPE_BFLOAT, 16, true, type_uint16, "bfloat16");
    type_float32 = type_number(TYPE_FLOAT, 32, true, NULL, "float32");
    type_float64 = type_number(TYPE_FLOAT, 64, true, NULL, "float64");
    type_complex64 = type_number(TYPE_COMPLEX, 64, true, type_float32, "complex64");
    type_complex128 = type_number(TYPE_COMPLEX, 128, true, type_float64, "complex128");
}

// Before the first compilation and before the first value is looked at: everything else
// in this folder relies on these, type_is_... and the tables of parts included.
static void make_singletons(void)
{
    type_none = type_plain(TYPE_NONE, "none");
    make_numbers();
    type_string = type_plain(TYPE_STRING, "unicode_type");
    type_bytes = type_intern(
            &(struct type){.kind = TYPE_STRING, .bits = 8}, "bytes(uint8, 1d, C)");
    type_slice2 = type_intern(&(struct type){.kind = TYPE_SLICE}, "slice<a:b>");
    type_slice3 = type_intern(
            &(struct type){.kind = TYPE_SLICE, .has_step = true}, "slice<a:b:c>");
    type_dim3 = type_plain(TYPE_DIM3, "Dim3");
    type_voidptr = type_plain(TYPE_POINTER, "void*");
    type_ellipsis = type_plain(TYPE_ELLIPSIS, "...");
    type_module = type_plain(TYPE_MODULE, "Module");
    type_function = type_plain(TYPE_FUNCTION, "Function");
    type_dispatcher = type_plain(TYPE_DISPATCHER, "Dispatcher");
    type_exception = type_plain(TYPE_EXCEPTION, "ExceptionClass");
    type_caught = type_plain(TYPE_CAUGHT, "ExceptionInstance");
    type_pyobject = type_plain(TYPE_PYOBJECT, "pyobject");
}

void types_init(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_singletons);
}

// NULL: there is none of so many bits.
const struct type *type_int(int bits, bool is_signed)
{
    switch (bits) {
    case 8:
        return is_signed ? type_int8 : type_uint8;
    case 16:
        return is_signed ? type_int16 : type_uint16;
    case 32:
        return is_signed ? type_int32 : type_uint32;
    case 64:
        return is_signed ? type_int64 : type_uint64;
    default:
        return NULL;
    }
}

const struct type *type_float(int bits)
{
    return bits == 16   ? type_float16
           : bits == 32 ? type_float32
           : bits == 64 ? type_float64
                        : NULL;
}

const struct type *type_complex(int bits)
{
    return bits == 64 ? type_complex64 : bits == 128 ? type_complex128 : NULL;
}

bool type_is_number(const struct type *type)
{
    return type->kind == TYPE_BOOL || type->kind == TYPE_INT ||
           type->kind == TYPE_FLOAT || type->kind == TYPE_COMPLEX;
}

bool type_is_integer(const struct type *type)
{
    return type->kind == TYPE_BOOL || type->kind == TYPE_INT;
}

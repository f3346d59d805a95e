// SPDX-License-Identifier: MIT
// The interned types: makes each distinct type once, under a lock, and names it as numba
// does.
#include "compiler/typing/type.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/str.h"
#include "compiler/source.h"

const struct type *type_none, *type_bool, *type_int8, *type_int16, *type_int32,
        *type_int64, *type_uint8, *type_uint16, *type_uint32, *type_uint64, *type_float16,
        *type_float32, *type_float64, *type_complex64, *type_complex128, *type_string,
        *type_bytes, *type_slice2, *type_slice3, *type_dim3, *type_voidptr,
        *type_ellipsis, *type_module, *type_function, *type_dispatcher, *type_exception,
        *type_caught, *type_pyobject;

static pthread_mutex_t types_lock = PTHREAD_MUTEX_INITIALIZER;
static struct arena types_arena; // guarded by types_lock
static struct map types_by_key;  // guarded by types_lock
static uint32_t types_count;     // guarded by types_lock

static void key_add_items(struct str *key, const struct type *const *items, size_t len)
{
    str_append_bytes(key, items, len * sizeof *items);
}

static void key_add_fields(struct str *key, const struct type *type)
{
    str_printf(key, "%zu %d ", type->record.size_bytes, type->record.is_aligned);
    for (size_t i = 0; i < type->record.len; i++) {
        const struct type_field *field = &type->record.fields[i];
        str_printf(key, "%s %u %zu ", field->name, field->type->id, field->offset_bytes);
        for (int axis = 0; axis < field->ndim; axis++)
            str_printf(key, "%lld,", (long long)field->shape[axis]);
    }
}

static void type_cell_key(const struct type *type, struct str *key)
{
    str_printf(key, "%d ", type->cell.is_typed);
    str_append_bytes(key, &type->cell.value, sizeof type->cell.value);
    str_append_bytes(key, &type->cell.class, sizeof type->cell.class);
}

// What tells one type from another, as bytes.
static void type_key(const struct type *type, struct str *key)
{
    str_printf(
            key, "%d %d %d %d ", type->kind, type->bits, type->is_signed, type->has_step);
    str_append_bytes(key, &type->element, sizeof type->element);
    switch (type->kind) {
    case TYPE_TUPLE:
    case TYPE_ZIP:
    case TYPE_CHOICE:
        key_add_items(key, type->tuple.items, type->tuple.len);
        str_append_bytes(key, &type->tuple.class_object, sizeof type->tuple.class_object);
        break;
    case TYPE_ENUM:
        str_append_bytes(key, &type->enumeration.class_object,
                sizeof type->enumeration.class_object);
        break;
    case TYPE_TIME:
        str_printf(key, "%d %d", type->time.unit, type->time.is_delta);
        break;
    case TYPE_ARRAY:
        str_printf(key, "%d %d %d %d %d", type->array.ndim, type->array.layout,
                type->array.is_readonly, type->array.is_aligned,
                type->array.address_space);
        break;
    case TYPE_RECORD:
        key_add_fields(key, type);
        break;
    case TYPE_FUNCTION:
    case TYPE_LITERAL:
        str_append(key, type->function ? type->function : "");
        break;
    case TYPE_DISPATCHER:
        str_printf(
                key, "%llu", type->source ? (unsigned long long)type->source->serial : 0);
        break;
    case TYPE_CALLABLE:
    case TYPE_FOREIGN:
        key_add_items(key, type->tuple.items, type->tuple.len);
        break;
    case TYPE_CLOSURE:
    case TYPE_GENERATOR:
        str_printf(key, "%llu ", (unsigned long long)type->tuple.function->serial);
        key_add_items(key, type->tuple.items, type->tuple.len);
        break;
    case TYPE_LIST:
    case TYPE_SET:
    case TYPE_DICT:
    case TYPE_INSTANCE:
        type_cell_key(type, key);
        break;
    default:
        break;
    }
}

static const char *const *copy_names(const char *const *names, size_t len)
{
    const char **copies = arena_array(&types_arena, const char *, len + 1);
    for (size_t i = 0; i < len; i++)
        copies[i] = arena_strdup(&types_arena, names[i]);
    return copies;
}

static const struct type_member *copy_members(const struct type *type)
{
    size_t len = type->enumeration.len;
    struct type_member *copies = arena_array(&types_arena, struct type_member, len + 1);
    for (size_t i = 0; i < len; i++) {
        copies[i] = type->enumeration.members[i];
        copies[i].name = arena_strdup(&types_arena, copies[i].name);
        if (copies[i].text)
            copies[i].text =
                    arena_strndup(&types_arena, copies[i].text, copies[i].text_len);
    }
    return copies;
}

static struct type *type_copy(const struct type *type)
{
    struct type *copy = arena_copy(&types_arena, type, sizeof *type);
    if (type->kind == TYPE_TUPLE || type->kind == TYPE_ZIP ||
            type->kind == TYPE_CLOSURE || type->kind == TYPE_GENERATOR ||
            type->kind == TYPE_CHOICE || type->kind == TYPE_CALLABLE ||
            type->kind == TYPE_FOREIGN) {
        copy->tuple.items = arena_copy(&types_arena, type->tuple.items,
                type->tuple.len * sizeof *type->tuple.items);
        if (type->kind == TYPE_TUPLE && type->tuple.names)
            copy->tuple.names = copy_names(type->tuple.names, type->tuple.len);
    } else if (type->kind == TYPE_ENUM) {
        copy->enumeration.members = copy_members(type);
    } else if (type->kind == TYPE_RECORD) {
        struct type_field *fields = arena_copy(&types_arena, type->record.fields,
                type->record.len * sizeof *type->record.fields);
        for (size_t i = 0; i < type->record.len; i++)
            fields[i].name = arena_strdup(&types_arena, fields[i].name);
        copy->record.fields = fields;
    } else if (type_is_object(type)) {
        copy->cell.fields = arena_copy(&types_arena, type->cell.fields,
                type->cell.len * sizeof *type->cell.fields);
    } else if ((type->kind == TYPE_FUNCTION || type->kind == TYPE_LITERAL) &&
               type->function) {
        copy->function = arena_strdup(&types_arena, type->function);
    }
    return copy;
}

// The one type equal to `type`; `name` is used when it is new.
const struct type *type_intern(const struct type *type, const char *name)
{
    struct str key = {0};
    type_key(type, &key);
    pthread_mutex_lock(&types_lock);
    struct type *found = map_get_bytes(&types_by_key, key.text, key.len);
    if (!found) {
        found = type_copy(type);
        found->name = arena_strdup(&types_arena, name);
        found->id = types_count++;
        map_set_bytes(&types_by_key, key.text, key.len, found);
    }
    pthread_mutex_unlock(&types_lock);
    str_finish(&key);
    return found;
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
    type_float32 = type_number(TYPE_FLOAT, 32, true, NULL, "float32");
    type_float64 = type_number(TYPE_FLOAT, 64, true, NULL, "float64");
    type_complex64 = type_number(TYPE_COMPLEX, 64, true, type_float32, "complex64");
    type_complex128 = type_number(TYPE_COMPLEX, 128, true, type_float64, "complex128");
}

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

const struct type *type_cells(const struct type *text, size_t len)
{
    struct str name = {0};
    str_printf(&name, "[%s x %zu]", text == type_bytes ? "char" : "unichr", len);
    int bits = (int)len * (text == type_bytes ? 8 : 32);
    return type_intern_named(
            &(struct type){.kind = TYPE_CELLS, .element = text, .bits = bits}, &name);
}

static void name_add_items(struct str *name, const struct type *const *items, size_t len)
{
    for (size_t i = 0; i < len; i++)
        str_printf(name, "%s%s", i ? ", " : "", items[i]->name);
}

static bool items_are_equal(const struct type *const *items, size_t len)
{
    for (size_t i = 1; i < len; i++)
        if (items[i] != items[0])
            return false;
    return true;
}

const struct type *type_tuple(const struct type *const *items, size_t len)
{
    struct str name = {0};
    if (len && items_are_equal(items, len)) {
        str_printf(&name, "UniTuple(%s x %zu)", items[0]->name, len);
    } else {
        str_append(&name, "Tuple(");
        name_add_items(&name, items, len);
        str_append(&name, ")");
    }
    return type_intern_named(
            &(struct type){.kind = TYPE_TUPLE, .tuple = {.items = items, .len = len}},
            &name);
}

const struct type *type_named_tuple(const struct type *const *items,
        const char *const *names, size_t len, const char *class_name, void *class_object)
{
    struct str name = {0};
    str_printf(&name, "%s(", class_name);
    if (len && items_are_equal(items, len))
        str_printf(&name, "%s x %zu", items[0]->name, len);
    else
        name_add_items(&name, items, len);
    str_append(&name, ")");
    return type_intern_named(&(struct type){.kind = TYPE_TUPLE,
                                     .tuple = {.items = items,
                                             .len = len,
                                             .names = names,
                                             .class_object = class_object}},
            &name);
}

const struct type *type_tuple_like(
        const struct type *tuple, const struct type *const *items)
{
    if (!tuple->tuple.names)
        return type_tuple(items, tuple->tuple.len);
    struct str class_name = {0};
    str_append_bytes(&class_name, tuple->name, strcspn(tuple->name, "("));
    const struct type *named = type_named_tuple(items, tuple->tuple.names,
            tuple->tuple.len, str_text(&class_name), tuple->tuple.class_object);
    str_finish(&class_name);
    return named;
}

const struct type *type_enum(const struct type *element, const char *class_name,
        void *class_object, const struct type_member *members, size_t len, bool is_int)
{
    struct str name = {0};
    str_printf(
            &name, "%s<%s>(%s)", is_int ? "IntEnum" : "Enum", element->name, class_name);
    return type_intern_named(&(struct type){.kind = TYPE_ENUM,
                                     .element = element,
                                     .enumeration = {class_object, members, len, is_int}},
            &name);
}

const struct type *type_array(
        const struct type *dtype, int ndim, enum array_layout layout, bool is_readonly)
{
    return type_array_in(dtype, ndim, layout, is_readonly, true, 0);
}

const struct type *type_array_in(const struct type *dtype, int ndim,
        enum array_layout layout, bool is_readonly, bool is_aligned, int address_space)
{
    struct str name = {0};
    str_printf(&name, "%s%sarray(%s, %dd, %c)", is_aligned ? "" : "unaligned ",
            is_readonly ? "readonly " : "", dtype->name, ndim, "CFA"[layout]);
    struct type array = {.kind = TYPE_ARRAY, .element = dtype};
    array.array.ndim = ndim;
    array.array.layout = layout;
    array.array.is_readonly = is_readonly;
    array.array.is_aligned = is_aligned;
    array.array.address_space = address_space;
    return type_intern_named(&array, &name);
}

static const struct type *type_wrapping(
        enum type_kind kind, const struct type *element, const char *format)
{
    struct str name = {0};
    const char *hole = strchr(format, '%');
    str_append_bytes(&name, format, (size_t)(hole - format));
    str_append(&name, element->name);
    str_append(&name, hole + 1);
    return type_intern_named(&(struct type){.kind = kind, .element = element}, &name);
}

const struct type *type_optional(const struct type *element)
{
    if (element->kind == TYPE_OPTIONAL || element->kind == TYPE_NONE)
        return element;
    return type_wrapping(TYPE_OPTIONAL, element, "OptionalType(%)");
}

const struct type *type_range(const struct type *element)
{
    return type_wrapping(TYPE_RANGE, element, "range_state_%");
}

const struct type *type_enumerate(const struct type *iterable)
{
    return type_wrapping(TYPE_ENUMERATE, iterable, "enumerate(%)");
}

const struct type *type_zip(const struct type *const *iterables, size_t len)
{
    struct str name = {0};
    str_append(&name, "zip(");
    name_add_items(&name, iterables, len);
    str_append(&name, ")");
    return type_intern_named(
            &(struct type){.kind = TYPE_ZIP, .tuple = {.items = iterables, .len = len}},
            &name);
}

const struct type *type_iterator(const struct type *iterable)
{
    if (iterable->kind == TYPE_ITERATOR)
        return iterable;
    if (iterable->kind == TYPE_RANGE) {
        struct str name = {0};
        str_printf(&name, "range_iter_%s", iterable->element->name);
        return type_intern_named(
                &(struct type){.kind = TYPE_ITERATOR, .element = iterable}, &name);
    }
    return type_wrapping(TYPE_ITERATOR, iterable, "iter(%)");
}

const struct type *type_class(const struct type *instance)
{
    return type_wrapping(TYPE_CLASS, instance, "class(%)");
}

const struct type *type_method(const struct type *receiver)
{
    return type_wrapping(TYPE_METHOD, receiver, "BoundFunction(%)");
}

const struct type *type_pointer(const struct type *element)
{
    return element ? type_wrapping(TYPE_POINTER, element, "%*") : type_voidptr;
}

const struct type *type_function_of(const char *name)
{
    struct str text = {0};
    const char *dot = strrchr(name, '.');
    str_printf(&text, "Function(<built-in function %s>)", dot ? dot + 1 : name);
    return type_intern_named(
            &(struct type){.kind = TYPE_FUNCTION, .function = name}, &text);
}

const struct type *type_literal(const struct type *base, const char *text)
{
    struct str name = {0};
    str_printf(&name, "Literal[%s](%s)",
            base == type_bool        ? "bool"
            : base->kind == TYPE_INT ? "int"
                                     : "str",
            text);
    return type_intern_named(
            &(struct type){.kind = TYPE_LITERAL, .element = base, .function = text},
            &name);
}

const struct type *type_random_generator(void)
{
    struct str name = {0};
    str_append(&name, "NumPyRandomGeneratorType");
    const struct type *marker = type_literal(type_string, "random generator");
    return type_intern_named(
            &(struct type){.kind = TYPE_POINTER, .element = marker}, &name);
}

const struct type *type_dispatcher_of(struct source *source, const char *name)
{
    struct str text = {0};
    str_printf(&text, "type(CPUDispatcher(<function %s>))", name);
    return type_intern_named(
            &(struct type){.kind = TYPE_DISPATCHER, .source = source}, &text);
}

const struct type *type_closure(
        struct source *source, const struct type *const *items, size_t len)
{
    struct str text = {0};
    str_printf(&text, "type(closure(<function %s>))", source->name);
    struct type closure = {.kind = TYPE_CLOSURE};
    closure.tuple.items = items;
    closure.tuple.len = len;
    closure.tuple.function = source;
    return type_intern_named(&closure, &text);
}

const struct type *type_generator(struct source *source, const struct type *const *params,
        size_t count, const struct type *yields)
{
    struct str text = {0};
    str_printf(
            &text, "%s generator(func=<function %s>, args=(", yields->name, source->name);
    name_add_items(&text, params, count);
    str_append(&text, count == 1 ? ",), has_finalizer=True)" : "), has_finalizer=True)");
    struct type generator = {.kind = TYPE_GENERATOR, .element = yields};
    generator.tuple.items = params;
    generator.tuple.len = count;
    generator.tuple.function = source;
    return type_intern_named(&generator, &text);
}

const struct type *type_choice(const struct type *functions)
{
    struct str text = {0};
    str_printf(&text, "choice of %s", functions->name);
    const struct type *parts[] = {functions, type_int64};
    struct type choice = {.kind = TYPE_CHOICE};
    choice.tuple.items = parts;
    choice.tuple.len = 2;
    return type_intern_named(&choice, &text);
}

bool type_asks_generator(const struct type *iterable)
{
    switch (iterable->kind) {
    case TYPE_GENERATOR:
        return true;
    case TYPE_ITERATOR:
    case TYPE_ENUMERATE:
        return type_asks_generator(iterable->element);
    case TYPE_ZIP:
        for (size_t i = 0; i < iterable->tuple.len; i++)
            if (type_asks_generator(iterable->tuple.items[i]))
                return true;
        return false;
    default:
        return false;
    }
}

static void name_add_field_type(struct str *name, const struct type_field *field)
{
    if (!field->ndim) {
        str_append(name, field->type->name);
        return;
    }
    str_printf(name, "nestedarray(%s, (", field->type->name);
    for (int i = 0; i < field->ndim; i++)
        str_printf(name, "%s%lld", i ? ", " : "", (long long)field->shape[i]);
    str_append(name, field->ndim == 1 ? ",))" : "))");
}

const struct type *type_record(
        const struct type_field *fields, size_t len, size_t size_bytes, bool is_aligned)
{
    struct str name = {0};
    str_append(&name, "Record(");
    for (size_t i = 0; i < len; i++) {
        str_printf(&name, "%s%s[type=", i ? "," : "", fields[i].name);
        name_add_field_type(&name, &fields[i]);
        str_printf(&name, ";offset=%zu]", fields[i].offset_bytes);
    }
    str_printf(&name, ";%zu;%s)", size_bytes, is_aligned ? "True" : "False");
    struct type record = {.kind = TYPE_RECORD};
    record.record.fields = fields;
    record.record.len = len;
    record.record.size_bytes = size_bytes;
    record.record.is_aligned = is_aligned;
    return type_intern_named(&record, &name);
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

static const struct type *array_item(const struct type *array)
{
    if (array->array.ndim == 0)
        return NULL;
    if (array->array.ndim == 1 && array->element->kind == TYPE_CELLS)
        return NULL;
    if (array->array.ndim == 1 && array->element->kind != TYPE_RECORD)
        return array->element;
    bool is_item = array->array.ndim == 1; // a record: a view without dimensions
    enum array_layout layout =
            is_item || array->array.layout == LAYOUT_C ? LAYOUT_C : LAYOUT_A;
    return type_array_in(array->element, array->array.ndim - 1, layout,
            array->array.is_readonly, array->array.is_aligned,
            array->array.address_space);
}

static const struct type *zip_item(const struct type *zip)
{
    const struct type **items = memory_alloc(zip->tuple.len * sizeof *items);
    bool is_iterable = true;
    for (size_t i = 0; i < zip->tuple.len; i++) {
        items[i] = type_iterated(zip->tuple.items[i]);
        is_iterable = is_iterable && items[i];
    }
    const struct type *tuple = is_iterable ? type_tuple(items, zip->tuple.len) : NULL;
    free(items);
    return tuple;
}

const struct type *type_iterated(const struct type *iterable)
{
    switch (iterable->kind) {
    case TYPE_RANGE:
    case TYPE_GENERATOR:
        return iterable->element;
    case TYPE_ARRAY:
        return array_item(iterable);
    case TYPE_TUPLE:
        if (!iterable->tuple.len)
            return type_none; // for a loop that never runs
        return items_are_equal(iterable->tuple.items, iterable->tuple.len)
                       ? iterable->tuple.items[0]
                       : NULL;
    case TYPE_STRING:
        return iterable == type_bytes ? type_int64 : iterable;
    case TYPE_LIST:
    case TYPE_SET:
    case TYPE_DICT:
        return iterable->element;
    case TYPE_ENUMERATE: {
        const struct type *item = type_iterated(iterable->element);
        return item ? type_tuple((const struct type *[]){type_int64, item}, 2) : NULL;
    }
    case TYPE_ZIP:
        return zip_item(iterable);
    case TYPE_ITERATOR:
        return type_iterated(iterable->element);
    case TYPE_CLASS: // the members of an enum
        return iterable->element->kind == TYPE_ENUM ? iterable->element : NULL;
    default:
        return NULL;
    }
}

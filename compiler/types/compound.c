// SPDX-License-Identifier: MIT
// Types made of other types, and of functions and names: each with the name that numba
// gives it.
//
// Users read these names in messages and compare them, so their spelling is fixed. They
// do not tell types apart (type.c does), nor may anything be read out of them but what is
// said here. What a function is given needs to live for the call only: type_intern copies
// it.
#include "compiler/types/type.h"

#include <assert.h>
#include <string.h>

#include "base/str.h"
#include "compiler/types/source.h"

// NumPy's 'U' has characters of four bytes, 'S' of one. The length is in `bits`, so that
// abi_size needs not know the element.
const struct type *type_cells(const struct type *text, size_t len)
{
    assert(text == type_string || text == type_bytes);
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

bool types_are_equal(const struct type *const *items, size_t len)
{
    for (size_t i = 1; i < len; i++)
        if (items[i] != items[0])
            return false;
    return true;
}

// Of equal items numba has another name, and here it is the same kind: what is allowed
// for items of one type is asked of types_are_equal.
const struct type *type_tuple(const struct type *const *items, size_t len)
{
    struct type tuple = {.kind = TYPE_TUPLE, .tuple = {.items = items, .len = len}};
    const struct type *known = type_intern(&tuple, NULL);
    if (known)
        return known;
    struct str name = {0};
    if (len && types_are_equal(items, len)) {
        str_printf(&name, "UniTuple(%s x %zu)", items[0]->name, len);
    } else {
        str_append(&name, "Tuple(");
        name_add_items(&name, items, len);
        str_append(&name, ")");
    }
    return type_intern_named(&tuple, &name);
}

// The name begins with the class's, up to the parenthesis: type_tuple_like and
// print_value rely on that.
const struct type *type_named_tuple(const struct type *const *items,
        const char *const *names, size_t len, const char *class_name, void *class_object,
        const struct constant *defaults)
{
    struct str name = {0};
    str_printf(&name, "%s(", class_name);
    if (len && types_are_equal(items, len))
        str_printf(&name, "%s x %zu", items[0]->name, len);
    else
        name_add_items(&name, items, len);
    str_append(&name, ")");
    return type_intern_named(&(struct type){.kind = TYPE_TUPLE,
                                     .tuple = {.items = items,
                                             .len = len,
                                             .names = names,
                                             .class_object = class_object,
                                             .defaults = defaults}},
            &name);
}

const struct type *type_vector(const struct type *named)
{
    assert(named->kind == TYPE_TUPLE && named->tuple.names && named->tuple.len);
    struct str name = {0};
    str_append(&name, named->name);
    struct type vector = {.kind = TYPE_TUPLE, .element = named->tuple.items[0]};
    vector.tuple = named->tuple;
    return type_intern_named(&vector, &name);
}

const struct type *type_tuple_like(
        const struct type *tuple, const struct type *const *items)
{
    assert(tuple->kind == TYPE_TUPLE);
    if (tuple->element && items[0] == tuple->element &&
            types_are_equal(items, tuple->tuple.len))
        return tuple;
    if (!tuple->tuple.names)
        return type_tuple(items, tuple->tuple.len);
    struct str class_name = {0};
    str_append_bytes(&class_name, tuple->name, strcspn(tuple->name, "("));
    const struct type *named = type_named_tuple(items, tuple->tuple.names,
            tuple->tuple.len, str_text(&class_name), tuple->tuple.class_object,
            tuple->tuple.defaults);
    str_finish(&class_name);
    return named;
}

const struct type *type_extension(const char *name, void *object)
{
    assert(object);
    return type_intern(
            &(struct type){.kind = TYPE_EXTENSION, .tuple = {.class_object = object}},
            name);
}

int type_extension_member(const struct type *extension, const char *name)
{
    assert(extension->kind == TYPE_EXTENSION);
    for (size_t i = 0; i < extension->tuple.len; i++)
        if (!strcmp(extension->tuple.names[i], name))
            return (int)i;
    return -1;
}

bool type_has_extension(const struct type *type)
{
    for (size_t i = 0; type->kind == TYPE_TUPLE && i < type->tuple.len; i++)
        if (type_has_extension(type->tuple.items[i]))
            return true;
    return type->kind == TYPE_EXTENSION ||
           (type->kind == TYPE_OPTIONAL && type_has_extension(type->element));
}

// Lists and dicts of such arrays are none: NumPy's functions take tuples of arrays.
bool type_has_own_array(const struct type *type)
{
    for (size_t i = 0; type->kind == TYPE_TUPLE && i < type->tuple.len; i++)
        if (type_has_own_array(type->tuple.items[i]))
            return true;
    return (type->kind == TYPE_EXTENSION && type->tuple.is_array) ||
           (type->kind == TYPE_OPTIONAL && type_has_own_array(type->element));
}

// A member is its value wherever it lies: an element, which may be a string, or for
// values that compiled code cannot have its number among the members.
const struct type *type_enum(const struct type *element, const char *class_name,
        const struct type_enumeration *enumeration)
{
    struct str name = {0};
    str_printf(&name, "%s<%s>(%s)", enumeration->is_int ? "IntEnum" : "Enum",
            element->name, class_name);
    return type_intern_named(
            &(struct type){
                    .kind = TYPE_ENUM, .element = element, .enumeration = *enumeration},
            &name);
}

struct constant type_member_value(const struct type *enumeration, size_t i)
{
    const struct type_member *member = &enumeration->enumeration.members[i];
    struct constant constant = {.type = enumeration->element};
    if (constant.type->kind == TYPE_FLOAT)
        constant.real = member->real;
    else if (constant.type->kind != TYPE_STRING)
        constant.integer = member->integer;
    else {
        constant.string.text = member->text;
        constant.string.len = member->text_len;
    }
    return constant;
}

const struct type *type_array(
        const struct type *dtype, int ndim, enum array_layout layout, bool is_readonly)
{
    return type_array_in(dtype, ndim, layout, is_readonly, true, 0);
}

// Items of packed records lie anywhere, so an array of them never counts as aligned:
// loads by compiled code then assume nothing of addresses. The address space is a
// device's, and no part of the name, as numba has none there.
const struct type *type_array_in(const struct type *dtype, int ndim,
        enum array_layout layout, bool is_readonly, bool is_aligned, int address_space)
{
    assert(dtype && ndim >= 0 && layout <= LAYOUT_A && address_space >= 0);
    struct str name = {0};
    is_aligned = is_aligned && (dtype->kind != TYPE_RECORD || dtype->record.is_aligned);
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
    assert(element && hole);
    str_append_bytes(&name, format, (size_t)(hole - format));
    str_append(&name, element->name);
    str_append(&name, hole + 1);
    return type_intern_named(&(struct type){.kind = kind, .element = element}, &name);
}

// There are no optionals of optionals: None is one value.
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

const struct type *type_index(int ndim)
{
    const struct type **items = memory_alloc(((size_t)ndim + 1) * sizeof *items);
    for (int i = 0; i < ndim; i++)
        items[i] = type_int64;
    const struct type *type = type_tuple(items, (size_t)ndim);
    free(items);
    return type;
}

const struct type *type_indices(const struct type *index)
{
    return type_wrapping(TYPE_INDICES, index, "indices(%)");
}

const struct type *type_views(const struct type *array)
{
    return type_wrapping(TYPE_VIEWS, array, "views(%)");
}

const struct type *type_flat(const struct type *array)
{
    return type_wrapping(TYPE_FLAT, array, "flat(%)");
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

// An iterator over an iterator is itself, as iter() has it.
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

const struct type *type_meminfo(const struct type *element)
{
    return type_wrapping(TYPE_MEMINFO, element, "memory-managed *%");
}

// The whole dotted name is the identity ("numpy.sum"), its end is shown.
const struct type *type_function_of(const char *name)
{
    struct str text = {0};
    const char *dot = strrchr(name, '.');
    str_printf(&text, "Function(<built-in function %s>)", dot ? dot + 1 : name);
    return type_intern_named(
            &(struct type){.kind = TYPE_FUNCTION, .function = name}, &text);
}

const struct type *type_module_of(const char *name)
{
    struct str text = {0};
    str_printf(&text, "Module(%s)", name);
    return type_intern_named(
            &(struct type){.kind = TYPE_MODULE, .function = name}, &text);
}

// Equal texts of unlike bases are different types: Literal[int](1), Literal[str](1).
const struct type *type_literal(const struct type *base, const char *text)
{
    struct str name = {0};
    str_printf(&name, "Literal[%s](%s)",
            base == type_bool          ? "bool"
            : base->kind == TYPE_INT   ? "int"
            : base->kind == TYPE_TUPLE ? "tuple"
                                       : "str",
            text);
    return type_intern_named(
            &(struct type){.kind = TYPE_LITERAL, .element = base, .function = text},
            &name);
}

const struct type *type_omitted(const struct type *base, const char *text)
{
    struct str name = {0};
    str_printf(&name, "omitted(default=%s)", text);
    return type_intern_named(
            &(struct type){.kind = TYPE_OMITTED, .element = base, .function = text},
            &name);
}

// Told from other pointers by its element, which no pointer of the user's has.
const struct type *type_random_generator(void)
{
    struct str name = {0};
    str_append(&name, "NumPyRandomGeneratorType");
    const struct type *marker = type_literal(type_string, "random generator");
    return type_intern_named(
            &(struct type){.kind = TYPE_POINTER, .element = marker}, &name);
}

// Two functions of one name are two types, for each compiles what takes it anew.
const struct type *type_dispatcher_of(struct source *source, const char *name)
{
    struct str text = {0};
    str_printf(&text, "type(CPUDispatcher(<function %s>))", name);
    return type_intern_named(
            &(struct type){.kind = TYPE_DISPATCHER, .source = source}, &text);
}

// The items are what the function captured. Without any it is a known function, like a
// dispatcher (type_is_known_function).
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
    assert(yields);
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

// As a tuple it is laid out like its parts: the functions have no registers, their number
// has one.
const struct type *type_choice(const struct type *functions)
{
    assert(functions->kind == TYPE_TUPLE && functions->tuple.len);
    struct str text = {0};
    str_printf(&text, "choice of %s", functions->name);
    const struct type *parts[] = {functions, type_int64};
    struct type choice = {.kind = TYPE_CHOICE};
    choice.tuple.items = parts;
    choice.tuple.len = 2;
    return type_intern_named(&choice, &text);
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

// Fields may overlap or leave gaps: NumPy's offsets and size are taken as they are.
const struct type *type_record(
        const struct type_field *fields, size_t len, size_t size_bytes, bool is_aligned)
{
    struct str name = {0};
    str_append(&name, "Record(");
    for (size_t i = 0; i < len; i++) {
        assert(fields[i].type && fields[i].ndim <= MAX_FIELD_NDIM);
        str_printf(&name, "%s%s[type=", i ? "," : "", fields[i].name);
        name_add_field_type(&name, &fields[i]);
        str_printf(&name, ";offset=%zu", fields[i].offset_bytes);
        if (fields[i].title)
            str_printf(&name, ";title=%s", fields[i].title);
        str_append(&name, "]");
    }
    str_printf(&name, ";%zu;%s)", size_bytes, is_aligned ? "True" : "False");
    struct type record = {.kind = TYPE_RECORD};
    record.record.fields = fields;
    record.record.len = len;
    record.record.size_bytes = size_bytes;
    record.record.is_aligned = is_aligned;
    return type_intern_named(&record, &name);
}

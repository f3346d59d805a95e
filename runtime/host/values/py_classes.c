// SPDX-License-Identifier: MIT
// Values with a Python class of their own: members of enums, and named tuples.
#include "base/py.h"

#include <string.h>

#include "runtime/host/values/py_values.h"

enum { MAX_MEMBERS = 256, MAX_ITEMS = 64 };

// --- Enums

// Whether `object` is an instance (or, with is_class, a subclass) of enum.`name`; no
// exception is left.
static bool is_of_enum(PyObject *object, const char *name, bool is_class)
{
    PyObject *module = NULL;
    if (py_dict_get_text(PyImport_GetModuleDict(), "enum", &module) <= 0)
        return false;
    PyObject *class = PyObject_GetAttrString(module, name);
    int is_so = !class ? 0
                : is_class
                        ? PyType_Check(object) && PyObject_IsSubclass(object, class) == 1
                        : PyObject_IsInstance(object, class) == 1;
    Py_DECREF(module);
    Py_XDECREF(class);
    py_error_drop();
    return is_so;
}

// An int or bool; those beyond int64 keep their bits.
static bool read_integer(PyObject *value, int64_t *out)
{
    int overflow = 0;
    *out = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow)
        *out = (int64_t)PyLong_AsUnsignedLongLong(value);
    return !PyErr_Occurred();
}

static bool read_value(
        PyObject *value, const struct type *element, struct type_member *member)
{
    Py_ssize_t len = 0;
    if (element->kind == TYPE_STRING) {
        member->text = PyUnicode_AsUTF8AndSize(value, &len);
        member->text_len = (size_t)len;
        return member->text;
    }
    if (element->kind == TYPE_FLOAT)
        member->real = PyFloat_AsDouble(value);
    return element->kind == TYPE_FLOAT ? !PyErr_Occurred()
                                       : read_integer(value, &member->integer);
}

static const struct type *plain_value(PyObject *value)
{
    return PyBool_Check(value)      ? type_bool
           : PyLong_Check(value)    ? type_int64
           : PyFloat_Check(value)   ? type_float64
           : PyUnicode_Check(value) ? type_string
                                    : NULL;
}

// One member into the list; *element becomes the type that holds all values.
static bool add_member(PyObject *item, const struct type **element,
        struct type_member *members, size_t count)
{
    PyObject *name = PyObject_GetAttrString(item, "name");
    PyObject *value = name ? PyObject_GetAttrString(item, "value") : NULL;
    const struct type *type = value ? plain_value(value) : NULL;
    const struct type *common = !*element ? type
                                : type    ? type_unify(*element, type)
                                          : NULL;
    bool done = common && (!*element || common == *element || !count);
    if (done) {
        *element = common;
        members[count].name = PyUnicode_AsUTF8(name); // kept by the class
        done = members[count].name && read_value(value, common, &members[count]);
    }
    Py_XDECREF(name);
    Py_XDECREF(value);
    return done;
}

// Values that have no type of numbers or text in common: a member is its number in order.
static bool number_member(PyObject *item, const struct type **element,
        struct type_member *members, size_t count)
{
    PyObject *name = PyObject_GetAttrString(item, "name");
    *element = type_int64;
    members[count].name = name ? PyUnicode_AsUTF8(name) : NULL; // kept by the class
    members[count].integer = (int64_t)count;
    Py_XDECREF(name);
    return members[count].name;
}

// What a method of the member's class says, which a program may have written: a copy for
// ever, or NULL.
static const char *text_of_member(PyObject *text)
{
    const char *utf8 = text && PyUnicode_Check(text) ? PyUnicode_AsUTF8(text) : NULL;
    const char *copy = utf8 ? strdup(utf8) : NULL;
    Py_XDECREF(text);
    py_error_drop();
    return copy;
}

static void add_texts(PyObject *item, struct type_member *member)
{
    member->shown = text_of_member(PyObject_Str(item));
    member->told = text_of_member(PyObject_Repr(item));
}

static bool read_members(PyObject *class, bool is_numbered, const struct type **element,
        struct type_member *members, size_t *count)
{
    PyObject *iterator = PyObject_GetIter(class), *item = NULL;
    bool done = iterator != NULL;
    for (*count = 0; done && (item = PyIter_Next(iterator)); ++*count) {
        done = *count < MAX_MEMBERS &&
               (is_numbered ? number_member(item, element, members, *count)
                            : add_member(item, element, members, *count));
        if (done)
            add_texts(item, &members[*count]);
        Py_DECREF(item);
    }
    Py_XDECREF(iterator);
    return done && !PyErr_Occurred();
}

static bool has_same(PyObject *class, PyObject *other, const char *name)
{
    PyObject *own = PyObject_GetAttrString(class, name);
    PyObject *others = PyObject_GetAttrString(other, name);
    bool is_same = own && own == others;
    Py_XDECREF(own);
    Py_XDECREF(others);
    return is_same;
}

// By whose __format__() members are formatted: Enum's, their value's, or one that
// somebody wrote.
static enum enum_format format_of(PyObject *class)
{
    PyObject *module = PyImport_ImportModule("enum");
    PyObject *base = module ? PyObject_GetAttrString(module, "Enum") : NULL;
    PyTypeObject *values[] = {&PyLong_Type, &PyUnicode_Type, &PyFloat_Type};
    enum enum_format format = base && has_same(class, base, "__format__")
                                      ? FORMAT_AS_TEXT
                                      : FORMAT_BY_CLASS;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (PyType_IsSubtype((PyTypeObject *)class, values[i]) &&
                has_same(class, (PyObject *)values[i], "__format__"))
            format = FORMAT_AS_VALUE;
    Py_XDECREF(module);
    Py_XDECREF(base);
    return format;
}

static enum flag_boundary boundary_of(PyObject *class)
{
    static const char *const names[] = {"STRICT", "CONFORM", "EJECT", "KEEP"};
    PyObject *boundary = PyObject_GetAttrString(class, "_boundary_");
    PyObject *name = boundary ? PyObject_GetAttrString(boundary, "name") : NULL;
    enum flag_boundary found = BOUNDARY_STRICT;
    for (size_t i = 0; name && PyUnicode_Check(name) && i < 4; i++)
        if (!PyUnicode_CompareWithASCIIString(name, names[i]))
            found = (enum flag_boundary)i;
    Py_XDECREF(boundary);
    Py_XDECREF(name);
    return found;
}

static void read_flag(PyObject *class, struct type_enumeration *enumeration)
{
    PyObject *mask = PyObject_GetAttrString(class, "_flag_mask_");
    enumeration->boundary = boundary_of(class);
    if (!mask || !read_integer(mask, &enumeration->mask))
        enumeration->mask = 0;
    Py_XDECREF(mask);
}

static const struct type *make_enum(PyObject *class)
{
    struct type_member members[MAX_MEMBERS] = {{0}};
    struct type_enumeration enumeration = {.class_object = class, .members = members};
    const struct type *element = NULL;
    bool done = read_members(class, false, &element, members, &enumeration.len);
    enumeration.is_numbered = !done;
    if (enumeration.is_numbered) {
        py_error_drop();
        done = read_members(class, true, &element, members, &enumeration.len);
    }
    bool has_numbers =
            done && element && element->kind == TYPE_INT && !enumeration.is_numbered;
    enumeration.is_int =
            has_numbers && PyType_IsSubtype((PyTypeObject *)class, &PyLong_Type);
    enumeration.is_flag = has_numbers && is_of_enum(class, "Flag", true);
    enumeration.format = format_of(class);
    if (enumeration.is_flag)
        read_flag(class, &enumeration);
    const struct type *type = NULL;
    PyObject *name = PyObject_GetAttrString(class, "__name__");
    if (done && element && name && !PyErr_Occurred())
        type = type_enum(element, PyUnicode_AsUTF8(name), &enumeration);
    Py_XDECREF(name);
    py_error_drop();
    return type;
}

// Types of classes once they are made; the classes live as long.
static PyObject *known_classes(void)
{
    return py_dict_at(&py_runtime()->classes);
}

const struct type *py_type_of_enum(PyObject *class)
{
    PyObject *known = known_classes(), *found = NULL;
    if (known && py_dict_get(known, class, &found) > 0) {
        const struct type *type = PyLong_AsVoidPtr(found);
        Py_DECREF(found);
        return type;
    }
    py_error_drop();
    if (!known || !is_of_enum(class, "Enum", true))
        return NULL;
    const struct type *type = make_enum(class);
    PyObject *address = type ? PyLong_FromVoidPtr((void *)type) : NULL;
    if (!address || PyDict_SetItem(known, class, address) < 0)
        type = NULL;
    Py_XDECREF(address);
    py_error_drop();
    return type;
}

PyObject *py_enum_member(const struct type *type, int64_t number)
{
    PyObject *members = PySequence_List(type->enumeration.class_object);
    PyObject *member = members ? py_list_get(members, (Py_ssize_t)number) : NULL;
    Py_XDECREF(members);
    return member;
}

bool py_enum_number(const struct type *type, PyObject *member, int64_t *number)
{
    PyObject *members = PySequence_List(type->enumeration.class_object);
    *number = -1;
    for (Py_ssize_t i = 0; members && i < PyList_GET_SIZE(members); i++)
        if (PyList_GET_ITEM(members, i) == member) // borrowed: compared only
            *number = i;
    if (members && *number < 0)
        PyErr_Format(
                PyExc_TypeError, "expected a member of %s, got %R", type->name, member);
    Py_XDECREF(members);
    return *number >= 0;
}

const struct type *py_typeof_enum(PyObject *value)
{
    return py_type_of_enum((PyObject *)Py_TYPE(value));
}

// --- Named tuples

// The names of a named tuple's class: how many, or -1 when it is none. The texts are
// borrowed from the class.
static Py_ssize_t read_names(PyObject *class, const char **names)
{
    int failed;
    PyObject *fields = py_attr_or_null(class, "_fields", &failed);
    Py_ssize_t count = fields && PyTuple_Check(fields) ? PyTuple_GET_SIZE(fields) : -1;
    for (Py_ssize_t i = 0; i < count && count <= MAX_ITEMS; i++) {
        PyObject *field = PyTuple_GET_ITEM(fields, i);
        names[i] = PyUnicode_Check(field) ? PyUnicode_AsUTF8(field) : NULL;
        if (!names[i])
            count = -1;
    }
    Py_XDECREF(fields);
    py_error_drop();
    return count <= MAX_ITEMS ? count : -1;
}

// What the class of a vector says that all its items are; NULL for other classes.
static const struct type *declared_element(PyObject *class)
{
    int failed;
    PyObject *element = py_attr_or_null(class, "__gridcell_element__", &failed);
    const struct type *declared = element ? py_type_get(element) : NULL;
    Py_XDECREF(element);
    py_error_drop();
    return declared;
}

// Numbers, texts and None. A text lives as long as the object.
static void simple_constant(PyObject *value, struct constant *out)
{
    int overflow = 0;
    if (value == Py_None) {
        *out = (struct constant){.type = type_none};
    } else if (PyBool_Check(value)) {
        *out = (struct constant){.type = type_bool, .integer = value == Py_True};
    } else if (PyLong_CheckExact(value)) {
        int64_t number = PyLong_AsLongLongAndOverflow(value, &overflow);
        if (!overflow)
            *out = (struct constant){.type = type_int64, .integer = number};
    } else if (PyFloat_CheckExact(value)) {
        *out = (struct constant){.type = type_float64, .real = PyFloat_AsDouble(value)};
    } else if (PyUnicode_CheckExact(value)) {
        Py_ssize_t len;
        const char *text = PyUnicode_AsUTF8AndSize(value, &len);
        if (text)
            *out = (struct constant){.type = type_string, .string = {text, (size_t)len}};
    }
}

// Whether the class has any. Those that are none of the simple ones have no type.
static bool read_defaults(PyObject *class, const char *const *names, size_t count,
        struct constant *defaults)
{
    int failed;
    PyObject *given = py_attr_or_null(class, "_field_defaults", &failed);
    bool has_any = given && PyDict_Check(given) && PyDict_GET_SIZE(given) > 0;
    for (size_t i = 0; has_any && i < count; i++) {
        PyObject *value = NULL;
        defaults[i] = (struct constant){0};
        if (py_dict_get_text(given, names[i], &value) > 0)
            simple_constant(value, &defaults[i]);
        Py_XDECREF(value); // the dict has it, too
    }
    Py_XDECREF(given);
    py_error_drop();
    return has_any;
}

static const struct type *make_named(PyObject *class, const struct type *const *items,
        const char *const *names, size_t count)
{
    PyObject *known = known_classes(), *name = PyObject_GetAttrString(class, "__name__");
    const char *text = name ? PyUnicode_AsUTF8(name) : NULL;
    const struct type *type = NULL;
    struct constant defaults[MAX_ITEMS];
    if (known && text && PyDict_SetItem(known, class, Py_None) == 0)
        type = type_named_tuple(items, names, count, text, class,
                read_defaults(class, names, count, defaults) ? defaults : NULL);
    Py_XDECREF(name);
    py_error_drop();
    return type && count && items[0] == declared_element(class) ? type_vector(type)
                                                                : type;
}

const struct type *py_typeof_named_tuple(PyObject *value)
{
    PyObject *class = (PyObject *)Py_TYPE(value);
    const char *names[MAX_ITEMS];
    const struct type *items[MAX_ITEMS];
    Py_ssize_t count = read_names(class, names);
    if (count < 0 || count != PyTuple_GET_SIZE(value))
        return type_pyobject;
    for (Py_ssize_t i = 0; i < count; i++) {
        items[i] = py_typeof(PyTuple_GET_ITEM(value, i));
        if (items[i] == type_pyobject)
            return type_pyobject;
    }
    const struct type *type = make_named(class, items, names, (size_t)count);
    return type ? type : type_pyobject;
}

const struct type *py_type_of_named_tuple(PyObject *class)
{
    const char *names[MAX_ITEMS];
    const struct type *items[MAX_ITEMS];
    if (!PyType_IsSubtype((PyTypeObject *)class, &PyTuple_Type))
        return NULL;
    Py_ssize_t count = read_names(class, names);
    const struct type *declared = declared_element(class);
    for (Py_ssize_t i = 0; i < count; i++)
        items[i] = declared ? declared : type_pyobject; // known where it is called
    return count < 0 ? NULL : make_named(class, items, names, (size_t)count);
}

// named_tuple_type(class, types): the type of its tuples whose fields have these types
static PyObject *module_named_tuple(PyObject *module, PyObject *args)
{
    const char *names[MAX_ITEMS];
    const struct type **items = NULL, *type = NULL;
    PyObject *class, *types;
    size_t count = 0;
    if (!PyArg_ParseTuple(args, "OO", &class, &types) ||
            !py_types_from_sequence(types, &items, &count))
        return NULL;
    bool is_class =
            PyType_Check(class) && PyType_IsSubtype((PyTypeObject *)class, &PyTuple_Type);
    if (is_class && read_names(class, names) == (Py_ssize_t)count)
        type = make_named(class, items, names, count);
    PyMem_Free(items);
    if (!type)
        return PyErr_Format(PyExc_TypeError,
                "%R is no class of named tuples with %zu fields", class, count);
    return py_type_wrap(type);
}

// literal_parts(type): the value and its type, of a type of one value
static PyObject *module_literal_parts(PyObject *module, PyObject *object)
{
    const struct type *type = py_type_get(object), *base = type ? type->element : NULL;
    if (!type || type->kind != TYPE_LITERAL || !base || base->kind == TYPE_TUPLE)
        return PyErr_Format(PyExc_TypeError, "%R is no type of one value", object);
    PyObject *value = base == type_string ? PyUnicode_FromString(type->function)
                      : base == type_bool ? PyBool_FromLong(type->function[0] == 'T')
                                          : PyLong_FromString(type->function, NULL, 10);
    return value ? Py_BuildValue("(NN)", value, py_type_wrap(base)) : NULL;
}

// set_literal_types(classes): those of types of one int, one bool and one str, and that
// of what stands for an argument that was left out
static PyObject *module_literal_types(PyObject *module, PyObject *classes)
{
    if (!PyTuple_Check(classes) || PyTuple_GET_SIZE(classes) != 4)
        return PyErr_Format(PyExc_TypeError, "four classes are needed, not %R", classes);
    Py_XSETREF(py_runtime()->literal_types, Py_NewRef(classes));
    Py_RETURN_NONE;
}

PyMethodDef py_classes_functions[] = {
        {"literal_parts", module_literal_parts, METH_O,
                "The value that a literal type stands for, and the type of it."},
        {"set_literal_types", module_literal_types, METH_O,
                "Has types of one value be of these classes."},
        {"named_tuple_type", module_named_tuple, METH_VARARGS,
                "The type of a namedtuple's class with these types of fields."},
        {0},
};

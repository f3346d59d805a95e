// SPDX-License-Identifier: MIT
// numba.types.Type: a type as a Python object. It can be called (a signature, or a cast
// of a value), indexed (an array type), compared, hashed, pickled, and named.
#include "base/py.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "base/str.h"
#include "runtime/host/values/py_extension.h"
#include "runtime/host/values/py_type_attributes.h"
#include "runtime/host/values/py_values.h"

static void make_room(struct runtime *runtime, const struct type *type)
{
    if (type->id >= runtime->type_object_count) {
        size_t count = (size_t)type->id * 2 + 64;
        runtime->type_objects = memory_realloc(
                runtime->type_objects, count * sizeof *runtime->type_objects);
        memset(runtime->type_objects + runtime->type_object_count, 0,
                (count - runtime->type_object_count) * sizeof *runtime->type_objects);
        runtime->type_object_count = count;
    }
}

void py_type_set_object(const struct type *type, PyObject *object)
{
    struct runtime *runtime = py_runtime();
    make_room(runtime, type);
    assert(!runtime->type_objects[type->id]);
    runtime->type_objects[type->id] = Py_NewRef(object);
}

PyObject *py_type_wrap(const struct type *type)
{
    struct runtime *runtime = py_runtime();
    make_room(runtime, type);
    PyObject *known = runtime->type_objects[type->id];
    if (known)
        return Py_NewRef(known);
    PyTypeObject *class = py_type_class(type);
    struct py_type *self = (struct py_type *)class->tp_alloc(class, 0);
    if (!self)
        return NULL;
    self->type = type;
    runtime->type_objects[type->id] = Py_NewRef((PyObject *)self);
    return (PyObject *)self;
}

const struct type *py_type_get(PyObject *object)
{
    struct runtime *runtime = py_runtime();
    if (!PyObject_TypeCheck(object, runtime->type_type))
        return NULL;
    const struct type *type = ((struct py_type *)object)->type;
    return type ? type : py_extension_type(object);
}

PyObject *py_type_tuple(const struct type *const *types, size_t count)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t i = 0; tuple && i < count; i++) {
        PyObject *item = py_type_wrap(types[i]);
        py_tuple_put(&tuple, (Py_ssize_t)i, item);
    }
    return tuple;
}

PyObject *py_ambiguity(PyObject *function, const struct type *const *types, size_t count)
{
    PyObject *given = py_type_tuple(types, count);
    PyObject *text = given ? PyUnicode_FromFormat(
                                     "Ambiguous overloading for %R %R:", function, given)
                           : NULL;
    Py_XDECREF(given);
    return text;
}

void py_ambiguity_add(PyObject **text, const struct type *const *params, size_t count,
        const struct type *returns)
{
    PyObject *listed = *text ? py_type_tuple(params, count) : NULL;
    PyObject *longer =
            listed ? PyUnicode_FromFormat("%U\n%R -> %s", *text, listed, returns->name)
                   : NULL;
    Py_XDECREF(listed);
    Py_XSETREF(*text, longer);
}

// A literal stands for the type of its value (numba/core/types.py).
const struct type *py_type_or_literal(PyObject *item)
{
    const struct type *type = py_type_get(item);
    int failed = 0;
    PyObject *plain = type ? NULL : py_attr_or_null(item, "literal_type", &failed);
    if (plain)
        type = py_type_get(plain);
    Py_XDECREF(plain);
    py_error_drop();
    return type;
}

bool py_types_from_sequence(PyObject *sequence, const struct type ***types, size_t *count)
{
    PyObject *items = PySequence_Tuple(sequence);
    if (!items)
        return false;
    Py_ssize_t len = PyTuple_GET_SIZE(items);
    const struct type **list = PyMem_Calloc((size_t)len + 1, sizeof *list);
    bool done = list != NULL;
    for (Py_ssize_t i = 0; done && i < len; i++) {
        PyObject *item = PyTuple_GET_ITEM(items, i);
        list[i] = py_type_or_literal(item);
        if (!list[i]) {
            PyErr_Format(PyExc_TypeError,
                    "invalid type in signature: expected a type instance, got %R", item);
            done = false;
        } else {
            list[i] = py_argument_type(list[i]);
        }
    }
    Py_DECREF(items);
    if (!done) {
        PyMem_Free(list);
        return false;
    }
    *types = list;
    *count = (size_t)len;
    return true;
}

// The type of an object that has one: not before its __init__ is done. NULL with
// TypeError set.
static const struct type *own_type(PyObject *self)
{
    const struct type *type = py_type_get(self);
    if (!type)
        PyErr_Format(PyExc_TypeError,
                "this %s is no type yet: its __init__ has to call that of Type with a "
                "name",
                Py_TYPE(self)->tp_name);
    return type;
}

static PyObject *type_repr(PyObject *self)
{
    const struct type *type = py_type_get(self);
    return type ? PyUnicode_FromString(type->name)
                : PyUnicode_FromFormat("<a %s without a name>", Py_TYPE(self)->tp_name);
}

static Py_hash_t type_hash(PyObject *self)
{
    const struct type *type = own_type(self);
    return type ? (Py_hash_t)type->id * 2654435761 + 1 : -1;
}

static PyObject *type_richcompare(PyObject *self, PyObject *other, int op)
{
    const struct type *a = own_type(self), *b = py_type_get(other);
    if (!a)
        return NULL;
    if (b && (op == Py_EQ || op == Py_NE))
        return PyBool_FromLong((a == b) == (op == Py_EQ));
    // numbers of one kind have an order: their widths
    if (!b || a->kind != b->kind || a->is_signed != b->is_signed || !type_is_number(a))
        Py_RETURN_NOTIMPLEMENTED;
    Py_RETURN_RICHCOMPARE(a->bits, b->bits, op);
}

// NPDatetime("D")("2020-01-31"): NumPy's own, of that unit.
static PyObject *cast_time(const struct type *type, PyObject *value)
{
    const char *unit = strchr(type->name, '[');
    PyObject *class =
            py_import_attr("numpy", type->time.is_delta ? "timedelta64" : "datetime64");
    PyObject *result = NULL;
    if (class && unit && unit[1] != ']')
        result = PyObject_CallFunction(class, "ON", value,
                PyUnicode_FromStringAndSize(unit + 1, (Py_ssize_t)strlen(unit) - 2));
    else if (class)
        result = PyObject_CallOneArg(class, value);
    Py_XDECREF(class);
    return result;
}

// int32(3.7): what numba makes of a value outside compiled code.
static PyObject *cast_value(const struct type *type, PyObject *value)
{
    if (type->kind == TYPE_BOOL) {
        int truth = PyObject_IsTrue(value);
        return truth < 0 ? NULL : PyBool_FromLong(truth);
    }
    if (type->kind == TYPE_TIME)
        return cast_time(type, value);
    bool is_bfloat = type->kind == TYPE_BFLOAT;
    if (type->kind != TYPE_INT && type->kind != TYPE_FLOAT &&
            type->kind != TYPE_COMPLEX && !is_bfloat) {
        PyErr_Format(PyExc_NotImplementedError, "cannot cast a value to %s", type->name);
        return NULL;
    }
    PyObject *class = py_import_attr(is_bfloat ? "ml_dtypes" : "numpy", type->name);
    PyObject *result = class ? PyObject_CallOneArg(class, value) : NULL;
    Py_XDECREF(class);
    return result;
}

enum { LITERAL_LEFT_OUT = 3 }; // in the runtime's literal_types

// Whether one of them stands for an argument that was left out, which compiled code knows
// no type of.
static bool has_left_out(PyObject *args)
{
    PyObject *classes = py_runtime()->literal_types;
    PyObject *left_out = classes ? PyTuple_GET_ITEM(classes, LITERAL_LEFT_OUT) : NULL;
    for (Py_ssize_t i = 0; left_out && i < PyTuple_GET_SIZE(args); i++)
        if ((PyObject *)Py_TYPE(PyTuple_GET_ITEM(args, i)) == left_out)
            return true;
    return false;
}

// The signature that numba.core.typing.templates makes of types of its own, too.
static PyObject *signature_in_python(PyObject *self, PyObject *args)
{
    PyObject *make = py_import_attr("numba.core.typing.templates", "signature");
    PyObject *first = make ? PyTuple_Pack(1, self) : NULL;
    PyObject *all = first ? PySequence_Concat(first, args) : NULL;
    PyObject *made = all ? PyObject_CallObject(make, all) : NULL;
    Py_XDECREF(all);
    Py_XDECREF(first);
    Py_XDECREF(make);
    return made;
}

static PyObject *type_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    const struct type *type = own_type(self);
    if (!type)
        return NULL;
    if (kwargs && PyDict_GET_SIZE(kwargs)) {
        PyErr_SetString(PyExc_TypeError, "a type takes no keyword arguments");
        return NULL;
    }
    if (has_left_out(args))
        return signature_in_python(self, args);
    if (PyTuple_GET_SIZE(args) == 1 && !py_type_or_literal(PyTuple_GET_ITEM(args, 0)))
        return cast_value(type, PyTuple_GET_ITEM(args, 0));
    const struct type **params = NULL;
    size_t count = 0;
    if (!py_types_from_sequence(args, &params, &count))
        return NULL;
    PyObject *signature = py_signature_new(type, params, count);
    PyMem_Free(params);
    return signature;
}

// The step of one slice of an array type: 0 for `:`, 1 for `::1`, -1 with KeyError set.
static int slice_step(PyObject *item)
{
    if (PySlice_Check(item)) {
        PySliceObject *slice = (PySliceObject *)item;
        if (slice->start == Py_None && slice->stop == Py_None) {
            return PyLong_Check(slice->step) && PyLong_AsLong(slice->step) == 1;
        }
    }
    py_error_drop();
    PyObject *text = PyUnicode_FromFormat(
            "Can only index numba types with slices with no start or stop, got %S.",
            item);
    if (text)
        PyErr_SetObject(PyExc_KeyError, text);
    Py_XDECREF(text);
    return -1;
}

static PyObject *tuple_type_item(const struct type *type, Py_ssize_t i)
{
    Py_ssize_t len = (Py_ssize_t)type->tuple.len;
    i += i < 0 ? len : 0;
    if (i < 0 || i >= len) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_IndexError, "tuple index out of range");
        return NULL;
    }
    return py_type_wrap(type->tuple.items[i]);
}

static PyObject *type_subscript(PyObject *self, PyObject *index)
{
    const struct type *type = own_type(self);
    if (!type)
        return NULL;
    if (type->kind == TYPE_TUPLE && PyLong_Check(index))
        return tuple_type_item(type, PyLong_AsSsize_t(index));
    if (type->kind == TYPE_CLASS && type->element) // of a dtype: arrays of it
        type = type->element;
    if (type->kind == TYPE_ARRAY) {
        PyErr_Format(PyExc_TypeError,
                "The dtype of a Buffer type cannot itself be a Buffer type, this is "
                "unsupported "
                "behaviour.\nThe dtype requested for the unsupported Buffer was: %s.",
                type->name);
        return NULL;
    }
    PyObject *items = PyTuple_Check(index) ? Py_NewRef(index) : PyTuple_Pack(1, index);
    if (!items)
        return NULL;
    Py_ssize_t ndim = PyTuple_GET_SIZE(items);
    int first = 0, last = 0;
    for (Py_ssize_t i = 0; i < ndim; i++) {
        last = slice_step(PyTuple_GET_ITEM(items, i));
        first = i == 0 ? last : first;
        if (last < 0)
            break;
    }
    Py_DECREF(items);
    if (last < 0)
        return NULL;
    enum array_layout layout = LAYOUT_A;
    if (first == 1 && ndim > 1)
        layout = LAYOUT_F;
    else if (last == 1)
        layout = LAYOUT_C;
    return py_type_wrap(type_array(type, (int)ndim, layout, false));
}

static bool is_extension(PyObject *self)
{
    const struct type *type = ((struct py_type *)self)->type;
    return !type || type->kind == TYPE_EXTENSION;
}

// Asked for while the type is looked for, by it.
static PyObject *type_get_name(PyObject *self, void *closure)
{
    return is_extension(self) ? PyObject_GetAttrString(self, "_name") : type_repr(self);
}

static int type_set_name(PyObject *self, PyObject *name, void *closure)
{
    if (is_extension(self) && name && PyUnicode_Check(name))
        return PyObject_SetAttrString(self, "_name", name);
    PyErr_SetString(PyExc_AttributeError, "the name of a type is a str, and its own");
    return -1;
}

// Type(name), for classes that a program derives; all other types are made when they are
// allocated.
static int type_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"name", NULL};
    PyObject *name;
    if (((struct py_type *)self)->type)
        return 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "U:Type.__init__", names, &name))
        return -1;
    return PyObject_SetAttrString(self, "_name", name);
}

static PyObject *type_is_precise(PyObject *self, PyObject *none)
{
    const struct type *type = own_type(self);
    return type ? PyBool_FromLong(type->kind != TYPE_PYOBJECT) : NULL;
}

// The other type of a method that numba calls with a typing context before it, and we
// also without. NULL with TypeError set.
static const struct type *other_type(PyObject *args, const char *method)
{
    PyObject *first, *second = NULL;
    if (!PyArg_UnpackTuple(args, method, 1, 2, &first, &second))
        return NULL;
    PyObject *other = second ? second : first;
    const struct type *type = py_type_get(other);
    if (!type)
        PyErr_Format(PyExc_TypeError, "expected a type, got %R", other);
    return type;
}

// Whether one is a program's own, of which no more is known than that it is another.
static bool are_apart(const struct type *a, const struct type *b)
{
    return a != b && (type_has_extension(a) || type_has_extension(b));
}

// The conversion's kind, numba's enum, or None.
static PyObject *type_can_convert_to(PyObject *self, PyObject *args)
{
    const struct type *to = other_type(args, "can_convert_to"), *from = own_type(self);
    if (!to || !from)
        return NULL;
    enum conversion conversion =
            are_apart(from, to) ? CONVERT_NEVER : type_conversion(from, to);
    if (conversion == CONVERT_NEVER)
        Py_RETURN_NONE;
    PyObject *kinds = py_import_attr("numba.core.typeconv", "Conversion");
    PyObject *kind =
            kinds ? PyObject_CallFunction(kinds, "i", (int)conversion + 1) : NULL;
    Py_XDECREF(kinds);
    return kind;
}

static PyObject *type_unify_with(PyObject *self, PyObject *args)
{
    const struct type *other = other_type(args, "unify"), *own = own_type(self);
    if (!other || !own)
        return NULL;
    const struct type *both = are_apart(own, other) ? NULL : type_unify(own, other);
    if (!both)
        Py_RETURN_NONE;
    return py_type_wrap(both);
}

static PyObject *type_get_key(PyObject *self, void *closure)
{
    return type_get_name(self, closure);
}

static PyObject *type_reduce(PyObject *self, PyObject *none)
{
    if (!is_extension(self))
        return py_type_recipe(self);
    PyObject *make = py_import_attr("copyreg", "__newobj__"); // as any object of a class
    PyObject *state = PyObject_GenericGetDict(self, NULL);
    return Py_BuildValue("N(O)N", make, Py_TYPE(self), state);
}

static PyGetSetDef type_getset[] = {
        {"name", type_get_name, type_set_name, "the name that numba prints", NULL},
        {"key", type_get_key, NULL, "equal for equal types", NULL},
        {0},
};

static PyMethodDef type_methods[] = {
        {"is_precise", type_is_precise, METH_NOARGS, "Whether the type is fully known."},
        {"can_convert_to", type_can_convert_to, METH_VARARGS,
                "The kind of conversion to another type, or None."},
        {"unify", type_unify_with, METH_VARARGS,
                "The type that holds values of both, or None."},
        {"__reduce__", type_reduce, METH_NOARGS, NULL},
        {NULL, NULL, 0, NULL},
};

// The class of all types: there is none that is only a type. Objects of a program's own
// classes get their types when they are first asked for (py_extension.c).
static PyObject *type_new(PyTypeObject *class, PyObject *args, PyObject *kwargs)
{
    if (class != py_runtime()->type_type)
        return class->tp_alloc(class, 0);
    return PyErr_Format(PyExc_TypeError, "cannot create '%s' instances", class->tp_name);
}

static PyType_Slot type_slots[] = {
        {Py_tp_new, type_new},
        {Py_tp_init, type_init},
        {Py_tp_doc, "A type of the compiled language."},
        {Py_tp_repr, type_repr},
        {Py_tp_hash, type_hash},
        {Py_tp_richcompare, type_richcompare},
        {Py_tp_call, type_call},
        {Py_mp_subscript, type_subscript},
        {Py_tp_getset, type_getset},
        {Py_tp_methods, type_methods},
        {0, NULL},
};

// Types that users name; several names for some.
static const struct {
    const char *name;
    const struct type **type;
} named_types[] = {
        {"none", &type_none},
        {"void", &type_none},
        {"boolean", &type_bool},
        {"bool_", &type_bool},
        {"b1", &type_bool},
        {"bool", &type_bool},
        {"int8", &type_int8},
        {"int16", &type_int16},
        {"int32", &type_int32},
        {"int64", &type_int64},
        {"uint8", &type_uint8},
        {"uint16", &type_uint16},
        {"uint32", &type_uint32},
        {"uint64", &type_uint64},
        {"i1", &type_int8},
        {"i2", &type_int16},
        {"i4", &type_int32},
        {"i8", &type_int64},
        {"u1", &type_uint8},
        {"u2", &type_uint16},
        {"u4", &type_uint32},
        {"u8", &type_uint64},
        {"intp", &type_int64},
        {"uintp", &type_uint64},
        {"intc", &type_int32},
        {"uintc", &type_uint32},
        {"ssize_t", &type_int64},
        {"size_t", &type_uint64},
        {"byte", &type_uint8},
        {"char", &type_int8},
        {"uchar", &type_uint8},
        {"short", &type_int16},
        {"ushort", &type_uint16},
        {"int_", &type_int64},
        {"uint", &type_uint64},
        {"long_", &type_int64},
        {"ulong", &type_uint64},
        {"longlong", &type_int64},
        {"ulonglong", &type_uint64},
        {"float16", &type_float16},
        {"f2", &type_float16},
        {"bfloat16", &type_bfloat16},
        {"float32", &type_float32},
        {"f4", &type_float32},
        {"float64", &type_float64},
        {"f8", &type_float64},
        {"double", &type_float64},
        {"float_", &type_float32},
        {"complex64", &type_complex64},
        {"c8", &type_complex64},
        {"complex128", &type_complex128},
        {"c16", &type_complex128},
        {"unicode_type", &type_string},
        {"string", &type_string},
        {"pyobject", &type_pyobject},
        {"ffi_forced_object", &type_pyobject},
        {"voidptr", &type_voidptr},
        {"slice2_type", &type_slice2},
        {"slice3_type", &type_slice3},
        {"ellipsis", &type_ellipsis},
};

// `type_names`: the dict of all names above.
static bool add_type_names(struct runtime *runtime)
{
    PyObject *names = PyDict_New();
    if (!names)
        return false;
    bool done = true;
    for (size_t i = 0; done && i < sizeof named_types / sizeof *named_types; i++) {
        PyObject *type = py_type_wrap(*named_types[i].type);
        done = type && PyDict_SetItemString(names, named_types[i].name, type) == 0;
        Py_XDECREF(type);
    }
    done = done && PyModule_AddObjectRef(runtime->module, "type_names", names) == 0;
    Py_DECREF(names);
    return done;
}

bool py_type_init(struct runtime *runtime)
{
    types_init();
    runtime->type_type = py_add_type("numba.core.types.Type", sizeof(struct py_type),
            Py_TPFLAGS_BASETYPE, type_slots);
    return runtime->type_type && py_type_classes_init(runtime) && add_type_names(runtime);
}

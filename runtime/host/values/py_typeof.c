// SPDX-License-Identifier: MIT
// Which type a Python value has: the key of every dispatch.
//
// All of this needs the GIL, sets no exception and keeps no reference. Types live for
// ever, so that whoever asks need not care about the value's life. A value is
// type_pyobject when compiled code cannot have it.
#include "runtime/host/values/py_buffer.h"
#include "runtime/host/values/py_c_function.h"
#include "runtime/host/values/py_extension.h"
#include "runtime/host/values/py_numpy.h"

#include <string.h>

#include "runtime/host/values/py_reflect.h"
#include "runtime/host/values/py_values.h"

enum { MAX_TUPLE = 1024 };

// --- Values of one kind

static const struct type *typeof_array(PyArrayObject *array)
{
    struct runtime *runtime = py_runtime();
    PyArray_Descr *descr = PyArray_DESCR(array);
    int ndim = PyArray_NDIM(array), flags = PyArray_FLAGS(array);
    enum array_layout layout = flags & NPY_ARRAY_C_CONTIGUOUS   ? LAYOUT_C
                               : flags & NPY_ARRAY_F_CONTIGUOUS ? LAYOUT_F
                                                                : LAYOUT_A;
    bool is_readonly = !(flags & NPY_ARRAY_WRITEABLE),
         is_aligned = flags & NPY_ARRAY_ALIGNED;
    const struct type **known = NULL;
    if (is_aligned && ndim < ARRAY_TYPE_NDIM && descr->type_num < NPY_OBJECT &&
            PyArray_ISNBO(descr->byteorder)) {
        known = &runtime->array_types[descr->type_num][ndim][layout][is_readonly];
    } else if (is_aligned) {
        known = py_known_array((PyObject *)descr, ndim, (int)layout, is_readonly);
    }
    if (known && *known)
        return *known;
    const struct type *dtype = py_type_from_dtype((PyObject *)descr);
    if (!dtype)
        return type_pyobject;
    // structured dtypes that are not laid out by their alignment are read bytewise
    if (dtype->kind == TYPE_RECORD && !dtype->record.is_aligned)
        is_aligned = false;
    const struct type *type =
            type_array_in(dtype, ndim, layout, is_readonly, is_aligned, 0);
    if (known)
        *known = type;
    return type;
}

static const struct type *typeof_integer(PyObject *value)
{
    int overflow = 0;
    PyLong_AsLongLongAndOverflow(value, &overflow);
    if (!overflow)
        return type_int64;
    if (overflow < 0)
        return type_pyobject;
    unsigned long long magnitude = PyLong_AsUnsignedLongLong(value);
    if (magnitude == (unsigned long long)-1 && PyErr_Occurred()) {
        py_error_drop();
        return type_pyobject;
    }
    return type_uint64;
}

static const struct type *typeof_tuple(PyObject *value)
{
    Py_ssize_t len = PyTuple_GET_SIZE(value);
    if (len > MAX_TUPLE)
        return type_pyobject;
    const struct type *items[MAX_TUPLE];
    for (Py_ssize_t i = 0; i < len; i++) {
        items[i] = py_typeof(PyTuple_GET_ITEM(value, i));
        if (items[i] == type_pyobject)
            return type_pyobject;
    }
    return type_tuple(items, (size_t)len);
}

// Those that carry what NumPy would make a dtype of for each question.
static const struct type *typeof_time_scalar(PyObject *value)
{
    const PyArray_DatetimeMetaData *unit = &((PyDatetimeScalarObject *)value)->obmeta;
    bool is_delta = PyArray_IsScalar(value, Timedelta); // laid out alike
    if (unit->num != 1 || (unsigned)unit->base >= 16)
        return type_time((int)unit->base, unit->num, is_delta);
    const struct type **known = &py_runtime()->time_types[unit->base][is_delta];
    if (!*known)
        *known = type_time((int)unit->base, 1, is_delta);
    return *known;
}

// A number of NumPy's, by its class; NULL for what else there is.
static const struct type *typeof_number(const PyTypeObject *class)
{
    return class == &PyInt64ArrType_Type        ? type_int64
           : class == &PyUInt8ArrType_Type      ? type_uint8
           : class == &PyBoolArrType_Type       ? type_bool
           : class == &PyInt8ArrType_Type       ? type_int8
           : class == &PyInt16ArrType_Type      ? type_int16
           : class == &PyUInt16ArrType_Type     ? type_uint16
           : class == &PyUInt32ArrType_Type     ? type_uint32
           : class == &PyUInt64ArrType_Type     ? type_uint64
           : class == &PyComplex64ArrType_Type  ? type_complex64
           : class == &PyComplex128ArrType_Type ? type_complex128
                                                : NULL;
}

static const struct type *typeof_scalar(PyObject *value)
{
    if (PyArray_IsScalar(value, Datetime) || PyArray_IsScalar(value, Timedelta))
        return typeof_time_scalar(value);
    if (PyArray_IsScalar(value, Void)) {
        PyArray_Descr *own = ((PyVoidScalarObject *)value)->descr;
        const struct type *record = py_type_from_dtype((PyObject *)own);
        const struct type **known =
                record ? py_known_array((PyObject *)own, 0, LAYOUT_C, false) : NULL;
        if (known && !*known)
            *known = py_argument_type(record);
        return known ? *known : type_pyobject;
    }
    PyArray_Descr *descr = PyArray_DescrFromScalar(value);
    const struct type *type = descr ? py_type_from_dtype((PyObject *)descr) : NULL;
    Py_XDECREF(descr);
    py_error_drop();
    return type ? py_argument_type(type) : type_pyobject;
}

// Each jitted function has a type of its own, so that calls of an argument are known.
static const struct type *typeof_dispatcher(PyObject *value)
{
    struct error err = {0};
    struct source *source = py_runtime()->dispatchers->source(value, &err);
    return source ? type_dispatcher_of(source, source->name) : type_dispatcher;
}

// A masked array's elements are not what its buffer holds.
static bool is_masked(PyObject *value)
{
    const char *name = Py_TYPE(value)->tp_name;
    const char *dot = strrchr(name, '.');
    return !strcmp(dot ? dot + 1 : name, "MaskedArray");
}

// Objects of other parts (device arrays) tell their type themselves.
static const struct type *typeof_self_declared(PyObject *value)
{
    PyObject *declared = PyObject_GetAttrString(value, "_numba_type_");
    py_error_drop();
    const struct type *type = declared ? py_type_get(declared) : NULL;
    Py_XDECREF(declared);
    return type ? type : type_pyobject;
}

// --- Rows: how a value that is none of the commonest finds its type

static bool is_none(PyObject *value)
{
    return value == Py_None;
}

static bool is_ellipsis(PyObject *value)
{
    return value == Py_Ellipsis;
}

static bool is_typed_object(PyObject *value)
{
    return PyObject_TypeCheck(value, py_runtime()->typed_object_type);
}

static const struct type *typeof_typed(PyObject *value)
{
    const struct type *type = ((const struct typed_object *)value)->type;
    return type ? type : type_pyobject; // not known until something is put in
}

static bool is_numpy_scalar(PyObject *value)
{
    return py_numpy_is_loaded() &&
           (PyArray_CheckScalar(value) || PyArray_IsScalar(value, Generic));
}

static const struct type *typeof_slice(PyObject *value)
{
    return ((PySliceObject *)value)->step == Py_None ? type_slice2 : type_slice3;
}

static bool is_array(PyObject *value)
{
    return py_numpy_is_loaded() && PyArray_Check(value);
}

static const struct type *typeof_any_array(PyObject *value)
{
    return is_masked(value) ? type_pyobject : typeof_array((PyArrayObject *)value);
}

static const struct type *typeof_type(PyObject *value)
{
    const struct type *type = py_type_get(value);
    return type ? type_class(type) : NULL;
}

// np.float32, np.dtype(np.float32)
static bool is_dtype(PyObject *value)
{
    return py_numpy_is_loaded() &&
           (PyArray_DescrCheck(value) ||
                   (PyType_Check(value) && PyType_IsSubtype((PyTypeObject *)value,
                                                   &PyGenericArrType_Type)));
}

static const struct type *typeof_dtype(PyObject *value)
{
    const struct type *dtype = py_type_of_dtype(value);
    if (!dtype)
        dtype = py_type_from(value);
    py_error_drop();
    return dtype ? type_class(dtype) : type_pyobject;
}

static bool is_dispatcher(PyObject *value)
{
    return py_runtime()->dispatchers->is_one(value);
}

static const struct type *typeof_enum_class(PyObject *value)
{
    const struct type *type = PyType_Check(value) ? py_type_of_enum(value) : NULL;
    return type ? type_class(type) : NULL;
}

static bool is_tuple(PyObject *value)
{
    return PyTuple_Check(value);
}

static bool is_integer(PyObject *value)
{
    return PyLong_Check(value);
}

static bool is_float(PyObject *value)
{
    return PyFloat_Check(value);
}

static bool is_random_generator(PyObject *value)
{
    return !strcmp(Py_TYPE(value)->tp_name, "numpy.random._generator.Generator");
}

static const struct type *typeof_random_generator(PyObject *value)
{
    return type_random_generator();
}

static const struct type *typeof_memory(PyObject *value)
{
    return type_meminfo(type_voidptr);
}

static const struct type *typeof_foreign(PyObject *value)
{
    const struct type *type = py_foreign_type(value);
    py_error_drop();
    return type ? type : type_pyobject;
}

struct typeof_row {
    // which values: those of this very class, those that the predicate is true for, or
    // all that `type_of` knows
    PyTypeObject *class;
    bool (*is_one)(PyObject *value);
    // their type: always the same, or one that the value decides. NULL: it is none of
    // the row's; type_pyobject: it is, and compiled code cannot have it.
    const struct type *const *type;
    const struct type *(*type_of)(PyObject *value);
    const char *what; // for the text about a value that no row knows; NULL: not said
};

// First match wins. The order rests on three rules.
// 1. What is cheap and common comes first: the classes of Python by identity. These rows
//    exclude each other, and no row below takes a value from them.
// 2. A subclass comes before its base. np.float64 is a float, and members of an IntEnum
//    are int: so NumPy's scalars and enums come before numbers. The rows of tuples, ints
//    and floats below get subclasses only, as rule 1 has taken the classes themselves.
// 3. What compares names, or asks for an attribute of the value's own and so may run code
//    of the program, comes last.
static const struct typeof_row rows[] = {
        // rule 1
        {.is_one = is_none, .type = &type_none, .what = "None"},
        {.is_one = is_ellipsis, .type = &type_ellipsis, .what = "..."},
        {.class = &PyComplex_Type, .type = &type_complex128, .what = "numbers"},
        {.class = &PyTuple_Type, .type_of = typeof_tuple, .what = "tuples"},
        {.class = &PyUnicode_Type, .type = &type_string, .what = "str"},
        {.class = &PyBytes_Type, .type = &type_bytes, .what = "bytes"},
        {.class = &PyList_Type, .type_of = py_typeof_list, .what = "lists"},
        {.class = &PyDict_Type, .type_of = py_typeof_dict, .what = "dicts"},
        {.class = &PySet_Type, .type_of = py_typeof_set, .what = "sets"},
        {.class = &PySlice_Type, .type_of = typeof_slice, .what = "slices"},
        // what lends its memory becomes an array first (py_buffer.c)
        {.class = &PyByteArray_Type, .type = &type_pyobject},
        {.class = &PyMemoryView_Type, .type = &type_pyobject},
        {.is_one = py_is_python_array, .type = &type_pyobject},
        // typed containers and objects of jitclasses: arguments of many calls, and of a
        // class of ours, which nothing below looks at
        {.is_one = is_typed_object,
                .type_of = typeof_typed,
                .what = "typed containers, objects of jitclasses"},
        {.is_one = py_is_memory, .type_of = typeof_memory},
        // rule 2: classes of the program's own, which may be below any that follows
        {.type_of = py_typeof_registered},
        // rule 2: before float, int and bytes, of which some are subclasses
        {.is_one = is_numpy_scalar,
                .type_of = typeof_scalar,
                .what = "arrays and scalars of NumPy"},
        // subclasses of ndarray; ndarray itself is known before any row
        {.is_one = is_array, .type_of = typeof_any_array},
        {.type_of = typeof_type, .what = "types"},
        // classes of NumPy's scalars; before enums, which ask for an attribute
        {.is_one = is_dtype, .type_of = typeof_dtype, .what = "dtypes"},
        {.is_one = is_dispatcher,
                .type_of = typeof_dispatcher,
                .what = "jitted functions"},
        // rule 2: before int, for members of IntEnum and IntFlag
        {.type_of = py_typeof_enum, .what = "enums"},
        {.type_of = typeof_enum_class},
        // subclasses only: see rule 2
        {.is_one = is_tuple, .type_of = py_typeof_named_tuple, .what = "named tuples"},
        {.is_one = is_integer, .type_of = typeof_integer},
        {.is_one = is_float, .type = &type_float64},
        // rule 3
        {.is_one = is_random_generator,
                .type_of = typeof_random_generator,
                .what = "random generators"},
        {.is_one = py_is_foreign, .type_of = typeof_foreign, .what = "functions of C"},
        // device arrays, and what else has a type of its own
        {.type_of = typeof_self_declared, .what = "objects with _numba_type_"},
};

static const struct type *typeof_by_rows(PyObject *value)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct typeof_row *row = &rows[i];
        if (row->class ? !Py_IS_TYPE(value, row->class)
                       : row->is_one && !row->is_one(value))
            continue;
        const struct type *type = row->type ? *row->type : row->type_of(value);
        if (type)
            return type;
    }
    return type_pyobject;
}

static const struct type *typeof_other(PyObject *value)
{
    const struct type *type = typeof_by_rows(value);
    // what is called has no type, which is no reason to look for packages
    if (type != type_pyobject)
        return type;
    bool is_called = PyCallable_Check(value) || PyModule_Check(value);
    if (is_called || py_lends_memory(value) || !py_extensions_load())
        return type;
    return typeof_by_rows(value);
}

const struct type *py_typeof(PyObject *value)
{
    PyTypeObject *class = Py_TYPE(value);
    if (class == &PyLong_Type)
        return typeof_integer(value);
    if (class == &PyFloat_Type)
        return type_float64;
    if (class == &PyBool_Type)
        return type_bool;
    if (!py_numpy_is_loaded())
        return typeof_other(value);
    if (class == &PyArray_Type)
        return typeof_array((PyArrayObject *)value);
    if (class == &PyInt32ArrType_Type)
        return type_int32;
    if (class == &PyFloat32ArrType_Type)
        return type_float32;
    if (class == &PyFloat64ArrType_Type)
        return type_float64;
    const struct type *number = typeof_number(class);
    return number ? number : typeof_other(value);
}

// Tuples are compared item by item: finding the type of a tuple takes longer.
bool py_is_of_type(PyObject *value, const struct type *type)
{
    if (type->kind != TYPE_TUPLE)
        return py_typeof(value) == type;
    PyTypeObject *class =
            type->tuple.class_object ? type->tuple.class_object : &PyTuple_Type;
    bool is_named = type->tuple.names && !type->tuple.class_object;
    if (is_named || !Py_IS_TYPE(value, class) ||
            (size_t)PyTuple_GET_SIZE(value) != type->tuple.len)
        return false;
    for (size_t i = 0; i < type->tuple.len; i++)
        if (!py_is_of_type(PyTuple_GET_ITEM(value, (Py_ssize_t)i), type->tuple.items[i]))
            return false;
    return true;
}

PyObject *py_typeof_failure(PyObject *value)
{
    if (PyLong_CheckExact(value))
        return PyUnicode_FromFormat("Int value is too large: %S", value);
    if (py_numpy_is_loaded() && PyArray_Check(value) && !is_masked(value))
        return PyUnicode_FromFormat("Unsupported array dtype: %S",
                (PyObject *)PyArray_DESCR((PyArrayObject *)value));
    PyObject *why = py_extension_failure(value);
    if (why)
        return why;
    return PyUnicode_FromFormat(
            "Cannot determine Numba type of %R", (PyObject *)Py_TYPE(value));
}

PyObject *py_typeof_notes(
        const struct type *const *types, size_t count, PyObject *const *args)
{
    PyObject *notes = PyList_New(0);
    for (size_t i = 0; notes && args && i < count; i++) {
        if (types[i] != type_pyobject)
            continue;
        PyObject *why = py_typeof_failure(args[i]);
        PyObject *line = why ? PyUnicode_FromFormat("- argument %zu: %U", i, why) : NULL;
        if (!line || PyList_Append(notes, line) < 0)
            Py_CLEAR(notes);
        Py_XDECREF(why);
        Py_XDECREF(line);
    }
    return notes;
}

// The failure, and what there are types for: new reference.
static PyObject *long_failure(PyObject *value)
{
    PyObject *text = py_typeof_failure(value);
    const char *before = "\nThere are types for: ";
    for (size_t i = 0; text && i < sizeof rows / sizeof *rows; i++) {
        if (!rows[i].what)
            continue;
        Py_SETREF(text, PyUnicode_FromFormat("%U%s%s", text, before, rows[i].what));
        before = ", ";
    }
    return text;
}

static PyObject *module_typeof(PyObject *module, PyObject *args)
{
    PyObject *value, *purpose = NULL;
    if (!PyArg_ParseTuple(args, "O|O", &value, &purpose))
        return NULL;
    const struct type *type = py_typeof(value);
    PyObject *array = type == type_pyobject ? py_buffer_as_array(value) : NULL;
    type = array ? py_typeof(array) : type;
    Py_XDECREF(array);
    if (type->kind == TYPE_ARRAY && type->element->kind == TYPE_RECORD &&
            PyArray_IsScalar(value, Void))
        type = type->element;
    if (type == type_pyobject) {
        PyObject *text = long_failure(value);
        if (text)
            PyErr_SetObject(PyExc_ValueError, text);
        Py_XDECREF(text);
        return NULL;
    }
    return py_type_wrap(type);
}

PyMethodDef py_typeof_functions[] = {
        {"typeof", module_typeof, METH_VARARGS,
                "typeof(value)\n\nThe type that a value has as an argument.\n\nvalue: "
                "any object. "
                "Gives a type.\nRaises ValueError when no type stands for it.\n\n"
                "Example:\n    kind = typeof(np.zeros(3))"},
        {0},
};

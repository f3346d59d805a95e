// SPDX-License-Identifier: MIT
// Values between Python and compiled code: arguments into ABI form, results back.
#include "runtime/host/py_callable.h"
#include "runtime/host/py_numpy.h"

#include <math.h>
#include <string.h>

#include "compiler/text/text.h"
#include "compiler/backends/support.h"
#include "runtime/host/py_closure.h"
#include "runtime/host/py_random.h"
#include "runtime/host/py_reflect.h"
#include "runtime/host/py_runtime.h"

// --- arguments

static void store_integer(const struct type *type, void *target, uint64_t bits)
{
    memcpy(target, &bits, (size_t)type->bits / 8); // little endian: the low bytes
}

// The integer that a number stands for, as its 64 low bits; floats are truncated.
static bool read_integer(PyObject *value, const struct type *type, uint64_t *bits)
{
    if (PyLong_Check(value)) {
        int overflow = 0;
        long long small = PyLong_AsLongLongAndOverflow(value, &overflow);
        *bits = (uint64_t)small;
        if (overflow)
            *bits = PyLong_AsUnsignedLongLong(value);
        if (PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_OverflowError))
            PyErr_SetString(PyExc_OverflowError, "int too big to convert");
        return !PyErr_Occurred();
    }
    if (PyFloat_Check(value)) {
        double real = PyFloat_AS_DOUBLE(value);
        bool is_small = isfinite(real) && fabs(real) < 9223372036854775808.0;
        *bits = is_small ? (uint64_t)(int64_t)real : (uint64_t)INT64_MIN;
        return true;
    }
    PyObject *integer = PyNumber_Long(value);
    bool done = integer && PyLong_Check(integer) && read_integer(integer, type, bits);
    Py_XDECREF(integer);
    return done;
}

static bool unbox_integer(PyObject *value, const struct type *type, void *target)
{
    uint64_t bits;
    if (!read_integer(value, type, &bits))
        return false;
    store_integer(type, target, bits);
    return true;
}

static bool store_real(const struct type *type, void *target, double real)
{
    if (type->bits == 64) {
        memcpy(target, &real, sizeof real);
        return true;
    }
    if (type->bits == 32) {
        float narrow = (float)real;
        memcpy(target, &narrow, sizeof narrow);
        return true;
    }
    return PyFloat_Pack2(real, target, 1) == 0;
}

static bool unbox_float(PyObject *value, const struct type *type, void *target)
{
    double real = PyFloat_CheckExact(value) ? PyFloat_AS_DOUBLE(value)
                                            : PyFloat_AsDouble(value);
    if (real == -1.0 && PyErr_Occurred())
        return false;
    return store_real(type, target, real);
}

static bool unbox_complex(PyObject *value, const struct type *type, void *target)
{
    Py_complex number = PyComplex_AsCComplex(value);
    if (PyErr_Occurred())
        return false;
    return store_real(type->element, target, number.real) &&
           store_real(type->element, (char *)target + type->bits / 16, number.imag);
}

static bool unbox_bool(PyObject *value, void *target)
{
    int truth = PyObject_IsTrue(value);
    if (truth < 0)
        return false;
    *(uint8_t *)target = (uint8_t)truth;
    return true;
}

static bool unbox_array(PyObject *value, const struct type *type, void *target)
{
    if (type->array.ndim == 0 && py_numpy_is_loaded() && PyArray_IsScalar(value, Void)) {
        struct abi_array *record = target;
        *record = (struct abi_array){
                .parent = value, .data = ((PyVoidScalarObject *)value)->obval};
        return true;
    }
    if (!py_numpy_is_loaded() || !PyArray_Check(value) ||
            PyArray_NDIM((PyArrayObject *)value) != type->array.ndim) {
        PyErr_Format(PyExc_TypeError, "expected an %s, got %R", type->name,
                (PyObject *)Py_TYPE(value));
        return false;
    }
    PyArrayObject *array = (PyArrayObject *)value;
    struct abi_array *out = target;
    int ndim = type->array.ndim;
    out->memory = NULL;
    out->parent = value;
    out->data = PyArray_DATA(array);
    if (ndim > 0) {
        memcpy(out->dims, PyArray_DIMS(array), (size_t)ndim * sizeof(int64_t));
        memcpy(out->dims + ndim, PyArray_STRIDES(array), (size_t)ndim * sizeof(int64_t));
    }
    return true;
}

// Rounds `offset` up to the alignment of `type`.
static size_t place_after(size_t offset, const struct type *type)
{
    size_t alignment = abi_alignment(type);
    return alignment ? (offset + alignment - 1) / alignment * alignment : offset;
}

static bool unbox_tuple(PyObject *value, const struct type *type, void *target)
{
    if (!PyTuple_Check(value) || (size_t)PyTuple_GET_SIZE(value) != type->tuple.len) {
        PyErr_Format(PyExc_TypeError, "expected a %s, got %R", type->name, value);
        return false;
    }
    size_t offset = 0;
    for (size_t i = 0; i < type->tuple.len; i++) {
        const struct type *item = type->tuple.items[i];
        offset = place_after(offset, item);
        if (!py_unbox(PyTuple_GET_ITEM(value, (Py_ssize_t)i), item,
                    (char *)target + offset))
            return false;
        offset += abi_size(item);
    }
    return true;
}

static bool unbox_optional(PyObject *value, const struct type *type, void *target)
{
    uint8_t *is_present = (uint8_t *)target + abi_size(type->element);
    memset(target, 0, abi_size(type));
    if (value == Py_None)
        return true;
    *is_present = 1;
    return py_unbox(value, type->element, target);
}

// A copy: compiled code may keep it for longer than the call.
static bool unbox_string(PyObject *value, struct abi_text *out)
{
    if (!PyUnicode_Check(value)) {
        PyErr_Format(
                PyExc_TypeError, "expected a str, got %R", (PyObject *)Py_TYPE(value));
        return false;
    }
    Py_ssize_t len = PyUnicode_GET_LENGTH(value);
    uint32_t *to = text_create(out, len);
    if (!to) {
        PyErr_NoMemory();
        return false;
    }
    int kind = PyUnicode_KIND(value);
    const void *data = PyUnicode_DATA(value);
    for (Py_ssize_t i = 0; i < len; i++)
        to[i] = PyUnicode_READ(kind, data, i);
    return true;
}

static bool unbox_bytes(PyObject *value, struct abi_text *out)
{
    char *bytes;
    Py_ssize_t len;
    if (PyBytes_AsStringAndSize(value, &bytes, &len) < 0)
        return false;
    uint32_t *to = text_create(out, len);
    if (!to) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t i = 0; i < len; i++)
        to[i] = (unsigned char)bytes[i];
    return true;
}

static bool unbox_slice(PyObject *value, void *target)
{
    Py_ssize_t start, stop, step;
    if (!PySlice_Check(value) || PySlice_Unpack(value, &start, &stop, &step) < 0)
        return false;
    memcpy(target, (int64_t[]){start, stop, step}, 3 * sizeof(int64_t));
    return true;
}

// The bytes of a structured scalar (np.void).
static bool unbox_record(PyObject *value, const struct type *type, void *target)
{
    Py_buffer view;
    if (PyObject_GetBuffer(value, &view, PyBUF_SIMPLE) < 0)
        return false;
    size_t len = (size_t)view.len < type->record.size_bytes ? (size_t)view.len
                                                            : type->record.size_bytes;
    memcpy(target, view.buf, len);
    PyBuffer_Release(&view);
    return true;
}

// A member of an Enum goes in by its value.
static PyObject *enum_value(PyObject *value)
{
    int failed;
    return py_attr_or_null(value, "value", &failed);
}

static bool unbox_number(PyObject *value, const struct type *type, void *target)
{
    switch (type->kind) {
    case TYPE_INT:
        return unbox_integer(value, type, target);
    case TYPE_FLOAT:
        return unbox_float(value, type, target);
    case TYPE_COMPLEX:
        return unbox_complex(value, type, target);
    default:
        return unbox_bool(value, target);
    }
}

static bool unbox_any_number(PyObject *value, const struct type *type, void *target)
{
    if (PyNumber_Check(value) || type->kind == TYPE_BOOL)
        return unbox_number(value, type, target);
    PyObject *inner = enum_value(value);
    if (!inner && !PyErr_Occurred())
        PyErr_Format(
                PyExc_TypeError, "expected a number, got %R", (PyObject *)Py_TYPE(value));
    bool done = inner && unbox_number(inner, type, target);
    Py_XDECREF(inner);
    return done;
}

static bool unbox_member(PyObject *value, const struct type *type, void *target)
{
    PyObject *inner = PyObject_GetAttrString(value, "value");
    bool done = inner && py_unbox(inner, type->element, target);
    Py_XDECREF(inner);
    return done;
}

// A scalar of the type itself: its count.
static bool is_time_scalar(PyObject *value, const struct type *type, int64_t *count)
{
    if (!py_numpy_is_loaded() ||
            !(type->time.is_delta ? PyArray_IsScalar(value, Timedelta)
                                  : PyArray_IsScalar(value, Datetime)))
        return false;
    const PyDatetimeScalarObject *scalar = (PyDatetimeScalarObject *)value;
    *count = scalar->obval; // spans are laid out alike
    return (int)scalar->obmeta.base == type->time.unit && scalar->obmeta.num == 1;
}

// A datetime64 or timedelta64, or what NumPy makes one of.
static bool unbox_time(PyObject *value, const struct type *type, void *target)
{
    if (is_time_scalar(value, type, target))
        return true;
    PyArray_Descr *descr = (PyArray_Descr *)py_dtype_from_type(type);
    PyObject *array = descr ? PyArray_FromAny(value, descr, 0, 0, NPY_ARRAY_DEFAULT, NULL)
                            : NULL; // takes the reference to descr
    if (array)
        memcpy(target, PyArray_DATA((PyArrayObject *)array), sizeof(int64_t));
    Py_XDECREF(array);
    return array;
}

bool py_unbox(PyObject *value, const struct type *type, void *target)
{
    switch (type->kind) {
    case TYPE_NONE:
        return true;
    case TYPE_BOOL:
    case TYPE_INT:
    case TYPE_FLOAT:
    case TYPE_COMPLEX:
        return unbox_any_number(value, type, target);
    case TYPE_ARRAY:
        return unbox_array(value, type, target);
    case TYPE_TUPLE:
        return unbox_tuple(value, type, target);
    case TYPE_OPTIONAL:
        return unbox_optional(value, type, target);
    case TYPE_STRING:
        return type == type_bytes ? unbox_bytes(value, target)
                                  : unbox_string(value, target);
    case TYPE_LIST:
    case TYPE_SET:
    case TYPE_DICT:
    case TYPE_INSTANCE:
        return py_unbox_object(value, type, target);
    case TYPE_SLICE:
        return unbox_slice(value, target);
    case TYPE_RECORD:
        return unbox_record(value, type, target);
    case TYPE_POINTER:
        return type == type_random_generator() ? py_unbox_generator(value, target)
                                               : py_foreign_unbox(value, target);
    case TYPE_CALLABLE:
        return py_callable_unbox(value, type, target);
    case TYPE_CHOICE:
        return py_choice_unbox(value, type, target);
    case TYPE_FOREIGN:
        return py_foreign_unbox(value, target);
    case TYPE_ENUM:
        return unbox_member(value, type, target);
    case TYPE_TIME:
        return unbox_time(value, type, target);
    case TYPE_LITERAL:
    case TYPE_CLASS:
    case TYPE_MODULE:
    case TYPE_FUNCTION:
    case TYPE_DISPATCHER:
        return true; // known while compiling
    default:
        PyErr_Format(PyExc_TypeError, "cannot pass a value of type %s to compiled code",
                type->name);
        return false;
    }
}

// --- results

static PyObject *box_integer(const struct type *type, const void *source)
{
    uint64_t bits = 0;
    memcpy(&bits, source, (size_t)type->bits / 8);
    if (!type->is_signed)
        return PyLong_FromUnsignedLongLong(bits);
    int shift = 64 - type->bits;
    return PyLong_FromLongLong((int64_t)(bits << shift) >> shift);
}

static double read_real(const struct type *type, const void *source)
{
    if (type->bits == 64)
        return *(const double *)source;
    if (type->bits == 32)
        return (double)*(const float *)source;
    return PyFloat_Unpack2(source, 1);
}

static PyObject *box_complex(const struct type *type, const void *source)
{
    return PyComplex_FromDoubles(read_real(type->element, source),
            read_real(type->element, (const char *)source + type->bits / 16));
}

static void release_reference(struct abi_memory *memory)
{
    if (__atomic_sub_fetch(&memory->count, 1, __ATOMIC_ACQ_REL) == 0)
        memory->release(memory);
}

static void release_memory(PyObject *capsule)
{
    struct abi_memory *memory = PyCapsule_GetPointer(capsule, "gridcell.memory");
    if (memory)
        release_reference(memory);
}

// Whether the strides are the array's, where they matter.
static bool has_strides(PyArrayObject *array, const int64_t *strides)
{
    for (int axis = 0; axis < PyArray_NDIM(array); axis++)
        if (PyArray_DIM(array, axis) > 1 && PyArray_STRIDE(array, axis) != strides[axis])
            return PyArray_SIZE(array) == 0;
    return true;
}

static bool has_shape(PyArrayObject *array, const int64_t *shape)
{
    for (int axis = 0; axis < PyArray_NDIM(array); axis++)
        if (PyArray_DIM(array, axis) != shape[axis])
            return false;
    return true;
}

// Whether the value is the array object that it came from, unchanged.
static bool is_parent(const struct type *type, const struct abi_array *value)
{
    PyArrayObject *array = value->parent;
    int ndim = type->array.ndim;
    return PyArray_DATA(array) == value->data && PyArray_NDIM(array) == ndim &&
           has_shape(array, value->dims) && has_strides(array, value->dims + ndim) &&
           py_type_from_dtype((PyObject *)PyArray_DESCR(array)) == type->element;
}

// An array over the value's memory that keeps `base_stolen` alive.
static PyObject *array_over(
        const struct type *type, const struct abi_array *value, PyObject *base_stolen)
{
    PyObject *descr = py_dtype_from_type(type->element);
    npy_intp dims[64];
    int ndim = type->array.ndim;
    memcpy(dims, value->dims, (size_t)ndim * 2 * sizeof *dims);
    PyObject *array = NULL;
    if (descr)
        array = PyArray_NewFromDescr(&PyArray_Type, (PyArray_Descr *)descr, ndim, dims,
                dims + ndim, value->data,
                type->array.is_readonly ? 0 : NPY_ARRAY_WRITEABLE, NULL);
    if (array && base_stolen &&
            PyArray_SetBaseObject((PyArrayObject *)array, base_stolen) < 0)
        Py_CLEAR(array);
    else if (!array)
        Py_XDECREF(base_stolen);
    return array;
}

// A record by itself: the argument that it came from, or a copy.
static PyObject *box_record_item(const struct type *type, const struct abi_array *value)
{
    PyObject *parent = value->parent, *descr = NULL;
    if (parent && PyArray_IsScalar(parent, Void) &&
            ((PyVoidScalarObject *)parent)->obval == value->data)
        return Py_NewRef(parent);
    if (parent && PyArray_Check(parent) &&
            py_type_from_dtype((PyObject *)PyArray_DESCR((PyArrayObject *)parent)) ==
                    type->element) // np.record keeps its class
        descr = Py_NewRef((PyObject *)PyArray_DESCR((PyArrayObject *)parent));
    else
        descr = py_dtype_from_type(type->element);
    PyObject *item =
            descr ? PyArray_Scalar(value->data, (PyArray_Descr *)descr, NULL) : NULL;
    Py_XDECREF(descr);
    if (value->memory)
        release_reference(value->memory);
    return item;
}

static PyObject *box_array(const struct type *type, const struct abi_array *value)
{
    if (type->array.ndim == 0 && type->element->kind == TYPE_RECORD)
        return box_record_item(type, value);
    if (value->memory && value->parent && is_parent(type, value)) {
        PyObject *parent = Py_NewRef((PyObject *)value->parent);
        gridcell_memory_release(value->memory);
        return parent;
    }
    if (value->memory) {
        PyObject *owner = PyCapsule_New(value->memory, "gridcell.memory", release_memory);
        return owner ? array_over(type, value, owner) : NULL;
    }
    if (value->parent) {
        if (is_parent(type, value))
            return Py_NewRef((PyObject *)value->parent);
        return array_over(type, value, Py_NewRef((PyObject *)value->parent));
    }
    // a constant of the compiled code: copied, for the code may go
    PyObject *view = array_over(type, value, NULL);
    PyObject *copy = view ? PyArray_NewCopy((PyArrayObject *)view, NPY_KEEPORDER) : NULL;
    Py_XDECREF(view);
    return copy;
}

static PyObject *box_tuple(const struct type *type, const void *source)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)type->tuple.len);
    size_t offset = 0;
    for (size_t i = 0; tuple && i < type->tuple.len; i++) {
        const struct type *item = type->tuple.items[i];
        offset = place_after(offset, item);
        PyObject *value = py_box(item, (const char *)source + offset);
        offset += abi_size(item);
        if (value)
            PyTuple_SET_ITEM(tuple, (Py_ssize_t)i, value);
        else
            Py_CLEAR(tuple);
    }
    return tuple;
}

// An instance of the named tuple's class.
static PyObject *box_named_tuple(const struct type *type, const void *source)
{
    PyObject *tuple = box_tuple(type, source);
    PyObject *value = tuple ? PyObject_CallObject(type->tuple.class_object, tuple) : NULL;
    Py_XDECREF(tuple);
    return value;
}

static PyObject *box_member(const struct type *type, const void *source)
{
    PyObject *inner = py_box(type->element, source);
    PyObject *member =
            inner ? PyObject_CallOneArg(type->enumeration.class_object, inner) : NULL;
    Py_XDECREF(inner);
    return member;
}

static PyObject *box_optional(const struct type *type, const void *source)
{
    const uint8_t *is_present = (const uint8_t *)source + abi_size(type->element);
    if (!*is_present)
        Py_RETURN_NONE;
    return py_box(type->element, source);
}

static PyObject *box_string(const struct abi_text *text)
{
    PyObject *value = PyUnicode_FromKindAndData(
            PyUnicode_4BYTE_KIND, text->data, (Py_ssize_t)text->len);
    text_release(text);
    return value;
}

static PyObject *box_bytes(const struct abi_text *text)
{
    PyObject *value = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)text->len);
    for (int64_t i = 0; value && i < text->len; i++)
        PyBytes_AS_STRING(value)[i] = (char)text->data[i];
    text_release(text);
    return value;
}

static PyObject *box_slice(const struct type *type, const int64_t *parts)
{
    PyObject *start = PyLong_FromLongLong(parts[0]),
             *stop = PyLong_FromLongLong(parts[1]);
    PyObject *step = type->has_step ? PyLong_FromLongLong(parts[2]) : Py_NewRef(Py_None);
    PyObject *slice = start && stop && step ? PySlice_New(start, stop, step) : NULL;
    Py_XDECREF(start);
    Py_XDECREF(stop);
    Py_XDECREF(step);
    return slice;
}

static PyObject *box_scalar(const struct type *type, const void *source)
{
    PyObject *descr = py_dtype_from_type(type);
    PyObject *value =
            descr ? PyArray_Scalar((void *)source, (PyArray_Descr *)descr, NULL) : NULL;
    Py_XDECREF(descr);
    return value;
}

// range(start, stop, step), from the three values of the element type.
static PyObject *box_range(const struct type *type, const void *source)
{
    size_t size = abi_size(type->element);
    const char *bytes = source;
    return PyObject_CallFunction((PyObject *)&PyRange_Type, "NNN",
            py_box(type->element, bytes), py_box(type->element, bytes + size),
            py_box(type->element, bytes + 2 * size));
}

// What NumPy calls the type; numba's own where NumPy has none.
static PyObject *box_class(const struct type *type)
{
    bool has_dtype = type_is_item(type->element) || type->element->kind == TYPE_RECORD;
    return has_dtype && py_numpy_load() ? py_dtype_from_type(type->element)
                                        : py_type_wrap(type->element);
}

bool py_owns_memory(const struct type *type)
{
    if (type->kind == TYPE_OPTIONAL || type->kind == TYPE_ENUM)
        return py_owns_memory(type->element);
    for (size_t i = 0; type->kind == TYPE_TUPLE && i < type->tuple.len; i++)
        if (py_owns_memory(type->tuple.items[i]))
            return true;
    return type->kind == TYPE_STRING || type->kind == TYPE_CALLABLE ||
           type_is_object(type);
}

void py_release(const struct type *type, const void *target)
{
    size_t offset = 0;
    if (type_is_object(type) || type->kind == TYPE_CALLABLE)
        gridcell_memory_release(*(struct abi_memory *const *)target);
    if (type->kind == TYPE_STRING)
        text_release(target);
    else if (type->kind == TYPE_OPTIONAL || type->kind == TYPE_ENUM)
        py_release(type->element, target);
    for (size_t i = 0; type->kind == TYPE_TUPLE && i < type->tuple.len; i++) {
        const struct type *item = type->tuple.items[i];
        offset = place_after(offset, item);
        py_release(item, (const char *)target + offset);
        offset += abi_size(item);
    }
}

PyObject *py_box(const struct type *type, const void *source)
{
    switch (type->kind) {
    case TYPE_NONE:
        Py_RETURN_NONE;
    case TYPE_BOOL:
        return PyBool_FromLong(*(const uint8_t *)source);
    case TYPE_INT:
        return box_integer(type, source);
    case TYPE_FLOAT:
        return PyFloat_FromDouble(read_real(type, source));
    case TYPE_COMPLEX:
        return box_complex(type, source);
    case TYPE_ARRAY:
        return box_array(type, source);
    case TYPE_TUPLE:
        return type->tuple.names ? box_named_tuple(type, source)
                                 : box_tuple(type, source);
    case TYPE_ENUM:
        return box_member(type, source);
    case TYPE_OPTIONAL:
        return box_optional(type, source);
    case TYPE_STRING:
        return type == type_bytes ? box_bytes(source) : box_string(source);
    case TYPE_LIST:
    case TYPE_SET:
    case TYPE_DICT:
    case TYPE_INSTANCE:
        return py_box_object(type, *(struct abi_row *const *)source);
    case TYPE_SLICE:
        return box_slice(type, source);
    case TYPE_RECORD:
    case TYPE_TIME:
        return box_scalar(type, source);
    case TYPE_GENERATOR:
        return py_generator_new(type, *(struct abi_generator *const *)source);
    case TYPE_RANGE:
        return box_range(type, source);
    case TYPE_CALLABLE:
        return py_callable_box(source);
    case TYPE_CHOICE:
        return py_choice_box(type, source);
    case TYPE_CLOSURE:
        return py_closure_box(type, source);
    case TYPE_CLASS: // a dtype, or a class of numbers
        return box_class(type);
    case TYPE_POINTER:
        return PyLong_FromVoidPtr(*(void *const *)source);
    case TYPE_DISPATCHER:
        if (type->source && type->source->owner)
            return Py_NewRef((PyObject *)type->source->owner);
        return PyErr_Format(
                PyExc_TypeError, "cannot return a value of type %s", type->name);
    default:
        return PyErr_Format(
                PyExc_TypeError, "cannot return a value of type %s", type->name);
    }
}

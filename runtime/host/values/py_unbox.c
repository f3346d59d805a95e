// SPDX-License-Identifier: MIT
// Values from Python to compiled code: an argument in ABI form, and its end after the
// call.
//
// Who owns an unboxed value depends on its type (py_owns_memory). Arrays are borrowed:
// `parent` is the object, `memory` NULL, and the caller holds the object for the whole
// call; code that keeps one for longer takes a reference (gridcell_array_keep). Texts and
// objects are made here with one reference, which py_release gives back after the call.
// Every function needs the GIL; false means that an exception is set. A target that was
// only partly filled in must be zero elsewhere, so that it can be released.
#include "runtime/host/values/py_callable.h"
#include "runtime/host/values/py_c_function.h"
#include "runtime/host/values/py_numpy.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "compiler/types/kinds.h"
#include "compiler/support/text/text.h"
#include "compiler/support/support.h"
#include "runtime/host/values/py_closure.h"
#include "runtime/host/values/py_extension.h"
#include "runtime/host/random/py_random.h"
#include "runtime/host/values/py_reflect.h"
#include "runtime/host/values/py_values.h"

static void store_integer(const struct type *type, void *target, uint64_t bits)
{
    memcpy(target, &bits, (size_t)type->bits / 8); // little endian: the low bytes
}

// A scalar of NumPy's, of a class that is asked for often.
static bool read_scalar(PyObject *value, uint64_t *bits)
{
    if (!py_numpy_is_loaded())
        return false;
    const PyTypeObject *class = Py_TYPE(value);
    if (class == &PyInt64ArrType_Type)
        *bits = (uint64_t)PyArrayScalar_VAL(value, Int64);
    else if (class == &PyInt32ArrType_Type)
        *bits = (uint64_t)(int64_t)PyArrayScalar_VAL(value, Int32);
    else if (class == &PyUInt8ArrType_Type)
        *bits = PyArrayScalar_VAL(value, UInt8);
    else
        return false;
    return true;
}

static bool refuse_integer(bool is_negative)
{
    PyErr_SetString(
            PyExc_OverflowError, is_negative ? "can't convert negative int to unsigned"
                                             : "int too big to convert");
    return false;
}

// As its 64 low bits. What is too small for the type is cut off, as NumPy's casts do;
// what 64 bits with the type's sign do not hold is an error.
static bool read_int(PyObject *value, const struct type *type, uint64_t *bits)
{
    bool is_integer = type->kind == TYPE_INT;
    int overflow = 0;
    long long small = PyLong_AsLongLongAndOverflow(value, &overflow);
    *bits = (uint64_t)small;
    if (is_integer && !type->is_signed && (overflow < 0 || (!overflow && small < 0)))
        return refuse_integer(true);
    if (!overflow)
        return !PyErr_Occurred();
    if (is_integer && type->is_signed)
        return refuse_integer(false);
    *bits = PyLong_AsUnsignedLongLong(value);
    if (!PyErr_Occurred())
        return true;
    return PyErr_ExceptionMatches(PyExc_OverflowError) && refuse_integer(false);
}

// The integer that a number stands for; floats are truncated.
static bool read_integer(PyObject *value, const struct type *type, uint64_t *bits)
{
    if (PyLong_Check(value))
        return read_int(value, type, bits);
    bool is_unsigned = type->kind == TYPE_INT && !type->is_signed;
    if (PyFloat_Check(value)) {
        double real = PyFloat_AS_DOUBLE(value);
        *bits = (uint64_t)(int64_t)(fabs(real) < 9223372036854775808.0 ? real : 0);
        if (fabs(real) < 9223372036854775808.0 && !(is_unsigned && real <= -1))
            return true;
    } else if (read_scalar(value, bits)) {
        return !is_unsigned || (int64_t)*bits >= 0 || refuse_integer(true);
    }
    PyObject *integer = PyNumber_Long(value);
    bool done = integer && PyLong_Check(integer) && read_int(integer, type, bits);
    Py_XDECREF(integer);
    return done;
}

static bool store_integer_of(PyObject *value, const struct type *type, void *target)
{
    uint64_t bits;
    if (!read_integer(value, type, &bits))
        return false;
    store_integer(type, target, bits);
    return true;
}

// Targets are aligned for their type: abi_place sees to that.
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

static bool store_float_of(PyObject *value, const struct type *type, void *target)
{
    double real = PyFloat_CheckExact(value) ? PyFloat_AS_DOUBLE(value)
                                            : PyFloat_AsDouble(value);
    if (real == -1.0 && PyErr_Occurred())
        return false;
    return store_real(type, target, real);
}

static bool store_complex_of(PyObject *value, const struct type *type, void *target)
{
    Py_complex number = PyComplex_AsCComplex(value);
    if (PyErr_Occurred())
        return false;
    return store_real(type->element, target, number.real) &&
           store_real(type->element, (char *)target + type->bits / 16, number.imag);
}

// Neither dtype nor layout is asked: py_typeof has, and the overload was chosen by it. A
// declared signature may take an array of another layout only where strides are read.
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

// A failure leaves the items before it filled in: the block was zeroed where any of them
// owns memory, and the caller releases it.
static bool unbox_tuple(PyObject *value, const struct type *type, void *target)
{
    if (!PyTuple_Check(value) || (size_t)PyTuple_GET_SIZE(value) != type->tuple.len) {
        PyErr_Format(PyExc_TypeError, "expected a %s, got %R", type->name, value);
        return false;
    }
    size_t offset = 0;
    for (size_t i = 0; i < type->tuple.len; i++) {
        const struct type *item = type->tuple.items[i];
        if (!py_unbox(PyTuple_GET_ITEM(value, (Py_ssize_t)i), item,
                    (char *)target + abi_place(item, &offset)))
            return false;
    }
    return true;
}

// Zeros for None, as a copy of the value may be compared or kept as it is.
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

// One character each, so that compiled code has one form of text.
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

static bool unbox_text(PyObject *value, const struct type *type, void *target)
{
    return type == type_bytes ? unbox_bytes(value, target) : unbox_string(value, target);
}

static bool unbox_slice(PyObject *value, const struct type *type, void *target)
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

// A number, or a member of an Enum that has one for its value.
static inline bool unbox_number(PyObject *value, const struct type *type, void *target,
        bool (*store)(PyObject *value, const struct type *type, void *target))
{
    if (PyNumber_Check(value))
        return store(value, type, target);
    PyObject *inner = enum_value(value);
    if (!inner && !PyErr_Occurred())
        PyErr_Format(
                PyExc_TypeError, "expected a number, got %R", (PyObject *)Py_TYPE(value));
    bool done = inner && store(inner, type, target);
    Py_XDECREF(inner);
    return done;
}

// Anything has a truth value.
static bool unbox_truth(PyObject *value, const struct type *type, void *target)
{
    int truth = PyObject_IsTrue(value);
    if (truth < 0)
        return false;
    *(uint8_t *)target = (uint8_t)truth;
    return true;
}

static bool unbox_integer(PyObject *value, const struct type *type, void *target)
{
    return unbox_number(value, type, target, store_integer_of);
}

static bool unbox_real(PyObject *value, const struct type *type, void *target)
{
    return unbox_number(value, type, target, store_float_of);
}

static bool unbox_complex(PyObject *value, const struct type *type, void *target)
{
    return unbox_number(value, type, target, store_complex_of);
}

static bool unbox_member(PyObject *value, const struct type *type, void *target)
{
    if (type->enumeration.is_numbered)
        return py_enum_number(type, value, target);
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
    return (int)scalar->obmeta.base == type->time.unit &&
           scalar->obmeta.num == type->time.multiple;
}

// A datetime64 or timedelta64, or what NumPy makes one of.
// NumPy knows how to convert strings, dates and other units; a scalar of the very unit is
// read without it.
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

static bool unbox_bfloat(PyObject *value, const struct type *type, void *target)
{
    PyArray_Descr *descr = (PyArray_Descr *)py_dtype_from_type(type);
    PyObject *array = descr ? PyArray_FromAny(value, descr, 0, 0,
                                      NPY_ARRAY_DEFAULT | NPY_ARRAY_FORCECAST, NULL)
                            : NULL; // takes the reference to descr
    if (array)
        memcpy(target, PyArray_DATA((PyArrayObject *)array), sizeof(uint16_t));
    Py_XDECREF(array);
    return array;
}

static bool unbox_object(PyObject *value, const struct type *type, void *target)
{
    return py_unbox_object(value, type, target);
}

static bool unbox_callable(PyObject *value, const struct type *type, void *target)
{
    return py_callable_unbox(value, type, target);
}

static bool unbox_meminfo(PyObject *value, const struct type *type, void *target)
{
    return py_memory_unbox(value, target);
}

static bool unbox_choice(PyObject *value, const struct type *type, void *target)
{
    return py_choice_unbox(value, type, target);
}

static bool unbox_pointer(PyObject *value, const struct type *type, void *target)
{
    return type == type_random_generator() ? py_unbox_generator(value, target)
                                           : py_foreign_unbox(value, target);
}

static bool unbox_foreign(PyObject *value, const struct type *type, void *target)
{
    return py_foreign_unbox(value, target);
}

static bool unbox_extension(PyObject *value, const struct type *type, void *target)
{
    return py_extension_unbox(value, type, target);
}

// Of what is known while compiling, or is one value, there is nothing to pass.
static bool unbox_nothing(PyObject *value, const struct type *type, void *target)
{
    return true;
}

static bool unbox_refused(PyObject *value, const struct type *type, void *target)
{
    PyErr_Format(PyExc_TypeError, "cannot pass a value of type %s to compiled code",
            type->name);
    return false;
}

// Each kind by the word in its row: a new word has no function, and does not compile.
static bool (*const unboxes[TYPE_KIND_COUNT])(
        PyObject *value, const struct type *type, void *target) = {
#define KIND(id, shape, size, alignment, leaves, counted, detail, role, form, dtype,     \
        box, unbox)                                                                      \
    [TYPE_##id] = unbox_##unbox,
#include "compiler/types/kinds.def"
};

bool py_unbox(PyObject *value, const struct type *type, void *target)
{
    assert(type->kind < TYPE_KIND_COUNT);
    return unboxes[type->kind](value, type, target);
}

// The memory of arrays is their object's: they are lent, but for those within values of
// extension types.
// Asked once for each overload. Must agree with py_release.
bool py_owns_memory(const struct type *type)
{
    enum type_counted counted = type_traits_of(type)->counted;
    if (type->kind == TYPE_EXTENSION)
        return type_is_counted(type);
    if (counted == COUNTED_ELEMENT)
        return py_owns_memory(type->element);
    for (size_t i = 0; counted == COUNTED_ITEMS && i < type->tuple.len; i++)
        if (py_owns_memory(type->tuple.items[i]))
            return true;
    return counted == COUNTED_FIRST && type->kind != TYPE_ARRAY;
}

// Of zeros it is nothing to do: a block that was filled in by half is released whole.
void py_release(const struct type *type, const void *target)
{
    enum type_counted counted = type_traits_of(type)->counted;
    size_t offset = 0;
    if (counted == COUNTED_FIRST) // an array's is NULL: unbox_array lends it
        gridcell_memory_release(*(struct abi_memory *const *)target);
    else if (counted == COUNTED_ELEMENT)
        py_release(type->element, target);
    for (size_t i = 0; counted == COUNTED_ITEMS && i < type->tuple.len; i++) {
        const struct type *item = type->tuple.items[i];
        py_release(item, (const char *)target + abi_place(item, &offset));
    }
}

bool py_keep_arrays(const struct type *type, void *target)
{
    enum type_counted counted = type_traits_of(type)->counted;
    struct abi_array *array = target;
    size_t offset = 0;
    bool is_done = true;
    if (type->kind == TYPE_ARRAY && !array->memory && array->parent) {
        array->memory = py_keep_parent(array->parent);
        is_done = array->memory != NULL;
        if (!is_done)
            PyErr_NoMemory();
    }
    if (counted == COUNTED_ELEMENT)
        is_done = py_keep_arrays(type->element, target);
    for (size_t i = 0; counted == COUNTED_ITEMS && i < type->tuple.len; i++) {
        const struct type *item = type->tuple.items[i];
        is_done = py_keep_arrays(item, (char *)target + abi_place(item, &offset)) &&
                  is_done;
    }
    return is_done;
}

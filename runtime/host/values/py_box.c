// SPDX-License-Identifier: MIT
// Values from compiled code to Python: the object for a result in ABI form.
//
// Boxing takes over the reference that the result came with: an array's memory goes to a
// MemInfo that is its base, texts are copied and released. On failure (memory) what was
// not reached is lost. A result that is an argument unchanged is that very object, as in
// Python, which is what `parent` is for.
#include "runtime/host/values/py_callable.h"
#include "runtime/host/values/py_numpy.h"

#include <assert.h>
#include <string.h>

#include "compiler/types/kinds.h"
#include "compiler/support/text/text.h"
#include "compiler/support/support.h"
#include "runtime/host/random/py_random.h"
#include "runtime/host/values/py_closure.h"
#include "runtime/host/values/py_extension.h"
#include "runtime/host/values/py_reflect.h"
#include "runtime/host/values/py_values.h"

static PyObject *box_none(const struct type *type, const void *source)
{
    Py_RETURN_NONE;
}

static PyObject *box_ellipsis(const struct type *type, const void *source)
{
    return Py_NewRef(Py_Ellipsis);
}

static PyObject *box_truth(const struct type *type, const void *source)
{
    return PyBool_FromLong(*(const uint8_t *)source);
}

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

static PyObject *box_real(const struct type *type, const void *source)
{
    return PyFloat_FromDouble(read_real(type, source));
}

static PyObject *box_complex(const struct type *type, const void *source)
{
    return PyComplex_FromDoubles(read_real(type->element, source),
            read_real(type->element, (const char *)source + type->bits / 16));
}

// Whether the strides are the array's, where they matter.
// NumPy is free to choose strides along axes of extent 0 and 1.
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

// The object that the value came from, or NULL.
static PyObject *parent_of(const struct abi_array *value)
{
    return value->parent == ABI_NOBODY ? NULL : value->parent;
}

// Whether the value is the array object that it came from, unchanged.
static bool is_parent(const struct type *type, const struct abi_array *value)
{
    PyArrayObject *array = (PyArrayObject *)parent_of(value);
    int ndim = type->array.ndim;
    return array && PyArray_Check(array) && PyArray_DATA(array) == value->data &&
           PyArray_NDIM(array) == ndim && has_shape(array, value->dims) &&
           has_strides(array, value->dims + ndim) &&
           !PyArray_ISWRITEABLE(array) == type->array.is_readonly &&
           py_type_from_dtype((PyObject *)PyArray_DESCR(array)) == type->element;
}

// An array over the value's memory that keeps `base_stolen` alive.
// In the ABI strides follow the shape, so that both are copied at once.
static PyObject *array_over(
        const struct type *type, const struct abi_array *value, PyObject *base_stolen)
{
    PyObject *descr = py_dtype_from_type(type->element);
    npy_intp dims[2 * MAX_NDIM];
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

// The dtype whose items are np.record, as numba gives them: their fields are attributes.
static PyObject *dtype_of_records(PyObject *descr_stolen)
{
    PyObject *class = descr_stolen ? py_import_attr("numpy", "record") : NULL;
    PyObject *pair = class ? Py_BuildValue("(OO)", class, descr_stolen) : NULL;
    PyArray_Descr *descr = NULL;
    if (pair && PyArray_DescrConverter(pair, &descr) == NPY_FAIL)
        descr = NULL;
    Py_XDECREF(pair);
    Py_XDECREF(class);
    Py_XDECREF(descr_stolen);
    return (PyObject *)descr;
}

// NumPy does not store into records that own their memory, so the copy is an array's.
static PyObject *copy_record(const void *data, PyArray_Descr *descr)
{
    PyObject *array = PyArray_NewFromDescr(&PyArray_Type,
            (PyArray_Descr *)Py_NewRef(descr), 0, NULL, NULL, NULL, 0, NULL);
    if (!array)
        return NULL;
    char *copy = PyArray_DATA((PyArrayObject *)array);
    memcpy(copy, data, (size_t)PyArray_ITEMSIZE((PyArrayObject *)array));
    PyObject *record = PyArray_Scalar(copy, descr, array);
    Py_DECREF(array);
    return record;
}

// What came as np.void goes as np.record: over the same memory where that is an array's.
static PyObject *record_of_void(const struct type *type, PyObject *void_scalar)
{
    if (Py_TYPE(void_scalar) != &PyVoidArrType_Type)
        return Py_NewRef(void_scalar);
    const PyVoidScalarObject *scalar = (const PyVoidScalarObject *)void_scalar;
    PyObject *descr = dtype_of_records(py_dtype_from_type(type->element));
    PyObject *record = NULL;
    if (descr && scalar->base && PyArray_Check(scalar->base))
        record = PyArray_Scalar(scalar->obval, (PyArray_Descr *)descr, scalar->base);
    else if (descr)
        record = copy_record(scalar->obval, (PyArray_Descr *)descr);
    Py_XDECREF(descr);
    return record;
}

// A record by itself: the argument that it came from, or a copy.
// An array of no dimensions stands for a record in compiled code.
static PyObject *box_record_item(const struct type *type, const struct abi_array *value)
{
    PyObject *parent = parent_of(value), *descr = NULL;
    if (parent && PyArray_IsScalar(parent, Void) &&
            ((PyVoidScalarObject *)parent)->obval == value->data)
        return record_of_void(type, parent);
    if (parent && PyArray_Check(parent) &&
            py_type_from_dtype((PyObject *)PyArray_DESCR((PyArrayObject *)parent)) ==
                    type->element &&
            PyArray_DESCR((PyArrayObject *)parent)->typeobj != &PyVoidArrType_Type)
        descr = Py_NewRef((PyObject *)PyArray_DESCR((PyArrayObject *)parent));
    else
        descr = dtype_of_records(py_dtype_from_type(type->element));
    PyObject *item = descr ? copy_record(value->data, (PyArray_Descr *)descr) : NULL;
    Py_XDECREF(descr);
    gridcell_memory_release(value->memory);
    return item;
}

// An argument that was an array of no dimensions, and comes back as it is.
static bool is_array_of_record(const struct type *type, const struct abi_array *value)
{
    PyObject *parent = parent_of(value);
    return parent && PyArray_Check(parent) &&
           PyArray_NDIM((PyArrayObject *)parent) == 0 && is_parent(type, value);
}

// Five cases: a view of counted memory; such memory over an argument that is unchanged; a
// view of an argument; a view of memory that the program vouches for; a constant.
static PyObject *box_array(const struct type *type, const void *source)
{
    const struct abi_array *value = source;
    if (type->array.ndim == 0 && type->element->kind == TYPE_RECORD &&
            !is_array_of_record(type, value))
        return box_record_item(type, value);
    if (is_parent(type, value)) {
        PyObject *parent = Py_NewRef(parent_of(value));
        gridcell_memory_release(value->memory);
        return parent;
    }
    if (value->memory) {
        PyObject *owner = py_memory_new(value->memory);
        return owner ? array_over(type, value, owner) : NULL;
    }
    if (value->parent)
        return array_over(type, value, Py_XNewRef(parent_of(value)));
    // a constant of the compiled code: copied, for the code may go
    PyObject *view = array_over(type, value, NULL);
    PyObject *copy = view ? PyArray_NewCopy((PyArrayObject *)view, NPY_KEEPORDER) : NULL;
    Py_XDECREF(view);
    return copy;
}

PyObject *py_box_items(const struct type *type, const void *source)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)type->tuple.len);
    size_t offset = 0;
    for (size_t i = 0; tuple && i < type->tuple.len; i++) {
        const struct type *item = type->tuple.items[i];
        PyObject *value = py_box(item, (const char *)source + abi_place(item, &offset));
        py_tuple_put(&tuple, (Py_ssize_t)i, value);
    }
    return tuple;
}

// An instance of the named tuple's class.
static PyObject *box_named_tuple(const struct type *type, const void *source)
{
    PyObject *tuple = py_box_items(type, source);
    PyObject *value = tuple ? PyObject_CallObject(type->tuple.class_object, tuple) : NULL;
    Py_XDECREF(tuple);
    return value;
}

static PyObject *box_tuple(const struct type *type, const void *source)
{
    return type->tuple.names ? box_named_tuple(type, source) : py_box_items(type, source);
}

static PyObject *box_member(const struct type *type, const void *source)
{
    if (type->enumeration.is_numbered)
        return py_enum_member(type, *(const int64_t *)source);
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

// PyUnicode_FromKindAndData chooses the narrowest form of the characters itself.
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

static PyObject *box_text(const struct type *type, const void *source)
{
    return type == type_bytes ? box_bytes(source) : box_string(source);
}

// An end that lies as far as an integer goes was left out.
static PyObject *box_slice_end(int64_t end)
{
    bool is_open = end == INT64_MAX || end == INT64_MIN;
    return is_open ? Py_NewRef(Py_None) : PyLong_FromLongLong(end);
}

static PyObject *box_slice(const struct type *type, const void *source)
{
    const int64_t *parts = source;
    PyObject *start = box_slice_end(parts[0]), *stop = box_slice_end(parts[1]);
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
// "N" takes the references; if one is NULL, CallFunction releases the others and fails.
static PyObject *box_range(const struct type *type, const void *source)
{
    size_t size = abi_size(type->element);
    const char *bytes = source;
    return PyObject_CallFunction((PyObject *)&PyRange_Type, "NNN",
            py_box(type->element, bytes), py_box(type->element, bytes + size),
            py_box(type->element, bytes + 2 * size));
}

// What NumPy calls the type; numba's own where NumPy has none.
// The value has no bits: it is its type.
static PyObject *box_class(const struct type *type, const void *source)
{
    bool has_dtype = type_is_item(type->element) || type->element->kind == TYPE_RECORD;
    return has_dtype && py_numpy_load() ? py_dtype_from_type(type->element)
                                        : py_type_wrap(type->element);
}

static PyObject *box_object(const struct type *type, const void *source)
{
    return py_box_object(type, *(struct abi_row *const *)source);
}

// Python's own view of the dict that comes back.
static PyObject *box_view(const struct type *type, const void *source)
{
    static const char *const methods[] = {"keys", "values", "items"};
    PyObject *dict = box_object(type->element, source);
    PyObject *view = dict ? PyObject_CallMethod(dict, methods[type->bits], NULL) : NULL;
    Py_XDECREF(dict);
    return view;
}

static PyObject *box_generator(const struct type *type, const void *source)
{
    return py_generator_new(type, *(struct abi_generator *const *)source);
}

static PyObject *box_callable(const struct type *type, const void *source)
{
    return py_callable_box(type, source);
}

static PyObject *box_meminfo(const struct type *type, const void *source)
{
    return py_memory_box(source);
}

static PyObject *box_choice(const struct type *type, const void *source)
{
    return py_choice_box(type, source);
}

static PyObject *box_closure(const struct type *type, const void *source)
{
    return py_closure_box(type, source);
}

static PyObject *box_extension(const struct type *type, const void *source)
{
    return py_extension_box(type, source);
}

static PyObject *box_pointer(const struct type *type, const void *source)
{
    return type == type_random_generator() ? py_box_generator(source)
                                           : PyLong_FromVoidPtr(*(void *const *)source);
}

// np.finfo and np.iinfo of a dtype, which no other values of their kind are like; or
// NULL.
static PyObject *box_limits(const struct type *type)
{
    PyObject *class = py_import_attr("numpy", type->function);
    PyObject *dtype = class ? py_dtype_from_type(type->element) : NULL;
    PyObject *limits = dtype ? PyObject_CallOneArg(class, dtype) : NULL;
    Py_XDECREF(class);
    Py_XDECREF(dtype);
    return limits;
}

static PyObject *box_refused(const struct type *type, const void *source)
{
    bool is_number = type->kind == TYPE_LITERAL && type_is_number(type->element);
    const char *text = is_number ? type->function : "";
    if (!strcmp(text, "finfo") || !strcmp(text, "iinfo"))
        return box_limits(type);
    return PyErr_Format(PyExc_TypeError, "cannot return a value of type %s", type->name);
}

static PyObject *box_dispatcher(const struct type *type, const void *source)
{
    return type->source && type->source->owner
                   ? Py_NewRef((PyObject *)type->source->owner)
                   : box_refused(type, source);
}

// Each kind by the word in its row: a new word has no function, and does not compile.
static PyObject *(*const boxes[TYPE_KIND_COUNT])(const struct type *, const void *) = {
#define KIND(id, shape, size, alignment, leaves, counted, detail, role, form, dtype,     \
        box, unbox)                                                                      \
    [TYPE_##id] = box_##box,
#include "compiler/types/kinds.def"
};

PyObject *py_box(const struct type *type, const void *source)
{
    assert(type->kind < TYPE_KIND_COUNT);
    return boxes[type->kind](type, source);
}

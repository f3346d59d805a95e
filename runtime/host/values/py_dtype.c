// SPDX-License-Identifier: MIT
// The way between NumPy's dtypes and our types, and the types that users name. What a
// dtype means depends on the dtype alone, never on a value.
#include "runtime/host/values/py_numpy.h"

#include <string.h>

#include "compiler/types/datetime.h"
#include "runtime/host/values/py_values.h"

enum { MAX_FIELDS = 256 };

// By NumPy's number. Where two have one type, the first is what it becomes.
static const struct type *const *const number_types[] = {
        [NPY_BOOL] = &type_bool,
        [NPY_BYTE] = &type_int8,
        [NPY_UBYTE] = &type_uint8,
        [NPY_SHORT] = &type_int16,
        [NPY_USHORT] = &type_uint16,
        [NPY_INT] = &type_int32,
        [NPY_UINT] = &type_uint32,
        [NPY_LONG] = &type_int64,
        [NPY_ULONG] = &type_uint64,
        [NPY_LONGLONG] = &type_int64,
        [NPY_ULONGLONG] = &type_uint64,
        [NPY_FLOAT] = &type_float32,
        [NPY_DOUBLE] = &type_float64,
        [NPY_CFLOAT] = &type_complex64,
        [NPY_CDOUBLE] = &type_complex128,
        [NPY_HALF] = &type_float16,
};
enum { NUMBER_TYPES = sizeof number_types / sizeof *number_types };

static const struct type *type_of_number(int number)
{
    return number < NUMBER_TYPES && number_types[number] ? *number_types[number] : NULL;
}

// -1: none.
static int number_of_type(const struct type *type)
{
    for (int i = 0; i < NUMBER_TYPES; i++)
        if (number_types[i] && *number_types[i] == type)
            return i;
    return -1;
}

// The type of a field, or of the items of a nested array and its shape.
static bool read_field_type(PyObject *dtype, struct type_field *field)
{
    PyObject *nested = PyObject_GetAttrString(dtype, "subdtype");
    bool is_nested = nested && PyTuple_Check(nested);
    PyObject *shape = is_nested ? PyTuple_GET_ITEM(nested, 1) : NULL;
    field->type = py_type_from_dtype(is_nested ? PyTuple_GET_ITEM(nested, 0) : dtype);
    if (is_nested && PyTuple_GET_SIZE(shape) > MAX_FIELD_NDIM)
        field->type = NULL;
    for (Py_ssize_t i = 0; is_nested && field->type && i < PyTuple_GET_SIZE(shape); i++)
        field->shape[field->ndim++] = PyLong_AsLongLong(PyTuple_GET_ITEM(shape, i));
    Py_XDECREF(nested);
    return field->type;
}

// Reads fields[name] = (dtype, offset[, title]) of a structured dtype.
static bool read_field(PyObject *fields, PyObject *name, struct type_field *field)
{
    PyObject *entry = PyObject_GetItem(fields, name);
    PyObject *dtype = entry ? PySequence_GetItem(entry, 0) : NULL;
    PyObject *offset = dtype ? PySequence_GetItem(entry, 1) : NULL;
    bool done = false;
    if (offset) {
        *field = (struct type_field){.offset_bytes = PyLong_AsSize_t(offset)};
        field->name = PyUnicode_AsUTF8(name); // interned by type_record, which copies it
        if (PySequence_Size(entry) > 2 && PyTuple_Check(entry) &&
                PyUnicode_Check(PyTuple_GET_ITEM(entry, 2)))
            field->title = PyUnicode_AsUTF8(PyTuple_GET_ITEM(entry, 2));
        done = field->name && read_field_type(dtype, field) && !PyErr_Occurred();
    }
    Py_XDECREF(entry);
    Py_XDECREF(dtype);
    Py_XDECREF(offset);
    return done;
}

static const struct type *record_from_dtype(PyObject *dtype)
{
    PyObject *names = PyObject_GetAttrString(dtype, "names");
    PyObject *fields = PyObject_GetAttrString(dtype, "fields");
    PyObject *itemsize = PyObject_GetAttrString(dtype, "itemsize");
    PyObject *is_aligned = PyObject_GetAttrString(dtype, "isalignedstruct");
    struct type_field list[MAX_FIELDS];
    const struct type *type = NULL;
    Py_ssize_t count = names && PyTuple_Check(names) ? PyTuple_GET_SIZE(names) : 0;
    if (fields && itemsize && is_aligned && count > 0 && count <= MAX_FIELDS) {
        Py_ssize_t i = 0;
        while (i < count && read_field(fields, PyTuple_GET_ITEM(names, i), &list[i]))
            i++;
        if (i == count)
            type = type_record(list, (size_t)count, PyLong_AsSize_t(itemsize),
                    is_aligned == Py_True);
    }
    Py_XDECREF(names);
    Py_XDECREF(fields);
    Py_XDECREF(itemsize);
    Py_XDECREF(is_aligned);
    py_error_drop();
    return type;
}

// 'U5', 'S5'
static const struct type *cells_from_dtype(PyObject *dtype, bool is_unicode)
{
    PyObject *itemsize = PyObject_GetAttrString(dtype, "itemsize");
    size_t size = itemsize ? PyLong_AsSize_t(itemsize) : 0;
    Py_XDECREF(itemsize);
    py_error_drop();
    if (!size || size > INT32_MAX / 8)
        return NULL;
    return is_unicode ? type_cells(type_string, size / 4) : type_cells(type_bytes, size);
}

// 'M8[D]', 'm8[25s]'
static const struct type *time_from_dtype(PyObject *dtype)
{
    PyObject *text = PyObject_GetAttrString(dtype, "str");
    const char *name = text ? PyUnicode_AsUTF8(text) : NULL;
    const struct type *type = name ? time_type_named(name + 1) : NULL; // behind '<'
    Py_XDECREF(text);
    py_error_drop();
    return type;
}

static const struct type *type_of_parts(PyArray_Descr *descr)
{
    PyObject *dtype = (PyObject *)descr;
    if (descr->type_num == NPY_VOID)
        return record_from_dtype(dtype);
    if (descr->type_num == NPY_UNICODE || descr->type_num == NPY_STRING)
        return cells_from_dtype(dtype, descr->type_num == NPY_UNICODE);
    return time_from_dtype(dtype);
}

// Asking a dtype for its parts takes longer than a call. One that has no type is asked
// again.
static struct known_dtype *know(PyArray_Descr *descr)
{
    size_t place = (uintptr_t)descr / sizeof(void *) / 4 % KNOWN_DTYPES;
    struct known_dtype *known = &py_runtime()->known_dtypes[place];
    PyObject *names = descr->type_num == NPY_VOID ? PyDataType_NAMES(descr) : NULL;
    if (known->dtype == (PyObject *)descr && known->names == names)
        return known;
    const struct type *type = type_of_parts(descr);
    if (!type)
        return NULL;
    Py_XSETREF(known->dtype, Py_NewRef((PyObject *)descr));
    Py_XSETREF(known->names, Py_XNewRef(names));
    known->type = type;
    memset(known->arrays, 0, sizeof known->arrays);
    return known;
}

static const struct type *known_type_of_parts(PyArray_Descr *descr)
{
    const struct known_dtype *known = know(descr);
    return known ? known->type : NULL;
}

// Whether it takes more than its number to tell the type.
static bool has_parts(const PyArray_Descr *descr)
{
    if (descr->type_num == NPY_VOID)
        return true;
    return PyArray_ISNBO(descr->byteorder) &&
           (descr->type_num == NPY_UNICODE || descr->type_num == NPY_STRING ||
                   descr->type_num == NPY_DATETIME || descr->type_num == NPY_TIMEDELTA);
}

const struct type **py_known_array(
        PyObject *dtype, int ndim, int layout, bool is_readonly)
{
    PyArray_Descr *descr = (PyArray_Descr *)dtype;
    struct known_dtype *known =
            has_parts(descr) && ndim < ARRAY_TYPE_NDIM ? know(descr) : NULL;
    return known ? &known->arrays[ndim][layout][is_readonly] : NULL;
}

const struct type *py_type_from_dtype(PyObject *dtype)
{
    if (!py_numpy_is_loaded() || !PyArray_DescrCheck(dtype))
        return NULL;
    PyArray_Descr *descr = (PyArray_Descr *)dtype;
    if (has_parts(descr))
        return known_type_of_parts(descr);
    if (!PyArray_ISNBO(descr->byteorder))
        return NULL;
    if (descr->type_num >= NPY_USERDEF)
        return str_ends_with(descr->typeobj->tp_name, "bfloat16") ? type_bfloat16 : NULL;
    return type_of_number(descr->type_num);
}

const struct type *py_type_of_dtype(PyObject *dtype)
{
    const struct type *type = py_type_from_dtype(dtype);
    bool is_object = !type && py_numpy_is_loaded() && PyArray_DescrCheck(dtype) &&
                     ((PyArray_Descr *)dtype)->type_num == NPY_OBJECT;
    return is_object ? type_pyobject : type;
}

// Takes the first over, also where it is NULL.
PyObject *py_field_with_shape(PyObject *item, const struct type_field *field)
{
    PyObject *shape = item && field->ndim ? PyTuple_New(field->ndim) : NULL;
    if (!shape)
        return item;
    for (int i = 0; i < field->ndim; i++)
        PyTuple_SET_ITEM(shape, i, PyLong_FromLongLong(field->shape[i]));
    return Py_BuildValue("(NN)", item, shape);
}

static PyObject *dtype_from_record(const struct type *type)
{
    PyObject *names = PyList_New(0), *formats = PyList_New(0), *offsets = PyList_New(0);
    PyObject *titles = PyList_New(0);
    bool done = names && formats && offsets && titles, has_titles = false;
    for (size_t i = 0; done && i < type->record.len; i++) {
        const struct type_field *field = &type->record.fields[i];
        PyObject *name = PyUnicode_FromString(field->name);
        PyObject *format = py_field_with_shape(py_dtype_from_type(field->type), field);
        PyObject *offset = PyLong_FromSize_t(field->offset_bytes);
        PyObject *title = Py_BuildValue("z", field->title);
        has_titles = has_titles || field->title;
        done = name && format && offset && title && PyList_Append(names, name) == 0 &&
               PyList_Append(formats, format) == 0 &&
               PyList_Append(offsets, offset) == 0 && PyList_Append(titles, title) == 0;
        Py_XDECREF(title);
        Py_XDECREF(name);
        Py_XDECREF(format);
        Py_XDECREF(offset);
    }
    PyObject *recipe = done ? Py_BuildValue("{sOsOsOsnsO}", "names", names, "formats",
                                      formats, "offsets", offsets, "itemsize",
                                      (Py_ssize_t)type->record.size_bytes, "aligned",
                                      type->record.is_aligned ? Py_True : Py_False)
                            : NULL;
    PyArray_Descr *descr = NULL;
    if (recipe && has_titles && PyDict_SetItemString(recipe, "titles", titles) < 0)
        Py_CLEAR(recipe);
    if (recipe && PyArray_DescrConverter(recipe, &descr) == NPY_FAIL)
        descr = NULL;
    Py_XDECREF(titles);
    Py_XDECREF(names);
    Py_XDECREF(formats);
    Py_XDECREF(offsets);
    Py_XDECREF(recipe);
    return (PyObject *)descr;
}

static PyObject *dtype_from_cells(const struct type *type)
{
    bool is_bytes = type->element == type_bytes;
    PyObject *name = PyUnicode_FromFormat(
            "%c%d", is_bytes ? 'S' : 'U', type->bits / (is_bytes ? 8 : 32));
    PyArray_Descr *descr = NULL;
    if (!name || PyArray_DescrConverter(name, &descr) == NPY_FAIL)
        descr = NULL;
    Py_XDECREF(name);
    return (PyObject *)descr;
}

static PyObject *dtype_from_time(const struct type *type)
{
    PyArray_Descr *descr = NULL;
    PyObject *name = PyUnicode_FromString(type->name);
    if (type->time.unit == TIME_GENERIC)
        Py_SETREF(name, PyUnicode_FromString(type->time.is_delta ? "m8" : "M8"));
    if (!name || PyArray_DescrConverter(name, &descr) == NPY_FAIL)
        descr = NULL;
    Py_XDECREF(name);
    return (PyObject *)descr;
}

// As the package ml_dtypes adds it to NumPy.
static PyObject *dtype_of_bfloat(void)
{
    PyArray_Descr *descr = NULL;
    PyObject *class = py_import_attr("ml_dtypes", "bfloat16");
    if (!class)
        PyErr_SetString(PyExc_NotImplementedError,
                "NumPy has no bfloat16: install ml_dtypes, or keep the bits in an array "
                "of "
                "uint16 and use cuda.bf16.uint16_as_bfloat16");
    else if (PyArray_DescrConverter(class, &descr) == NPY_FAIL)
        descr = NULL;
    Py_XDECREF(class);
    return (PyObject *)descr;
}

PyObject *py_dtype_from_type(const struct type *type)
{
    if (!py_numpy_load())
        return NULL;
    if (type->kind == TYPE_RECORD)
        return dtype_from_record(type);
    if (type->kind == TYPE_CELLS)
        return dtype_from_cells(type);
    if (type->kind == TYPE_TIME)
        return dtype_from_time(type);
    if (type->kind == TYPE_BFLOAT)
        return dtype_of_bfloat();
    if (type->kind == TYPE_CLASS && type->element)
        return py_dtype_from_type(type->element);
    if (type->kind == TYPE_ENUM && type->enumeration.is_int)
        return py_dtype_from_type(type->element);
    int number = number_of_type(type);
    if (number >= 0)
        return (PyObject *)PyArray_DescrFromType(number);
    PyObject *class = py_import_attr("numba.core.errors", "NumbaNotImplementedError");
    if (class)
        PyErr_Format(class, "%s cannot be represented as a NumPy dtype", type->name);
    Py_XDECREF(class);
    return NULL;
}

const struct type *py_argument_type(const struct type *type)
{
    if (type->kind == TYPE_CELLS) // a text of any length is cut where it is stored
        return type->element;
    if (type->kind != TYPE_RECORD)
        return type;
    return type_array_in(type, 0, LAYOUT_C, false, type->record.is_aligned, 0);
}

// --- what users name

const struct type *py_type_from(PyObject *object)
{
    const struct type *type = py_type_get(object);
    if (type)
        return type->kind == TYPE_CLASS && type->element ? type->element : type;
    if (object == (PyObject *)&PyLong_Type)
        return type_int64;
    if (object == (PyObject *)&PyFloat_Type)
        return type_float64;
    if (object == (PyObject *)&PyBool_Type)
        return type_bool;
    if (object == (PyObject *)&PyComplex_Type)
        return type_complex128;
    type = py_type_or_literal(object);
    if (type)
        return type;
    PyArray_Descr *descr = NULL;
    if (object != Py_None && py_numpy_load() &&
            PyArray_DescrConverter(object, &descr) == NPY_SUCCEED && descr)
        type = py_type_from_dtype((PyObject *)descr);
    Py_XDECREF(descr);
    py_error_drop();
    if (!type)
        PyErr_Format(PyExc_TypeError, "expected a type, got %R", object);
    return type;
}

const struct type *py_type_or_tuple(PyObject *object)
{
    const struct type **items = NULL;
    size_t count = 0;
    if (!PyTuple_Check(object))
        return py_type_from(object);
    if (!py_types_from_sequence(object, &items, &count))
        return NULL;
    const struct type *type = type_tuple(items, count);
    PyMem_Free(items);
    return type;
}

// --- functions of the module

static PyObject *module_from_dtype(PyObject *module, PyObject *dtype)
{
    PyArray_Descr *descr = NULL;
    if (!py_numpy_load() || PyArray_DescrConverter(dtype, &descr) == NPY_FAIL)
        return NULL;
    const struct type *type = py_type_from_dtype((PyObject *)descr);
    if (!type) {
        PyObject *class = py_import_attr("numba.core.errors", "NumbaNotImplementedError");
        if (class)
            PyErr_Format(class, "%S", (PyObject *)descr);
        Py_XDECREF(class);
    }
    Py_DECREF(descr);
    return type ? py_type_wrap(type) : NULL;
}

static PyObject *module_as_dtype(PyObject *module, PyObject *object)
{
    const struct type *type = py_type_get(object);
    if (!type)
        return PyErr_Format(PyExc_TypeError, "expected a type, got %R", object);
    return py_dtype_from_type(type);
}

PyMethodDef py_dtype_functions[] = {
        {"from_dtype", module_from_dtype, METH_O,
                "from_dtype(dtype)\n\nThe type of the elements of arrays.\n\ndtype: a "
                "NumPy dtype. "
                "Gives a type.\nRaises NumbaNotImplementedError for a dtype without "
                "one.\n\n"
                "Example:\n    kind = from_dtype(np.dtype(np.float32))"},
        {"as_dtype", module_as_dtype, METH_O, "The NumPy dtype of a type."},
        {0},
};

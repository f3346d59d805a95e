// SPDX-License-Identifier: MIT
// DeviceNDArray: typed views of device memory; how they come to be.
#include "runtime/device/arrays/py_device_array.h"

#include <stddef.h>
#include <string.h>
#include <structmember.h>

// --- arrays --------------------------------------------------------------------------

bool py_device_array_check(PyObject *object)
{
    return PyObject_TypeCheck(object, py_device_types()->array);
}

struct py_device_array *py_device_array_view(struct py_device_memory *memory,
        device_address data, PyArray_Descr *dtype, int ndim, const int64_t *shape,
        const int64_t *strides, char order)
{
    PyTypeObject *type = py_device_types()->array;
    struct py_device_array *self = (struct py_device_array *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    self->memory = (struct py_device_memory *)Py_XNewRef((PyObject *)memory);
    self->data = data;
    self->dtype = (PyArray_Descr *)Py_NewRef((PyObject *)dtype);
    self->ndim = ndim;
    self->dims = self->inline_dims;
    if (ndim > INLINE_DIMS)
        self->dims = PyMem_Malloc(2 * (size_t)ndim * sizeof *self->dims);
    if (!self->dims) {
        Py_DECREF(self);
        return (struct py_device_array *)PyErr_NoMemory();
    }
    int64_t item_bytes = PyDataType_ELSIZE(dtype);
    memcpy(self->dims, shape, (size_t)ndim * sizeof *shape);
    if (strides)
        memcpy(self->dims + ndim, strides, (size_t)ndim * sizeof *strides);
    else
        layout_strides(shape, ndim, item_bytes, order, self->dims + ndim);
    self->size = layout_count(shape, ndim, item_bytes);
    self->is_c = layout_is_contiguous(shape, self->dims + ndim, ndim, item_bytes, 'C');
    self->is_f = layout_is_contiguous(shape, self->dims + ndim, ndim, item_bytes, 'F');
    return self;
}

static struct py_device_array *array_allocate(PyArray_Descr *dtype, int ndim,
        const int64_t *shape, const int64_t *strides, char order)
{
    struct device *device = py_device_current();
    if (!device)
        return NULL;
    if (PyDataType_REFCHK(dtype)) {
        PyErr_Format(PyExc_TypeError,
                "dtype %R holds Python objects, which cannot be on a device", dtype);
        return NULL;
    }
    int64_t item_bytes = PyDataType_ELSIZE(dtype), low = 0, high = 0;
    int64_t count = layout_count(shape, ndim, item_bytes);
    if (count < 0) {
        for (int i = 0; i < ndim; i++) {
            if (shape[i] < 0) {
                PyErr_SetString(PyExc_ValueError, "negative dimensions are not allowed");
                return NULL;
            }
        }
        struct error err = {0};
        error_set(&err, ERROR_DEVICE, SPAN_NONE,
                "Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY");
        err.code = DEVICE_ERROR_OUT_OF_MEMORY;
        py_raise(&err);
        py_device_name_array(dtype, ndim, shape);
        return NULL;
    }
    high = count * item_bytes;
    if (strides)
        layout_extent(shape, strides, ndim, item_bytes, &low, &high);
    struct py_device_memory *memory = py_device_memory_new(device, (size_t)(high - low));
    if (!memory) {
        py_device_name_array(dtype, ndim, shape);
        return NULL;
    }
    struct py_device_array *self = py_device_array_view(memory,
            memory->address - (device_address)low, dtype, ndim, shape, strides, order);
    Py_DECREF(memory);
    return self;
}

struct py_device_array *py_device_array_new(
        PyArray_Descr *dtype, int ndim, const int64_t *shape, char order)
{
    return array_allocate(dtype, ndim, shape, NULL, order);
}

const struct type *py_device_array_type(struct py_device_array *array)
{
    if (array->type)
        return array->type;
    const struct type *element = py_type_from_dtype((PyObject *)array->dtype);
    if (!element) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_NotImplementedError, "unsupported array dtype: %R",
                    array->dtype);
        return NULL;
    }
    enum array_layout layout = array->is_c ? LAYOUT_C : array->is_f ? LAYOUT_F : LAYOUT_A;
    bool is_readonly = array->memory && array->memory->is_readonly;
    bool is_aligned = layout_is_aligned(
            array->data, array_strides(array), array->ndim, abi_alignment(element));
    return array->type = type_array_in(
                   element, array->ndim, layout, is_readonly, is_aligned, 0);
}

bool py_device_array_is_writable(const struct py_device_array *array)
{
    if (!array->memory || !array->memory->is_readonly)
        return true;
    PyErr_SetString(PyExc_ValueError, "assignment destination is read-only");
    return false;
}

static void array_dealloc(PyObject *object)
{
    struct py_device_array *self = (struct py_device_array *)object;
    py_dealloc_begin(object);
    Py_XDECREF((PyObject *)self->memory);
    Py_XDECREF(self->dtype);
    Py_XDECREF(self->stream);
    if (self->dims != self->inline_dims)
        PyMem_Free(self->dims);
    py_dealloc_end(object);
}

static int array_traverse(PyObject *object, visitproc visit, void *arg)
{
    struct py_device_array *self = (struct py_device_array *)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT((PyObject *)self->memory);
    Py_VISIT(self->stream);
    return 0;
}

static PyObject *array_repr(PyObject *object)
{
    return PyUnicode_FromFormat(
            "<%s object at %p>", Py_TYPE(object)->tp_name, (void *)object);
}

// --- construction --------------------------------------------------------------------

// Reads a shape: an integer or a sequence of them.
static bool read_dims(PyObject *object, const char *what, int *ndim, int64_t *dims)
{
    if (!PyIndex_Check(object) && !PySequence_Check(object)) {
        PyErr_Format(PyExc_TypeError, "%s has to be an int or a tuple of ints, not %R",
                what, object);
        return false;
    }
    PyObject *items =
            PyIndex_Check(object) ? PyTuple_Pack(1, object) : PySequence_Tuple(object);
    if (!items)
        return false;
    Py_ssize_t len = PyTuple_GET_SIZE(items);
    bool done = len <= LAYOUT_MAX_NDIM;
    if (!done)
        PyErr_Format(PyExc_ValueError, "%s has too many dimensions", what);
    for (Py_ssize_t i = 0; done && i < len; i++) {
        dims[i] = PyNumber_AsSsize_t(PyTuple_GET_ITEM(items, i), PyExc_OverflowError);
        done = dims[i] != -1 || !PyErr_Occurred();
    }
    *ndim = (int)len;
    Py_DECREF(items);
    return done;
}

// Binds a new array to the stream that was given with it.
static struct py_device_array *bind_new(struct py_device_array *self, PyObject *stream)
{
    struct device_stream *checked = NULL;
    if (self && py_stream_get(stream, &checked)) {
        self->stream = checked ? py_stream_keep(stream) : NULL;
        return self;
    }
    Py_XDECREF((PyObject *)self);
    return NULL;
}

// device_array(shape, dtype, strides=None, order='C', stream=None)
static PyObject *make_device_array(PyObject *module, PyObject *args)
{
    PyObject *shape_object, *strides_object, *stream;
    PyArray_Descr *dtype = NULL;
    const char *order;
    int64_t shape[LAYOUT_MAX_NDIM], strides[LAYOUT_MAX_NDIM];
    int ndim = 0, stride_count = 0;
    if (!PyArg_ParseTuple(args, "OO&OsO", &shape_object, PyArray_DescrConverter, &dtype,
                &strides_object, &order, &stream))
        return NULL;
    struct py_device_array *self = NULL;
    bool has_strides = strides_object != Py_None;
    if (!read_dims(shape_object, "shape", &ndim, shape))
        goto done;
    if (has_strides && !read_dims(strides_object, "strides", &stride_count, strides))
        goto done;
    if (has_strides && stride_count != ndim) {
        PyErr_SetString(PyExc_ValueError, "strides do not match the shape");
        goto done;
    }
    if (strcmp(order, "C") && strcmp(order, "F")) {
        PyErr_Format(PyExc_ValueError, "order has to be 'C' or 'F', not '%s'", order);
        goto done;
    }
    self = array_allocate(dtype, ndim, shape, has_strides ? strides : NULL, *order);
    self = bind_new(self, stream);
done:
    Py_XDECREF(dtype);
    return (PyObject *)self;
}

static bool host_array_is_one_piece(PyArrayObject *array)
{
    if (PyArray_IS_C_CONTIGUOUS(array) || PyArray_IS_F_CONTIGUOUS(array))
        return true;
    PyErr_SetString(PyExc_ValueError,
            "Array contains non-contiguous buffer and cannot be transferred as a single "
            "memory "
            "region. Please ensure contiguous buffer with numpy .ascontiguousarray()");
    return false;
}

// to_device(obj, stream): a new device array with the contents of a host array.
static PyObject *make_to_device(PyObject *module, PyObject *args)
{
    PyObject *object, *stream_object;
    struct device_stream *stream = NULL;
    if (!PyArg_ParseTuple(args, "OO", &object, &stream_object) ||
            !py_stream_get(stream_object, &stream))
        return NULL;
    if (!PyArray_Check(object) &&
            (py_device_array_check(object) || py_has_cuda_interface(object)))
        return (PyObject *)py_device_array_from_object(object);
    PyArrayObject *host = (PyArrayObject *)PyArray_FromAny(object, NULL, 0, 0, 0, NULL);
    if (!host)
        return NULL;
    struct py_device_array *self = NULL;
    if (host_array_is_one_piece(host)) {
        char order = PyArray_IS_C_CONTIGUOUS(host) ? 'C' : 'F';
        self = py_device_array_new(PyArray_DESCR(host), PyArray_NDIM(host),
                (const int64_t *)PyArray_DIMS(host), order);
    }
    if (self && !py_device_array_upload(self, host, stream))
        Py_CLEAR(self);
    if (self && stream)
        self->stream = py_stream_keep(stream_object);
    Py_DECREF(host);
    return (PyObject *)self;
}

bool py_has_cuda_interface(PyObject *object)
{
    int failed = 0;
    PyObject *interface = py_attr_or_null(object, "__cuda_array_interface__", &failed);
    if (failed)
        py_error_drop();
    Py_XDECREF(interface);
    return interface || py_has_dlpack(object);
}

// A required item of the interface, or NULL with an exception.
static PyObject *interface_item(PyObject *interface, const char *key)
{
    PyObject *value = NULL;
    if (py_dict_get_text(interface, key, &value) == 0)
        PyErr_Format(PyExc_ValueError, "__cuda_array_interface__ lacks %s", key);
    return value;
}

// The dtype of a record's fields, of which those without a name are gaps between them.
static PyObject *dtype_of_fields(PyObject *fields)
{
    PyObject *format = PyImport_ImportModule("numpy.lib.format");
    PyObject *dtype =
            format ? PyObject_CallMethod(format, "descr_to_dtype", "O", fields) : NULL;
    Py_XDECREF(format);
    return dtype;
}

// The dtype that an array says of itself, where that is one of others than NumPy, which a
// typestr has no name for: ml_dtypes.bfloat16 is V2. NULL without an exception otherwise.
static PyArray_Descr *dtype_of_others(PyObject *array, Py_ssize_t item_bytes)
{
    int failed = 0;
    PyObject *own = py_attr_or_null(array, "dtype", &failed);
    if (failed)
        py_error_drop();
    bool is_known = own && PyArray_DescrCheck(own) &&
                    ((PyArray_Descr *)own)->type_num >= NPY_USERDEF &&
                    PyDataType_ELSIZE((PyArray_Descr *)own) == item_bytes;
    if (!is_known)
        Py_CLEAR(own);
    return (PyArray_Descr *)own;
}

// Reads typestr and, for records, descr.
static PyArray_Descr *interface_dtype(PyObject *interface, PyObject *owner)
{
    PyArray_Descr *dtype = NULL;
    PyObject *text = interface_item(interface, "typestr"), *fields = NULL;
    if (!text)
        return NULL;
    if (py_dict_get_text(interface, "descr", &fields) > 0 && PyList_Check(fields) &&
            PyList_GET_SIZE(fields) > 1) {
        Py_DECREF(text);
        text = dtype_of_fields(fields);
    }
    if (text && !PyErr_Occurred())
        PyArray_DescrConverter(text, &dtype);
    Py_XDECREF(fields);
    Py_XDECREF(text);
    if (dtype && dtype->type_num == NPY_VOID && !PyDataType_HASFIELDS(dtype)) {
        PyArray_Descr *own = dtype_of_others(owner, PyDataType_ELSIZE(dtype));
        if (own)
            Py_SETREF(dtype, own);
    }
    return dtype;
}

// Reads `data`: (pointer, is_readonly).
static bool interface_pointer(
        PyObject *interface, device_address *address, bool *is_readonly)
{
    PyObject *data = interface_item(interface, "data");
    PyObject *pointer = data ? PySequence_GetItem(data, 0) : NULL;
    PyObject *readonly = pointer ? PySequence_GetItem(data, 1) : NULL;
    if (readonly) {
        *address = pointer == Py_None ? 0 : PyLong_AsUnsignedLongLong(pointer);
        *is_readonly = PyObject_IsTrue(readonly) > 0;
    }
    Py_XDECREF(readonly);
    Py_XDECREF(pointer);
    Py_XDECREF(data);
    return !PyErr_Occurred();
}

// Reads strides where there are any; *has_strides says so.
static bool interface_strides(
        PyObject *interface, int ndim, int64_t *strides, bool *has_strides)
{
    PyObject *object = NULL;
    *has_strides = false;
    if (py_dict_get_text(interface, "strides", &object) < 0)
        return false;
    if (!object || object == Py_None) {
        Py_XDECREF(object);
        return true;
    }
    int count = 0;
    bool done = read_dims(object, "strides", &count, strides);
    Py_DECREF(object);
    if (done && count != ndim) {
        PyErr_SetString(PyExc_ValueError, "strides do not match the shape");
        return false;
    }
    *has_strides = done;
    return done;
}

static bool interface_has_no_mask(PyObject *interface)
{
    PyObject *mask = NULL;
    if (py_dict_get_text(interface, "mask", &mask) < 0)
        return false;
    bool has_mask = mask && mask != Py_None;
    Py_XDECREF(mask);
    if (has_mask)
        PyErr_SetString(PyExc_NotImplementedError, "Masked arrays are not supported");
    return !has_mask;
}

static struct py_device_array *view_of_interface(PyObject *interface, PyObject *owner)
{
    bool is_memory = PyObject_TypeCheck(owner, py_device_types()->memory);
    struct device *device =
            is_memory ? ((struct py_device_memory *)owner)->device : py_device_current();
    if (!device || !interface_has_no_mask(interface))
        return NULL;
    struct py_device_array *self = NULL;
    struct py_device_memory *memory = NULL;
    PyArray_Descr *dtype = interface_dtype(interface, owner);
    PyObject *shape_object = dtype ? interface_item(interface, "shape") : NULL;
    int64_t shape[LAYOUT_MAX_NDIM], strides[LAYOUT_MAX_NDIM], low, high;
    device_address address = 0;
    int ndim = 0;
    bool has_strides = false, is_readonly = false;
    if (!shape_object || !read_dims(shape_object, "shape", &ndim, shape) ||
            !interface_pointer(interface, &address, &is_readonly) ||
            !interface_strides(interface, ndim, strides, &has_strides))
        goto done;
    if (!has_strides)
        layout_strides(shape, ndim, PyDataType_ELSIZE(dtype), 'C', strides);
    layout_extent(shape, strides, ndim, PyDataType_ELSIZE(dtype), &low, &high);
    if (!address && high > low) {
        PyErr_SetString(PyExc_ValueError,
                "__cuda_array_interface__ has elements, and no address of them");
        goto done;
    }
    memory = py_device_memory_foreign(
            device, address + (device_address)low, (size_t)(high - low), owner);
    if (memory)
        memory->is_readonly = is_readonly;
    if (memory)
        self = py_device_array_view(memory, address, dtype, ndim, shape, strides, 'C');
done:
    Py_XDECREF(memory);
    Py_XDECREF(shape_object);
    Py_XDECREF(dtype);
    return self;
}

struct py_device_array *py_device_array_from_object(PyObject *object)
{
    if (py_device_array_check(object))
        return (struct py_device_array *)Py_NewRef(object);
    int failed = 0;
    PyObject *interface = py_attr_or_null(object, "__cuda_array_interface__", &failed);
    if (failed)
        return NULL;
    if (!interface)
        return (struct py_device_array *)py_array_from_dlpack(object);
    struct py_device_array *self = view_of_interface(interface, object);
    Py_DECREF(interface);
    return self;
}

// DeviceNDArray(shape, strides, dtype, stream=0, gpu_data=None): over given memory, or
// new.
static PyObject *array_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"shape", "strides", "dtype", "stream", "gpu_data", NULL};
    (void)type;
    PyObject *shape_object, *strides_object, *stream = NULL, *data = Py_None;
    PyArray_Descr *dtype = NULL;
    int64_t shape[LAYOUT_MAX_NDIM], strides[LAYOUT_MAX_NDIM], low = 0, high = 0;
    int ndim = 0, stride_count = 0;
    if (!py_numpy_load()) // the converter of the dtype is NumPy's
        return NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOO&|OO:DeviceNDArray", keywords,
                &shape_object, &strides_object, PyArray_DescrConverter, &dtype, &stream,
                &data))
        return NULL;
    struct py_device_array *self = NULL;
    struct py_device_memory *memory = (struct py_device_memory *)data;
    if (!read_dims(shape_object, "shape", &ndim, shape) ||
            !read_dims(strides_object, "strides", &stride_count, strides))
        goto done;
    if (stride_count == ndim)
        layout_extent(shape, strides, ndim, PyDataType_ELSIZE(dtype), &low, &high);
    if (stride_count != ndim)
        PyErr_SetString(PyExc_ValueError, "strides do not match the shape");
    else if (data == Py_None)
        self = array_allocate(dtype, ndim, shape, strides, 'C');
    else if (!PyObject_TypeCheck(data, py_device_types()->memory))
        PyErr_Format(PyExc_TypeError, "gpu_data has to be a MemoryPointer, not %R", data);
    else if (high > (int64_t)memory->size_bytes || low < 0)
        PyErr_Format(PyExc_ValueError, "the array reaches beyond its memory of %zu bytes",
                memory->size_bytes);
    else
        self = py_device_array_view(
                memory, memory->address, dtype, ndim, shape, strides, 'C');
    if (self)
        self = bind_new(self, stream);
done:
    Py_XDECREF(dtype);
    return (PyObject *)self;
}

// as_cuda_array(obj)
static PyObject *make_from_object(PyObject *module, PyObject *object)
{
    return (PyObject *)py_device_array_from_object(object);
}

// has_interface(obj)
static PyObject *has_interface(PyObject *module, PyObject *object)
{
    return PyBool_FromLong(py_has_cuda_interface(object));
}

// from_cuda_array_interface(desc, owner)
static PyObject *make_from_interface(PyObject *module, PyObject *args)
{
    PyObject *interface, *owner;
    if (!PyArg_ParseTuple(args, "O!O", &PyDict_Type, &interface, &owner))
        return NULL;
    return (PyObject *)view_of_interface(interface, owner);
}

static Py_ssize_t array_len(PyObject *object)
{
    struct py_device_array *self = (struct py_device_array *)object;
    if (self->ndim)
        return (Py_ssize_t)array_shape(self)[0];
    PyErr_SetString(PyExc_TypeError, "len() of unsized object");
    return -1;
}

static PyObject *array_subscript(PyObject *object, PyObject *index)
{
    return py_device_array_getitem((struct py_device_array *)object, index, NULL);
}

static int array_ass_subscript(PyObject *object, PyObject *index, PyObject *value)
{
    if (!value) {
        PyErr_SetString(PyExc_TypeError, "elements of a device array cannot be deleted");
        return -1;
    }
    return py_device_array_setitem((struct py_device_array *)object, index, value, NULL)
                   ? 0
                   : -1;
}

static PyMemberDef array_members[] = {
        PY_WEAKREFS(struct py_device_array),
        {0},
};

static PyType_Slot array_slots[] = {
        {Py_tp_new, array_new},
        {Py_tp_dealloc, array_dealloc},
        {Py_tp_traverse, array_traverse},
        {Py_tp_repr, array_repr},
        {Py_tp_members, array_members},
        {Py_tp_methods, py_device_array_methods},
        {Py_tp_getset, py_device_array_getset},
        {Py_mp_length, array_len},
        {Py_mp_subscript, array_subscript},
        {Py_mp_ass_subscript, array_ass_subscript},
        {0},
};

// dtype(obj): the NumPy dtype of a numba type, or of whatever NumPy makes a dtype of.
static PyObject *make_dtype(PyObject *module, PyObject *object)
{
    const struct type *type = py_type_get(object);
    if (type)
        return py_dtype_from_type(type);
    PyArray_Descr *dtype = NULL;
    PyArray_DescrConverter(object, &dtype);
    return (PyObject *)dtype;
}

// broadcast(array, shape): a view of that shape, with strides of 0 where elements repeat.
static PyObject *make_broadcast(PyObject *module, PyObject *args)
{
    PyObject *object, *shape_object;
    int64_t shape[LAYOUT_MAX_NDIM], strides[LAYOUT_MAX_NDIM] = {0};
    int ndim = 0;
    if (!PyArg_ParseTuple(
                args, "O!O", py_device_types()->array, &object, &shape_object) ||
            !read_dims(shape_object, "shape", &ndim, shape))
        return NULL;
    struct py_device_array *array = (struct py_device_array *)object;
    bool fits = array->ndim <= ndim;
    for (int i = 0; fits && i < array->ndim; i++) {
        int axis = ndim - array->ndim + i;
        int64_t len = array_shape(array)[i];
        fits = len == shape[axis] || len == 1;
        strides[axis] = len == 1 ? 0 : array_strides(array)[i];
    }
    if (!fits) {
        PyErr_SetString(PyExc_ValueError, "the array cannot be broadcast to that shape");
        return NULL;
    }
    return (PyObject *)py_device_array_view(
            array->memory, array->data, array->dtype, ndim, shape, strides, 'C');
}

PyMethodDef py_device_array_functions[] = {
        {"cuda_dtype", make_dtype, METH_O, "The NumPy dtype that an object names."},
        {"cuda_broadcast", make_broadcast, METH_VARARGS, "A view that repeats elements."},
        {"cuda_device_array", make_device_array, METH_VARARGS,
                "A new array, not initialised."},
        {"cuda_to_device", make_to_device, METH_VARARGS, "A copy of a host array."},
        {"cuda_as_array", make_from_object, METH_O,
                "A view of an object with an interface."},
        {"cuda_has_interface", has_interface, METH_O,
                "Whether an object is in memory of a device."},
        {"cuda_from_interface", make_from_interface, METH_VARARGS,
                "A view of what a dict describes."},
        {0},
};

bool py_device_array_init(struct device_types *types, PyObject *module)
{
    py_runtime()->device_arrays = &device_array_constants;
    types->array = py_add_type("numba.cuda.cudadrv.devicearray.DeviceNDArray",
            sizeof(struct py_device_array), Py_TPFLAGS_HAVE_GC, array_slots);
    return types->array;
}

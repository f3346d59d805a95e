// SPDX-License-Identifier: MIT
// What one can ask of a DeviceNDArray: views, copies, single elements.
#include "runtime/device/arrays/py_device_array.h"

#include <string.h>

#include "base/activity.h"

static struct py_device_array *of(PyObject *object)
{
    return (struct py_device_array *)object;
}

// --- copies --------------------------------------------------------------------------

// A `stream` argument, or else the stream that the array is bound to.
static bool stream_or_own(
        struct py_device_array *self, PyObject *object, struct device_stream **stream)
{
    return py_stream_get(object && object != Py_None && PyObject_IsTrue(object)
                                 ? object
                                 : self->stream,
            stream);
}

// "incompatible <what>: <own> vs. <theirs>", stealing both references.
static bool incompatible(
        PyObject *class, const char *what, PyObject *own, PyObject *theirs)
{
    if (own && theirs)
        PyErr_Format(class, "incompatible %s: %S vs. %S", what, own, theirs);
    Py_XDECREF(own);
    Py_XDECREF(theirs);
    return false;
}

static bool check_compatible(struct py_device_array *self, PyArray_Descr *dtype, int ndim,
        const int64_t *shape)
{
    if (!PyArray_EquivTypes(self->dtype, dtype))
        return incompatible(PyExc_TypeError, "dtype", Py_NewRef((PyObject *)self->dtype),
                Py_NewRef((PyObject *)dtype));
    if (self->ndim != ndim ||
            memcmp(array_shape(self), shape, (size_t)ndim * sizeof *shape))
        return incompatible(PyExc_ValueError, "shape",
                py_dims_tuple(array_shape(self), self->ndim), py_dims_tuple(shape, ndim));
    return true;
}

// Contiguous arrays have to agree in their order.
static bool check_order(struct py_device_array *self, PyArrayObject *host)
{
    bool is_c = PyArray_IS_C_CONTIGUOUS(host), is_f = PyArray_IS_F_CONTIGUOUS(host);
    if ((self->is_c && !is_c && is_f) || (self->is_f && !self->is_c && is_c && !is_f))
        return incompatible(PyExc_ValueError, "strides",
                py_dims_tuple(array_strides(self), self->ndim),
                py_dims_tuple((const int64_t *)PyArray_STRIDES(host), self->ndim));
    return true;
}

static PyObject *copy_to_host(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"ary", "stream", NULL};
    struct py_device_array *self = of(object);
    PyObject *target = Py_None, *stream_object = NULL;
    struct device_stream *stream = NULL;
    if (!PyArg_ParseTupleAndKeywords(
                args, kwargs, "|OO:copy_to_host", keywords, &target, &stream_object) ||
            !stream_or_own(self, stream_object, &stream))
        return NULL;
    PyArrayObject *host = NULL;
    if (target == Py_None) {
        Py_INCREF(self->dtype);
        host = (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type, self->dtype,
                self->ndim, (const npy_intp *)array_shape(self), NULL, NULL,
                self->is_f && !self->is_c ? NPY_ARRAY_F_CONTIGUOUS : 0, NULL);
        if (!host)
            return NULL;
    } else if (PyArray_Check(target)) {
        host = (PyArrayObject *)Py_NewRef(target);
        if (!check_compatible(self, PyArray_DESCR(host), PyArray_NDIM(host),
                    (const int64_t *)PyArray_DIMS(host)) ||
                !check_order(self, host) ||
                PyArray_FailUnlessWriteable(host, "destination") < 0)
            goto failed;
    } else {
        PyErr_Format(PyExc_TypeError, "copy_to_host needs a NumPy array, got %R",
                Py_TYPE(target));
        return NULL;
    }
    if (py_device_array_download(self, host, stream))
        return (PyObject *)host;
failed:
    Py_DECREF(host);
    return NULL;
}

static bool copy_from_host(
        struct py_device_array *self, PyObject *value, struct device_stream *stream)
{
    PyArrayObject *host = (PyArrayObject *)PyArray_FromAny(value, NULL, 0, 0, 0, NULL);
    if (!host)
        return false;
    bool done = check_compatible(self, PyArray_DESCR(host), PyArray_NDIM(host),
                        (const int64_t *)PyArray_DIMS(host)) &&
                py_device_array_upload(self, host, stream);
    Py_DECREF(host);
    return done;
}

static PyObject *copy_to_device(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"ary", "stream", NULL};
    struct py_device_array *self = of(object);
    PyObject *source, *stream_object = NULL;
    struct device_stream *stream = NULL;
    if (!PyArg_ParseTupleAndKeywords(
                args, kwargs, "O|O:copy_to_device", keywords, &source, &stream_object) ||
            !stream_or_own(self, stream_object, &stream))
        return NULL;
    bool done = false;
    if (!PyArray_Check(source) &&
            (py_device_array_check(source) || py_has_cuda_interface(source))) {
        struct py_device_array *other = py_device_array_from_object(source);
        done = other &&
               check_compatible(self, other->dtype, other->ndim, array_shape(other)) &&
               py_device_array_assign(self, other, stream);
        Py_XDECREF(other);
    } else {
        done = copy_from_host(self, source, stream);
    }
    if (!done)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *array_to_numpy(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"dtype", "copy", NULL};
    PyObject *dtype = Py_None, *copy = Py_None;
    if (!PyArg_ParseTupleAndKeywords(
                args, kwargs, "|OO:__array__", keywords, &dtype, &copy))
        return NULL;
    if (copy == Py_False) {
        PyErr_SetString(PyExc_ValueError,
                "`copy=False` is not supported: a device array becomes a host array by a "
                "copy only");
        return NULL;
    }
    PyObject *host = PyObject_CallMethod(object, "copy_to_host", NULL);
    if (!host || dtype == Py_None)
        return host;
    PyObject *cast = PyObject_CallMethod(host, "astype", "O", dtype);
    Py_DECREF(host);
    return cast;
}

// --- views ---------------------------------------------------------------------------

static PyObject *bound_like(struct py_device_array *self, struct py_device_array *view)
{
    if (view)
        view->stream = Py_XNewRef(self->stream);
    return (PyObject *)view;
}

static PyObject *needs_copy(void)
{
    PyErr_SetString(PyExc_NotImplementedError, "operation requires copying");
    return NULL;
}

// Reads reshape's arguments: integers, or one tuple; -1 once, for what is left.
static bool read_new_shape(
        struct py_device_array *self, PyObject *args, int *ndim, int64_t *shape)
{
    PyObject *items = args;
    if (PyTuple_GET_SIZE(args) == 1 && PySequence_Check(PyTuple_GET_ITEM(args, 0)))
        items = PyTuple_GET_ITEM(args, 0);
    Py_ssize_t len = PySequence_Size(items);
    if (len < 0)
        return false;
    int64_t known = 1;
    int unknown = -1;
    for (Py_ssize_t i = 0; i < len && i < LAYOUT_MAX_NDIM; i++) {
        PyObject *item = PySequence_GetItem(items, i);
        shape[i] = item ? PyNumber_AsSsize_t(item, PyExc_OverflowError) : -1;
        Py_XDECREF(item);
        if (PyErr_Occurred())
            return false;
        if (shape[i] == -1 && unknown < 0)
            unknown = (int)i;
        else
            known *= shape[i];
    }
    *ndim = (int)len;
    if (unknown >= 0 && known > 0 && self->size % known == 0) {
        shape[unknown] = self->size / known;
        known *= shape[unknown];
    }
    if (len <= LAYOUT_MAX_NDIM && known == self->size)
        return true;
    PyErr_Format(PyExc_ValueError, "cannot reshape array of size %lld into shape %S",
            (long long)self->size, items);
    return false;
}

static PyObject *array_reshape(PyObject *object, PyObject *args, PyObject *kwargs)
{
    struct py_device_array *self = of(object);
    int64_t shape[LAYOUT_MAX_NDIM];
    int ndim = 0;
    PyObject *order_object = NULL;
    char order = 'C';
    if (kwargs && py_dict_get_text(kwargs, "order", &order_object) < 0)
        return NULL;
    if (order_object) {
        const char *text =
                PyUnicode_Check(order_object) ? PyUnicode_AsUTF8(order_object) : NULL;
        order = text && *text == 'F'                  ? 'F'
                : text && *text == 'A' && !self->is_c ? 'F'
                                                      : 'C';
        Py_DECREF(order_object);
    }
    if (!read_new_shape(self, args, &ndim, shape))
        return NULL;
    if (order == 'C' ? !self->is_c : !self->is_f)
        return needs_copy();
    return bound_like(self, py_device_array_view(self->memory, self->data, self->dtype,
                                    ndim, shape, NULL, order));
}

static PyObject *array_ravel(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"order", "stream", NULL};
    struct py_device_array *self = of(object);
    const char *order = "C";
    PyObject *stream = NULL;
    if (!PyArg_ParseTupleAndKeywords(
                args, kwargs, "|sO:ravel", keywords, &order, &stream))
        return NULL;
    bool is_by_columns = *order == 'F' || (*order == 'A' && !self->is_c);
    if (is_by_columns ? !self->is_f : !self->is_c)
        return needs_copy();
    return bound_like(self, py_device_array_view(self->memory, self->data, self->dtype, 1,
                                    &self->size, NULL, 'C'));
}

static PyObject *array_view(PyObject *object, PyObject *args)
{
    struct py_device_array *self = of(object);
    PyArray_Descr *dtype = NULL;
    if (!PyArg_ParseTuple(args, "O&:view", PyArray_DescrConverter, &dtype))
        return NULL;
    struct py_device_array *view = NULL;
    int64_t dims[2 * LAYOUT_MAX_NDIM];
    memcpy(dims, self->dims, 2 * (size_t)self->ndim * sizeof *dims);
    int64_t from = PyDataType_ELSIZE(self->dtype), to = PyDataType_ELSIZE(dtype);
    if (from != to) {
        int last = self->ndim - 1;
        if (!self->is_c || last < 0) {
            PyErr_SetString(PyExc_ValueError,
                    "To change to a dtype of a different size, the last "
                    "axis must be contiguous");
            goto done;
        }
        if (to == 0 || dims[last] * from % to) {
            PyErr_SetString(PyExc_ValueError, "When changing to a larger dtype, its size "
                                              "must be a divisor of the total size "
                                              "in bytes of the last axis of the array.");
            goto done;
        }
        dims[last] = dims[last] * from / to;
        dims[self->ndim + last] = to;
    }
    view = py_device_array_view(
            self->memory, self->data, dtype, self->ndim, dims, dims + self->ndim, 'C');
done:
    Py_DECREF(dtype);
    return bound_like(self, view);
}

static PyObject *array_squeeze(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"axis", "stream", NULL};
    struct py_device_array *self = of(object);
    PyObject *axis = Py_None, *stream = NULL;
    if (!PyArg_ParseTupleAndKeywords(
                args, kwargs, "|OO:squeeze", keywords, &axis, &stream))
        return NULL;
    bool dropped[LAYOUT_MAX_NDIM] = {0};
    PyObject *axes = axis == Py_None       ? NULL
                     : PyIndex_Check(axis) ? PyTuple_Pack(1, axis)
                                           : PySequence_Tuple(axis);
    if (axis != Py_None && !axes)
        return NULL;
    for (int i = 0; !axes && i < self->ndim; i++)
        dropped[i] = array_shape(self)[i] == 1;
    for (Py_ssize_t i = 0; axes && i < PyTuple_GET_SIZE(axes); i++) {
        Py_ssize_t which =
                PyNumber_AsSsize_t(PyTuple_GET_ITEM(axes, i), PyExc_OverflowError);
        which += which < 0 ? self->ndim : 0;
        if (which < 0 || which >= self->ndim || array_shape(self)[which] != 1) {
            Py_DECREF(axes);
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_ValueError,
                        "cannot select an axis to squeeze out which has "
                        "size not equal to one");
            return NULL;
        }
        dropped[which] = true;
    }
    Py_XDECREF(axes);
    int64_t shape[LAYOUT_MAX_NDIM], strides[LAYOUT_MAX_NDIM];
    int ndim = 0;
    for (int i = 0; i < self->ndim; i++) {
        if (dropped[i])
            continue;
        shape[ndim] = array_shape(self)[i];
        strides[ndim++] = array_strides(self)[i];
    }
    return bound_like(self, py_device_array_view(self->memory, self->data, self->dtype,
                                    ndim, shape, strides, 'C'));
}

// A new array with rows and columns exchanged.
PyObject *py_device_array_transposed(struct py_device_array *self)
{
    if (self->ndim != 2) {
        PyErr_SetString(PyExc_NotImplementedError,
                "transposing a non-2D DeviceNDArray isn't supported");
        return NULL;
    }
    int64_t shape[] = {array_shape(self)[1], array_shape(self)[0]};
    int64_t strides[] = {array_strides(self)[1], array_strides(self)[0]};
    struct device_stream *stream = NULL;
    struct py_device_array *view = py_device_array_view(
            self->memory, self->data, self->dtype, 2, shape, strides, 'C');
    struct py_device_array *result =
            view ? py_device_array_new(self->dtype, 2, shape, 'C') : NULL;
    if (result && (!py_stream_get(self->stream, &stream) ||
                          !py_device_array_assign(result, view, stream)))
        Py_CLEAR(result);
    Py_XDECREF(view);
    return bound_like(self, result);
}

static PyObject *array_transpose(PyObject *object, PyObject *args)
{
    struct py_device_array *self = of(object);
    bool is_identity = false;
    PyObject *axes = PyTuple_GET_SIZE(args) == 1 ? PyTuple_GET_ITEM(args, 0)
                     : PyTuple_GET_SIZE(args)    ? args
                                                 : Py_None;
    if (axes != Py_None && !py_device_array_axes(self, axes, &is_identity))
        return NULL;
    return is_identity ? Py_NewRef(object) : py_device_array_transposed(self);
}

static PyObject *array_split(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"section", "stream", NULL};
    struct py_device_array *self = of(object);
    long long section = 0;
    PyObject *stream = NULL;
    if (!PyArg_ParseTupleAndKeywords(
                args, kwargs, "L|O:split", keywords, &section, &stream))
        return NULL;
    if (self->ndim != 1) {
        PyErr_SetString(PyExc_ValueError, "only support 1d array");
        return NULL;
    }
    if (section <= 0) {
        PyErr_SetString(PyExc_ValueError, "section must be positive");
        return NULL;
    }
    PyObject *parts = PyList_New(0);
    for (int64_t first = 0; parts && first < self->size; first += section) {
        int64_t len = self->size - first < section ? self->size - first : section;
        PyObject *part = bound_like(self,
                py_device_array_view(self->memory,
                        self->data + (device_address)(first * array_strides(self)[0]),
                        self->dtype, 1, &len, array_strides(self), 'C'));
        if (!part || PyList_Append(parts, part))
            Py_CLEAR(parts);
        Py_XDECREF(part);
    }
    return parts;
}

static PyObject *array_bind(PyObject *object, PyObject *args)
{
    struct py_device_array *self = of(object);
    PyObject *stream = NULL;
    struct device_stream *checked;
    if (!PyArg_ParseTuple(args, "|O:bind", &stream) || !py_stream_get(stream, &checked))
        return NULL;
    struct py_device_array *view = py_device_array_view(self->memory, self->data,
            self->dtype, self->ndim, array_shape(self), array_strides(self), 'C');
    if (view && checked)
        view->stream = py_stream_keep(stream);
    return (PyObject *)view;
}

static PyObject *is_c_contiguous(PyObject *object, PyObject *unused)
{
    return PyBool_FromLong(of(object)->is_c);
}

static PyObject *is_f_contiguous(PyObject *object, PyObject *unused)
{
    return PyBool_FromLong(of(object)->is_f);
}

// --- elements ------------------------------------------------------------------------

// The element of a view without dimensions, as a NumPy scalar.
static PyObject *read_element(struct py_device_array *view, struct device_stream *stream)
{
    char small[64], *buffer = small;
    PyObject *scalar = NULL;
    size_t item_bytes = (size_t)PyDataType_ELSIZE(view->dtype);
    if (item_bytes > sizeof small)
        buffer = PyMem_Malloc(item_bytes);
    if (!buffer)
        return PyErr_NoMemory();
    if (!py_device_memory_check(view->memory))
        goto failed;
    struct device *device = view->memory->device;
    struct error err = {0};
    bool done;
    double begin = activity_clock();
    DEVICE_WAIT(done, device, &err,
            device->operations->copy_to_host(
                    device, buffer, array_address(view), item_bytes, stream, &err) &&
                    (!stream || device->operations->stream_synchronize(
                                        device, stream, &err)));
    activity_note_copy(ACTIVITY_TO_HOST, "an item", begin, item_bytes, true);
    scalar = done ? PyArray_Scalar(buffer, view->dtype, NULL) : NULL;
failed:
    if (buffer != small)
        PyMem_Free(buffer);
    return scalar;
}

// An index that names one element: an integer for each dimension.
static bool is_element_index(
        struct py_device_array *self, struct py_device_array *view, PyObject *index)
{
    if (PyUnicode_Check(index)) // a field of one record
        return view->ndim == 0;
    if (!PyTuple_Check(index))
        return self->ndim == 1 && PyIndex_Check(index);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(index); i++) {
        if (!PyIndex_Check(PyTuple_GET_ITEM(index, i)))
            return false;
    }
    return PyTuple_GET_SIZE(index) == self->ndim;
}

PyObject *py_device_array_getitem(
        struct py_device_array *self, PyObject *index, PyObject *stream_object)
{
    struct device_stream *stream = NULL;
    if (!stream_or_own(self, stream_object, &stream))
        return NULL;
    struct py_device_array *view = py_device_array_index(self, index);
    if (!view || !is_element_index(self, view, index))
        return bound_like(self, view);
    PyObject *element = read_element(view, stream);
    Py_DECREF(view);
    return element;
}

static PyObject *array_getitem(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"item", "stream", NULL};
    PyObject *index, *stream = NULL;
    if (!PyArg_ParseTupleAndKeywords(
                args, kwargs, "O|O:getitem", keywords, &index, &stream))
        return NULL;
    return py_device_array_getitem(of(object), index, stream);
}

// `value` as a host array of the view's dtype and shape, broadcast and cast as NumPy
// assigns.
static PyArrayObject *broadcast_value(struct py_device_array *view, PyObject *value)
{
    Py_INCREF(view->dtype);
    PyArrayObject *host = (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type,
            view->dtype, view->ndim, (const npy_intp *)array_shape(view), NULL, NULL,
            view->is_f && !view->is_c ? NPY_ARRAY_F_CONTIGUOUS : 0, NULL);
    if (host && PyArray_CopyObject(host, value) < 0)
        Py_CLEAR(host);
    return host;
}

static bool assign_value(
        struct py_device_array *view, PyObject *value, struct device_stream *stream)
{
    bool is_on_device = !PyArray_Check(value) && !PyArray_CheckAnyScalar(value) &&
                        (py_device_array_check(value) || py_has_cuda_interface(value));
    if (is_on_device) {
        struct py_device_array *other = py_device_array_from_object(value);
        if (!other)
            return false;
        bool is_same = PyArray_EquivTypes(view->dtype, other->dtype) &&
                       view->ndim == other->ndim &&
                       !memcmp(array_shape(view), array_shape(other),
                               (size_t)view->ndim * sizeof(int64_t));
        bool done = is_same && py_device_array_assign(view, other, stream);
        PyObject *host =
                is_same ? NULL
                        : PyObject_CallMethod((PyObject *)other, "copy_to_host", NULL);
        Py_DECREF(other);
        if (!host)
            return done;
        done = assign_value(view, host, stream);
        Py_DECREF(host);
        return done;
    }
    PyArrayObject *host = broadcast_value(view, value);
    if (!host)
        return false;
    bool done = py_device_array_upload(view, host, stream);
    Py_DECREF(host);
    return done;
}

bool py_device_array_setitem(struct py_device_array *self, PyObject *index,
        PyObject *value, PyObject *stream_object)
{
    struct device_stream *stream = NULL;
    if (!stream_or_own(self, stream_object, &stream))
        return false;
    struct py_device_array *view = py_device_array_index(self, index);
    bool done = view && assign_value(view, value, stream);
    Py_XDECREF(view);
    return done;
}

static PyObject *array_setitem(PyObject *object, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"key", "value", "stream", NULL};
    PyObject *index, *value, *stream = NULL;
    if (!PyArg_ParseTupleAndKeywords(
                args, kwargs, "OO|O:setitem", keywords, &index, &value, &stream))
        return NULL;
    if (!py_device_array_setitem(of(object), index, value, stream))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *get_ipc_handle(PyObject *object, PyObject *unused)
{
    PyObject *class = py_import_attr("gridcell.cuda.cudadrv.ipc", "IpcArrayHandle");
    PyObject *handle = class ? PyObject_CallMethod(class, "of", "O", object) : NULL;
    Py_XDECREF(class);
    return handle;
}

PyMethodDef py_device_array_methods[] = {
        {"get_ipc_handle", get_ipc_handle, METH_NOARGS,
                "How another process opens the array."},
        {"copy_to_host", PY_KEYWORDS(copy_to_host),
                "Copies to a host array, a new one if none is given."},
        {"copy_to_device", PY_KEYWORDS(copy_to_device),
                "Copies a host or device array into this one."},
        {"__array__", PY_KEYWORDS(array_to_numpy), "A host copy."},
        {"reshape", PY_KEYWORDS(array_reshape), "A view with another shape."},
        {"ravel", PY_KEYWORDS(array_ravel), "A one-dimensional view."},
        {"view", array_view, METH_VARARGS, "A view with another dtype."},
        {"squeeze", PY_KEYWORDS(array_squeeze), "A view without axes of length one."},
        {"transpose", array_transpose, METH_VARARGS, "A transposed copy."},
        {"split", PY_KEYWORDS(array_split), "Views of consecutive sections."},
        {"bind", array_bind, METH_VARARGS, "A view bound to a stream."},
        {"is_c_contiguous", is_c_contiguous, METH_NOARGS,
                "Whether elements lie row by row."},
        {"is_f_contiguous", is_f_contiguous, METH_NOARGS,
                "Whether elements lie column by column."},
        {"getitem", PY_KEYWORDS(array_getitem), "An element or a view."},
        {"setitem", PY_KEYWORDS(array_setitem), "Sets elements."},
        {0},
};

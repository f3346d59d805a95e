// SPDX-License-Identifier: MIT
// Moving array contents between host and device, whatever their strides, and basic
// indexing.
#include "runtime/device/arrays/py_device_array.h"

#include <string.h>

#include "base/activity.h"

// Whether both arrays lie in memory in the same order without gaps.
static bool is_same_order(struct py_device_array *array, PyArrayObject *host)
{
    return (array->is_c && PyArray_IS_C_CONTIGUOUS(host)) ||
           (array->is_f && PyArray_IS_F_CONTIGUOUS(host));
}

static size_t bytes_of(struct py_device_array *array)
{
    return (size_t)array->size * (size_t)PyDataType_ELSIZE(array->dtype);
}

static bool transfer(struct py_device_array *array, device_address at, void *host,
        size_t size_bytes, bool to_device, struct device_stream *stream)
{
    struct device *device = array->memory->device;
    struct error err = {0};
    bool done;
    if (!py_device_memory_check(array->memory))
        return false;
    bool is_pageable = atomic_load_explicit(&activity_is_kept, memory_order_relaxed) &&
                       device->operations->host_is_pageable(device, host);
    double start = transfer_clock();
    if (to_device)
        DEVICE_WAIT(done, device, &err,
                device->operations->copy_to_device(
                        device, at, host, size_bytes, stream, &err));
    else
        DEVICE_WAIT(done, device, &err,
                device->operations->copy_to_host(
                        device, host, at, size_bytes, stream, &err));
    transfer_note(to_device, size_bytes, transfer_clock() - start, is_pageable);
    return done;
}

static bool wait_for(struct py_device_array *array, struct device_stream *stream)
{
    struct device *device = array->memory->device;
    struct error err = {0};
    bool done = true;
    if (stream)
        DEVICE_WAIT(done, device, &err,
                device->operations->stream_synchronize(device, stream, &err));
    return done;
}

// A host array with the device array's layout over a copy of all bytes that it touches.
static PyArrayObject *download_extent(
        struct py_device_array *array, struct device_stream *stream)
{
    int64_t low, high;
    layout_extent(array_shape(array), array_strides(array), array->ndim,
            PyDataType_ELSIZE(array->dtype), &low, &high);
    PyObject *bytes = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(high - low));
    if (!bytes)
        return NULL;
    char *memory = PyByteArray_AS_STRING(bytes);
    if (!transfer(array, array_address(array) + (device_address)low, memory,
                (size_t)(high - low), false, stream) ||
            !wait_for(array, stream)) {
        Py_DECREF(bytes);
        return NULL;
    }
    Py_INCREF(array->dtype);
    PyArrayObject *host = (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type,
            array->dtype, array->ndim, (const npy_intp *)array_shape(array),
            (const npy_intp *)array_strides(array), memory - low, NPY_ARRAY_WRITEABLE,
            NULL);
    if (!host) {
        Py_DECREF(bytes);
        return NULL;
    }
    if (PyArray_SetBaseObject(host, bytes) < 0)
        Py_CLEAR(host);
    return host;
}

bool py_device_array_download(struct py_device_array *source, PyArrayObject *target,
        struct device_stream *stream)
{
    if (source->size == 0)
        return true;
    if (is_same_order(source, target))
        return transfer(source, array_address(source), PyArray_DATA(target),
                bytes_of(source), false, stream);
    if (source->is_c || source->is_f) { // one piece here, not over there
        PyArrayObject *staged = (PyArrayObject *)PyArray_NewLikeArray(
                target, source->is_c ? NPY_CORDER : NPY_FORTRANORDER, NULL, 0);
        bool done = staged &&
                    transfer(source, array_address(source), PyArray_DATA(staged),
                            bytes_of(source), false, stream) &&
                    wait_for(source, stream) && PyArray_CopyInto(target, staged) == 0;
        Py_XDECREF(staged);
        return done;
    }
    PyArrayObject *extent = download_extent(source, stream);
    bool done = extent && PyArray_CopyInto(target, extent) == 0;
    Py_XDECREF(extent);
    return done;
}

// `source` lies in the order of `target` once it is copied to a new host array.
static bool upload_staged(struct py_device_array *target, PyArrayObject *source,
        struct device_stream *stream)
{
    PyArrayObject *staged = (PyArrayObject *)PyArray_NewCopy(
            source, target->is_c ? NPY_CORDER : NPY_FORTRANORDER);
    bool done = staged &&
                transfer(target, array_address(target), PyArray_DATA(staged),
                        bytes_of(target), true, stream) &&
                wait_for(target, stream);
    Py_XDECREF(staged);
    return done;
}

bool py_device_array_upload(struct py_device_array *target, PyArrayObject *source,
        struct device_stream *stream)
{
    if (!py_device_array_is_writable(target))
        return false;
    if (target->size == 0)
        return true;
    if (is_same_order(target, source))
        return transfer(target, array_address(target), PyArray_DATA(source),
                bytes_of(target), true, stream);
    if (target->is_c || target->is_f)
        return upload_staged(target, source, stream);
    // gaps in the target: through a compact copy on the device
    struct py_device_array *compact =
            py_device_array_new(target->dtype, target->ndim, array_shape(target), 'C');
    bool done = compact && py_device_array_upload(compact, source, stream) &&
                py_device_array_assign(target, compact, stream);
    Py_XDECREF(compact);
    return done;
}

// Arrays in different layouts: a kernel of the library copies element by element.
static bool assign_by_kernel(struct py_device_array *target,
        struct py_device_array *source, struct device_stream *stream)
{
    (void)stream;
    PyObject *function = py_import_attr("gridcell.cuda.kernels", "assign");
    PyObject *result = function ? PyObject_CallFunctionObjArgs(function,
                                          (PyObject *)target, (PyObject *)source, NULL)
                                : NULL;
    Py_XDECREF(function);
    Py_XDECREF(result);
    return result != NULL;
}

// Arrays in different layouts on different devices.
static bool assign_through_host(struct py_device_array *target,
        struct py_device_array *source, struct device_stream *stream)
{
    Py_INCREF(source->dtype);
    PyArrayObject *host = (PyArrayObject *)PyArray_NewFromDescr(&PyArray_Type,
            source->dtype, source->ndim, (const npy_intp *)array_shape(source), NULL,
            NULL, 0, NULL);
    bool done = host && py_device_array_download(source, host, NULL) &&
                py_device_array_upload(target, host, stream);
    Py_XDECREF(host);
    return done;
}

bool py_device_array_assign(struct py_device_array *target,
        struct py_device_array *source, struct device_stream *stream)
{
    if (!py_device_array_is_writable(target))
        return false;
    if (target->size == 0)
        return true;
    if (!py_device_memory_check(target->memory) ||
            !py_device_memory_check(source->memory))
        return false;
    struct device *device = target->memory->device, *peer = source->memory->device;
    bool is_same = (target->is_c && source->is_c) || (target->is_f && source->is_f);
    if (!is_same && device != peer)
        return assign_through_host(target, source, stream);
    if (!is_same)
        return assign_by_kernel(target, source, stream);
    struct error err = {0};
    bool done;
    double begin = activity_clock();
    device_address to = array_address(target), from = array_address(source);
    if (device == peer)
        DEVICE_WAIT(done, device, &err,
                device->operations->copy_on_device(
                        device, to, from, bytes_of(target), stream, &err));
    else
        DEVICE_WAIT(done, device, &err,
                device->operations->copy_from_peer(
                        device, to, peer, from, bytes_of(target), &err));
    activity_note(ACTIVITY_ON_DEVICE, device == peer ? "" : "from another device", begin,
            bytes_of(target), stream);
    return done;
}

// --- indexing ------------------------------------------------------------------------

struct index_state {
    struct py_device_array *array;
    int axis; // next axis of the array
    int ndim; // of the view so far
    int64_t shape[LAYOUT_MAX_NDIM], strides[LAYOUT_MAX_NDIM];
    int64_t offset;
};

static bool push_axis(struct index_state *state, int64_t len, int64_t stride)
{
    if (state->ndim == LAYOUT_MAX_NDIM) {
        PyErr_SetString(PyExc_IndexError, "number of dimensions must be within [0, 32]");
        return false;
    }
    state->shape[state->ndim] = len;
    state->strides[state->ndim++] = stride;
    return true;
}

static bool index_integer(struct index_state *state, PyObject *item)
{
    Py_ssize_t index = PyNumber_AsSsize_t(item, PyExc_IndexError);
    if (index == -1 && PyErr_Occurred())
        return false;
    int64_t len = array_shape(state->array)[state->axis];
    int64_t from_start = index < 0 ? index + len : index;
    if (from_start < 0 || from_start >= len) {
        PyErr_Format(PyExc_IndexError,
                "index %zd is out of bounds for axis %d with size %lld", index,
                state->axis, (long long)len);
        return false;
    }
    state->offset += from_start * array_strides(state->array)[state->axis++];
    return true;
}

static bool index_slice(struct index_state *state, PyObject *item)
{
    Py_ssize_t start, stop, step;
    if (PySlice_Unpack(item, &start, &stop, &step) < 0)
        return false;
    int64_t stride = array_strides(state->array)[state->axis];
    Py_ssize_t len = PySlice_AdjustIndices(
            (Py_ssize_t)array_shape(state->array)[state->axis], &start, &stop, step);
    state->axis++;
    if (len > 0)
        state->offset += start * stride;
    return push_axis(state, len, stride * step);
}

static bool index_rest(struct index_state *state, int axes)
{
    bool done = true;
    for (int i = 0; done && i < axes; i++, state->axis++)
        done = push_axis(state, array_shape(state->array)[state->axis],
                array_strides(state->array)[state->axis]);
    return done;
}

static bool index_item(struct index_state *state, PyObject *item, int ellipsis_axes)
{
    if (item == Py_Ellipsis)
        return index_rest(state, ellipsis_axes);
    if (item == Py_None)
        return push_axis(state, 1, 0);
    if (state->axis >= state->array->ndim) {
        PyErr_Format(PyExc_IndexError,
                "too many indices for array: array is %d-dimensional",
                state->array->ndim);
        return false;
    }
    if (PySlice_Check(item))
        return index_slice(state, item);
    if (PyIndex_Check(item) && !PyBool_Check(item) && !PyArray_Check(item))
        return index_integer(state, item);
    PyErr_Format(PyExc_NotImplementedError,
            "a device array takes integers, slices, Ellipsis and None as indices, not %R",
            item);
    return false;
}

// The part of each record that a field names; that of an array, as further axes.
static struct py_device_array *index_field(struct py_device_array *array, PyObject *name)
{
    struct index_state state = {.array = array};
    struct py_device_array *view = NULL;
    PyObject *fields = PyObject_GetAttrString((PyObject *)array->dtype, "fields");
    PyObject *field = NULL, *base = NULL, *shape = NULL;
    if (fields && PyMapping_Check(fields))
        field = PyObject_GetItem(fields, name);
    if (!field) {
        py_error_drop();
        PyErr_Format(PyExc_ValueError, "no field of name %U", name);
        goto done;
    }
    base = PyObject_GetAttrString(PyTuple_GET_ITEM(field, 0), "base");
    shape = PyObject_GetAttrString(PyTuple_GET_ITEM(field, 0), "shape");
    state.offset = PyLong_AsLongLong(PyTuple_GET_ITEM(field, 1));
    if (!base || !shape || !index_rest(&state, array->ndim))
        goto done;
    int64_t stride = PyDataType_ELSIZE((PyArray_Descr *)base);
    Py_ssize_t axes = PyTuple_GET_SIZE(shape);
    int first = state.ndim;
    for (Py_ssize_t i = 0; i < axes; i++)
        if (!push_axis(&state, PyLong_AsLongLong(PyTuple_GET_ITEM(shape, i)), 0))
            goto done;
    for (int i = state.ndim - 1; i >= first; stride *= state.shape[i--])
        state.strides[i] = stride;
    view = py_device_array_view(array->memory, array->data + (device_address)state.offset,
            (PyArray_Descr *)base, state.ndim, state.shape, state.strides, 'C');
done:
    Py_XDECREF(shape);
    Py_XDECREF(base);
    Py_XDECREF(field);
    Py_XDECREF(fields);
    return view;
}

struct py_device_array *py_device_array_index(
        struct py_device_array *array, PyObject *index)
{
    if (PyUnicode_Check(index))
        return index_field(array, index);
    struct index_state state = {.array = array};
    PyObject *items = PyTuple_Check(index) ? Py_NewRef(index) : PyTuple_Pack(1, index);
    if (!items)
        return NULL;
    int used = 0, ellipses = 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items); i++) {
        PyObject *item = PyTuple_GET_ITEM(items, i);
        ellipses += item == Py_Ellipsis;
        used += item != Py_Ellipsis && item != Py_None;
    }
    bool done = ellipses <= 1;
    if (!done)
        PyErr_SetString(
                PyExc_IndexError, "an index can only have a single ellipsis ('...')");
    for (Py_ssize_t i = 0; done && i < PyTuple_GET_SIZE(items); i++)
        done = index_item(&state, PyTuple_GET_ITEM(items, i), array->ndim - used);
    done = done && index_rest(&state, array->ndim - state.axis);
    Py_DECREF(items);
    if (!done)
        return NULL;
    return py_device_array_view(array->memory, array->data + (device_address)state.offset,
            array->dtype, state.ndim, state.shape, state.strides, 'C');
}

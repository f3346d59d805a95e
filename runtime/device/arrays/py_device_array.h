// SPDX-License-Identifier: MIT
// Memory of devices and typed views of it, as Python objects.
#pragma once

#include "runtime/host/values/py_numpy.h"

#include "runtime/device/layout.h"
#include "runtime/device/objects/py_device.h"

#ifndef PyDataType_ELSIZE // NumPy 1 headers
#if NPY_ABI_VERSION < 0x02000000
#define PyDataType_ELSIZE(descr) ((descr)->elsize)
#endif
#endif

// Each adds its part to the module. False with an exception set.
bool py_device_memory_init(struct device_types *types, PyObject *module);
bool py_host_memory_init(struct device_types *types, PyObject *module);
bool py_device_array_init(struct device_types *types, PyObject *module);
// Functions of the module, by file; runtime/py_module.c adds them.
extern PyMethodDef py_device_array_functions[], py_ipc_functions[], py_dlpack_functions[],
        py_device_memory_functions[], py_transfers_functions[],
        py_host_memory_functions[];

// --- memory --------------------------------------------------------------------------

// Device memory that arrays share. Ours is freed with the object; foreign memory belongs
// to `owner`, which is kept alive, or is given back by calling `finalizer`.
struct py_device_memory {
    PyObject ob_base;
    PyObject *weakrefs;
    struct device *device;
    uint64_t generation; // of the context that it was made in
    device_address address;
    device_address shift; // how far the memory has moved since it was made
    size_t size_bytes;
    PyObject *owner, *finalizer; // NULL: none
    PyObject *ended;             // str: why it cannot be used any more; NULL if it can
    bool is_foreign;             // not to be freed here
    bool is_shared;              // of ours, and other processes can open it
    bool is_imported;            // another process's, opened here
    bool is_seen;                // others than arrays know its address
    bool is_readonly;            // foreign, and not to be written to
    device_address before;       // of ours, where it was before it moved; 0: nowhere
};

// Memory of the device; where it has none left, the garbage collector runs, then the last
// exception's frames let go of their variables, and the error names who has the rest.
bool py_device_allocate(
        struct device *device, size_t size_bytes, device_address *address);

struct py_device_memory *py_device_memory_new(struct device *device, size_t size_bytes);
// Where the exception that is set is the driver's for want of memory: it says which array
// it was for, or how much memory of the host.
void py_device_name_array(PyArray_Descr *dtype, int ndim, const int64_t *shape);
void py_device_name_host_size(size_t size_bytes);
// Memory that `owner` keeps, in the device's present context.
struct py_device_memory *py_device_memory_foreign(struct device *device,
        device_address address, size_t size_bytes, PyObject *owner);
// Whether the memory (NULL: none is needed) can be used; false with an exception set.
bool py_device_memory_check(struct py_device_memory *memory);
// Whether kernels of the device can use the memory (NULL: none is needed), which may be
// another one's; false with an exception set that names the argument of a function. Where
// the memory of another library lies is not known here.
bool py_device_memory_reached(const struct py_device_memory *memory,
        struct device *device, const char *function, const char *argument);
// Moves memory of ours to where other processes can open it. Arrays go on as before.
bool py_device_memory_share(struct py_device_memory *memory);

// Where the device finds the bytes of a host array whose memory it knows (mapped or
// managed); false when it does not, or with an exception set.
bool py_host_memory_find(PyArrayObject *array, device_address *address);

// --- the ledger of copies (py_transfers.c) ---------------------------------------------

// What the next copies are for: a kernel's argument; function NULL: nothing special.
void transfer_label(PyObject *function, const char *param);
void transfer_note(bool to_device, size_t size_bytes, double seconds, bool is_pageable);
// Host memory that the emulated device uses where it lies; a GPU would have copied it.
void transfer_note_shared(size_t size_bytes);
double transfer_clock(void); // seconds

// --- arrays --------------------------------------------------------------------------

enum { INLINE_DIMS = 4 };

// numba.cuda.cudadrv.devicearray.DeviceNDArray: a typed view of device memory.
struct py_device_array {
    PyObject ob_base;
    PyObject *weakrefs;
    struct py_device_memory *memory; // NULL: no elements
    device_address data;             // of the first element, before its memory moved
    PyArray_Descr *dtype;
    const struct type *type; // as an argument of a kernel; NULL until asked for
    PyObject *stream;        // the stream it is bound to; NULL: default
    int ndim;
    bool is_c, is_f;
    int64_t size;
    int64_t *dims; // shape, then strides
    int64_t inline_dims[2 * INLINE_DIMS];
};

static inline const int64_t *array_shape(const struct py_device_array *array)
{
    return array->dims;
}

static inline const int64_t *array_strides(const struct py_device_array *array)
{
    return array->dims + array->ndim;
}

// Where the first element lies.
static inline device_address array_address(const struct py_device_array *array)
{
    return array->memory ? array->data + array->memory->shift : array->data;
}

bool py_device_array_check(PyObject *object);
// A view of `memory` (kept alive); strides NULL: contiguous in `order`.
struct py_device_array *py_device_array_view(struct py_device_memory *memory,
        device_address data, PyArray_Descr *dtype, int ndim, const int64_t *shape,
        const int64_t *strides, char order);
// A new, uninitialised array on the current device.
struct py_device_array *py_device_array_new(
        PyArray_Descr *dtype, int ndim, const int64_t *shape, char order);
// The type of the array as an argument; NULL with an exception set when it has none.
const struct type *py_device_array_type(struct py_device_array *array);
// Whether the array may be written to; false with an exception set.
bool py_device_array_is_writable(const struct py_device_array *array);
// A view of an object with __cuda_array_interface__, or else __dlpack__, which stays
// alive with it. A device array itself is returned as it is. NULL: exception set.
struct py_device_array *py_device_array_from_object(PyObject *object);
// Whether the object has __cuda_array_interface__, or __dlpack__ and memory of a CUDA
// device; false also when looking it up failed.
bool py_has_cuda_interface(PyObject *object);
// py_dlpack.c: whether DLPack says that the object is in memory of a CUDA device, and the
// device array over it; NULL: exception set.
bool py_has_dlpack(PyObject *object);
PyObject *py_array_from_dlpack(PyObject *object);

// Host to device and back, between arrays of one shape and dtype, in any layouts.
bool py_device_array_upload(struct py_device_array *target, PyArrayObject *source,
        struct device_stream *stream);
bool py_device_array_download(struct py_device_array *source, PyArrayObject *target,
        struct device_stream *stream);
// From a device array of the same shape and dtype, in any layouts.
bool py_device_array_assign(struct py_device_array *target,
        struct py_device_array *source, struct device_stream *stream);
// A view by basic indexing. For an index of single elements the view has no dimensions.
struct py_device_array *py_device_array_index(
        struct py_device_array *array, PyObject *index);
// An element as a NumPy scalar, or a view; and its assignment. `stream` NULL: the array's
// own.
PyObject *py_device_array_getitem(
        struct py_device_array *array, PyObject *index, PyObject *stream);
bool py_device_array_setitem(struct py_device_array *array, PyObject *index,
        PyObject *value, PyObject *stream);
// A new array with rows and columns exchanged; two dimensions only.
PyObject *py_device_array_transposed(struct py_device_array *array);
// Whether the axes are those of the array, each once; false with ValueError set.
bool py_device_array_axes(
        struct py_device_array *array, PyObject *axes, bool *is_identity);
// Lengths or strides as a tuple of Python integers.
PyObject *py_dims_tuple(const int64_t *dims, int ndim);
// py_device_constant.c
extern const struct device_array_hooks device_array_constants;
extern PyMethodDef py_device_array_methods[];
extern PyGetSetDef py_device_array_getset[];

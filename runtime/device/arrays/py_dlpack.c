// SPDX-License-Identifier: MIT
// DLPack: arrays of ours as capsules that other libraries take, and theirs as what arrays
// of ours are made of. gridcell.cuda.cudadrv.dlpack decides about devices and streams.
#include "runtime/device/arrays/py_device_array.h"

#include <string.h>

#include "base/memory.h"
#include "base/str.h"

// --- DLPack's own structures -----------------------------------------------------------

enum { DLPACK_MAJOR = 1, DLPACK_MINOR = 0 };
enum {
    CODE_INT,
    CODE_UINT,
    CODE_FLOAT,
    CODE_OPAQUE,
    CODE_BFLOAT,
    CODE_COMPLEX,
    CODE_BOOL
};

struct dl_tensor {
    void *data;
    int32_t device_type, device_id;
    int32_t ndim;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides;
    uint64_t byte_offset;
};

struct dl_managed {
    struct dl_tensor tensor;
    void *context;
    void (*deleter)(struct dl_managed *self);
};

struct dl_versioned {
    uint32_t major, minor;
    void *context;
    void (*deleter)(struct dl_versioned *self);
    uint64_t flags;
    struct dl_tensor tensor;
};

static const char plain_name[] = "dltensor", versioned_name[] = "dltensor_versioned";

// --- giving ----------------------------------------------------------------------------

// What a capsule of ours holds, of either kind.
struct export
{
    union {
        struct dl_managed plain;
        struct dl_versioned versioned;
    } managed;
    PyObject *owner;
    int64_t dims[2 * LAYOUT_MAX_NDIM];
};

// Any thread may be done with the tensor, also at the end of the process.
static void export_destroy(struct export *self)
{
    if (Py_IsInitialized()) {
        PyGILState_STATE state = PyGILState_Ensure();
        Py_DECREF(self->owner);
        PyGILState_Release(state);
    }
    free(self);
}

static void delete_plain(struct dl_managed *managed)
{
    export_destroy(managed->context);
}

static void delete_versioned(struct dl_versioned *managed)
{
    export_destroy(managed->context);
}

// A capsule that nobody took.
static void capsule_destroy(PyObject *capsule)
{
    if (PyCapsule_IsValid(capsule, plain_name)) {
        struct dl_managed *managed = PyCapsule_GetPointer(capsule, plain_name);
        if (managed->deleter)
            managed->deleter(managed);
    } else if (PyCapsule_IsValid(capsule, versioned_name)) {
        struct dl_versioned *managed = PyCapsule_GetPointer(capsule, versioned_name);
        if (managed->deleter)
            managed->deleter(managed);
    }
}

static bool read_type(PyArray_Descr *dtype, struct dl_tensor *tensor)
{
    static const char kinds[] = "iufc";
    static const uint8_t codes[] = {CODE_INT, CODE_UINT, CODE_FLOAT, CODE_COMPLEX};
    const char *kind = strchr(kinds, dtype->kind);
    Py_ssize_t item_bytes = PyDataType_ELSIZE(dtype);
    if (dtype->kind == 'b')
        tensor->code = CODE_BOOL;
    else if (kind && *kind && item_bytes <= 16 && !PyDataType_ISBYTESWAPPED(dtype))
        tensor->code = codes[kind - kinds];
    else if (str_ends_with(dtype->typeobj->tp_name, "bfloat16"))
        tensor->code = CODE_BFLOAT;
    else {
        PyErr_Format(PyExc_BufferError, "DLPack has no type for the dtype %R", dtype);
        return false;
    }
    tensor->bits = (uint8_t)(item_bytes * 8);
    tensor->lanes = 1;
    return true;
}

static bool read_lengths(PyObject *tuple, int64_t *out, Py_ssize_t count)
{
    if (PyTuple_GET_SIZE(tuple) != count) {
        PyErr_SetString(PyExc_ValueError, "strides do not match the shape");
        return false;
    }
    for (Py_ssize_t i = 0; i < count; i++)
        out[i] = PyLong_AsLongLong(PyTuple_GET_ITEM(tuple, i));
    return !PyErr_Occurred();
}

// Lengths, and strides in items.
static bool read_layout(
        PyObject *shape, PyObject *strides, Py_ssize_t item_bytes, struct export *self)
{
    Py_ssize_t ndim = PyTuple_GET_SIZE(shape);
    if (ndim > LAYOUT_MAX_NDIM) {
        PyErr_SetString(PyExc_BufferError, "the array has too many dimensions");
        return false;
    }
    if (!read_lengths(shape, self->dims, ndim) ||
            !read_lengths(strides, self->dims + ndim, ndim))
        return false;
    for (int64_t *stride = self->dims + ndim; stride < self->dims + 2 * ndim; stride++) {
        if (*stride % item_bytes) {
            PyErr_SetString(PyExc_BufferError,
                    "DLPack counts strides in items, of which these are no multiple");
            return false;
        }
        *stride /= item_bytes;
    }
    return true;
}

static PyObject *make_capsule(struct export *self, const struct dl_tensor *tensor,
        bool is_versioned, uint64_t flags)
{
    if (!is_versioned) {
        self->managed.plain = (struct dl_managed){*tensor, self, delete_plain};
        return PyCapsule_New(&self->managed.plain, plain_name, capsule_destroy);
    }
    self->managed.versioned = (struct dl_versioned){.major = DLPACK_MAJOR,
            .minor = DLPACK_MINOR,
            .context = self,
            .deleter = delete_versioned,
            .flags = flags,
            .tensor = *tensor};
    return PyCapsule_New(&self->managed.versioned, versioned_name, capsule_destroy);
}

// export(owner, address, dtype, shape, strides, device type, device, flags): a capsule
// that keeps `owner`; flags None: of the kind before versions
static PyObject *dlpack_export(PyObject *module, PyObject *args)
{
    PyObject *owner, *shape, *strides, *flags;
    PyArray_Descr *dtype = NULL;
    unsigned long long address;
    struct dl_tensor tensor = {0};
    if (!PyArg_ParseTuple(args, "OKO&O!O!iiO", &owner, &address, PyArray_DescrConverter,
                &dtype, &PyTuple_Type, &shape, &PyTuple_Type, &strides,
                &tensor.device_type, &tensor.device_id, &flags))
        return NULL;
    struct export *self = memory_zalloc(sizeof *self);
    PyObject *capsule = NULL;
    unsigned long bits = flags == Py_None ? 0 : PyLong_AsUnsignedLong(flags);
    if (!PyErr_Occurred() && read_type(dtype, &tensor) &&
            read_layout(shape, strides, PyDataType_ELSIZE(dtype), self)) {
        tensor.data = (void *)(uintptr_t)address;
        tensor.ndim = (int32_t)PyTuple_GET_SIZE(shape);
        tensor.shape = self->dims;
        tensor.strides = self->dims + tensor.ndim;
        capsule = make_capsule(self, &tensor, flags != Py_None, bits);
    }
    Py_DECREF(dtype);
    if (capsule)
        self->owner = Py_NewRef(owner);
    else
        free(self);
    return capsule;
}

// --- taking ----------------------------------------------------------------------------

static const char plain_holder[] = "gridcell.dltensor",
                  versioned_holder[] = "gridcell.dltensor_versioned";

// The last array over the tensor has gone.
static void holder_destroy(PyObject *holder)
{
    if (PyCapsule_IsValid(holder, plain_holder)) {
        struct dl_managed *managed = PyCapsule_GetPointer(holder, plain_holder);
        if (managed->deleter)
            managed->deleter(managed);
        return;
    }
    struct dl_versioned *managed = PyCapsule_GetPointer(holder, versioned_holder);
    if (managed && managed->deleter)
        managed->deleter(managed);
}

// What the capsule holds; what becomes of it is the holder's affair from then on.
static PyObject *take_tensor(
        PyObject *capsule, struct dl_tensor **tensor, uint64_t *flags)
{
    PyObject *holder = NULL;
    if (PyCapsule_IsValid(capsule, versioned_name)) {
        struct dl_versioned *managed = PyCapsule_GetPointer(capsule, versioned_name);
        if (managed->major != DLPACK_MAJOR) {
            PyErr_Format(PyExc_BufferError, "DLPack's version %u.%u is not known here",
                    (unsigned)managed->major, (unsigned)managed->minor);
            return NULL;
        }
        *tensor = &managed->tensor;
        *flags = managed->flags;
        holder = PyCapsule_New(managed, versioned_holder, holder_destroy);
        if (holder)
            PyCapsule_SetName(capsule, "used_dltensor_versioned");
    } else if (PyCapsule_IsValid(capsule, plain_name)) {
        struct dl_managed *managed = PyCapsule_GetPointer(capsule, plain_name);
        *tensor = &managed->tensor;
        *flags = 0;
        holder = PyCapsule_New(managed, plain_holder, holder_destroy);
        if (holder)
            PyCapsule_SetName(capsule, "used_dltensor");
    } else {
        PyErr_SetString(
                PyExc_BufferError, "a DLPack capsule that nobody has taken is needed");
    }
    return holder;
}

// take(capsule): (address, (code, bits, lanes), shape, strides in items or None, (device
// type, device), flags, holder)
static PyObject *dlpack_take(PyObject *module, PyObject *capsule)
{
    struct dl_tensor *tensor = NULL;
    uint64_t flags = 0;
    PyObject *holder = take_tensor(capsule, &tensor, &flags);
    if (!holder)
        return NULL;
    PyObject *shape = py_dims_tuple(tensor->shape, tensor->ndim);
    PyObject *strides = tensor->strides ? py_dims_tuple(tensor->strides, tensor->ndim)
                                        : Py_NewRef(Py_None);
    unsigned long long address =
            (unsigned long long)(uintptr_t)tensor->data + tensor->byte_offset;
    PyObject *result = NULL;
    if (shape && strides)
        result = Py_BuildValue("K(iii)OO(ii)KO", address, (int)tensor->code,
                (int)tensor->bits, (int)tensor->lanes, shape, strides,
                (int)tensor->device_type, (int)tensor->device_id,
                (unsigned long long)flags, holder);
    Py_XDECREF(strides);
    Py_XDECREF(shape);
    Py_DECREF(holder);
    return result;
}

PyMethodDef py_dlpack_functions[] = {
        {"cuda_dlpack_export", dlpack_export, METH_VARARGS, "An array as a capsule."},
        {"cuda_dlpack_take", dlpack_take, METH_O, "What a capsule holds."},
        {0},
};

// --- objects with the protocol ---------------------------------------------------------

bool py_has_dlpack(PyObject *object)
{
    enum { ON_CUDA = 2, CUDA_MANAGED = 13 };
    int failed = 0;
    PyObject *method = py_attr_or_null(object, "__dlpack_device__", &failed);
    if (!method || PyType_Check(object)) {
        if (failed)
            py_error_drop();
        Py_XDECREF(method);
        return false;
    }
    PyObject *pair = PyObject_CallNoArgs(method);
    PyObject *kind = pair ? PySequence_GetItem(pair, 0) : NULL;
    long number = kind ? PyLong_AsLong(kind) : -1;
    Py_XDECREF(kind);
    Py_XDECREF(pair);
    Py_DECREF(method);
    if (PyErr_Occurred())
        py_error_drop();
    return number == ON_CUDA || number == CUDA_MANAGED;
}

PyObject *py_array_from_dlpack(PyObject *object)
{
    PyObject *function = py_import_attr("gridcell.cuda.cudadrv.dlpack", "from_dlpack");
    PyObject *array = function ? PyObject_CallOneArg(function, object) : NULL;
    Py_XDECREF(function);
    return array;
}

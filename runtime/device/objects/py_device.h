// SPDX-License-Identifier: MIT
// The Python objects of numba.cuda: what all of them share, devices and streams.
#pragma once

#include "runtime/device/device.h"
#include "runtime/host/dispatch/py_dispatch.h"

// The types that this part of the module defines.
struct device_types {
    PyTypeObject *device, *stream, *event, *memory, *host_memory, *array, *kernel,
            *launch, *host_argument;
    // a memory manager's: called with device and size, gives a MemoryPointer; NULL: none
    PyObject *allocator;
    PyObject *launch_observer; // called instead of launches, or NULL
};

struct device_types *py_device_types(void);

bool py_device_object_init(struct device_types *types, PyObject *module);
bool py_stream_init(struct device_types *types, PyObject *module);
// Functions of the module, by file; runtime/py_module.c adds them.
extern PyMethodDef py_device_functions[], py_driver_log_functions[],
        py_activity_functions[];

// --- devices -------------------------------------------------------------------------

// The device that the calling thread uses; NULL with an exception set when there is none.
struct device *py_device_current(void);
// The device with this number; NULL with an exception set when there is none.
struct device *py_device_numbered(PyObject *number);
// Whether the context of that generation is the device's present one; false with an
// exception set, which says that `what` cannot be used any more.
bool py_device_check(struct device *device, uint64_t generation, const char *what);

// --- streams -------------------------------------------------------------------------

// Reads a `stream=` argument: NULL, None, 0 (the default stream), a Stream of the
// device's present context, or another library's, by the protocol __cuda_stream__.
bool py_stream_get(PyObject *object, struct device_stream **stream);
// The Stream to keep for a stream that is not the default one: itself, or one of ours
// that keeps another library's; NULL with an exception set.
PyObject *py_stream_keep(PyObject *object);
// Whether work may still be given to the stream (or NULL); false with an exception set.
bool py_stream_check(PyObject *object);

// Runs a device call without the GIL; on failure raises and gives false (or returns it).
#define DEVICE_CALL(done, err, call)                                                     \
    do {                                                                                 \
        PyThreadState *state_ = PyEval_SaveThread();                                     \
        (done) = (call);                                                                 \
        PyEval_RestoreThread(state_);                                                    \
        if (!(done))                                                                     \
            py_raise(err);                                                               \
    } while (0)

// What a call knows that may wait for kernels.
struct py_device_wait {
    PyThreadState *state;
    unsigned stops; // of kernels, before
};

// False with KeyboardInterrupt set where an interrupt has come before.
bool py_device_wait_begin(struct device *device, struct py_device_wait *wait);
// Raises what the call failed with, or KeyboardInterrupt where its kernels were stopped.
bool py_device_wait_end(struct device *device, const struct py_device_wait *wait,
        bool is_done, const struct error *err);
// The same for a caller that reports its own failure: false, with an exception set, only
// where kernels were stopped.
bool py_device_wait_is_over(struct device *device, const struct py_device_wait *wait);
// For destructors and others that raise nothing: other threads go on meanwhile.
void py_device_wait_idle(struct device *device);
// Raises KeyboardInterrupt, which says so; gives NULL.
PyObject *py_device_raise_stopped(const struct device *device);

// DEVICE_CALL for what may have to wait for kernels: an interrupt ends them.
#define DEVICE_WAIT(done, device, err, call)                                             \
    do {                                                                                 \
        struct py_device_wait wait_;                                                     \
        (done) = py_device_wait_begin(device, &wait_);                                   \
        if (done)                                                                        \
            (done) = py_device_wait_end(device, &wait_, call, err);                      \
    } while (0)

// SPDX-License-Identifier: MIT
// Hands to Python what the process did (base/activity.h).
#include "base/py.h"

#include <stdlib.h>

#include "base/activity.h"
#include "runtime/cuda/cupti.h"
#include "runtime/device/objects/py_device.h"

static PyObject *keep(PyObject *module, PyObject *is_on)
{
    int truth = PyObject_IsTrue(is_on);
    (void)module;
    if (truth < 0)
        return NULL;
    activity_keep(truth);
    Py_RETURN_NONE;
}

static PyObject *note_tuple(const void *item)
{
    static const char *const names[] = {[ACTIVITY_COMPILE] = "compile",
            [ACTIVITY_PASS] = "pass",
            [ACTIVITY_TO_DEVICE] = "to device",
            [ACTIVITY_TO_HOST] = "to host",
            [ACTIVITY_ON_DEVICE] = "on device",
            [ACTIVITY_SET] = "set",
            [ACTIVITY_LAUNCH] = "launch",
            [ACTIVITY_WAIT] = "wait"};
    static const char *const memories[] = {[ACTIVITY_NO_MEMORY] = NULL,
            [ACTIVITY_PAGEABLE] = "pageable",
            [ACTIVITY_PINNED] = "pinned"};
    const struct activity *note = item;
    return Py_BuildValue("ssddnKzl", names[note->kind], note->what, note->begin,
            note->end, (Py_ssize_t)note->bytes, (unsigned long long)note->stream,
            memories[note->memory], note->thread);
}

static PyObject *record_tuple(const void *item)
{
    static const char *const names[] = {[GPU_ACTIVITY_KERNEL] = "kernel",
            [GPU_ACTIVITY_COPY] = "copy",
            [GPU_ACTIVITY_SET] = "memset",
            [GPU_ACTIVITY_WAIT] = "driver wait"};
    const struct gpu_activity *record = item;
    return Py_BuildValue("ssddnKzl", names[record->kind], record->what, record->begin,
            record->end, (Py_ssize_t)record->bytes, (unsigned long long)record->stream,
            record->memory, 0L);
}

// ([(kind, what, begin, end, bytes, stream, memory, thread)], how many were too many).
// Frees the items.
static PyObject *list_of(void *items, size_t count, size_t size,
        PyObject *(*make)(const void *item), size_t lost)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *tuple = make((const char *)items + i * size);
        if (!tuple || PyList_Append(list, tuple))
            Py_CLEAR(list);
        Py_XDECREF(tuple);
    }
    free(items);
    return list ? Py_BuildValue("Nn", list, (Py_ssize_t)lost) : NULL;
}

static PyObject *take(PyObject *module, PyObject *unused)
{
    size_t count, lost;
    struct activity *notes = activity_take(&count, &lost);
    (void)module;
    (void)unused;
    return list_of(notes, count, sizeof *notes, note_tuple, lost);
}

// None where the GPU's own records are kept from now on; else why they are not.
static PyObject *begin_records(PyObject *module, PyObject *unused)
{
    struct device *device = py_device_current();
    struct error err = {0};
    bool is_done;
    (void)module;
    (void)unused;
    if (!device)
        return NULL;
    if (device->target != TARGET_GPU)
        return PyUnicode_FromString("the emulated device has no records");
    PyThreadState *state = PyEval_SaveThread();
    is_done = cupti_begin(device, &err);
    PyEval_RestoreThread(state);
    if (is_done)
        Py_RETURN_NONE;
    return PyUnicode_FromString(err.message);
}

static PyObject *end_records(PyObject *module, PyObject *unused)
{
    size_t count = 0, lost = 0;
    struct gpu_activity *records;
    (void)module;
    (void)unused;
    PyThreadState *state = PyEval_SaveThread();
    records = cupti_end(&count, &lost);
    PyEval_RestoreThread(state);
    return list_of(records, count, sizeof *records, record_tuple, lost);
}

PyMethodDef py_activity_functions[] = {
        {"activity_keep", keep, METH_O,
                "Keeps what the process does from now on, or not."},
        {"activity_take", take, METH_NOARGS, "What was kept since."},
        {"gpu_records_begin", begin_records, METH_NOARGS,
                "Has the GPU record what it does; None, or why it cannot."},
        {"gpu_records_end", end_records, METH_NOARGS, "Ends that: what was recorded."},
        {0},
};

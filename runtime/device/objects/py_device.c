// SPDX-License-Identifier: MIT
// Devices as Python sees them: a list, a current one for each thread, attributes, memory,
// and the part of the module `_gridcell` that concerns devices.
#include "runtime/device/objects/py_device.h"

#include <stddef.h>
#include <structmember.h>

#include "base/activity.h"
#include "runtime/cuda/cuda_device.h"
#include "runtime/emulator/emulator.h"
#include "runtime/host/state/py_error.h"

// Filled in while the module is loaded; afterwards only the allocator changes, under the
// GIL.
static struct device_types types;
static _Thread_local size_t current_id;

struct device_types *py_device_types(void)
{
    return &types;
}

struct py_device {
    PyObject ob_base;
    struct device *device;
};

static bool ensure_devices(void)
{
    static const struct device_kinds kinds = {cuda_devices_open, emulated_device_create};
    struct error err;
    error_clear(&err); // at each launch: its text is not written
    if (devices_init(&kinds, &err))
        return true;
    py_raise(&err);
    return false;
}

struct device *py_device_current(void)
{
    if (!ensure_devices())
        return NULL;
    struct device *device = device_borrowed(current_id);
    if (!device)
        PyErr_SetString(PyExc_RuntimeError, "there is no device");
    return device;
}

struct device *py_device_numbered(PyObject *number)
{
    int overflow = 0;
    if (!PyIndex_Check(number) || PyBool_Check(number)) {
        PyErr_Format(
                PyExc_TypeError, "a device's number has to be an int, not %R", number);
        return NULL;
    }
    PyObject *index = PyNumber_Index(number);
    long id = index ? PyLong_AsLongAndOverflow(index, &overflow) : -1;
    Py_XDECREF(index);
    if (PyErr_Occurred() || !ensure_devices())
        return NULL;
    struct device *device = id < 0 ? NULL : device_borrowed((size_t)id);
    if (device)
        return device;
    struct error err = {0};
    error_set(&err, ERROR_DEVICE, SPAN_NONE,
            "Call to cuDeviceGet results in CUDA_ERROR_INVALID_DEVICE");
    err.code = DEVICE_ERROR_INVALID_DEVICE;
    py_raise(&err);
    return NULL;
}

bool py_device_check(struct device *device, uint64_t generation, const char *what)
{
    struct error err;
    error_clear(&err);
    if (device_check_generation(device, generation, what, &err))
        return true;
    py_raise(&err);
    return false;
}

static struct device *device_of(PyObject *self)
{
    return ((struct py_device *)self)->device;
}

static PyObject *device_attribute(PyObject *self, PyObject *arg)
{
    long code = PyLong_AsLong(arg);
    if (code == -1 && PyErr_Occurred())
        return NULL;
    struct device *device = device_of(self);
    struct error err = {0};
    int value = 0;
    if (!device->operations->attribute(device, (int)code, &value, &err))
        return py_raise(&err);
    return PyLong_FromLong(value);
}

static PyObject *device_memory_info(PyObject *self, PyObject *unused)
{
    struct device *device = device_of(self);
    struct error err = {0};
    size_t free_bytes = 0, total_bytes = 0;
    if (!device->operations->memory_info(device, &free_bytes, &total_bytes, &err))
        return py_raise(&err);
    return Py_BuildValue("nn", (Py_ssize_t)free_bytes, (Py_ssize_t)total_bytes);
}

// --- waiting -------------------------------------------------------------------------

bool py_device_wait_begin(struct device *device, struct py_device_wait *wait)
{
    if (!py_interrupt_arm())
        return false;
    wait->stops = device_wait_begin(device);
    wait->state = PyEval_SaveThread();
    return true;
}

void py_device_wait_idle(struct device *device)
{
    PyThreadState *state = PyEval_SaveThread();
    device_wait_idle(device);
    PyEval_RestoreThread(state);
}

PyObject *py_device_raise_stopped(const struct device *device)
{
    py_interrupt_raise();
    if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt))
        return NULL; // the user's own handler has raised something else
    return PyErr_Format(PyExc_KeyboardInterrupt,
            "the kernels that ran on device %d were stopped; what they were writing is "
            "incomplete",
            device->id);
}

bool py_device_wait_is_over(struct device *device, const struct py_device_wait *wait)
{
    bool is_stopped = device_wait_end(device, wait->stops);
    PyEval_RestoreThread(wait->state);
    if (is_stopped)
        py_device_raise_stopped(device);
    return !is_stopped;
}

bool py_device_wait_end(struct device *device, const struct py_device_wait *wait,
        bool is_done, const struct error *err)
{
    if (!py_device_wait_is_over(device, wait))
        return false;
    if (!is_done)
        py_raise(err);
    return is_done;
}

// --- what a device does --------------------------------------------------------------

// What a device does with a number, without Python; None when it is done.
typedef bool device_action(struct device *device, size_t argument, struct error *err);

static bool synchronize(struct device *device, size_t unused, struct error *err)
{
    return device->operations->synchronize(device, err);
}

static PyObject *act(PyObject *self, device_action *action, size_t argument)
{
    struct device *device = device_of(self);
    struct error err = {0};
    bool done;
    double begin = activity_clock();
    DEVICE_WAIT(done, device, &err, action(device, argument, &err));
    if (action == synchronize)
        activity_note(ACTIVITY_WAIT, "cuda.synchronize", begin, 0, NULL);
    return done ? Py_NewRef(Py_None) : NULL;
}

static bool reset(struct device *device, size_t is_closed, struct error *err)
{
    return device->operations->context_reset(
            device, is_closed ? CONTEXT_CLOSED : CONTEXT_RESET, err);
}

static bool trim(struct device *device, size_t keep_bytes, struct error *err)
{
    return device->operations->memory_trim(device, keep_bytes, err);
}

static PyObject *device_synchronize(PyObject *self, PyObject *unused)
{
    return act(self, synchronize, 0);
}

// reset(closed): ends the context.
static PyObject *device_reset(PyObject *self, PyObject *closed)
{
    int is_closed = PyObject_IsTrue(closed);
    if (is_closed < 0)
        return NULL;
    // what runs is waited for first, as by that it can be stopped; a device that has
    // failed is reset all the same
    PyObject *waited = act(self, synchronize, 0);
    if (!waited && PyErr_ExceptionMatches(PyExc_KeyboardInterrupt))
        return NULL;
    py_error_drop();
    Py_XDECREF(waited);
    return act(self, reset, (size_t)is_closed);
}

static PyObject *device_trim(PyObject *self, PyObject *keep)
{
    size_t keep_bytes = PyLong_AsSize_t(keep);
    bool is_wrong = keep_bytes == (size_t)-1 && PyErr_Occurred();
    return is_wrong ? NULL : act(self, trim, keep_bytes);
}

static PyObject *device_can_access(PyObject *self, PyObject *number)
{
    struct device *device = device_of(self), *peer = py_device_numbered(number);
    struct error err = {0};
    bool can_access = false;
    if (!peer)
        return NULL;
    if (!device->operations->peer_can_access(device, peer, &can_access, &err))
        return py_raise(&err);
    return PyBool_FromLong(can_access);
}

static PyObject *device_enable_peer(PyObject *self, PyObject *number)
{
    struct device *device = device_of(self), *peer = py_device_numbered(number);
    struct error err = {0};
    if (!peer)
        return NULL;
    if (!device->operations->peer_enable(device, peer, &err))
        return py_raise(&err);
    device_peer_enabled(device, peer);
    Py_RETURN_NONE;
}

// profile(start): of the current context, where the device can.
static PyObject *device_profile(PyObject *self, PyObject *start)
{
    struct device *device = device_of(self);
    int is_start = PyObject_IsTrue(start);
    struct error err = {0};
    if (is_start < 0)
        return NULL;
    if (device->operations->profile &&
            !device->operations->profile(device, is_start, &err))
        return py_raise(&err);
    Py_RETURN_NONE;
}

static PyObject *device_generation(PyObject *self, void *unused)
{
    return PyLong_FromUnsignedLongLong(atomic_load(&device_of(self)->generation));
}

static PyObject *device_id(PyObject *self, void *unused)
{
    return PyLong_FromLong(device_of(self)->id);
}

static PyObject *device_name(PyObject *self, void *unused)
{
    return PyUnicode_FromString(device_of(self)->name);
}

static PyObject *device_uuid(PyObject *self, void *unused)
{
    return PyUnicode_FromString(device_of(self)->uuid);
}

static PyObject *device_compute_capability(PyObject *self, void *unused)
{
    return Py_BuildValue(
            "ii", device_of(self)->compute_major, device_of(self)->compute_minor);
}

static PyObject *device_is_emulated(PyObject *self, void *unused)
{
    return PyBool_FromLong(device_of(self)->target == TARGET_EMULATOR);
}

static PyMethodDef device_methods[] = {
        {"attribute", device_attribute, METH_O,
                "The attribute with this CU_DEVICE_ATTRIBUTE number."},
        {"memory_info", device_memory_info, METH_NOARGS,
                "(free, total) bytes of device memory."},
        {"synchronize", device_synchronize, METH_NOARGS,
                "Waits for all work of the device."},
        {"reset", device_reset, METH_O, "Ends the context; true: it was closed."},
        {"trim", device_trim, METH_O, "Gives kept memory back, but for some bytes."},
        {"profile", device_profile, METH_O, "Starts or stops what profilers record."},
        {"can_access_peer", device_can_access, METH_O,
                "Whether kernels can use another device's memory."},
        {"enable_peer", device_enable_peer, METH_O,
                "Lets kernels use another device's memory."},
        {0},
};

static PyGetSetDef device_getset[] = {
        PY_GETTER("id", device_id),
        PY_GETTER("name", device_name),
        PY_GETTER("uuid", device_uuid),
        PY_GETTER("compute_capability", device_compute_capability),
        PY_GETTER("is_emulated", device_is_emulated),
        PY_GETTER("generation", device_generation),
        {0},
};

static PyType_Slot device_slots[] = {
        {Py_tp_dealloc, py_dealloc_end},
        {Py_tp_methods, device_methods},
        {Py_tp_getset, device_getset},
        {0},
};

// --- functions of the module ---------------------------------------------------------

static PyObject *list_devices(PyObject *module, PyObject *unused)
{
    if (!ensure_devices())
        return NULL;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < device_count(); i++) {
        struct py_device *item =
                (struct py_device *)types.device->tp_alloc(types.device, 0);
        if (item)
            item->device = device_borrowed(i);
        if (!item || PyList_Append(list, (PyObject *)item))
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *current_device(PyObject *module, PyObject *unused)
{
    return ensure_devices() ? PyLong_FromSize_t(current_id) : NULL;
}

static PyObject *select_device(PyObject *module, PyObject *arg)
{
    struct device *device = py_device_numbered(arg);
    if (!device)
        return NULL;
    current_id = (size_t)device->id;
    Py_RETURN_NONE;
}

// Launches that nobody has waited for yet, on all devices; finds no device by itself.
static PyObject *unwaited_launches(PyObject *module, PyObject *unused)
{
    uint64_t launches = 0;
    for (size_t i = 0; i < device_count(); i++)
        launches +=
                atomic_load_explicit(&device_borrowed(i)->unwaited, memory_order_relaxed);
    return PyLong_FromUnsignedLongLong(launches);
}

static PyObject *device_fallback(PyObject *module, PyObject *none)
{
    return ensure_devices() ? Py_BuildValue("z", devices_fallback()) : NULL;
}

PyMethodDef py_device_functions[] = {
        {"cuda_unwaited_launches", unwaited_launches, METH_NOARGS,
                "Launches since anyone last waited for a device."},
        {"cuda_devices", list_devices, METH_NOARGS, "The devices of this process."},
        {"cuda_fallback", device_fallback, METH_NOARGS,
                "Why the emulated device stands in for a GPU; None: it does not."},
        {"cuda_current_device", current_device, METH_NOARGS,
                "Number of the thread's device."},
        {"cuda_select_device", select_device, METH_O,
                "Makes a device the thread's device."},
        {0},
};

bool py_device_object_init(struct device_types *own, PyObject *module)
{
    own->device = py_add_type("gridcell._gridcell.RawDevice", sizeof(struct py_device),
            Py_TPFLAGS_DISALLOW_INSTANTIATION, device_slots);
    return own->device;
}

// SPDX-License-Identifier: MIT
// What jitted functions are made of, for the parts of the runtime that compile and call
// them.
#pragma once

#include "runtime/host/values/py_values.h"

// Each adds its part to the module. False with an exception set.
bool py_dispatcher_init(struct runtime *runtime);
bool py_dufunc_init(struct runtime *runtime);
bool py_source_init(struct runtime *runtime);
void py_objmode_init(void);
void py_ufunc_init(void);
void py_callback_init(void);
// Functions of the module, by file; runtime/py_module.c adds them.
extern PyMethodDef py_gufunc_functions[], py_source_functions[], py_report_functions[],
        py_ufunc_functions[], py_parallel_functions[], py_callback_functions[],
        py_observe_functions[];
// Sends what compiled code prints to sys.stdout, where the printing thread holds the GIL,
// else to C's.
void py_print_line(const char *text, size_t len);
// The same for threads that may wait for the GIL.
void py_print_waiting(const char *text, size_t len);
// The text of an array as str() or repr() has it, to be freed; NULL where the thread does
// not hold the GIL.
char *py_array_text(
        const struct type *item, const struct abi_array *array, int ndim, bool is_repr);
// The same for threads that may wait for the GIL.
char *py_array_text_waiting(
        const struct type *item, const struct abi_array *array, int ndim, bool is_repr);
// The text of several members of a Flag, to be freed; NULL where the class refuses the
// value.
char *py_member_text(const struct type *type, int64_t value, bool is_repr);

// Hooks of the compiler's reports.
char *py_report_source_text(const struct source *source);
const char *py_report_versions(void);
// The lines of the function's own source, as linecache has it, which knows cells of
// notebooks: a new list, or NULL with an exception set.
PyObject *py_source_lines(const struct source *source);

// Tells whoever listens that a function is compiled for types, or was, with an exception
// set where that failed. Once the first is done, so is the second. False with an
// exception set by who listens.
bool py_observe_compilation(PyObject *function, const struct type *const *types,
        size_t count, const struct type *returns, bool is_start);

// --- constants

// Recognises a Python object as a compile-time constant. Copies go to the source's arena,
// objects that must stay alive to its `captured` list. False with `err` set only when out
// of luck entirely: an unknown object is a TYPE_PYOBJECT constant.
bool py_resolve(
        PyObject *object, struct source *source, struct constant *out, struct error *err);
// The type of what a class of numbers or texts makes, int or np.float32; NULL for others.
const struct type *py_class_values(PyObject *object);

// An array in the memory of a device, as a constant of a kernel has it.
struct device_view {
    const struct type *type;
    int ndim;
    const int64_t *shape, *strides;
    uint64_t address;
};

// What resolving names needs of device/arrays, above. Both need the GIL.
struct device_array_hooks {
    // Whether an object that is no array of the host has memory of a device.
    bool (*is_one)(PyObject *object);
    // What keeps the memory and *view alive: a new reference; NULL with an exception set.
    PyObject *(*view)(PyObject *object, struct device_view *view);
};

// --- dispatchers

// The imported function behind a dispatcher (CPU or device), borrowed from it: an
// attribute
// `_source` holding a capsule. NULL with err set.
struct source *py_dispatcher_source(PyObject *dispatcher, struct error *err);
bool py_is_dispatcher(PyObject *object);

// Warns about prange loops that could not be made parallel. False: a warning is an error.
bool py_parallel_warn(const struct compiled *compiled);

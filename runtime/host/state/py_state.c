// SPDX-License-Identifier: MIT
// The state of the extension module and the types that it gets.
#include "runtime/host/state/py_runtime.h"

#include <string.h>

// The state of the module, which is loaded once. Written under the GIL while the module
// is imported; afterwards it does not change.
static struct runtime *loaded;

struct runtime *py_runtime(void)
{
    return loaded;
}

bool py_runtime_start(PyObject *module)
{
    if (loaded) {
        PyErr_SetString(PyExc_ImportError, "gridcell is loaded by one interpreter only");
        return false;
    }
    loaded = PyModule_GetState(module);
    memset(loaded, 0, sizeof *loaded);
    loaded->module = module;
    return true;
}

PyTypeObject *py_add_subtype(PyTypeObject *base, const char *name, size_t size,
        unsigned long flags, PyType_Slot *slots)
{
    PyType_Spec spec = {.name = name,
            .basicsize = (int)size,
            .flags = (unsigned)(Py_TPFLAGS_DEFAULT | flags),
            .slots = slots};
    PyObject *type = PyType_FromModuleAndSpec(loaded->module, &spec, (PyObject *)base);
    if (type && PyModule_AddType(loaded->module, (PyTypeObject *)type) < 0)
        Py_CLEAR(type);
    return (PyTypeObject *)type;
}

PyTypeObject *py_add_type(
        const char *name, size_t size, unsigned long flags, PyType_Slot *slots)
{
    return py_add_subtype(NULL, name, size, flags, slots);
}

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

PyTypeObject *py_add_type(struct runtime *runtime, PyType_Spec *spec, PyTypeObject *base)
{
    PyObject *type = PyType_FromModuleAndSpec(runtime->module, spec, (PyObject *)base);
    if (type && PyModule_AddType(runtime->module, (PyTypeObject *)type) < 0)
        Py_CLEAR(type);
    return (PyTypeObject *)type;
}

// SPDX-License-Identifier: MIT
// The kernel as an extension module: Python runs, with the flags, paths and packages of
// its environment, and the calling thread, which is its main one and holds the GIL,
// becomes the kernel's. What is left to do is to make room for the user: a module
// __main__ of their own, and their arguments, as ipykernel has both.
#include "kernel/python/state/py_state.h"

#include "kernel/python/environment.h"
#include "kernel/python/py_module.h"
#include "kernel/python/state/py_text.h"

bool interp_is_guest(void)
{
    return environment_host() != NULL;
}

static bool set_module(const char *name, PyObject *module)
{
    return module && PyDict_SetItemString(PyImport_GetModuleDict(), name, module) == 0;
}

// The one that ran `python -m gridcell` goes on to its end, and is kept for it.
static bool make_main_module(void)
{
    PyObject *before = py_loaded_module("__main__"); // kept for ever
    PyObject *builtins = PyImport_ImportModule("builtins");
    PyObject *module = PyModule_New("__main__");
    bool is_ok = before && builtins && set_module("__main__", module) &&
                 PyModule_AddObjectRef(module, "__builtins__", builtins) == 0;
    Py_XDECREF(module);
    Py_XDECREF(builtins);
    return is_ok;
}

static bool set_arguments(const char *connection_file)
{
    PyObject *list = connection_file
                             ? Py_BuildValue("[ssN]", "ipykernel_launcher.py", "-f",
                                       PyUnicode_DecodeFSDefault(connection_file))
                             : Py_BuildValue("[s]", "ipykernel_launcher.py");
    bool is_ok = list && PySys_SetObject("argv", list) == 0;
    Py_XDECREF(list);
    return is_ok;
}

// `python -m` puts the folder that it is started in before all others; cells have '' for
// it, which follows os.chdir.
static bool drop_first_path(void)
{
    PyObject *flags = py_import_attr("sys", "flags"),
             *path = py_import_attr("sys", "path");
    PyObject *is_safe = flags ? PyObject_GetAttrString(flags, "safe_path") : NULL;
    int keeps = is_safe ? PyObject_IsTrue(is_safe) : -1;
    bool is_ok = path && keeps >= 0;
    if (is_ok && !keeps && PyList_Check(path) && PyList_GET_SIZE(path) > 0)
        is_ok = PyList_SetSlice(path, 0, 1, NULL) == 0;
    Py_XDECREF(is_safe);
    Py_XDECREF(path);
    Py_XDECREF(flags);
    return is_ok;
}

bool guest_begin(const char *connection_file)
{
    PyObject *module = kernel_module_init();
    bool is_ok = set_module("_gridcell_kernel", module) && make_main_module() &&
                 set_arguments(connection_file) && drop_first_path();
    Py_XDECREF(module);
    return is_ok;
}

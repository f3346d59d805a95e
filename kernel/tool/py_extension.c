// SPDX-License-Identifier: MIT
// The extension module gridcell._kernel: the commands of the executable, in the
// environment's own interpreter.
#include "base/py.h"

#include <stdio.h>
#include <stdlib.h>

#include "kernel/python/environment.h"
#include "kernel/tool/commands.h"

PyMODINIT_FUNC PyInit__kernel(void);

// The arguments as the system gave them. Kept for ever, as those of a program are.
static char **to_arguments(PyObject *list, int *argc)
{
    Py_ssize_t count = PyList_GET_SIZE(list);
    char **argv = calloc((size_t)count + 1, sizeof *argv);
    for (Py_ssize_t i = 0; argv && i < count; i++) {
        PyObject *item = py_list_get(list, i);
        PyObject *bytes = item ? PyUnicode_EncodeFSDefault(item) : NULL;
        const char *text = bytes ? PyBytes_AsString(bytes) : NULL;
        argv[i] = text ? strdup(text) : NULL;
        Py_XDECREF(bytes);
        Py_XDECREF(item);
        if (!argv[i])
            return NULL;
    }
    *argc = (int)count;
    return argv;
}

// Ends the process: who ran a kernel has no Python left to go back to.
static PyObject *run(PyObject *module, PyObject *args)
{
    PyObject *python, *list;
    int argc = 0;
    if (!PyArg_ParseTuple(
                args, "O&O!:run", PyUnicode_FSConverter, &python, &PyList_Type, &list))
        return NULL;
    char **argv = to_arguments(list, &argc);
    if (!argv)
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    environment_set_host(PyBytes_AS_STRING(python)); // kept for ever
    int status = tool_run(argc, argv);
    fflush(NULL);
    exit(status);
}

static PyMethodDef functions[] = {
        {"run", run, METH_VARARGS,
                "run(python, argv): a command of gridcell, on this thread, to the end of "
                "the process."},
        {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
        PyModuleDef_HEAD_INIT,
        .m_name = "gridcell._kernel",
        .m_doc = "gridcell's kernel.",
        .m_size = -1,
        .m_methods = functions,
};

__attribute__((visibility("default"))) PyMODINIT_FUNC PyInit__kernel(void)
{
    return PyModule_Create(&definition);
}

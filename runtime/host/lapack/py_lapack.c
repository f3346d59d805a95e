// SPDX-License-Identifier: MIT
// Makes LAPACK available to compiled code: NumPy's own where its library can be asked,
// else the one that SciPy publishes for Cython.
#include "runtime/host/lapack/py_lapack.h"

#include "runtime/host/lapack/lapack.h"

struct tables {
    PyObject *blas, *lapack; // __pyx_capi__ of SciPy's modules
};

static void *function_in(PyObject *table, const char *name)
{
    PyObject *capsule = NULL;
    if (py_dict_get_text(table, name, &capsule) <= 0)
        return NULL;
    void *function = PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule));
    Py_DECREF(capsule); // its module keeps it
    return function;
}

static void *find_in_scipy(void *context, const char *name)
{
    const struct tables *tables = context;
    void *function = function_in(tables->lapack, name);
    if (!function)
        function = function_in(tables->blas, name);
    py_error_drop();
    return function;
}

static PyObject *table_of(const char *module)
{
    PyObject *imported = PyImport_ImportModule(module);
    PyObject *table = imported ? PyObject_GetAttrString(imported, "__pyx_capi__") : NULL;
    Py_XDECREF(imported);
    return table;
}

PyObject *py_lapack_load(PyObject *self, PyObject *ignored)
{
    if (lapack_find())
        Py_RETURN_TRUE;
    struct tables tables = {.blas = table_of("scipy.linalg.cython_blas")};
    tables.lapack = tables.blas ? table_of("scipy.linalg.cython_lapack") : NULL;
    bool has_both = tables.lapack != NULL;
    if (has_both)
        lapack_take(find_in_scipy, &tables);
    py_error_drop(); // without SciPy, linear algebra says so when it is called
    Py_XDECREF(tables.blas);
    Py_XDECREF(tables.lapack);
    return PyBool_FromLong(has_both);
}

// SPDX-License-Identifier: MIT
// The signatures that a device function was declared with: calls of it convert to them.
#include "runtime/device/kernels/py_kernel.h"
#include "runtime/host/dispatch/py_dispatch.h"

static bool read_signature(
        PyObject *object, struct arena *arena, struct signature *signature)
{
    const struct type **params = NULL;
    if (!PyObject_TypeCheck(object, py_runtime()->signature_type)) {
        PyErr_SetString(PyExc_TypeError, "a device function is declared by signatures");
        return false;
    }
    const struct py_signature *given = (const struct py_signature *)object;
    if (!py_types_from_sequence(given->args, &params, &signature->param_count))
        return false;
    signature->params =
            arena_copy(arena, params, signature->param_count * sizeof *params);
    signature->returns = given->returns == type_none ? NULL : given->returns;
    PyMem_Free(params);
    return true;
}

bool kernel_is_device_function(PyObject *kernel)
{
    int failed;
    PyObject *list = py_attr_or_null(kernel, "_device_signatures", &failed);
    py_error_drop();
    Py_XDECREF(list);
    return list != NULL;
}

bool kernel_declare(PyObject *kernel, struct source *source, struct error *err)
{
    int failed;
    PyObject *list = py_attr_or_null(kernel, "_device_signatures", &failed);
    size_t count = list && PyList_Check(list) ? (size_t)PyList_GET_SIZE(list) : 0;
    struct signature *signatures =
            arena_array(&source->arena, struct signature, count + 1);
    for (size_t i = 0; i < count && !failed; i++) {
        PyObject *item = py_list_get(list, (Py_ssize_t)i);
        failed = !item || !read_signature(item, &source->arena, &signatures[i]);
        Py_XDECREF(item);
    }
    Py_XDECREF(list);
    source->signatures = signatures;
    source->signature_count = failed ? 0 : count;
    return !failed || error_from_python(err);
}

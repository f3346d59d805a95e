// SPDX-License-Identifier: MIT
// The tables behind the ufuncs and gufuncs that we make: made before the object, and
// freed with it.
#include "runtime/host/dispatch/py_ufunc_tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runtime/host/state/py_error.h"
#include "runtime/host/state/py_enter.h"

struct ufunc_tables *py_ufunc_tables_create(PyObject *loops, PyObject *made_of,
        const char *name, const char *doc, const char *signature)
{
    size_t count = (size_t)PyTuple_GET_SIZE(loops) + 1;
    struct ufunc_tables *tables = memory_zalloc(sizeof *tables);
    struct arena *arena = &tables->arena;
    tables->loops = Py_NewRef(loops);
    tables->made_of = Py_NewRef(made_of);
    tables->functions = arena_array(arena, PyUFuncGenericFunction, count);
    tables->loop_data = arena_array(arena, void *, count);
    tables->types = arena_alloc(arena, count * NPY_MAXARGS);
    tables->name = arena_strdup(arena, name);
    tables->doc = doc ? arena_strdup(arena, doc) : NULL;
    tables->signature = signature ? arena_strdup(arena, signature) : NULL;
    return tables;
}

static void tables_destroy(struct ufunc_tables *tables)
{
    Py_XDECREF(tables->loops);
    Py_XDECREF(tables->made_of);
    arena_finish(&tables->arena);
    free(tables);
}

static void capsule_destroy(PyObject *capsule)
{
    tables_destroy(PyCapsule_GetPointer(capsule, PyCapsule_GetName(capsule)));
}

PyObject *py_ufunc_tables_keep(struct ufunc_tables *tables, const char *capsule_name)
{
    PyObject *capsule = PyCapsule_New(tables, capsule_name, capsule_destroy);
    if (!capsule)
        tables_destroy(tables);
    return capsule;
}

struct ufunc_tables *py_ufunc_tables_of(PyObject *object, const char *capsule_name)
{
    if (!py_numpy_is_loaded() || !PyObject_TypeCheck(object, &PyUFunc_Type))
        return NULL;
    PyObject *keeper = ((PyUFuncObject *)object)->obj;
    return keeper && PyCapsule_IsValid(keeper, capsule_name)
                   ? PyCapsule_GetPointer(keeper, capsule_name)
                   : NULL;
}

void py_ufunc_tables_set(struct ufunc_tables *tables, Py_ssize_t row,
        PyUFuncGenericFunction function, void *data, const char *types,
        size_t operand_count)
{
    tables->functions[row] = function;
    tables->loop_data[row] = data;
    memcpy(tables->types + (size_t)row * operand_count, types, operand_count);
}

void py_ufunc_fail(int status, const struct compiled *compiled)
{
    PyGILState_STATE state = py_enter();
    if (!PyErr_Occurred())
        py_raise_status(status, compiled);
    py_leave(state);
}

// SPDX-License-Identifier: MIT
// What compiled code has the interpreter do, from any thread: blocks of objmode, and the
// objects that an exception is raised with.
#include "base/py.h"

#include <string.h>

#include "base/memory.h"
#include "compiler/support/support.h"
#include "runtime/host/values/py_numpy.h"
#include "runtime/host/values/py_reflect.h"
#include "runtime/host/dispatch/py_dispatch.h"
#include "runtime/host/state/py_error.h"
#include "runtime/host/state/py_enter.h"
#include "compiler/backends/cpu/symbols.h"

// Whether values of the type are ones of a type that the program adds, or hold such.
static bool is_of_program(const struct type *type)
{
    if (type->kind == TYPE_OPTIONAL)
        return is_of_program(type->element);
    for (size_t i = 0; type->kind == TYPE_TUPLE && i < type->tuple.len; i++)
        if (is_of_program(type->tuple.items[i]))
            return true;
    return type->kind == TYPE_EXTENSION;
}

// A declared type is checked as a signature would: numbers convert, arrays do not. What
// the program unboxes itself, it checks itself.
static bool check_output(PyObject *value, const struct type *type)
{
    if (is_of_program(type))
        return true;
    const struct type *given = py_typeof(value);
    if (type_conversion(given, type) != CONVERT_NEVER)
        return true;
    PyErr_Format(PyExc_TypeError,
            "objmode() declares a value of type %s, but the block gives %s", type->name,
            given == type_pyobject ? Py_TYPE(value)->tp_name : given->name);
    return false;
}

static bool read_outputs(PyObject *tuple, const struct type *type, char *target)
{
    size_t offset = 0;
    for (size_t i = 0; i < type->tuple.len; i++) {
        const struct type *item = type->tuple.items[i];
        PyObject *value = PyTuple_GET_ITEM(tuple, (Py_ssize_t)i);
        char *at = target + abi_place(item, &offset);
        if (!check_output(value, item) || !py_unbox(value, item, at) ||
                !py_keep_arrays(item, at))
            return false;
    }
    return true;
}

// What is done with each input that is a plain list, set or dict: objects[i] stands for
// it.
typedef bool visit_container(
        PyObject *objects, size_t i, const struct type *type, struct abi_row *row);

static bool each_container(const struct type *inputs, const void *from, PyObject *objects,
        visit_container *visit)
{
    size_t offset = 0;
    bool done = true;
    for (size_t i = 0; i < inputs->tuple.len; i++) {
        const struct type *type = inputs->tuple.items[i];
        const char *at = (const char *)from + abi_place(type, &offset);
        struct abi_row *row;
        if (!type_is_container(type) || type->cell.is_typed)
            continue;
        memcpy(&row, at, sizeof row);
        done = visit(objects, i, type, row) && done; // all are held, and let go
    }
    return done;
}

static bool hold(
        PyObject *objects, size_t i, const struct type *type, struct abi_row *row)
{
    gridcell_memory_retain(&row->memory);
    return py_write_now(type, row);
}

static bool let_go(
        PyObject *objects, size_t i, const struct type *type, struct abi_row *row)
{
    gridcell_memory_release(&row->memory);
    return true;
}

static bool read_back(
        PyObject *objects, size_t i, const struct type *type, struct abi_row *row)
{
    return py_read_back(PyTuple_GET_ITEM(objects, (Py_ssize_t)i), type, row);
}

// The inputs come with a reference each, which the objects made of them take over. What
// the block changes in a list compiled code goes on with, as it does with an array.
static int32_t objmode(PyObject *function, const struct type *inputs, const void *from,
        const struct type *outputs, void *to)
{
    PyGILState_STATE gil = py_enter();
    bool is_shown = each_container(inputs, from, NULL, hold);
    PyObject *arguments = py_box(inputs, from);
    PyObject *result =
            is_shown && arguments ? PyObject_CallObject(function, arguments) : NULL;
    bool is_done = is_shown && result &&
                   each_container(inputs, from, arguments, read_back) &&
                   read_outputs(result, outputs, to);
    int32_t status = is_done ? STATUS_OK : py_exception_keep();
    each_container(inputs, from, NULL, let_go);
    Py_XDECREF(arguments);
    Py_XDECREF(result);
    py_leave(gil);
    return status;
}

// The arguments of an exception, which are known only when it is raised.
static void raise_arguments(const struct type *tuple, const void *block)
{
    PyGILState_STATE gil = py_enter();
    PyObject *arguments = py_box(tuple, block);
    py_error_drop();
    py_exception_set_arguments(arguments);
    py_leave(gil);
}

void py_objmode_init(void)
{
    compiler_define_symbol("gridcell_raise_arguments", (void *)raise_arguments);
    compiler_define_symbol("gridcell_objmode", (void *)objmode);
}

// SPDX-License-Identifier: MIT
// Functions as values: how a Python object becomes one, and is given back.
#include "runtime/host/values/py_callable.h"

#include <stdatomic.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "compiler/support/support.h"
#include "compiler/types/source.h"
#include "compiler/types/functions.h"
#include "compiler/backends/cpu/symbols.h"
#include "runtime/host/values/py_values.h"
#include "runtime/host/state/py_error.h"
#include "runtime/host/state/py_enter.h"

static void callable_release(struct abi_memory *memory)
{
    struct abi_callable *callable = (struct abi_callable *)memory;
    PyGILState_STATE gil = py_enter();
    Py_XDECREF((PyObject *)callable->object);
    py_leave(gil);
    free(callable);
}

PyObject *py_function_behind(PyObject *object)
{
    int failed;
    PyObject *function = py_attr_or_null(object, "__gridcell_function__", &failed);
    if (failed)
        py_error_drop();
    if (function && !PyObject_TypeCheck(function, py_runtime()->dispatcher_type))
        Py_CLEAR(function);
    return function;
}

// A value with one reference; NULL with an exception set. It keeps `object` alive, and
// with that its code.
static struct abi_callable *callable_create(
        PyObject *object, PyObject *dispatcher, const struct type *type)
{
    const struct compiled *compiled =
            py_runtime()->dispatchers->compiled(dispatcher, type);
    if (!compiled)
        return NULL;
    struct abi_callable *callable = memory_zalloc(sizeof *callable);
    callable->memory.count = 1;
    callable->memory.release = callable_release;
    callable->code = compiled_code(compiled);
    callable->compiled = compiled;
    callable->object = Py_NewRef(object);
    return callable;
}

static struct abi_callable *callable_of(PyObject *object, const struct type *type)
{
    if (PyObject_TypeCheck(object, py_runtime()->dispatcher_type))
        return callable_create(object, object, type);
    int failed;
    PyObject *behind = py_attr_or_null(object, "__gridcell_function__", &failed);
    if (failed)
        return NULL;
    Py_XDECREF(behind);
    PyObject *function = py_function_behind(object);
    struct abi_callable *callable = NULL;
    if (function)
        callable = callable_create(object, function, type);
    else if (!PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "%R is no %s", object, type->name);
    Py_XDECREF(function);
    return callable;
}

bool py_callable_unbox(PyObject *object, const struct type *type, void *target)
{
    struct abi_callable *callable = callable_of(object, type);
    memcpy(target, &callable, sizeof callable);
    return callable != NULL;
}

// What stands in Python for a function of C.
static PyObject *make_object(const struct type *type, void *address)
{
    PyObject *module = PyImport_ImportModule("numba.core.foreign");
    PyObject *object = module ? PyObject_CallMethod(module, "FunctionOfC", "NN",
                                        PyLong_FromVoidPtr(address), py_type_wrap(type))
                              : NULL;
    Py_XDECREF(module);
    return object;
}

PyObject *py_callable_box(const struct type *type, const void *source)
{
    struct abi_callable *callable;
    memcpy(&callable, source, sizeof callable);
    PyObject *object = callable->object ? Py_NewRef((PyObject *)callable->object)
                                        : make_object(type, callable->address);
    gridcell_memory_release(&callable->memory);
    return object;
}

// --- Choices

bool py_choice_unbox(PyObject *object, const struct type *type, void *target)
{
    int64_t position = function_position(type, py_typeof(object));
    memcpy(target, &position, sizeof position);
    if (position < 0)
        PyErr_Format(
                PyExc_TypeError, "%R is none of the functions of %s", object, type->name);
    return position >= 0;
}

PyObject *py_choice_box(const struct type *type, const void *source)
{
    const struct type *functions = type->tuple.items[0];
    int64_t position, len = (int64_t)functions->tuple.len;
    memcpy(&position, (const char *)source + abi_size(type) - sizeof position,
            sizeof position);
    position += position < 0 ? len : 0;
    const struct type *function =
            position >= 0 && position < len ? functions->tuple.items[position] : NULL;
    if (function && function->kind == TYPE_DISPATCHER && function->source->owner)
        return Py_NewRef((PyObject *)function->source->owner);
    return PyErr_Format(PyExc_TypeError, "cannot return a value of type %s",
            function ? function->name : type->name);
}

// --- What compiled code calls

// Values that modules of compiled code keep; for ever, as their code may be anywhere.
static VEC(struct abi_callable *) kept; // under the GIL

// The value of a jitted function; NULL with the exception kept.
static void *callable_make(struct source *source, const struct type *type)
{
    PyGILState_STATE gil = py_enter();
    struct abi_callable *callable = callable_of(source->owner, type);
    if (callable)
        vec_push(&kept, callable);
    else
        py_exception_keep();
    py_leave(gil);
    return callable;
}

// Values of functions of C: a program's own code has the address alone, and makes a value
// of it at each call. They stay, as the functions do, and are not counted.
struct foreign {
    struct abi_callable callable;
    struct foreign *next;
};

enum { FOREIGN_BUCKETS = 256 };
static _Atomic(struct foreign *) foreign[FOREIGN_BUCKETS]; // by address; any thread

static struct foreign *foreign_new(void *address)
{
    struct foreign *new = memory_zalloc(sizeof *new);
    new->callable.memory.count = INT64_MAX / 2;
    new->callable.address = address;
    return new;
}

static void *callable_at(void *address)
{
    _Atomic(struct foreign *) *bucket =
            &foreign[(uintptr_t)address / 16 % FOREIGN_BUCKETS];
    struct foreign *first = atomic_load(bucket), *made = NULL;
    do {
        for (struct foreign *each = first; each; each = each->next)
            if (each->callable.address == address) {
                free(made);
                return each;
            }
        if (!made)
            made = foreign_new(address);
        made->next = first;
    } while (!atomic_compare_exchange_weak(bucket, &first, made));
    return made;
}

// What a failure of the function means, as an exception that is kept.
static int32_t callable_failed(const struct abi_callable *callable, int32_t status)
{
    if (status == STATUS_INTERRUPTED || status == STATUS_MEMORY ||
            status == STATUS_PYTHON)
        return status;
    PyGILState_STATE gil = py_enter();
    py_raise_status(status, callable->compiled);
    status = py_exception_keep();
    py_leave(gil);
    return status;
}

// Has a call of the library's fail by a status that the program's own code got from a
// call of its own (numba/core/written/text.py).
static int64_t pass_status(int64_t status)
{
    return status;
}

void py_callable_init(void)
{
    compiler_define_symbol("gridcell_status_pass", (void *)pass_status);
    compiler_define_symbol("gridcell_callable_make", (void *)callable_make);
    compiler_define_symbol("gridcell_callable_at", (void *)callable_at);
    compiler_define_symbol("gridcell_callable_failed", (void *)callable_failed);
}

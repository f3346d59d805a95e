// SPDX-License-Identifier: MIT
// Functions that C calls: compiled from a jitted function for one signature.
// numba/core/ccallback.py makes @cfunc of this.
#include "base/py.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runtime/threads/fault.h"
#include "runtime/host/dispatch/py_dispatcher.h"
#include "runtime/host/dispatch/py_source.h"
#include "runtime/host/state/py_error.h"
#include "runtime/host/state/py_enter.h"
#include "compiler/backends/cpu/symbols.h"
#include "compiler/types/functions.h"

static const char capsule_name[] = "gridcell.callback";

struct callback {
    struct compiled *compiled;
    PyObject *shown;    // what messages name; borrowed: it keeps this
    PyObject *function; // the dispatcher, whose source the code is of
};

// C has no exceptions: they are reported, and the function has returned zero.
static void callback_failed(const struct callback *callback, int32_t status)
{
    PyGILState_STATE gil = py_enter();
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    py_raise_status(status, callback->compiled);
    py_error_report(callback->shown); // of an interrupt Python hears when C is done
    PyErr_Restore(type, value, traceback);
    py_leave(gil);
}

// How C enters the code. An interrupt that waits for Python is Python's when C is done:
// the function returns zero until then.
static int32_t callback_run(abi_entry entry, void *result, const void *args)
{
    if (py_interrupt_arm_anywhere())
        return fault_call(entry, result, args);
    PyGILState_STATE gil = py_enter();
    py_error_drop();
    py_leave(gil);
    return STATUS_INTERRUPTED;
}

static void callback_finish(PyObject *capsule)
{
    struct callback *callback = PyCapsule_GetPointer(capsule, capsule_name);
    compiled_destroy(callback->compiled);
    Py_XDECREF(callback->function);
    free(callback);
}

static bool check_types(
        const struct type *const *types, size_t count, const struct type *returns)
{
    for (size_t i = 0; i <= count; i++) {
        const struct type *type = i < count ? types[i] : returns;
        if (!type_is_of_c(type)) {
            PyErr_Format(PyExc_TypeError,
                    "a C callback takes and returns numbers and pointers, not %s",
                    type->name);
            return false;
        }
    }
    return true;
}

static bool compile_into(struct callback *callback, const struct type *const *types,
        size_t count, const struct type *returns)
{
    struct dispatcher *function = (struct dispatcher *)callback->function;
    struct error err = {0};
    const struct compile_options options = {.kind = COMPILE_CALLBACK,
            .target = TARGET_HOST,
            .opt_level = function->options.opt_level,
            .debug = function->options.source.debug,
            .owner = callback,
            .cache = py_code_cache(callback->function)};
    if (function->invalid) {
        PyErr_SetObject(PyExc_KeyError, function->invalid);
        return false;
    }
    py_signals_watch();
    struct source *source = py_dispatcher_source(callback->function, &err);
    if (source)
        callback->compiled = py_compile(source, types, count, returns, &options, &err);
    if (!callback->compiled)
        py_raise_compile(&err, "nopython", source ? source->qualname : NULL, NULL);
    return callback->compiled &&
           py_code_cache_note(callback->function, callback->compiled, types, count);
}

// callback_compile(function, signature, shown): a capsule
static PyObject *module_compile(PyObject *module, PyObject *args)
{
    struct runtime *runtime = py_runtime();
    PyObject *function, *signature_object, *shown;
    if (!PyArg_ParseTuple(args, "O!O!O", runtime->dispatcher_type, &function,
                runtime->signature_type, &signature_object, &shown))
        return NULL;
    struct py_signature *signature = (struct py_signature *)signature_object;
    const struct type **types = NULL;
    size_t count = 0;
    if (!py_types_from_sequence(signature->args, &types, &count))
        return NULL;
    struct callback *callback = memory_zalloc(sizeof *callback);
    callback->function = Py_NewRef(function);
    callback->shown = shown;
    PyObject *capsule = py_capsule_new(callback, capsule_name, callback_finish, function);
    if (capsule && (!check_types(types, count, signature->returns) ||
                           !compile_into(callback, types, count, signature->returns)))
        Py_CLEAR(capsule);
    PyMem_Free(types);
    return capsule;
}

// callback_describe(capsule): (address, name)
static PyObject *module_describe(PyObject *module, PyObject *capsule)
{
    struct callback *callback = PyCapsule_GetPointer(capsule, capsule_name);
    if (!callback)
        return NULL;
    const struct compiled *compiled = callback->compiled;
    return Py_BuildValue(
            "(Ns)", PyLong_FromVoidPtr(compiled->callback), compiled->symbol);
}

// callback_llvm(capsule): the optimised LLVM IR
static PyObject *module_llvm(PyObject *module, PyObject *capsule)
{
    struct callback *callback = PyCapsule_GetPointer(capsule, capsule_name);
    struct error err = {0};
    if (!callback)
        return NULL;
    const char *text = compiled_llvm(callback->compiled, &err);
    if (!text)
        return py_raise(&err);
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

PyMethodDef py_callback_functions[] = {
        {"callback_compile", module_compile, METH_VARARGS,
                "Compiles a jitted function for C: function, signature, what messages "
                "name."},
        {"callback_describe", module_describe, METH_O,
                "The address and the name of a callback."},
        {"callback_llvm", module_llvm, METH_O, "The LLVM IR of a callback."},
        {0},
};

void py_callback_init(void)
{
    compiler_define_symbol("gridcell_fault_call", (void *)callback_run);
    compiler_define_symbol("gridcell_callback_failed", (void *)callback_failed);
}

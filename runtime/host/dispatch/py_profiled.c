// SPDX-License-Identifier: MIT
// Calls of jitted functions as profilers see them, though compiled code has no frame:
// cProfile and sys.setprofile of Python 3.11, and sys.monitoring since 3.12 where a
// program asks for it, as in numba. Such a call goes through a function of Python that
// has the jitted one's name and place, and does nothing but call it.
#include "base/py.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/host/dispatch/py_dispatcher.h"

bool dispatcher_monitor_default(void)
{
    const char *wanted = getenv("NUMBA_ENABLE_SYS_MONITORING");
    return wanted && *wanted && strcmp(wanted, "0") != 0;
}

// The first code object among the constants of one; a new reference, or NULL with an
// exception set. Takes the reference to `code`.
static PyObject *inner_code(PyObject *code_stolen)
{
    PyObject *constants =
            code_stolen ? PyObject_GetAttrString(code_stolen, "co_consts") : NULL;
    PyObject *found = NULL;
    for (Py_ssize_t i = 0; constants && !found && i < PyTuple_GET_SIZE(constants); i++) {
        PyObject *constant = PyTuple_GET_ITEM(constants, i); // borrowed: of a tuple held
        if (PyCode_Check(constant))
            found = Py_NewRef(constant);
    }
    Py_XDECREF(constants);
    Py_XDECREF(code_stolen);
    return found;
}

// The code of a function that calls what its cell holds.
static PyObject *plain_code(void)
{
    static const char text[] =
            "def make(unseen):\n"
            "    def call(*args, **keywords): return unseen(*args, **keywords)\n";
    return inner_code(
            inner_code(Py_CompileString(text, "<jitted function>", Py_file_input)));
}

static PyObject *call_by_keywords(PyObject *object, const char *name, PyObject *keywords)
{
    PyObject *result = NULL, *method = PyObject_GetAttrString(object, name);
    if (method)
        result = PyObject_VectorcallDict(method, NULL, 0, keywords);
    Py_XDECREF(method);
    return result;
}

// What a frame is told by, as keywords of replace(); a new reference.
static PyObject *place_of(PyObject *code)
{
    static const char *const names[] = {
            "co_filename", "co_firstlineno", "co_name", "co_qualname"};
    PyObject *place = PyDict_New();
    for (size_t i = 0; place && i < sizeof names / sizeof *names; i++) {
        PyObject *value = PyObject_GetAttrString(code, names[i]);
        if (!value || PyDict_SetItemString(place, names[i], value) < 0)
            Py_CLEAR(place);
        Py_XDECREF(value);
    }
    return place;
}

// That code under the name and at the place of the jitted function; a new reference.
static PyObject *code_for(struct dispatcher *self)
{
    PyObject *own = PyObject_GetAttrString(self->py_func, "__code__"), *code = NULL;
    PyObject *place = own ? place_of(own) : NULL;
    PyObject *plain = place ? plain_code() : NULL;
    if (plain)
        code = call_by_keywords(plain, "replace", place);
    Py_XDECREF(own);
    Py_XDECREF(place);
    Py_XDECREF(plain);
    return code;
}

// A callable that profilers do not count by itself, as they do functions of C.
static PyObject *unseen_call(struct dispatcher *self, PyMethodDef *unseen)
{
    PyObject *method = PyCFunction_New(unseen, (PyObject *)self);
    PyObject *partial = method ? py_import_attr("functools", "partial") : NULL;
    PyObject *call = partial ? PyObject_CallOneArg(partial, method) : NULL;
    Py_XDECREF(partial);
    Py_XDECREF(method);
    return call;
}

// The function is made for each call: a dispatcher that held it would hold itself.
static PyObject *function_for(struct dispatcher *self, PyMethodDef *unseen)
{
    PyObject *namespace = PyObject_GetAttrString(self->py_func, "__globals__");
    PyObject *call = namespace ? unseen_call(self, unseen) : NULL;
    PyObject *cell = call ? PyCell_New(call) : NULL;
    PyObject *cells = cell ? PyTuple_Pack(1, cell) : NULL;
    PyObject *function = cells ? PyFunction_New(self->seen_code, namespace) : NULL;
    if (function && PyFunction_SetClosure(function, cells) < 0)
        Py_CLEAR(function);
    Py_XDECREF(cells);
    Py_XDECREF(cell);
    Py_XDECREF(call);
    Py_XDECREF(namespace);
    return function;
}

PyObject *dispatcher_call_seen(struct dispatcher *self, PyMethodDef *unseen,
        PyObject *const *args, size_t flagged_count, PyObject *keywords)
{
    if (!self->seen_code && !(self->seen_code = code_for(self)))
        return NULL;
    PyObject *function = function_for(self, unseen);
    PyObject *result =
            function ? PyObject_Vectorcall(function, args, flagged_count, keywords)
                     : NULL;
    Py_XDECREF(function);
    return result;
}

// SPDX-License-Identifier: MIT
// Overloads that the program registers: which function implements a call, a method or an
// attribute for argument types. numba/core/overloads.py chooses; here are its questions.
#include "runtime/host/dispatch/py_overload.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compiler/backends/cpu/refused_text.h"
#include "compiler/backends/cpu/symbols.h"
#include "compiler/frontend/source.h"
#include "compiler/types/told.h"
#include "compiler/typing/infer/overload.h"
#include "runtime/host/dispatch/py_dispatch.h"
#include "runtime/host/dispatch/py_source.h"
#include "runtime/host/state/py_enter.h"
#include "runtime/host/values/py_values.h"

// NotImplemented stands for "not a literal": None and False are literals.
static PyObject *constant_object(const struct constant *constant);

// A list, a dict, or of a display of several types a tuple.
static PyObject *items_object(const struct constant *constant)
{
    Py_ssize_t len = (Py_ssize_t)constant->tuple.len;
    bool is_dict = constant->type->kind == TYPE_DICT;
    PyObject *tuple = PyTuple_New(len), *dict = is_dict ? PyDict_New() : NULL;
    for (Py_ssize_t i = 0; tuple && i < len; i++)
        py_tuple_put(&tuple, i, constant_object(&constant->tuple.items[i]));
    if (constant->type->kind == TYPE_LIST) {
        PyObject *list = tuple ? PySequence_List(tuple) : NULL;
        Py_XDECREF(tuple);
        return list;
    }
    for (Py_ssize_t i = 0; dict && tuple && i + 1 < len; i += 2)
        if (PyDict_SetItem(
                    dict, PyTuple_GET_ITEM(tuple, i), PyTuple_GET_ITEM(tuple, i + 1)) < 0)
            Py_CLEAR(dict);
    if (!is_dict)
        return tuple;
    Py_XDECREF(tuple);
    return dict;
}

static PyObject *constant_object(const struct constant *constant)
{
    enum type_kind kind = constant->type ? constant->type->kind : TYPE_NONE;
    if (kind == TYPE_LIST || kind == TYPE_DICT || kind == TYPE_TUPLE)
        return items_object(constant);
    if (!constant->type)
        return Py_NewRef(Py_NotImplemented);
    if (constant->type == type_string)
        return PyUnicode_FromString(constant->string.text);
    if (constant->type == type_bool)
        return PyBool_FromLong(constant->integer != 0);
    return PyLong_FromLongLong(constant->integer);
}

static PyObject *literals_of(const struct overload_question *question)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)question->count);
    for (size_t i = 0; tuple && i < question->count; i++) {
        PyObject *value = constant_object(&question->constants[i]);
        py_tuple_put(&tuple, (Py_ssize_t)i, value);
    }
    return tuple;
}

static PyObject *keywords_of(const struct overload_question *question)
{
    PyObject *tuple = PyTuple_New((Py_ssize_t)question->keyword_count);
    for (size_t i = 0; tuple && i < question->keyword_count; i++) {
        PyObject *name = PyUnicode_FromString(question->keywords[i]);
        py_tuple_put(&tuple, (Py_ssize_t)i, name);
    }
    return tuple;
}

// answer(kind, object, name, types, literals, keywords, is_parallel, is_device,
// prefers_literals): a dispatcher, True for a method, None for nothing, a number whose
// bits say which arguments have to be literals.
static PyObject *ask(const struct overload_question *question)
{
    PyObject *answer = py_import_attr("numba.core.overloads", "answer"), *reply = NULL;
    PyObject *types = py_type_tuple(question->types, question->count);
    PyObject *literals = literals_of(question), *keywords = keywords_of(question);
    PyObject *owner = question->overloaded ? question->overloaded->owner : Py_None;
    if (answer && types && literals && keywords)
        reply = PyObject_CallFunction(answer, "iOzOOOiii", (int)question->kind, owner,
                question->name, types, literals, keywords, (int)question->is_parallel,
                (int)question->is_device, (int)question->prefers_literals);
    Py_XDECREF(answer);
    Py_XDECREF(types);
    Py_XDECREF(literals);
    Py_XDECREF(keywords);
    return reply;
}

// Called by typing, with or without the GIL, and with typing's lock given back
// (infer_source): the answer may compile something.
bool py_overload_choose(const struct overload_question *question,
        struct overload_reply *reply, struct error *err)
{
    PyGILState_STATE state = py_enter();
    PyObject *answer = ask(question); // a dispatcher is kept there
    bool done = answer != NULL;
    if (!done)
        error_from_python(err);
    else if (answer == Py_True)
        reply->is_method = true;
    else if (PyLong_Check(answer))
        reply->literals = PyLong_AsUnsignedLongLongMask(answer);
    else if (answer != Py_None)
        done = (reply->source = py_dispatcher_source(answer, err)) != NULL;
    Py_XDECREF(answer);
    py_leave(state);
    return done;
}

// --- Conversions

// Of (rank or None, common type or None, jitted function or None).
static bool read_told(PyObject *reply, struct told *told, struct error *err)
{
    PyObject *rank, *common, *cast;
    if (!PyArg_ParseTuple(reply, "OOO", &rank, &common, &cast)) {
        error_from_python(err);
        return false;
    }
    told->conversion =
            PyLong_Check(rank) ? (enum conversion)PyLong_AsLong(rank) : CONVERT_NEVER;
    told->common = common == Py_None ? NULL : py_type_get(common);
    told->cast = cast == Py_None ? NULL : py_dispatcher_source(cast, err);
    return cast == Py_None || told->cast;
}

bool py_overload_tell(const struct type *from, const struct type *to, struct told *told,
        struct error *err)
{
    PyGILState_STATE state = py_enter();
    PyObject *tell = py_import_attr("numba.core.extension.conversions", "tell");
    PyObject *one = py_type_wrap(from), *other = py_type_wrap(to);
    PyObject *reply = tell && one && other
                              ? PyObject_CallFunctionObjArgs(tell, one, other, NULL)
                              : NULL;
    bool done = reply && read_told(reply, told, err);
    if (!reply)
        error_from_python(err);
    Py_XDECREF(tell);
    Py_XDECREF(one);
    Py_XDECREF(other);
    Py_XDECREF(reply);
    py_leave(state);
    return done;
}

enum conversion py_conversion(const struct type *from, const struct type *to)
{
    const struct type *pair[2];
    told_wants(pair); // what others asked for in vain
    for (;;) {
        enum conversion conversion = type_conversion(from, to);
        struct told told = {.conversion = CONVERT_NEVER};
        struct error err = {0};
        if (!told_wants(pair))
            return conversion;
        if (!py_overload_tell(pair[0], pair[1], &told, &err))
            error_clear(&err);
        told_set(pair[0], pair[1], &told);
    }
}

// --- The registry

// By address, since the objects need not be hashable. They cannot go: what stands in for
// one keeps it alive, and the module's state keeps that.
static PyObject *registry(void)
{
    return py_dict_at(&py_runtime()->overloaded);
}

PyObject *py_overload_find(PyObject *object)
{
    PyObject *known = py_runtime()->overloaded, *found = NULL;
    PyObject *key = known ? PyLong_FromVoidPtr(object) : NULL;
    if (key)
        py_dict_get(known, key, &found);
    Py_XDECREF(key);
    py_error_drop();
    return found;
}

// The class of numbers or texts stays a class, for isinstance() and as a dtype: typing
// looks for what implements a call under its type's name.
static bool register_class(const struct type *values, PyObject *stand_in)
{
    struct error err = {0};
    struct source *source = py_dispatcher_source(stand_in, &err);
    if (!source) {
        py_raise(&err);
        return false;
    }
    compiler_overload_operator(type_class(values)->name, source);
    return true;
}

// overload_register(function, what stands for it in compiled code, which keeps it alive)
// Questions that were answered before may have another answer now.
static PyObject *module_register(PyObject *module, PyObject *args)
{
    PyObject *function, *stand_in;
    if (!PyArg_ParseTuple(args, "OO", &function, &stand_in))
        return NULL;
    const struct type *values = py_class_values(function);
    if (values && !register_class(values, stand_in))
        return NULL;
    if (values) {
        compiler_overloads_changed();
        Py_RETURN_NONE;
    }
    PyObject *known = registry(), *key = PyLong_FromVoidPtr(function);
    bool done = known && key && PyDict_SetItem(known, key, stand_in) == 0;
    Py_XDECREF(key);
    if (!done)
        return NULL;
    compiler_overloads_changed();
    Py_RETURN_NONE;
}

// llvm_text_refused(text): the reason, or None.
static PyObject *module_text_refused(PyObject *module, PyObject *text)
{
    const char *written = PyUnicode_AsUTF8(text);
    if (!written)
        return NULL;
    char *refusal = jit_refused_text(written);
    PyObject *reason = Py_None;
    if (refusal)
        reason = PyUnicode_DecodeUTF8(refusal, (Py_ssize_t)strlen(refusal), "replace");
    else
        Py_INCREF(reason);
    free(refusal);
    return reason;
}

// llvm_symbol(name, address=None): where such code finds what has the name, which an
// address is from then on, unless there is one; None: nothing has it.
static PyObject *module_symbol(PyObject *module, PyObject *args)
{
    const char *name;
    PyObject *given = Py_None;
    if (!PyArg_ParseTuple(args, "s|O", &name, &given))
        return NULL;
    void *address = compiler_symbol(name);
    if (!address && given != Py_None) {
        address = PyLong_AsVoidPtr(given);
        if (PyErr_Occurred())
            return NULL;
        compiler_define_symbol(name, address);
    }
    if (!address)
        Py_RETURN_NONE;
    return PyLong_FromVoidPtr(address);
}

static PyObject *module_changed(PyObject *module, PyObject *none)
{
    compiler_overloads_changed();
    Py_RETURN_NONE;
}

static void source_finish(PyObject *capsule)
{
    py_source_destroy(PyCapsule_GetPointer(capsule, PY_SOURCE_CAPSULE));
}

// overloaded_source(owner, name): a capsule; the owner keeps it.
static PyObject *module_source(PyObject *module, PyObject *args)
{
    PyObject *owner;
    const char *name;
    if (!PyArg_ParseTuple(args, "Os", &owner, &name))
        return NULL;
    struct source *source = source_create(name);
    source->is_overloaded = true;
    source->owner = owner;
    source->captured = PyList_New(0);
    return PyCapsule_New(source, PY_SOURCE_CAPSULE, source_finish);
}

// overload_operator(name, capsule of overloaded_source, which lives for ever)
// Types may point to the source for ever.
static PyObject *module_operator(PyObject *module, PyObject *args)
{
    const char *name;
    PyObject *capsule;
    if (!PyArg_ParseTuple(args, "sO", &name, &capsule))
        return NULL;
    struct source *source = PyCapsule_GetPointer(capsule, PY_SOURCE_CAPSULE);
    if (!source)
        return NULL;
    compiler_overload_operator(name, source);
    Py_RETURN_NONE;
}

// overload_arrays(capsule of overloaded_source, which lives for ever)
static PyObject *module_arrays(PyObject *module, PyObject *capsule)
{
    struct source *source = PyCapsule_GetPointer(capsule, PY_SOURCE_CAPSULE);
    if (!source)
        return NULL;
    compiler_overload_arrays(source);
    Py_RETURN_NONE;
}

PyMethodDef py_overload_functions[] = {
        {"overload_arrays", module_arrays, METH_O,
                "Has functions and operators ask where an argument is an own array."},
        {"overload_operator", module_operator, METH_VARARGS,
                "Has an operator of compiled code ask what implements it."},
        {"overload_register", module_register, METH_VARARGS,
                "Has compiled code see an object in place of another."},
        {"llvm_text_refused", module_text_refused, METH_O,
                "Why the compiler cannot take a module that others wrote; None: it can."},
        {"llvm_symbol", module_symbol, METH_VARARGS,
                "Where such a module finds what has a name."},
        {"overloads_changed", module_changed, METH_NOARGS,
                "Forgets what earlier questions were answered."},
        {"overloaded_source", module_source, METH_VARARGS,
                "What compiled code calls where an object answers by types."},
        {0},
};

// SPDX-License-Identifier: MIT
// What users ask of a dispatcher besides calling it: its overloads, compilation ahead of
// the call, and the texts of what was compiled. numba/core/dispatcher.py builds on this.
#include "runtime/host/dispatch/py_dispatcher.h"

#include <string.h>

#include "base/str.h"
#include "compiler/types/source.h"
#include "runtime/host/dispatch/py_source.h"

static struct dispatcher *cast(PyObject *object)
{
    return (struct dispatcher *)object;
}

// The parameter types and return type that a Signature, or a tuple of types, names.
static bool read_signature(PyObject *object, const struct type ***params, size_t *count,
        const struct type **returns)
{
    *returns = NULL;
    if (PyObject_TypeCheck(object, py_runtime()->signature_type)) {
        struct py_signature *signature = (struct py_signature *)object;
        *returns = signature->returns;
        return py_types_from_sequence(signature->args, params, count);
    }
    return py_types_from_sequence(object, params, count);
}

// --- compiling

// compile(signature): makes the overload ahead of any call.
static PyObject *method_compile(PyObject *object, PyObject *signature)
{
    struct dispatcher *self = cast(object);
    const struct type **params = NULL, *returns;
    size_t count = 0;
    if (!read_signature(signature, &params, &count, &returns))
        return NULL;
    Py_ssize_t expected = PyTuple_GET_SIZE(self->param_names);
    bool done = dispatcher_find(self, params, count) != NULL;
    if (!done && (Py_ssize_t)count != expected)
        PyErr_Format(PyExc_TypeError,
                "Signature mismatch: %zu argument types given, but function takes %zd "
                "arguments",
                count, expected);
    else if (!done)
        done = dispatcher_overload(self, params, count, returns, NULL) != NULL;
    PyMem_Free(params);
    if (!done)
        return NULL;
    Py_RETURN_NONE;
}

// Compiles it for the types that compiled functions call it with, whose code has it
// within: who asks finds these as if each had been a call of its own.
static void take_called(struct dispatcher *self)
{
    py_compile_enter();
    const struct source *source = self->source;
    bool is_open = self->can_compile && !self->options.source.is_part_of_callers;
    for (size_t i = 0; is_open && source && i < source->typed.len; i++) {
        const struct typed_function *typed = &source->typed.items[i];
        const struct type *const *types = typed->asked;
        if (typed->target != TARGET_HOST || !typed->is_complete || typed->declared ||
                dispatcher_find(self, types, source->param_count))
            continue;
        if (!dispatcher_overload(self, types, source->param_count, NULL, NULL))
            py_error_drop(); // of values that Python does not have
        is_open = self->source == source;
    }
    py_compile_leave();
}

// Compiles every overload again, so that changed globals are seen.
// The old ones are put aside and not freed: generators and functions that are values run
// their code, and functions compiled before refer to the old source. On failure the list
// is shorter than before.
static bool recompile(struct dispatcher *self)
{
    py_compile_enter();
    __typeof__(self->overloads) old = self->overloads;
    memset(&self->overloads, 0, sizeof self->overloads);
    if (self->source)
        vec_push(&self->old_sources, self->source);
    self->source = NULL;
    self->last = NULL;
    bool done = true;
    for (size_t i = 0; i < old.len; i++) {
        struct overload *overload = old.items[i];
        if (done)
            done = dispatcher_overload(self, overload->params, overload->param_count,
                           self->can_compile ? NULL : overload->returns, NULL) != NULL;
        vec_push(&self->old_overloads, overload);
    }
    vec_finish(&old);
    py_compile_leave();
    return done;
}

static PyObject *method_recompile(PyObject *object, PyObject *none)
{
    take_called(cast(object));
    if (!recompile(cast(object)))
        return NULL;
    Py_RETURN_NONE;
}

// Compiled callers convert to the overloads that there are, as Python callers do.
// Copies, in the source's arena: an overload may go before callers of the source do.
static void close_source(struct dispatcher *self)
{
    struct source *source = self->source;
    size_t count = self->overloads.len;
    struct signature *signatures = arena_array(&source->arena, struct signature, count);
    for (size_t i = 0; i < count; i++) {
        const struct overload *overload = self->overloads.items[i];
        signatures[i].returns = overload->returns;
        signatures[i].param_count = overload->param_count;
        signatures[i].params = arena_copy(&source->arena, overload->params,
                overload->param_count * sizeof *overload->params);
    }
    source->signatures = signatures;
    source->signature_count = count;
}

// Where types may still come, overloads are made again when they are called for. Where
// the list is closed (signatures were declared), all of it must be there at once.
bool dispatcher_renew(struct dispatcher *self)
{
    if (!self->can_compile) {
        bool done = recompile(self);
        if (done && self->source)
            close_source(self);
        return done;
    }
    vec_move(&self->old_overloads, &self->overloads);
    if (self->source)
        vec_push(&self->old_sources, self->source);
    self->source = NULL;
    self->last = NULL;
    return true;
}

static PyObject *method_disable_compile(PyObject *object, PyObject *args)
{
    int is_disabled = 1;
    if (!PyArg_ParseTuple(args, "|p", &is_disabled))
        return NULL;
    struct dispatcher *self = cast(object);
    self->can_compile = !is_disabled;
    if (is_disabled && self->source)
        close_source(self);
    else if (self->source)
        self->source->signature_count = 0;
    Py_RETURN_NONE;
}

// --- overloads

static PyObject *list_overloads(
        struct dispatcher *self, PyObject *(*describe)(const struct overload *))
{
    take_called(self);
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < self->overloads.len; i++) {
        PyObject *item = describe(self->overloads.items[i]);
        if (!item || (item != Py_None && PyList_Append(list, item) < 0))
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

static PyObject *describe_params(const struct overload *overload)
{
    return py_type_tuple(overload->params, overload->param_count);
}

static PyObject *describe_signature(const struct overload *overload)
{
    if (!overload->compiled)
        Py_RETURN_NONE;
    return py_signature_new(overload->returns, overload->params, overload->param_count);
}

// (signature, is compiled, milliseconds)
static PyObject *describe_all(const struct overload *overload)
{
    PyObject *signature =
            py_signature_new(overload->returns, overload->params, overload->param_count);
    if (!signature)
        return NULL;
    return Py_BuildValue("(NOd)", signature, overload->compiled ? Py_True : Py_False,
            overload->compiled ? overload->compiled->compile_ms : 0.0);
}

static PyObject *get_signatures(PyObject *object, void *closure)
{
    return list_overloads(cast(object), describe_params);
}

static PyObject *get_nopython_signatures(PyObject *object, void *closure)
{
    return list_overloads(cast(object), describe_signature);
}

static PyObject *method_overload_list(PyObject *object, PyObject *none)
{
    return list_overloads(cast(object), describe_all);
}

// --- texts

static bool types_text(struct dispatcher *self, const struct overload *overload,
        struct str *out, struct error *err)
{
    PyObject *lines = py_source_lines(self->source);
    if (!lines)
        return error_from_python(err);
    size_t count = (size_t)PyList_GET_SIZE(lines);
    const char **texts = PyMem_Calloc(count + 1, sizeof *texts);
    for (size_t i = 0; texts && i < count; i++) {
        PyObject *line =
                PyList_GET_ITEM(lines, (Py_ssize_t)i); // borrowed: `lines` is ours alone
        texts[i] = PyUnicode_AsUTF8(line);
        if (!texts[i])
            texts[i] = "";
    }
    py_error_drop();
    bool done = texts && compiled_types(overload->compiled, texts, count, out, err);
    PyMem_Free(texts);
    Py_DECREF(lines);
    return done;
}

static bool inspect_text(struct dispatcher *self, struct overload *overload,
        const char *what, struct str *out, struct error *err)
{
    if (!strcmp(what, "llvm")) {
        const char *text = compiled_llvm(overload->compiled, err);
        if (text)
            str_append(out, text);
        return text != NULL;
    }
    if (!strcmp(what, "asm")) {
        const char *text = compiled_asm(overload->compiled, err);
        if (text)
            str_append(out, text);
        return text != NULL;
    }
    if (!strcmp(what, "dot"))
        return compiled_cfg_dot(overload->compiled, out, err);
    if (!strcmp(what, "svg"))
        return compiled_cfg_svg(overload->compiled, out, err);
    return types_text(self, overload, out, err);
}

// _inspect(what, types): what is llvm, asm, dot, svg or types.
static PyObject *method_inspect(PyObject *object, PyObject *args)
{
    struct dispatcher *self = cast(object);
    const char *what;
    PyObject *signature;
    if (!PyArg_ParseTuple(args, "sO", &what, &signature))
        return NULL;
    const struct type **params = NULL, *returns;
    size_t count = 0;
    if (!read_signature(signature, &params, &count, &returns))
        return NULL;
    if (!dispatcher_find(self, params, count))
        take_called(self);
    struct overload *overload = dispatcher_find(self, params, count);
    PyMem_Free(params);
    if (!overload) {
        PyErr_SetObject(PyExc_KeyError, signature);
        return NULL;
    }
    if (!overload->compiled)
        return PyUnicode_FromString("");
    struct str text = {0};
    struct error err = {0};
    PyObject *result = NULL;
    if (inspect_text(self, overload, what, &text, &err))
        result = PyUnicode_DecodeUTF8(str_text(&text), (Py_ssize_t)text.len, "replace");
    else
        py_raise(&err);
    str_finish(&text);
    return result;
}

// --- what a function has

static PyObject *get_function_attribute(PyObject *object, void *name)
{
    return PyObject_GetAttrString(cast(object)->py_func, name);
}

static PyObject *given_to(const char *module, const char *name, PyObject *object)
{
    PyObject *function = py_import_attr(module, name);
    PyObject *result = function ? PyObject_CallOneArg(function, object) : NULL;
    Py_XDECREF(function);
    return result;
}

// Pickled by its function and options; they compile again where they land.
static PyObject *method_reduce(PyObject *object, PyObject *none)
{
    return given_to("numba.core.pickling", "reduce_dispatcher", object);
}

static PyObject *method_dask_token(PyObject *object, PyObject *none)
{
    return given_to("numba.core.tokens", "of_dispatcher", object);
}

PyObject *dispatcher_repr(PyObject *object)
{
    return PyUnicode_FromFormat(
            "CPUDispatcher(%R)", ((struct dispatcher *)object)->py_func);
}

// As a method of a class.
PyObject *dispatcher_get(PyObject *object, PyObject *instance, PyObject *class)
{
    if (!instance || instance == Py_None)
        return Py_NewRef(object);
    return PyMethod_New(object, instance);
}

PyMethodDef dispatcher_methods[] = {
        {"compile", method_compile, METH_O,
                "Compiles for a signature, ahead of any call."},
        {"recompile", method_recompile, METH_NOARGS,
                "Compiles all overloads again, with the globals of now."},
        {"disable_compile", method_disable_compile, METH_VARARGS,
                "disable_compile(val=True): calls with new types raise from now on."},
        {"_overload_list", method_overload_list, METH_NOARGS, NULL},
        {"_cache_in", dispatcher_cache_in, METH_VARARGS,
                "_cache_in(label, folders, note): keeps code on disk from now on."},
        {"_inspect", method_inspect, METH_VARARGS, NULL},
        {"__reduce__", method_reduce, METH_NOARGS, NULL},
        {"__dask_tokenize__", method_dask_token, METH_NOARGS, NULL},
        {NULL, NULL, 0, NULL},
};

static PyObject *get_can_compile(PyObject *object, void *closure)
{
    return PyBool_FromLong(cast(object)->can_compile);
}

PyGetSetDef dispatcher_getset[] = {
        {"_can_compile", get_can_compile, NULL, "whether new types may be compiled for",
                NULL},
        {"signatures", get_signatures, NULL, "the argument types compiled for", NULL},
        {"nopython_signatures", get_nopython_signatures, NULL, "the compiled signatures",
                NULL},
        PY_ANNOTATIONS_ROW,
        {"__code__", get_function_attribute, NULL, NULL, "__code__"},
        {"__defaults__", get_function_attribute, NULL, NULL, "__defaults__"},
        {"__kwdefaults__", get_function_attribute, NULL, NULL, "__kwdefaults__"},
        {"__globals__", get_function_attribute, NULL, NULL, "__globals__"},
        {"__closure__", get_function_attribute, NULL, NULL, "__closure__"},
        {"func_code", get_function_attribute, NULL, NULL, "__code__"},
        {0},
};

// SPDX-License-Identifier: MIT
// How a dispatcher gets new overloads: import of the source, compilation, and the
// fall-back to the interpreter for a plain @jit.
#include "runtime/host/py_dispatcher.h"

#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "compiler/source.h"
#include "runtime/host/fault.h"
#include "runtime/host/py_reflect.h"
#include "runtime/host/py_source.h"

static size_t round_up(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

static struct overload *overload_create(const struct type *const *types, size_t count)
{
    struct overload *overload = memory_zalloc(sizeof *overload);
    overload->params = memory_alloc((count + 1) * sizeof *overload->params);
    overload->offsets = memory_zalloc((count + 1) * sizeof *overload->offsets);
    memcpy(overload->params, types, count * sizeof *types);
    overload->param_count = count;
    for (size_t i = 0; i < count; i++) {
        overload->owns_arguments = overload->owns_arguments || py_owns_memory(types[i]);
        overload->reflects = overload->reflects || py_reflects(types[i]);
    }
    overload->block_bytes = round_up(abi_block_layout(types, count, overload->offsets));
    return overload;
}

void overload_destroy(struct overload *overload)
{
    compiled_destroy(overload->compiled);
    free(overload->params);
    free(overload->offsets);
    free(overload);
}

void dispatcher_forget(struct dispatcher *self)
{
    vec_each (overload, &self->overloads)
        overload_destroy(*overload);
    vec_finish(&self->overloads);
    vec_each (overload, &self->old_overloads)
        overload_destroy(*overload);
    vec_finish(&self->old_overloads);
    vec_each (source, &self->old_sources)
        py_source_destroy(*source);
    vec_finish(&self->old_sources);
    py_source_destroy(self->source);
    self->source = NULL;
    self->last = NULL;
}

// --- what the messages say

static bool check_types(struct dispatcher *self, const struct type *const *types,
        size_t count, PyObject *const *args, struct error *err)
{
    for (size_t i = 0; i < count; i++) {
        if (types[i] != type_pyobject)
            continue;
        struct span place = {0};
        PyObject *code = PyObject_GetAttrString(self->py_func, "__code__");
        if (code) {
            place.file = self->source ? self->source->file : NULL;
            place.line = ((PyCodeObject *)code)->co_firstlineno;
            Py_DECREF(code);
        }
        return error_set(err, ERROR_TYPING, place,
                "non-precise type pyobject\n"
                "During: typing of argument");
    }
    return true;
}

static const char *function_name(struct dispatcher *self)
{
    return self->source ? self->source->qualname : NULL;
}

// The warnings of numba's fall-back to object mode.
static bool warn_object_mode(struct dispatcher *self, const struct error *err)
{
    PyObject *name = PyObject_GetAttrString(self->py_func, "__name__");
    PyCodeObject *code =
            (PyCodeObject *)PyObject_GetAttrString(self->py_func, "__code__");
    const char *text = name ? PyUnicode_AsUTF8(name) : NULL;
    const char *file = code ? PyUnicode_AsUTF8(code->co_filename) : NULL;
    bool done = false;
    if (text && file) {
        struct str first = {0}, second = {0};
        str_printf(&first,
                "\nCompilation is falling back to object mode WITH looplifting enabled "
                "because Function \"%s\" failed type inference due to: %s",
                text, err->message);
        str_printf(&second,
                "Function \"%s\" was compiled in object mode without forceobj=True.",
                text);
        const char *module = "numba.core.object_mode_passes";
        int line = code->co_firstlineno;
        done = py_warn("NumbaWarning", module, file, line, str_text(&first)) &&
               py_warn("NumbaWarning", module, file, line, str_text(&second));
        str_finish(&first);
        str_finish(&second);
    }
    Py_XDECREF(name);
    Py_XDECREF(code);
    return done;
}

// --- compilation

// Imports the function, again if what its names mean has changed since.
static bool import_source(struct dispatcher *self, struct error *err)
{
    py_compile_enter();
    bool is_done = true;
    if (self->is_watching && !dispatcher_is_current(self))
        is_done = dispatcher_refresh(self) || error_from_python(err);
    if (is_done && !self->source) {
        is_done = py_source_import(&self->source, self->py_func, &self->options.source,
                          (PyObject *)self, err) &&
                  (dispatcher_watch(self) || error_from_python(err));
    }
    py_compile_leave();
    return is_done;
}

struct source *py_dispatcher_source(PyObject *object, struct error *err)
{
    if (PyObject_TypeCheck(object, py_runtime()->dispatcher_type)) {
        struct dispatcher *self = (struct dispatcher *)object;
        return import_source(self, err) ? self->source : NULL;
    }
    PyObject *capsule = PyObject_GetAttrString(object, PY_SOURCE_ATTRIBUTE);
    struct source *source =
            capsule ? PyCapsule_GetPointer(capsule, PY_SOURCE_CAPSULE) : NULL;
    Py_XDECREF(capsule);
    if (!source)
        error_from_python(err);
    return source;
}

bool py_is_dispatcher(PyObject *object)
{
    if (PyObject_TypeCheck(object, py_runtime()->dispatcher_type))
        return true;
    return PyObject_HasAttrString((PyObject *)Py_TYPE(object), PY_SOURCE_ATTRIBUTE);
}

// A function that captured values has no life outside of the call that made it.
static bool check_escape(const struct compiled *compiled, struct error *err)
{
    const struct type *type = compiled->function->returns;
    if (type->kind != TYPE_CLOSURE)
        return true;
    const struct source *inner = type->tuple.function;
    struct span place = {inner->file, inner->first_line, 0, inner->first_line, 0};
    return error_set(err, ERROR_TYPING, place,
            "Cannot capture the non-constant value associated with variable '%s' in a "
            "function that will escape.\n\nAn inner function of a compiled function can "
            "be called and passed on in compiled code, but not returned to Python.",
            inner->capture_count ? inner->params[0].name : inner->name);
}

static struct compiled *compile_types(struct dispatcher *self,
        const struct type *const *types, size_t count, const struct type *returns,
        struct error *err)
{
    const struct compile_options options = {
            .kind = COMPILE_FUNCTION,
            .target = TARGET_HOST,
            .opt_level = 3,
            .debug = self->options.source.debug,
            .cache = py_code_cache((PyObject *)self),
    };
    struct compiled *compiled =
            compile(self->source, types, count, returns, &options, err);
    if (compiled && !check_escape(compiled, err)) {
        compiled_destroy(compiled);
        return NULL;
    }
    return compiled;
}

static bool falls_back(const struct dispatcher *self, const struct error *err)
{
    return !self->options.is_nopython &&
           (err->kind == ERROR_TYPING || err->kind == ERROR_UNSUPPORTED ||
                   err->kind == ERROR_LOWERING || err->kind == ERROR_SYSTEM);
}

struct overload *dispatcher_find(
        struct dispatcher *self, const struct type *const *types, size_t count)
{
    vec_each (overload, &self->overloads)
        if ((*overload)->param_count == count &&
                !memcmp((*overload)->params, types, count * sizeof *types))
            return *overload;
    return NULL;
}

static struct overload *add_overload(struct dispatcher *self, struct overload *overload)
{
    vec_push(&self->overloads, overload);
    return overload;
}

static bool makes_generator(const struct type *type)
{
    for (size_t i = 0; type->kind == TYPE_TUPLE && i < type->tuple.len; i++)
        if (makes_generator(type->tuple.items[i]))
            return true;
    return type->kind == TYPE_GENERATOR;
}

static struct overload *new_overload(struct dispatcher *self,
        const struct type *const *types, size_t count, const struct type *returns,
        PyObject *const *args)
{
    py_interrupt_watch();
    fault_watch();
    struct error err = {0};
    struct compiled *compiled = NULL;
    if (import_source(self, &err) && check_types(self, types, count, args, &err))
        compiled = compile_types(self, types, count, returns, &err);
    if (!compiled && falls_back(self, &err)) {
        if (!warn_object_mode(self, &err))
            return NULL;
        struct overload *overload = overload_create(types, count);
        overload->returns = type_pyobject;
        return add_overload(self, overload);
    }
    if (!compiled) {
        PyObject *notes = py_typeof_notes(types, count, args);
        if (notes)
            py_raise_compile(&err, "nopython", function_name(self), notes);
        Py_XDECREF(notes);
        return NULL;
    }
    if (!py_parallel_warn(compiled) ||
            !py_code_cache_note((PyObject *)self, compiled, types, count)) {
        compiled_destroy(compiled);
        return NULL;
    }
    struct overload *overload = overload_create(types, count);
    overload->compiled = compiled;
    overload->entry = compiled->entry;
    overload->takes = compiled->function->params;
    overload->reflects = overload->reflects || py_reflects(compiled->function->returns);
    overload->returns = returns ? returns : compiled->function->returns;
    overload->result_bytes = round_up(abi_size(overload->returns) + 1);
    overload->makes_generator = makes_generator(overload->returns);
    return add_overload(self, overload);
}

struct overload *dispatcher_overload(struct dispatcher *self,
        const struct type *const *types, size_t count, const struct type *returns,
        PyObject *const *args)
{
    if (self->invalid) {
        PyErr_SetObject(PyExc_KeyError, self->invalid);
        return NULL;
    }
    py_compile_enter();
    // another thread may have been faster
    struct overload *overload = dispatcher_find(self, types, count);
    if (!overload)
        overload = new_overload(self, types, count, returns, args);
    if (overload && overload->compiled && !dispatcher_watch(self))
        overload = NULL;
    py_compile_leave();
    return overload;
}

// --- the best of several

// Conversions of a whole call by kind; fewer of the worse kinds is better.
struct rating {
    int unsafe, safe, promote;
};

static bool rate(const struct overload *overload, const struct type *const *types,
        size_t count, struct rating *rating)
{
    *rating = (struct rating){0};
    if (overload->param_count != count || !overload->compiled)
        return false;
    for (size_t i = 0; i < count; i++) {
        switch (type_conversion(types[i], overload->params[i])) {
        case CONVERT_NEVER:
            return false;
        case CONVERT_UNSAFE:
            rating->unsafe++;
            break;
        case CONVERT_SAFE:
            rating->safe++;
            break;
        case CONVERT_PROMOTE:
            rating->promote++;
            break;
        case CONVERT_EXACT:
            break;
        }
    }
    return true;
}

static bool is_better(const struct rating *a, const struct rating *b)
{
    if (a->unsafe != b->unsafe)
        return a->unsafe < b->unsafe;
    if (a->safe != b->safe)
        return a->safe < b->safe;
    return a->promote < b->promote;
}

struct overload *dispatcher_best_overload(
        struct dispatcher *self, const struct type *const *types, size_t count)
{
    struct overload *best = NULL;
    struct rating best_rating, rating;
    vec_each (overload, &self->overloads) {
        if (!rate(*overload, types, count, &rating))
            continue;
        if (!best || is_better(&rating, &best_rating)) {
            best = *overload;
            best_rating = rating;
        }
    }
    return best;
}

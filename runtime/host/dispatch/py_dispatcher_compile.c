// SPDX-License-Identifier: MIT
// How a dispatcher gets new overloads: import of the source, compilation, and the
// fall-back to the interpreter for a plain @jit.
#include "runtime/host/dispatch/py_dispatcher.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "compiler/types/source.h"
#include "runtime/host/values/py_closure.h"
#include "runtime/host/dispatch/py_overload.h"
#include "runtime/host/values/py_reflect.h"
#include "runtime/host/dispatch/py_source.h"
#include "runtime/host/state/py_error.h"

static size_t round_up(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

// Argument block and result lie one after the other, each rounded to 16 bytes: compiled
// code may load them with aligned vector instructions.
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

// Only when no code of it runs and nothing refers to its types' places: at the end of the
// dispatcher, or never (dispatcher_renew moves overloads aside).
void overload_destroy(struct overload *overload)
{
    compiled_destroy(overload->compiled);
    free(overload->params);
    free(overload->offsets);
    free(overload);
}

void dispatcher_forget(struct dispatcher *self)
{
    vec_destroy(&self->overloads, overload_destroy);
    vec_destroy(&self->old_overloads, overload_destroy);
    vec_destroy(&self->old_sources, py_source_destroy);
    py_source_destroy(self->source);
    Py_CLEAR(self->known_defaults);
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
// Under the compile lock: two threads that call a new function at once would import it
// twice, and the second source would replace one that code is being made from.
static bool import_source(struct dispatcher *self, struct error *err)
{
    py_compile_enter();
    bool is_done = true;
    if (self->is_watching && !dispatcher_is_current(self))
        is_done = dispatcher_refresh(self) || error_from_python(err);
    if (is_done && !self->source) {
        is_done = py_source_import(&self->source, self->py_func, &self->options.source,
                          (PyObject *)self, err) &&
                  ((dispatcher_watch(self) && dispatcher_note_defaults(self)) ||
                          error_from_python(err));
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

// The code for a type of functions, whose result is the type's.
static const struct compiled *compiled_for(PyObject *object, const struct type *type)
{
    struct dispatcher *self = (struct dispatcher *)object;
    struct overload *overload = dispatcher_overload(
            self, type->tuple.items, type->tuple.len, type->element, NULL);
    if (overload && overload->compiled && overload->returns == type->element)
        return overload->compiled;
    if (overload)
        PyErr_Format(PyExc_TypeError, "%S returns %s, it is no %s", object,
                overload->returns->name, type->name);
    return NULL;
}

const struct dispatcher_hooks dispatcher_values = {
        .is_one = py_is_dispatcher,
        .source = py_dispatcher_source,
        .compiled = compiled_for,
};

bool py_is_dispatcher(PyObject *object)
{
    if (PyObject_TypeCheck(object, py_runtime()->dispatcher_type))
        return true;
    return py_has_attr((PyObject *)Py_TYPE(object), PY_SOURCE_ATTRIBUTE);
}

// Where the function ends, for what is said about its result.
static struct span place_of(const struct source *source)
{
    return (struct span){source->file, source->first_line, 0, source->first_line, 0};
}

// A list or dict of items of several types, which is a tuple while it is compiled.
static bool is_mixed_display(const struct type *type)
{
    return type->kind == TYPE_TUPLE && type->tuple.names && !type->tuple.class_object &&
           !strncmp(type->name, "Literal", strlen("Literal"));
}

static bool refuse_object(
        struct span place, const char *name, bool is_module, struct error *err)
{
    return error_set(err, ERROR_TYPING, place,
            "Can't return %s object (%s) in nopython mode\n\nReturn a jitted function, "
            "or "
            "the result of a call.",
            is_module ? "module" : "function", name);
}

static const char *word_of(const struct type *item)
{
    return item->kind == TYPE_INT     ? "integers"
           : item->kind == TYPE_FLOAT ? "floats"
           : item == type_string      ? "strings"
                                      : item->name;
}

// What the first item is, and the first that is something else.
static bool refuse_mixed(struct span place, const struct type *type, struct error *err)
{
    assert(type->tuple.len);
    size_t other = 0;
    while (other + 1 < type->tuple.len &&
            type->tuple.items[other] == type->tuple.items[0])
        other++;
    return error_set(err, ERROR_TYPING, place,
            "cannot return a value of type %s\n\nThe items of a list or dict that is "
            "returned "
            "must have one type; a tuple may mix them. Here there are %s and %s.",
            type->name, word_of(type->tuple.items[0]), word_of(type->tuple.items[other]));
}

static bool check_escape(struct span place, const struct type *type, struct error *err);

// Of items that are one of several functions each may be looked at.
static bool check_items(struct span place, const struct type *type, struct error *err)
{
    bool is_choice = type->kind == TYPE_CHOICE;
    return check_escape(place, is_choice ? type->tuple.items[0] : type, err);
}

// Whether Python has something for a result of the type.
// What exists in compiled code alone (a closure over something Python cannot have, an
// iterator) is refused here, after typing, which does not know who the caller is.
static bool check_escape(struct span place, const struct type *type, struct error *err)
{
    for (size_t i = 0; type->kind == TYPE_TUPLE && i < type->tuple.len; i++)
        if (!check_escape(place, type->tuple.items[i], err))
            return false;
    if (type->kind == TYPE_OPTIONAL || type->kind == TYPE_GENERATOR)
        return check_escape(place, type->element, err);
    if (type == type_pyobject)
        return error_set(err, ERROR_TYPING, place,
                "cannot return a value of type %s\n\nIt is an object that compiled code "
                "does not know, an item of a tuple that it names.",
                type->name);
    if (type_is_container(type))
        return check_items(place, type->element, err) &&
               (type->kind != TYPE_DICT || check_items(place, type->cell.value, err));
    if (type->kind == TYPE_CLOSURE && py_closure_reason(type))
        return error_set(err, ERROR_TYPING, place_of(type->tuple.function),
                "Cannot capture the non-constant value associated with variable '%s' in "
                "a function that will escape.\n\nWhat an inner function captured leaves "
                "compiled code with it: numbers, strings, arrays, tuples and containers "
                "can, but not variables under 'nonlocal', nor inner functions that call "
                "each other.",
                py_closure_reason(type));
    if (type->kind == TYPE_FUNCTION || type->kind == TYPE_MODULE)
        return refuse_object(place, type->name, type->kind == TYPE_MODULE, err);
    const struct source *overloaded = type->kind == TYPE_DISPATCHER ? type->source : NULL;
    if (overloaded && overloaded->is_overloaded) {
        char name[128];
        snprintf(name, sizeof name, "Function(<%s %.80s>)",
                overloaded->builtin ? "built-in function" : "function", overloaded->name);
        return refuse_object(place, name, false, err);
    }
    if (is_mixed_display(type))
        return refuse_mixed(place, type, err);
    if (type->kind == TYPE_METHOD || type->kind == TYPE_ITERATOR ||
            type->kind == TYPE_ENUMERATE || type->kind == TYPE_ZIP ||
            type->kind == TYPE_INDICES || type->kind == TYPE_VIEWS ||
            type->kind == TYPE_FLAT || type->kind == TYPE_EXCEPTION)
        return error_set(err, ERROR_TYPING, place,
                "cannot return a value of type %s\n\nPython gets numbers, strings, "
                "arrays, tuples, containers, objects and functions; of an iterator, "
                "return list(...).",
                type->name);
    return true;
}

static struct compiled *compile_types(struct dispatcher *self,
        const struct type *const *types, size_t count, const struct type *returns,
        struct error *err)
{
    const struct compile_options options = {
            .kind = COMPILE_FUNCTION,
            .target = TARGET_HOST,
            .opt_level = self->options.opt_level,
            .debug = self->options.source.debug,
            .has_line_hooks = self->options.source.debug,
            .cache = py_code_cache((PyObject *)self),
    };
    struct compiled *compiled =
            py_compile(self->source, types, count, returns, &options, err);
    struct span place = compiled ? compiled_return_place(compiled) : (struct span){0};
    place = place.line ? place : place_of(self->source);
    if (compiled && !check_escape(place, compiled->function->returns, err)) {
        compiled_destroy(compiled);
        return NULL;
    }
    return compiled;
}

// Errors of the program's own (a wrong value in a decorator, memory) are raised in any
// case: an interpreter would not do better.
static bool falls_back(const struct dispatcher *self, const struct error *err)
{
    return !self->options.is_nopython &&
           (err->kind == ERROR_TYPING || err->kind == ERROR_UNSUPPORTED ||
                   err->kind == ERROR_LOWERING || err->kind == ERROR_INTERNAL ||
                   err->kind == ERROR_SYSTEM);
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

// Numbers that typed dicts keep as narrower ones, as numba warns of them.
// A warning that is an error (warnings.simplefilter) ends the compilation: the caller
// frees what was compiled.
static bool warn_casts(const struct compiled *compiled)
{
    const struct ir_function *function = compiled->function;
    bool is_done = true;
    for (const struct ir_cast_note *note = function->cast_notes; is_done && note;
            note = note->next) {
        struct str text = {0};
        str_printf(&text, "unsafe cast from %s to %s. Precision may be lost.",
                note->from->name, note->to->name);
        is_done = py_warn("NumbaTypeSafetyWarning", "numba.typed.typedobjectutils",
                function->source->file, note->line, str_text(&text));
        str_finish(&text);
    }
    return is_done;
}

static bool warn_slow(const struct compiled *compiled)
{
    const struct ir_function *function = compiled->function;
    bool is_done = true;
    for (const struct ir_slow_note *note = function->slow_notes; is_done && note;
            note = note->next)
        is_done = py_warn("NumbaPerformanceWarning", "numba.core.typing.npydecl",
                function->source->file, note->line, note->text);
    return is_done;
}

// Takes it over. The list only grows until dispatcher_forget.
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
        PyObject *const *args);

static const struct type *literal_of(PyObject *value, const struct type *type)
{
    struct constant constant = {.type = type};
    if (type == type_string)
        constant.string.text = PyUnicode_AsUTF8(value);
    else if (type_is_integer(type))
        constant.integer = PyLong_AsLongLong(value);
    const struct type *literal = PyErr_Occurred() ? NULL : literal_type(&constant);
    py_error_drop();
    return literal ? literal : type;
}

// The overload for the values of those parameters that the code asks for (literally):
// 1 with *out, which is NULL with an exception set; 0: it asks for none that is not
// given.
// `literal_params` is a set of bits, found while the code was typed: that is why this is
// asked before compiling, for functions seen before, and again after it failed.
static int literal_overload(struct dispatcher *self, const struct type *const *types,
        size_t count, const struct type *returns, PyObject *const *args,
        struct overload **out)
{
    const struct source *source = self->source;
    uint64_t wanted =
            source && args ? source->literal_params & ~source->hoped_literals : 0;
    const struct type *literal[64] = {NULL};
    bool has_some = false;
    if (!wanted || count > 64)
        return 0;
    for (size_t i = 0; i < count; i++) {
        const struct type *type =
                types[i]->kind == TYPE_OMITTED ? types[i]->element : types[i];
        literal[i] = wanted >> i & 1 ? literal_of(args[i], type) : types[i];
        has_some = has_some || literal[i] != types[i];
    }
    if (!has_some)
        return 0;
    *out = dispatcher_find(self, literal, count);
    if (!*out)
        *out = new_overload(self, literal, count, returns, args);
    return 1;
}

static struct overload *new_overload(struct dispatcher *self,
        const struct type *const *types, size_t count, const struct type *returns,
        PyObject *const *args)
{
    py_signals_watch();
    struct error err = {0};
    struct compiled *compiled = NULL;
    struct overload *found = NULL;
    if (literal_overload(self, types, count, returns, args, &found))
        return found;
    if (import_source(self, &err) && check_types(self, types, count, args, &err))
        compiled = compile_types(self, types, count, returns, &err);
    if (!compiled && literal_overload(self, types, count, returns, args, &found)) {
        error_clear(&err);
        return found;
    }
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
    if (!py_parallel_warn(compiled) || !warn_casts(compiled) || !warn_slow(compiled) ||
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

// Prints of the new code what numba.config asks for.
static bool show(struct dispatcher *self, const struct overload *overload)
{
    PyObject *function = py_import_attr("numba.core.dumps", "show");
    PyObject *types = py_type_tuple(overload->params, overload->param_count);
    PyObject *done = function && types ? PyObject_CallFunctionObjArgs(
                                                 function, (PyObject *)self, types, NULL)
                                       : NULL;
    Py_XDECREF(types);
    Py_XDECREF(function);
    Py_XDECREF(done);
    return done != NULL;
}

static struct overload *observed_overload(struct dispatcher *self,
        const struct type *const *types, size_t count, const struct type *returns,
        PyObject *const *args)
{
    PyObject *object = (PyObject *)self;
    if (!py_observe_compilation(object, types, count, returns, true))
        return NULL;
    struct overload *overload = new_overload(self, types, count, returns, args);
    bool is_told = py_observe_compilation(object, types, count, returns, false);
    return is_told ? overload : NULL;
}

// The lock is given back before anything is shown: that runs Python, which may call this
// dispatcher on another thread.
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
    bool is_new = !overload;
    if (is_new)
        overload = observed_overload(self, types, count, returns, args);
    if (overload && overload->compiled && !dispatcher_watch(self))
        overload = NULL;
    py_compile_leave();
    if (is_new && overload && overload->compiled && !show(self, overload))
        return NULL;
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
        switch (py_conversion(types[i], overload->params[i])) {
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

// numba's order: the fewest unsafe conversions, then the fewest safe ones, then the
// fewest promotions.
static bool is_better(const struct rating *a, const struct rating *b)
{
    if (a->unsafe != b->unsafe)
        return a->unsafe < b->unsafe;
    if (a->safe != b->safe)
        return a->safe < b->safe;
    return a->promote < b->promote;
}

static void raise_ambiguous(struct dispatcher *self, const struct type *const *types,
        size_t count, const struct rating *best)
{
    PyObject *text = py_ambiguity(self->py_func, types, count);
    struct rating rating;
    vec_each (overload, &self->overloads)
        if (rate(*overload, types, count, &rating) && !is_better(best, &rating))
            py_ambiguity_add(&text, (*overload)->params, count, (*overload)->returns);
    if (text)
        PyErr_SetObject(PyExc_TypeError, text);
    Py_XDECREF(text);
}

struct overload *dispatcher_best_overload(
        struct dispatcher *self, const struct type *const *types, size_t count)
{
    struct overload *best = NULL;
    struct rating best_rating = {0}, rating;
    bool is_ambiguous = false;
    vec_each (overload, &self->overloads) {
        if (!rate(*overload, types, count, &rating))
            continue;
        bool is_first = !best || is_better(&rating, &best_rating);
        is_ambiguous = !is_first && !is_better(&best_rating, &rating) ? true
                       : is_first                                     ? false
                                                                      : is_ambiguous;
        if (is_first) {
            best = *overload;
            best_rating = rating;
        }
    }
    if (is_ambiguous && best_rating.unsafe) { // of safe conversions, the first one serves
        raise_ambiguous(self, types, count, &best_rating);
        return NULL;
    }
    return best;
}

// SPDX-License-Identifier: MIT
// Binding the arguments of a call to the parameters of a jitted function, with numba's
// messages.
#include "runtime/host/dispatch/py_dispatcher.h"

#include "compiler/types/source.h"

// Parameters other than *args.
static Py_ssize_t named_count(const struct dispatcher *self)
{
    return PyTuple_GET_SIZE(self->param_names) - (self->star_index >= 0);
}

static bool bind_star(struct dispatcher *self, PyObject *const *args,
        Py_ssize_t arg_count, PyObject **bound)
{
    Py_ssize_t first = self->positional_count;
    Py_ssize_t extra = arg_count > first ? arg_count - first : 0;
    PyObject *rest = PyTuple_New(extra);
    if (!rest)
        return false;
    for (Py_ssize_t i = 0; i < extra; i++)
        PyTuple_SET_ITEM(rest, i, Py_NewRef(args[first + i]));
    bound[self->star_index] = rest;
    return true;
}

static bool bind_keyword(
        struct dispatcher *self, PyObject *keyword, PyObject *value, PyObject **bound)
{
    Py_ssize_t count = PyTuple_GET_SIZE(self->param_names);
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *name = PyTuple_GET_ITEM(self->param_names, i);
        if (i == self->star_index || PyUnicode_Compare(name, keyword) != 0)
            continue;
        if (i < self->unnamed_count) {
            PyErr_Format(PyExc_TypeError,
                    "got some positional-only arguments passed as keyword arguments: "
                    "'%U'",
                    keyword);
            return false;
        }
        if (bound[i]) {
            PyErr_Format(
                    PyExc_TypeError, "got multiple values for argument '%U'", keyword);
            return false;
        }
        bound[i] = Py_NewRef(value);
        return true;
    }
    PyErr_Format(PyExc_TypeError, "got an unexpected keyword argument '%U'", keyword);
    return false;
}

// The function's defaults, by place or by name; None, or NULL, where it has none.
static PyObject *defaults_of(PyObject *function, bool is_positional)
{
    if (PyFunction_Check(function))
        return Py_XNewRef(is_positional ? PyFunction_GetDefaults(function)
                                        : PyFunction_GetKwDefaults(function));
    return PyObject_GetAttrString(
            function, is_positional ? "__defaults__" : "__kwdefaults__");
}

// The default of parameter `index`, or NULL; an exception only when reading it fails.
// Read from the function at each call, as Python does: a program may assign __defaults__.
static PyObject *default_value(struct dispatcher *self, Py_ssize_t index)
{
    bool is_positional = index < self->positional_count;
    PyObject *defaults = defaults_of(self->py_func, is_positional), *value = NULL;
    if (defaults && is_positional && PyTuple_Check(defaults)) {
        Py_ssize_t from = self->positional_count - PyTuple_GET_SIZE(defaults);
        if (index >= from)
            value = Py_NewRef(PyTuple_GET_ITEM(defaults, index - from));
    } else if (defaults && !is_positional && PyDict_Check(defaults)) {
        py_dict_get(defaults, PyTuple_GET_ITEM(self->param_names, index), &value);
    }
    Py_XDECREF(defaults);
    return value;
}

// How many parameters must be given; `has_defaults`: others need not.
// For a message alone: the way without failure never counts.
static Py_ssize_t required_count(struct dispatcher *self, bool *has_defaults)
{
    Py_ssize_t count = PyTuple_GET_SIZE(self->param_names), required = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *value = default_value(self, i);
        *has_defaults = *has_defaults || value;
        required += !value && i != self->star_index;
        Py_XDECREF(value);
    }
    return required;
}

static bool not_enough(struct dispatcher *self, Py_ssize_t given)
{
    bool has_defaults = false;
    Py_ssize_t required = required_count(self, &has_defaults);
    if (!PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "not enough arguments: expected %s%zd, got %zd",
                has_defaults ? "at least " : "", required, given);
    return false;
}

static bool fill_defaults(struct dispatcher *self, Py_ssize_t given, bool has_keywords,
        PyObject **bound, omitted_set *omitted)
{
    Py_ssize_t count = PyTuple_GET_SIZE(self->param_names);
    for (Py_ssize_t i = 0; i < count; i++) {
        if (bound[i])
            continue;
        if ((bound[i] = default_value(self, i))) {
            *omitted |= i < MAX_OMITTED ? (omitted_set)1 << i : 0;
            continue;
        }
        if (PyErr_Occurred())
            return false;
        if (has_keywords)
            PyErr_Format(PyExc_TypeError, "missing argument '%U'",
                    PyTuple_GET_ITEM(self->param_names, i));
        else
            return not_enough(self, given);
        return false;
    }
    return true;
}

// On failure some of `bound` may be filled in: the caller drops all that are not NULL.
// The order of the checks is the order of numba's messages.
bool dispatcher_bind(struct dispatcher *self, PyObject *const *args, size_t arg_count,
        PyObject *keywords, PyObject **bound, omitted_set *omitted)
{
    Py_ssize_t positional = (Py_ssize_t)arg_count;
    Py_ssize_t keyword_count = keywords ? PyTuple_GET_SIZE(keywords) : 0;
    Py_ssize_t given = positional + keyword_count;
    if (self->star_index < 0 &&
            (given > named_count(self) || positional > self->positional_count)) {
        bool is_named = positional <= self->positional_count;
        PyErr_Format(PyExc_TypeError, "too many arguments: expected %zd, got %zd",
                is_named ? named_count(self) : self->positional_count,
                is_named ? given : positional);
        return false;
    }
    for (Py_ssize_t i = 0; i < positional && i < self->positional_count; i++)
        bound[i] = Py_NewRef(args[i]);
    if (self->star_index >= 0 && !bind_star(self, args, positional, bound))
        return false;
    for (Py_ssize_t i = 0; i < keyword_count; i++)
        if (!bind_keyword(
                    self, PyTuple_GET_ITEM(keywords, i), args[positional + i], bound))
            return false;
    return fill_defaults(self, given, keyword_count > 0, bound, omitted);
}

// --- Defaults that are constants of the code

// As they are when the function is imported. A program may give the function others
// later: who is not this very object is passed as any argument is.
bool dispatcher_note_defaults(struct dispatcher *self)
{
    Py_ssize_t count = PyTuple_GET_SIZE(self->param_names);
    PyObject *known = PyTuple_New(count);
    for (Py_ssize_t i = 0; known && i < count && i < MAX_OMITTED; i++) {
        if (!self->source->params[i].omitted)
            continue;
        PyObject *value = default_value(self, i);
        if (!value && PyErr_Occurred())
            Py_CLEAR(known);
        else
            PyTuple_SET_ITEM(known, i, value);
    }
    Py_XSETREF(self->known_defaults, known);
    return known != NULL;
}

static bool has_version_without(const struct dispatcher *self)
{
    vec_each (overload, &self->overloads)
        for (size_t i = 0; i < (*overload)->param_count; i++)
            if ((*overload)->params[i]->kind == TYPE_OMITTED)
                return true;
    return false;
}

// Where the function may not be compiled anew, it takes defaults as arguments, unless it
// was compiled for calls without them.
omitted_set dispatcher_constants(
        struct dispatcher *self, PyObject *const *args, omitted_set omitted)
{
    struct error err = {0};
    if (!self->can_compile && !has_version_without(self))
        return 0;
    if (!self->known_defaults && !py_dispatcher_source((PyObject *)self, &err)) {
        error_clear(&err); // it will be told when the function is compiled
        return 0;
    }
    for (int i = 0; omitted >> i; i++)
        if (i >= PyTuple_GET_SIZE(self->known_defaults) ||
                args[i] != PyTuple_GET_ITEM(self->known_defaults, i))
            omitted &= ~((omitted_set)1 << i);
    return omitted;
}

// SPDX-License-Identifier: MIT
// The text/plain form of values: containers broken one item per line where they do not
// fit, and the object that `_repr_pretty_(p, cycle)` methods draw on.
#include "kernel/python/state/py_state.h"

#include <limits.h>
#include <string.h>

#include "base/py_compat.h"
#include "kernel/python/display/py_display.h"
#include "kernel/python/display/py_printer.h"
#include "kernel/python/state/py_text.h"

int printer_put_text(struct printer *printer, PyObject *text)
{
    Py_ssize_t len;
    PyObject *holder;
    const char *utf8 = py_utf8(text, &len, &holder);
    if (!utf8)
        return -1;
    layout_text(&printer->layout, utf8, (size_t)len, (int)PyUnicode_GET_LENGTH(text));
    Py_DECREF(holder);
    return 0;
}

void printer_put(struct printer *printer, const char *text)
{
    layout_text(&printer->layout, text, strlen(text), (int)strlen(text));
}

static void put_separator(struct printer *printer)
{
    printer_put(printer, ",");
    layout_breakable(&printer->layout, " ");
}

// A repr may have several lines; each further one is indented as its group is.
static int put_lines(struct printer *printer, PyObject *text)
{
    PyObject *lines = PyUnicode_Splitlines(text, 0);
    if (!lines)
        return -1;
    int status = 0;
    layout_begin(&printer->layout, 0);
    for (Py_ssize_t i = 0; status == 0 && i < PyList_GET_SIZE(lines); i++) {
        if (i > 0)
            layout_break(&printer->layout);
        status = printer_put_text(
                printer, PyList_GET_ITEM(lines, i)); // borrowed: lines is ours
    }
    layout_end(&printer->layout, 0);
    Py_DECREF(lines);
    return status;
}

static int print_repr(struct printer *printer, PyObject *object, bool is_cycle)
{
    PyObject *text = PyObject_Repr(object);
    int status = text ? put_lines(printer, text) : -1;
    Py_XDECREF(text);
    return status;
}

static int print_float(struct printer *printer, PyObject *object, bool is_cycle)
{
    PyObject *format = shell_get()->float_format;
    if (!format)
        return print_repr(printer, object, is_cycle);
    PyObject *text = PyUnicode_Format(format, object);
    int status = text ? printer_put_text(printer, text) : -1;
    Py_XDECREF(text);
    return status;
}

// Items of a container that are shown; the rest is three dots.
static int max_items(const struct printer *printer)
{
    return printer->max_items > 0 ? printer->max_items : INT_MAX;
}

// The items of `sequence` with separators, at most so many of them.
static int print_items(struct printer *printer, PyObject *sequence)
{
    PyObject *iterator = PyObject_GetIter(sequence), *item;
    int status = iterator ? 0 : -1;
    for (int i = 0; status == 0 && (item = PyIter_Next(iterator)); i++) {
        if (i > 0)
            put_separator(printer);
        if (i >= max_items(printer)) {
            printer_put(printer, "...");
            Py_DECREF(item);
            break;
        }
        status = printer_print(printer, item);
        Py_DECREF(item);
    }
    Py_XDECREF(iterator);
    return PyErr_Occurred() ? -1 : status;
}

static int print_between(struct printer *printer, PyObject *content, const char *open,
        const char *close, int (*print)(struct printer *, PyObject *))
{
    int indent = (int)strlen(open);
    layout_begin(&printer->layout, indent);
    printer_put(printer, open);
    int status = print(printer, content);
    layout_end(&printer->layout, indent);
    printer_put(printer, close);
    return status;
}

int printer_put_items(
        struct printer *printer, PyObject *items, const char *open, const char *close)
{
    return print_between(printer, items, open, close, print_items);
}

static int print_list(struct printer *printer, PyObject *object, bool is_cycle)
{
    if (is_cycle)
        return printer_put(printer, "[...]"), 0;
    return printer_put_items(printer, object, "[", "]");
}

static int print_tuple(struct printer *printer, PyObject *object, bool is_cycle)
{
    if (is_cycle)
        return printer_put(printer, "(...)"), 0;
    return printer_put_items(
            printer, object, "(", PyTuple_GET_SIZE(object) == 1 ? ",)" : ")");
}

static int print_set(struct printer *printer, PyObject *object, bool is_cycle)
{
    bool is_frozen = PyFrozenSet_Check(object);
    if (is_cycle || PySet_GET_SIZE(object) == 0)
        return print_repr(printer, object, is_cycle);
    PyObject *items = PySequence_List(object);
    if (items && PyList_GET_SIZE(items) <= max_items(printer) && PyList_Sort(items) < 0)
        py_error_drop(); // mixed types have no order: as they come
    int status = items ? printer_put_items(printer, items,
                                 is_frozen ? "frozenset({" : "{", is_frozen ? "})" : "}")
                       : -1;
    Py_XDECREF(items);
    return status;
}

static int print_pairs(struct printer *printer, PyObject *items)
{
    int status = 0;
    for (Py_ssize_t i = 0; status == 0 && i < PyList_GET_SIZE(items); i++) {
        PyObject *pair = PyList_GET_ITEM(items, i); // borrowed: items is ours
        if (i > 0)
            put_separator(printer);
        if (i >= max_items(printer)) {
            printer_put(printer, "...");
            break;
        }
        status = printer_print(printer, PyTuple_GET_ITEM(pair, 0));
        printer_put(printer, ": ");
        if (status == 0)
            status = printer_print(printer, PyTuple_GET_ITEM(pair, 1));
    }
    return status;
}

int printer_put_pairs(
        struct printer *printer, PyObject *mapping, const char *open, const char *close)
{
    PyObject *items = PyMapping_Items(mapping);
    int status = items ? print_between(printer, items, open, close, print_pairs) : -1;
    Py_XDECREF(items);
    return status;
}

static int print_dict(struct printer *printer, PyObject *object, bool is_cycle)
{
    if (is_cycle)
        return printer_put(printer, "{...}"), 0;
    return printer_put_pairs(printer, object, "{", "}");
}

// `name=` and the value, whose further lines begin under it.
static int print_keyword(struct printer *printer, PyObject *name, PyObject *value)
{
    PyObject *text = PyUnicode_FromFormat("%S=", name);
    int indent = text ? (int)PyUnicode_GET_LENGTH(text) : 0;
    layout_begin(&printer->layout, indent);
    int status = text ? printer_put_text(printer, text) : -1;
    if (status == 0)
        status = printer_print(printer, value);
    layout_end(&printer->layout, indent);
    Py_XDECREF(text);
    return status;
}

// The pair of a tuple of arguments and a dict of keywords, which may be empty.
static int print_arguments(struct printer *printer, PyObject *both)
{
    PyObject *arguments, *keywords, *name, *value;
    if (!PyArg_ParseTuple(
                both, "O!O!", &PyTuple_Type, &arguments, &PyDict_Type, &keywords))
        return -1;
    int status = print_items(printer, arguments);
    PyObject *items = status == 0 ? PyDict_Items(keywords) : NULL;
    for (Py_ssize_t i = 0; items && status == 0 && i < PyList_GET_SIZE(items); i++) {
        if (i > 0 || PyTuple_GET_SIZE(arguments) > 0)
            put_separator(printer);
        PyObject *pair = PyList_GET_ITEM(items, i); // borrowed: items is ours
        status = PyArg_ParseTuple(pair, "OO", &name, &value)
                         ? print_keyword(printer, name, value)
                         : -1;
    }
    Py_XDECREF(items);
    return items ? status : -1;
}

int printer_put_call(struct printer *printer, PyObject *name_stolen,
        PyObject *arguments_stolen, PyObject *keywords)
{
    const char *name =
            name_stolen && arguments_stolen ? PyUnicode_AsUTF8(name_stolen) : NULL;
    PyObject *both = !name      ? NULL
                     : keywords ? PyTuple_Pack(2, arguments_stolen, keywords)
                                : Py_BuildValue("(O{})", arguments_stolen);
    struct str open = {0};
    str_printf(&open, "%s(", name ? name : "");
    int status =
            both ? print_between(printer, both, str_text(&open), ")", print_arguments)
                 : -1;
    str_finish(&open);
    Py_XDECREF(both);
    Py_XDECREF(name_stolen);
    Py_XDECREF(arguments_stolen);
    return status;
}

// module.qualified.name, without the module for builtins. NULL with an exception.
static PyObject *full_name(PyObject *object)
{
    PyObject *module = PyObject_GetAttrString(object, "__module__");
    if (!module)
        py_error_drop();
    PyObject *name = PyObject_GetAttrString(object, "__qualname__");
    if (name && module && PyUnicode_Check(module) &&
            PyUnicode_CompareWithASCIIString(module, "builtins"))
        Py_SETREF(name, PyUnicode_FromFormat("%U.%S", module, name));
    Py_XDECREF(module);
    return name;
}

static int print_type(struct printer *printer, PyObject *object, bool is_cycle)
{
    if (Py_TYPE(object)->tp_repr != PyType_Type.tp_repr)
        return print_repr(printer, object, is_cycle);
    PyObject *name = full_name(object);
    int status = name ? printer_put_text(printer, name) : -1;
    Py_XDECREF(name);
    return status;
}

static int print_function_object(struct printer *printer, PyObject *object, bool is_cycle)
{
    PyObject *name = full_name(object);
    PyObject *signature =
            name ? py_call_module("inspect", "signature", "(O)", object) : NULL;
    if (name && !signature && !PyErr_ExceptionMatches(PyExc_ValueError))
        Py_CLEAR(name);
    else if (!signature)
        py_error_drop();
    PyObject *text = !name ? NULL
                     : signature
                             ? PyUnicode_FromFormat("<function %U%S>", name, signature)
                             : PyUnicode_FromFormat("<function %U>", name);
    int status = text ? printer_put_text(printer, text) : -1;
    Py_XDECREF(text);
    Py_XDECREF(signature);
    Py_XDECREF(name);
    return status;
}

static int print_exception(struct printer *printer, PyObject *object, bool is_cycle)
{
    PyObject *arguments = PyObject_GetAttrString(object, "args");
    PyObject *name = arguments ? full_name((PyObject *)Py_TYPE(object)) : NULL;
    return printer_put_call(printer, name, arguments, NULL);
}

// The attributes that a name without an underscore has, methods left out.
static int print_attributes(struct printer *printer, PyObject *object)
{
    PyObject *names =
            py_call_module("gridcell.ipython.pretty", "public_values", "(O)", object);
    Py_ssize_t count = names ? PyList_GET_SIZE(names) : -1;
    int status = names ? 0 : -1;
    for (Py_ssize_t i = 0; status == 0 && i < count; i++) {
        PyObject *pair = PyList_GET_ITEM(names, i); // borrowed: names is ours
        if (i > 0)
            printer_put(printer, ",");
        layout_breakable(&printer->layout, " ");
        status = print_keyword(
                printer, PyTuple_GET_ITEM(pair, 0), PyTuple_GET_ITEM(pair, 1));
    }
    Py_XDECREF(names);
    return status;
}

// Objects without a __repr__ of their own: <module.Class at 0x7f...>
static int print_plain_object(struct printer *printer, PyObject *object, bool is_cycle)
{
    PyObject *name = full_name((PyObject *)Py_TYPE(object));
    PyObject *text = name ? PyUnicode_FromFormat("<%U at %p", name, object) : NULL;
    layout_begin(&printer->layout, 1);
    int status = text ? printer_put_text(printer, text) : -1;
    if (status == 0 && printer->is_verbose && is_cycle)
        printer_put(printer, " ...");
    else if (status == 0 && printer->is_verbose)
        status = print_attributes(printer, object);
    layout_end(&printer->layout, 1);
    printer_put(printer, ">");
    Py_XDECREF(text);
    Py_XDECREF(name);
    return status;
}

static print_function printer_of_builtin(PyTypeObject *type)
{
    if (type == &PyLong_Type || type == &PyUnicode_Type || type == &PyBytes_Type)
        return print_repr;
    if (type == &PyFloat_Type)
        return print_float;
    if (type == &PyList_Type)
        return print_list;
    if (type == &PyTuple_Type)
        return print_tuple;
    if (type == &PyDict_Type)
        return print_dict;
    if (type == &PySet_Type || type == &PyFrozenSet_Type)
        return print_set;
    if (type == &PyType_Type)
        return print_type;
    if (type == &PyFunction_Type || type == &PyCFunction_Type)
        return print_function_object;
    if (type == (PyTypeObject *)PyExc_BaseException)
        return print_exception;
    return NULL;
}

static bool own_attribute(PyTypeObject *type, const char *name, PyObject **value)
{
    PyObject *dict = py_type_dict(type);
    int found = dict ? py_dict_get_text(dict, name, value) : 0;
    Py_XDECREF(dict);
    if (found < 0)
        py_error_drop();
    return found > 0;
}

// A printer that the user registered for the type with for_type(); new reference or NULL.
static PyObject *registered_printer(PyTypeObject *type)
{
    PyObject *by_type = NULL, *function = NULL;
    if (py_dict_get_text(shell_get()->formatters, "text/plain", &by_type) > 0 &&
            py_dict_get(by_type, (PyObject *)type, &function) < 0)
        py_error_drop();
    Py_XDECREF(by_type);
    return function;
}

static int call_printer(
        struct printer *printer, PyObject *function, PyObject *object, bool is_cycle)
{
    PyObject *result = PyObject_CallFunctionObjArgs(
            function, object, (PyObject *)printer, is_cycle ? Py_True : Py_False, NULL);
    Py_DECREF(function);
    Py_XDECREF(result);
    return result ? 0 : -1;
}

// How `type`, one class of an object's method resolution order, wants to be printed.
// 1: printed, 0: it does not say, -1: an exception.
static int print_as(
        struct printer *printer, PyObject *object, PyTypeObject *type, bool is_cycle)
{
    PyObject *function = registered_printer(type);
    if (function)
        return call_printer(printer, function, object, is_cycle) < 0 ? -1 : 1;
    print_function print = printer_of_builtin(type);
    print = print ? print : printer_of_collection(type);
    if (print)
        return print(printer, object, is_cycle) < 0 ? -1 : 1;
    if (own_attribute(type, "_repr_pretty_", &function)) {
        bool can_call = PyCallable_Check(function);
        if (can_call)
            return call_printer(printer, function, object, is_cycle) < 0 ? -1 : 1;
        Py_DECREF(function);
    }
    if (type != &PyBaseObject_Type && own_attribute(type, "__repr__", &function)) {
        Py_DECREF(function);
        return print_repr(printer, object, is_cycle) < 0 ? -1 : 1;
    }
    return 0;
}

static bool is_active(struct printer *printer, PyObject *object)
{
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(printer->active); i++) {
        if (PyList_GET_ITEM(printer->active, i) == object) // borrowed: compared only
            return true;
    }
    return false;
}

static bool is_container(PyObject *object)
{
    return !PyLong_Check(object) && !PyUnicode_Check(object) && !PyFloat_Check(object);
}

static int print_by_mro(struct printer *printer, PyObject *object, bool is_cycle)
{
    PyObject *mro = Py_XNewRef(Py_TYPE(object)->tp_mro);
    int status = 0;
    for (Py_ssize_t i = 0; mro && status == 0 && i < PyTuple_GET_SIZE(mro); i++) {
        PyTypeObject *type =
                (PyTypeObject *)PyTuple_GET_ITEM(mro, i); // borrowed: mro is ours
        status = print_as(printer, object, type, is_cycle);
    }
    Py_XDECREF(mro);
    if (status == 0)
        return print_plain_object(printer, object, is_cycle);
    return status < 0 ? -1 : 0;
}

int printer_print(struct printer *printer, PyObject *object)
{
    if (!is_container(object))
        return print_by_mro(printer, object, false);
    bool is_cycle = is_active(printer, object);
    Py_ssize_t depth = PyList_GET_SIZE(printer->active);
    if (Py_EnterRecursiveCall(" while printing a value"))
        return -1;
    int status = PyList_Append(printer->active, object);
    layout_begin(&printer->layout, 0);
    if (status == 0)
        status = print_by_mro(printer, object, is_cycle);
    layout_end(&printer->layout, 0);
    Py_LeaveRecursiveCall();
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyList_SetSlice(printer->active, depth, PyList_GET_SIZE(printer->active), NULL);
    PyErr_Restore(type, value, traceback);
    return status;
}

// The text of the object, and the end of the printer.
static PyObject *printer_text_of(struct printer *printer_stolen, PyObject *object)
{
    PyObject *text = NULL;
    struct layout *layout = &printer_stolen->layout;
    if (printer_print(printer_stolen, object) == 0) {
        layout_flush(layout);
        text = py_text(str_text(&layout->out), layout->out.len);
    }
    Py_DECREF((PyObject *)printer_stolen);
    return text;
}

PyObject *pretty_text(PyObject *object)
{
    if (!shell_get()->switches[SWITCH_PPRINT])
        return PyObject_Repr(object);
    bool is_scalar = PyLong_CheckExact(object) || PyUnicode_CheckExact(object) ||
                     PyBool_Check(object) || object == Py_None;
    if (is_scalar && PyDict_GET_SIZE(shell_get()->formatters) == 0)
        return PyObject_Repr(object);
    struct printer *printer = printer_create(shell_get()->switches[SWITCH_MAX_WIDTH]);
    return printer ? printer_text_of(printer, object) : NULL;
}

PyObject *pretty_text_with(PyObject *object, const struct pretty_options *options)
{
    struct printer *printer = printer_create(options->max_width);
    if (!printer)
        return NULL;
    printer->layout.newline = options->newline;
    printer->max_items = options->max_items;
    printer->is_verbose = options->is_verbose;
    return printer_text_of(printer, object);
}

// SPDX-License-Identifier: MIT
// The text/plain form of what the standard library offers beyond the built-in containers:
// collections, namespaces, views of dicts, compiled patterns. Subclasses keep their name.
#include "kernel/python/state/py_state.h"

#include <string.h>

#include "kernel/python/display/py_printer.h"

static PyObject *class_name(PyObject *object)
{
    return PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__name__");
}

// `Class(first, second, name=value, ...)` with each argument printed; takes the reference
// to the tuple. The keywords may be NULL.
static int print_construction(struct printer *printer, PyObject *object,
        PyObject *arguments_stolen, PyObject *keywords)
{
    PyObject *name = arguments_stolen ? class_name(object) : NULL;
    return printer_put_call(printer, name, arguments_stolen, keywords);
}

static int print_dots(struct printer *printer, PyObject *object)
{
    PyObject *name = class_name(object);
    int status = name ? printer_put_text(printer, name) : -1;
    Py_XDECREF(name);
    printer_put(printer, "(...)");
    return status;
}

static int print_default_dict(struct printer *printer, PyObject *object, bool is_cycle)
{
    if (is_cycle)
        return print_dots(printer, object);
    PyObject *factory = PyObject_GetAttrString(object, "default_factory");
    PyObject *dict =
            factory ? PyObject_CallOneArg((PyObject *)&PyDict_Type, object) : NULL;
    PyObject *arguments = dict ? PyTuple_Pack(2, factory, dict) : NULL;
    Py_XDECREF(factory);
    Py_XDECREF(dict);
    return print_construction(printer, object, arguments, NULL);
}

// One argument, or none where it is empty; takes the reference to it.
static int print_filled(struct printer *printer, PyObject *object, PyObject *items_stolen)
{
    Py_ssize_t count = items_stolen ? PyObject_Size(items_stolen) : -1;
    PyObject *arguments = count < 0   ? NULL
                          : count > 0 ? PyTuple_Pack(1, items_stolen)
                                      : PyTuple_New(0);
    Py_XDECREF(items_stolen);
    return print_construction(printer, object, arguments, NULL);
}

static int print_ordered_dict(struct printer *printer, PyObject *object, bool is_cycle)
{
    return is_cycle ? print_dots(printer, object)
                    : print_filled(printer, object, PyMapping_Items(object));
}

// The most common come first.
static int print_counter(struct printer *printer, PyObject *object, bool is_cycle)
{
    if (is_cycle)
        return print_dots(printer, object);
    PyObject *pairs = PyObject_CallMethod(object, "most_common", NULL);
    if (!pairs && PyErr_ExceptionMatches(PyExc_TypeError)) {
        py_error_drop(); // counts without an order: as they come
        pairs = PyMapping_Items(object);
    }
    PyObject *dict = pairs ? PyObject_CallOneArg((PyObject *)&PyDict_Type, pairs) : NULL;
    Py_XDECREF(pairs);
    return print_filled(printer, object, dict);
}

static int print_deque(struct printer *printer, PyObject *object, bool is_cycle)
{
    if (is_cycle)
        return print_dots(printer, object);
    PyObject *limit = PyObject_GetAttrString(object, "maxlen");
    PyObject *keywords = !limit             ? NULL
                         : limit == Py_None ? PyDict_New()
                                            : Py_BuildValue("{sO}", "maxlen", limit);
    PyObject *list = keywords ? PySequence_List(object) : NULL;
    PyObject *arguments = list ? PyTuple_Pack(1, list) : NULL;
    int status = print_construction(printer, object, arguments, keywords);
    py_drop(list, keywords, limit);
    return status;
}

static int print_user_list(struct printer *printer, PyObject *object, bool is_cycle)
{
    if (is_cycle)
        return print_dots(printer, object);
    PyObject *data = PyObject_GetAttrString(object, "data");
    PyObject *arguments = data ? PyTuple_Pack(1, data) : NULL;
    Py_XDECREF(data);
    return print_construction(printer, object, arguments, NULL);
}

static int print_mapping_proxy(struct printer *printer, PyObject *object, bool is_cycle)
{
    return is_cycle ? (printer_put(printer, "{...}"), 0)
                    : printer_put_pairs(printer, object, "mappingproxy({", "})");
}

static int print_environ(struct printer *printer, PyObject *object, bool is_cycle)
{
    return printer_put_pairs(printer, object, "environ{", "}");
}

static int print_namespace(struct printer *printer, PyObject *object, bool is_cycle)
{
    bool is_plain = !strcmp(Py_TYPE(object)->tp_name, "types.SimpleNamespace");
    if (is_cycle)
        return is_plain ? (printer_put(printer, "namespace(...)"), 0)
                        : print_dots(printer, object);
    PyObject *names = PyObject_GetAttrString(object, "__dict__");
    PyObject *none = names ? PyTuple_New(0) : NULL;
    int status = none && is_plain
                         ? printer_put_call(printer, PyUnicode_FromString("namespace"),
                                   Py_XNewRef(none), names)
                         : print_construction(printer, object, Py_XNewRef(none), names);
    py_drop(none, names);
    return status;
}

// <super: module.Class, <module.Derived at 0x7f...>>
static int print_super(struct printer *printer, PyObject *object, bool is_cycle)
{
    PyObject *class = PyObject_GetAttrString(object, "__thisclass__");
    PyObject *self = class ? PyObject_GetAttrString(object, "__self__") : NULL;
    PyObject *both = self ? PyTuple_Pack(2, class, self) : NULL;
    int status = both ? printer_put_items(printer, both, "<super: ", ">") : -1;
    Py_XDECREF(both);
    Py_XDECREF(self);
    Py_XDECREF(class);
    return status;
}

// re.compile(r'...', re.UNICODE|re.IGNORECASE)
static int print_pattern(struct printer *printer, PyObject *object, bool is_cycle)
{
    static const struct {
        const char *name;
        long bit;
    } flags[] = {{"TEMPLATE", 1}, {"IGNORECASE", 2}, {"LOCALE", 4}, {"MULTILINE", 8},
            {"DOTALL", 16}, {"UNICODE", 32}, {"VERBOSE", 64}, {"DEBUG", 128}};
    PyObject *pattern = PyObject_GetAttrString(object, "pattern");
    PyObject *bits = PyObject_GetAttrString(object, "flags");
    PyObject *text = pattern ? PyObject_Repr(pattern) : NULL;
    const char *utf8 = text ? PyUnicode_AsUTF8(text) : NULL;
    long set = bits ? PyLong_AsLong(bits) : 0;
    int status = utf8 && !PyErr_Occurred() ? 0 : -1;
    struct str out = {0};
    // a pattern with doubled backslashes reads better raw
    str_append(&out, "re.compile(");
    bool is_raw = utf8 && (utf8[0] == '\'' || utf8[0] == '"');
    str_append(&out, is_raw ? "r" : "");
    for (const char *c = utf8 ? utf8 : ""; *c; c++) {
        str_append_char(&out, *c);
        c += c[0] == '\\' && c[1] == '\\';
    }
    const char *separator = ", re.";
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (set & flags[i].bit) {
            str_printf(&out, "%s%s", separator, flags[i].name);
            separator = "|re.";
        }
    }
    str_append_char(&out, ')');
    if (status == 0)
        printer_put(printer, str_text(&out));
    str_finish(&out);
    Py_XDECREF(text);
    Py_XDECREF(bits);
    Py_XDECREF(pattern);
    return status;
}

print_function printer_of_collection(PyTypeObject *type)
{
    static const struct {
        const char *name;   // of types in C with their module
        const char *module; // of classes in Python
        print_function print;
    } known[] = {{"re.Pattern", NULL, print_pattern},
            {"collections.defaultdict", NULL, print_default_dict},
            {"collections.deque", NULL, print_deque},
            {"collections.OrderedDict", NULL, print_ordered_dict},
            {"mappingproxy", NULL, print_mapping_proxy},
            {"types.SimpleNamespace", NULL, print_namespace},
            {"super", NULL, print_super}, {"Counter", "collections", print_counter},
            {"UserList", "collections", print_user_list},
            {"_Environ", "os", print_environ}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (strcmp(type->tp_name, known[i].name))
            continue;
        if (!known[i].module)
            return known[i].print;
        PyObject *module = PyObject_GetAttrString((PyObject *)type, "__module__");
        bool is_it = module && PyUnicode_Check(module) &&
                     !PyUnicode_CompareWithASCIIString(module, known[i].module);
        Py_XDECREF(module);
        py_error_drop();
        if (is_it)
            return known[i].print;
    }
    return NULL;
}

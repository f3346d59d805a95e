// SPDX-License-Identifier: MIT
// Names, attributes, subscripts and literals have a value; calls and operators do not.
#include "kernel/python/questions/py_evaluate.h"

#include <stdlib.h>
#include <string.h>

#include "base/py_compat.h"
#include "kernel/cells/context.h"
#include "kernel/python/state/py_text.h"

// ---- attributes

bool evaluate_trusts(PyTypeObject *type)
{
    static const char *const libraries[] = {"numpy", "pandas", "matplotlib", "scipy",
            "polars", "xarray", "sympy", "sklearn", "seaborn", "torch", "PIL",
            "networkx"};
    PyObject *module = PyObject_GetAttrString((PyObject *)type, "__module__");
    const char *name =
            module && PyUnicode_Check(module) ? PyUnicode_AsUTF8(module) : NULL;
    bool trusts = false;
    for (size_t i = 0; name && i < sizeof libraries / sizeof *libraries; i++) {
        size_t len = strlen(libraries[i]);
        trusts |= !strncmp(name, libraries[i], len) &&
                  (name[len] == '.' || name[len] == '\0');
    }
    py_error_drop();
    Py_XDECREF(module);
    return trusts;
}

// The entry of a class or one of its bases; NULL without an exception.
static PyObject *find_in_class(PyTypeObject *type, PyObject *name)
{
    PyObject *mro = Py_XNewRef(type->tp_mro), *value = NULL;
    for (Py_ssize_t i = 0; mro && !value && i < PyTuple_GET_SIZE(mro); i++) {
        PyObject *base = PyTuple_GET_ITEM(mro, i); // borrowed: mro is ours
        PyObject *dict = py_type_dict((PyTypeObject *)base);
        if (dict)
            py_dict_get(dict, name, &value);
        Py_XDECREF(dict);
    }
    py_error_drop();
    Py_XDECREF(mro);
    return value;
}

static PyObject *find_in_instance(PyObject *object, PyObject *name)
{
    PyObject *dict = NULL, *key = PyUnicode_FromString("__dict__"), *value = NULL;
    if (PyModule_Check(object))
        dict = Py_XNewRef(PyModule_GetDict(object));
    else if (key)
        dict = PyObject_GenericGetAttr(object, key);
    if (dict && PyDict_Check(dict))
        py_dict_get(dict, name, &value);
    py_error_drop();
    Py_XDECREF(key);
    Py_XDECREF(dict);
    return value;
}

// Functions, methods and fields of C: taking them runs no Python code.
static bool is_harmless(PyObject *entry)
{
    PyTypeObject *type = Py_TYPE(entry);
    return PyFunction_Check(entry) || PyCFunction_Check(entry) ||
           type == &PyMethodDescr_Type || type == &PyWrapperDescr_Type ||
           type == &PyGetSetDescr_Type || type == &PyMemberDescr_Type ||
           type == &PyClassMethodDescr_Type || type == &PyClassMethod_Type ||
           type == &PyStaticMethod_Type || !type->tp_descr_get;
}

// As evaluate_static(); `is_own`: it is in the object's own dict, where nothing is bound.
static PyObject *find_static(PyObject *object, PyObject *name, bool *is_own)
{
    PyObject *entry = NULL;
    *is_own = false;
    if (PyType_Check(object))
        entry = find_in_class((PyTypeObject *)object, name);
    if (!entry)
        entry = find_in_class(Py_TYPE(object), name);
    if (entry && Py_TYPE(entry)->tp_descr_set)
        return entry;
    PyObject *own = PyType_Check(object) ? NULL : find_in_instance(object, name);
    *is_own = own;
    if (own)
        Py_XSETREF(entry, own);
    return entry;
}

PyObject *evaluate_static(PyObject *object, PyObject *name)
{
    bool is_own;
    return find_static(object, name, &is_own);
}

PyObject *evaluate_attribute(PyObject *object, PyObject *name)
{
    bool is_own;
    PyObject *entry = find_static(object, name, &is_own), *value = NULL;
    is_own = is_own || (entry && !Py_TYPE(entry)->tp_descr_get);
    // a class answers with the property itself
    bool is_of_class = entry && PyType_Check(object) && Py_TYPE(object) == &PyType_Type &&
                       Py_TYPE(entry) == &PyProperty_Type;
    if (is_own || is_of_class)
        return entry;
    PyTypeObject *type = PyType_Check(object) ? (PyTypeObject *)object : Py_TYPE(object);
    if (entry ? is_harmless(entry) || evaluate_trusts(type) : evaluate_trusts(type))
        value = PyObject_GetAttr(object, name);
    py_error_drop();
    Py_XDECREF(entry);
    return value;
}

// ---- names

// The module that an `import` in the code itself binds to `name`, when it is loaded
// already.
static PyObject *module_imported_as(const char *code, const char *name)
{
    size_t len = strlen(name);
    for (const char *p = code; (p = strstr(p, "import ")); p += 7) {
        const char *word = p + 7 + strspn(p + 7, " ");
        size_t module_len = strcspn(word, " ,;\n");
        const char *rest = word + module_len + strspn(word + module_len, " ");
        const char *as =
                str_starts_with(rest, "as ") ? rest + 3 + strspn(rest + 3, " ") : word;
        bool is_it = !strncmp(as, name, len) && !context_is_name_char(as[len]);
        char *module = is_it ? strndup(word, module_len) : NULL;
        PyObject *found = module ? py_loaded_module(module) : NULL;
        free(module);
        if (found)
            return found;
    }
    return NULL;
}

static PyObject *value_of_name(const char *code, PyObject *name)
{
    PyObject *value = NULL, *builtins = NULL;
    const char *text = PyUnicode_AsUTF8(name);
    if (text && py_dict_get(shell_get()->user_ns, name, &value) == 0 &&
            (builtins = PyImport_ImportModule("builtins")))
        py_dict_get(PyModule_GetDict(builtins), name, &value);
    if (text && !value)
        value = module_imported_as(code, text);
    py_error_drop();
    Py_XDECREF(builtins);
    return value;
}

// ---- nodes

static PyObject *value_of_node(PyObject *node, const char *code, int depth);

static bool is_node(PyObject *node, const char *name)
{
    const char *type = Py_TYPE(node)->tp_name, *dot = strrchr(type, '.');
    return !strcmp(dot ? dot + 1 : type, name);
}

static PyObject *value_of_field(
        PyObject *node, const char *field, const char *code, int depth)
{
    PyObject *child = PyObject_GetAttrString(node, field);
    PyObject *value = child ? value_of_node(child, code, depth) : NULL;
    Py_XDECREF(child);
    return value;
}

static bool has_plain_items(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    return type == &PyList_Type || type == &PyTuple_Type || type == &PyDict_Type ||
           type == &PyUnicode_Type || type == &PyBytes_Type || evaluate_trusts(type);
}

static PyObject *value_of_subscript(PyObject *node, const char *code, int depth)
{
    PyObject *owner = value_of_field(node, "value", code, depth), *value = NULL;
    PyObject *key = owner && has_plain_items(owner)
                            ? value_of_field(node, "slice", code, depth)
                            : NULL;
    if (key)
        value = PyObject_GetItem(owner, key);
    Py_XDECREF(key);
    Py_XDECREF(owner);
    return value;
}

static PyObject *value_of_attribute(PyObject *node, const char *code, int depth)
{
    PyObject *owner = value_of_field(node, "value", code, depth);
    PyObject *name = owner ? PyObject_GetAttrString(node, "attr") : NULL;
    PyObject *value = name ? evaluate_attribute(owner, name) : NULL;
    Py_XDECREF(name);
    Py_XDECREF(owner);
    return value;
}

static PyObject *value_of_tuple(PyObject *node, const char *code, int depth)
{
    PyObject *items = PyObject_GetAttrString(node, "elts");
    Py_ssize_t count = items && PyList_Check(items) ? PyList_GET_SIZE(items) : 0;
    PyObject *tuple = items ? PyTuple_New(count) : NULL;
    for (Py_ssize_t i = 0; tuple && i < count; i++) {
        PyObject *item =
                value_of_node(PyList_GET_ITEM(items, i), code, depth); // borrowed: items
        py_tuple_put(&tuple, i, item);
    }
    Py_XDECREF(items);
    return tuple;
}

// Of a display, the kind is known without its items.
static PyObject *value_of_display(PyObject *node)
{
    if (is_node(node, "List") || is_node(node, "ListComp"))
        return PyList_New(0);
    if (is_node(node, "Dict") || is_node(node, "DictComp"))
        return PyDict_New();
    if (is_node(node, "Set") || is_node(node, "SetComp"))
        return PySet_New(NULL);
    return is_node(node, "JoinedStr") ? PyUnicode_FromString("") : NULL;
}

static PyObject *value_of_negative(PyObject *node, const char *code, int depth)
{
    PyObject *operand = value_of_field(node, "operand", code, depth);
    bool is_number =
            operand && (PyLong_CheckExact(operand) || PyFloat_CheckExact(operand));
    PyObject *operation = PyObject_GetAttrString(node, "op");
    bool is_minus = operation && is_node(operation, "USub");
    PyObject *value = is_number && is_minus ? PyNumber_Negative(operand) : NULL;
    Py_XDECREF(operation);
    Py_XDECREF(operand);
    return value;
}

static PyObject *value_of_node(PyObject *node, const char *code, int depth)
{
    enum { MAX_NESTING = 60 };
    if (depth > MAX_NESTING)
        return NULL;
    if (is_node(node, "Name")) {
        PyObject *name = PyObject_GetAttrString(node, "id");
        PyObject *value = name ? value_of_name(code, name) : NULL;
        Py_XDECREF(name);
        return value;
    }
    if (is_node(node, "Constant"))
        return PyObject_GetAttrString(node, "value");
    if (is_node(node, "Attribute"))
        return value_of_attribute(node, code, depth + 1);
    if (is_node(node, "Subscript"))
        return value_of_subscript(node, code, depth + 1);
    if (is_node(node, "Tuple"))
        return value_of_tuple(node, code, depth + 1);
    if (is_node(node, "UnaryOp"))
        return value_of_negative(node, code, depth + 1);
    return value_of_display(node);
}

// Again where CPython 3.11 takes another thread's tree for a fault of this one, which is
// a SystemError.
static PyObject *parse(const char *expression)
{
    enum { MOST_TRIES = 4 };
    PyCompilerFlags flags = {
            .cf_flags = PyCF_ONLY_AST, .cf_feature_version = PY_MINOR_VERSION};
    for (int tries = 0; tries < MOST_TRIES; tries++) {
        PyObject *tree =
                Py_CompileStringFlags(expression, "<input>", Py_eval_input, &flags);
        if (tree || !PyErr_ExceptionMatches(PyExc_SystemError))
            return tree;
        py_error_drop();
    }
    return NULL;
}

PyObject *evaluate_safely(const char *expression, const char *code)
{
    PyObject *tree = parse(expression);
    PyObject *value = tree ? value_of_field(tree, "body", code, 0) : NULL;
    py_error_drop();
    Py_XDECREF(tree);
    return value;
}

// The owner and the name of a last `.name`; false when the expression has none.
static bool split_attribute(const char *expression, PyObject **owner, PyObject **name)
{
    const char *dot = strrchr(expression, '.');
    const char *last = dot ? dot + 1 : "";
    bool is_name = *last && *(last + strspn(last, " ")) != '\0';
    for (const char *c = last; *c; c++)
        is_name &= context_is_name_char(*c);
    char *before = is_name ? strndup(expression, (size_t)(dot - expression)) : NULL;
    *owner = before ? evaluate_safely(before, "") : NULL;
    *name = *owner ? PyUnicode_FromString(last) : NULL;
    free(before);
    return *name != NULL;
}

PyObject *evaluate_for_inspection(PyObject *self, PyObject *expression)
{
    const char *text = PyUnicode_Check(expression) ? PyUnicode_AsUTF8(expression) : NULL;
    PyObject *owner = NULL, *name = NULL, *value = NULL;
    if (text && split_attribute(text, &owner, &name)) {
        value = evaluate_static(owner, name);
        if (!value || Py_TYPE(value) != &PyProperty_Type)
            Py_XSETREF(value, evaluate_attribute(owner, name));
    } else if (text) {
        value = evaluate_safely(text, "");
    }
    Py_XDECREF(name);
    Py_XDECREF(owner);
    if (!value && !PyErr_Occurred())
        PyErr_SetObject(PyExc_LookupError, expression);
    return value;
}

// SPDX-License-Identifier: MIT
// Completions that Python objects give: names, attributes, modules, keys, parameters.
#include "kernel/python/questions/py_complete.h"

#include <stdlib.h>
#include <string.h>

#include "base/py_compat.h"
#include "kernel/python/questions/py_evaluate.h"
#include "kernel/python/state/py_text.h"

static const char *const keywords[] = {"False", "None", "True", "and", "as", "assert",
        "async", "await", "break", "class", "continue", "def", "del", "elif", "else",
        "except", "finally", "for", "from", "global", "if", "import", "in", "is",
        "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
        "with", "yield"};

// ---- types and signatures

static const char *type_of(PyObject *object)
{
    if (PyModule_Check(object))
        return "module";
    if (PyType_Check(object))
        return "class";
    if (Py_TYPE(object) == &PyProperty_Type)
        return "property";
    bool is_wrapper = Py_TYPE(object) == &PyClassMethod_Type ||
                      Py_TYPE(object) == &PyStaticMethod_Type;
    return is_wrapper || PyCallable_Check(object) ? "function" : "instance";
}

// The repr of a default value, if no method of the user's has to run for it.
static void append_default(struct str *out, PyObject *value)
{
    PyTypeObject *type = Py_TYPE(value);
    bool is_plain = type == &PyLong_Type || type == &PyFloat_Type ||
                    type == &PyBool_Type || type == &PyUnicode_Type || value == Py_None;
    str_append_char(out, '=');
    if (!is_plain || !py_append_stolen(out, PyObject_Repr(value)))
        str_append(out, "...");
}

static PyObject *default_of(
        PyFunctionObject *function, int index, PyCodeObject *code, PyObject *name)
{
    PyObject *value = NULL;
    Py_ssize_t count =
            function->func_defaults ? PyTuple_GET_SIZE(function->func_defaults) : 0;
    Py_ssize_t first = code->co_argcount - count;
    if (index < code->co_argcount && index >= first)
        value = Py_NewRef(PyTuple_GET_ITEM(function->func_defaults, index - first));
    else if (index >= code->co_argcount && function->func_kwdefaults)
        py_dict_get(function->func_kwdefaults, name, &value);
    py_error_drop();
    return value;
}

// (a, b=2, *args, c, **kwargs) of a function written in Python.
static PyObject *signature_of_function(PyFunctionObject *function, bool drops_first)
{
    PyCodeObject *code = (PyCodeObject *)function->func_code;
    PyObject *names = PyCode_GetVarnames(code);
    int plain = code->co_argcount + code->co_kwonlyargcount, at = 0;
    bool has_rest = code->co_flags & CO_VARARGS;
    struct str out = {0};
    str_append_char(&out, '(');
    for (int i = drops_first && code->co_argcount > 0; names && i < plain; i++) {
        PyObject *name = PyTuple_GET_ITEM(names, i); // borrowed: names is ours
        bool is_keyword = i == code->co_argcount;
        str_append(&out, at++ ? ", " : "");
        str_append(&out, is_keyword ? "*" : "");
        if (is_keyword && has_rest)
            py_append_stolen(&out, Py_NewRef(PyTuple_GET_ITEM(names, plain)));
        str_append(&out, is_keyword ? ", " : "");
        py_append_stolen(&out, Py_NewRef(name));
        PyObject *value = default_of(function, i, code, name);
        if (value)
            append_default(&out, value);
        Py_XDECREF(value);
    }
    if (names && has_rest && code->co_kwonlyargcount == 0) {
        str_append(&out, at++ ? ", *" : "*");
        py_append_stolen(&out, Py_NewRef(PyTuple_GET_ITEM(names, plain)));
    }
    if (names && code->co_flags & CO_VARKEYWORDS) {
        str_append(&out, at++ ? ", **" : "**");
        py_append_stolen(&out, Py_NewRef(PyTuple_GET_ITEM(names, plain + has_rest)));
    }
    str_append_char(&out, ')');
    PyObject *text = py_text(str_text(&out), out.len);
    str_finish(&out);
    Py_XDECREF(names);
    return text;
}

// The signature that C code documents itself with, without the object it is bound to.
static PyObject *signature_of_builtin(PyObject *function)
{
    int failed;
    PyObject *text = py_attr_or_null(function, "__text_signature__", &failed);
    const char *utf8 = text && PyUnicode_Check(text) ? PyUnicode_AsUTF8(text) : NULL;
    struct str out = {0};
    if (utf8 && str_starts_with(utf8, "($")) {
        const char *rest = utf8 + strcspn(utf8, ",)");
        rest += strspn(rest, ", ");
        rest += str_starts_with(rest, "/, ") ? 3 : str_starts_with(rest, "/)") ? 1 : 0;
        str_printf(&out, "(%s", rest);
    } else {
        str_append(&out, utf8 ? utf8 : "");
    }
    py_error_drop();
    PyObject *result = py_text(str_text(&out), out.len);
    str_finish(&out);
    Py_XDECREF(text);
    return result;
}

// That of the function in Python that a decorator's object stands for.
static PyObject *signature_of_wrapper(PyObject *object)
{
    PyObject *name = PyUnicode_FromString("__wrapped__");
    PyObject *inner = name ? evaluate_attribute(object, name) : NULL, *signature = NULL;
    if (inner && PyFunction_Check(inner))
        signature = signature_of_function((PyFunctionObject *)inner, false);
    py_error_drop();
    Py_XDECREF(inner);
    Py_XDECREF(name);
    return signature;
}

// New reference; NULL, without an exception, when it is not known at once.
static PyObject *signature_of(PyObject *object, bool is_bound)
{
    PyObject *signature = NULL;
    if (PyFunction_Check(object))
        signature = signature_of_function((PyFunctionObject *)object, is_bound);
    else if (PyMethod_Check(object))
        signature = signature_of(PyMethod_GET_FUNCTION(object), true);
    else if (PyCFunction_Check(object) || Py_TYPE(object) == &PyMethodDescr_Type)
        signature = signature_of_builtin(object);
    else if (PyCallable_Check(object) && !PyType_Check(object))
        signature = signature_of_wrapper(object);
    py_error_drop();
    return signature;
}

// ---- names

static void add_value(
        struct completion *completion, PyObject *name, PyObject *value, bool is_bound)
{
    PyObject *signature = value ? signature_of(value, is_bound) : NULL;
    match_add(completion, name, value ? type_of(value) : "instance", signature);
    Py_XDECREF(signature);
}

// Whether each part of `shortened`, between underscores, begins the same part of `name`.
static bool is_shortened(const char *shortened, const char *name)
{
    const char *underscore = strchr(shortened, '_');
    if (!underscore || underscore == shortened || !underscore[1])
        return false;
    while (*shortened && *name) {
        size_t typed = strcspn(shortened, "_"), whole = strcspn(name, "_");
        if (typed == 0 || typed > whole || strncmp(shortened, name, typed))
            return false;
        shortened += typed;
        name += whole;
        if (*shortened != *name) // the one ends, and the other goes on
            return false;
        shortened += *shortened == '_';
        name += *name == '_';
    }
    return *shortened == *name;
}

// Whether a name begins as the prefix does, or is what s_n is short for: some_name.
static bool fits_name(
        const struct completion *completion, PyObject *name, const char *prefix)
{
    const char *text = PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : NULL;
    py_error_drop();
    return text && (match_fits(completion, name, prefix) || is_shortened(prefix, text));
}

static void add_dict_names(
        struct completion *completion, PyObject *dict, const char *prefix)
{
    PyObject *keys = PyDict_Keys(dict);
    for (Py_ssize_t i = 0; keys && i < PyList_GET_SIZE(keys); i++) {
        PyObject *key = PyList_GET_ITEM(keys, i), *value = NULL; // borrowed: keys is ours
        if (fits_name(completion, key, prefix) && py_dict_get(dict, key, &value) > 0)
            add_value(completion, key, value, false);
        Py_XDECREF(value);
    }
    py_error_drop();
    Py_XDECREF(keys);
}

struct binding_search {
    struct completion *completion;
    const char *prefix;
};

static void add_binding(const char *name, size_t len, enum binding kind, void *data)
{
    static const char *const types[] = {"statement", "function", "class", "param"};
    struct binding_search *search = data;
    PyObject *text = py_text(name, len);
    if (text && match_fits(search->completion, text, search->prefix) &&
            PyDict_Contains(search->completion->matches, text) == 0)
        match_add(search->completion, text, types[kind], NULL);
    py_error_drop();
    Py_XDECREF(text);
}

void match_names(struct completion *completion, const char *code, const char *prefix)
{
    struct binding_search search = {completion, prefix};
    PyObject *builtins = PyImport_ImportModule("builtins");
    if (builtins)
        add_dict_names(completion, PyModule_GetDict(builtins), prefix);
    add_dict_names(completion, shell_get()->user_ns, prefix);
    py_error_drop();
    Py_XDECREF(builtins);
    // the word that is being typed is no name yet
    context_each_binding(code, strlen(code) - strlen(prefix), add_binding, &search);
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        if (str_starts_with(keywords[i], prefix))
            match_add_text(completion, keywords[i], "keyword", MATCH_NAME);
    }
}

// ---- attributes

// The names of a class and its bases, and of the object itself: what dir() would give if
// its __dir__ did not fail.
static PyObject *static_names(PyObject *object)
{
    PyObject *names = PySet_New(NULL), *own = NULL;
    PyTypeObject *type = PyType_Check(object) ? (PyTypeObject *)object : Py_TYPE(object);
    PyObject *mro = Py_XNewRef(type->tp_mro);
    for (Py_ssize_t i = 0; names && mro && i < PyTuple_GET_SIZE(mro); i++) {
        PyObject *base = PyTuple_GET_ITEM(mro, i); // borrowed: mro is ours
        PyObject *dict = py_type_dict((PyTypeObject *)base);
        PyObject *result = dict ? py_call_method(names, "update", "(O)", dict) : NULL;
        py_error_drop();
        Py_XDECREF(result);
        Py_XDECREF(dict);
    }
    PyObject *key = PyUnicode_FromString("__dict__");
    own = key ? PyObject_GenericGetAttr(object, key) : NULL;
    if (names && own)
        Py_XDECREF(py_call_method(names, "update", "(O)", own));
    py_error_drop();
    PyObject *list = names ? PySequence_List(names) : NULL;
    py_error_drop();
    Py_XDECREF(own);
    Py_XDECREF(key);
    Py_XDECREF(mro);
    Py_XDECREF(names);
    return list;
}

// Whether a method of the object's class may be called. Only on the main thread can one
// be stopped that takes too long.
static bool may_call(PyObject *object, const char *method)
{
    PyObject *name = PyUnicode_FromString(method);
    PyObject *entry = name ? evaluate_static((PyObject *)Py_TYPE(object), name) : NULL;
    bool is_python = entry && PyFunction_Check(entry);
    Py_XDECREF(entry);
    Py_XDECREF(name);
    return interp_is_main_thread() || !is_python || evaluate_trusts(Py_TYPE(object));
}

// dir(), in time; without it what can be seen from outside.
static PyObject *names_of(PyObject *object)
{
    enum { LIMIT_MS = 250 };
    if (!may_call(object, "__dir__"))
        return static_names(object);
    time_limit_begin(LIMIT_MS);
    PyObject *names = PyObject_Dir(object);
    py_error_drop();
    if (time_limit_end())
        Py_CLEAR(names);
    return names ? names : static_names(object);
}

void match_attributes(struct completion *completion, PyObject *object, const char *prefix)
{
    PyObject *names = names_of(object);
    bool is_space = PyModule_Check(object) || PyType_Check(object);
    for (Py_ssize_t i = 0; names && i < PyList_GET_SIZE(names); i++) {
        PyObject *name = PyList_GET_ITEM(names, i); // borrowed: names is ours
        if (!match_fits(completion, name, prefix))
            continue;
        PyObject *value = evaluate_static(object, name);
        add_value(completion, name, value, !is_space);
        Py_XDECREF(value);
    }
    py_error_drop();
    Py_XDECREF(names);
}

// ---- modules

void match_modules(struct completion *completion, const char *prefix)
{
    PyObject *names =
            py_call_module("gridcell.ipython.modules", "completions", "(s)", prefix);
    for (Py_ssize_t i = 0; names && PyList_Check(names) && i < PyList_GET_SIZE(names);
            i++)
        match_add(
                completion, PyList_GET_ITEM(names, i), "module", NULL); // borrowed: names
    py_error_drop();
    Py_XDECREF(names);
}

static void add_submodules(
        struct completion *completion, const char *module, const char *prefix)
{
    struct str whole = {0};
    str_printf(&whole, "%s.%s", module, prefix);
    PyObject *names = py_call_module(
            "gridcell.ipython.modules", "completions", "(s)", str_text(&whole));
    for (Py_ssize_t i = 0; names && PyList_Check(names) && i < PyList_GET_SIZE(names);
            i++) {
        const char *name = PyUnicode_AsUTF8(PyList_GET_ITEM(names, i)); // borrowed: names
        const char *dot = name ? strrchr(name, '.') : NULL;
        if (dot)
            match_add_text(completion, dot + 1, "module", MATCH_NAME);
    }
    py_error_drop();
    Py_XDECREF(names);
    str_finish(&whole);
}

bool match_members(struct completion *completion, const char *module, const char *prefix)
{
    PyObject *loaded = py_loaded_module(module);
    add_submodules(completion, module, prefix);
    if (loaded)
        match_attributes(completion, loaded, prefix);
    Py_XDECREF(loaded);
    return loaded != NULL;
}

// ---- the expression before a bracket

static PyObject *object_before(const char *code, size_t end)
{
    while (end > 0 && code[end - 1] == ' ')
        end--;
    size_t start = context_expression_start(code, end);
    char *text = start < end ? strndup(code + start, end - start) : NULL;
    PyObject *object = text ? evaluate_safely(text, code) : NULL;
    free(text);
    return object;
}

// Whether `name =` stands between the bracket and the cursor already.
static bool is_given(const char *arguments, const char *name)
{
    size_t len = strlen(name);
    for (const char *p = arguments; (p = strstr(p, name)); p += len) {
        const char *after = p + len + strspn(p + len, " ");
        bool is_name = p == arguments || !context_is_name_char(p[-1]);
        if (is_name && after[0] == '=' && after[1] != '=')
            return true;
    }
    return false;
}

void match_parameters(struct completion *completion, const char *code, size_t bracket,
        const char *prefix)
{
    PyObject *function = object_before(code, bracket);
    PyObject *names = function && PyCallable_Check(function)
                              ? py_call_module("gridcell.ipython.signatures",
                                        "keyword_names", "(O)", function)
                              : NULL;
    for (Py_ssize_t i = 0; names && i < PyList_GET_SIZE(names); i++) {
        const char *name = PyUnicode_AsUTF8(PyList_GET_ITEM(names, i)); // borrowed: names
        if (!name || !str_starts_with(name, prefix) || is_given(code + bracket + 1, name))
            continue;
        struct str text = {0};
        str_printf(&text, "%s=", name);
        match_add_text(completion, str_text(&text), "param", MATCH_FIRST);
        str_finish(&text);
    }
    py_error_drop();
    Py_XDECREF(names);
    Py_XDECREF(function);
}

// ---- keys

// df.loc has the keys of df.
static PyObject *keys_owner(PyObject *object)
{
    bool is_locator = strstr(Py_TYPE(object)->tp_name, "LocIndexer") != NULL;
    PyObject *owner = is_locator ? PyObject_GetAttrString(object, "obj") : NULL;
    py_error_drop();
    return owner ? owner : Py_NewRef(object);
}

static PyObject *fields_of_records(PyObject *object)
{
    int failed;
    PyObject *dtype = evaluate_trusts(Py_TYPE(object))
                              ? py_attr_or_null(object, "dtype", &failed)
                              : NULL;
    PyObject *names = dtype ? py_attr_or_null(dtype, "names", &failed) : NULL;
    if (names && !PyTuple_Check(names))
        Py_CLEAR(names);
    py_error_drop();
    Py_XDECREF(dtype);
    return names;
}

// Data frames of pandas list their columns.
static bool is_table(PyObject *object)
{
    return !strncmp(Py_TYPE(object)->tp_name, "DataFrame", 9) &&
           evaluate_trusts(Py_TYPE(object));
}

// The keys of an object as a list; NULL, without an exception, when it has none.
static PyObject *keys_of(PyObject *object)
{
    enum { LIMIT_MS = 250 };
    PyObject *owner = keys_owner(object), *keys = NULL;
    int failed;
    // a class answers for its own brackets, by a method of the class
    PyObject *method =
            py_attr_or_null(PyType_Check(owner) ? owner : (PyObject *)Py_TYPE(owner),
                    "_ipython_key_completions_", &failed);
    py_error_drop();
    if (!may_call(owner, "_ipython_key_completions_"))
        Py_CLEAR(method);
    time_limit_begin(LIMIT_MS);
    bool is_environment = !strcmp(Py_TYPE(owner)->tp_name, "_Environ");
    if (PyDict_Check(owner))
        keys = PyDict_Keys(owner);
    else if (is_environment)
        keys = py_call_method(owner, "keys", NULL);
    else if (method)
        keys = PyMethod_Check(method) ? PyObject_CallNoArgs(method)
                                      : PyObject_CallOneArg(method, owner);
    else if (is_table(owner))
        keys = PySequence_List(owner);
    else
        keys = fields_of_records(owner);
    PyObject *list = keys ? PySequence_List(keys) : NULL;
    py_error_drop();
    if (time_limit_end())
        Py_CLEAR(list);
    Py_XDECREF(keys);
    Py_XDECREF(method);
    Py_DECREF(owner);
    return list;
}

// The keys before the last comma, as a tuple; NULL without an exception: there are none.
static PyObject *typed_keys(const char *code, size_t bracket, size_t end)
{
    size_t comma = end;
    while (comma > bracket && code[comma - 1] != ',')
        comma--;
    if (comma <= bracket + 1)
        return NULL;
    struct str text = {0};
    str_append_char(&text, '(');
    str_append_bytes(&text, code + bracket + 1, comma - bracket - 1);
    str_append_char(&text, ')');
    PyObject *tuple = evaluate_safely(str_text(&text), code);
    if (tuple && !PyTuple_Check(tuple))
        Py_CLEAR(tuple);
    str_finish(&text);
    return tuple;
}

bool match_keys(struct completion *completion, const char *code, size_t bracket,
        const char *prefix, char quote, bool is_bytes)
{
    PyObject *object = object_before(code, bracket);
    PyObject *keys = object ? keys_of(object) : NULL;
    size_t end = strlen(code) - strlen(prefix);
    PyObject *typed = keys ? typed_keys(code, bracket, end) : NULL;
    const char quoted[] = {quote, '\0'};
    PyObject *before = typed ? Py_NewRef(typed) : PyTuple_New(0);
    PyObject *found =
            keys && before
                    ? py_call_module("gridcell.ipython.dict_keys", "matching", "(OOssO)",
                              keys, before, prefix, quoted, is_bytes ? Py_True : Py_False)
                    : NULL;
    for (Py_ssize_t i = 0; found && i < PyList_GET_SIZE(found); i++) {
        const char *utf8 =
                PyUnicode_AsUTF8(PyList_GET_ITEM(found, i)); // borrowed: found is ours
        if (utf8)
            match_add_text(completion, utf8, "dict key", MATCH_FIRST);
        py_error_drop();
    }
    bool has_keys = keys != NULL;
    py_error_drop();
    py_drop(found, before, typed, keys, object);
    return has_keys;
}

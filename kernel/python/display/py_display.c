// SPDX-License-Identifier: MIT
// Values to representations by MIME type, and those to messages: display(), results,
// updates.
#include "kernel/python/display/py_display.h"

#include <string.h>

#include "kernel/python/state/py_state.h"
#include "kernel/python/state/py_text.h"

struct format {
    const char *mime, *method;
};

static const struct format formats[] = {
        {"text/html", "_repr_html_"},
        {"text/markdown", "_repr_markdown_"},
        {"image/svg+xml", "_repr_svg_"},
        {"image/png", "_repr_png_"},
        {"application/pdf", "_repr_pdf_"},
        {"image/jpeg", "_repr_jpeg_"},
        {"text/latex", "_repr_latex_"},
        {"application/json", "_repr_json_"},
        {"application/javascript", "_repr_javascript_"},
};

enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

// ---- finding and calling representation methods

static bool is_builtin_value(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    return type == &PyLong_Type || type == &PyUnicode_Type || type == &PyFloat_Type ||
           type == &PyBool_Type || type == &PyList_Type || type == &PyDict_Type ||
           type == &PyTuple_Type || type == &PySet_Type || type == &PyBytes_Type ||
           type == &PyComplex_Type || object == Py_None;
}

// Objects that claim to have any attribute at all have none of ours.
static bool answers_to_anything(PyObject *object)
{
    int failed;
    PyObject *canary =
            py_attr_or_null(object, "_ipython_canary_method_should_not_exist_", &failed);
    bool is_there = canary && canary != Py_None; // as IPython: None is no attribute
    py_error_drop();
    Py_XDECREF(canary);
    return is_there || failed;
}

// A method of the object; of a class, its metaclass's: its own are for its instances.
static PyObject *method_of(PyObject *object, const char *name)
{
    int failed;
    bool is_class = PyType_Check(object);
    PyObject *owner = is_class ? (PyObject *)Py_TYPE(object) : object;
    PyObject *method = py_attr_or_null(owner, name, &failed);
    py_error_drop();
    if (method && is_class)
        Py_SETREF(method, PyMethod_New(method, object));
    if (method && !PyCallable_Check(method))
        Py_CLEAR(method);
    return method;
}

// A function registered with for_type_by_name for `type`, moved to the functions by type.
static PyObject *take_lazy(PyObject *by_name, PyObject *by_type, PyObject *type)
{
    PyObject *module = PyObject_GetAttrString(type, "__module__"), *function = NULL;
    PyObject *name = PyObject_GetAttrString(type, "__name__");
    PyObject *key = module && name ? PyTuple_Pack(2, module, name) : NULL;
    if (key && py_dict_get(by_name, key, &function) > 0 && by_type)
        PyObject_SetItem(by_type, type, function);
    py_error_drop();
    Py_XDECREF(key);
    Py_XDECREF(name);
    Py_XDECREF(module);
    return function;
}

static PyObject *registered_function(PyObject *object, const char *mime)
{
    struct shell *shell = shell_get();
    if (!PyDict_GET_SIZE(shell->formatters) && !PyDict_GET_SIZE(shell->lazy_formatters))
        return NULL;
    PyObject *by_type = NULL, *by_name = NULL, *function = NULL;
    py_dict_get_text(shell->formatters, mime, &by_type);
    py_dict_get_text(shell->lazy_formatters, mime, &by_name);
    PyObject *mro = Py_XNewRef(Py_TYPE(object)->tp_mro);
    for (Py_ssize_t i = 0; mro && !function && i < PyTuple_GET_SIZE(mro); i++) {
        PyObject *type = PyTuple_GET_ITEM(mro, i); // borrowed: mro is ours
        if (by_type)
            py_dict_get(by_type, type, &function);
        if (!function && by_name && PyObject_Size(by_name) > 0)
            function = take_lazy(by_name, by_type, type);
    }
    py_error_drop();
    Py_XDECREF(mro);
    Py_XDECREF(by_name);
    Py_XDECREF(by_type);
    return function;
}

// The traceback of a method that failed; the other representations go on.
static void report_failed_method(void)
{
    if (PyErr_ExceptionMatches(PyExc_NotImplementedError))
        py_error_drop();
    else
        json_decref(traceback_report(true));
}

// Whether a value can be sent as this type; a warning says why not. -1: an exception.
static int has_right_type(const char *mime, PyObject *object, PyObject *value)
{
    bool is_json = !strcmp(mime, "application/json");
    bool is_binary = !strcmp(mime, "image/png") || !strcmp(mime, "image/jpeg") ||
                     !strcmp(mime, "application/pdf");
    if (is_json || PyUnicode_Check(value) || (is_binary && PyBytes_Check(value)))
        return 1;
    const char *expected =
            is_binary ? "(<class 'bytes'>, <class 'str'>)" : "<class 'str'>";
    PyObject *kind = py_import_attr("gridcell.ipython.formatting", "FormatterWarning");
    py_error_drop();
    int status = PyErr_WarnFormat(kind ? kind : PyExc_UserWarning, 1,
            "%s formatter returned invalid type %R (expected %s) for object: %R", mime,
            (PyObject *)Py_TYPE(value), expected, object);
    Py_XDECREF(kind);
    return status < 0 ? -1 : 0;
}

// Stores what a method returned: a value, or (value, metadata).
static int store(const char *mime, PyObject *result, PyObject *data, PyObject *metadata)
{
    PyObject *value = result, *extra = NULL;
    if (PyTuple_Check(result) && PyTuple_GET_SIZE(result) == 2) {
        value = PyTuple_GET_ITEM(result, 0); // borrowed: result is the caller's
        extra = PyTuple_GET_ITEM(result, 1); // borrowed: result is the caller's
    }
    if (value == Py_None)
        return 0;
    int status = PyDict_SetItemString(data, mime, value);
    if (status == 0 && extra && PyDict_Check(extra) && PyDict_GET_SIZE(extra) > 0)
        status = PyDict_SetItemString(metadata, mime, extra);
    return status;
}

static int store_checked(const char *mime, PyObject *object, PyObject *result,
        PyObject *data, PyObject *metadata)
{
    bool is_pair = PyTuple_Check(result) && PyTuple_GET_SIZE(result) == 2;
    PyObject *value = is_pair ? PyTuple_GET_ITEM(result, 0) : result;
    int is_right = value == Py_None ? 1 : has_right_type(mime, object, value);
    return is_right > 0 ? store(mime, result, data, metadata) : is_right;
}

static int add_format(PyObject *object, const struct format *format, bool has_methods,
        PyObject *data, PyObject *metadata)
{
    PyObject *function = registered_function(object, format->mime), *result = NULL;
    if (function)
        result = PyObject_CallOneArg(function, object);
    else if (has_methods && (function = method_of(object, format->method)))
        result = PyObject_CallNoArgs(function);
    int status = 0;
    if (result)
        status = store_checked(format->mime, object, result, data, metadata);
    else if (function && PyErr_ExceptionMatches(PyExc_KeyboardInterrupt))
        status = -1;
    else if (function)
        report_failed_method();
    Py_XDECREF(result);
    Py_XDECREF(function);
    return status;
}

static bool is_wanted(const char *mime, PyObject *include, PyObject *exclude)
{
    PyObject *key = PyUnicode_FromString(mime);
    bool is_in = !include || include == Py_None || PySequence_Contains(include, key) == 1;
    bool is_out = exclude && exclude != Py_None && PySequence_Contains(exclude, key) == 1;
    is_out |= PySet_Contains(shell_get()->disabled_formats, key) == 1;
    py_error_drop();
    Py_XDECREF(key);
    return is_in && !is_out;
}

// 1: the bundle was taken, 0: there is none.
static int add_bundle(PyObject *object, PyObject *include, PyObject *exclude,
        PyObject *data, PyObject *metadata)
{
    PyObject *function = registered_function(object, "_repr_mimebundle_");
    PyObject *method = function ? NULL : method_of(object, "_repr_mimebundle_");
    if (!function && !method)
        return 0;
    PyObject *kwargs = Py_BuildValue("{sOsO}", "include", include ? include : Py_None,
            "exclude", exclude ? exclude : Py_None);
    PyObject *args = function ? PyTuple_Pack(1, object) : PyTuple_New(0);
    PyObject *result = kwargs && args
                               ? PyObject_Call(function ? function : method, args, kwargs)
                               : NULL;
    PyObject *bundle = result, *extra = NULL;
    if (result && PyTuple_Check(result) && PyTuple_GET_SIZE(result) == 2) {
        bundle = PyTuple_GET_ITEM(result, 0); // borrowed: result lives on
        extra = PyTuple_GET_ITEM(result, 1);  // borrowed: result lives on
    }
    if (bundle && PyDict_Check(bundle))
        PyDict_Update(data, bundle);
    if (extra && PyDict_Check(extra))
        PyDict_Update(metadata, extra);
    if (!result)
        report_failed_method();
    py_error_drop();
    Py_XDECREF(result);
    Py_XDECREF(args);
    Py_XDECREF(kwargs);
    Py_XDECREF(method);
    Py_XDECREF(function);
    return 1;
}

// Takes mime types out of a bundle that brought more than was asked for.
static void drop_unwanted(
        PyObject *data, PyObject *metadata, PyObject *include, PyObject *exclude)
{
    PyObject *keys = PyDict_Keys(data);
    for (Py_ssize_t i = 0; keys && i < PyList_GET_SIZE(keys); i++) {
        const char *mime =
                PyUnicode_AsUTF8(PyList_GET_ITEM(keys, i)); // borrowed: keys is ours
        if (!mime || is_wanted(mime, include, exclude))
            continue;
        PyDict_DelItemString(data, mime);
        if (PyDict_DelItemString(metadata, mime) < 0)
            py_error_drop();
    }
    py_error_drop();
    Py_XDECREF(keys);
}

static bool has_key(PyObject *dict, const char *key)
{
    PyObject *value = NULL;
    bool found = py_dict_get_text(dict, key, &value) > 0;
    Py_XDECREF(value);
    return found;
}

// What a formatter of a library's own makes, when it is not switched off.
static int add_custom(
        PyObject *object, const char *mime, PyObject *data, PyObject *metadata)
{
    PyObject *custom = NULL, *result = NULL;
    if (py_dict_get_text(shell_get()->custom_formatters, mime, &custom) <= 0)
        return 0;
    PyObject *enabled = PyObject_GetAttrString(custom, "enabled");
    py_error_drop();
    bool is_off = enabled && PyObject_IsTrue(enabled) == 0;
    if (!is_off && !(result = PyObject_CallOneArg(custom, object))) {
        if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt))
            report_failed_method();
    }
    int status = PyErr_Occurred() ? -1 : 0;
    if (result)
        status = store(mime, result, data, metadata);
    Py_XDECREF(enabled);
    Py_XDECREF(result);
    Py_DECREF(custom);
    return status;
}

// Formatters of libraries, of any MIME type: before the kernel's own.
static int add_all_custom(PyObject *object, PyObject *include, PyObject *exclude,
        PyObject *data, PyObject *metadata)
{
    PyObject *table = shell_get()->custom_formatters;
    PyObject *keys = PyDict_GET_SIZE(table) ? PyDict_Keys(table) : PyList_New(0);
    int status = keys ? 0 : -1;
    for (Py_ssize_t i = 0; status == 0 && i < PyList_GET_SIZE(keys); i++) {
        const char *mime =
                PyUnicode_AsUTF8(PyList_GET_ITEM(keys, i)); // borrowed: keys is ours
        if (mime && is_wanted(mime, include, exclude) && !has_key(data, mime))
            status = add_custom(object, mime, data, metadata);
    }
    Py_XDECREF(keys);
    return status;
}

static int add_plain_text(PyObject *object, PyObject *data)
{
    PyObject *text = pretty_text(object);
    int status = text ? PyDict_SetItemString(data, "text/plain", text) : -1;
    Py_XDECREF(text);
    return status;
}

// 1: the object displayed itself, 0: it did not, -1: an exception.
static int display_itself(PyObject *object)
{
    PyObject *function = registered_function(object, "_ipython_display_");
    PyObject *method = function ? NULL : method_of(object, "_ipython_display_");
    if (!function && !method)
        return 0;
    PyObject *result = function ? PyObject_CallOneArg(function, object)
                                : PyObject_CallNoArgs(method);
    Py_XDECREF(function);
    Py_XDECREF(method);
    Py_XDECREF(result);
    if (result)
        return 1;
    if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt))
        return -1;
    report_failed_method();
    return 0;
}

int display_format(PyObject *object, PyObject *include, PyObject *exclude,
        PyObject **data, PyObject **metadata)
{
    bool has_methods = !is_builtin_value(object) && Py_TYPE(object) != &PyType_Type &&
                       !answers_to_anything(object);
    *data = NULL;
    *metadata = PyDict_New();
    int shown = has_methods ? display_itself(object) : 0;
    if (shown > 0)
        *data = Py_NewRef(Py_None);
    if (shown != 0 || !*metadata)
        return shown < 0 ? -1 : 0;
    *data = PyDict_New();
    int status = *data ? 0 : -1;
    if (status == 0 && has_methods &&
            add_bundle(object, include, exclude, *data, *metadata))
        drop_unwanted(*data, *metadata, include, exclude);
    if (status == 0)
        status = add_all_custom(object, include, exclude, *data, *metadata);
    if (status == 0 && !has_key(*data, "text/plain") &&
            is_wanted("text/plain", include, exclude))
        status = add_plain_text(object, *data);
    for (int i = 0; status == 0 && i < FORMAT_COUNT; i++) {
        if (!has_key(*data, formats[i].mime) &&
                is_wanted(formats[i].mime, include, exclude))
            status = add_format(object, &formats[i], has_methods, *data, *metadata);
    }
    return status;
}

// ---- publishing

static void set_object(json_t *content, const char *key, PyObject *value)
{
    json_t *member = value && value != Py_None ? py_to_json(value) : json_object();
    py_error_drop();
    json_object_set_new(content, key, member ? member : json_object());
}

// In a script the text goes where sys.stdout leads: somebody may have redirected it.
static bool print_in_terminal(PyObject *data)
{
    PyObject *text = NULL, *holder;
    if (!output_is_terminal() || output_is_child())
        return false;
    if (PyDict_Check(data) && py_dict_get_text(data, "text/plain", &text) > 0 &&
            PyUnicode_Check(text)) {
        Py_ssize_t len;
        const char *utf8 = py_utf8(text, &len, &holder);
        if (utf8) {
            py_write_stream("stdout", utf8, (size_t)len);
            py_write_stream("stdout", "\n", 1);
            Py_DECREF(holder);
        }
    }
    py_error_drop();
    Py_XDECREF(text);
    return true;
}

int display_publish(
        const char *msg_type, PyObject *data, PyObject *metadata, PyObject *transient)
{
    PyObject *captured = cell_get()->captured;
    if (captured) {
        PyObject *entry = Py_BuildValue("{sssOsOsO}", "msg_type", msg_type, "data", data,
                "metadata", metadata ? metadata : Py_None, "transient",
                transient ? transient : Py_None);
        int status = entry ? PyList_Append(captured, entry) : -1;
        Py_XDECREF(entry);
        return status;
    }
    if (!streams_await_room())
        return -1;
    if (hooks_watch_displays())
        return hooks_publish_display(msg_type, data, metadata, transient);
    if (print_in_terminal(data))
        return 0;
    json_t *content = json_object();
    set_object(content, "data", data);
    set_object(content, "metadata", metadata);
    set_object(content, "transient", transient);
    output_publish(msg_type, content, NULL, NULL, 0);
    return 0;
}

struct display_request {
    PyObject *include, *exclude, *metadata, *transient,
            *display_id; // borrowed: the call's kwargs
    bool is_raw, is_update, clears;
};

static int publish_object(PyObject *object, const struct display_request *request)
{
    PyObject *data = NULL, *metadata = NULL;
    int status = 0;
    if (request->is_raw) {
        data = Py_NewRef(object);
        metadata = PyDict_New();
    } else {
        status = display_format(
                object, request->include, request->exclude, &data, &metadata);
    }
    if (status == 0 && metadata && request->metadata && PyDict_Check(request->metadata))
        PyDict_Update(metadata, request->metadata);
    bool has_data =
            status == 0 && data && PyDict_Check(data) && PyDict_GET_SIZE(data) > 0;
    if (has_data)
        status = display_publish(
                request->is_update ? "update_display_data" : "display_data", data,
                metadata, request->transient);
    Py_XDECREF(metadata);
    Py_XDECREF(data);
    return status;
}

static bool is_true(PyObject *value)
{
    return value && PyObject_IsTrue(value) == 1;
}

// The id as a str; True asks for a new one.
static PyObject *make_display_id(PyObject *value)
{
    if (value != Py_True)
        return PyObject_Str(value);
    PyObject *bytes = py_call_module("os", "urandom", "(i)", 16);
    PyObject *text = bytes ? py_call_method(bytes, "hex", NULL) : NULL;
    Py_XDECREF(bytes);
    return text;
}

static PyObject *merge_transient(PyObject *transient, PyObject *display_id)
{
    PyObject *merged =
            transient && PyDict_Check(transient) ? PyDict_Copy(transient) : PyDict_New();
    if (merged && display_id &&
            PyDict_SetItemString(merged, "display_id", display_id) < 0)
        Py_CLEAR(merged);
    return merged;
}

// A display without objects that has an id is an empty place for later updates.
static int publish_place(const struct display_request *request)
{
    PyObject *nothing = PyDict_New();
    int status = nothing ? display_publish(
                                   "display_data", nothing, nothing, request->transient)
                         : -1;
    Py_XDECREF(nothing);
    return status;
}

static PyObject *run_display(PyObject *objects, struct display_request *request)
{
    PyObject *display_id = NULL, *transient = NULL, *result = NULL;
    bool has_id = request->display_id && request->display_id != Py_None;
    if (request->is_update && !has_id)
        return PyErr_Format(PyExc_TypeError, "display_id required for update_display");
    if (has_id && !(display_id = make_display_id(request->display_id)))
        goto done;
    transient = merge_transient(request->transient, display_id);
    if (!transient)
        goto done;
    request->transient = transient;
    if (request->clears)
        output_publish("clear_output", json_pack("{sb}", "wait", 1), NULL, NULL, 0);
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(objects); i++) {
        if (publish_object(PyTuple_GET_ITEM(objects, i), request) < 0)
            goto done;
    }
    if (has_id && PyTuple_GET_SIZE(objects) == 0 && publish_place(request) < 0)
        goto done;
    if (has_id)
        result = py_call_module(
                "gridcell.ipython.display", "DisplayHandle", "(O)", display_id);
    else
        result = Py_NewRef(Py_None);
done:
    Py_XDECREF(transient);
    Py_XDECREF(display_id);
    return result;
}

PyObject *display_objects(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"include", "exclude", "metadata", "transient", "display_id",
            "raw", "update", "clear", NULL};
    struct display_request request = {0};
    PyObject *raw = NULL, *update = NULL, *clear = NULL, *empty = PyTuple_New(0);
    bool is_ok =
            !kwargs || (empty && PyArg_ParseTupleAndKeywords(empty, kwargs, "|$OOOOOOOO",
                                         names, &request.include, &request.exclude,
                                         &request.metadata, &request.transient,
                                         &request.display_id, &raw, &update, &clear));
    Py_XDECREF(empty);
    if (!is_ok)
        return NULL;
    request.is_raw = is_true(raw);
    request.is_update = is_true(update);
    request.clears = is_true(clear);
    return run_display(args, &request);
}

// ---- results of cells

static int publish_result(PyObject *data, PyObject *metadata, int number)
{
    if (cell_get()->captured)
        return display_publish("display_data", data, metadata, NULL);
    if (print_in_terminal(data))
        return 0;
    json_t *content = json_object();
    set_object(content, "data", data);
    set_object(content, "metadata", metadata);
    json_object_set_new(content, "execution_count", json_integer(number));
    output_publish("execute_result", content, NULL, NULL, 0);
    return 0;
}

PyObject *display_hook(PyObject *self, PyObject *value)
{
    if (value == Py_None || !cell_get()->displays_results)
        Py_RETURN_NONE;
    PyObject *data = NULL, *metadata = NULL, *text = NULL;
    int number = cell_get()->number;
    Py_XSETREF(cell_get()->shown, Py_NewRef(value));
    int status = display_format(value, NULL, NULL, &data, &metadata);
    if (status == 0) {
        results_cache(value, number);
        if (PyDict_Check(data)) {
            status = publish_result(data, metadata, number);
            if (cell_get()->keeps_results &&
                    py_dict_get_text(data, "text/plain", &text) > 0)
                history_add_output(number, text);
        }
    }
    Py_XDECREF(text);
    Py_XDECREF(data);
    Py_XDECREF(metadata);
    return status < 0 ? NULL : Py_NewRef(Py_None);
}

bool display_init(void)
{
    struct shell *shell = shell_get();
    shell->formatters = PyDict_New();
    shell->lazy_formatters = PyDict_New();
    shell->custom_formatters = PyDict_New();
    shell->disabled_formats = PySet_New(NULL);
    shell->display_hooks = PyList_New(0);
    return shell->formatters && shell->lazy_formatters && shell->custom_formatters &&
           shell->disabled_formats && shell->display_hooks;
}

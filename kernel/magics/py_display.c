// SPDX-License-Identifier: MIT
// Magics about what is shown: %%html and its like, %%capture, %matplotlib, %xmode,
// %precision.
#include "kernel/magics/py_magics.h"

#include <string.h>
#include <strings.h>

#include "kernel/python/display/py_display.h"
#include "kernel/python/execute/py_execute.h"
#include "kernel/python/state/py_state.h"
#include "kernel/python/state/py_text.h"

static PyObject *show(PyObject *object_stolen)
{
    PyObject *args = object_stolen ? PyTuple_Pack(1, object_stolen) : NULL;
    PyObject *result = args ? display_objects(NULL, args, NULL) : NULL;
    Py_XDECREF(args);
    Py_XDECREF(object_stolen);
    return result;
}

// %%html --isolated: the front end puts it into a frame of its own.
static PyObject *show_isolated(PyObject *body)
{
    PyObject *data = Py_BuildValue("{sssO}", "text/plain",
            "<IPython.core.display.HTML object>", "text/html", body);
    PyObject *metadata = Py_BuildValue("{s{sO}}", "text/html", "isolated", Py_True);
    int status =
            data && metadata ? display_publish("display_data", data, metadata, NULL) : -1;
    Py_XDECREF(metadata);
    Py_XDECREF(data);
    return status < 0 ? NULL : Py_NewRef(Py_None);
}

static PyObject *run_markup(const char *name, PyObject *line, PyObject *body)
{
    static const char *const classes[][2] = {{"html", "HTML"}, {"HTML", "HTML"},
            {"latex", "Latex"}, {"markdown", "Markdown"}, {"svg", "SVG"}, {"SVG", "SVG"},
            {"javascript", "Javascript"}, {"js", "Javascript"}};
    const char *option = PyUnicode_AsUTF8(line);
    if (!option)
        return NULL;
    if (!strcasecmp(name, "html") && !strcmp(option, "--isolated"))
        return show_isolated(body);
    if (*option)
        return py_usage_error("unrecognized arguments: %s", option);
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        if (!strcmp(classes[i][0], name))
            return show(py_call_module(
                    "gridcell.ipython.display", classes[i][1], "(O)", body));
    }
    return py_usage_error("no such markup: %s", name);
}

// ---- %%capture

struct capture {
    PyObject *name; // variable for the result; NULL: dropped
    bool keeps_stdout, keeps_stderr, keeps_display; // not captured
};

static bool read_capture(PyObject *line, struct capture *capture)
{
    PyObject *words = magic_split(line);
    bool is_ok = words != NULL;
    for (Py_ssize_t i = 0; is_ok && i < PyList_GET_SIZE(words); i++) {
        PyObject *word = PyList_GET_ITEM(words, i); // borrowed: words is ours
        const char *text = PyUnicode_AsUTF8(word);
        is_ok = text != NULL;
        if (!is_ok)
            break;
        if (!strcmp(text, "--no-stdout"))
            capture->keeps_stdout = true;
        else if (!strcmp(text, "--no-stderr"))
            capture->keeps_stderr = true;
        else if (!strcmp(text, "--no-display"))
            capture->keeps_display = true;
        else if (text[0] == '-')
            is_ok = py_usage_error("unrecognized arguments: %s", text);
        else
            Py_XSETREF(capture->name, Py_NewRef(word));
    }
    Py_XDECREF(words);
    return is_ok;
}

static PyObject *run_capture(const char *name, PyObject *line, PyObject *body)
{
    struct capture capture = {0};
    PyObject *manager = NULL, *captured = NULL, *result = NULL, *left = NULL;
    if (!read_capture(line, &capture))
        goto done;
    manager = py_call_module("gridcell.ipython.capture", "capture_output", "(OOO)",
            capture.keeps_stdout ? Py_False : Py_True,
            capture.keeps_stderr ? Py_False : Py_True,
            capture.keeps_display ? Py_False : Py_True);
    captured = manager ? py_call_method(manager, "__enter__", NULL) : NULL;
    if (!captured)
        goto done;
    int status = execute_nested(body, NULL);
    if (status == 0)
        figures_show();
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    left = py_call_method(manager, "__exit__", "(OOO)", Py_None, Py_None, Py_None);
    if (capture.name)
        PyDict_SetItem(shell_get()->user_ns, capture.name, captured);
    py_error_drop();
    PyErr_Restore(type, value, traceback);
    result = status == 0 && !PyErr_Occurred() ? Py_NewRef(Py_None) : NULL;
done:
    Py_XDECREF(left);
    Py_XDECREF(captured);
    Py_XDECREF(manager);
    Py_XDECREF(capture.name);
    return result;
}

// ---- settings of the display

static PyObject *run_matplotlib(const char *name, PyObject *line, PyObject *body)
{
    return py_call_module("gridcell.ipython.figures", "matplotlib_magic", "(O)", line);
}

static PyObject *run_pylab(const char *name, PyObject *line, PyObject *body)
{
    return py_call_module("gridcell.ipython.figures", "pylab", "(O)", line);
}

// In the order in which %xmode goes through them.
static const struct {
    const char *name;
    enum traceback_mode mode;
} modes[] = {{"Plain", TRACEBACK_PLAIN}, {"Context", TRACEBACK_CONTEXT},
        {"Verbose", TRACEBACK_VERBOSE}, {"Minimal", TRACEBACK_MINIMAL},
        {"Docs", TRACEBACK_DOCS}, {"Doctest", TRACEBACK_DOCTEST}};

enum { MODE_COUNT = sizeof modes / sizeof *modes };

bool magic_traceback_mode(const char *name, enum traceback_mode *mode)
{
    for (int i = 0; i < MODE_COUNT; i++) {
        if (strcasecmp(modes[i].name, name))
            continue;
        *mode = modes[i].mode;
        return true;
    }
    return false;
}

static void tell_mode(const char *name)
{
    PyObject *instance = shell_get()->instance, *text = PyUnicode_FromString(name);
    if (instance && text)
        PyObject_SetAttrString(instance, "xmode", text);
    py_error_drop();
    Py_XDECREF(text);
    py_print("Exception reporting mode: %s\n", name);
}

static PyObject *run_xmode(const char *name, PyObject *line, PyObject *body)
{
    enum traceback_mode *mode = &shell_get()->traceback_mode;
    const char *wanted = PyUnicode_AsUTF8(line);
    if (!wanted)
        return NULL;
    int current = 0;
    while (current < MODE_COUNT - 1 && modes[current].mode != *mode)
        current++;
    if (!*wanted)
        *mode = modes[(current + 1) % MODE_COUNT].mode;
    else if (!magic_traceback_mode(wanted, mode))
        return py_usage_error(
                "Unrecognized mode '%s': one of %s.", wanted, MAGIC_TRACEBACK_MODES);
    for (int i = 0; i < MODE_COUNT; i++) {
        if (modes[i].mode == *mode)
            tell_mode(modes[i].name);
    }
    Py_RETURN_NONE;
}

static PyObject *run_precision(const char *name, PyObject *line, PyObject *body)
{
    struct shell *shell = shell_get();
    const char *text = PyUnicode_AsUTF8(line);
    if (!text)
        return NULL;
    PyObject *format = NULL;
    if (strchr(text, '%'))
        format = Py_NewRef(line);
    else if (*text && strspn(text, "0123456789") == strlen(text))
        format = PyUnicode_FromFormat("%%.%sf", text);
    else if (*text)
        return PyErr_Format(PyExc_ValueError,
                "Precision must be int or format string, not '%s'", text);
    Py_XSETREF(shell->float_format, format);
    PyObject *numpy = py_loaded_module("numpy");
    PyObject *result = numpy && *text ? py_call_module("gridcell.ipython.running",
                                                "set_numpy_precision", "(O)", line)
                                      : NULL;
    py_error_drop();
    Py_XDECREF(result);
    Py_XDECREF(numpy);
    return shell->float_format ? Py_NewRef(shell->float_format)
                               : PyUnicode_FromString("%r");
}

#define MARKUP(name, doc)                                                                \
    {                                                                                    \
        name, MAGIC_CELL, run_markup, doc, false, false                                  \
    }

const struct magic magics_display[] = {
        MARKUP("html", "Show the cell as HTML."),
        MARKUP("HTML", "Show the cell as HTML."),
        MARKUP("latex", "Show the cell as LaTeX."),
        MARKUP("markdown", "Show the cell as Markdown."),
        MARKUP("svg", "Show the cell as SVG."),
        MARKUP("SVG", "Show the cell as SVG."),
        MARKUP("javascript", "Run the cell as JavaScript in the browser."),
        MARKUP("js", "Run the cell as JavaScript in the browser."),
        {"capture", MAGIC_CELL, run_capture, "Keep the output of the cell in a variable.",
                true, false},
        {"matplotlib", MAGIC_LINE, run_matplotlib,
                "Choose where figures are drawn: %matplotlib [-l] [inline | widget | "
                "agg...].",
                false, false},
        {"pylab", MAGIC_LINE, run_pylab,
                "Import NumPy and pyplot into the namespace: %pylab [--no-import-all] "
                "[BACKEND].",
                false, false},
        {"xmode", MAGIC_LINE, run_xmode,
                "How tracebacks look: " MAGIC_TRACEBACK_MODES ".", false, false},
        {"precision", MAGIC_LINE, run_precision, "Digits of floats in results.", false,
                false},
        {NULL, 0, NULL, NULL, false, false},
};

// SPDX-License-Identifier: MIT
// Magics about magics and objects: %lsmagic, %load_ext, %config, %pinfo, %tb.
#include "kernel/magics/py_magics.h"

#include <string.h>
#include <strings.h>

#include "kernel/python/display/py_display.h"
#include "kernel/python/execute/py_execute.h"
#include "kernel/python/state/py_state.h"
#include "kernel/python/state/py_text.h"

static PyObject *run_lsmagic(const char *name, PyObject *line, PyObject *body)
{
    return py_call_module("gridcell.ipython.namespace", "lsmagic", "(O)", line);
}

// Magics whose work is a method of gridcell.ipython: extensions and configuration.
static PyObject *run_extension(const char *name, PyObject *line, PyObject *body)
{
    return py_call_module("gridcell.ipython.extensions", name, "(O)", line);
}

static PyObject *run_config(const char *name, PyObject *line, PyObject *body)
{
    return py_call_module("gridcell.ipython.extensions", "config", "(O)", line);
}

static PyObject *add_page(PyObject *text)
{
    return py_call_module("IPython.core.page", "page", "({sO})", "text/plain", text);
}

// name? and name??: a page with what is known about the object.
static PyObject *run_pinfo(const char *name, PyObject *line, PyObject *body)
{
    long level = !strcmp(name, "pinfo2");
    if (PyUnicode_GET_LENGTH(line) == 0)
        return py_call_module("gridcell.ipython.help_pages", "quickref", "(O)", line);
    PyObject *text =
            py_call_module("gridcell.ipython.inspecting", "page", "(Ol)", line, level);
    PyObject *result = NULL;
    if (text == Py_None) {
        py_print("Object `%s` not found.\n", PyUnicode_AsUTF8(line));
        result = Py_NewRef(Py_None);
    } else if (text) {
        result = add_page(text);
    }
    Py_XDECREF(text);
    return result;
}

static PyObject *run_psearch(const char *name, PyObject *line, PyObject *body)
{
    PyObject *text = py_call_module("gridcell.ipython.inspecting", "search", "(O)", line);
    PyObject *result = text ? add_page(text) : NULL;
    Py_XDECREF(text);
    return result;
}

// Magics of one Python function that takes the line, and the cell where there is one.
static PyObject *call_with_cell(
        const char *module, const char *function, PyObject *line, PyObject *body)
{
    if (body)
        return py_call_module(module, function, "(OO)", line, body);
    return py_call_module(module, function, "(O)", line);
}

static PyObject *run_prun(const char *name, PyObject *line, PyObject *body)
{
    return call_with_cell("gridcell.ipython.profiling", "prun", line, body);
}

static PyObject *run_debug(const char *name, PyObject *line, PyObject *body)
{
    return call_with_cell("gridcell.ipython.debugging", "debug", line, body);
}

// %pdoc, %pdef, %psource and %pfile: one part of what %pinfo shows, printed or in the
// pager.
static PyObject *run_part(const char *name, PyObject *line, PyObject *body)
{
    return py_call_module("gridcell.ipython.inspecting", "part", "(sO)", name, line);
}

// %tb [mode]: the mode holds for this once.
static PyObject *run_tb(const char *name, PyObject *line, PyObject *body)
{
    enum traceback_mode mode = shell_get()->traceback_mode;
    PyObject *exception = Py_XNewRef(shell_get()->exception);
    if (!exception) {
        const char *text = "No traceback available to show.\n";
        py_write_stream("stderr", text, strlen(text));
        Py_RETURN_NONE;
    }
    const char *wanted = PyUnicode_AsUTF8(line);
    if (wanted && *wanted && !magic_traceback_mode(wanted, &mode))
        py_usage_error(
                "Unrecognized mode '%s': one of %s.", wanted, MAGIC_TRACEBACK_MODES);
    bool is_default = wanted && !*wanted, is_shown = is_default && hooks_show(exception);
    if (wanted && !is_shown && !PyErr_Occurred())
        output_publish("error", traceback_format(exception, mode), NULL, NULL, 0);
    Py_DECREF(exception);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

// ---- switches

static PyObject *run_automagic(const char *name, PyObject *line, PyObject *body)
{
    int *value = &shell_get()->switches[SWITCH_AUTOMAGIC];
    const char *text = PyUnicode_AsUTF8(line);
    if (!text)
        return NULL;
    if (!strcmp(text, "on") || !strcmp(text, "1") || !strcasecmp(text, "true"))
        *value = 1;
    else if (!strcmp(text, "off") || !strcmp(text, "0") || !strcasecmp(text, "false"))
        *value = 0;
    else
        *value = !*value;
    py_print(*value ? "\nAutomagic is ON, %% prefix IS NOT needed for line magics.\n"
                    : "\nAutomagic is OFF, %% prefix IS needed for line magics.\n");
    Py_RETURN_NONE;
}

static PyObject *run_autoawait(const char *name, PyObject *line, PyObject *body)
{
    int *value = &shell_get()->switches[SWITCH_AUTOAWAIT];
    const char *text = PyUnicode_AsUTF8(line);
    if (!text)
        return NULL;
    if (!*text)
        py_print("IPython autoawait is `%s`, and set to use `asyncio`\n",
                *value ? "on" : "off");
    else if (!strcmp(text, "on") || !strcasecmp(text, "true") || !strcmp(text, "asyncio"))
        *value = 1;
    else if (!strcmp(text, "off") || !strcasecmp(text, "false"))
        *value = 0;
    else
        return py_usage_error("%%autoawait takes on, off or asyncio, not %s", text);
    Py_RETURN_NONE;
}

static PyObject *run_pprint(const char *name, PyObject *line, PyObject *body)
{
    int *value = &shell_get()->switches[SWITCH_PPRINT];
    *value = !*value;
    py_print("Pretty printing has been turned %s\n", *value ? "ON" : "OFF");
    Py_RETURN_NONE;
}

const struct magic magics_settings[] = {
        {"lsmagic", MAGIC_LINE, run_lsmagic, "All magics.", false, false},
        {"automagic", MAGIC_LINE, run_automagic,
                "Whether magics need no percent sign: on, off, or the other way round.",
                false, false},
        {"autoawait", MAGIC_LINE, run_autoawait,
                "Whether cells may await at the top level: on or off.", false, false},
        {"pprint", MAGIC_LINE, run_pprint, "Switch pretty printing on or off.", false,
                false},
        {"load_ext", MAGIC_LINE, run_extension, "Load an extension module.", true, false},
        {"reload_ext", MAGIC_LINE, run_extension, "Load an extension module again.", true,
                false},
        {"unload_ext", MAGIC_LINE, run_extension, "Unload an extension module.", true,
                false},
        {"config", MAGIC_LINE, run_config, "Change a setting: Class.name = value.", false,
                false},
        {"pinfo", MAGIC_LINE, run_pinfo, "Help on an object, as name? gives it.", false,
                false},
        {"pinfo2", MAGIC_LINE, run_pinfo,
                "Help and source of an object, as name?? gives it.", false, false},
        {"pdef", MAGIC_LINE, run_part, "The signature of an object.", false, false},
        {"pdoc", MAGIC_LINE, run_part, "The docstring of an object.", false, false},
        {"psource", MAGIC_LINE, run_part, "The source of an object.", false, false},
        {"pfile", MAGIC_LINE, run_part, "The file that an object is defined in.", false,
                false},
        {"prun", MAGIC_LINE | MAGIC_CELL, run_prun,
                "Run under the profiler: -s sort key, -l limit, -r returns the table.",
                false, false},
        {"debug", MAGIC_LINE | MAGIC_CELL, run_debug,
                "Look at the last exception in the debugger, or run a statement there.",
                false, false},
        {"psearch", MAGIC_LINE, run_psearch, "Names that match a pattern.", false, false},
        {"tb", MAGIC_LINE, run_tb, "The last traceback.", false, false},
        {NULL, 0, NULL, NULL, false, false},
};

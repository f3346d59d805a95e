// SPDX-License-Identifier: MIT
// Running a cell: transformed source to code, code in the user's namespace, and the
// reply.
#include "kernel/python/execute/py_execute.h"
#include "kernel/python/execute/py_cell_code.h"
#include "kernel/python/execute/py_cell_source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/cells/cell_file.h"
#include "kernel/cells/transform.h"
#include "kernel/python/display/py_display.h"
#include "kernel/python/state/py_state.h"
#include "kernel/python/state/py_magic_table.h"
#include "kernel/python/state/py_text.h"

// ---- source

static bool is_automagic(const char *name, void *data)
{
    struct shell *shell = shell_get();
    PyObject *value = NULL;
    bool is_variable = py_dict_get_text(shell->user_ns, name, &value) > 0;
    Py_XDECREF(value);
    py_error_drop();
    return shell->switches[SWITCH_AUTOMAGIC] && !is_variable &&
           magic_exists(MAGIC_LINE, name);
}

// The user's own functions, and builtins; attributes are looked at one by one.
static bool is_called(const char *name, bool has_rest, void *data)
{
    struct shell *shell = shell_get();
    if (shell->switches[SWITCH_AUTOCALL] < (has_rest ? 1 : 2))
        return false;
    PyObject *value = PyRun_String(name, Py_eval_input, shell->user_ns, shell->user_ns);
    bool is_callable = value && PyCallable_Check(value);
    py_error_drop();
    Py_XDECREF(value);
    return is_callable;
}

// The code of the macro that a cell consists of the name of; NULL: it is no such cell.
static PyObject *macro_text(PyObject *cell, const char *code, size_t len)
{
    while (len > 0 && isspace((unsigned char)code[len - 1]))
        len--;
    if (len == 0 || len > 80 || memchr(code, ' ', len) || memchr(code, '\n', len) ||
            !PyUnicode_IsIdentifier(cell))
        return NULL;
    PyObject *value = NULL, *text = NULL;
    if (py_dict_get(shell_get()->user_ns, cell, &value) > 0 &&
            str_ends_with(Py_TYPE(value)->tp_name, "Macro"))
        text = PyObject_GetAttrString(value, "value");
    if (text && !PyUnicode_Check(text))
        Py_CLEAR(text);
    py_error_drop();
    Py_XDECREF(value);
    return text;
}

PyObject *execute_transform(PyObject *cell)
{
    static const struct transform_options options = {is_automagic, is_called, NULL};
    Py_ssize_t len;
    const char *code = PyUnicode_AsUTF8AndSize(cell, &len);
    if (!code)
        return NULL;
    PyObject *macro = macro_text(cell, code, (size_t)len);
    if (macro) {
        PyObject *source = execute_transform(macro);
        Py_DECREF(macro);
        return source;
    }
    // NULs in the cell keep the text as it is, so that its length survives
    if (memchr(code, '\0', (size_t)len))
        return Py_NewRef(cell);
    PyObject *clean = hooks_clean_text(cell);
    code = clean ? PyUnicode_AsUTF8AndSize(clean, &len) : NULL;
    char *source = code ? transform_cell(code, (size_t)len, &options) : NULL;
    PyObject *text = source ? py_text(source, strlen(source)) : NULL;
    free(source);
    Py_XDECREF(clean);
    if (text)
        Py_SETREF(text, hooks_finish_text(text));
    return text;
}

// The entry that linecache keeps of a file without a time stamp: (size, None, lines,
// name).
static PyObject *source_entry(PyObject *source, PyObject *file_name)
{
    Py_ssize_t len = PyUnicode_GET_LENGTH(source);
    bool is_ended = len > 0 && PyUnicode_READ_CHAR(source, len - 1) == '\n';
    PyObject *whole = is_ended ? Py_NewRef(source) : PyUnicode_FromFormat("%U\n", source);
    PyObject *lines = whole ? PyUnicode_Splitlines(whole, 1) : NULL;
    PyObject *entry = lines ? Py_BuildValue("(nOOO)", PyUnicode_GET_LENGTH(whole),
                                      Py_None, lines, file_name)
                            : NULL;
    Py_XDECREF(lines);
    Py_XDECREF(whole);
    return entry;
}

static void tell_linecache(PyObject *file_name, PyObject *entry)
{
    PyObject *linecache = py_loaded_module("linecache");
    PyObject *cache = linecache ? PyObject_GetAttrString(linecache, "cache") : NULL;
    if (cache)
        PyObject_SetItem(cache, file_name, entry);
    py_error_drop();
    Py_XDECREF(cache);
    Py_XDECREF(linecache);
}

int execute_keep_source(PyObject *source, PyObject *file_name)
{
    PyObject *entry = source_entry(source, file_name);
    int status = entry ? PyDict_SetItem(shell_get()->cell_sources, file_name, entry) : -1;
    if (!status)
        tell_linecache(file_name, entry);
    Py_XDECREF(entry);
    return status;
}

static PyObject *register_source(PyObject *raw, PyObject *source, int number)
{
    struct shell *shell = shell_get();
    Py_ssize_t len;
    PyObject *holder;
    const char *utf8 = py_utf8(raw, &len, &holder);
    if (!utf8)
        return NULL;
    char path[CELL_FILE_SIZE];
    cell_file_name(path, utf8, (size_t)len);
    PyObject *name = PyUnicode_FromString(path);
    Py_DECREF(holder);
    PyObject *entry = name ? source_entry(source, name) : NULL;
    PyObject *count = PyLong_FromLong(number);
    bool is_ok = entry && count &&
                 PyDict_SetItem(shell->cell_sources, name, entry) == 0 &&
                 PyDict_SetItem(shell->cell_numbers, name, count) == 0;
    if (is_ok) {
        tell_linecache(name, entry);
        cell_file_note(path, number);
    }
    Py_XDECREF(count);
    Py_XDECREF(entry);
    if (!is_ok)
        Py_CLEAR(name);
    return name;
}

// ---- code

PyObject *execute_compile(
        PyObject *source_or_ast, PyObject *file_name, const char *mode, int flags)
{
    enum { MOST_TRIES = 4 };
    PyObject *compile = py_import_attr("builtins", "compile"), *code = NULL;
    // CPython 3.11 counts the depth of all trees that threads make together, and takes
    // one of another thread for a fault of this one: a SystemError, of which the text is
    // not
    bool again = compile != NULL;
    for (int tries = 0; again && tries < MOST_TRIES; tries++) {
        py_error_drop();
        code = PyObject_CallFunction(
                compile, "OOsii", source_or_ast, file_name, mode, flags, 1);
        again = !code && PyErr_ExceptionMatches(PyExc_SystemError);
    }
    Py_XDECREF(compile);
    return code;
}

PyObject *execute_code(PyObject *code, PyObject *ns)
{
    bool is_coroutine =
            ((PyCodeObject *)code)->co_flags & (CO_COROUTINE | CO_ASYNC_GENERATOR);
    bool has_entered = !is_coroutine && async_enter();
    PyObject *result = PyEval_EvalCode(code, ns, ns);
    async_leave(has_entered);
    if (result && is_coroutine)
        Py_SETREF(result, async_run(result));
    return result;
}

static int run_cell_code(const struct cell_code *cell, PyObject *ns, PyObject **value)
{
    PyObject *result = NULL;
    if (!cell_get()->has_begun) // else it is code that the cell runs
        interp_raise_again();
    cell_get()->has_begun = true;
    if (cell->body && !(result = execute_code(cell->body, ns)))
        return -1;
    Py_CLEAR(result);
    if (cell->last && !(result = execute_code(cell->last, ns)))
        return -1;
    if (value)
        *value = result ? result : Py_NewRef(Py_None);
    else
        Py_XDECREF(result);
    return 0;
}

int execute_source(PyObject *source, PyObject *file_name, PyObject *ns, PyObject **value)
{
    Py_ssize_t len;
    PyObject *holder = NULL;
    const char *utf8 = py_utf8(source, &len, &holder);
    int flags = shell_get()->compiler_flags, status = -1;
    struct cell_code cell = {0};
    if (!utf8)
        goto done;
    if (shell_get()->switches[SWITCH_AUTOAWAIT] && async_is_wanted(utf8, (size_t)len))
        flags |= PyCF_ALLOW_TOP_LEVEL_AWAIT;
    bool is_compiled = cell_code_compile(&cell, source, file_name, value != NULL, flags);
    cell_source_follow(file_name, cell.body, cell.last);
    if (!is_compiled)
        goto done;
    // a running loop is part of the notebook contract as soon as asyncio plays a part
    if (memmem(utf8, (size_t)len, "asyncio", 7)) {
        PyObject *asyncio = PyImport_ImportModule("asyncio");
        Py_XDECREF(asyncio);
        py_error_drop();
    }
    status = run_cell_code(&cell, ns, value);
done:
    cell_code_finish(&cell);
    Py_XDECREF(holder);
    return status;
}

static bool ends_with_semicolon(PyObject *source)
{
    Py_ssize_t len;
    PyObject *holder = NULL;
    const char *utf8 = py_utf8(source, &len, &holder);
    bool ends = utf8 && transform_ends_with_semicolon(utf8, (size_t)len);
    py_error_drop();
    Py_XDECREF(holder);
    return ends;
}

int execute_nested(PyObject *cell, PyObject **value)
{
    struct shell *shell = shell_get();
    PyObject *source = execute_transform(cell);
    PyObject *file_name =
            source ? register_source(cell, source, cell_get()->number) : NULL;
    bool displays = cell_get()->displays_results;
    if (file_name && !value && ends_with_semicolon(source))
        cell_get()->displays_results = false;
    int status =
            file_name ? execute_source(source, file_name, shell->user_ns, value) : -1;
    cell_get()->displays_results = displays;
    Py_XDECREF(file_name);
    Py_XDECREF(source);
    return status;
}

// ---- requests

struct request {
    PyObject *raw, *source; // source is NULL until transformed
    const char *cell_id;    // the front end's name of the cell; may be NULL
    bool is_silent, is_stored, is_blank;
    int number; // the execution count that messages of this request show
};

static bool is_blank(PyObject *text)
{
    for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(text); i++) {
        if (!Py_UNICODE_ISSPACE(PyUnicode_READ_CHAR(text, i)))
            return false;
    }
    return true;
}

static void read_request(json_t *content, struct request *request)
{
    struct shell *shell = shell_get();
    const json_t *code = json_object_get(content, "code");
    const json_t *store = json_object_get(content, "store_history");
    const char *text = json_is_string(code) ? json_string_value(code) : "";
    request->raw = py_text(text, json_is_string(code) ? json_string_length(code) : 0);
    request->is_silent = json_is_true(json_object_get(content, "silent"));
    request->is_blank = !request->raw || is_blank(request->raw);
    request->is_stored =
            !request->is_silent && !request->is_blank && !json_is_false(store);
    // counted at once: a subshell's cell may begin before this one ends
    if (request->is_stored)
        shell->execution_count++;
    request->number = shell->execution_count - 1;
    cell_get()->is_counted = request->is_stored;
    cell_get()->number = request->number;
    cell_get()->keeps_results = request->is_stored;
    cell_get()->inner_count = 0;
}

static void publish_input(const struct request *request)
{
    int shown = request->is_blank ? shell_get()->execution_count : request->number;
    json_t *content = json_object();
    json_object_set_new(content, "code", py_text_to_json(request->raw));
    json_object_set_new(content, "execution_count", json_integer(shown));
    output_publish("execute_input", content, NULL, NULL, 0);
}

static int run_source(struct request *request)
{
    struct shell *shell = shell_get();
    request->source = execute_transform(request->raw);
    if (request->is_stored)
        history_add(request->raw, request->source ? request->source : request->raw,
                request->number);
    if (!request->source)
        return -1;
    PyObject *file_name = register_source(request->raw, request->source, request->number);
    cell_get()->displays_results =
            file_name && !request->is_silent && !ends_with_semicolon(request->source);
    int status =
            file_name ? execute_source(request->source, file_name, shell->user_ns, NULL)
                      : -1;
    Py_XDECREF(file_name);
    return status;
}

// A cell within another one begins: a stored one counts by itself.
struct outer_cell execute_enter_inner(bool is_stored)
{
    struct cell *cell = cell_get();
    struct outer_cell outer = {cell->number, cell->displays_results, cell->keeps_results};
    if (is_stored && !cell->hands_over) {
        cell->inner_count += cell->is_counted;
        cell->number = shell_get()->execution_count++;
    }
    cell->hands_over = false;
    cell->keeps_results = is_stored;
    Py_XSETREF(cell->shown, NULL);
    return outer;
}

void execute_leave_inner(const struct outer_cell *outer)
{
    struct cell *cell = cell_get();
    cell->number = outer->number;
    cell->displays_results = outer->displays_results;
    cell->keeps_results = outer->keeps_results;
}

int execute_inner(PyObject *raw, bool is_silent, bool is_stored, PyObject *numbers)
{
    struct outer_cell outer = execute_enter_inner(is_stored);
    struct request request = {.raw = raw,
            .source = NULL,
            .cell_id = NULL,
            .is_silent = is_silent,
            .is_stored = is_stored,
            .is_blank = false,
            .number = cell_get()->number};
    PyObject *count = PyLong_FromLong(request.number);
    int status = count ? PyList_Append(numbers, count) : -1;
    Py_XDECREF(count);
    if (status == 0)
        status = run_source(&request);
    execute_leave_inner(&outer);
    Py_XDECREF(request.source);
    return status;
}

static void tell_shell(const char *event, PyObject *details_stolen)
{
    shell_event(event, details_stolen ? details_stolen : Py_None);
    Py_XDECREF(details_stolen);
}

// Runs what belongs to the end of every cell; its own errors are reported, and keep to
// themselves.
static void finish_cell(const struct request *request, bool has_failed)
{
    figures_show();
    if (PyErr_Occurred())
        json_decref(traceback_report(true));
    shell_event("post_execute", NULL);
    PyObject *exception = has_failed ? shell_get()->exception : NULL;
    if (!request->is_silent)
        tell_shell("post_run_cell", Py_BuildValue("(OO)", exception ? exception : Py_None,
                                            cell_get()->has_begun ? Py_True : Py_False));
}

// %pdb: the debugger opens where the error happened.
static void debug_failure(void)
{
    if (!shell_get()->switches[SWITCH_PDB])
        return;
    PyObject *done = py_call_module("gridcell.ipython.debugging", "post_mortem", NULL);
    if (!done)
        json_decref(traceback_report(true));
    Py_XDECREF(done);
}

static json_t *finish_replaced(void)
{
    json_t *failure = PyErr_Occurred() ? traceback_report(false) : NULL;
    cell_get()->hands_over = false;
    cell_get()->displays_results = true;
    debug_finish_cell();
    figures_show();
    if (PyErr_Occurred())
        json_decref(traceback_report(true));
    return failure;
}

static json_t *run_request(struct request *request)
{
    json_t *failure = NULL;
    if (real_ipython_is_used()) {
        if (request->is_stored)
            history_add(request->raw, request->raw, request->number);
        return real_ipython_run(request->raw, request->is_stored, request->is_silent);
    }
    cell_get()->has_begun = false;
    Py_XSETREF(cell_get()->shown, NULL);
    cell_get()->hands_over = request->is_stored;
    if (hooks_run(request->raw, request->is_stored, request->is_silent))
        return finish_replaced();
    cell_get()->hands_over = false;
    shell_event("pre_execute", NULL);
    if (!request->is_silent)
        tell_shell("pre_run_cell",
                Py_BuildValue("(OOOz)", request->raw,
                        request->is_stored ? Py_True : Py_False,
                        request->is_silent ? Py_True : Py_False, request->cell_id));
    int status = run_source(request);
    fork_end_child();
    if (status < 0) {
        failure = hooks_report_failure();
        debug_failure();
    }
    cell_get()->displays_results = true;
    debug_finish_cell();
    finish_cell(request, failure != NULL);
    return failure;
}

static json_t *evaluate_expression(const char *expression)
{
    PyObject *ns = shell_get()->user_ns;
    PyObject *value = PyRun_StringFlags(expression, Py_eval_input, ns, ns, NULL);
    PyObject *data = NULL, *metadata = NULL;
    if (value && display_format(value, NULL, NULL, &data, &metadata) == 0) {
        json_t *data_json = py_to_json(data), *metadata_json = py_to_json(metadata);
        py_error_drop();
        Py_XDECREF(data);
        Py_XDECREF(metadata);
        Py_DECREF(value);
        return json_pack("{ss so so}", "status", "ok", "data",
                data_json && json_is_object(data_json) ? data_json : json_object(),
                "metadata", metadata_json ? metadata_json : json_object());
    }
    Py_XDECREF(data);
    Py_XDECREF(metadata);
    Py_XDECREF(value);
    enum traceback_mode mode = shell_get()->traceback_mode;
    shell_get()->traceback_mode = TRACEBACK_MINIMAL;
    json_t *failure = traceback_report(false);
    shell_get()->traceback_mode = mode;
    json_object_set_new(failure, "status", json_string("error"));
    return failure;
}

static json_t *evaluate_expressions(const json_t *expressions)
{
    json_t *results = json_object();
    const char *name;
    json_t *expression;
    json_object_foreach((json_t *)expressions, name, expression)
    {
        if (json_is_string(expression))
            json_object_set_new(
                    results, name, evaluate_expression(json_string_value(expression)));
    }
    return results;
}

static json_t *take_payload(void)
{
    json_t *payload = py_to_json(cell_get()->payload);
    py_error_drop();
    PyList_SetSlice(cell_get()->payload, 0, PyList_GET_SIZE(cell_get()->payload), NULL);
    return payload ? payload : json_array();
}

static json_t *make_reply(
        const struct request *request, json_t *failure, const json_t *expressions)
{
    json_t *reply = failure ? failure : json_object();
    json_object_set_new(reply, "status", json_string(failure ? "error" : "ok"));
    json_object_set_new(reply, "execution_count", json_integer(request->number));
    json_object_set_new(reply, "user_expressions",
            failure ? json_object() : evaluate_expressions(expressions));
    json_object_set_new(reply, "payload", take_payload());
    return reply;
}

json_t *interp_execute(json_t *content, json_t *metadata)
{
    struct request request = {0};
    interp_enter();
    // one that came while nothing ran, or in vain, must not hit this cell
    interp_forget_interrupts();
    interp_set_running(true); // before the front end hears of it, and can interrupt it
    read_request(content, &request);
    request.cell_id = json_string_value(json_object_get(metadata, "cellId"));
    if (!request.is_silent)
        publish_input(&request);
    json_t *failure = request.is_blank ? NULL : run_request(&request);
    json_t *reply =
            make_reply(&request, failure, json_object_get(content, "user_expressions"));
    interp_set_running(false);
    cell_get()->is_counted = false;
    py_error_drop();
    recursion_finish_cell();
    Py_XSETREF(cell_get()->shown, NULL);
    output_flush();
    Py_XDECREF(request.raw);
    Py_XDECREF(request.source);
    interp_leave();
    return reply;
}

bool execute_init(void)
{
    struct shell *shell = shell_get();
    shell->cell_sources = PyDict_New();
    shell->cell_numbers = PyDict_New();
    bool has_sources = cell_source_init();
    cell_get()->payload = PyList_New(0);
    shell->execution_count = 1;
    cell_get()->displays_results = true;
    static const enum shell_switch on[] = {
            SWITCH_AUTOMAGIC, SWITCH_AUTOAWAIT, SWITCH_PPRINT};
    for (size_t i = 0; i < sizeof on / sizeof *on; i++)
        shell->switches[on[i]] = 1;
    shell->switches[SWITCH_MAX_ITEMS] = 1000;
    shell->switches[SWITCH_MAX_WIDTH] = 79;
    return has_sources && shell->cell_sources && shell->cell_numbers &&
           cell_get()->payload;
}

// SPDX-License-Identifier: MIT
// `gridcell run`: a script or a notebook in this process, without any Jupyter package.
#include "kernel/python/state/py_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/python/display/py_display.h"
#include "kernel/python/execute/py_execute.h"
#include "kernel/python/state/py_text.h"
#include "kernel/tool/notebook.h"

static int complain(const char *what, const char *detail)
{
    fprintf(stderr, "gridcell: %s%s%s\n", what, detail ? ": " : "", detail ? detail : "");
    return 2;
}

static bool set_arguments(int argc, char **argv)
{
    PyObject *list = PyList_New(0);
    bool is_ok = list != NULL;
    for (int i = 0; is_ok && i < argc; i++) {
        PyObject *argument = PyUnicode_DecodeFSDefault(argv[i]);
        is_ok = argument && PyList_Append(list, argument) == 0;
        Py_XDECREF(argument);
    }
    is_ok = is_ok && PySys_SetObject("argv", list) == 0;
    Py_XDECREF(list);
    return is_ok;
}

// The folder of the script comes first on sys.path, as with python3 itself.
static void set_script_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    PyObject *folder = PyUnicode_DecodeFSDefaultAndSize(path, slash ? slash - path : 0);
    PyObject *paths = PySys_GetObject("path"); // borrowed: only changed here
    if (folder && paths)
        PyList_SetItem(paths, 0, Py_NewRef(folder));
    py_error_drop();
    Py_XDECREF(folder);
}

static void report_uncaught(void)
{
    json_decref(traceback_report(true));
}

// ---- scripts

// Python source as it is; a .ipy file may use magics and shell escapes.
static int run_script(const char *path)
{
    struct shell *shell = shell_get();
    struct str bytes = {0};
    bool is_read = str_append_file(&bytes, path);
    PyObject *file_name = PyUnicode_DecodeFSDefault(path);
    bool is_python = !str_ends_with(path, ".ipy");
    PyObject *text =
            !is_read    ? NULL
            : is_python ? PyBytes_FromStringAndSize(bytes.text, (Py_ssize_t)bytes.len)
                        : py_text(str_text(&bytes), bytes.len);
    PyObject *source = text && !is_python ? execute_transform(text) : Py_XNewRef(text);
    if (source && !is_python && execute_keep_source(source, file_name) < 0)
        Py_CLEAR(source);
    PyObject *code = source ? execute_compile(source, file_name, "exec", 0) : NULL;
    PyObject *result = NULL;
    PyDict_SetItemString(shell->user_ns, "__file__", file_name);
    if (code)
        result = PyEval_EvalCode(code, shell->user_ns, shell->user_ns);
    int status = execute_exit_status(report_uncaught);
    figures_show();
    py_drop(result, code, source, text, file_name);
    str_finish(&bytes);
    return status;
}

// ---- notebooks

// Pages that a front end would show, as help texts.
static void print_pages(const json_t *reply)
{
    size_t i;
    const json_t *entry;
    json_array_foreach(json_object_get(reply, "payload"), i, entry)
    {
        const json_t *text =
                json_object_get(json_object_get(entry, "data"), "text/plain");
        if (!json_is_string(text))
            continue;
        output_stream(STREAM_STDOUT, json_string_value(text), json_string_length(text));
        output_stream(STREAM_STDOUT, "\n", 1);
    }
}

// Runs one code cell; false when it failed and may not.
static bool run_cell(const json_t *cell)
{
    size_t len;
    char *source = notebook_cell_source(cell, &len);
    json_t *content = json_pack("{so sb sb}", "code", json_text(source, len), "silent", 0,
            "store_history", 1);
    json_t *reply = interp_execute(content, NULL);
    const char *status = json_string_value(json_object_get(reply, "status"));
    bool is_ok = (status && !strcmp(status, "ok")) || notebook_may_raise(cell);
    print_pages(reply);
    json_decref(reply);
    json_decref(content);
    free(source);
    return is_ok;
}

// Which cells failed, by their place among the code cells.
static int tell_failures(const struct str *failed, int failed_count, int count)
{
    fprintf(stderr, "gridcell: %d of %d code cells failed:%s\n", failed_count, count,
            str_text(failed));
    return 1;
}

static int run_notebook(const char *path, bool allows_errors)
{
    struct notebook notebook;
    struct error err = {0};
    if (!notebook_read(&notebook, path, &err))
        return complain(err.message, NULL);
    struct str failed = {0};
    int failed_count = 0, count = 0, status = 0;
    size_t i;
    const json_t *cell;
    json_array_foreach(notebook.cells, i, cell)
    {
        if (!notebook_is_code(cell))
            continue;
        count++;
        if (run_cell(cell))
            continue;
        status = 1;
        if (!allows_errors)
            break;
        failed_count++;
        str_printf(&failed, " %d", count);
    }
    if (failed_count)
        status = tell_failures(&failed, failed_count, count);
    str_finish(&failed);
    notebook_finish(&notebook);
    return status;
}

int interp_run_file(int argc, char **argv, const struct run_options *run)
{
    if (argc < 1)
        return complain("run: which file?", NULL);
    bool is_notebook = str_ends_with(argv[0], ".ipynb");
    if (run->allows_errors && !is_notebook)
        return complain("--allow-errors is for notebooks, which have cells", argv[0]);
    FILE *file = fopen(argv[0], "rb");
    if (!file)
        return complain("cannot open", argv[0]);
    fclose(file);
    output_use_terminal();
    struct interp_options options = {0};
    struct error err = {0};
    if (!interp_start(&options, &err))
        return complain(err.message, NULL);
    interp_enter();
    interp_set_running(true);
    bool is_ok = set_arguments(argc, argv);
    if (!is_notebook)
        set_script_folder(argv[0]);
    int status = !is_ok ? 1 : is_notebook ? 0 : run_script(argv[0]);
    interp_leave();
    if (is_ok && is_notebook)
        status = run_notebook(argv[0], run->allows_errors);
    interp_stop();
    return status;
}

// SPDX-License-Identifier: MIT
// Files, folders and the environment: %%writefile, %cd, %pwd, %env, %run.
#include "kernel/py_magics.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/py_shell.h"

static PyObject *expand_user(PyObject *path)
{
    return py_call_module("os.path", "expanduser", "(O)", path);
}

static PyObject *strip_quotes(PyObject *text)
{
    Py_ssize_t len = PyUnicode_GET_LENGTH(text);
    if (len < 2)
        return Py_NewRef(text);
    Py_UCS4 first = PyUnicode_READ_CHAR(text, 0),
            last = PyUnicode_READ_CHAR(text, len - 1);
    if (first == last && (first == '"' || first == '\''))
        return PyUnicode_Substring(text, 1, len - 1);
    return Py_NewRef(text);
}

static PyObject *path_of(PyObject *text)
{
    PyObject *plain = strip_quotes(text), *path = plain ? expand_user(plain) : NULL;
    Py_XDECREF(plain);
    return path;
}

// ---- %%writefile

static PyObject *write_text(const char *path, const char *mode, PyObject *body)
{
    Py_ssize_t len;
    PyObject *holder;
    const char *text = py_utf8(body, &len, &holder);
    if (!text)
        return NULL;
    FILE *file = fopen(path, mode);
    bool is_ok = file && fwrite(text, 1, (size_t)len, file) == (size_t)len;
    int saved = errno;
    if (file && fclose(file) != 0)
        is_ok = false;
    Py_DECREF(holder);
    if (is_ok)
        Py_RETURN_NONE;
    errno = saved;
    return PyErr_SetFromErrnoWithFilename(PyExc_OSError, path);
}

static PyObject *run_writefile(const char *name, PyObject *line, PyObject *body)
{
    struct magic_options options = {0};
    PyObject *target = NULL, *result = NULL;
    if (!magic_parse(name, line, "a", &options))
        return NULL;
    if (PyUnicode_GET_LENGTH(options.rest) == 0)
        py_usage_error("the following arguments are required: filename");
    else
        target = path_of(options.rest);
    const char *path = target ? PyUnicode_AsUTF8(target) : NULL;
    if (path) {
        bool appends = magic_has(&options, 'a'), is_there = access(path, F_OK) == 0;
        py_print("%s %s\n",
                is_there && appends ? "Appending to"
                : is_there          ? "Overwriting"
                                    : "Writing",
                path);
        result = write_text(path, appends ? "a" : "w", body);
    }
    Py_XDECREF(target);
    magic_options_finish(&options);
    return result;
}

// ---- %cd, %pwd

static PyObject *current_folder(void)
{
    return py_call_module("os", "getcwd", NULL);
}

static PyObject *run_pwd(const char *name, PyObject *line, PyObject *body)
{
    return current_folder();
}

// The folder that `%cd line` means.
static PyObject *cd_target(PyObject *text)
{
    PyObject *directories = shell_get()->directories;
    Py_ssize_t count = PyList_GET_SIZE(directories);
    if (PyUnicode_GET_LENGTH(text) == 0)
        return py_call_module("os.path", "expanduser", "(s)", "~");
    const char *utf8 = PyUnicode_AsUTF8(text);
    if (!utf8)
        return NULL;
    if (!strcmp(utf8, "-")) {
        if (count < 2)
            return py_usage_error("%%cd -: No previous directory to change to.");
        return py_list_get(directories, count - 2);
    }
    char *end;
    long number = utf8[0] == '-' ? strtol(utf8 + 1, &end, 10) : -1;
    if (utf8[0] == '-' && !*end && number >= 0) {
        if (number >= count)
            return py_usage_error("Requested directory does not exist in history.");
        return py_list_get(directories, (Py_ssize_t)number);
    }
    return path_of(text);
}

static PyObject *run_cd(const char *name, PyObject *line, PyObject *body)
{
    const char *text = PyUnicode_AsUTF8(line);
    bool is_quiet = text && str_starts_with(text, "-q");
    PyObject *rest = is_quiet ? PyUnicode_FromString(text + 2 + strspn(text + 2, " "))
                              : Py_XNewRef(line);
    PyObject *target = rest && text ? cd_target(rest) : NULL;
    PyObject *done = target ? py_call_module("os", "chdir", "(O)", target) : NULL;
    bool is_refused = target && !done && PyErr_ExceptionMatches(PyExc_OSError);
    if (is_refused) {
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        PyErr_NormalizeException(&type, &value, &traceback);
        PyObject *message = value ? PyObject_Str(value) : NULL;
        py_print("%s\n", message ? PyUnicode_AsUTF8(message) : "");
        Py_XDECREF(message);
        Py_XDECREF(type);
        Py_XDECREF(value);
        Py_XDECREF(traceback);
    }
    PyObject *here = done ? current_folder() : NULL;
    if (here)
        PyList_Append(shell_get()->directories, here);
    if (here && !is_quiet)
        py_print("%s\n", PyUnicode_AsUTF8(here));
    bool is_ok = here || is_refused;
    Py_XDECREF(here);
    Py_XDECREF(done);
    Py_XDECREF(target);
    Py_XDECREF(rest);
    return is_ok ? Py_NewRef(Py_None) : NULL;
}

// ---- %env

static bool looks_secret(PyObject *key)
{
    static const char *const words[] = {"key", "token", "secret"};
    PyObject *lower = py_call_method(key, "lower", NULL);
    const char *text = lower ? PyUnicode_AsUTF8(lower) : NULL;
    bool is_secret = false;
    for (int i = 0; text && i < 3; i++)
        is_secret |= strstr(text, words[i]) != NULL;
    PyErr_Clear();
    Py_XDECREF(lower);
    return is_secret;
}

static PyObject *all_variables(PyObject *variables)
{
    PyObject *all = PyObject_CallOneArg((PyObject *)&PyDict_Type, variables);
    PyObject *keys = all ? PyDict_Keys(all) : NULL,
             *hidden = PyUnicode_FromString("<hidden>");
    for (Py_ssize_t i = 0; keys && hidden && i < PyList_GET_SIZE(keys); i++) {
        PyObject *key = PyList_GET_ITEM(keys, i); // borrowed: keys is ours
        if (looks_secret(key) && PyDict_SetItem(all, key, hidden) < 0)
            Py_CLEAR(all);
    }
    Py_XDECREF(hidden);
    Py_XDECREF(keys);
    return all;
}

static PyObject *get_variable(PyObject *variables, PyObject *key)
{
    PyObject *value = PyObject_GetItem(variables, key);
    if (!value && PyErr_ExceptionMatches(PyExc_KeyError)) {
        PyErr_Clear();
        return py_usage_error("Environment does not have key: %s", PyUnicode_AsUTF8(key));
    }
    return value;
}

static PyObject *set_variable(
        PyObject *variables, const char *key, size_t key_len, const char *value)
{
    PyObject *name = py_text(key, key_len), *raw = PyUnicode_FromString(value);
    PyObject *text = raw ? magic_expand(raw) : NULL;
    int status = name && text ? PyObject_SetItem(variables, name, text) : -1;
    if (status == 0)
        py_print("env: %s=%s\n", PyUnicode_AsUTF8(name), PyUnicode_AsUTF8(text));
    Py_XDECREF(text);
    Py_XDECREF(raw);
    Py_XDECREF(name);
    return status < 0 ? NULL : Py_NewRef(Py_None);
}

static PyObject *run_env(const char *name, PyObject *line, PyObject *body)
{
    PyObject *variables = py_import_attr("os", "environ"), *result = NULL;
    const char *text = variables ? PyUnicode_AsUTF8(line) : NULL;
    if (text) {
        size_t equals = strcspn(text, "="), blank = strcspn(text, " ");
        size_t key_len = equals < blank ? equals : blank;
        if (!*text)
            result = all_variables(variables);
        else if (!text[key_len])
            result = get_variable(variables, line);
        else
            result = set_variable(variables, text, key_len,
                    text + key_len + 1 + strspn(text + key_len + 1, " "));
    }
    Py_XDECREF(variables);
    return result;
}

// ---- %run

static PyObject *run_run(const char *name, PyObject *line, PyObject *body)
{
    return py_call_module("gridcell.ipython.running", "run_file", "(O)", line);
}

static PyObject *run_load(const char *name, PyObject *line, PyObject *body)
{
    return py_call_module("gridcell.ipython.running", "load_file", "(O)", line);
}

const struct magic magics_files[] = {
        {"writefile", MAGIC_CELL, run_writefile, "Write the cell to a file; -a appends.",
                true, true},
        {"file", MAGIC_CELL, run_writefile, "Write the cell to a file; -a appends.", true,
                true},
        {"cd", MAGIC_LINE, run_cd,
                "Change the working folder; `-` goes back, -q is silent.", true, false},
        {"pwd", MAGIC_LINE, run_pwd, "The working folder.", false, false},
        {"env", MAGIC_LINE, run_env, "Get, set or list environment variables.", false,
                false},
        {"set_env", MAGIC_LINE, run_env, "Set environment variables.", false, false},
        {"run", MAGIC_LINE, run_run,
                "Run a script or notebook: -i in this namespace, -n, -m, -t.", true,
                false},
        {"load", MAGIC_LINE, run_load, "Put a file's text into the cell.", true, false},
        {NULL, 0, NULL, NULL, false, false},
};

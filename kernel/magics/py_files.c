// SPDX-License-Identifier: MIT
// Files, folders and the environment: %%writefile, %cd, %pwd, %env, %run.
#include "kernel/magics/py_magics.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/python/state/py_state.h"
#include "kernel/python/state/py_text.h"

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

// A name with blanks stands in quotes, or has backslashes before them.
static bool check_one_word(PyObject *text)
{
    const char *utf8 = PyUnicode_AsUTF8(text);
    if (!utf8)
        return false;
    const char *end = *utf8 == '"' || *utf8 == '\'' ? strchr(utf8 + 1, *utf8) : NULL;
    const char *blank = end ? end + 1 : utf8 + strcspn(utf8, " \\");
    if (*blank == ' ')
        py_usage_error("unrecognized arguments: %s", blank + strspn(blank, " "));
    return *blank != ' ';
}

static PyObject *run_writefile(const char *name, PyObject *line, PyObject *body)
{
    struct magic_options options = {0};
    PyObject *target = NULL, *result = NULL;
    if (!magic_parse(name, line, "a", &options))
        return NULL;
    if (PyUnicode_GET_LENGTH(options.rest) == 0)
        py_usage_error("the following arguments are required: filename");
    else if (check_one_word(options.rest))
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

// `-`, `-3`, `--text`: a folder that was visited.
static PyObject *cd_from_history(const char *text)
{
    PyObject *directories = shell_get()->directories;
    Py_ssize_t count = PyList_GET_SIZE(directories);
    if (text[1] == '-') {
        PyObject *found =
                py_call_module("gridcell.ipython.folders", "matching", "(s)", text + 2);
        if (found == Py_None) {
            Py_DECREF(found);
            return py_usage_error("No matching entry in directory history");
        }
        return found;
    }
    char *end;
    long back = strtol(text + 1, &end, 10);
    long number = text[1] ? back : (long)count - 2;
    if (*end)
        return NULL;
    if (text[1] && (number < 0 || number >= count)) {
        py_print("The requested directory does not exist in history.\n");
        return Py_NewRef(Py_None);
    }
    if (number < 0)
        return py_usage_error("%%cd -: No previous directory to change to.");
    return py_list_get(directories, (Py_ssize_t)number);
}

// A folder by path; one that does not exist may be a bookmark's name.
static PyObject *cd_by_name(PyObject *text)
{
    PyObject *path = path_of(text), *marked = NULL;
    const char *utf8 = path ? PyUnicode_AsUTF8(path) : NULL;
    if (utf8 && access(utf8, F_OK) != 0)
        marked = py_call_module(
                "gridcell.ipython.folders", "bookmarked", "(OO)", text, Py_False);
    if (marked && marked != Py_None)
        Py_XSETREF(path, Py_NewRef(marked));
    Py_XDECREF(marked);
    if (PyErr_Occurred())
        Py_CLEAR(path);
    return path;
}

// The folder that `%cd line` means.
static PyObject *cd_target(PyObject *text)
{
    const char *utf8 = PyUnicode_AsUTF8(text);
    if (!utf8)
        return NULL;
    if (!*utf8)
        return py_call_module("os.path", "expanduser", "(s)", "~");
    if (str_starts_with(utf8, "-b")) {
        const char *name = utf8 + 2 + strspn(utf8 + 2, " ");
        return py_call_module(
                "gridcell.ipython.folders", "bookmarked", "(sO)", name, Py_True);
    }
    if (utf8[0] == '-') {
        PyObject *folder = cd_from_history(utf8);
        if (folder || PyErr_Occurred())
            return folder;
    }
    return cd_by_name(text);
}

static void print_refusal(void)
{
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

// `-q` before or behind the folder.
static PyObject *without_quiet(PyObject *line, bool *is_quiet)
{
    const char *text = PyUnicode_AsUTF8(line);
    if (!text)
        return NULL;
    size_t len = strlen(text);
    if (!strcmp(text, "-q") || str_starts_with(text, "-q ")) {
        *is_quiet = true;
        text += 2 + strspn(text + 2, " ");
        return PyUnicode_FromString(text);
    }
    *is_quiet = len > 3 && str_ends_with(text, " -q");
    while (*is_quiet && len > 0 && (len > strlen(text) - 3 || text[len - 1] == ' '))
        len--;
    return py_text(text, len);
}

static void note_folder(void)
{
    PyObject *here = current_folder();
    if (!here || PyList_Append(shell_get()->directories, here) < 0)
        py_error_drop();
    Py_XDECREF(here);
}

// Whether the configuration asks %cd to say nothing.
static bool is_always_quiet(void)
{
    PyObject *quiet = shell_get()->instance
                              ? py_call_module("gridcell.ipython.settings", "configured",
                                        "(sss)", "OSMagics", "cd_force_quiet", "")
                              : NULL;
    bool is_quiet = quiet && PyObject_IsTrue(quiet) == 1;
    py_error_drop();
    Py_XDECREF(quiet);
    return is_quiet;
}

static PyObject *run_cd(const char *name, PyObject *line, PyObject *body)
{
    bool is_quiet = false;
    PyObject *rest = without_quiet(line, &is_quiet);
    PyObject *target = rest ? cd_target(rest) : NULL;
    bool is_unknown = target == Py_None;                // which has been said
    if (PyList_GET_SIZE(shell_get()->directories) == 0) // %reset dhist took it
        note_folder();
    PyObject *done = target && !is_unknown ? py_call_module("os", "chdir", "(O)", target)
                                           : Py_XNewRef(target);
    bool is_refused = target && !done && PyErr_ExceptionMatches(PyExc_OSError);
    if (is_refused)
        print_refusal();
    PyObject *here = done || is_refused ? current_folder() : NULL;
    if (here && done && !is_unknown)
        PyList_Append(shell_get()->directories, here);
    if (here && !is_quiet && !is_unknown && !is_always_quiet())
        py_print("%s\n", PyUnicode_AsUTF8(here));
    bool is_ok = here != NULL;
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
    py_error_drop();
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
        py_error_drop();
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

// `K = V`, `K=V` or `K V`.
static PyObject *assign_variable(PyObject *variables, const char *text)
{
    size_t key_len = strcspn(text, "= "), blanks = strspn(text + key_len, " ");
    const char *value = text + key_len + blanks;
    if (*value == '=') {
        value++;
        value += strspn(value, " ");
    } else if (strchr(text, '=')) {
        return py_usage_error("refusing to set env var with whitespace: '%s'",
                text + strcspn(text, "=") + 1);
    }
    return set_variable(variables, text, key_len, value);
}

static PyObject *run_env(const char *name, PyObject *line, PyObject *body)
{
    PyObject *variables = py_import_attr("os", "environ"), *result = NULL;
    const char *text = variables ? PyUnicode_AsUTF8(line) : NULL;
    if (text && !*text)
        result = all_variables(variables);
    else if (text && !strpbrk(text, "= "))
        result = get_variable(variables, line);
    else if (text)
        result = assign_variable(variables, text);
    Py_XDECREF(variables);
    return result;
}

static PyObject *run_set_env(const char *name, PyObject *line, PyObject *body)
{
    const char *text = PyUnicode_AsUTF8(line);
    if (text && !strpbrk(text, "= "))
        return py_usage_error("usage is 'set_env var=val'");
    return text ? run_env(name, line, body) : NULL;
}

const struct magic magics_files[] = {
        {"writefile", MAGIC_CELL, run_writefile, "Write the cell to a file; -a appends.",
                true, true},
        {"file", MAGIC_CELL, run_writefile, "Write the cell to a file; -a appends.", true,
                true},
        {"cd", MAGIC_LINE, run_cd,
                "Change the working folder: %cd [FOLDER | - | -N | --TEXT | -b BOOKMARK] "
                "[-q]; `-` goes back, -q is silent.",
                true, false},
        {"pwd", MAGIC_LINE, run_pwd, "The working folder.", false, false},
        {"env", MAGIC_LINE, run_env, "Get, set or list environment variables.", false,
                false},
        {"set_env", MAGIC_LINE, run_set_env, "Set environment variables.", false, false},
        {NULL, 0, NULL, NULL, false, false},
};

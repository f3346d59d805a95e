// SPDX-License-Identifier: MIT
// Shell escapes and the magics that run other programs: !cmd, x = !cmd, %%bash, %%script,
// %pip.
#include "kernel/magics/py_magics.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/magics/py_processes.h"
#include "kernel/process/child.h"
#include "kernel/python/state/py_state.h"
#include "kernel/python/state/py_text.h"

// ---- output while it comes

enum { CHUNK_BYTES = 262144, CARRY_BYTES = 4 };

// Where one stream of a child goes: to the cell's output, or into a text.
struct sink {
    const char *stream;      // "stdout" or "stderr"; NULL: only collected
    struct str *collected;   // NULL: only written
    char carry[CARRY_BYTES]; // the start of a character whose rest has not come yet
    size_t carried;
};

// How many bytes at the end of `text` are the start of an unfinished UTF-8 sequence.
static size_t unfinished_tail(const char *text, size_t len)
{
    for (size_t back = 1; back <= 3 && back <= len; back++) {
        unsigned char c = (unsigned char)text[len - back];
        if ((c & 0xC0) == 0x80)
            continue;
        size_t needed = c >= 0xF0 ? 4 : c >= 0xE0 ? 3 : c >= 0xC0 ? 2 : 1;
        return needed > back ? back : 0;
    }
    return 0;
}

static void sink_write(struct sink *sink, char *buffer, size_t len)
{
    if (sink->collected)
        str_append_bytes(sink->collected, buffer, len);
    if (!sink->stream)
        return;
    struct str text = {0};
    str_append_bytes(&text, sink->carry, sink->carried);
    str_append_bytes(&text, buffer, len);
    sink->carried = unfinished_tail(str_text(&text), text.len);
    memcpy(sink->carry, str_text(&text) + text.len - sink->carried, sink->carried);
    py_write_stream(sink->stream, str_text(&text), text.len - sink->carried);
    str_finish(&text);
}

// Runs signal handlers; an interrupt goes to the child, twice kills it. False: another
// exception.
static bool pass_interrupt(struct child *child, int *interrupts)
{
    if (PyErr_CheckSignals() == 0)
        return true;
    if (!PyErr_ExceptionMatches(PyExc_KeyboardInterrupt))
        return false;
    PyErr_Clear(); // answered: the child gets it
    interp_note_interrupt();
    if (++*interrupts > 1)
        child_kill(child);
    else
        child_interrupt(child);
    return true;
}

static bool follow(
        struct child *child, struct sink *output, struct sink *errors, int *interrupts)
{
    char *buffer = malloc(CHUNK_BYTES);
    enum child_event event = CHILD_QUIET;
    bool is_ok = buffer || PyErr_NoMemory();
    while (is_ok && event != CHILD_ENDED) {
        size_t len = 0;
        Py_BEGIN_ALLOW_THREADS;
        event = child_read(child, buffer, CHUNK_BYTES, &len);
        Py_END_ALLOW_THREADS;
        if (event == CHILD_OUTPUT)
            sink_write(output, buffer, len);
        else if (event == CHILD_ERRORS)
            sink_write(errors, buffer, len);
        is_ok = pass_interrupt(child, interrupts);
    }
    if (!is_ok)
        child_kill(child);
    free(buffer);
    return is_ok;
}

bool process_run(const struct child_options *options, const char *output_stream_name,
        struct process_result *result)
{
    struct child child;
    struct error err = {0};
    struct sink output = {.stream = output_stream_name, .collected = result->output};
    struct sink errors = {
            .stream = result->errors ? NULL : "stderr", .collected = result->errors};
    output_flush();
    if (!child_start(&child, options, &err)) {
        py_raise(&err);
        return false;
    }
    bool is_ok = follow(&child, &output, &errors, &result->interrupts);
    Py_BEGIN_ALLOW_THREADS;
    result->exit_code = child_finish(&child);
    Py_END_ALLOW_THREADS;
    return is_ok;
}

// ---- !cmd

static const char *shell_program(void)
{
    const char *shell = getenv("SHELL");
    return shell && *shell ? shell : "sh";
}

static bool set_exit_code(int code)
{
    PyObject *number = PyLong_FromLong(code);
    int status = number ? PyDict_SetItemString(shell_get()->user_ns, "_exit_code", number)
                        : -1;
    Py_XDECREF(number);
    return status == 0;
}

static bool ends_with_ampersand(const char *command)
{
    size_t len = strlen(command);
    while (len > 0 && isspace((unsigned char)command[len - 1]))
        len--;
    return len > 0 && command[len - 1] == '&';
}

PyObject *process_system(PyObject *command)
{
    PyObject *expanded = magic_expand(command);
    const char *text = expanded ? PyUnicode_AsUTF8(expanded) : NULL;
    struct process_result result = {0};
    bool is_ok = text != NULL;
    if (is_ok && ends_with_ampersand(text)) {
        PyErr_SetString(PyExc_OSError, "Background processes not supported.");
        is_ok = false;
    }
    if (is_ok) {
        const char *argv[] = {shell_program(), "-c", text, NULL};
        struct child_options options = {.argv = argv, .uses_terminal = true};
        is_ok = process_run(&options, "stdout", &result) &&
                set_exit_code(result.exit_code);
    }
    Py_XDECREF(expanded);
    return is_ok ? Py_NewRef(Py_None) : NULL;
}

// Lines of the collected output as the list-like SList.
static PyObject *make_lines(const struct str *output)
{
    PyObject *text = py_text(str_text(output), output->len);
    PyObject *lines = text ? PyUnicode_Splitlines(text, 0) : NULL;
    PyObject *list =
            lines ? py_call_module("gridcell.ipython.slist", "SList", "(O)", lines)
                  : NULL;
    Py_XDECREF(lines);
    Py_XDECREF(text);
    return list;
}

PyObject *process_output(PyObject *command)
{
    PyObject *expanded = magic_expand(command), *lines = NULL;
    const char *text = expanded ? PyUnicode_AsUTF8(expanded) : NULL;
    struct str output = {0};
    struct process_result result = {.output = &output};
    if (text) {
        const char *argv[] = {shell_program(), "-c", text, NULL};
        struct child_options options = {.argv = argv, .merges_errors = true};
        if (process_run(&options, NULL, &result) && set_exit_code(result.exit_code))
            lines = make_lines(&output);
    }
    str_finish(&output);
    Py_XDECREF(expanded);
    return lines;
}

static PyObject *run_sx(const char *name, PyObject *line, PyObject *body)
{
    if (!body)
        return process_output(line);
    PyObject *command = PyUnicode_GET_LENGTH(line)
                                ? PyUnicode_FromFormat("%U\n%U", line, body)
                                : Py_NewRef(body);
    PyObject *lines = command ? process_output(command) : NULL;
    Py_XDECREF(command);
    return lines;
}

// ---- %%bash, %%script

struct script {
    PyObject *words; // the program and its arguments
    // --out, --err, --proc: variables; NULL: none
    PyObject *output_name, *errors_name, *process_name;
    bool ignores_failure, is_background;
};

static void script_finish(struct script *script)
{
    Py_CLEAR(script->words);
    Py_CLEAR(script->output_name);
    Py_CLEAR(script->errors_name);
    Py_CLEAR(script->process_name);
}

static bool is_word(PyObject *word, const char *text)
{
    return PyUnicode_CompareWithASCIIString(word, text) == 0;
}

// The variable that an option's next word names.
static PyObject **named_by(struct script *script, PyObject *word)
{
    if (is_word(word, "--out"))
        return &script->output_name;
    if (is_word(word, "--err"))
        return &script->errors_name;
    return is_word(word, "--proc") ? &script->process_name : NULL;
}

// Takes our own options out of the words, before and behind the program.
static bool read_script_options(struct script *script)
{
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(script->words);) {
        PyObject *word = py_list_get(script->words, i);
        PyObject **name = named_by(script, word);
        Py_ssize_t used = 1;
        if (is_word(word, "--no-raise-error"))
            script->ignores_failure = true;
        else if (is_word(word, "--bg"))
            script->is_background = true;
        else
            used = 0;
        Py_DECREF(word);
        if (name && i + 1 >= PyList_GET_SIZE(script->words))
            return py_usage_error("the last option of the line needs a name");
        if (name) {
            Py_XSETREF(*name, py_list_get(script->words, i + 1));
            used = 2;
        }
        if (used == 0)
            i++;
        else if (PyList_SetSlice(script->words, i, i + used, NULL) < 0)
            return false;
    }
    return true;
}

static bool read_script(struct script *script, const char *program, PyObject *line)
{
    script->words = magic_split(line);
    if (!script->words || !read_script_options(script))
        return false;
    PyObject *first = program ? PyUnicode_FromString(program) : NULL;
    bool is_ok = !program || (first && PyList_Insert(script->words, 0, first) == 0);
    Py_XDECREF(first);
    return is_ok;
}

static bool store_text(PyObject *name, const struct str *text)
{
    PyObject *value = py_text(str_text(text), text->len);
    int status = value ? PyDict_SetItem(shell_get()->user_ns, name, value) : -1;
    Py_XDECREF(value);
    return status == 0;
}

static PyObject *raise_failure(PyObject *body, int exit_code)
{
    PyObject *class = py_import_attr("subprocess", "CalledProcessError");
    PyObject *bytes = PyUnicode_AsUTF8String(body);
    PyObject *error =
            class && bytes ? PyObject_CallFunction(class, "iO", exit_code, bytes) : NULL;
    if (error)
        PyErr_SetObject(class, error);
    Py_XDECREF(error);
    Py_XDECREF(bytes);
    Py_XDECREF(class);
    return NULL;
}

static bool check_script_end(const struct script *script, const char *const *argv,
        PyObject *body, const struct process_result *result)
{
    if (result->interrupts) {
        py_print("Process was interrupted.\n");
    } else if (result->exit_code == 127 && !strchr(argv[0], '/')) {
        PyObject *found = py_call_module("shutil", "which", "(s)", argv[0]);
        bool is_missing = found == Py_None;
        Py_XDECREF(found);
        py_error_drop();
        if (is_missing) {
            py_print("Couldn't find program: '%s'\n", argv[0]);
            return true;
        }
    }
    if (result->exit_code != 0 && !script->ignores_failure) {
        raise_failure(body, result->exit_code);
        return false;
    }
    return true;
}

static PyObject *run_program(
        const struct script *script, const char **argv, PyObject *body)
{
    struct str output = {0}, errors = {0};
    struct process_result result = {.output = script->output_name ? &output : NULL,
            .errors = script->errors_name ? &errors : NULL};
    Py_ssize_t len;
    const char *input = PyUnicode_AsUTF8AndSize(body, &len);
    struct child_options options = {
            .argv = argv, .input = input, .input_len = (size_t)len};
    bool is_ok = input &&
                 process_run(&options, script->output_name ? NULL : "stdout", &result);
    if (is_ok && script->output_name)
        is_ok = store_text(script->output_name, &output);
    if (is_ok && script->errors_name)
        is_ok = store_text(script->errors_name, &errors);
    is_ok = is_ok && check_script_end(script, argv, body, &result);
    str_finish(&errors);
    str_finish(&output);
    return is_ok ? Py_NewRef(Py_None) : NULL;
}

static PyObject *none_if_null(PyObject *object)
{
    return object ? object : Py_None;
}

static PyObject *start_background(const struct script *script, PyObject *body)
{
    return py_call_module("gridcell.ipython.scripts", "start", "(OOOOO)", script->words,
            body, none_if_null(script->output_name), none_if_null(script->errors_name),
            none_if_null(script->process_name));
}

static PyObject *run_script_with(const char *program, PyObject *line, PyObject *body)
{
    struct script script = {0};
    PyObject *result = NULL;
    if (read_script(&script, program, line)) {
        Py_ssize_t count = PyList_GET_SIZE(script.words);
        const char **argv = PyMem_Calloc((size_t)count + 1, sizeof *argv);
        bool is_ok = argv != NULL;
        for (Py_ssize_t i = 0; is_ok && i < count; i++) {
            PyObject *word = PyList_GET_ITEM(script.words, i); // borrowed: words is ours
            argv[i] = PyUnicode_AsUTF8(word);
            is_ok = argv[i] != NULL;
        }
        if (is_ok && count > 0 && script.is_background)
            result = start_background(&script, body);
        else if (is_ok && count > 0)
            result = run_program(&script, argv, body);
        else if (is_ok)
            py_usage_error("%%%%script needs the name of a program");
        PyMem_Free(argv);
    }
    script_finish(&script);
    return result;
}

static PyObject *run_named(const char *name, PyObject *line, PyObject *body)
{
    return run_script_with(name, line, body);
}

static PyObject *run_script(const char *name, PyObject *line, PyObject *body)
{
    return run_script_with(NULL, line, body);
}

static PyObject *run_python(const char *name, PyObject *line, PyObject *body)
{
    PyObject *executable = PySys_GetObject("executable"); // borrowed: only read here
    const char *path = executable ? PyUnicode_AsUTF8(executable) : NULL;
    return path ? run_script_with(path, line, body) : NULL;
}

// ---- %pip

static PyObject *run_pip(const char *name, PyObject *line, PyObject *body)
{
    PyObject *executable = PySys_GetObject("executable"); // borrowed: only read here
    PyObject *command =
            executable ? PyUnicode_FromFormat("'%U' -m pip %U", executable, line) : NULL;
    PyObject *result = command ? process_system(command) : NULL;
    if (result)
        py_print("Note: you may need to restart the kernel to use updated packages.\n");
    Py_XDECREF(command);
    return result;
}

// Commands of the shell under their own names: %ls, %cat, %mkdir... %l is the line.
static PyObject *run_alias(const char *name, PyObject *line, PyObject *body)
{
    static const char *const commands[][3] = {{"ls", "ls -F --color", ""},
            {"ll", "ls -F -o --color", ""}, {"lf", "ls -F -o --color", "| grep ^-"},
            {"lk", "ls -F -o --color", "| grep ^l"},
            {"lx", "ls -F -o --color", "| grep ^-..x"},
            {"ldir", "ls -F -o --color", "| grep /$"}, {"cat", "cat", ""},
            {"cp", "cp", ""}, {"mv", "mv", ""}, {"rm", "rm", ""}, {"mkdir", "mkdir", ""},
            {"rmdir", "rmdir", ""}};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(commands[i][0], name))
            continue;
        PyObject *command =
                PyUnicode_FromFormat("%s %U %s", commands[i][1], line, commands[i][2]);
        PyObject *result = command ? process_system(command) : NULL;
        Py_XDECREF(command);
        return result;
    }
    return py_usage_error("no such alias: %s", name);
}

#define ALIAS(name, doc)                                                                 \
    {                                                                                    \
        name, MAGIC_LINE, run_alias, doc, false, false                                   \
    }

const struct magic magics_shell[] = {
        {"bash", MAGIC_CELL, run_named, "Run the cell in bash.", true, false},
        {"sh", MAGIC_CELL, run_named, "Run the cell in sh.", true, false},
        {"perl", MAGIC_CELL, run_named, "Run the cell in perl.", true, false},
        {"ruby", MAGIC_CELL, run_named, "Run the cell in ruby.", true, false},
        {"python", MAGIC_CELL, run_python, "Run the cell in a new Python process.", true,
                false},
        {"python3", MAGIC_CELL, run_python, "Run the cell in a new Python process.", true,
                false},
        {"script", MAGIC_CELL, run_script,
                "Run the cell as the input of a program: %%script [--out NAME] [--err "
                "NAME] [--bg] [--proc NAME] [--no-raise-error] PROGRAM ARGUMENTS.",
                true, false},
        {"pip", MAGIC_LINE, run_pip, "Run pip for the kernel's own environment.", false,
                false},
        {"sx", MAGIC_LINE | MAGIC_CELL, run_sx, "The output lines of a shell command.",
                false, false},
        {"!", MAGIC_LINE | MAGIC_CELL, run_sx, "The output lines of a shell command.",
                false, false},
        {"system", MAGIC_LINE | MAGIC_CELL, run_sx,
                "The output lines of a shell command.", false, false},
        ALIAS("ls", "List files."),
        ALIAS("ll", "List files with details."),
        ALIAS("lf", "List plain files with details."),
        ALIAS("lk", "List links with details."),
        ALIAS("lx", "List programs with details."),
        ALIAS("ldir", "List folders with details."),
        ALIAS("cat", "Print files."),
        ALIAS("cp", "Copy files."),
        ALIAS("mv", "Move files."),
        ALIAS("rm", "Remove files."),
        ALIAS("mkdir", "Make folders."),
        ALIAS("rmdir", "Remove folders."),
        {NULL, 0, NULL, NULL, false, false},
};

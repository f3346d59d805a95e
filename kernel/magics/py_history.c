// SPDX-License-Identifier: MIT
// %history, and the text of earlier cells for the magics that take `1-3 ~2/5`: %save,
// %macro, %rerun...
#include "kernel/magics/py_magics.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/history/history.h"
#include "kernel/history/history_ranges.h"
#include "kernel/python/state/py_state.h"
#include "kernel/python/state/py_text.h"

// ---- rows, as history_ask() has them

static json_t *ask(const struct history_query *query)
{
    json_t *rows;
    Py_BEGIN_ALLOW_THREADS;
    rows = history_ask(query);
    Py_END_ALLOW_THREADS;
    return rows;
}

// Lines of this session as they were typed: these are at hand without the store.
static void append_inputs(json_t *rows, const struct history_query *query)
{
    PyObject *inputs = shell_get()->inputs;
    Py_ssize_t count = PyList_GET_SIZE(inputs);
    long long stop = query->stop && query->stop < count ? query->stop : count;
    for (long long i = query->start > 1 ? query->start : 1; i < stop; i++) {
        PyObject *input = py_list_get(inputs, (Py_ssize_t)i), *holder = NULL;
        Py_ssize_t len;
        const char *text = input ? py_utf8(input, &len, &holder) : NULL;
        if (text)
            json_array_append_new(rows, history_row(0, i, text, NULL, query));
        Py_XDECREF(holder);
        Py_XDECREF(input);
        py_error_drop();
    }
}

static json_t *rows_of_ranges(const char *text, const struct history_query *model)
{
    struct history_ranges ranges = {0};
    json_t *rows = json_array();
    history_ranges_parse(&ranges, text);
    vec_each (range, &ranges.list) {
        struct history_query query = *model;
        query.access = HISTORY_RANGE;
        query.session = range->session;
        query.start = range->start;
        query.stop = range->stop;
        if (query.session == 0 && query.is_raw && !query.wants_output) {
            append_inputs(rows, &query);
            continue;
        }
        json_t *found = ask(&query);
        json_array_extend(rows, found);
        json_decref(found);
    }
    history_ranges_finish(&ranges);
    return rows;
}

static const char *input_of(const json_t *row)
{
    const json_t *third = json_array_get(row, 2);
    const json_t *text = json_is_array(third) ? json_array_get(third, 0) : third;
    const char *input = json_string_value(text);
    return input ? input : "";
}

PyObject *magic_history_text(const char *ranges, bool is_raw)
{
    struct history_query query = {.is_raw = is_raw, .count = -1};
    json_t *rows = rows_of_ranges(ranges, &query), *row;
    struct str text = {0};
    size_t i;
    json_array_foreach(rows, i, row)
    {
        if (i > 0)
            str_append_char(&text, '\n');
        str_append(&text, input_of(row));
    }
    PyObject *result = i > 0 ? py_text(str_text(&text), text.len) : Py_NewRef(Py_None);
    str_finish(&text);
    json_decref(rows);
    return result;
}

// ---- %history

struct layout {
    bool shows_numbers, shows_prompts, shows_outputs;
    long long session; // the number of this session: its lines go without it
};

static void append_number(struct str *out, const json_t *row, const struct layout *layout,
        bool is_multiline)
{
    long long session = json_integer_value(json_array_get(row, 0)),
              line = json_integer_value(json_array_get(row, 1));
    char label[64];
    if (session == 0 || session == layout->session)
        snprintf(label, sizeof label, "%lld", line);
    else
        snprintf(label, sizeof label, "%lld/%lld", session, line);
    str_printf(out, "%4s:%c", label, is_multiline ? '\n' : ' ');
}

// With the blanks at its end cut off and tabs widened to columns of four.
static void append_code(struct str *out, const char *text, size_t len, bool has_prompts)
{
    size_t column = 0;
    if (has_prompts)
        str_append(out, ">>> ");
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '\t') {
            do
                str_append_char(out, ' ');
            while (++column % 4);
            continue;
        }
        str_append_char(out, text[i]);
        column = text[i] == '\n' ? 0 : column + 1;
        if (text[i] == '\n' && has_prompts)
            str_append(out, "... ");
    }
    if (has_prompts && memchr(text, '\n', len))
        str_append(out, "\n...");
    str_append_char(out, '\n');
}

static void append_row(struct str *out, const json_t *row, const struct layout *layout)
{
    const char *input = input_of(row);
    size_t len = strlen(input);
    while (len > 0 && strchr(" \t\r\n", input[len - 1]))
        len--;
    if (layout->shows_numbers)
        append_number(out, row, layout, memchr(input, '\n', len) != NULL);
    append_code(out, input, len, layout->shows_prompts);
    const json_t *both = json_array_get(row, 2);
    const char *output =
            layout->shows_outputs ? json_string_value(json_array_get(both, 1)) : NULL;
    if (output && *output)
        str_printf(out, "%s\n", output);
}

static bool may_overwrite(PyObject *file_name, const struct magic_options *options)
{
    const char *path = PyUnicode_AsUTF8(file_name);
    if (!path || magic_has(options, 'y') || access(path, F_OK) != 0)
        return path != NULL;
    PyObject *question = PyUnicode_FromFormat("File %R exists. Overwrite? ", file_name);
    PyObject *answer = question ? input_line(question, false) : NULL;
    const char *text = answer ? PyUnicode_AsUTF8(answer) : NULL;
    bool is_yes = text && (*text == 'y' || *text == 'Y');
    if (text && !is_yes)
        py_print("Aborting.\n");
    Py_XDECREF(answer);
    Py_XDECREF(question);
    return is_yes;
}

static bool write_file(PyObject *name, const struct str *text)
{
    PyObject *target = py_call_module("os.path", "expanduser", "(O)", name);
    const char *path = target ? PyUnicode_AsUTF8(target) : NULL;
    FILE *file = path ? fopen(path, "w") : NULL;
    bool is_ok = file && fwrite(str_text(text), 1, text->len, file) == text->len;
    if (file && fclose(file) != 0)
        is_ok = false;
    if (path && !is_ok)
        PyErr_SetFromErrnoWithFilename(PyExc_OSError, path);
    Py_XDECREF(target);
    return is_ok;
}

// The last entries without the cell that asks.
static json_t *rows_before_this(struct history_query *query, long count)
{
    query->access = HISTORY_TAIL;
    query->count = count + 1;
    json_t *rows = ask(query);
    if (json_array_size(rows) > 0)
        json_array_remove(rows, json_array_size(rows) - 1);
    return rows;
}

static json_t *find_rows(const struct magic_options *options, struct history_query *query)
{
    const char *rest = PyUnicode_AsUTF8(options->rest);
    if (!rest)
        return NULL;
    if (magic_has(options, 'g')) {
        struct str pattern = {0};
        str_printf(&pattern, "*%s*", rest);
        query->access = HISTORY_SEARCH;
        query->is_unique = magic_has(options, 'u');
        query->pattern = str_text(&pattern);
        query->count = magic_integer(options, 'l', -1);
        json_t *rows = ask(query);
        str_finish(&pattern);
        return rows;
    }
    if (magic_has(options, 'l'))
        return rows_before_this(query, magic_integer(options, 'l', 10));
    return rows_of_ranges(*rest ? rest : "~0/", query);
}

// `-l` may stand without its number, which the options' grammar cannot say.
static PyObject *complete_limit(PyObject *line)
{
    const char *text = PyUnicode_AsUTF8(line), *end = text;
    struct str whole = {0};
    if (!text)
        return NULL;
    for (const char *found = strstr(text, "-l"); found; found = strstr(found + 2, "-l")) {
        const char *next = found + 2 + strspn(found + 2, " ");
        bool starts_word = found == text || found[-1] == ' ';
        if (!starts_word || (*next >= '0' && *next <= '9'))
            continue;
        str_append_bytes(&whole, end, (size_t)(found + 2 - end));
        str_append(&whole, " 10");
        end = found + 2;
    }
    str_append(&whole, end);
    PyObject *result = py_text(str_text(&whole), whole.len);
    str_finish(&whole);
    return result;
}

// Options may stand behind ranges and patterns: they are put in front.
static PyObject *options_first(PyObject *line, const char *letters)
{
    const char *text = PyUnicode_AsUTF8(line);
    struct str options = {0}, words = {0};
    for (const char *p = text ? text + strspn(text, " ") : ""; *p; p += strspn(p, " ")) {
        size_t len = strcspn(p, " ");
        bool is_option = len > 1 && p[0] == '-' && p[1] >= 'a' && p[1] <= 'z';
        const char *last = is_option ? strchr(letters, p[len - 1]) : NULL;
        if (last && last[1] == ':') // its argument is a word by itself
            len += strspn(p + len, " ");
        if (last && last[1] == ':')
            len += strcspn(p + len, " ");
        str_append_bytes(is_option ? &options : &words, p, len);
        str_append_char(is_option ? &options : &words, ' ');
        p += len;
    }
    while (words.len > 0 && words.text[words.len - 1] == ' ')
        words.len--;
    str_append_bytes(&options, str_text(&words), words.len);
    PyObject *result = text ? py_text(str_text(&options), options.len) : NULL;
    str_finish(&words);
    str_finish(&options);
    return result;
}

static void show(const json_t *rows, const struct magic_options *options)
{
    const json_t *row;
    size_t i;
    struct layout layout = {
            .shows_numbers = magic_has(options, 'n') || magic_has(options, 'g'),
            .shows_prompts = magic_has(options, 'p'),
            .shows_outputs = magic_has(options, 'o'),
            .session = history_session()};
    struct str text = {0};
    json_array_foreach(rows, i, row)
    {
        append_row(&text, row, &layout);
    }
    if (magic_has(options, 'f'))
        write_file(options->values['f'], &text);
    else
        py_write_stream("stdout", str_text(&text), text.len);
    str_finish(&text);
}

static PyObject *run_history(const char *name, PyObject *line, PyObject *body)
{
    struct magic_options options = {0};
    static const char letters[] = "noptf:yxgl:u";
    PyObject *limited = complete_limit(line);
    PyObject *whole = limited ? options_first(limited, letters) : NULL;
    bool is_ok = whole && magic_parse(name, whole, letters, &options);
    py_drop(limited, whole);
    if (!is_ok)
        return NULL;
    struct history_query query = {.is_raw = !magic_has(&options, 't'),
            .wants_output = magic_has(&options, 'o'),
            .count = -1};
    bool goes_on =
            !magic_has(&options, 'f') || may_overwrite(options.values['f'], &options);
    json_t *rows = goes_on && !PyErr_Occurred() ? find_rows(&options, &query) : NULL;
    if (rows && !PyErr_Occurred())
        show(rows, &options);
    json_decref(rows);
    magic_options_finish(&options);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}

const struct magic magics_history[] = {
        {"history", MAGIC_LINE, run_history,
                "What was typed: %history [-n -o -p -t -g -u -y] [-l N] [-f FILE] "
                "[ranges].\n\n"
                "Ranges: 4, 1-3, 1:3 (without 3), ~2/ (two sessions ago), ~8/1-~6/5, "
                "243/1-5.\n"
                "-n line numbers, -o outputs, -p with prompts, -t as Python, -l N the "
                "last N,\n"
                "-g PATTERN search in all sessions, -u each text once, -f FILE write it "
                "there, -y without asking.",
                false, false},
        {"hist", MAGIC_LINE, run_history, "The same as %history.", false, false},
        {NULL, 0, NULL, NULL, false, false},
};

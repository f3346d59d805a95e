// SPDX-License-Identifier: MIT
// What was typed: In, _i, _ii..., and the answers to history requests.
#include "kernel/py_shell.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

struct history_entry {
    int line;
    char *raw, *source;
    char *output; // text/plain of the result; NULL: none
};

static struct {
    VEC(struct history_entry) entries;
    int session;
} history = {.session = 1};

static char *copy_text(PyObject *text)
{
    Py_ssize_t len;
    PyObject *holder;
    const char *utf8 = py_utf8(text, &len, &holder);
    char *copy = utf8 ? strndup(utf8, (size_t)len) : NULL;
    Py_XDECREF(holder);
    PyErr_Clear();
    return copy ? copy : strdup("");
}

static void set_previous_inputs(void)
{
    static const char *const names[] = {"_i", "_ii", "_iii"};
    struct shell *shell = shell_get();
    Py_ssize_t count = PyList_GET_SIZE(shell->inputs);
    for (int i = 0; i < 3; i++) {
        PyObject *text = count - 1 - i >= 0 ? py_list_get(shell->inputs, count - 1 - i)
                                            : PyUnicode_FromString("");
        if (text)
            PyDict_SetItemString(shell->user_ns, names[i], text);
        Py_XDECREF(text);
    }
}

void history_add(PyObject *raw, PyObject *source, int number)
{
    struct shell *shell = shell_get();
    struct history_entry entry = {number, copy_text(raw), copy_text(source), NULL};
    vec_push(&history.entries, entry);
    set_previous_inputs();
    char name[24];
    snprintf(name, sizeof name, "_i%d", number);
    PyDict_SetItemString(shell->user_ns, name, raw);
    PyList_Append(shell->inputs, raw);
    PyErr_Clear();
}

void history_add_output(int number, PyObject *text)
{
    if (history.entries.len == 0 || vec_last(&history.entries).line != number)
        return;
    struct history_entry *entry = &vec_last(&history.entries);
    free(entry->output);
    entry->output = PyUnicode_Check(text) ? copy_text(text) : NULL;
}

// ---- requests

struct history_query {
    bool wants_output, is_raw, is_unique;
    const char *pattern; // NULL: any
};

static const char *text_of(const struct history_entry *entry, bool is_raw)
{
    return is_raw ? entry->raw : entry->source;
}

static json_t *row_of(
        const struct history_entry *entry, const struct history_query *query)
{
    json_t *input = json_text(
            text_of(entry, query->is_raw), strlen(text_of(entry, query->is_raw)));
    if (!query->wants_output)
        return json_pack("[iio]", history.session, entry->line, input);
    json_t *output =
            entry->output ? json_text(entry->output, strlen(entry->output)) : json_null();
    return json_pack("[ii[oo]]", history.session, entry->line, input, output);
}

static bool occurs_later(size_t index, bool is_raw)
{
    const char *text = text_of(&history.entries.items[index], is_raw);
    for (size_t i = index + 1; i < history.entries.len; i++) {
        if (!strcmp(text, text_of(&history.entries.items[i], is_raw)))
            return true;
    }
    return false;
}

static bool matches(size_t index, const struct history_query *query)
{
    const char *text = text_of(&history.entries.items[index], query->is_raw);
    if (query->pattern && fnmatch(query->pattern, text, FNM_NOESCAPE))
        return false;
    return !query->is_unique || !occurs_later(index, query->is_raw);
}

// The last `count` matching entries in the order of their lines; count < 0: all.
static json_t *last_entries(const struct history_query *query, long long count)
{
    json_t *rows = json_array();
    for (size_t i = history.entries.len; i-- > 0 && count != 0;) {
        if (!matches(i, query))
            continue;
        json_array_insert_new(rows, 0, row_of(&history.entries.items[i], query));
        count--;
    }
    return rows;
}

static json_t *range_entries(const struct history_query *query, long long session,
        long long start, long long stop)
{
    json_t *rows = json_array();
    bool is_current = session == 0 || session == history.session;
    for (size_t i = 0; is_current && i < history.entries.len; i++) {
        int line = history.entries.items[i].line;
        if (line >= start && (stop <= 0 || line < stop))
            json_array_append_new(rows, row_of(&history.entries.items[i], query));
    }
    return rows;
}

static long long integer_or(const json_t *content, const char *key, long long otherwise)
{
    const json_t *value = json_object_get(content, key);
    return json_is_integer(value) ? json_integer_value(value) : otherwise;
}

json_t *interp_history(json_t *content)
{
    const char *access = json_string_value(json_object_get(content, "hist_access_type"));
    struct history_query query = {
            .wants_output = json_is_true(json_object_get(content, "output")),
            .is_raw = !json_is_false(json_object_get(content, "raw")),
    };
    json_t *rows;
    if (access && !strcmp(access, "range")) {
        rows = range_entries(&query, integer_or(content, "session", 0),
                integer_or(content, "start", 0), integer_or(content, "stop", 0));
    } else if (access && !strcmp(access, "search")) {
        query.pattern = json_string_value(json_object_get(content, "pattern"));
        query.is_unique = json_is_true(json_object_get(content, "unique"));
        rows = last_entries(&query, integer_or(content, "n", -1));
    } else {
        rows = last_entries(&query, integer_or(content, "n", -1));
    }
    return json_pack("{ss so}", "status", "ok", "history", rows);
}

bool history_init(void)
{
    struct shell *shell = shell_get();
    PyObject *empty = PyUnicode_FromString("");
    shell->inputs = empty ? Py_BuildValue("[O]", empty) : NULL;
    shell->outputs = PyDict_New();
    Py_XDECREF(empty);
    return shell->inputs && shell->outputs;
}

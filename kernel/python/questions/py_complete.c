// SPDX-License-Identifier: MIT
// Completion: what is being typed decides who is asked. Objects that exist answer first;
// where none is known, a static analysis by jedi may.
#include "kernel/python/questions/py_complete.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/python/questions/py_evaluate.h"
#include "kernel/python/questions/py_questions.h"
#include "kernel/python/state/py_magic_table.h"
#include "kernel/python/state/py_text.h"

// ---- matches

static void add_match(struct completion *completion, PyObject *name, const char *type,
        PyObject *signature, enum match_order order)
{
    PyObject *entry = signature ? Py_BuildValue("(isO)", (int)order, type, signature)
                                : Py_BuildValue("(iss)", (int)order, type, "");
    if (entry)
        PyDict_SetItem(completion->matches, name, entry);
    py_error_drop();
    Py_XDECREF(entry);
}

void match_add(struct completion *completion, PyObject *name, const char *type,
        PyObject *signature)
{
    add_match(completion, name, type, signature, MATCH_NAME);
}

void match_add_text(struct completion *completion, const char *name, const char *type,
        enum match_order order)
{
    PyObject *text = PyUnicode_DecodeFSDefault(name);
    if (text)
        add_match(completion, text, type, NULL, order);
    py_error_drop();
    Py_XDECREF(text);
}

bool match_fits(const struct completion *completion, PyObject *name, const char *prefix)
{
    const char *text = PyUnicode_Check(name) ? PyUnicode_AsUTF8(name) : NULL;
    py_error_drop();
    if (!text || !str_starts_with(text, prefix))
        return false;
    if (prefix[0] == '_' || completion->hidden == 0 || text[0] != '_')
        return true;
    return completion->hidden == 1 && !(text[1] == '_' && str_ends_with(text, "__"));
}

// ---- what is being typed

// Whether a key may begin there: after a bracket or a comma.
static bool is_key_place(const char *code, size_t place)
{
    while (place > 0 && (code[place - 1] == ' ' || code[place - 1] == '\n'))
        place--;
    return place > 0 && (code[place - 1] == '[' || code[place - 1] == ',');
}

static void complete_string(
        struct completion *completion, const char *code, const struct context *context)
{
    const char *typed = code + context->string;
    size_t bracket = context->bracket;
    size_t begin = context->string_begin, opening = context->string - begin;
    bool is_bytes = opening == 2 && (code[begin] == 'b' || code[begin] == 'B');
    bool may_be_key = bracket != CONTEXT_NONE && code[bracket] == '[' &&
                      (opening == 1 || is_bytes) && is_key_place(code, begin);
    completion->start = context->string;
    if (may_be_key &&
            match_keys(completion, code, bracket, typed, context->quote, is_bytes))
        return;
    match_files(completion, typed, false);
}

// True when the statement is an import, which then was completed.
static bool complete_import(struct completion *completion, const char *code,
        const struct context *context, size_t word)
{
    const char *statement = code + context->statement;
    bool is_from = str_starts_with(statement, "from ");
    if (!is_from && !str_starts_with(statement, "import "))
        return false;
    const char *import = is_from ? strstr(statement, " import ") : NULL;
    if (!import) {
        size_t start = word;
        while (start > context->statement &&
                (context_is_name_char(code[start - 1]) || code[start - 1] == '.'))
            start--;
        completion->start = start;
        if (code[start] == '.')
            return completion->may_go_on = true;
        match_modules(completion, code + start);
        return true;
    }
    const char *module = statement + 5 + strspn(statement + 5, " ");
    char *name = strndup(module, strcspn(module, " "));
    bool is_known = name && match_members(completion, name, code + word);
    completion->may_go_on = !is_known;
    free(name);
    return true;
}

static void complete_attribute(
        struct completion *completion, const char *code, size_t word)
{
    enum { LIMIT_MS = 250 };
    size_t dot = word - 1, start = context_expression_start(code, dot);
    char *owner = start < dot ? strndup(code + start, dot - start) : NULL;
    time_limit_begin(LIMIT_MS);
    PyObject *object = owner ? evaluate_safely(owner, code) : NULL;
    bool is_written = owner && match_written(completion, code, start, owner, object);
    bool is_late = time_limit_end();
    if (object && !is_written)
        match_attributes(completion, object, code + word);
    else if (!is_written)
        completion->may_go_on =
                owner && !is_late && !match_results(completion, owner, code + word);
    Py_XDECREF(object);
    free(owner);
}

static void complete_name(struct completion *completion, const char *code,
        const struct context *context, size_t word)
{
    enum { LIMIT_MS = 250 };
    const char *prefix = code + word;
    size_t bracket = context->bracket;
    bool has_keys = false;
    time_limit_begin(LIMIT_MS);
    if (bracket != CONTEXT_NONE && code[bracket] == '(' && bracket > 0)
        match_parameters(completion, code, bracket, prefix);
    if (bracket != CONTEXT_NONE && code[bracket] == '[' && bracket > 0 &&
            is_key_place(code, word))
        has_keys = match_keys(completion, code, bracket, prefix, '\0', false);
    time_limit_end();
    if (has_keys && !*prefix)
        return;
    match_names(completion, code, prefix);
    // a bare magic is one only as the first word of its cell
    if (word == 0 && context->statement == 0 && *prefix)
        match_magics(completion, prefix, 0);
}

// A statement that begins as no Python does, but as the path of a file.
static bool is_path(const char *statement)
{
    return (str_starts_with(statement, "/") || str_starts_with(statement, "./") ||
                   str_starts_with(statement, "../") ||
                   str_starts_with(statement, "~/")) &&
           !strpbrk(statement, " \t\n()");
}

static void complete_python(
        struct completion *completion, const char *code, const struct context *context)
{
    size_t word = context_name_start(code, strlen(code));
    completion->start = word;
    if (is_path(code + context->statement)) {
        completion->start = context->statement;
        match_files(completion, code + context->statement, false);
        return;
    }
    if (complete_import(completion, code, context, word))
        return;
    size_t before = word;
    if (before > 0 && code[before - 1] == '.')
        complete_attribute(completion, code, word);
    else
        complete_name(completion, code, context, word);
}

// `%cd fol`, also as a bare `cd fol` when cd is a magic and no variable.
static bool is_magic_line(const char *code, const struct context *context)
{
    const char *statement = code + context->statement;
    size_t len = strcspn(statement, " \t");
    if (context->is_escape)
        return true;
    if (context->statement > 0 || !statement[len] || strchr(statement, '='))
        return false;
    char *word = strndup(statement, len);
    bool is_command = word && magic_exists(MAGIC_LINE, word);
    PyObject *name = is_command ? py_text(statement, len) : NULL;
    bool is_free = name && PyDict_Contains(shell_get()->user_ns, name) == 0 &&
                   shell_get()->switches[SWITCH_AUTOMAGIC];
    free(word);
    py_error_drop();
    Py_XDECREF(name);
    return is_free;
}

// Lines with a percent sign: the name of the magic, its arguments, or Python behind it.
static void complete_magic_line(
        struct completion *completion, const char *code, const struct context *context)
{
    static const char *const takes_code[] = {"time", "timeit", "prun", "mprun", "memit",
            "lprun", "debug", "pinfo", "pinfo2", "psource", "pdoc", "who_ls"};
    const char *line = code + context->statement;
    size_t percents = strspn(line, "%"), len = strcspn(line + percents, " \t");
    const char *rest = line + percents + len;
    if (line[0] == '%' && !*rest) {
        completion->start = context->statement;
        match_magics(completion, line + percents, percents);
        return;
    }
    match_arguments(completion, line, strlen(code));
    bool is_option = code[completion->start] == '-';
    for (size_t i = 0; !is_option && i < sizeof takes_code / sizeof *takes_code; i++) {
        if (strlen(takes_code[i]) != len || strncmp(takes_code[i], line + percents, len))
            continue;
        struct context inside = context_find(rest, strlen(rest));
        struct completion other = *completion;
        PyDict_Clear(completion->matches);
        if (inside.string != CONTEXT_NONE)
            complete_string(&other, rest, &inside);
        else
            complete_python(&other, rest, &inside);
        completion->start = other.start + (size_t)(rest - code);
    }
}

// Fills the matches for the text up to the cursor, which `code` ends at.
static void complete(struct completion *completion, const char *code)
{
    struct context context = context_find(code, strlen(code));
    bool is_magic = is_magic_line(code, &context);
    if (match_symbols(completion, code, context.string != CONTEXT_NONE))
        return;
    if (is_magic)
        complete_magic_line(completion, code, &context);
    else if (context.is_comment)
        completion->start = strlen(code);
    else if (context.string != CONTEXT_NONE)
        complete_string(completion, code, &context);
    else
        complete_python(completion, code, &context);
}

// ---- settings and jedi

// How much `get_ipython().Completer.omit__names` hides; 2 when nobody has asked for it.
static int hidden_names(void)
{
    PyObject *module = py_loaded_module("gridcell.ipython.completing");
    PyObject *settings = module ? PyObject_GetAttrString(module, "settings") : NULL;
    PyObject *value = settings ? PyObject_GetAttrString(settings, "omit__names") : NULL;
    long hidden = value && PyLong_Check(value) ? PyLong_AsLong(value) : 2;
    py_error_drop();
    Py_XDECREF(value);
    Py_XDECREF(settings);
    Py_XDECREF(module);
    return (int)hidden;
}

static void ask_jedi(struct completion *completion, const char *code)
{
    PyObject *found =
            py_call_module("gridcell.ipython.completing", "analyse", "(s)", code);
    match_found(completion, found, code + context_name_start(code, strlen(code)));
}

// Completers of the user's (set_custom_completer, set_hook) add matches, and may let the
// range that is replaced begin elsewhere.
static void ask_users_completers(struct completion *completion, const char *code)
{
    PyObject *module = py_loaded_module("gridcell.ipython.custom_completers");
    if (!module)
        return;
    Py_DECREF(module);
    PyObject *start = py_call_module("gridcell.ipython.custom_completers", "extend",
            "(snO)", code, (Py_ssize_t)completion->start, completion->matches);
    Py_ssize_t value = start ? PyLong_AsSsize_t(start) : -1;
    if (value >= 0 && (size_t)value <= strlen(code))
        completion->start = (size_t)value;
    py_error_drop();
    Py_XDECREF(start);
}

// jedi takes a second to load: somebody who completes once may soon need it.
static void warm_up_jedi(void)
{
    Py_XDECREF(py_call_module("gridcell.ipython.completing", "warm_up", NULL));
    py_error_drop();
}

// ---- requests

static bool completion_init(struct completion *completion, size_t cursor)
{
    *completion = (struct completion){PyDict_New(), cursor, hidden_names(), false};
    return completion->matches != NULL;
}

static void find_matches(struct completion *completion, const char *code)
{
    complete(completion, code);
    if (completion->may_go_on)
        ask_jedi(completion, code);
    ask_users_completers(completion, code);
}

static json_t *type_entry(PyObject *name, PyObject *entry, long long start, long long end)
{
    PyObject *type = PyTuple_GET_ITEM(entry, 1);      // borrowed: entry lives on
    PyObject *signature = PyTuple_GET_ITEM(entry, 2); // borrowed: entry lives on
    return json_pack("{sI sI so so so}", "start", (json_int_t)start, "end",
            (json_int_t)end, "text", py_text_to_json(name), "type", py_text_to_json(type),
            "signature", py_text_to_json(signature));
}

// Private names last, letters before case; keys and parameters first of all.
static PyObject *sort_key(PyObject *name, PyObject *entry)
{
    const char *text = PyUnicode_AsUTF8(name);
    int private = text && text[0] == '_' ? 1 + (text[1] == '_') : 0;
    PyObject *lower = py_call_method(name, "lower", NULL);
    PyObject *key = lower ? Py_BuildValue("(OiOOO)", PyTuple_GET_ITEM(entry, 0), private,
                                    lower, name, entry)
                          : NULL;
    Py_XDECREF(lower);
    return key;
}

// List of (order, privacy, lower, name, entry).
static PyObject *sorted_matches(const struct completion *completion)
{
    PyObject *list = PyList_New(0), *items = PyDict_Items(completion->matches);
    for (Py_ssize_t i = 0; list && items && i < PyList_GET_SIZE(items); i++) {
        PyObject *item = PyList_GET_ITEM(items, i); // borrowed: items is ours
        PyObject *name = PyTuple_GET_ITEM(item, 0), *entry = PyTuple_GET_ITEM(item, 1);
        PyObject *key = sort_key(name, entry);
        if (!key || PyList_Append(list, key) < 0)
            py_error_drop();
        Py_XDECREF(key);
    }
    Py_XDECREF(items);
    if (list && PyList_Sort(list) < 0)
        py_error_drop();
    return list;
}

static json_t *make_reply(const struct completion *completion, const char *code)
{
    long long start = context_char_offset(code, completion->start),
              end = context_char_offset(code, strlen(code));
    PyObject *sorted = sorted_matches(completion);
    json_t *matches = json_array(), *types = json_array();
    for (Py_ssize_t i = 0; sorted && i < PyList_GET_SIZE(sorted); i++) {
        PyObject *item = PyList_GET_ITEM(sorted, i); // borrowed: sorted is ours
        PyObject *name = PyTuple_GET_ITEM(item, 3), *entry = PyTuple_GET_ITEM(item, 4);
        json_array_append_new(matches, py_text_to_json(name));
        json_array_append_new(types, type_entry(name, entry, start, end));
    }
    Py_XDECREF(sorted);
    return json_pack("{ss so sI sI s{so}}", "status", "ok", "matches", matches,
            "cursor_start", (json_int_t)start, "cursor_end", (json_int_t)end, "metadata",
            "_jupyter_types_experimental", types);
}

// The reply for code whose end is where the cursor is.
static json_t *answer(const char *typed)
{
    struct completion completion;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (completion_init(&completion, strlen(typed)))
        find_matches(&completion, typed);
    json_t *reply = make_reply(&completion, typed);
    Py_XDECREF(completion.matches);
    PyErr_Restore(type, value, traceback);
    return reply;
}

PyObject *complete_code(PyObject *self, PyObject *code)
{
    const char *typed = PyUnicode_Check(code) ? PyUnicode_AsUTF8(code) : NULL;
    if (!typed)
        return PyErr_Occurred() ? NULL
                                : PyErr_Format(PyExc_TypeError, "code must be a str");
    json_t *reply = answer(typed);
    PyObject *result = py_from_json(reply);
    json_decref(reply);
    return result;
}

json_t *complete_request(json_t *content)
{
    const char *code = json_string_value(json_object_get(content, "code"));
    const json_t *position = json_object_get(content, "cursor_pos");
    code = code ? code : "";
    size_t cursor = json_is_integer(position)
                            ? context_byte_offset(code, json_integer_value(position))
                            : strlen(code);
    char *typed = strndup(code, cursor);
    json_t *reply = answer(typed);
    free(typed);
    return reply;
}

static json_t *complete_and_warm_up(json_t *content)
{
    json_t *reply = complete_request(content);
    warm_up_jedi();
    return reply;
}

json_t *interp_complete(json_t *content)
{
    return interp_answer(complete_and_warm_up, content);
}

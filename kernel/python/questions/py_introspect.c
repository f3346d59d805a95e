// SPDX-License-Identifier: MIT
// Questions about code that is not run: is it complete, what is this name, what is the
// language.
#include "kernel/python/questions/py_questions.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/cells/context.h"
#include "kernel/cells/transform.h"
#include "kernel/python/questions/py_evaluate.h"
#include "kernel/python/state/py_state.h"
#include "kernel/python/state/py_text.h"

// ---- is_complete

static bool is_blank_line(const char *line, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if (!isspace((unsigned char)line[i]))
            return false;
    }
    return true;
}

// The last line that is not blank. *ends_blank: a blank line follows it.
static const char *last_line(const char *code, size_t *len, bool *ends_blank)
{
    const char *end = code + strlen(code), *start = end;
    *ends_blank = false;
    for (;;) {
        while (start > code && start[-1] != '\n')
            start--;
        if (!is_blank_line(start, (size_t)(end - start)) || start == code)
            break;
        *ends_blank = true;
        end = start - 1;
        start = end;
    }
    *len = (size_t)(end - start);
    return start;
}

static bool starts_with_word(const char *text, const char *word)
{
    size_t len = strlen(word);
    return !strncmp(text, word, len) && !isalnum((unsigned char)text[len]) &&
           text[len] != '_';
}

// The indentation that the next line should have.
static size_t next_indent(const char *line, size_t len)
{
    static const char *const closers[] = {"return", "raise", "pass", "break", "continue"};
    size_t indent = 0;
    while (indent < len && line[indent] == ' ')
        indent++;
    size_t end = len;
    while (end > 0 && isspace((unsigned char)line[end - 1]))
        end--;
    if (end > 0 && line[end - 1] == ':')
        return indent + 4;
    for (size_t i = 0; i < sizeof closers / sizeof *closers; i++) {
        if (indent >= 4 && starts_with_word(line + indent, closers[i]))
            return indent - 4;
    }
    return indent;
}

static json_t *completeness(const char *status)
{
    return json_pack("{ss}", "status", status);
}

static json_t *incomplete(size_t indent)
{
    char spaces[257];
    indent = indent < 256 ? indent : 256;
    memset(spaces, ' ', indent);
    spaces[indent] = '\0';
    return json_pack("{ssss}", "status", "incomplete", "indent", spaces);
}

enum syntax { SYNTAX_OK, SYNTAX_UNFINISHED, SYNTAX_WRONG };

// Whether CPython takes the source, would take it with more text, or never will.
static enum syntax check_syntax(const char *source)
{
    PyCompilerFlags flags = {
            .cf_flags = PyCF_ALLOW_INCOMPLETE_INPUT | PyCF_DONT_IMPLY_DEDENT |
                        PyCF_ALLOW_TOP_LEVEL_AWAIT | shell_get()->compiler_flags,
            .cf_feature_version = PY_MINOR_VERSION};
    PyObject *code = Py_CompileStringFlags(source, "<input>", Py_file_input, &flags);
    if (code) {
        Py_DECREF(code);
        return SYNTAX_OK;
    }
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    PyObject *text = value ? PyObject_Str(value) : NULL;
    const char *message = text ? PyUnicode_AsUTF8(text) : NULL;
    bool is_unfinished = message && strstr(message, "incomplete input");
    py_error_drop();
    Py_XDECREF(text);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
    return is_unfinished ? SYNTAX_UNFINISHED : SYNTAX_WRONG;
}

static json_t *judge_python(const char *source)
{
    size_t len;
    bool ends_blank;
    const char *line = last_line(source, &len, &ends_blank);
    struct str whole = {0};
    str_printf(&whole, "%s\n", source);
    enum syntax syntax = check_syntax(str_text(&whole));
    str_finish(&whole);
    if (syntax == SYNTAX_WRONG)
        return completeness("invalid");
    if (syntax == SYNTAX_UNFINISHED)
        return incomplete(next_indent(line, len));
    // CPython takes a lone backslash as the end of what is there
    size_t blank = 0;
    while (blank < len && isspace((unsigned char)line[blank]))
        blank++;
    if (blank < len && line[blank] == '\\')
        return incomplete(next_indent(line, len));
    // a block goes on until a blank line ends it
    bool is_inside_block = len > 0 && (line[0] == ' ' || line[0] == '\t');
    if (is_inside_block && !ends_blank)
        return incomplete(next_indent(line, len));
    return completeness("complete");
}

static json_t *judge(const char *code)
{
    size_t len;
    bool ends_blank;
    if (transform_is_cell_magic(code, strlen(code))) {
        last_line(code, &len, &ends_blank);
        return ends_blank ? completeness("complete") : incomplete(0);
    }
    struct transform_options options = {0};
    char *source = transform_cell(code, strlen(code), &options);
    json_t *reply = judge_python(source);
    free(source);
    return reply;
}

static const char *code_of(const json_t *content)
{
    const char *code = json_string_value(json_object_get(content, "code"));
    return code ? code : "";
}

json_t *introspect_completeness(json_t *content)
{
    json_t *reply = judge(code_of(content));
    py_error_drop();
    return reply;
}

json_t *interp_is_complete(json_t *content)
{
    interp_enter();
    json_t *reply = introspect_completeness(content);
    interp_leave();
    return reply;
}

// ---- inspect

static PyObject *text_between(const char *code, size_t start, size_t end)
{
    return start < end ? py_text(code + start, end - start) : NULL;
}

// The dotted name that the cursor is in or behind.
static PyObject *name_at(const char *code, size_t cursor)
{
    size_t end = cursor;
    while (code[end] && context_is_name_char(code[end]))
        end++;
    size_t start = context_expression_start(code, end);
    // a number or a string is no name
    if (start < end &&
            (!context_is_name_char(code[start]) || isdigit((unsigned char)code[start])))
        return NULL;
    while (start > 0 && start < end && code[start - 1] == '%')
        start--;
    return text_between(code, start, end);
}

// The function whose call is open at the cursor, or the call around that one.
static PyObject *function_at(const char *code, size_t cursor)
{
    struct context context = context_find(code, cursor);
    size_t end = context.bracket;
    if (end == CONTEXT_NONE)
        return NULL;
    bool is_call = code[end] == '(' && end > 0 &&
                   (context_is_name_char(code[end - 1]) || code[end - 1] == ']');
    if (is_call)
        return text_between(code, context_expression_start(code, end), end);
    return end > 0 ? function_at(code, end) : NULL;
}

static PyObject *page_about(PyObject *name, long long level)
{
    PyObject *page = name ? py_call_module("gridcell.ipython.inspecting", "bundle",
                                    "(OLi)", name, level, (int)interp_is_main_thread())
                          : NULL;
    py_error_drop();
    if (page == Py_None)
        Py_CLEAR(page);
    return page;
}

// What is at the cursor, or else the function that is being called.
static PyObject *page_at(const char *code, size_t cursor, long long level)
{
    struct context context = context_find(code, cursor);
    bool is_in_string = context.string != CONTEXT_NONE;
    PyObject *name = is_in_string ? NULL : name_at(code, cursor);
    PyObject *page = page_about(name, level);
    Py_XDECREF(name);
    if (page)
        return page;
    name = function_at(code, cursor);
    page = page_about(name, level);
    Py_XDECREF(name);
    return page;
}

json_t *introspect_page(json_t *content)
{
    const char *code = code_of(content);
    long long position = json_integer_value(json_object_get(content, "cursor_pos"));
    long long level = json_integer_value(json_object_get(content, "detail_level"));
    PyObject *page = page_at(code, context_byte_offset(code, position), level);
    json_t *data = page ? py_to_json(page) : NULL;
    bool is_found = data && json_is_object(data);
    py_error_drop();
    Py_XDECREF(page);
    return json_pack("{ss sb so so}", "status", "ok", "found", is_found, "data",
            is_found ? data : json_object(), "metadata", json_object());
}

static json_t *page_in_time(json_t *content)
{
    enum { LIMIT_MS = 500 };
    time_limit_begin(LIMIT_MS);
    json_t *reply = introspect_page(content);
    time_limit_end();
    return reply;
}

json_t *interp_inspect(json_t *content)
{
    return interp_answer(page_in_time, content);
}

// ---- the language

json_t *interp_language_info(void)
{
    char version[32], documentation[64];
    snprintf(version, sizeof version, "%s", PY_VERSION);
    snprintf(documentation, sizeof documentation, "https://docs.python.org/%d.%d",
            PY_MAJOR_VERSION, PY_MINOR_VERSION);
    json_t *language = json_pack("{ss ss ss s{sssi} ss ss ss}", "name", "python",
            "version", version, "mimetype", "text/x-python", "codemirror_mode", "name",
            "ipython", "version", 3, "pygments_lexer", "ipython3", "nbconvert_exporter",
            "python", "file_extension", ".py");
    struct str banner = {0};
    str_printf(&banner,
            "gridcell %s: Python %s with a GPU compiler under the name numba\n",
            GRIDCELL_VERSION, version);
    json_t *info = json_pack("{so ss s[{ssss}{ssss}{ssss}]}", "language_info", language,
            "banner", str_text(&banner), "help_links", "text", "Python Reference", "url",
            documentation, "text", "NumPy Reference", "url",
            "https://numpy.org/doc/stable/reference/", "text", "Matplotlib Reference",
            "url", "https://matplotlib.org/stable/");
    str_finish(&banner);
    return info;
}

// SPDX-License-Identifier: MIT
// Uncaught exceptions as people know them from notebooks: frames with their source lines,
// an arrow and carets at the failing expression, chained exceptions, the kernel's own
// frames left out.
#include "kernel/python/display/py_display.h"

#include <string.h>

#include "kernel/python/state/py_state.h"
#include "kernel/python/display/py_frames.h"
#include "kernel/python/state/py_text.h"

enum { HEADER_WIDTH = 75, MAX_CHAIN = 20 };

struct report {
    json_t *lines;
    enum traceback_mode mode;
};

static void add_line(struct report *report, struct str *text)
{
    json_array_append_new(report->lines, json_text(str_text(text), text->len));
    str_clear(text);
}

// ---- exceptions

static PyObject *exception_name(PyObject *exception)
{
    PyObject *name = PyObject_GetAttrString((PyObject *)Py_TYPE(exception), "__name__");
    if (!name)
        py_error_drop();
    return name ? name : PyUnicode_FromString("Exception");
}

// NULL for none, also where somebody has set it to None.
static PyObject *traceback_of(PyObject *exception)
{
    PyObject *traceback = PyException_GetTraceback(exception);
    if (traceback == Py_None)
        Py_CLEAR(traceback);
    return traceback;
}

enum { ASKED_FOR_TEXT = 3 };

// A handler of signals that raises may have its turn in the midst of it: then once more.
static PyObject *exception_text(PyObject *exception)
{
    for (int i = 0; i < ASKED_FOR_TEXT; i++) {
        PyObject *text = PyObject_Str(exception);
        if (text)
            return text;
        py_error_drop();
    }
    return PyUnicode_FromString("<exception str() failed>");
}

static void report_message(struct report *report, PyObject *exception)
{
    struct str text = {0};
    PyObject *name = exception_name(exception), *message = exception_text(exception);
    bool is_short = report->mode == TRACEBACK_PLAIN || report->mode == TRACEBACK_MINIMAL;
    bool has_message = message && PyUnicode_GET_LENGTH(message) > 0;
    str_append(&text, RED);
    frames_append_text(&text, name);
    str_append(&text, is_short && has_message ? OFF RED ":" OFF " "
                      : is_short              ? OFF
                                              : OFF ": ");
    frames_append_text(&text, message);
    str_append(&text, is_short ? "\n" : "");
    add_line(report, &text);
    str_finish(&text);
    Py_XDECREF(message);
    Py_XDECREF(name);
}

static void report_notes(struct report *report, PyObject *exception)
{
    int failed;
    PyObject *notes = py_attr_or_null(exception, "__notes__", &failed);
    py_error_drop();
    struct str text = {0};
    for (Py_ssize_t i = 0; notes && PyList_Check(notes) && i < PyList_GET_SIZE(notes);
            i++) {
        PyObject *note =
                PyObject_Str(PyList_GET_ITEM(notes, i)); // borrowed: notes is ours
        frames_append_text(&text, note);
        add_line(report, &text);
        Py_XDECREF(note);
    }
    str_finish(&text);
    Py_XDECREF(notes);
    py_error_drop();
}

static void report_group(struct report *report, PyObject *exception, int depth);

// The lines of one member of a group, with a bar in front of each.
static void report_member(struct report *report, PyObject *member, int depth)
{
    PyObject *traceback = traceback_of(member);
    struct report inner = {json_array(), report->mode};
    size_t i;
    json_t *entry;
    if (traceback)
        frames_report(traceback, report->mode, inner.lines);
    report_message(&inner, member);
    report_notes(&inner, member);
    json_array_foreach(inner.lines, i, entry)
    {
        struct str text = {0};
        const char *line = json_string_value(entry);
        while (*line) {
            size_t len = strcspn(line, "\n");
            str_printf(&text, "%s%*s| %.*s", text.len ? "\n" : "", depth * 2, "",
                    (int)len, line);
            line += len + (line[len] == '\n');
        }
        add_line(report, &text);
        str_finish(&text);
    }
    json_decref(inner.lines);
    report_group(report, member, depth + 1);
    Py_XDECREF(traceback);
}

// The exceptions inside a group, each with its frames, as Python itself draws them.
static void report_group(struct report *report, PyObject *exception, int depth)
{
    enum { MAX_DEPTH = 8, MAX_MEMBERS = 15 };
    if (PyObject_IsInstance(exception, PyExc_BaseExceptionGroup) != 1 ||
            depth > MAX_DEPTH) {
        py_error_drop();
        return;
    }
    PyObject *members = PyObject_GetAttrString(exception, "exceptions");
    Py_ssize_t count = members && PyTuple_Check(members) ? PyTuple_GET_SIZE(members) : 0;
    struct str text = {0};
    for (Py_ssize_t i = 0; i < count && i < MAX_MEMBERS; i++) {
        str_printf(&text, "%*s+---------------- %d ----------------", depth * 2, "",
                (int)i + 1);
        add_line(report, &text);
        report_member(report, PyTuple_GET_ITEM(members, i), depth);
    }
    if (count > MAX_MEMBERS) {
        str_printf(&text, "%*s+ and %d more exceptions", depth * 2, "",
                (int)(count - MAX_MEMBERS));
        add_line(report, &text);
    }
    str_finish(&text);
    py_error_drop();
    Py_XDECREF(members);
}

static long attribute_int(PyObject *object, const char *name)
{
    PyObject *value = PyObject_GetAttrString(object, name);
    long number = value && PyLong_Check(value) ? PyLong_AsLong(value) : 0;
    py_error_drop();
    Py_XDECREF(value);
    return number;
}

static void append_syntax_source(struct str *out, PyObject *exception, PyObject *source)
{
    PyObject *holder;
    Py_ssize_t len;
    const char *utf8 = py_utf8(source, &len, &holder);
    if (!utf8)
        return;
    size_t indent = strspn(utf8, " \t\f"), line_len = strcspn(utf8, "\r\n");
    indent = indent > line_len ? line_len : indent;
    str_append(out, RED "    " OFF RED);
    str_append_bytes(out, utf8 + indent, line_len - indent);
    str_append(out, OFF "\n");
    long column = attribute_int(exception, "offset"),
         end = attribute_int(exception, "end_offset");
    bool is_one_line =
            attribute_int(exception, "end_lineno") == attribute_int(exception, "lineno");
    if (column > 0) {
        long width = is_one_line && end > column ? end - column : 1;
        str_printf(out, "%*s", 3 + (int)column - (int)indent, "");
        while (width-- > 0)
            str_append_char(out, '^');
        str_append_char(out, '\n');
    }
    Py_DECREF(holder);
}

static void report_syntax_error(struct report *report, PyObject *exception)
{
    struct str text = {0};
    PyObject *file = PyObject_GetAttrString(exception, "filename");
    PyObject *source = PyObject_GetAttrString(exception, "text");
    PyObject *message = PyObject_GetAttrString(exception, "msg"),
             *name = exception_name(exception);
    py_error_drop();
    // what is found after parsing comes without its line
    if (source == Py_None && file && PyUnicode_Check(file))
        Py_SETREF(source,
                frames_source_line(file, (int)attribute_int(exception, "lineno")));
    if (file && PyUnicode_Check(file)) {
        str_append(&text, "  ");
        frames_append_place(&text, file, (int)attribute_int(exception, "lineno"));
        str_append_char(&text, '\n');
    }
    if (source && PyUnicode_Check(source))
        append_syntax_source(&text, exception, source);
    str_append(&text, RED);
    frames_append_text(&text, name);
    str_append(&text, OFF RED ":" OFF " ");
    frames_append_text(&text, message && PyUnicode_Check(message) ? message : NULL);
    str_append_char(&text, '\n');
    add_line(report, &text);
    str_finish(&text);
    Py_XDECREF(file);
    Py_XDECREF(source);
    Py_XDECREF(message);
    Py_XDECREF(name);
    py_error_drop();
}

static void report_header(struct report *report, PyObject *exception)
{
    struct str text = {0};
    PyObject *name = exception_name(exception);
    const char *title = "Traceback (most recent call last)";
    if (report->mode == TRACEBACK_PLAIN) {
        str_append(&text, "Traceback " CYAN "(most recent call last)" OFF ":\n");
    } else if (report->mode == TRACEBACK_DOCS) {
        str_append(&text, "Traceback " CYAN "(most recent call last)" OFF ": ");
    } else {
        int pad = HEADER_WIDTH - (int)PyUnicode_GET_LENGTH(name) - (int)strlen(title);
        str_append(&text, RED);
        frames_append_text(&text, name);
        str_printf(&text, OFF "%*s%s", pad > 1 ? pad : 1, "", title);
    }
    add_line(report, &text);
    str_finish(&text);
    Py_XDECREF(name);
}

static bool is_syntax_error(PyObject *exception)
{
    return PyObject_IsInstance(exception, PyExc_SyntaxError) == 1;
}

static void report_one(struct report *report, PyObject *exception)
{
    PyObject *traceback = traceback_of(exception);
    report_header(report, exception);
    frames_report(traceback, report->mode, report->lines);
    if (is_syntax_error(exception))
        report_syntax_error(report, exception);
    else
        report_message(report, exception);
    report_notes(report, exception);
    report_group(report, exception, 1);
    Py_XDECREF(traceback);
}

// What a doctest compares: the head, dots for the frames, and the message.
static void report_for_doctest(struct report *report, PyObject *exception)
{
    static const char *const head[] = {"Traceback (most recent call last):", "    ..."};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        json_array_append_new(report->lines, json_string(head[i]));
    report_message(report, exception);
}

static void report_chain(struct report *report, PyObject *exception, int depth)
{
    PyObject *cause = PyException_GetCause(exception);
    PyObject *context = PyException_GetContext(exception);
    PyObject *suppress = PyObject_GetAttrString(exception, "__suppress_context__");
    bool is_hidden = !suppress || PyObject_IsTrue(suppress) == 1;
    py_error_drop();
    const char *link = NULL;
    if (cause)
        link = "\nThe above exception was the direct cause of the following exception:\n";
    else if (context && !is_hidden)
        link = "\nDuring handling of the above exception, another exception occurred:\n";
    if (link && depth < MAX_CHAIN) {
        report_chain(report, cause ? cause : context, depth + 1);
        json_array_append_new(report->lines, json_string(link));
    }
    if (report->mode == TRACEBACK_DOCTEST)
        report_for_doctest(report, exception);
    else
        report_one(report, exception);
    Py_XDECREF(suppress);
    Py_XDECREF(context);
    Py_XDECREF(cause);
}

// Exceptions may bring their own traceback: a list of lines from _render_traceback_().
static bool report_own_rendering(struct report *report, PyObject *exception)
{
    int failed;
    PyObject *render = py_attr_or_null(exception, "_render_traceback_", &failed);
    PyObject *rendered = render ? PyObject_CallNoArgs(render) : NULL;
    bool is_list = rendered && PyList_Check(rendered);
    json_t *lines = is_list ? py_to_json(rendered) : NULL;
    if (lines) {
        json_array_extend(report->lines, lines);
        json_decref(lines);
    }
    Py_XDECREF(rendered);
    Py_XDECREF(render);
    py_error_drop();
    return is_list;
}

static void report_full(struct report *report, PyObject *exception)
{
    PyObject *traceback = traceback_of(exception);
    bool is_bare_syntax_error = is_syntax_error(exception) && !traceback;
    Py_XDECREF(traceback);
    if (report_own_rendering(report, exception))
        return;
    if (is_bare_syntax_error) {
        report_syntax_error(report, exception);
    } else if (report->mode == TRACEBACK_MINIMAL) {
        report_message(report, exception);
    } else {
        struct str dashes = {0};
        str_append(&dashes, RED);
        for (int i = 0; i < HEADER_WIDTH; i++)
            str_append_char(&dashes, '-');
        str_append(&dashes, OFF);
        bool has_dashes =
                report->mode == TRACEBACK_CONTEXT || report->mode == TRACEBACK_VERBOSE;
        if (has_dashes)
            add_line(report, &dashes);
        str_finish(&dashes);
        report_chain(report, exception, 0);
    }
}

// The text without the escape sequences of colours.
static json_t *without_colours(const json_t *line)
{
    struct str plain = {0};
    const char *text = json_string_value(line);
    while (text && *text) {
        if (text[0] == '\033' && text[1] == '[') {
            text += 2 + strspn(text + 2, "0123456789;");
            text += *text == 'm';
        } else {
            str_append_char(&plain, *text++);
        }
    }
    json_t *result = json_text(str_text(&plain), plain.len);
    str_finish(&plain);
    return result;
}

// The lines, as `%colors nocolor` wants them.
static json_t *take_lines(struct report *report)
{
    if (!shell_get()->switches[SWITCH_COLOURLESS])
        return report->lines;
    json_t *plain = json_array(), *line;
    size_t i;
    json_array_foreach(report->lines, i, line)
    {
        json_array_append_new(plain, without_colours(line));
    }
    json_decref(report->lines);
    return plain;
}

json_t *traceback_format(PyObject *exception, enum traceback_mode mode)
{
    struct report report = {json_array(), mode};
    PyObject *name = exception_name(exception), *message = exception_text(exception);
    report_full(&report, exception);
    json_t *content = json_object();
    json_object_set_new(content, "ename", py_text_to_json(name));
    json_object_set_new(content, "evalue", py_text_to_json(message));
    json_object_set_new(content, "traceback", take_lines(&report));
    Py_XDECREF(name);
    Py_XDECREF(message);
    py_error_drop();
    return content;
}

static json_t *format_exit(PyObject *exception)
{
    struct report report = {json_array(), TRACEBACK_MINIMAL};
    struct shell *shell = shell_get();
    json_array_append_new(report.lines,
            json_string(
                    "An exception has occurred, use %tb to see the full traceback.\n"));
    report_message(&report, exception);
    if (!shell->warned_exit) {
        const char *hint = "UserWarning: To exit: use 'exit', 'quit', or Ctrl-D.\n";
        py_write_stream("stderr", hint, strlen(hint));
    }
    shell->warned_exit = true;
    PyObject *message = exception_text(exception);
    json_t *content = json_object();
    json_object_set_new(content, "ename", json_string("SystemExit"));
    json_object_set_new(content, "evalue", py_text_to_json(message));
    json_object_set_new(content, "traceback", take_lines(&report));
    Py_XDECREF(message);
    return content;
}

static void remember(PyObject *exception)
{
    PyObject *traceback = traceback_of(exception);
    PySys_SetObject("last_type", (PyObject *)Py_TYPE(exception));
    PySys_SetObject("last_value", exception);
    PySys_SetObject("last_traceback", traceback ? traceback : Py_None);
    Py_XSETREF(shell_get()->exception, Py_NewRef(exception));
    Py_XDECREF(traceback);
}

// Whether it is of a class of a module that somebody has imported.
static bool is_of_class(PyObject *exception, const char *module_name, const char *name)
{
    PyObject *module = py_loaded_module(module_name);
    PyObject *class = module ? PyObject_GetAttrString(module, name) : NULL;
    bool matches = class && PyObject_IsInstance(exception, class) == 1;
    py_error_drop();
    Py_XDECREF(class);
    Py_XDECREF(module);
    return matches;
}

static json_t *format_usage_error(PyObject *exception)
{
    struct str text = {0};
    PyObject *message = exception_text(exception);
    str_append(&text, "UsageError: ");
    frames_append_text(&text, message);
    str_append_char(&text, '\n');
    py_write_stream("stderr", str_text(&text), text.len);
    json_t *content = json_object();
    json_object_set_new(content, "ename", json_string("UsageError"));
    json_object_set_new(content, "evalue", py_text_to_json(message));
    json_object_set_new(content, "traceback", json_array());
    str_finish(&text);
    Py_XDECREF(message);
    return content;
}

static PyObject *take_exception(void)
{
    PyObject *type = NULL, *value = NULL, *traceback = NULL;
    PyErr_Fetch(&type, &value, &traceback);
    PyErr_NormalizeException(&type, &value, &traceback);
    if (value && traceback)
        PyException_SetTraceback(value, traceback);
    Py_XDECREF(type);
    Py_XDECREF(traceback);
    return value;
}

json_t *traceback_report(bool publishes)
{
    PyObject *exception = take_exception();
    if (!exception)
        return NULL;
    json_t *content;
    if (is_of_class(exception, "IPython.core.error", "UsageError")) {
        content = format_usage_error(exception);
        publishes = publishes && output_is_terminal();
    } else if (is_of_class(exception, "bdb", "BdbQuit")) {
        // `q` at the debugger's prompt: nobody asks where that was
        content = json_pack("{ss ss s[]}", "ename", "BdbQuit", "evalue", "", "traceback");
        publishes = false;
    } else if (PyObject_IsInstance(exception, PyExc_SystemExit) == 1) {
        content = format_exit(exception);
        remember(exception);
    } else {
        content = traceback_format(exception, shell_get()->traceback_mode);
        remember(exception);
    }
    if (publishes)
        output_publish("error", json_deep_copy(content), NULL, NULL, 0);
    Py_DECREF(exception);
    return content;
}

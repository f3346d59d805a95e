// SPDX-License-Identifier: MIT
// Uncaught exceptions as people know them from notebooks: frames with their source lines, an arrow
// and carets at the failing expression, chained exceptions, the kernel's own frames left out.
#include "kernel/py_shell.h"

#include <frameobject.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "kernel/highlight.h"

#define RED "\033[31m"
#define GREEN "\033[32m"
#define BLUE "\033[34m"
#define CYAN "\033[36m"
#define OFF "\033[39m"

enum { HEADER_WIDTH = 75, LINES_BEFORE = 2, LINES_AFTER = 2, MAX_SIMILAR = 3, MAX_CHAIN = 20 };

// One entry of a traceback, with what identifies a recursion.
struct frame {
    PyObject *traceback;  // owned
    PyCodeObject *code;   // owned
    PyObject *file, *name; // owned str
    int line, last_instruction;
};

typedef VEC(struct frame) frame_list;

struct report {
    json_t *lines;
    enum traceback_mode mode;
};

static void add_line(struct report *report, struct str *text)
{
    json_array_append_new(report->lines, json_text(str_text(text), text->len));
    str_clear(text);
}

static void append_py(struct str *out, PyObject *text)
{
    Py_ssize_t len;
    PyObject *holder;
    const char *utf8 = text ? py_utf8(text, &len, &holder) : NULL;
    if (!utf8) {
        PyErr_Clear();
        return;
    }
    str_append_bytes(out, utf8, (size_t)len);
    Py_DECREF(holder);
}

// ---- source lines

static PyObject *read_lines(PyObject *file)
{
    const char *path = PyUnicode_AsUTF8(file);
    FILE *stream = path && path[0] != '<' ? fopen(path, "rb") : NULL;
    if (!stream) {
        PyErr_Clear();
        return NULL;
    }
    struct str text = {0};
    char chunk[8192];
    size_t got;
    while ((got = fread(chunk, 1, sizeof chunk, stream)) > 0)
        str_append_bytes(&text, chunk, got);
    fclose(stream);
    PyObject *all = py_text(str_text(&text), text.len);
    PyObject *lines = all ? PyUnicode_Splitlines(all, 0) : NULL;
    Py_XDECREF(all);
    str_finish(&text);
    return lines;
}

// The lines of a cell or of a file; NULL, without an exception, when there are none.
static PyObject *source_lines(PyObject *file)
{
    PyObject *entry = NULL, *lines = NULL;
    if (py_dict_get(shell_get()->cell_sources, file, &entry) > 0)
        lines = PySequence_GetItem(entry, 2);
    else
        lines = read_lines(file);
    PyErr_Clear();
    Py_XDECREF(entry);
    return lines;
}

static void append_source_line(struct str *out, PyObject *lines, Py_ssize_t index, bool has_colours)
{
    PyObject *line = py_list_get(lines, index), *holder = NULL;
    Py_ssize_t len;
    const char *utf8 = line ? py_utf8(line, &len, &holder) : NULL;
    while (utf8 && len > 0 && (utf8[len - 1] == '\n' || utf8[len - 1] == '\r'))
        len--;
    if (utf8 && has_colours)
        highlight_line(out, utf8, (size_t)len);
    else if (utf8)
        str_append_bytes(out, utf8, (size_t)len);
    Py_XDECREF(holder);
    Py_XDECREF(line);
    PyErr_Clear();
}

// ---- frames

static void frame_finish(struct frame *frame)
{
    Py_XDECREF(frame->traceback);
    Py_XDECREF((PyObject *)frame->code);
    Py_XDECREF(frame->file);
    Py_XDECREF(frame->name);
}

static bool is_own_file(PyObject *file)
{
    const char *package = shell_get()->package_path, *path = PyUnicode_AsUTF8(file);
    PyErr_Clear();
    if (!package || !path)
        return false;
    size_t len = strlen(package);
    return !strncmp(path, package, len) && str_starts_with(path + len, "/gridcell/ipython/");
}

static bool asks_to_hide(PyFrameObject *frame)
{
    PyObject *locals = PyFrame_GetLocals(frame), *flag = NULL;
    if (locals)
        flag = PyMapping_GetItemString(locals, "__tracebackhide__");
    bool hides = flag && PyObject_IsTrue(flag) == 1;
    PyErr_Clear();
    Py_XDECREF(flag);
    Py_XDECREF(locals);
    return hides;
}

static void collect_frames(PyObject *traceback, frame_list *frames)
{
    PyObject *next = Py_XNewRef(traceback);
    while (next && PyTraceBack_Check(next)) {
        PyTracebackObject *entry = (PyTracebackObject *)next;
        PyObject *line = PyObject_GetAttrString(next, "tb_lineno");
        struct frame frame = {.traceback = Py_NewRef(next),
            .code = PyFrame_GetCode(entry->tb_frame),
            .line = line ? (int)PyLong_AsLong(line) : 0,
            .last_instruction = entry->tb_lasti};
        Py_XDECREF(line);
        frame.file = PyObject_GetAttrString((PyObject *)frame.code, "co_filename");
        frame.name = PyObject_GetAttrString((PyObject *)frame.code, "co_qualname");
        PyErr_Clear();
        PyObject *following = Py_XNewRef((PyObject *)entry->tb_next);
        if (!frame.file || !frame.name || is_own_file(frame.file) || asks_to_hide(entry->tb_frame))
            frame_finish(&frame);
        else
            vec_push(frames, frame);
        Py_SETREF(next, following);
    }
    Py_XDECREF(next);
}

static void finish_frames(frame_list *frames)
{
    vec_each(frame, frames) frame_finish(frame);
    vec_finish(frames);
}

static bool is_similar(const struct frame *a, const struct frame *b)
{
    return a->line == b->line && a->code == b->code;
}

// The number that Cell In[n] shows; 0 when the file is no cell.
static int cell_number(PyObject *file)
{
    PyObject *number = NULL;
    int value = 0;
    if (py_dict_get(shell_get()->cell_numbers, file, &number) > 0)
        value = (int)PyLong_AsLong(number);
    Py_XDECREF(number);
    PyErr_Clear();
    return value;
}

static void append_place(struct str *out, PyObject *file, int line)
{
    int number = cell_number(file);
    if (number) {
        str_printf(out, CYAN "Cell" OFF CYAN " " OFF GREEN "In[%d]" OFF GREEN ", line %d" OFF, number,
                line);
        return;
    }
    str_append(out, CYAN "File " OFF GREEN);
    append_py(out, file);
    str_printf(out, ":%d" OFF, line);
}

static void append_parameters(struct str *out, PyCodeObject *code)
{
    PyObject *names = PyCode_GetVarnames(code);
    int plain = code->co_argcount + code->co_kwonlyargcount;
    int count = plain + !!(code->co_flags & CO_VARARGS) + !!(code->co_flags & CO_VARKEYWORDS);
    str_append_char(out, '(');
    for (int i = 0; names && i < count; i++) {
        bool is_variadic = i == plain && (code->co_flags & CO_VARARGS);
        str_append(out, i ? ", " : "");
        str_append(out, i < plain ? "" : is_variadic ? "*" : "**");
        append_py(out, PyTuple_GetItem(names, i)); // borrowed: names is ours
    }
    str_append_char(out, ')');
    Py_XDECREF(names);
}

static void append_title(struct str *out, const struct frame *frame)
{
    append_place(out, frame->file, frame->line);
    if (!PyUnicode_CompareWithASCIIString(frame->name, "<module>"))
        return;
    str_append(out, ", in " CYAN);
    append_py(out, frame->name);
    str_append(out, OFF BLUE);
    append_parameters(out, frame->code);
    str_append(out, OFF);
}

// The last line of the function's own source, so that context does not run into what follows it.
static int last_line_of(PyCodeObject *code)
{
    int last = code->co_firstlineno;
    Py_ssize_t len = 2 * Py_SIZE(code);
    for (Py_ssize_t i = 0; i < len; i += 2) {
        int line = PyCode_Addr2Line(code, (int)i);
        last = line > last ? line : last;
    }
    return last;
}

// Carets under the failing expression when it is only a part of the line.
static void append_carets(struct str *out, const struct frame *frame, PyObject *lines)
{
    int line = 0, column = -1, end_line = 0, end_column = -1;
    PyCode_Addr2Location(
            frame->code, frame->last_instruction, &line, &column, &end_line, &end_column);
    if (line != frame->line || end_line != line || column < 0 || end_column <= column)
        return;
    PyObject *text = py_list_get(lines, line - 1);
    const char *utf8 = text ? PyUnicode_AsUTF8(text) : NULL;
    PyErr_Clear();
    size_t len = utf8 ? strcspn(utf8, "\r\n") : 0, indent = utf8 ? strspn(utf8, " \t") : 0;
    bool is_part = (size_t)column > indent || (size_t)end_column < len;
    if (utf8 && is_part && (size_t)end_column <= len) {
        str_append(out, "        ");
        for (int i = 0; i < end_column; i++) {
            bool is_continuation = ((unsigned char)utf8[i] & 0xC0) == 0x80;
            if (i == column)
                str_append(out, RED);
            if (!is_continuation)
                str_append_char(out, i >= column ? '^' : utf8[i] == '\t' ? '\t' : ' ');
        }
        str_append(out, OFF "\n");
    }
    Py_XDECREF(text);
}

static void append_context(struct str *out, const struct frame *frame, PyObject *lines)
{
    bool is_module = !PyUnicode_CompareWithASCIIString(frame->name, "<module>");
    int count = (int)PyList_GET_SIZE(lines);
    int first = is_module ? 1 : frame->code->co_firstlineno;
    int last = is_module ? count : last_line_of(frame->code);
    int from = frame->line - LINES_BEFORE, to = frame->line + LINES_AFTER;
    from = from < first ? first : from;
    to = to > last ? last : to;
    to = to > count ? count : to;
    for (int line = from; line <= to; line++) {
        char number[16];
        int digits = snprintf(number, sizeof number, "%d", line);
        if (line == frame->line) {
            str_append(out, GREEN);
            for (int i = digits + 2; i < 7; i++)
                str_append_char(out, '-');
            str_printf(out, "> " OFF GREEN "%d" OFF " ", line);
        } else {
            str_printf(out, GREEN "%7d" OFF " ", line);
        }
        append_source_line(out, lines, line - 1, true);
        str_append_char(out, '\n');
        if (line == frame->line)
            append_carets(out, frame, lines);
    }
}

static void report_frame(struct report *report, const struct frame *frame)
{
    struct str text = {0};
    PyObject *lines = source_lines(frame->file);
    bool has_source = lines && PyList_Check(lines) && frame->line >= 1 &&
            frame->line <= PyList_GET_SIZE(lines);
    bool is_plain = report->mode == TRACEBACK_PLAIN;
    str_append(&text, is_plain ? CYAN "  " OFF : "");
    append_title(&text, frame);
    if (has_source && is_plain) {
        str_append(&text, "\n" RED "    " OFF RED);
        append_source_line(&text, lines, frame->line - 1, false);
        str_append(&text, OFF "\n");
    } else if (has_source) {
        str_append_char(&text, '\n');
        append_context(&text, frame, lines);
    }
    add_line(report, &text);
    str_finish(&text);
    Py_XDECREF(lines);
}

static bool repeats_earlier(const frame_list *frames, size_t index)
{
    int similar = 0;
    size_t oldest = index > 64 ? index - 64 : 0;
    for (size_t i = index; i-- > oldest && similar < MAX_SIMILAR;)
        similar += is_similar(&frames->items[i], &frames->items[index]);
    return similar >= MAX_SIMILAR;
}

static void report_frames(struct report *report, PyObject *traceback)
{
    frame_list frames = {0};
    struct str text = {0};
    collect_frames(traceback, &frames);
    for (size_t i = 0; i < frames.len; i++) {
        size_t end = i;
        while (end < frames.len && repeats_earlier(&frames, end))
            end++;
        if (end > i + 1) {
            str_append(&text, "    [... skipping similar frames: ");
            append_py(&text, frames.items[i].name);
            str_printf(&text, " at line %d (%zu times)]\n", frames.items[i].line, end - i);
            add_line(report, &text);
            i = end - 1;
        } else {
            report_frame(report, &frames.items[i]);
        }
    }
    str_finish(&text);
    finish_frames(&frames);
}

// ---- exceptions

static PyObject *exception_name(PyObject *exception)
{
    PyObject *name = PyObject_GetAttrString((PyObject *)Py_TYPE(exception), "__name__");
    if (!name)
        PyErr_Clear();
    return name ? name : PyUnicode_FromString("Exception");
}

static PyObject *exception_text(PyObject *exception)
{
    PyObject *text = PyObject_Str(exception);
    if (text)
        return text;
    PyErr_Clear();
    return PyUnicode_FromString("<exception str() failed>");
}

static void report_message(struct report *report, PyObject *exception)
{
    struct str text = {0};
    PyObject *name = exception_name(exception), *message = exception_text(exception);
    bool is_short = report->mode == TRACEBACK_PLAIN || report->mode == TRACEBACK_MINIMAL;
    bool has_message = message && PyUnicode_GET_LENGTH(message) > 0;
    str_append(&text, RED);
    append_py(&text, name);
    str_append(&text, is_short && has_message ? OFF RED ":" OFF " " : is_short ? OFF : OFF ": ");
    append_py(&text, message);
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
    PyErr_Clear();
    struct str text = {0};
    for (Py_ssize_t i = 0; notes && PyList_Check(notes) && i < PyList_GET_SIZE(notes); i++) {
        PyObject *note = PyObject_Str(PyList_GET_ITEM(notes, i)); // borrowed: notes is ours
        append_py(&text, note);
        add_line(report, &text);
        Py_XDECREF(note);
    }
    str_finish(&text);
    Py_XDECREF(notes);
    PyErr_Clear();
}

// The exceptions inside a group, one line each, indented as the group is.
static void report_group(struct report *report, PyObject *exception, int depth)
{
    if (!PyObject_IsInstance(exception, PyExc_BaseExceptionGroup) || depth > 8)
        return;
    PyObject *members = PyObject_GetAttrString(exception, "exceptions");
    struct str text = {0};
    for (Py_ssize_t i = 0; members && i < PyTuple_GET_SIZE(members); i++) {
        PyObject *member = PyTuple_GET_ITEM(members, i); // borrowed: members is ours
        PyObject *name = exception_name(member), *message = exception_text(member);
        str_printf(&text, "%*s+ " RED, depth * 2, "");
        append_py(&text, name);
        str_append(&text, OFF ": ");
        append_py(&text, message);
        add_line(report, &text);
        report_group(report, member, depth + 1);
        Py_XDECREF(name);
        Py_XDECREF(message);
    }
    str_finish(&text);
    Py_XDECREF(members);
}

static long attribute_int(PyObject *object, const char *name)
{
    PyObject *value = PyObject_GetAttrString(object, name);
    long number = value && PyLong_Check(value) ? PyLong_AsLong(value) : 0;
    PyErr_Clear();
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
    long column = attribute_int(exception, "offset"), end = attribute_int(exception, "end_offset");
    bool is_one_line = attribute_int(exception, "end_lineno") == attribute_int(exception, "lineno");
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
    PyObject *message = PyObject_GetAttrString(exception, "msg"), *name = exception_name(exception);
    PyErr_Clear();
    if (file && PyUnicode_Check(file)) {
        str_append(&text, "  ");
        append_place(&text, file, (int)attribute_int(exception, "lineno"));
        str_append_char(&text, '\n');
    }
    if (source && PyUnicode_Check(source))
        append_syntax_source(&text, exception, source);
    str_append(&text, RED);
    append_py(&text, name);
    str_append(&text, OFF RED ":" OFF " ");
    append_py(&text, message && PyUnicode_Check(message) ? message : NULL);
    str_append_char(&text, '\n');
    add_line(report, &text);
    str_finish(&text);
    Py_XDECREF(file);
    Py_XDECREF(source);
    Py_XDECREF(message);
    Py_XDECREF(name);
    PyErr_Clear();
}

static void report_header(struct report *report, PyObject *exception)
{
    struct str text = {0};
    PyObject *name = exception_name(exception);
    const char *title = "Traceback (most recent call last)";
    if (report->mode == TRACEBACK_PLAIN) {
        str_append(&text, "Traceback " CYAN "(most recent call last)" OFF ":\n");
    } else {
        int pad = HEADER_WIDTH - (int)PyUnicode_GET_LENGTH(name) - (int)strlen(title);
        str_append(&text, RED);
        append_py(&text, name);
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
    PyObject *traceback = PyException_GetTraceback(exception);
    report_header(report, exception);
    report_frames(report, traceback);
    if (is_syntax_error(exception))
        report_syntax_error(report, exception);
    else
        report_message(report, exception);
    report_notes(report, exception);
    report_group(report, exception, 1);
    Py_XDECREF(traceback);
}

static void report_chain(struct report *report, PyObject *exception, int depth)
{
    PyObject *cause = PyException_GetCause(exception);
    PyObject *context = PyException_GetContext(exception);
    PyObject *suppress = PyObject_GetAttrString(exception, "__suppress_context__");
    bool is_hidden = !suppress || PyObject_IsTrue(suppress) == 1;
    PyErr_Clear();
    const char *link = NULL;
    if (cause)
        link = "\nThe above exception was the direct cause of the following exception:\n";
    else if (context && !is_hidden)
        link = "\nDuring handling of the above exception, another exception occurred:\n";
    if (link && depth < MAX_CHAIN) {
        report_chain(report, cause ? cause : context, depth + 1);
        json_array_append_new(report->lines, json_string(link));
    }
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
    PyErr_Clear();
    return is_list;
}

static void report_full(struct report *report, PyObject *exception)
{
    PyObject *traceback = PyException_GetTraceback(exception);
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
        if (report->mode != TRACEBACK_PLAIN)
            add_line(report, &dashes);
        str_finish(&dashes);
        report_chain(report, exception, 0);
    }
}

json_t *traceback_format(PyObject *exception, enum traceback_mode mode)
{
    struct report report = {json_array(), mode};
    PyObject *name = exception_name(exception), *message = exception_text(exception);
    report_full(&report, exception);
    json_t *content = json_object();
    json_object_set_new(content, "ename", py_text_to_json(name));
    json_object_set_new(content, "evalue", py_text_to_json(message));
    json_object_set_new(content, "traceback", report.lines);
    Py_XDECREF(name);
    Py_XDECREF(message);
    PyErr_Clear();
    return content;
}

static json_t *format_exit(PyObject *exception)
{
    struct report report = {json_array(), TRACEBACK_MINIMAL};
    struct shell *shell = shell_get();
    json_array_append_new(report.lines,
            json_string("An exception has occurred, use %tb to see the full traceback.\n"));
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
    json_object_set_new(content, "traceback", report.lines);
    Py_XDECREF(message);
    return content;
}

static void remember(PyObject *exception)
{
    PyObject *traceback = PyException_GetTraceback(exception);
    PySys_SetObject("last_type", (PyObject *)Py_TYPE(exception));
    PySys_SetObject("last_value", exception);
    PySys_SetObject("last_traceback", traceback ? traceback : Py_None);
    Py_XSETREF(shell_get()->exception, Py_NewRef(exception));
    Py_XDECREF(traceback);
}

static bool is_usage_error(PyObject *exception)
{
    PyObject *module = py_loaded_module("IPython.core.error");
    PyObject *class = module ? PyObject_GetAttrString(module, "UsageError") : NULL;
    bool matches = class && PyObject_IsInstance(exception, class) == 1;
    PyErr_Clear();
    Py_XDECREF(class);
    Py_XDECREF(module);
    return matches;
}

static json_t *format_usage_error(PyObject *exception)
{
    struct str text = {0};
    PyObject *message = exception_text(exception);
    str_append(&text, "UsageError: ");
    append_py(&text, message);
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
    if (is_usage_error(exception)) {
        content = format_usage_error(exception);
        publishes = publishes && output_is_terminal();
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

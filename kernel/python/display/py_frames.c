// SPDX-License-Identifier: MIT
// Frames with their source lines, an arrow at the current one, carets at the failing
// expression.
#include "kernel/python/display/py_frames.h"

#include <frameobject.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "kernel/cells/highlight.h"
#include "kernel/python/state/py_text.h"

enum { LINES_BEFORE = 2, LINES_AFTER = 2, MAX_SIMILAR = 3 };

// One entry of a traceback, with what identifies a recursion.
struct frame {
    PyObject *traceback;   // owned
    PyCodeObject *code;    // owned
    PyObject *file, *name; // owned str
    int line, last_instruction;
    bool is_hidden; // it asked for that
};

typedef VEC(struct frame) frame_list;

static void add_line(json_t *report, struct str *text)
{
    json_array_append_new(report, json_text(str_text(text), text->len));
    str_clear(text);
}

void frames_append_text(struct str *out, PyObject *text)
{
    py_append_stolen(out, Py_XNewRef(text));
}

// ---- source lines

static PyObject *read_lines(PyObject *file)
{
    const char *path = PyUnicode_AsUTF8(file);
    struct str text = {0};
    if (!path || path[0] == '<' || !str_append_file(&text, path)) {
        py_error_drop();
        return NULL;
    }
    // a file that names its coding is read as Python reads it
    const char *coding = strstr(str_text(&text), "coding");
    if (coding && coding - str_text(&text) < 200) {
        str_finish(&text);
        return py_call_module("linecache", "updatecache", "(O)", file);
    }
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
    py_error_drop();
    Py_XDECREF(entry);
    return lines;
}

static void append_source_line(
        struct str *out, PyObject *lines, Py_ssize_t index, bool has_colours)
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
    py_error_drop();
}

// ---- frames

static void frame_finish(struct frame *frame)
{
    Py_XDECREF(frame->traceback);
    Py_XDECREF((PyObject *)frame->code);
    Py_XDECREF(frame->file);
    Py_XDECREF(frame->name);
}

// Files of the package: its compiler, its devices, its stand-ins.
static bool is_own_file(PyObject *file)
{
    const char *package = shell_get()->package_path, *path = PyUnicode_AsUTF8(file);
    py_error_drop();
    if (!package || !path)
        return false;
    size_t len = strlen(package);
    return !strncmp(path, package, len) && str_starts_with(path + len, "/gridcell/");
}

// What runs the event loop under a cell's own await.
static bool is_event_loop(PyObject *file, const frame_list *frames)
{
    const char *path = PyUnicode_AsUTF8(file);
    py_error_drop();
    return frames->len == 0 && path && strstr(path, "/asyncio/");
}

static bool asks_to_hide(PyFrameObject *frame)
{
    PyObject *locals = PyFrame_GetLocals(frame), *flag = NULL;
    if (locals)
        flag = PyMapping_GetItemString(locals, "__tracebackhide__");
    bool hides = flag && PyObject_IsTrue(flag) == 1;
    py_error_drop();
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
                .last_instruction = entry->tb_lasti,
                .is_hidden = asks_to_hide(entry->tb_frame)};
        Py_XDECREF(line);
        frame.file = PyObject_GetAttrString((PyObject *)frame.code, "co_filename");
        frame.name = PyObject_GetAttrString((PyObject *)frame.code, "co_qualname");
        py_error_drop();
        PyObject *following = Py_XNewRef((PyObject *)entry->tb_next);
        if (!frame.file || !frame.name || is_own_file(frame.file) ||
                is_event_loop(frame.file, frames))
            frame_finish(&frame);
        else
            vec_push(frames, frame);
        Py_SETREF(next, following);
    }
    Py_XDECREF(next);
}

static void finish_frames(frame_list *frames)
{
    vec_each (frame, frames)
        frame_finish(frame);
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
    py_error_drop();
    return value;
}

void frames_append_place(struct str *out, PyObject *file, int line)
{
    int number = cell_number(file);
    if (number) {
        str_printf(out,
                CYAN "Cell" OFF CYAN " " OFF GREEN "In[%d]" OFF GREEN ", line %d" OFF,
                number, line);
        return;
    }
    str_append(out, CYAN "File " OFF GREEN);
    frames_append_text(out, file);
    str_printf(out, ":%d" OFF, line);
}

static void append_parameters(struct str *out, PyCodeObject *code)
{
    PyObject *names = PyCode_GetVarnames(code);
    int plain = code->co_argcount + code->co_kwonlyargcount;
    int count =
            plain + !!(code->co_flags & CO_VARARGS) + !!(code->co_flags & CO_VARKEYWORDS);
    str_append_char(out, '(');
    for (int i = 0; names && i < count; i++) {
        bool is_variadic = i == plain && (code->co_flags & CO_VARARGS);
        str_append(out, i ? ", " : "");
        str_append(out, i < plain ? "" : is_variadic ? "*" : "**");
        frames_append_text(out, PyTuple_GetItem(names, i)); // borrowed: names is ours
    }
    str_append_char(out, ')');
    Py_XDECREF(names);
}

// A text that gridcell.ipython.frame_values makes of the frame; false when it fails.
static bool append_values(
        struct str *out, const struct frame *frame, const char *function, PyObject *line)
{
    PyObject *python_frame = PyObject_GetAttrString(frame->traceback, "tb_frame");
    PyObject *args = python_frame ? line ? PyTuple_Pack(2, python_frame, line)
                                         : PyTuple_Pack(1, python_frame)
                                  : NULL;
    PyObject *callable =
            args ? py_import_attr("gridcell.ipython.frame_values", function) : NULL;
    PyObject *text = callable ? PyObject_CallObject(callable, args) : NULL;
    frames_append_text(out, text);
    py_error_drop();
    Py_XDECREF(callable);
    Py_XDECREF(args);
    Py_XDECREF(python_frame);
    Py_XDECREF(text);
    return text != NULL;
}

static void append_title(
        struct str *out, const struct frame *frame, enum traceback_mode mode)
{
    frames_append_place(out, frame->file, frame->line);
    if (!PyUnicode_CompareWithASCIIString(frame->name, "<module>"))
        return;
    str_append(out, ", in " CYAN);
    frames_append_text(out, frame->name);
    str_append(out, OFF BLUE);
    if (mode != TRACEBACK_VERBOSE || !append_values(out, frame, "parameters", NULL))
        append_parameters(out, frame->code);
    str_append(out, OFF);
}

// The last line of the function's own source, so that context does not run into what
// follows it.
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
    py_error_drop();
    size_t len = utf8 ? strcspn(utf8, "\r\n") : 0,
           indent = utf8 ? strspn(utf8, " \t") : 0;
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

static bool is_indented(PyObject *lines, int line)
{
    PyObject *text = py_list_get(lines, line - 1);
    const char *utf8 = text ? PyUnicode_AsUTF8(text) : NULL;
    py_error_drop();
    size_t indent = utf8 ? strspn(utf8, " \t") : 0;
    bool is_inside = indent && !strchr("\r\n", utf8[indent]);
    Py_XDECREF(text);
    return is_inside;
}

// The lines that may be shown around the frame's own. The frame of compiled code knows no
// line but the failing one: there, what is indented belongs to it.
static void find_bounds(const struct frame *frame, PyObject *lines, int *first, int *last)
{
    int count = (int)PyList_GET_SIZE(lines);
    *first = 1;
    *last = count;
    if (!PyUnicode_CompareWithASCIIString(frame->name, "<module>"))
        return;
    *first = frame->code->co_firstlineno;
    *last = last_line_of(frame->code);
    if (*first < *last || frame->code->co_flags & CO_OPTIMIZED)
        return;
    for (int i = 0; i<LINES_BEFORE && * first> 1 && is_indented(lines, *first); i++)
        --*first;
    for (int i = 0; i < LINES_AFTER && *last < count && is_indented(lines, *last + 1);
            i++)
        ++*last;
}

static void append_variables(struct str *out, const struct frame *frame, PyObject *lines)
{
    PyObject *line = py_list_get(lines, frame->line - 1);
    if (line)
        append_values(out, frame, "variables", line);
    py_error_drop();
    Py_XDECREF(line);
}

static void append_context(struct str *out, const struct frame *frame, PyObject *lines,
        enum traceback_mode mode)
{
    int count = (int)PyList_GET_SIZE(lines), first, last;
    find_bounds(frame, lines, &first, &last);
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
        if (line == frame->line && mode == TRACEBACK_VERBOSE)
            append_variables(out, frame, lines);
    }
}

static void report_frame(
        json_t *report, enum traceback_mode mode, const struct frame *frame)
{
    struct str text = {0};
    PyObject *lines = source_lines(frame->file);
    bool is_plain = mode == TRACEBACK_PLAIN;
    bool has_source = lines && PyList_Check(lines) && frame->line >= 1 &&
                      frame->line <= PyList_GET_SIZE(lines);
    str_append(&text, is_plain ? CYAN "  " OFF : "");
    append_title(&text, frame, mode);
    if (has_source && is_plain) {
        str_append(&text, "\n" RED "    " OFF RED);
        append_source_line(&text, lines, frame->line - 1, false);
        str_append(&text, OFF "\n");
    } else if (has_source && mode == TRACEBACK_DOCS) {
        str_append(&text, "\n\n" GREEN "-> " OFF " ");
        append_source_line(&text, lines, frame->line - 1, true);
        str_append_char(&text, '\n');
    } else if (has_source) {
        str_append_char(&text, '\n');
        append_context(&text, frame, lines, mode);
    }
    add_line(report, &text);
    str_finish(&text);
    Py_XDECREF(lines);
}

PyObject *frames_source_line(PyObject *file, int line)
{
    PyObject *lines = source_lines(file);
    bool has_line =
            lines && PyList_Check(lines) && line >= 1 && line <= PyList_GET_SIZE(lines);
    PyObject *text = has_line ? py_list_get(lines, line - 1) : NULL;
    Py_XDECREF(lines);
    return text;
}

static bool repeats_earlier(const frame_list *frames, size_t index)
{
    int similar = 0;
    size_t oldest = index > 64 ? index - 64 : 0;
    for (size_t i = index; i-- > oldest && similar < MAX_SIMILAR;)
        similar += is_similar(&frames->items[i], &frames->items[index]);
    return similar >= MAX_SIMILAR;
}

// Reports frames from `first` on that are one entry of the report; the first one after.
static size_t report_run(
        json_t *report, enum traceback_mode mode, const frame_list *frames, size_t first)
{
    const struct frame *frame = &frames->items[first];
    struct str text = {0};
    size_t end = first, hidden = first;
    while (hidden < frames->len && frames->items[hidden].is_hidden)
        hidden++;
    while (end < frames->len && repeats_earlier(frames, end))
        end++;
    if (hidden > first) {
        str_printf(&text, "    [... skipping hidden %zu frame]\n", hidden - first);
        end = hidden;
    } else if (end > first + 1) {
        str_append(&text, "    [... skipping similar frames: ");
        frames_append_text(&text, frame->name);
        str_printf(&text, " at line %d (%zu times)]\n", frame->line, end - first);
    } else {
        report_frame(report, mode, frame);
        end = first + 1;
    }
    if (text.len)
        add_line(report, &text);
    str_finish(&text);
    return end;
}

void frames_report(PyObject *traceback, enum traceback_mode mode, json_t *report)
{
    frame_list frames = {0};
    collect_frames(traceback, &frames);
    for (size_t i = 0; i < frames.len;)
        i = report_run(report, mode, &frames, i);
    finish_frames(&frames);
}

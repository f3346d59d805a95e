// SPDX-License-Identifier: MIT
// The built-in module _gridcell_kernel: what gridcell.ipython and users' calls reach in
// C.
#include "kernel/python/state/py_state.h"

#include <string.h>

#include "kernel/cells/highlight.h"
#include "kernel/history/history.h"
#include "kernel/magics/py_magics.h"
#include "kernel/magics/py_processes.h"
#include "kernel/python/display/py_display.h"
#include "kernel/python/execute/py_execute.h"
#include "kernel/python/py_module.h"
#include "kernel/python/questions/py_evaluate.h"
#include "kernel/python/questions/py_questions.h"
#include "kernel/python/state/py_magic_table.h"
#include "kernel/python/state/py_text.h"

// ---- the object behind get_ipython()

static PyObject *get_ipython(PyObject *self, PyObject *args)
{
    return shell_instance();
}

// ---- methods of the C base class of that object: so that no frame of ours is in a
// traceback

static PyObject *base_run_line_magic(PyObject *self, PyObject *args)
{
    const char *name;
    PyObject *line, *depth = NULL;
    if (!PyArg_ParseTuple(args, "sU|O", &name, &line, &depth))
        return NULL;
    return magic_run_line(name, line);
}

static PyObject *base_run_cell_magic(PyObject *self, PyObject *args)
{
    const char *name;
    PyObject *line, *body;
    if (!PyArg_ParseTuple(args, "sUU", &name, &line, &body))
        return NULL;
    return magic_run_cell(name, line, body);
}

// magic("name rest"), the older spelling.
static PyObject *base_magic(PyObject *self, PyObject *text)
{
    if (!PyUnicode_Check(text))
        return PyErr_Format(PyExc_TypeError, "magic() takes a str");
    PyObject *parts = PyUnicode_Split(text, NULL, 1), *result = NULL;
    if (parts && PyList_GET_SIZE(parts) > 0) {
        PyObject *name = py_list_get(parts, 0);
        PyObject *line = PyList_GET_SIZE(parts) > 1 ? py_list_get(parts, 1)
                                                    : PyUnicode_FromString("");
        const char *utf8 = name ? PyUnicode_AsUTF8(name) : NULL;
        if (utf8 && line)
            result = magic_run_line(utf8 + (utf8[0] == '%'), line);
        Py_XDECREF(line);
        Py_XDECREF(name);
    } else if (parts) {
        result = Py_NewRef(Py_None);
    }
    Py_XDECREF(parts);
    return result;
}

static PyObject *base_system(PyObject *self, PyObject *command)
{
    if (!PyUnicode_Check(command))
        return PyErr_Format(PyExc_TypeError, "a command is a str");
    return process_system(command);
}

static PyObject *base_getoutput(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"cmd", "split", "depth", NULL};
    PyObject *command, *depth = NULL;
    int split = 1;
    if (!PyArg_ParseTupleAndKeywords(
                args, kwargs, "U|pO", names, &command, &split, &depth))
        return NULL;
    PyObject *lines = process_output(command);
    if (!lines || split)
        return lines;
    PyObject *newline = PyUnicode_FromString("\n");
    PyObject *text = newline ? PyUnicode_Join(newline, lines) : NULL;
    if (text && PyUnicode_GET_LENGTH(text) > 0)
        Py_SETREF(text, PyUnicode_Concat(text, newline));
    Py_XDECREF(newline);
    Py_DECREF(lines);
    return text;
}

static PyMethodDef base_methods[] = {
        {"run_line_magic", base_run_line_magic, METH_VARARGS, "Runs a line magic."},
        {"run_cell_magic", base_run_cell_magic, METH_VARARGS, "Runs a cell magic."},
        {"magic", base_magic, METH_O, "Runs a line magic given as one text."},
        {"system", base_system, METH_O, "Runs a shell command and shows its output."},
        {"system_piped", base_system, METH_O,
                "Runs a shell command and shows its output."},
        {"system_raw", base_system, METH_O, "Runs a shell command and shows its output."},
        {"getoutput", PY_KEYWORDS(base_getoutput),
                "The output lines of a shell command."},
        {NULL, NULL, 0, NULL},
};

// ---- exit and quit

static PyObject *exit_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
    bool keeps = false;
    PyObject *flag = args && PyTuple_GET_SIZE(args) > 0 ? PyTuple_GET_ITEM(args, 0)
                                                        : NULL; // borrowed
    keeps = flag && PyObject_IsTrue(flag) == 1;
    PyObject *payload = Py_BuildValue(
            "{sssO}", "source", "ask_exit", "keepkernel", keeps ? Py_True : Py_False);
    int status = payload ? PyList_Append(cell_get()->payload, payload) : -1;
    Py_XDECREF(payload);
    if (status < 0)
        return NULL;
    if (!output_is_terminal())
        front_end_ask_exit(keeps);
    else
        return PyErr_SetNone(PyExc_SystemExit), NULL;
    Py_RETURN_NONE;
}

static PyObject *exit_repr(PyObject *self)
{
    return PyUnicode_FromString("<exit: call it to end the kernel>");
}

// ---- functions

static PyObject *get_password(PyObject *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"prompt", "stream", NULL};
    PyObject *prompt = NULL, *stream = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|OO", names, &prompt, &stream))
        return NULL;
    PyObject *text = prompt ? Py_NewRef(prompt) : PyUnicode_FromString("Password: ");
    PyObject *line = text ? input_line(text, true) : NULL;
    Py_XDECREF(text);
    return line;
}

static json_t *json_of(PyObject *object)
{
    if (!object || object == Py_None)
        return NULL;
    return py_to_json(object);
}

enum { MAX_BUFFERS = 1024 };

// Views of the bytes-like objects of a list. The count, or -1 with an exception.
static Py_ssize_t open_buffers(
        PyObject *list, Py_buffer *views, struct message_buffer *buffers)
{
    Py_ssize_t count = list && list != Py_None ? PySequence_Size(list) : 0;
    if (count > MAX_BUFFERS) {
        PyErr_SetString(PyExc_ValueError, "too many buffers in one message");
        return -1;
    }
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PySequence_GetItem(list, i);
        int status = item ? PyObject_GetBuffer(item, &views[i], PyBUF_SIMPLE) : -1;
        Py_XDECREF(item);
        if (status < 0) {
            while (i-- > 0)
                PyBuffer_Release(&views[i]);
            return -1;
        }
        buffers[i] = (struct message_buffer){views[i].buf, (size_t)views[i].len};
    }
    return count;
}

static PyObject *publish(PyObject *self, PyObject *args)
{
    const char *msg_type;
    PyObject *content, *metadata = NULL, *list = NULL;
    if (!PyArg_ParseTuple(args, "sO|OO", &msg_type, &content, &metadata, &list))
        return NULL;
    if (!streams_await_room())
        return NULL;
    Py_buffer *views = PyMem_Calloc(MAX_BUFFERS, sizeof *views);
    struct message_buffer *buffers = PyMem_Calloc(MAX_BUFFERS, sizeof *buffers);
    json_t *body = json_of(content), *meta = body ? json_of(metadata) : NULL;
    Py_ssize_t count = -1;
    if (views && buffers && body && !PyErr_Occurred())
        count = open_buffers(list, views, buffers);
    if (count >= 0)
        output_publish(
                msg_type, json_incref(body), json_incref(meta), buffers, (size_t)count);
    for (Py_ssize_t i = 0; i < count; i++)
        PyBuffer_Release(&views[i]);
    json_decref(meta);
    json_decref(body);
    PyMem_Free(buffers);
    PyMem_Free(views);
    if (count < 0 && !PyErr_Occurred())
        PyErr_NoMemory();
    return count < 0 ? NULL : Py_NewRef(Py_None);
}

static PyObject *publish_display(PyObject *self, PyObject *args)
{
    const char *msg_type;
    PyObject *data, *metadata = NULL, *transient = NULL;
    if (!PyArg_ParseTuple(args, "sO|OO", &msg_type, &data, &metadata, &transient))
        return NULL;
    return display_publish(msg_type, data, metadata, transient) < 0 ? NULL
                                                                    : Py_NewRef(Py_None);
}

static PyObject *format(PyObject *self, PyObject *args)
{
    PyObject *object, *include = NULL, *exclude = NULL, *data = NULL, *metadata = NULL,
                      *both = NULL;
    if (!PyArg_ParseTuple(args, "O|OO", &object, &include, &exclude))
        return NULL;
    if (display_format(object, include, exclude, &data, &metadata) == 0)
        both = PyTuple_Pack(2, data == Py_None ? metadata : data, metadata);
    Py_XDECREF(data);
    Py_XDECREF(metadata);
    return both;
}

static PyObject *pretty(PyObject *self, PyObject *args)
{
    PyObject *object;
    struct pretty_options options = {0, 0, "\n", false};
    if (!PyArg_ParseTuple(args, "O|izip", &object, &options.max_width, &options.newline,
                &options.max_items, &options.is_verbose))
        return NULL;
    return PyTuple_GET_SIZE(args) == 1 ? pretty_text(object)
                                       : pretty_text_with(object, &options);
}

// Displays go into the list from now on; None ends that. The list that was there before.
static PyObject *capture(PyObject *self, PyObject *list)
{
    PyObject *before = cell_get()->captured ? cell_get()->captured : Py_NewRef(Py_None);
    cell_get()->captured = list == Py_None ? NULL : Py_NewRef(list);
    return before;
}

static PyObject *transform_cell(PyObject *self, PyObject *cell)
{
    if (!PyUnicode_Check(cell))
        return PyErr_Format(PyExc_TypeError, "a cell is a str");
    return execute_transform(cell);
}

static PyObject *expand(PyObject *self, PyObject *args)
{
    PyObject *text, *locals = NULL;
    if (!PyArg_ParseTuple(args, "U|O", &text, &locals))
        return NULL;
    return magic_expand_with(text, locals == Py_None ? NULL : locals);
}

// The list of lines of a traceback, as an uncaught exception would show, or does.
static PyObject *report_exception(PyObject *exception, bool publishes)
{
    if (!PyExceptionInstance_Check(exception))
        return PyErr_Format(PyExc_TypeError, "not an exception");
    PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
    json_t *content = traceback_report(publishes);
    PyObject *lines = py_from_json(json_object_get(content, "traceback"));
    json_decref(content);
    return lines;
}

static PyObject *show_traceback(PyObject *self, PyObject *exception)
{
    return report_exception(exception, true);
}

static PyObject *traceback_lines(PyObject *self, PyObject *exception)
{
    return report_exception(exception, false);
}

static bool is_next_input(PyObject *payload)
{
    PyObject *source = NULL;
    bool matches = PyDict_Check(payload) &&
                   py_dict_get_text(payload, "source", &source) > 0 &&
                   PyUnicode_Check(source) &&
                   !PyUnicode_CompareWithASCIIString(source, "set_next_input");
    py_error_drop();
    Py_XDECREF(source);
    return matches;
}

// Of several texts for the next cell only the last one stays.
static PyObject *add_payload(PyObject *self, PyObject *payload)
{
    PyObject *list = cell_get()->payload;
    for (Py_ssize_t i = PyList_GET_SIZE(list); is_next_input(payload) && i-- > 0;) {
        PyObject *item = PyList_GET_ITEM(list, i); // borrowed: only looked at
        if (is_next_input(item) && PyList_SetSlice(list, i, i + 1, NULL) < 0)
            return NULL;
    }
    return PyList_Append(list, payload) < 0 ? NULL : Py_NewRef(Py_None);
}

// Of the Debug Adapter Protocol.
static PyObject *debug_event(PyObject *self, PyObject *args)
{
    const char *event;
    PyObject *body;
    if (!PyArg_ParseTuple(args, "sO!", &event, &PyDict_Type, &body))
        return NULL;
    json_t *content = py_to_json(body);
    if (!content)
        return NULL;
    front_end_debug_event(event, content);
    Py_RETURN_NONE;
}

static PyObject *names_of_magics(PyObject *self, PyObject *kind)
{
    bool is_cell =
            PyUnicode_Check(kind) && !PyUnicode_CompareWithASCIIString(kind, "cell");
    return magic_names(is_cell ? MAGIC_CELL : MAGIC_LINE);
}

static PyObject *magic_summary(PyObject *self, PyObject *args)
{
    const char *name;
    if (!PyArg_ParseTuple(args, "s", &name))
        return NULL;
    const struct magic *magic = magic_find(MAGIC_LINE, name);
    magic = magic ? magic : magic_find(MAGIC_CELL, name);
    return magic ? PyUnicode_FromString(magic->summary) : Py_NewRef(Py_None);
}

static PyObject *run_built_in(PyObject *self, PyObject *args)
{
    const char *name;
    PyObject *line, *body = NULL;
    if (!PyArg_ParseTuple(args, "sU|U", &name, &line, &body))
        return NULL;
    return magic_run_built_in(name, line, body);
}

// switch(name) tells what %automagic and its like set; switch(name, value) sets it.
static PyObject *use_switch(PyObject *self, PyObject *args)
{
    static const char *const names[SWITCH_COUNT] = {"automagic", "autoawait", "autocall",
            "pprint", "max_seq_length", "pdb", "colourless", "keep_outputs", "max_width"};
    const char *name;
    int value = -1;
    if (!PyArg_ParseTuple(args, "s|i", &name, &value))
        return NULL;
    for (int i = 0; i < SWITCH_COUNT; i++) {
        if (strcmp(names[i], name))
            continue;
        int before = shell_get()->switches[i];
        if (value >= 0)
            shell_get()->switches[i] = value;
        return PyLong_FromLong(before);
    }
    return PyErr_Format(PyExc_KeyError, "%s", name);
}

// The file of the history; with a path that one from now on, or None when it is too late.
static PyObject *use_history_file(PyObject *self, PyObject *args)
{
    const char *path = NULL;
    if (!PyArg_ParseTuple(args, "|s", &path))
        return NULL;
    if (path && !history_choose_file(path))
        return Py_NewRef(Py_None);
    char *used = history_file();
    PyObject *text = PyUnicode_DecodeFSDefault(used);
    free(used);
    return text;
}

static PyObject *history_text(PyObject *self, PyObject *args)
{
    const char *ranges;
    int is_raw = 1;
    if (!PyArg_ParseTuple(args, "s|p", &ranges, &is_raw))
        return NULL;
    return magic_history_text(ranges, is_raw);
}

static PyObject *highlight(PyObject *self, PyObject *source)
{
    Py_ssize_t len;
    const char *text =
            PyUnicode_Check(source) ? PyUnicode_AsUTF8AndSize(source, &len) : NULL;
    if (!text)
        return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_TypeError, "not a str");
    struct str out = {0};
    highlight_source(&out, text, (size_t)len);
    PyObject *result = py_text(str_text(&out), out.len);
    str_finish(&out);
    return result;
}

static PyObject *get_parent(PyObject *self, PyObject *args)
{
    const char *channel = NULL;
    if (!PyArg_ParseTuple(args, "|z", &channel))
        return NULL;
    bool is_control = channel && !strcmp(channel, "control");
    json_t *parent = output_is_terminal() ? json_object()
                     : is_control         ? front_end_control_parent()
                                          : front_end_parent();
    PyObject *object = py_from_json(parent);
    json_decref(parent);
    return object;
}

// The rows that a history_request with this dict as its content asks for.
static PyObject *get_history(PyObject *self, PyObject *request)
{
    json_t *content = py_to_json(request);
    if (!content)
        return NULL;
    json_t *rows;
    Py_BEGIN_ALLOW_THREADS;
    rows = history_answer(content);
    Py_END_ALLOW_THREADS;
    PyObject *list = py_from_json(rows);
    json_decref(rows);
    json_decref(content);
    return list;
}

static PyObject *get_session_number(PyObject *self, PyObject *args)
{
    long long session;
    Py_BEGIN_ALLOW_THREADS;
    session = history_session();
    Py_END_ALLOW_THREADS;
    return PyLong_FromLongLong(session);
}

static PyObject *get_count(PyObject *self, PyObject *args)
{
    const struct cell *cell = cell_get();
    return PyLong_FromLong(cell->is_counted ? cell->number + cell->inner_count
                                            : shell_get()->execution_count);
}

static PyObject *set_count(PyObject *self, PyObject *count)
{
    long value = PyLong_AsLong(count);
    if (value == -1 && PyErr_Occurred())
        return NULL;
    // in a cell it is the cell's own number that is set
    shell_get()->execution_count = (int)value + cell_get()->is_counted;
    Py_RETURN_NONE;
}

static PyObject *get_connection_file(PyObject *self, PyObject *args)
{
    const char *path = shell_get()->connection_file;
    return path ? PyUnicode_DecodeFSDefault(path) : Py_NewRef(Py_None);
}

// A dict or list of the shell's state by name, shared and not copied.
static PyObject *state(PyObject *self, PyObject *name)
{
    struct shell *shell = shell_get();
    const struct {
        const char *name;
        PyObject *value;
    } members[] = {{"user_ns", shell->user_ns}, {"user_module", shell->user_module},
            {"initial_names", shell->initial_names}, {"inputs", shell->inputs},
            {"parsed_inputs", shell->parsed_inputs}, {"outputs", shell->outputs},
            {"directories", shell->directories}, {"formatters", shell->formatters},
            {"lazy_formatters", shell->lazy_formatters},
            {"custom_formatters", shell->custom_formatters},
            {"disabled_formats", shell->disabled_formats},
            {"display_hooks", shell->display_hooks}, {"last_result", shell->last_result},
            {"user_magics", shell->user_magics}, {"cell_sources", shell->cell_sources},
            {"cell_numbers", shell->cell_numbers}, {"exception", shell->exception},
            {"exit", shell->exit_type}};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        if (PyUnicode_Check(name) &&
                !PyUnicode_CompareWithASCIIString(name, members[i].name))
            return Py_NewRef(members[i].value ? members[i].value : Py_None);
    }
    return PyErr_Format(PyExc_KeyError, "%S", name);
}

// Rows of functions that are named in C as in Python, by what they take.
#define NOARGS(name, doc)                                                                \
    {                                                                                    \
#name, name, METH_NOARGS, doc                                                    \
    }
#define ONE(name, doc)                                                                   \
    {                                                                                    \
#name, name, METH_O, doc                                                         \
    }
#define VARARGS(name, doc)                                                               \
    {                                                                                    \
#name, name, METH_VARARGS, doc                                                   \
    }

static PyMethodDef functions[] = {
        NOARGS(get_ipython, "The running notebook's shell."),
        {"display", PY_KEYWORDS(display_objects), "Shows objects in the notebook."},
        {"displayhook", display_hook, METH_O, "Shows the result of a cell."},
        {"getpass", PY_KEYWORDS(get_password), "Asks for a password."},
        VARARGS(publish, "Sends an IOPub message."),
        VARARGS(publish_display, "Sends a display message, or captures it."),
        VARARGS(format, "Every representation of an object: data, metadata."),
        VARARGS(pretty, "The text of an object: line width, newline, items, verbosity."),
        ONE(capture, "Redirects displays into a list."),
        {"run_cell", inner_run_code, METH_VARARGS, "Runs code as part of a cell."},
        {"store_inputs", inputs_store, METH_VARARGS, "Adds to the history."},
        {"run_inner_cell", inner_run_cell, METH_VARARGS,
                "Runs a cell with a result of its own."},
        {"enter_inner_cell", inner_enter, METH_VARARGS, NULL},
        {"leave_inner_cell", inner_leave, METH_VARARGS, NULL},
        {"shown_result", inner_shown_result, METH_NOARGS,
                "What the running cell displayed as its result."},
        ONE(transform_cell, "The Python source of a cell."),
        VARARGS(expand, "A text with $name and {expression} replaced."),
        ONE(show_traceback, "Shows an exception as if it were uncaught."),
        ONE(traceback_lines, "The lines that show_traceback() would show."),
        {"complete", complete_code, METH_O, "Completions at the end of some code."},
        {"answer", answers_give, METH_VARARGS, "The reply to a question of front ends."},
        {"evaluate", evaluate_for_inspection, METH_O,
                "The value of an expression that calls nothing."},
        ONE(highlight, "Python source with ANSI colours."),
        ONE(add_payload, "Adds to the payload of the reply."),
        {"magic_names", names_of_magics, METH_O, "Names of 'line' or 'cell' magics."},
        VARARGS(magic_summary, "What a built-in magic does; None if unknown."),
        VARARGS(run_built_in, "Runs a built-in magic: name, line, body of a cell."),
        VARARGS(get_parent, "The message that is being handled."),
        {"run_coroutine", real_ipython_await, METH_O,
                "Runs a coroutine in the cell's loop."},
        {"serve_comms", comms_serve, METH_NOARGS, "Handles waiting comm messages."},
        {"history", get_history, METH_O, "Rows of the history, of this session or all."},
        VARARGS(history_text,
                "The code of history ranges; None when the text names none."),
        {"switch", use_switch, METH_VARARGS, "Whether %automagic and its like are on."},
        VARARGS(use_history_file, "The file of the history, or another from now on."),
        {"history_session", get_session_number, METH_NOARGS,
                "The number of this session in the history."},
        NOARGS(get_count, NULL),
        ONE(set_count, NULL),
        {"connection_file", get_connection_file, METH_NOARGS, NULL},
        VARARGS(debug_event, "Tells the front end's debugger of compiled code."),
        ONE(state, NULL),
        {0},
};

static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_gridcell_kernel", NULL, -1,
        functions, NULL, NULL, NULL, NULL};

static int add_types(PyObject *module)
{
    PyType_Slot base_slots[] = {{Py_tp_methods, base_methods}, {0, NULL}};
    PyType_Spec base = {"_gridcell_kernel.ShellBase", sizeof(PyObject), 0,
            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, base_slots};
    PyType_Slot exit_slots[] = {
            {Py_tp_call, (void *)exit_call}, {Py_tp_repr, (void *)exit_repr}, {0, NULL}};
    PyType_Spec leave = {"IPython.core.autocall.ZMQExitAutocall", sizeof(PyObject), 0,
            Py_TPFLAGS_DEFAULT, exit_slots};
    PyObject *base_type = PyType_FromSpec(&base);
    int status = base_type ? PyModule_AddObjectRef(module, "ShellBase", base_type) : -1;
    Py_XDECREF(base_type);
    shell_get()->exit_type = PyType_FromSpec(&leave);
    shell_get()->user_magics = Py_BuildValue("{s{}s{}}", "line", "cell");
    return status == 0 && shell_get()->exit_type && shell_get()->user_magics ? 0 : -1;
}

PyObject *kernel_module_init(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (module && add_types(module) < 0)
        Py_CLEAR(module);
    return module;
}

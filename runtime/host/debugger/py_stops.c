// SPDX-License-Identifier: MIT
// Where compiled code stands, for Python: its calls, variables as objects, and the
// commands by which it goes on. What to do when it stops is Python's: the package
// gridcell.debugging is asked, on the thread that stops.
#include "runtime/host/debugger/py_stops.h"

#include <string.h>

#include "compiler/support/support.h"
#include "compiler/types/abi.h"
#include "runtime/debugger/stops.h"
#include "runtime/host/state/py_enter.h"
#include "runtime/host/state/py_error.h"
#include "runtime/host/values/py_values.h"

static const char module_name[] = "gridcell.debugging";

// --- Records as objects

// The value has no reference that it could take along: it gets its own. Memory of a
// device is copied.
static PyObject *box_copy(const struct type *type, const void *source)
{
    size_t size = abi_size(type), count = abi_counted(type, 0, NULL);
    char *copy = PyMem_Malloc(size + 1);
    int64_t *places = PyMem_Malloc((count + 1) * sizeof *places);
    PyObject *value = NULL;
    if (copy && places) {
        memcpy(copy, source, size);
        abi_counted(type, 0, places);
        for (size_t i = 0; i < count; i++) {
            struct abi_memory *memory;
            memcpy(&memory, copy + places[i], sizeof memory);
            gridcell_memory_retain(memory);
        }
        value = py_box(type, copy);
    } else {
        PyErr_NoMemory();
    }
    PyMem_Free(copy);
    PyMem_Free(places);
    return value;
}

// (name, type, value, whether there is a value, whether it is an argument)
static PyObject *describe_variable(
        const struct debug_frame *frame, const struct debug_variable_place *place)
{
    PyObject *value = box_copy(place->type, (const char *)frame + place->offset);
    bool is_known = value != NULL;
    if (!is_known) {
        py_error_drop(); // a type that Python does not get
        value = Py_NewRef(Py_None);
    }
    return Py_BuildValue("(ssNOO)", place->name, place->type->name, value,
            is_known ? Py_True : Py_False, place->is_argument ? Py_True : Py_False);
}

// A failure, of the item or of the list, leaves no list.
static void append(PyObject **list, PyObject *item_stolen)
{
    if (!item_stolen || PyList_Append(*list, item_stolen) < 0)
        Py_CLEAR(*list);
    Py_XDECREF(item_stolen);
}

static PyObject *describe_variables(const struct debug_frame *frame)
{
    PyObject *list = PyList_New(0);
    for (int64_t i = 0; list && i < frame->function->variable_count; i++) {
        if (!debug_frame_set(frame)[i])
            continue;
        append(&list, describe_variable(frame, &frame->function->variables[i]));
    }
    return list;
}

static PyObject *place_tuple(const int32_t *place)
{
    return Py_BuildValue("(iii)", place[0], place[1], place[2]);
}

// (function, file, line, block or None, thread or None, extent of the grid, of the block)
static PyObject *describe_frame(const struct debug_frame *frame)
{
    const struct abi_emulated_block *block = frame->block;
    const struct debug_function *function = frame->function;
    if (!block)
        return Py_BuildValue("(ssiOOOO)", function->name, function->file, frame->line,
                Py_None, Py_None, Py_None, Py_None);
    return Py_BuildValue("(ssiNNNN)", function->name, function->file, frame->line,
            place_tuple(block->block_idx), place_tuple(frame->thread),
            place_tuple(block->grid_dim), place_tuple(block->block_dim));
}

// --- What Python is asked

// Python's own debugger does not look on. Exceptions that are under way are kept.
static PyObject *ask(const char *name, PyObject *args_stolen)
{
    PyObject *function = args_stolen ? py_import_attr(module_name, name) : NULL;
    PyThreadState *state = PyThreadState_Get();
    PyThreadState_EnterTracing(state);
    PyObject *answer = function ? PyObject_CallObject(function, args_stolen) : NULL;
    PyThreadState_LeaveTracing(state);
    Py_XDECREF(function);
    Py_XDECREF(args_stolen);
    return answer;
}

// An interrupt waits for the code that runs next; of all else the user is told.
static bool is_answered(PyObject *answer)
{
    bool is_interrupt = !answer && PyErr_ExceptionMatches(PyExc_KeyboardInterrupt);
    if (is_interrupt)
        py_error_drop();
    else if (!answer)
        py_error_report(NULL);
    return answer != NULL;
}

static bool tell(const char *name, PyObject *args_stolen)
{
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *answer = ask(name, args_stolen);
    bool is_done = is_answered(answer);
    Py_XDECREF(answer);
    PyErr_Restore(type, value, traceback);
    return is_done;
}

static void *leave(void)
{
    return PyGILState_Check() ? PyEval_SaveThread() : NULL;
}

static void come_back(void *state)
{
    if (state)
        PyEval_RestoreThread(state);
}

static bool holds(const struct debug_frame *frame, const char *condition)
{
    PyGILState_STATE gil = py_enter();
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *answer = ask(
            "condition_holds", Py_BuildValue("(sNN)", condition, describe_frame(frame),
                                       describe_variables(frame)));
    bool is_true = !is_answered(answer) || answer == Py_True;
    Py_XDECREF(answer);
    PyErr_Restore(type, value, traceback);
    py_leave(gil);
    return is_true;
}

static void stopped(const struct debug_frame *frame, enum debug_reason reason)
{
    static const char *const names[] = {[DEBUG_NO_REASON] = "",
            [DEBUG_BREAKPOINT] = "breakpoint",
            [DEBUG_STEP] = "step",
            [DEBUG_CALL] = "call"};
    PyGILState_STATE gil = py_enter();
    if (!tell("stopped", Py_BuildValue("(s)", names[reason])))
        stops_resume(DEBUG_CONTINUE); // nobody knows that it stands
    py_leave(gil);
}

// An interrupt that waits would end at once what is asked here: it waits on until that is
// done.
static void resumed(bool is_interrupted)
{
    PyGILState_STATE gil = py_enter();
    PyObject *type = NULL, *value = NULL, *traceback = NULL;
    bool waits = PyErr_CheckSignals() != 0;
    if (waits)
        PyErr_Fetch(&type, &value, &traceback);
    tell("resumed", Py_BuildValue("(O)", is_interrupted ? Py_True : Py_False));
    if (waits) {
        PyErr_Restore(type, value, traceback);
        py_error_drop();
    }
    py_leave(gil);
}

// [(frame, variables)], the innermost call first.
static PyObject *describe_calls(const struct debug_frame *frame)
{
    PyObject *list = PyList_New(0);
    for (; list && frame; frame = frame->caller) {
        PyObject *variables = describe_variables(frame);
        append(&list, Py_BuildValue("(NN)", describe_frame(frame), variables));
    }
    return list;
}

static void failed(const struct debug_frame *frame)
{
    PyGILState_STATE gil = py_enter();
    PyObject *type, *value, *traceback, *calls = NULL;
    PyErr_Fetch(&type, &value, &traceback);
    if (frame)
        is_answered(calls = ask("failed", Py_BuildValue("(N)", describe_calls(frame))));
    Py_XSETREF(py_runtime()->failed_calls, calls);
    PyErr_Restore(type, value, traceback);
    py_leave(gil);
}

// --- Functions of the module

// The texts are the rows' own: `rows` keeps them.
static bool read_breakpoint(PyObject *rows, Py_ssize_t at, struct debug_breakpoint *out)
{
    PyObject *row = py_list_get(rows, at);
    bool is_read = row && PyArg_ParseTuple(row, "iz", &out->line, &out->condition);
    Py_XDECREF(row);
    return is_read;
}

// The list of (line, condition or None).
static PyObject *stops_breakpoints(PyObject *module, PyObject *args)
{
    const char *file;
    PyObject *rows;
    if (!PyArg_ParseTuple(args, "sO!", &file, &PyList_Type, &rows))
        return NULL;
    Py_ssize_t count = PyList_GET_SIZE(rows);
    struct debug_breakpoint *list = PyMem_Calloc((size_t)count + 1, sizeof *list);
    bool is_read = list != NULL;
    for (Py_ssize_t i = 0; is_read && i < count; i++)
        is_read = read_breakpoint(rows, i, &list[i]);
    if (is_read)
        stops_set_breakpoints(file, list, (size_t)count);
    PyMem_Free(list);
    if (is_read)
        Py_RETURN_NONE;
    return list ? NULL : PyErr_NoMemory();
}

static PyObject *stops_clear(PyObject *module, PyObject *none)
{
    stops_clear_breakpoints();
    Py_RETURN_NONE;
}

static PyObject *stops_go_on(PyObject *module, PyObject *argument)
{
    static const char *const names[] = {[DEBUG_CONTINUE] = "continue",
            [DEBUG_INTO] = "into",
            [DEBUG_OVER] = "over",
            [DEBUG_OUT] = "out",
            [DEBUG_TO_BARRIER] = "barrier"};
    const char *name = PyUnicode_AsUTF8(argument);
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name))
            return PyBool_FromLong(stops_resume((enum debug_step)i));
    return name ? PyErr_Format(PyExc_ValueError, "%s is no way to go on", name) : NULL;
}

static bool read_places(PyObject *args, int32_t block[3], int32_t thread[3])
{
    return PyArg_ParseTuple(args, "(iii)(iii)", &block[0], &block[1], &block[2],
            &thread[0], &thread[1], &thread[2]);
}

static PyObject *stops_to_thread(PyObject *module, PyObject *args)
{
    int32_t block[3], thread[3];
    if (!read_places(args, block, thread))
        return NULL;
    return PyBool_FromLong(stops_go_to(block, thread));
}

// The innermost record of a thread, and where that is; without arguments of the one that
// stands.
static const struct debug_frame *find_frame(
        const struct debug_frame *here, PyObject *where, enum debug_place *place)
{
    int32_t block[3], thread[3];
    const struct debug_frame *frame = here;
    *place = DEBUG_HERE;
    if (where == Py_None || !here->block)
        return here;
    if (!read_places(where, block, thread))
        return NULL;
    *place = stops_find(block, thread, &frame);
    return frame;
}

static PyObject *list_frames(const struct debug_frame *frame, enum debug_place place)
{
    static const char *const names[] = {[DEBUG_HERE] = "here",
            [DEBUG_WAITS] = "waits",
            [DEBUG_ENDED] = "ended",
            [DEBUG_PENDING] = "pending"};
    PyObject *list = PyList_New(0);
    for (; list && frame; frame = frame->caller)
        append(&list, describe_frame(frame));
    return list ? Py_BuildValue("(sN)", names[place], list) : NULL;
}

// (where it is, its calls from the innermost one on), or None where nothing stands.
// `where`: None, or (block, thread).
static PyObject *stops_frames(PyObject *module, PyObject *where)
{
    enum debug_place place;
    const struct debug_frame *here = stops_begin_reading();
    if (!here)
        Py_RETURN_NONE;
    const struct debug_frame *frame = find_frame(here, where, &place);
    PyObject *found = PyErr_Occurred() ? NULL : list_frames(frame, place);
    stops_end_reading();
    return found;
}

// The variables of call number `level` of that list; None where there is no such call.
static PyObject *stops_variables(PyObject *module, PyObject *args)
{
    PyObject *where, *found = NULL;
    int level;
    enum debug_place place;
    if (!PyArg_ParseTuple(args, "Oi", &where, &level))
        return NULL;
    const struct debug_frame *here = stops_begin_reading();
    if (!here)
        Py_RETURN_NONE;
    const struct debug_frame *frame = find_frame(here, where, &place);
    for (; frame && level > 0; level--)
        frame = frame->caller;
    if (frame)
        found = describe_variables(frame);
    stops_end_reading();
    if (!frame && !PyErr_Occurred())
        Py_RETURN_NONE;
    return found;
}

PyMethodDef py_stops_functions[] = {
        {"debug_breakpoints", stops_breakpoints, METH_VARARGS,
                "Exchanges the breakpoints of a file: a list of (line, condition)."},
        {"debug_clear", stops_clear, METH_NOARGS, "Forgets all breakpoints."},
        {"debug_go_on", stops_go_on, METH_O,
                "Lets the thread that stands go on: continue, into, over, out, barrier."},
        {"debug_go_to", stops_to_thread, METH_VARARGS,
                "Goes on to the first line of a thread: (block, thread)."},
        {"debug_frames", stops_frames, METH_O,
                "The calls of the thread that stands, or of another one."},
        {"debug_variables", stops_variables, METH_VARARGS,
                "The variables of one of its calls."},
        {NULL, NULL, 0, NULL},
};

void py_stops_init(void)
{
    static const struct debug_host host = {.leave = leave,
            .come_back = come_back,
            .holds = holds,
            .stopped = stopped,
            .resumed = resumed,
            .failed = failed};
    stops_define();
    stops_set_host(&host);
}

// SPDX-License-Identifier: MIT
// %time and %timeit: the statement runs as the user typed it, and the words are those
// that notebooks and their readers know.
#include "kernel/magics/py_magics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "kernel/cells/time_format.h"
#include "kernel/cells/transform.h"
#include "kernel/python/execute/py_execute.h"
#include "kernel/python/state/py_state.h"
#include "kernel/python/state/py_text.h"

// ---- %time

struct clocks {
    double wall, user, system;
};

static double seconds_of(struct timeval value)
{
    return (double)value.tv_sec + (double)value.tv_usec * 1e-6;
}

static struct clocks read_clocks(void)
{
    struct timespec now;
    struct rusage usage;
    clock_gettime(CLOCK_MONOTONIC, &now);
    getrusage(RUSAGE_SELF, &usage);
    return (struct clocks){(double)now.tv_sec + (double)now.tv_nsec * 1e-9,
            seconds_of(usage.ru_utime), seconds_of(usage.ru_stime)};
}

static void print_times(const struct clocks *start, const struct clocks *end)
{
    char user[64], system[64], total[64], wall[64];
    double user_span = end->user - start->user, system_span = end->system - start->system;
    time_format(user_span, 3, user, sizeof user);
    time_format(system_span, 3, system, sizeof system);
    time_format(user_span + system_span, 3, total, sizeof total);
    time_format(end->wall - start->wall, 3, wall, sizeof wall);
    py_print("CPU times: user %s, sys: %s, total: %s\nWall time: %s\n", user, system,
            total, wall);
}

static PyObject *time_statement(PyObject *code)
{
    PyObject *value = NULL;
    struct clocks start = read_clocks();
    int status = execute_nested(code, &value);
    struct clocks end = read_clocks();
    PyObject *type, *error, *traceback;
    PyErr_Fetch(&type, &error, &traceback);
    print_times(&start, &end);
    PyErr_Restore(type, error, traceback);
    return status < 0 ? NULL : value;
}

static bool is_silenced(PyObject *code)
{
    Py_ssize_t len;
    const char *text = PyUnicode_AsUTF8AndSize(code, &len);
    py_error_drop();
    return text && transform_ends_with_semicolon(text, (size_t)len);
}

// The line without --no-raise-error, which stands first. *is_forgiving: it was there.
static PyObject *take_forgiving(PyObject *line, bool *is_forgiving)
{
    static const char option[] = "--no-raise-error";
    const char *text = PyUnicode_AsUTF8(line);
    if (!text)
        return NULL;
    char next = str_starts_with(text, option) ? text[sizeof option - 1] : 'x';
    *is_forgiving = next == '\0' || next == ' ' || next == '\t';
    if (!*is_forgiving)
        return Py_NewRef(line);
    text += sizeof option - 1;
    return PyUnicode_FromString(text + strspn(text, " \t"));
}

static PyObject *run_time(const char *name, PyObject *line, PyObject *body)
{
    bool is_forgiving;
    PyObject *rest = take_forgiving(line, &is_forgiving);
    if (!rest)
        return NULL;
    if (body && PyUnicode_GET_LENGTH(rest) > 0) {
        Py_DECREF(rest);
        return py_usage_error("Can't use statement directly after '%%%%time'!");
    }
    PyObject *code = body ? body : rest, *value = time_statement(code);
    if (!value && is_forgiving && PyErr_ExceptionMatches(PyExc_Exception)) {
        py_error_drop();
        value = Py_NewRef(Py_None);
    }
    if (value && is_silenced(code))
        Py_SETREF(value, Py_NewRef(Py_None));
    Py_DECREF(rest);
    return value;
}

// ---- %timeit

static const char timeit_template[] = "def inner(_it, _timer):\n"
                                      "    pass\n"
                                      "    _t0 = _timer()\n"
                                      "    for _i in _it:\n"
                                      "        pass\n"
                                      "    _t1 = _timer()\n"
                                      "    return _t1 - _t0\n";

static PyObject *parse(PyObject *source, PyObject *file_name)
{
    return execute_compile(
            source, file_name, "exec", PyCF_ONLY_AST | shell_get()->compiler_flags);
}

// The statements of a source, transformed as a cell is; an empty one is `pass`.
static PyObject *statements_of(PyObject *code, PyObject *file_name)
{
    PyObject *source = execute_transform(code), *tree = NULL;
    // within the timing function more would be allowed than in a cell: `return`
    PyObject *alone = source ? execute_compile(source, file_name, "exec",
                                       shell_get()->compiler_flags)
                             : NULL;
    if (alone)
        tree = parse(source, file_name);
    if (tree)
        Py_SETREF(tree, hooks_transform_tree(tree));
    Py_XDECREF(alone);
    PyObject *statements = tree ? PyObject_GetAttrString(tree, "body") : NULL;
    Py_XDECREF(tree);
    Py_XDECREF(source);
    return statements;
}

// Puts `statements` in the place of the `pass` at `index` of node.body.
static bool replace_pass(PyObject *node, Py_ssize_t index, PyObject *statements)
{
    PyObject *body = PyObject_GetAttrString(node, "body");
    bool is_ok =
            body && (PyList_GET_SIZE(statements) == 0 ||
                            PyList_SetSlice(body, index, index + 1, statements) == 0);
    Py_XDECREF(body);
    return is_ok;
}

static PyObject *item_of(PyObject *node, Py_ssize_t index)
{
    PyObject *body = PyObject_GetAttrString(node, "body");
    PyObject *item = body ? py_list_get(body, index) : NULL;
    Py_XDECREF(body);
    return item;
}

// The timing function: `setup` once, then `code` in a loop between two readings of the
// clock.
static PyObject *make_inner(PyObject *setup, PyObject *code)
{
    PyObject *file_name = PyUnicode_FromString("<magic-timeit>"), *inner = NULL;
    PyObject *template = PyUnicode_FromString(timeit_template);
    PyObject *tree = file_name && template ? parse(template, file_name) : NULL;
    PyObject *function = tree ? item_of(tree, 0) : NULL,
             *loop = function ? item_of(function, 2) : NULL;
    PyObject *before = loop ? statements_of(setup, file_name) : NULL;
    PyObject *timed = before ? statements_of(code, file_name) : NULL;
    PyObject *compiled = NULL, *locals = PyDict_New(), *result = NULL;
    if (timed && locals && replace_pass(loop, 0, timed) &&
            replace_pass(function, 0, before))
        compiled = execute_compile(tree, file_name, "exec", shell_get()->compiler_flags);
    if (compiled)
        result = PyEval_EvalCode(compiled, shell_get()->user_ns, locals);
    if (result)
        py_dict_get_text(locals, "inner", &inner);
    Py_XDECREF(result);
    Py_XDECREF(locals);
    Py_XDECREF(compiled);
    Py_XDECREF(timed);
    Py_XDECREF(before);
    Py_XDECREF(loop);
    py_drop(function, tree, template, file_name);
    return inner;
}

static PyObject *process_time(PyObject *self, PyObject *args)
{
    struct clocks now = read_clocks();
    return PyFloat_FromDouble(now.user + now.system);
}

static PyMethodDef process_time_method = {
        "process_time", process_time, METH_NOARGS, NULL};

static PyObject *make_timer(const struct magic_options *options)
{
    if (magic_has(options, 'c'))
        return PyCFunction_New(&process_time_method, NULL);
    return py_import_attr("time", magic_has(options, 't') ? "time" : "perf_counter");
}

// Seconds that `loops` rounds take; -1 with an exception.
static double run_inner(PyObject *inner, PyObject *timer, long long loops)
{
    PyObject *rounds = py_call_module("itertools", "repeat", "(OL)", Py_None, loops);
    PyObject *result =
            rounds ? PyObject_CallFunctionObjArgs(inner, rounds, timer, NULL) : NULL;
    double seconds = result ? PyFloat_AsDouble(result) : -1;
    Py_XDECREF(result);
    Py_XDECREF(rounds);
    return seconds;
}

enum { MAX_REPEAT = 100000, DEFAULT_REPEAT = 7, DEFAULT_PRECISION = 3 };

struct timing {
    long long loops;
    long repeat, precision;
    double *runs; // seconds per loop
    double compile_seconds;
    long long unwaited; // launches of kernels before the timing
};

// Powers of ten until one run takes long enough to be measured.
static bool choose_loops(struct timing *timing, PyObject *inner, PyObject *timer)
{
    const double long_enough = 0.2;
    timing->loops = 1;
    for (int i = 0; i < 10; i++) {
        double seconds = run_inner(inner, timer, timing->loops);
        if (PyErr_Occurred())
            return false;
        if (seconds >= long_enough || i == 9)
            break;
        timing->loops *= 10;
    }
    return true;
}

static bool measure(struct timing *timing, PyObject *inner, PyObject *timer)
{
    int had_gc = PyGC_Disable();
    bool is_ok = timing->loops > 0 || choose_loops(timing, inner, timer);
    for (long i = 0; is_ok && i < timing->repeat; i++) {
        timing->runs[i] = run_inner(inner, timer, timing->loops) / (double)timing->loops;
        is_ok = !PyErr_Occurred();
    }
    if (had_gc)
        PyGC_Enable();
    return is_ok;
}

static void find_extremes(const struct timing *timing, double *best, double *worst)
{
    *best = *worst = timing->runs[0];
    for (long i = 1; i < timing->repeat; i++) {
        *best = fmin(*best, timing->runs[i]);
        *worst = fmax(*worst, timing->runs[i]);
    }
}

static PyObject *make_result(const struct timing *timing)
{
    double best, worst;
    find_extremes(timing, &best, &worst);
    PyObject *runs = PyList_New(timing->repeat);
    for (long i = 0; runs && i < timing->repeat; i++) {
        PyObject *seconds = PyFloat_FromDouble(timing->runs[i] * (double)timing->loops);
        if (!seconds)
            Py_CLEAR(runs);
        else
            PyList_SET_ITEM(runs, i, seconds);
    }
    PyObject *result =
            runs ? py_call_module("gridcell.ipython.timing", "TimeitResult", "(LlddOdl)",
                           timing->loops, timing->repeat, best, worst, runs,
                           timing->compile_seconds, timing->precision)
                 : NULL;
    Py_XDECREF(runs);
    return result;
}

static void warn_of_spread(const struct timing *timing)
{
    double best, worst;
    find_extremes(timing, &best, &worst);
    if (worst > 4 * best && best > 0 && worst > 1e-6)
        py_print("The slowest run took %0.2f times longer than the fastest. This could "
                 "mean that an "
                 "intermediate result is being cached.\n",
                worst / best);
}

static void append_grouped(struct str *out, long long number)
{
    char digits[32];
    int len = snprintf(digits, sizeof digits, "%lld", number);
    for (int i = 0; i < len; i++) {
        str_append_char(out, digits[i]);
        if ((len - i - 1) % 3 == 0 && i < len - 1)
            str_append_char(out, ',');
    }
}

static void print_timing(const struct timing *timing)
{
    struct str text = {0};
    char mean_text[64], deviation_text[64];
    double sum = 0, squares = 0;
    for (long i = 0; i < timing->repeat; i++)
        sum += timing->runs[i];
    double mean = sum / (double)timing->repeat;
    for (long i = 0; i < timing->repeat; i++)
        squares += (timing->runs[i] - mean) * (timing->runs[i] - mean);
    time_format(mean, (int)timing->precision, mean_text, sizeof mean_text);
    time_format(sqrt(squares / (double)timing->repeat), (int)timing->precision,
            deviation_text, sizeof deviation_text);
    str_printf(&text, "%s \u00b1 %s per loop (mean \u00b1 std. dev. of %ld run%s, ",
            mean_text, deviation_text, timing->repeat, timing->repeat == 1 ? "" : "s");
    append_grouped(&text, timing->loops);
    str_printf(&text, " loop%s each)\n", timing->loops == 1 ? "" : "s");
    py_write_stream("stdout", str_text(&text), text.len);
    str_finish(&text);
    if (timing->compile_seconds > 0.1)
        py_print("Compiler time: %.2f s\n", timing->compile_seconds);
}

static bool read_timing(const struct magic_options *options, struct timing *timing)
{
    timing->loops = magic_integer(options, 'n', 0);
    timing->repeat = magic_integer(options, 'r', DEFAULT_REPEAT);
    timing->precision = magic_integer(options, 'p', DEFAULT_PRECISION);
    if (PyErr_Occurred())
        return false;
    if (timing->repeat < 1 || timing->repeat > MAX_REPEAT || timing->loops < 0) {
        PyErr_SetString(
                PyExc_ValueError, "the numbers of loops and runs must be positive");
        return false;
    }
    timing->runs = PyMem_Calloc((size_t)timing->repeat, sizeof *timing->runs);
    if (!timing->runs)
        PyErr_NoMemory();
    return timing->runs != NULL;
}

// Launches of kernels that nobody has waited for; -1 with an exception.
static long long unwaited_launches(void)
{
    PyObject *number =
            py_call_module("gridcell.ipython.timing", "unwaited_launches", "()");
    long long launches = number ? PyLong_AsLongLong(number) : -1;
    Py_XDECREF(number);
    return launches;
}

// Tells where the clock stopped before the kernels did: each loop left one running.
static bool note_asynchrony(const struct timing *timing)
{
    long long launches = unwaited_launches();
    PyObject *note =
            launches < 0 ? NULL
                         : py_call_module("gridcell.ipython.timing", "asynchronous_note",
                                   "(LLL)", timing->unwaited, launches, timing->loops);
    if (note && PyUnicode_Check(note))
        py_print("%s\n", PyUnicode_AsUTF8(note));
    Py_XDECREF(note);
    return note != NULL;
}

static PyObject *report_timing(
        const struct magic_options *options, const struct timing *timing)
{
    if (!magic_has(options, 'q')) {
        warn_of_spread(timing);
        print_timing(timing);
        if (!note_asynchrony(timing))
            return NULL;
    }
    if (!magic_has(options, 'o') && !magic_has(options, 'v'))
        Py_RETURN_NONE;
    PyObject *result = make_result(timing), *name = options->values['v'];
    if (result && name && PyDict_SetItem(shell_get()->user_ns, name, result) < 0)
        Py_CLEAR(result);
    if (result && !magic_has(options, 'o'))
        Py_SETREF(result, Py_NewRef(Py_None));
    return result;
}

static PyObject *run_timeit(const char *name, PyObject *line, PyObject *body)
{
    struct magic_options options = {0};
    struct timing timing = {0};
    PyObject *inner = NULL, *timer = NULL, *result = NULL,
             *empty = PyUnicode_FromString("");
    if (!empty || !magic_parse(name, line, "n:r:tcp:qov:", &options))
        goto done;
    if (!body && PyUnicode_GET_LENGTH(options.rest) == 0) {
        result = Py_NewRef(Py_None);
        goto done;
    }
    struct clocks start = read_clocks();
    inner = make_inner(body ? options.rest : empty, body ? body : options.rest);
    timing.compile_seconds = read_clocks().wall - start.wall;
    timer = inner ? make_timer(&options) : NULL;
    timing.unwaited = timer ? unwaited_launches() : 0;
    if (timing.unwaited >= 0 && timer && read_timing(&options, &timing) &&
            measure(&timing, inner, timer))
        result = report_timing(&options, &timing);
done:
    PyMem_Free(timing.runs);
    magic_options_finish(&options);
    Py_XDECREF(timer);
    Py_XDECREF(inner);
    Py_XDECREF(empty);
    return result;
}

const struct magic magics_time[] = {
        {"time", MAGIC_LINE | MAGIC_CELL, run_time,
                "Time the run of a statement or of the cell; --no-raise-error forgets "
                "its "
                "exception.",
                false, false},
        {"timeit", MAGIC_LINE | MAGIC_CELL, run_timeit,
                "Time a statement, or the cell with its first line as setup, over many "
                "runs: "
                "%timeit [-n LOOPS] [-r REPEATS] [-t | -c] [-p DIGITS] [-q] [-o] [-v "
                "NAME] "
                "STATEMENT; -t time.time, -c processor time, -q is silent, -o returns "
                "the "
                "result, -v keeps it under a name.",
                false, false},
        {NULL, 0, NULL, NULL, false, false},
};

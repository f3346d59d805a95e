// SPDX-License-Identifier: MIT
// Failures of compilation and of compiled code as Python exceptions, with the place in
// the user's source both in the message and in the traceback.
#include "base/py.h"

#include <frameobject.h>
#include <signal.h>
#include <string.h>

#include "compiler/types/source.h"
#include "compiler/support/raise.h"
#include "compiler/support/refusal.h"
#include "compiler/support/trace.h"
#include "runtime/threads/fault.h"
#include "runtime/host/state/py_runtime.h"
#include "runtime/host/state/py_error.h"

void py_frame_add_with(const char *function, const char *file, int line,
        PyObject *globals, PyObject *locals)
{
    PyObject *type = NULL, *value = NULL, *traceback = NULL;
    PyErr_Fetch(&type, &value, &traceback);
    PyCodeObject *code = PyCode_NewEmpty(file ? file : "<unknown>", function, line);
    PyObject *names = globals ? Py_NewRef(globals) : PyDict_New();
    PyFrameObject *frame =
            code && names ? PyFrame_New(PyThreadState_Get(), code, names, locals) : NULL;
    py_error_drop();
    PyErr_Restore(type, value, traceback);
    if (frame)
        PyTraceBack_Here(frame);
    Py_XDECREF(frame);
    Py_XDECREF(names);
    Py_XDECREF(code);
}

void py_frame_add(const char *function, const char *file, int line)
{
    py_frame_add_with(function, file, line, NULL, NULL);
}

// Failures that numba tells with the step of its pipeline: the class in
// numba.core.errors, and the step.
static const struct report {
    enum error_kind kind;
    const char *class, *step;
} reports[] = {
        {ERROR_TYPING, "TypingError", "nopython frontend"},
        {ERROR_UNSUPPORTED, "_UnsupportedConstruct", "analyzing bytecode"},
        {ERROR_LOWERING, "LoweringError", "native lowering"},
        {ERROR_INTERNAL, "LoweringError", "native lowering"},
};

// NULL for failures of other kinds.
static const struct report *report_of(enum error_kind kind)
{
    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++)
        if (reports[i].kind == kind)
            return &reports[i];
    return NULL;
}

PyObject *py_raise_compile(const struct error *err, const char *pipeline,
        const char *function, PyObject *notes)
{
    const struct report *report = report_of(err->kind);
    if (!report)
        return py_raise(err);
    const struct span *span = &err->span;
    PyObject *class = py_import_attr("numba.core.errors", report->class);
    PyObject *make = class ? py_import_attr("numba.core.diagnostics", "failure") : NULL;
    PyObject *error = make ? PyObject_CallFunction(make, "OsssziiiiO", class, pipeline,
                                     report->step, err->message, span->file, span->line,
                                     span->column, span->end_line, span->end_column,
                                     notes ? notes : Py_None)
                           : NULL;
    if (error) {
        PyErr_SetObject(class, error);
        if (span->line > 0)
            py_frame_add(function ? function : "<compiled>", span->file, span->line);
    }
    Py_XDECREF(class);
    Py_XDECREF(make);
    Py_XDECREF(error);
    return NULL;
}

static void set_exception(const struct raise_site *site, PyObject *class)
{
    PyObject *arguments = site->has_arguments ? py_exception_take_arguments() : NULL;
    PyObject *exception = arguments || !site->has_arguments
                                  ? py_exception_make(site, class, arguments)
                                  : NULL;
    if (exception) {
        PyErr_SetObject(class, exception);
        py_exception_chain(exception);
    }
    Py_XDECREF(exception);
    Py_XDECREF(arguments);
}

// The class and the message that a function which compiled code called has left.
static void raise_left(void)
{
    const char *class_name, *message;
    if (!compiler_take_raised(&class_name, &message)) {
        PyErr_SetString(PyExc_SystemError, "compiled code failed without saying why");
        return;
    }
    PyObject *class = py_import_attr("builtins", class_name);
    PyObject *text =
            PyUnicode_DecodeUTF8(message, (Py_ssize_t)strlen(message), "replace");
    if (class && text)
        PyErr_SetObject(class, text);
    Py_XDECREF(class);
    Py_XDECREF(text);
}

static void raise_constant(const struct raise_site *site)
{
    PyObject *class = py_exception_class(site->class_name, site->class_object);
    if (!class) {
        struct error err = {0};
        error_set(&err, site->kind, site->span, "%s", site->message ? site->message : "");
        py_raise(&err);
    } else {
        set_exception(site, class);
    }
    Py_XDECREF(class);
}

static void raise_site(const struct raise_site *site)
{
    if (site->is_dynamic)
        raise_left();
    else
        raise_constant(site);
}

static const struct raise_site *site_of(int status, const struct compiled *compiled)
{
    bool is_site = status > 0 && (size_t)status <= compiled->raise_site_count;
    return is_site ? &compiled->raise_sites[status - 1] : NULL;
}

// The calls on the way from the raise to the function that Python called.
static void add_calls(const struct raise_site *site)
{
    const struct compiler_trace *trace = compiler_trace();
    if (site)
        py_frame_add(site->function ? site->function : "<compiled>", site->span.file,
                site->span.line);
    for (size_t i = 0; i < trace->count; i++)
        py_frame_add(
                trace->frames[i].function, trace->frames[i].file, trace->frames[i].line);
}

// What the code has done, and what to do about it.
static void describe_access(const struct fault *fault, struct str *out)
{
    str_append(out, fault->is_refused_write ? "wrote to memory that may not be written"
                                            : "accessed memory that is not there");
    if (fault->address) // unknown for addresses that no machine has
        str_printf(out, ", at address %p", fault->address);
    if (fault->signal == SIGBUS)
        str_append(out, ".\nThe file that the memory is of may have been cut short.");
    else
        str_append(out, ".\nAn index may be out of bounds: @njit(boundscheck=True) finds "
                        "it.");
}

static PyObject *describe_fault(const struct fault *fault, struct str *out)
{
    if (fault->signal == SIGABRT) {
        str_printf(out,
                "was given up: %s.\nThis is a defect of gridcell, or of a C "
                "function that it called.",
                fault->text);
    } else if (fault->signal == SIGFPE) {
        str_append(out, "was stopped by the machine: an integer division that has no "
                        "result");
        return PyExc_ArithmeticError;
    } else if (fault->signal == SIGILL) {
        str_append(out, "was stopped by the machine: an invalid instruction");
    } else {
        describe_access(fault, out);
    }
    return PyExc_SystemError;
}

// A fault of the machine in the code of a function, or in what it called.
static void raise_fault(const struct compiled *compiled)
{
    const struct fault *fault = fault_last();
    const struct ir_function *function = compiled->function;
    const struct source *source = function->source;
    const char *file = source ? source->file : NULL;
    int line = source ? source->first_line : 0;
    struct str text = {0};
    PyObject *class = PyExc_RecursionError;
    if (fault->is_stack) {
        str_printf(&text,
                "maximum recursion depth exceeded in the compiled function '%s'",
                function->name);
    } else {
        str_printf(&text, "the compiled function '%s' (%s, line %d) ", function->name,
                file ? file : "?", line);
        class = describe_fault(fault, &text);
    }
    PyErr_SetString(class, str_text(&text));
    str_finish(&text);
    py_frame_add(function->qualname, file, line);
}

static void append_size(struct str *text, uint64_t size_bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double size = (double)size_bytes / 1024;
    size_t unit = 0;
    if (size_bytes < 1024) {
        str_printf(text, "%d bytes", (int)size_bytes);
        return;
    }
    for (; size >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++)
        size /= 1024;
    str_printf(text,
            size < 10    ? "%.2f %s"
            : size < 100 ? "%.1f %s"
                         : "%.0f %s",
            size, units[unit]);
}

static void append_shape(struct str *text, const struct refusal *refusal)
{
    str_append(text, "(");
    for (int64_t i = 0; i < refusal->ndim; i++)
        str_printf(text, i ? ", %lld" : "%lld", (long long)refusal->shape[i]);
    str_append(text, refusal->ndim == 1 ? ",)" : ")");
}

// In NumPy's words. The note is taken: it must not stand for the next one.
static void raise_memory(void)
{
    struct refusal *refusal = refusal_last();
    struct str text = {0};
    if (!refusal->size_bytes) {
        PyErr_NoMemory();
        return;
    }
    str_append(&text, "Unable to allocate ");
    append_size(&text, refusal->size_bytes);
    if (refusal->ndim >= 0) {
        str_append(&text, " for an array with ");
        if (refusal->ndim <= REFUSAL_AXES) {
            str_append(&text, "shape ");
            append_shape(&text, refusal);
        } else {
            str_printf(&text, "%lld axes", (long long)refusal->ndim);
        }
        str_printf(&text, " and data type %s", refusal->dtype);
    }
    PyErr_SetString(PyExc_MemoryError, str_text(&text));
    str_finish(&text);
    refusal->size_bytes = 0;
}

static void set_status(int status, const struct compiled *compiled)
{
    if (status == STATUS_INTERRUPTED)
        py_interrupt_raise();
    else if (status == STATUS_MEMORY)
        raise_memory();
    else if (status == STATUS_FAULT)
        raise_fault(compiled);
    else if (site_of(status, compiled))
        raise_site(site_of(status, compiled));
    else if (status != STATUS_PYTHON || !py_exception_restore())
        PyErr_Format(
                PyExc_SystemError, "compiled code returned an unknown status %d", status);
}

PyObject *py_raise_status(int status, const struct compiled *compiled)
{
    const struct ir_function *function = compiled->function;
    bool is_told = status != STATUS_INTERRUPTED && status != STATUS_FAULT;
    set_status(status, compiled);
    if (!is_told || !py_failure_add(function->name,
                            function->source ? function->source->file : NULL))
        add_calls(site_of(status, compiled));
    compiler_trace()->count = compiler_trace()->left_out = 0;
    return NULL;
}

// Whether NUMBA_DISABLE_PERFORMANCE_WARNINGS, or numba.config, says so.
static bool are_disabled(void)
{
    PyObject *flag = py_import_attr("numba.core.config", "DISABLE_PERFORMANCE_WARNINGS");
    bool is_so = flag && PyObject_IsTrue(flag) == 1;
    Py_XDECREF(flag);
    py_error_drop();
    return is_so;
}

bool py_warn_caller(const char *category, const char *module, const char *text)
{
    if (!strcmp(category, "NumbaPerformanceWarning") && are_disabled())
        return true;
    PyObject *class = py_import_attr("numba.core.errors", category), *result = NULL;
    PyObject *warn = class ? py_import_attr("gridcell.warning", "warn") : NULL;
    if (warn)
        result = PyObject_CallFunction(warn, "sOs", text, class, module);
    Py_XDECREF(class);
    Py_XDECREF(warn);
    Py_XDECREF(result);
    return result;
}

bool py_warn(const char *category, const char *module, const char *file, int line,
        const char *text)
{
    if (!strcmp(category, "NumbaPerformanceWarning") && are_disabled())
        return true;
    PyObject *class = py_import_attr("numba.core.errors", category);
    int status = class ? PyErr_WarnExplicit(class, text, file ? file : "<unknown>", line,
                                 module, NULL)
                       : -1;
    Py_XDECREF(class);
    return status == 0;
}

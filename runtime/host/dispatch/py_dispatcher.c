// SPDX-License-Identifier: MIT
// The dispatcher object and its call: types of the arguments, overload, unboxing, the
// compiled code, boxing.
//
// A call, fastest way first: the overload of the last call, if the arguments are of its
// types (call_last); one of exactly these types; a new one; one that they convert to.
// All of it holds the GIL but, under nogil=True, the compiled code itself.
//
// Who owns what: the dispatcher owns its source and its overloads, the overload its
// compiled code. None of them is freed while the dispatcher lives, as other compiled code
// may call it: what recompile() replaces goes to old_sources and old_overloads.
#include "runtime/host/dispatch/py_dispatcher.h"

#include <stddef.h>
#include <string.h>
#include <structmember.h>

#include "base/py_compat.h"
#include "compiler/types/source.h"
#include "runtime/host/dispatch/py_source.h"
#include "runtime/threads/fault.h"
#include "runtime/host/values/py_buffer.h"
#include "runtime/host/values/py_reflect.h"
#include "runtime/host/state/py_error.h"

enum { STACK_PARAMS = 16, STACK_BYTES = 512 };

// --- running an overload

// What the gate is told of the memory of arguments.
struct known_arguments {
    struct fault_known known;
    const struct overload *overload;
    const char *block;
};

static bool arguments_hold(
        const struct fault_known *self, const void *start, size_t bytes)
{
    const struct known_arguments *known = (const struct known_arguments *)self;
    for (size_t i = 0; i < known->overload->param_count; i++) {
        const void *argument = known->block + known->overload->offsets[i];
        if (known->overload->takes[i]->kind == TYPE_ARRAY &&
                py_array_holds(
                        ((const struct abi_array *)argument)->parent, start, bytes))
            return true;
    }
    return false;
}

// The gate catches faults of the machine. Without the GIL other threads may free what the
// code uses, but for the arguments: the caller of Python's function holds them.
static int run_entry(const struct dispatcher *self, const struct overload *overload,
        void *result, void *block)
{
    struct known_arguments known = {{arguments_hold}, overload, block};
    abi_entry entry = overload->entry;
    if (!self->options.nogil)
        return fault_call_knowing(entry, result, block, &known.known);
    PyThreadState *state = PyEval_SaveThread();
    int status = fault_call_knowing(entry, result, block, &known.known);
    PyEval_RestoreThread(state);
    return status;
}

// Runs the code on a filled-in argument block; the result has its place behind that.
// The status is turned into an exception before anything else of this thread runs: the
// arguments of the exception wait in a variable of the thread.
static PyObject *run_filled(
        struct dispatcher *self, struct overload *overload, char *block)
{
    if (!py_interrupt_arm())
        return NULL;
    char *result = block + overload->block_bytes;
    int status = run_entry(self, overload, result, block);
    if (status != STATUS_OK)
        return py_raise_status(status, overload->compiled);
    return py_box(overload->returns, result);
}

// Ownership: arrays and strings in the block belong to `args`, which the caller keeps for
// the whole call. Only what unboxing made (lists, tuples of them) is given back here.
// Gives the first `count` arguments back; those not filled in are zero.
static void release_arguments(struct overload *overload, char *block, size_t count)
{
    for (size_t i = 0; overload->owns_arguments && i < count; i++)
        py_release(overload->takes[i], block + overload->offsets[i]);
}

static PyObject *run_block(
        struct dispatcher *self, struct overload *overload, char *block)
{
    PyObject *result = run_filled(self, overload, block);
    release_arguments(overload, block, overload->param_count);
    return result;
}

static bool fill_block(struct overload *overload, PyObject *const *args, char *block)
{
    if (overload->owns_arguments)
        memset(block, 0, overload->block_bytes);
    for (size_t i = 0; i < overload->param_count; i++)
        if (!py_unbox(args[i], overload->takes[i], block + overload->offsets[i])) {
            release_arguments(overload, block, i + 1);
            return false;
        }
    return true;
}

// Generators in the result run this code, on these arguments.
// They keep alive what their frames point into: the dispatcher with the code, and the
// arguments' memory.
static PyObject *attach(struct dispatcher *self, const struct overload *overload,
        PyObject *const *args, PyObject *result)
{
    PyObject *kept = PyTuple_New((Py_ssize_t)overload->param_count + 1);
    if (!kept) {
        Py_DECREF(result);
        return NULL;
    }
    PyTuple_SET_ITEM(kept, 0, Py_NewRef((PyObject *)self));
    for (size_t i = 0; i < overload->param_count; i++)
        PyTuple_SET_ITEM(kept, (Py_ssize_t)i + 1, Py_NewRef(args[i]));
    py_generator_attach(result, overload->compiled, kept);
    Py_DECREF(kept);
    return result;
}

static PyObject *run_compiled(struct dispatcher *self, struct overload *overload,
        PyObject *const *args, char *block)
{
    if (overload->makes_generator) {
        PyObject *result = fill_block(overload, args, block)
                                   ? run_block(self, overload, block)
                                   : NULL;
        return result ? attach(self, overload, args, result) : NULL;
    }
    if (!overload->reflects)
        return fill_block(overload, args, block) ? run_block(self, overload, block)
                                                 : NULL;
    struct reflection reflection;
    py_reflection_begin(&reflection);
    PyObject *result =
            fill_block(overload, args, block) ? run_block(self, overload, block) : NULL;
    if (!py_reflection_end(&reflection))
        Py_CLEAR(result);
    return result;
}

// Most blocks are small, and the stack is free.
static PyObject *run_overload(
        struct dispatcher *self, struct overload *overload, PyObject *const *args)
{
    size_t bytes = overload->block_bytes + overload->result_bytes;
    if (bytes <= STACK_BYTES) {
        _Alignas(16) char block[STACK_BYTES];
        return run_compiled(self, overload, args, block);
    }
    char *block = PyMem_Malloc(bytes);
    PyObject *result =
            block ? run_compiled(self, overload, args, block) : PyErr_NoMemory();
    PyMem_Free(block);
    return result;
}

// --- the same types as last time

// Stores an argument if it has exactly the type: 1; another type: 0; an exception: -1.
// Floats and ints first and without py_typeof, as they are most arguments of calls that
// are short enough for their cost to be felt (bench/run jit).
static inline int take_argument(PyObject *value, const struct type *type, void *target)
{
    if (PyFloat_CheckExact(value) && type == type_float64) {
        *(double *)target = PyFloat_AS_DOUBLE(value);
        return 1;
    }
    if (PyLong_CheckExact(value) && type == type_int64) {
        int overflow = 0;
        *(int64_t *)target = PyLong_AsLongLongAndOverflow(value, &overflow);
        return !overflow;
    }
    if (!py_is_of_type(value, type))
        return 0;
    return py_unbox(value, type, target) ? 1 : -1;
}

// Whether the call was one for the overload of the last call; then *result is its result.
// Each argument is taken as soon as its type is known, so that nothing is looked at
// twice. If one has another type, those before it are given back, and the slow way starts
// anew.
static bool call_last(struct dispatcher *self, PyObject *const *args, size_t count,
        omitted_set omitted, PyObject **result)
{
    struct overload *overload = self->last;
    if (!overload || overload->param_count != count || overload->makes_generator ||
            overload->reflects ||
            overload->block_bytes + overload->result_bytes > STACK_BYTES)
        return false;
    _Alignas(16) char block[STACK_BYTES];
    if (overload->owns_arguments)
        memset(block, 0, overload->block_bytes);
    for (size_t i = 0; i < count; i++) {
        bool is_constant = overload->params[i]->kind == TYPE_OMITTED;
        bool is_omitted = i < MAX_OMITTED && omitted >> i & 1;
        int taken = is_constant != is_omitted ? 0
                    : is_constant             ? 1
                                  : take_argument(args[i], overload->params[i],
                                            block + overload->offsets[i]);
        if (taken > 0)
            continue;
        release_arguments(overload, block, i + 1);
        *result = NULL;
        return taken < 0;
    }
    *result = run_block(self, overload, block);
    return true;
}

// --- finding the overload

static PyObject *raise_no_match(const struct type *const *types, size_t count)
{
    PyObject *list = PyUnicode_FromString("");
    for (size_t i = 0; list && i < count; i++) {
        PyObject *longer =
                PyUnicode_FromFormat("%U%s%s", list, i ? ", " : "", types[i]->name);
        Py_SETREF(list, longer);
    }
    if (list)
        PyErr_Format(
                PyExc_TypeError, "No matching definition for argument type(s) %U", list);
    Py_XDECREF(list);
    return NULL;
}

// The overload for the arguments: one of exactly their types, else a new one, else (when
// no more may be compiled) the best that they convert to.
static struct overload *choose_overload(struct dispatcher *self,
        const struct type **types, size_t count, PyObject *const *args)
{
    struct overload *overload = dispatcher_find(self, types, count);
    if (overload)
        return overload;
    if (self->can_compile)
        return dispatcher_overload(self, types, count, NULL, args);
    overload = dispatcher_best_overload(self, types, count);
    if (overload || PyErr_Occurred())
        return overload;
    for (size_t i = 0; args && i < count; i++) // defaults as arguments
        if (types[i]->kind == TYPE_OMITTED)
            types[i] = py_typeof(args[i]);
    for (size_t i = 0; args && i < count; i++)
        if (types[i] == type_pyobject && PyLong_CheckExact(args[i]))
            types[i] = type_float64; // too large an int may become one
    overload = dispatcher_best_overload(self, types, count);
    if (!overload && !PyErr_Occurred())
        raise_no_match(types, count);
    return overload;
}

// A call as Python made it; object mode passes it on.
struct call {
    PyObject *const *args;
    size_t arg_count;
    PyObject *keywords;
    omitted_set omitted; // parameters that get their defaults
};

static PyObject *call_function(struct dispatcher *self, const struct call *call)
{
    return PyObject_Vectorcall(
            self->py_func, call->args, call->arg_count, call->keywords);
}

static PyObject *call_bound(struct dispatcher *self, PyObject *const *args, size_t count,
        const struct call *call);

// Whether some arguments lend their memory as arrays do; then the call is with arrays.
// bytearray, memoryview, array.array and their like: only asked once a type was not
// found, as the question costs more than a call.
static bool call_with_arrays(struct dispatcher *self, PyObject *const *args, size_t count,
        const struct call *call, PyObject **result)
{
    PyObject **arrays = PyMem_Calloc(count, sizeof *arrays);
    bool has_some = arrays && py_buffers_as_arrays(args, count, arrays);
    if (has_some)
        *result = call_bound(self, arrays, count, call);
    for (size_t i = 0; arrays && i < count; i++)
        Py_XDECREF(arrays[i]);
    PyMem_Free(arrays);
    return has_some;
}

// Runs the overload for the bound arguments, one per parameter.
// `args` are borrowed from the caller for the whole call. The overload cannot go: only
// the dispatcher's end frees one, and a call holds the dispatcher.
static PyObject *call_bound(struct dispatcher *self, PyObject *const *args, size_t count,
        const struct call *call)
{
    PyObject *result;
    omitted_set omitted =
            call->omitted ? dispatcher_constants(self, args, call->omitted) : 0;
    if (call_last(self, args, count, omitted, &result))
        return result;
    const struct type *few[STACK_PARAMS] = {NULL}, **types = few;
    if (count > STACK_PARAMS && !(types = PyMem_Calloc(count, sizeof *types)))
        return PyErr_NoMemory();
    bool has_others = false;
    for (size_t i = 0; i < count; i++) {
        bool is_omitted = i < MAX_OMITTED && omitted >> i & 1;
        types[i] = is_omitted ? self->source->params[i].omitted : py_typeof(args[i]);
        has_others = has_others || types[i] == type_pyobject;
    }
    if (has_others && call_with_arrays(self, args, count, call, &result)) {
        if (types != few)
            PyMem_Free(types);
        return result;
    }
    struct overload *overload = choose_overload(self, types, count, args);
    if (types != few)
        PyMem_Free(types);
    if (!overload)
        return NULL;
    if (!overload->compiled)
        return call_function(self, call);
    self->last = overload;
    return run_overload(self, overload, args);
}

static PyObject *call_with_binding(struct dispatcher *self, struct call *call)
{
    size_t count = (size_t)PyTuple_GET_SIZE(self->param_names);
    PyObject *few[STACK_PARAMS] = {0}, **bound = few;
    if (count > STACK_PARAMS && !(bound = PyMem_Calloc(count, sizeof *bound)))
        return PyErr_NoMemory();
    PyObject *result = NULL;
    if (dispatcher_bind(
                self, call->args, call->arg_count, call->keywords, bound, &call->omitted))
        result = call_bound(self, bound, count, call);
    for (size_t i = 0; i < count; i++)
        Py_XDECREF(bound[i]);
    if (bound != few)
        PyMem_Free(bound);
    return result;
}

// Globals are constants of the code, and are looked at first (py_watch.c): usually one
// comparison of a number.
static PyObject *call_unseen(
        PyObject *object, PyObject *const *args, Py_ssize_t count, PyObject *keywords)
{
    struct dispatcher *self = (struct dispatcher *)object;
    struct call call = {args, (size_t)count, keywords, 0};
    if (self->options.is_object_mode)
        return call_function(self, &call);
    if (self->is_watching && !dispatcher_is_current(self) && !dispatcher_refresh(self))
        return NULL;
    bool is_plain = !keywords && self->star_index < 0 &&
                    call.arg_count == (size_t)self->positional_count &&
                    call.arg_count == (size_t)PyTuple_GET_SIZE(self->param_names);
    if (is_plain)
        return call_bound(self, args, call.arg_count, &call);
    return call_with_binding(self, &call);
}

static PyMethodDef unseen_method = {"call", (PyCFunction)(void (*)(void))call_unseen,
        METH_FASTCALL | METH_KEYWORDS, NULL};

static PyObject *dispatcher_vectorcall(
        PyObject *object, PyObject *const *args, size_t flagged_count, PyObject *keywords)
{
    struct dispatcher *self = (struct dispatcher *)object;
    bool is_seen = self->is_monitored || py_is_profiled();
    if (is_seen && !self->options.is_object_mode) // whose own frame is seen
        return dispatcher_call_seen(self, &unseen_method, args, flagged_count, keywords);
    return call_unseen(object, args, PyVectorcall_NARGS(flagged_count), keywords);
}

// --- life of the object

// The parameters' names in the order of the syntax tree: positional, *args, keyword-only.
static bool read_parameters(struct dispatcher *self, PyCodeObject *code)
{
    PyObject *locals = PyCode_GetVarnames(code);
    if (!locals)
        return false;
    Py_ssize_t positional = code->co_argcount, only = code->co_kwonlyargcount;
    bool has_star = code->co_flags & CO_VARARGS;
    self->positional_count = positional;
    self->unnamed_count = code->co_posonlyargcount;
    self->star_index = has_star ? positional : -1;
    self->param_names = PyTuple_New(positional + has_star + only);
    for (Py_ssize_t i = 0; self->param_names && i < positional + has_star + only; i++) {
        Py_ssize_t from = i < positional                ? i
                          : has_star && i == positional ? positional + only
                                                        : i - has_star;
        PyTuple_SET_ITEM(self->param_names, i, Py_NewRef(PyTuple_GET_ITEM(locals, from)));
    }
    Py_DECREF(locals);
    return self->param_names != NULL;
}

static int flag_option(PyObject *options, const char *name)
{
    PyObject *value = NULL;
    int found = py_dict_get_text(options, name, &value);
    int truth = found > 0 ? PyObject_IsTrue(value) : found;
    Py_XDECREF(value);
    return truth;
}

static unsigned number_option(PyObject *options, const char *name, unsigned otherwise)
{
    PyObject *value = NULL;
    if (py_dict_get_text(options, name, &value) <= 0)
        return otherwise;
    unsigned long number = PyLong_AsUnsignedLong(value);
    Py_DECREF(value);
    return (unsigned)number;
}

// locals={name: type}, of numbers.
static bool read_locals(struct dispatcher *self, PyObject *options)
{
    PyObject *declared = NULL, *items = NULL;
    if (py_dict_get_text(options, "locals", &declared) <= 0)
        return !PyErr_Occurred();
    items = PyDict_Check(declared) ? PyDict_Items(declared) : PyList_New(0);
    Py_ssize_t count = items ? PyList_GET_SIZE(items) : 0;
    struct source_local *locals = memory_zalloc((size_t)(count + 1) * sizeof *locals);
    size_t used = 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = PyList_GET_ITEM(items, i); // borrowed: of our own list
        const char *name = PyUnicode_AsUTF8(PyTuple_GET_ITEM(item, 0));
        const struct type *type = py_type_get(PyTuple_GET_ITEM(item, 1));
        if (name && type && type_is_number(type))
            locals[used++] = (struct source_local){memory_strdup(name), type};
    }
    self->options.source.locals = locals;
    self->options.source.local_count = used;
    Py_XDECREF(items);
    Py_DECREF(declared);
    return !PyErr_Occurred();
}

static void free_locals(struct dispatcher *self)
{
    for (size_t i = 0; i < self->options.source.local_count; i++)
        free((char *)self->options.source.locals[i].name);
    free((void *)self->options.source.locals);
}

static bool read_options(struct dispatcher *self, PyObject *options)
{
    struct dispatcher_options *out = &self->options;
    out->is_nopython = flag_option(options, "nopython") > 0;
    out->is_object_mode = flag_option(options, "forceobj") > 0;
    out->nogil = flag_option(options, "nogil") > 0;
    out->opt_level = number_option(options, "opt_level", 3);
    out->source.nogil = out->nogil;
    out->source.fastmath_flags = number_option(options, "fastmath_flags", 0);
    out->source.fastmath = flag_option(options, "fastmath") > 0;
    out->source.boundscheck = number_option(options, "boundscheck", 0);
    out->source.overflow_check = flag_option(options, "overflow_check") > 0;
    out->source.is_numpy_error_model = flag_option(options, "numpy_errors") > 0;
    out->source.is_part_of_callers = flag_option(options, "is_part_of_callers") > 0;
    out->source.is_library = flag_option(options, "library") > 0;
    out->source.is_compact = flag_option(options, "compact") > 0;
    out->source.is_inlined = flag_option(options, "inlined") > 0;
    out->source.is_small = flag_option(options, "small") > 0;
    out->source.parallel = flag_option(options, "parallel") > 0;
    out->source.debug = flag_option(options, "debug") > 0;
    py_dict_get_text(options, "invalid", &self->invalid);
    return !PyErr_Occurred() && read_locals(self, options);
}

// What functools.update_wrapper would copy.
static bool copy_attributes(struct dispatcher *self)
{
    self->dict = PyDict_New();
    PyObject *attributes =
            self->dict ? PyObject_GetAttrString(self->py_func, "__dict__") : NULL;
    bool done = attributes && PyDict_Update(self->dict, attributes) == 0 &&
                py_copy_function_names(self->py_func, self->dict);
    Py_XDECREF(attributes);
    return done;
}

// Dispatcher(function, compiler_options, target_options)
static PyObject *dispatcher_new(PyTypeObject *class, PyObject *args, PyObject *kwargs)
{
    PyObject *function, *options, *target_options;
    if (!PyArg_ParseTuple(args, "O!O!O!", &PyFunction_Type, &function, &PyDict_Type,
                &options, &PyDict_Type, &target_options))
        return NULL;
    struct dispatcher *self = (struct dispatcher *)class->tp_alloc(class, 0);
    if (!self)
        return NULL;
    self->vectorcall = dispatcher_vectorcall;
    self->can_compile = true;
    self->is_monitored = dispatcher_monitor_default();
    self->star_index = -1;
    self->py_func = Py_NewRef(function);
    self->target_options = Py_NewRef(target_options);
    PyObject *code = PyObject_GetAttrString(function, "__code__");
    bool done = code && read_parameters(self, (PyCodeObject *)code) &&
                read_options(self, options) && copy_attributes(self);
    Py_XDECREF(code);
    if (!done)
        Py_CLEAR(self);
    return (PyObject *)self;
}

// The source's captured objects are visited as if they were the dispatcher's: recursive
// functions capture themselves, and only so is the circle found.
static int dispatcher_traverse(PyObject *object, visitproc visit, void *arg)
{
    struct dispatcher *self = (struct dispatcher *)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->dict);
    Py_VISIT(self->py_func);
    Py_VISIT(self->target_options);
    Py_VISIT(self->watched);
    if (self->source)
        Py_VISIT((PyObject *)self->source->captured);
    return 0;
}

static int dispatcher_clear(PyObject *object)
{
    struct dispatcher *self = (struct dispatcher *)object;
    Py_CLEAR(self->dict);
    Py_CLEAR(self->py_func);
    Py_CLEAR(self->target_options);
    Py_CLEAR(self->watched);
    self->is_watching = false;
    if (self->source) {
        PyObject *captured = self->source->captured;
        self->source->captured = NULL;
        Py_XDECREF(captured);
    }
    return 0;
}

// The code goes last: nothing may run it any more, as a frame of it would hold the
// dispatcher.
static void dispatcher_dealloc(PyObject *object)
{
    struct dispatcher *self = (struct dispatcher *)object;
    py_dealloc_begin(object);
    dispatcher_clear(object);
    Py_CLEAR(self->param_names);
    Py_CLEAR(self->invalid);
    Py_CLEAR(self->seen_code);
    dispatcher_forget(self);
    dispatcher_cache_destroy(self);
    free_locals(self);
    py_dealloc_end(object);
}

static PyMemberDef dispatcher_members[] = {
        PY_VECTORCALL(struct dispatcher),
        PY_DICT(struct dispatcher),
        PY_WEAKREFS(struct dispatcher),
        {"py_func", T_OBJECT_EX, offsetof(struct dispatcher, py_func), READONLY,
                "the Python function"},
        {"targetoptions", T_OBJECT_EX, offsetof(struct dispatcher, target_options),
                READONLY, "the options of the decorator"},
        {"_enable_sysmon", T_BOOL, offsetof(struct dispatcher, is_monitored), 0,
                "whether sys.monitoring sees calls"},
        {"_can_compile", T_BOOL, offsetof(struct dispatcher, can_compile), READONLY,
                "whether calls with new types compile"},
        {0},
};

static PyType_Slot dispatcher_slots[] = {
        {Py_tp_doc,
                "A function that compiles itself for the types that it is called with."},
        {Py_tp_new, dispatcher_new},
        {Py_tp_dealloc, dispatcher_dealloc},
        {Py_tp_traverse, dispatcher_traverse},
        {Py_tp_clear, dispatcher_clear},
        {Py_tp_repr, dispatcher_repr},
        {Py_tp_call, PyVectorcall_Call},
        {Py_tp_descr_get, dispatcher_get},
        {Py_tp_members, dispatcher_members},
        {Py_tp_methods, dispatcher_methods},
        {Py_tp_getset, dispatcher_getset},
        {0, NULL},
};

bool py_dispatcher_init(struct runtime *runtime)
{
    runtime->dispatcher_type =
            py_add_type("numba.core.registry.CPUDispatcher", sizeof(struct dispatcher),
                    Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL, dispatcher_slots);
    runtime->dispatchers = &dispatcher_values;
    return runtime->dispatcher_type != NULL;
}

// SPDX-License-Identifier: MIT
// NumPy ufuncs over compiled scalar functions: loops (one per signature), and the ufunc
// object that holds them. numba/np/ufunc/ decides when to compile which.
#include "runtime/host/values/py_numpy.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runtime/threads/loop_flags.h"
#include "runtime/threads/parallel_loop.h"
#include "runtime/host/dispatch/py_dispatcher.h"
#include "runtime/host/dispatch/py_source.h"
#include "runtime/host/dispatch/py_ufunc.h"
#include "runtime/host/dispatch/py_ufunc_tables.h"
#include "runtime/host/state/py_error.h"
#include "compiler/backends/cpu/symbols.h"

#define LOOP_CAPSULE "gridcell.ufunc_loop"
#define UFUNC_CAPSULE "gridcell.ufunc"

enum { MAX_INPUTS = 30 };

// One compiled loop; freed when the last ufunc that uses it goes.
// A capsule of Python's counts the users: NumPy's ufunc object knows the loop as `data`
// only, and keeps the struct ufunc_data alive, whose tuple holds the capsules.
struct ufunc_loop {
    struct compiled *compiled;
    PyObject *dispatcher;
    char types[MAX_INPUTS + 1]; // NumPy type numbers of the inputs, then of the output
    const struct type *elements[MAX_INPUTS + 1];
    int input_count;
    bool is_parallel;
    bool has_doubtful_flags;
};

// --- loops

// Compiled loops call this for an element that failed, and stop.
// On whatever thread the part runs: the status is told by the loop that waits for it.
static void ufunc_raise(void *data, int32_t status)
{
    *(int32_t *)data = status;
}

// NumPy calls this; the compiled loop gets the place for its status as its `data`.
// With or without the GIL, as NumPy pleases; it is taken for the exception alone.
static void run_loop(char **args, const npy_intp *dims, const npy_intp *steps, void *data)
{
    const struct ufunc_loop *loop = data;
    abi_ufunc_loop run = loop->compiled->ufunc_loop;
    char *places[MAX_INPUTS + 1];
    if (!py_interrupt_arm_anywhere())
        return;
    memcpy(places, args, (size_t)(loop->input_count + 1) * sizeof *places);
    int32_t status = loop->is_parallel
                             ? parallel_loop(run, args, dims, steps, loop->input_count)
                             : serial_loop(run, args, dims, steps);
    if (loop->has_doubtful_flags)
        loop_flags_settle(&(struct loop_operands){
                loop->elements, loop->input_count, places, steps, dims[0]});
    if (status)
        py_ufunc_fail(status, loop->compiled);
}

static void loop_destroy(PyObject *capsule)
{
    struct ufunc_loop *loop = PyCapsule_GetPointer(capsule, LOOP_CAPSULE);
    if (!loop)
        return;
    compiled_destroy(loop->compiled);
    Py_XDECREF(loop->dispatcher);
    free(loop);
}

static bool loop_set_type(struct ufunc_loop *loop, int index, const struct type *type)
{
    PyObject *dtype = py_dtype_from_type(type);
    if (!dtype)
        return false;
    loop->types[index] = (char)((PyArray_Descr *)dtype)->type_num;
    loop->elements[index] = type;
    Py_DECREF(dtype);
    return true;
}

static bool loop_compile(struct ufunc_loop *loop, const struct type *const *types,
        size_t count, const struct type *returns)
{
    struct error err = {0};
    const struct compile_options options = {.kind = COMPILE_UFUNC,
            .target = TARGET_HOST,
            .opt_level = ((struct dispatcher *)loop->dispatcher)->options.opt_level,
            .cache = py_code_cache(loop->dispatcher)};
    py_signals_watch();
    struct source *source = py_dispatcher_source(loop->dispatcher, &err);
    if (source)
        loop->compiled = py_compile(source, types, count, returns, &options, &err);
    if (!loop->compiled) {
        py_raise_compile(&err, "nopython", source ? source->qualname : NULL, NULL);
        return false;
    }
    if (!py_code_cache_note(loop->dispatcher, loop->compiled, types, count))
        return false;
    loop->input_count = (int)count;
    loop->has_doubtful_flags = compiled_has_doubtful_flags(loop->compiled);
    const struct type *result = returns ? returns : loop->compiled->function->returns;
    for (size_t i = 0; i < count; i++)
        if (!loop_set_type(loop, (int)i, types[i]))
            return false;
    return loop_set_type(loop, (int)count, result);
}

// ufunc_loop(dispatcher, types, return type or None, parallel) -> (capsule, return type)
static PyObject *module_ufunc_loop(PyObject *module, PyObject *args)
{
    PyObject *dispatcher, *types_object, *returns_object;
    int is_parallel;
    if (!PyArg_ParseTuple(
                args, "OOOp", &dispatcher, &types_object, &returns_object, &is_parallel))
        return NULL;
    const struct type *returns =
            returns_object == Py_None ? NULL : py_type_from(returns_object);
    if (returns_object != Py_None && !returns)
        return NULL;
    const struct type **types = NULL;
    size_t count = 0;
    if (!py_types_from_sequence(types_object, &types, &count))
        return NULL;
    struct ufunc_loop *loop = memory_zalloc(sizeof *loop);
    loop->dispatcher = Py_NewRef(dispatcher);
    loop->is_parallel = is_parallel;
    PyObject *capsule = py_capsule_new(loop, LOOP_CAPSULE, loop_destroy, dispatcher);
    PyObject *pair = NULL;
    if (capsule && count > MAX_INPUTS) {
        PyErr_SetString(PyExc_ValueError, "too many arguments for a ufunc");
    } else if (capsule && loop_compile(loop, types, count, returns)) {
        PyObject *result =
                py_type_wrap(returns ? returns : loop->compiled->function->returns);
        pair = result ? Py_BuildValue("(ON)", capsule, result) : NULL;
    }
    PyMem_Free(types);
    Py_XDECREF(capsule);
    return pair;
}

// --- the ufunc

static bool fill_loops(struct ufunc_tables *tables, int input_count)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tables->loops); i++) {
        struct ufunc_loop *loop =
                PyCapsule_GetPointer(PyTuple_GET_ITEM(tables->loops, i), LOOP_CAPSULE);
        if (!loop)
            return false;
        if (loop->input_count != input_count) {
            PyErr_SetString(
                    PyExc_TypeError, "loops of one ufunc must take as many arguments");
            return false;
        }
        py_ufunc_tables_set(
                tables, i, run_loop, loop, loop->types, (size_t)input_count + 1);
    }
    return true;
}

bool py_ufunc_identity(PyObject *identity, int *out)
{
    long number = PyLong_Check(identity) ? PyLong_AsLong(identity) : -1;
    if (identity == Py_None) {
        *out = PyUFunc_None;
    } else if (PyUnicode_Check(identity) &&
               !PyUnicode_CompareWithASCIIString(identity, "reorderable")) {
        *out = PyUFunc_ReorderableNone;
    } else if (number == 0 || number == 1) {
        *out = number ? PyUFunc_One : PyUFunc_Zero;
    } else {
        PyErr_Format(PyExc_ValueError,
                "invalid identity %R: expected None, 0, 1 or 'reorderable'", identity);
        return false;
    }
    return true;
}

// --- dates and spans, whose dtypes NumPy cannot tell from type numbers

static int takes(
        const struct type *const *elements, int count, PyArrayObject *const *operands)
{
    for (int i = 0; i < count; i++) {
        PyArray_Descr *want = (PyArray_Descr *)py_dtype_from_type(elements[i]);
        if (!want)
            return -1;
        bool fits = PyArray_CanCastArrayTo(operands[i], want, NPY_SAFE_CASTING);
        Py_DECREF(want);
        if (!fits)
            return 0;
    }
    return 1;
}

int py_times_resolve(const struct type *const *elements, int input_count, int count,
        PyArrayObject *const *operands, PyArray_Descr **out)
{
    int fits = takes(elements, input_count, operands);
    for (int i = 0; fits > 0 && i < count; i++) {
        out[i] = (PyArray_Descr *)py_dtype_from_type(elements[i]);
        if (out[i])
            continue;
        for (int k = 0; k < i; k++)
            Py_CLEAR(out[k]);
        return -1;
    }
    return fits;
}

int py_times_refuse(const PyUFuncObject *ufunc)
{
    PyErr_Format(PyExc_TypeError,
            "ufunc '%s' not supported for the input types, and the inputs could not be "
            "safely coerced to any supported types according to the casting rule "
            "''safe''",
            ufunc->name);
    return -1;
}

// The first loop that the operands convert to safely, units and all.
static int resolve_times(PyUFuncObject *ufunc, NPY_CASTING casting,
        PyArrayObject **operands, PyObject *type_tuple, PyArray_Descr **out)
{
    struct ufunc_tables *tables = PyCapsule_GetPointer(ufunc->obj, UFUNC_CAPSULE);
    for (int i = 0; tables && i < ufunc->ntypes; i++) {
        const struct ufunc_loop *loop = tables->loop_data[i];
        int fits = py_times_resolve(
                loop->elements, loop->input_count, loop->input_count + 1, operands, out);
        if (fits)
            return fits < 0 ? -1 : 0;
    }
    return tables ? py_times_refuse(ufunc) : -1;
}

static bool has_times(const struct ufunc_tables *tables)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tables->loops); i++) {
        const struct ufunc_loop *loop = tables->loop_data[i];
        for (int k = 0; k <= loop->input_count; k++)
            if (loop->elements[k]->kind == TYPE_TIME)
                return true;
    }
    return false;
}

// ufunc(dispatcher, loops, name, doc, input count, identity)
static PyObject *module_ufunc(PyObject *module, PyObject *args)
{
    PyObject *dispatcher, *loops, *identity_object;
    const char *name, *doc;
    int input_count;
    if (!PyArg_ParseTuple(args, "OO!sziO", &dispatcher, &PyTuple_Type, &loops, &name,
                &doc, &input_count, &identity_object))
        return NULL;
    int identity;
    if (!py_numpy_load() || !py_ufunc_identity(identity_object, &identity))
        return NULL;
    struct ufunc_tables *tables =
            py_ufunc_tables_create(loops, dispatcher, name, doc, NULL);
    PyObject *capsule = py_ufunc_tables_keep(tables, UFUNC_CAPSULE);
    if (!capsule)
        return NULL;
    PyObject *ufunc = NULL;
    if (fill_loops(tables, input_count))
        ufunc = PyUFunc_FromFuncAndData(tables->functions, tables->loop_data,
                tables->types, (int)PyTuple_GET_SIZE(loops), input_count, 1, identity,
                tables->name, tables->doc, 0);
    if (ufunc)
        ((PyUFuncObject *)ufunc)->obj = Py_NewRef(capsule);
    if (ufunc && has_times(tables))
        ((PyUFuncObject *)ufunc)->type_resolver = resolve_times;
    Py_DECREF(capsule);
    return ufunc;
}

// An attribute of the object that is ours; NULL without an exception where there is none.
static PyObject *own_attribute(PyObject *object, const char *name)
{
    int failed;
    PyObject *found = py_attr_or_null(object, name, &failed);
    if (failed && PyErr_ExceptionMatches(PyExc_AttributeError))
        py_error_drop();
    return found;
}

PyObject *py_ufunc_dispatcher(PyObject *object)
{
    if (py_numpy_is_loaded() && PyObject_TypeCheck(object, &PyUFunc_Type)) {
        struct ufunc_tables *tables = py_ufunc_tables_of(object, UFUNC_CAPSULE);
        return tables ? Py_NewRef(tables->made_of) : NULL;
    }
    PyObject *dispatcher = own_attribute(object, "__gridcell_scalar__");
    py_error_drop();
    return dispatcher;
}

PyObject *py_gufunc_function(PyObject *object)
{
    return own_attribute(object, "__gridcell_function__");
}

const struct type *py_element_type(PyObject *value)
{
    const struct type *type = py_typeof(value);
    if (type->kind == TYPE_ARRAY)
        return type->element;
    if (type_is_number(type))
        return type;
    PyObject *array =
            py_numpy_load() ? PyArray_FromAny(value, NULL, 0, 0, 0, NULL) : NULL;
    if (!array) {
        py_error_drop();
        return type_pyobject;
    }
    type = py_type_from_dtype((PyObject *)PyArray_DESCR((PyArrayObject *)array));
    Py_DECREF(array);
    return type ? type : type_pyobject;
}

static PyObject *module_element_types(PyObject *module, PyObject *args)
{
    Py_ssize_t count = PyTuple_GET_SIZE(args);
    PyObject *types = PyTuple_New(count);
    for (Py_ssize_t i = 0; types && i < count; i++) {
        PyObject *type = py_type_wrap(py_element_type(PyTuple_GET_ITEM(args, i)));
        py_tuple_put(&types, i, type);
    }
    return types;
}

static PyObject *module_ufunc_scalar(PyObject *module, PyObject *object)
{
    PyObject *dispatcher = py_ufunc_dispatcher(object);
    return dispatcher ? dispatcher : Py_NewRef(Py_None);
}

// ufunc_declare(dispatcher, loops): compiled code, too, takes one of the loops.
static PyObject *module_ufunc_declare(PyObject *module, PyObject *args)
{
    PyObject *dispatcher, *loops;
    struct error err = {0};
    if (!PyArg_ParseTuple(args, "OO!", &dispatcher, &PyList_Type, &loops))
        return NULL;
    struct source *source = py_dispatcher_source(dispatcher, &err);
    if (!source)
        return py_raise_compile(&err, "nopython", NULL, NULL);
    size_t count = (size_t)PyList_GET_SIZE(loops);
    struct signature *list = arena_array(&source->arena, struct signature, count + 1);
    for (size_t i = 0; i < count; i++) {
        PyObject *capsule = py_list_get(loops, (Py_ssize_t)i);
        const struct ufunc_loop *loop =
                capsule ? PyCapsule_GetPointer(capsule, LOOP_CAPSULE) : NULL;
        Py_XDECREF(capsule); // the list keeps it
        if (!loop)
            return NULL;
        size_t inputs = (size_t)loop->input_count;
        list[i].returns = loop->elements[inputs];
        list[i].param_count = inputs;
        list[i].params = arena_copy(
                &source->arena, loop->elements, inputs * sizeof *loop->elements);
    }
    source->signatures = list;
    source->signature_count = count;
    Py_RETURN_NONE;
}

PyMethodDef py_ufunc_functions[] = {
        {"ufunc_loop", module_ufunc_loop, METH_VARARGS,
                "ufunc_loop(dispatcher, types, returns, parallel) -> (loop, return "
                "type)"},
        {"ufunc", module_ufunc, METH_VARARGS,
                "ufunc(dispatcher, loops, name, doc, nin, identity) -> numpy.ufunc"},
        {"ufunc_declare", module_ufunc_declare, METH_VARARGS,
                "ufunc_declare(dispatcher, loops): compiled code calls these loops "
                "only."},
        {"ufunc_scalar", module_ufunc_scalar, METH_O,
                "The dispatcher that a ufunc was made of; None for another object."},
        {"element_types", module_element_types, METH_VARARGS,
                "The types of the elements of each argument."},
        {0},
};

void py_ufunc_init(void)
{
    compiler_define_symbol("gridcell_ufunc_raise", (void *)ufunc_raise);
}

// SPDX-License-Identifier: MIT
// NumPy gufuncs over compiled functions of array parts: loops (one per signature), and
// the ufunc object that holds them. numba/np/ufunc/gufunc.py decides when to compile.
//
// The compiled function takes every operand with the loop's axis in front. Parts that are
// dense go to a version that is compiled for those, others to one that is compiled when
// first needed.
#include "runtime/host/values/py_numpy.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runtime/threads/fault.h"
#include "runtime/threads/parallel_for.h"
#include "runtime/host/dispatch/py_dispatcher.h"
#include "runtime/host/dispatch/py_source.h"
#include "runtime/host/dispatch/py_ufunc.h"
#include "runtime/host/dispatch/py_ufunc_tables.h"
#include "runtime/host/state/py_error.h"
#include "runtime/host/state/py_enter.h"

#define LOOP_CAPSULE "gridcell.gufunc_loop"
#define GUFUNC_CAPSULE "gridcell.gufunc"

enum {
    MAX_OPERANDS = 32,
    MAX_PART_NDIM = 15, // of a part
    BLOCK_BYTES = MAX_OPERANDS * (sizeof(struct abi_array) + 16 * (MAX_PART_NDIM + 1)),
    TURNS_PER_POLL = 1 << 12,
};

struct operand {
    const struct type *dtype;
    int ndim;       // of a part
    int *dims;      // which of the core dimensions
    int first_step; // of its dimensions in NumPy's table of steps
    size_t item_bytes;
};

// A compiled version: all parts dense, or any.
struct version {
    struct compiled *compiled;
    size_t offsets[MAX_OPERANDS];
};

struct gufunc_loop {
    PyObject *dispatcher; // of the generated function
    struct version dense, strided;
    struct operand operands[MAX_OPERANDS];
    char types[MAX_OPERANDS]; // NumPy's numbers
    size_t operand_count;
    bool is_parallel;
};

// --- compiling

static bool version_compile(
        const struct gufunc_loop *loop, bool is_dense, struct version *out)
{
    struct error err = {0};
    const struct compile_options options = {.kind = COMPILE_FUNCTION,
            .target = TARGET_HOST,
            .opt_level = ((struct dispatcher *)loop->dispatcher)->options.opt_level,
            .cache = py_code_cache(loop->dispatcher)};
    const struct type *params[MAX_OPERANDS];
    for (size_t i = 0; i < loop->operand_count; i++) {
        const struct operand *operand = &loop->operands[i];
        bool is_c = is_dense && operand->ndim;
        params[i] = type_array(
                operand->dtype, 1 + operand->ndim, is_c ? LAYOUT_C : LAYOUT_A, false);
    }
    py_signals_watch();
    struct source *source = py_dispatcher_source(loop->dispatcher, &err);
    struct compiled *compiled = NULL;
    if (source)
        compiled = py_compile(
                source, params, loop->operand_count, type_none, &options, &err);
    if (!compiled) {
        py_raise_compile(&err, "nopython", source ? source->qualname : NULL, NULL);
        return false;
    }
    if (!py_code_cache_note(loop->dispatcher, compiled, params, loop->operand_count)) {
        compiled_destroy(compiled);
        return false;
    }
    abi_block_layout(params, loop->operand_count, out->offsets);
    out->compiled = compiled;
    return true;
}

// The version for parts that need not be dense. NULL with an exception set.
static const struct version *strided_version(struct gufunc_loop *loop)
{
    PyGILState_STATE state = py_enter();
    if (!loop->strided.compiled) {
        struct version made;
        if (version_compile(loop, false, &made))
            loop->strided = made;
    }
    py_leave(state);
    return loop->strided.compiled ? &loop->strided : NULL;
}

// --- running

struct run {
    const struct gufunc_loop *loop;
    const struct version *version;
    char *const *args;
    const npy_intp *dims, *steps;
    bool is_whole; // the loop's axis continues the parts: many turns in one call
};

static intptr_t part_bytes(const struct operand *operand, const npy_intp *dims)
{
    intptr_t bytes = (intptr_t)operand->item_bytes;
    for (int i = 0; i < operand->ndim; i++)
        bytes *= dims[1 + operand->dims[i]];
    return bytes;
}

static bool operand_is_dense(
        const struct operand *operand, const npy_intp *dims, const npy_intp *steps)
{
    intptr_t expected = (intptr_t)operand->item_bytes;
    for (int i = operand->ndim - 1; i >= 0; i--) {
        intptr_t length = dims[1 + operand->dims[i]];
        if (length > 1 && steps[operand->first_step + i] != expected)
            return false;
        expected *= length;
    }
    return true;
}

static void fill_operand(const struct run *run, size_t at, int64_t start, int64_t count,
        struct abi_array *array)
{
    const struct operand *operand = &run->loop->operands[at];
    int64_t *shape = array->dims, *strides = shape + 1 + operand->ndim;
    array->memory = array->parent = NULL;
    array->data = run->args[at] + start * run->steps[at];
    shape[0] = count;
    strides[0] = run->steps[at];
    for (int i = 0; i < operand->ndim; i++) {
        shape[1 + i] = run->dims[1 + operand->dims[i]];
        strides[1 + i] = run->steps[operand->first_step + i];
    }
}

static int32_t run_turns(const struct run *run, int64_t start, int64_t count)
{
    _Alignas(16) char block[BLOCK_BYTES];
    for (size_t i = 0; i < run->loop->operand_count; i++)
        fill_operand(run, i, start, count,
                (struct abi_array *)(block + run->version->offsets[i]));
    int64_t result = 0;
    return fault_call(run->version->compiled->entry, &result, block);
}

static int32_t run_part(
        void *data, int64_t start, int64_t stop, int64_t step, void *result)
{
    const struct run *run = data;
    int64_t turns = run->is_whole ? TURNS_PER_POLL : 1;
    for (int64_t at = start; at < stop; at += turns) {
        int32_t status = run_turns(run, at, stop - at < turns ? stop - at : turns);
        if (status)
            return status;
    }
    return STATUS_OK;
}

// NumPy calls this.
static void gufunc_run(
        char **args, const npy_intp *dims, const npy_intp *steps, void *data)
{
    struct gufunc_loop *loop = data;
    struct run run = {loop, &loop->dense, args, dims, steps, true};
    bool is_dense = true;
    for (size_t i = 0; i < loop->operand_count; i++) {
        const struct operand *operand = &loop->operands[i];
        is_dense = is_dense && operand_is_dense(operand, dims, steps);
        if (operand->ndim && steps[i] != part_bytes(operand, dims))
            run.is_whole = false;
    }
    if (!is_dense) {
        run.version = strided_version(loop);
        run.is_whole = true;
    }
    if (!run.version || !py_interrupt_arm_anywhere())
        return;
    int32_t status =
            loop->is_parallel && dims[0] > 1
                    ? gridcell_parallel_for(run_part, &run, 0, dims[0], 1, 0, NULL)
                    : run_part(&run, 0, dims[0], 1, NULL);
    if (status)
        py_ufunc_fail(status, run.version->compiled);
}

// --- a loop

static void loop_destroy(PyObject *capsule)
{
    struct gufunc_loop *loop = PyCapsule_GetPointer(capsule, LOOP_CAPSULE);
    if (!loop)
        return;
    compiled_destroy(loop->dense.compiled);
    compiled_destroy(loop->strided.compiled);
    for (size_t i = 0; i < loop->operand_count; i++)
        free(loop->operands[i].dims);
    Py_XDECREF(loop->dispatcher);
    free(loop);
}

static bool operand_read(struct operand *operand, char *type_number, PyObject *type,
        PyObject *dims, int *next_step)
{
    operand->dtype = py_type_from(type);
    PyObject *dtype = operand->dtype ? py_dtype_from_type(operand->dtype) : NULL;
    if (!dtype)
        return false;
    *type_number = (char)((PyArray_Descr *)dtype)->type_num;
    Py_DECREF(dtype);
    operand->item_bytes = abi_size(operand->dtype);
    operand->ndim = (int)PyTuple_GET_SIZE(dims);
    operand->first_step = *next_step;
    *next_step += operand->ndim;
    operand->dims = memory_zalloc(sizeof(int) * ((size_t)operand->ndim + 1));
    for (int i = 0; i < operand->ndim; i++)
        operand->dims[i] = (int)PyLong_AsLong(PyTuple_GET_ITEM(dims, i));
    return !PyErr_Occurred();
}

static bool loop_read(struct gufunc_loop *loop, PyObject *types, PyObject *dims)
{
    Py_ssize_t count = PyTuple_GET_SIZE(types);
    if (count > MAX_OPERANDS || count != PyTuple_GET_SIZE(dims)) {
        PyErr_SetString(PyExc_ValueError, "too many arguments for a gufunc");
        return false;
    }
    int next_step = (int)count;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *part = PyTuple_GET_ITEM(dims, i);
        if (!PyTuple_Check(part) || PyTuple_GET_SIZE(part) > MAX_PART_NDIM) {
            PyErr_SetString(PyExc_ValueError, "too many dimensions for a gufunc");
            return false;
        }
        loop->operand_count = (size_t)i + 1;
        if (!operand_read(&loop->operands[i], &loop->types[i], PyTuple_GET_ITEM(types, i),
                    part, &next_step))
            return false;
    }
    return true;
}

// gufunc_loop(dispatcher, dtypes, dimensions, parallel) -> capsule
static PyObject *module_gufunc_loop(PyObject *module, PyObject *args)
{
    PyObject *dispatcher, *types, *dims;
    int is_parallel;
    if (!PyArg_ParseTuple(args, "OO!O!p", &dispatcher, &PyTuple_Type, &types,
                &PyTuple_Type, &dims, &is_parallel) ||
            !py_numpy_load())
        return NULL;
    struct gufunc_loop *loop = memory_zalloc(sizeof *loop);
    loop->dispatcher = Py_NewRef(dispatcher);
    loop->is_parallel = is_parallel;
    PyObject *capsule = py_capsule_new(loop, LOOP_CAPSULE, loop_destroy, dispatcher);
    if (!capsule)
        return NULL;
    if (!loop_read(loop, types, dims) || !version_compile(loop, true, &loop->dense))
        Py_CLEAR(capsule);
    return capsule;
}

// --- the gufunc

static bool fill_loops(struct ufunc_tables *tables, size_t operand_count)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tables->loops); i++) {
        struct gufunc_loop *loop =
                PyCapsule_GetPointer(PyTuple_GET_ITEM(tables->loops, i), LOOP_CAPSULE);
        if (!loop)
            return false;
        if (loop->operand_count != operand_count) {
            PyErr_SetString(
                    PyExc_TypeError, "loops of one gufunc must take as many arguments");
            return false;
        }
        py_ufunc_tables_set(tables, i, gufunc_run, loop, loop->types, operand_count);
    }
    return true;
}

// Outputs, which the function may read or leave in part, and inputs that it writes to: an
// array of another dtype is converted both before the loop and after it.
static bool mark_writable(PyUFuncObject *ufunc, PyObject *writable)
{
    for (int output = ufunc->nin; output < ufunc->nargs; output++)
        ufunc->op_flags[output] = NPY_ITER_READWRITE | NPY_ITER_UPDATEIFCOPY |
                                  NPY_ITER_ALIGNED | NPY_ITER_ALLOCATE |
                                  NPY_ITER_NO_BROADCAST;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(writable); i++) {
        long input = PyLong_AsLong(PyTuple_GET_ITEM(writable, i));
        if (input < 0 || input >= ufunc->nin) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_ValueError, "writable_args names no input");
            return false;
        }
        ufunc->op_flags[input] = NPY_ITER_READWRITE | NPY_ITER_UPDATEIFCOPY;
    }
    return true;
}

// The first loop that the operands convert to safely, where some of them are dates.
static int resolve_times(PyUFuncObject *ufunc, NPY_CASTING casting,
        PyArrayObject **operands, PyObject *type_tuple, PyArray_Descr **out)
{
    struct ufunc_tables *tables = PyCapsule_GetPointer(ufunc->obj, GUFUNC_CAPSULE);
    for (int i = 0; tables && i < ufunc->ntypes; i++) {
        const struct gufunc_loop *loop = tables->loop_data[i];
        const struct type *elements[MAX_OPERANDS];
        for (size_t k = 0; k < loop->operand_count; k++)
            elements[k] = loop->operands[k].dtype;
        int fits = py_times_resolve(
                elements, ufunc->nin, (int)loop->operand_count, operands, out);
        if (fits)
            return fits < 0 ? -1 : 0;
    }
    return tables ? py_times_refuse(ufunc) : -1;
}

static bool has_times(const struct ufunc_tables *tables)
{
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tables->loops); i++) {
        const struct gufunc_loop *loop = tables->loop_data[i];
        for (size_t k = 0; k < loop->operand_count; k++)
            if (loop->operands[k].dtype->kind == TYPE_TIME)
                return true;
    }
    return false;
}

// gufunc(loops, recipe, name, doc, nin, nout, layout, identity, writable inputs)
static PyObject *module_gufunc(PyObject *module, PyObject *args)
{
    PyObject *loops, *recipe, *identity_object, *writable;
    const char *name, *doc, *signature;
    int nin, nout;
    if (!PyArg_ParseTuple(args, "O!OsziisOO!", &PyTuple_Type, &loops, &recipe, &name,
                &doc, &nin, &nout, &signature, &identity_object, &PyTuple_Type,
                &writable))
        return NULL;
    if (nin < 0 || nout < 0 || nin + nout > MAX_OPERANDS)
        return PyErr_Format(PyExc_ValueError, "too many arguments for a gufunc");
    int identity;
    if (!py_numpy_load() || !py_ufunc_identity(identity_object, &identity))
        return NULL;
    struct ufunc_tables *tables =
            py_ufunc_tables_create(loops, recipe, name, doc, signature);
    PyObject *capsule = py_ufunc_tables_keep(tables, GUFUNC_CAPSULE);
    if (!capsule)
        return NULL;
    PyObject *ufunc = NULL;
    if (fill_loops(tables, (size_t)(nin + nout)))
        ufunc = PyUFunc_FromFuncAndDataAndSignature(tables->functions, tables->loop_data,
                tables->types, (int)PyTuple_GET_SIZE(loops), nin, nout, identity,
                tables->name, tables->doc, 0, tables->signature);
    if (ufunc)
        ((PyUFuncObject *)ufunc)->obj = Py_NewRef(capsule);
    if (ufunc && has_times(tables))
        ((PyUFuncObject *)ufunc)->type_resolver = resolve_times;
    if (ufunc && !mark_writable((PyUFuncObject *)ufunc, writable))
        Py_CLEAR(ufunc);
    Py_DECREF(capsule);
    return ufunc;
}

// What a gufunc was made of; None for another object.
static PyObject *module_gufunc_recipe(PyObject *module, PyObject *object)
{
    struct ufunc_tables *tables = py_ufunc_tables_of(object, GUFUNC_CAPSULE);
    return Py_NewRef(tables ? tables->made_of : Py_None);
}

PyMethodDef py_gufunc_functions[] = {
        {"gufunc_loop", module_gufunc_loop, METH_VARARGS,
                "gufunc_loop(dispatcher, dtypes, dimensions, parallel) -> loop"},
        {"gufunc", module_gufunc, METH_VARARGS,
                "gufunc(loops, recipe, name, doc, nin, nout, layout, identity, "
                "writable) -> numpy.ufunc"},
        {"gufunc_recipe", module_gufunc_recipe, METH_O,
                "What a gufunc was made of; None for another object."},
        {0},
};

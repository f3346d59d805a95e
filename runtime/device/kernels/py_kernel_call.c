// SPDX-License-Identifier: MIT
// A launch: the types of the arguments, the argument block, host arrays over to the
// device and back.
#include "base/activity.h"
#include "runtime/device/kernels/py_kernel.h"
#include "runtime/host/state/py_error.h"
#include "compiler/support/interrupt.h"

#include <stddef.h>
#include <string.h>
#include <structmember.h>

enum { STACK_PARAMS = 16, STACK_BYTES = 1024 };

enum direction { COPY_IN_OUT, COPY_IN, COPY_OUT };

// An argument without its wrapper cuda.In, cuda.Out or cuda.InOut.
struct argument {
    PyObject *value; // borrowed
    enum direction direction;
};

// A host array whose contents come back after the launch.
struct write_back {
    struct py_device_array *device_array;
    PyArrayObject *host; // borrowed
    const char *param;   // its name
};

struct call {
    struct launch *launch;
    struct device *device;
    VEC(struct write_back) write_backs;
    VEC(PyObject *) owned; // kept until the launch has been made
    bool has_host_array;
    const char *param;   // the name of the argument under way
    bool is_written;     // whether the kernel may write to the argument under way
    bool is_overlapping; // host arrays share memory with each other
    struct specialization *plain; // of the kernel that an observed one observes, for
                                  // blocks that are not observed; or NULL
};

// --- types ---------------------------------------------------------------------------

// What cuda.In, cuda.Out and cuda.InOut derive from.
struct host_argument {
    PyObject ob_base;
    PyObject *value;
    enum direction direction;
};

static struct argument unwrap(PyObject *object)
{
    if (!PyObject_TypeCheck(object, py_device_types()->host_argument))
        return (struct argument){object, COPY_IN_OUT};
    struct host_argument *wrapper = (struct host_argument *)object;
    return (struct argument){wrapper->value, wrapper->direction};
}

// HostArgument(value, direction): "in", "out" or "inout".
static PyObject *host_argument_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    PyObject *value;
    const char *direction;
    if (!PyArg_ParseTuple(args, "Os", &value, &direction))
        return NULL;
    struct host_argument *self = (struct host_argument *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    self->value = Py_NewRef(value);
    self->direction = !strcmp(direction, "in")    ? COPY_IN
                      : !strcmp(direction, "out") ? COPY_OUT
                                                  : COPY_IN_OUT;
    return (PyObject *)self;
}

static void host_argument_dealloc(PyObject *object)
{
    Py_XDECREF(((struct host_argument *)object)->value);
    py_dealloc_end(object);
}

static PyMemberDef host_argument_members[] = {
        {"value", T_OBJECT_EX, offsetof(struct host_argument, value), READONLY,
                "the host array"},
        {0},
};

static PyType_Slot host_argument_slots[] = {
        {Py_tp_new, host_argument_new},
        {Py_tp_dealloc, host_argument_dealloc},
        {Py_tp_members, host_argument_members},
        {0},
};

bool py_host_argument_init(struct device_types *types)
{
    types->host_argument = py_add_type("gridcell._gridcell.HostArgument",
            sizeof(struct host_argument), Py_TPFLAGS_BASETYPE, host_argument_slots);
    return types->host_argument != NULL;
}

static const struct type *argument_type(PyObject *object);

static const struct type *tuple_type(PyObject *tuple)
{
    Py_ssize_t len = PyTuple_GET_SIZE(tuple);
    const struct type *few[STACK_PARAMS];
    if (len > STACK_PARAMS)
        return py_typeof(tuple);
    for (Py_ssize_t i = 0; i < len; i++) {
        few[i] = argument_type(PyTuple_GET_ITEM(tuple, i));
        if (!few[i] || few[i] == type_pyobject)
            return few[i];
    }
    return type_tuple(few, (size_t)len);
}

// A host array whose items are not aligned is copied to where they are.
static const struct type *host_array_type(PyObject *object)
{
    const struct type *type = py_typeof(object);
    if (!type || type->kind != TYPE_ARRAY || type->array.is_aligned)
        return type;
    return type_array_in(type->element, type->array.ndim, type->array.layout,
            type->array.is_readonly, true, type->array.address_space);
}

// The type of an argument; type_pyobject when it has none, NULL with an exception set.
static const struct type *argument_type(PyObject *object)
{
    if (Py_IS_TYPE(object, py_device_types()->array)) {
        struct py_device_array *array = (struct py_device_array *)object;
        return array->type ? array->type : py_device_array_type(array);
    }
    if (PyLong_CheckExact(object) || PyFloat_CheckExact(object))
        return py_typeof(object);
    if (PyArray_Check(object))
        return host_array_type(object);
    if (PyTuple_CheckExact(object))
        return tuple_type(object);
    PyObject *value = unwrap(object).value;
    if (value != object)
        return argument_type(value);
    const struct type *type = py_typeof(object);
    bool is_array = type == type_pyobject || (type && type->kind == TYPE_RECORD);
    if (!is_array || !py_has_cuda_interface(object))
        return type;
    struct py_device_array *array = py_device_array_from_object(object);
    type = array ? py_device_array_type(array) : NULL;
    Py_XDECREF(array);
    return type;
}

// --- values --------------------------------------------------------------------------

static void fill_array(void *target, device_address data, int ndim, const int64_t *shape,
        const int64_t *strides)
{
    struct abi_array *array = target;
    array->memory = NULL;
    array->parent = NULL;
    array->data = (void *)(uintptr_t)data;
    memcpy(array->dims, shape, (size_t)ndim * sizeof *shape);
    memcpy(array->dims + ndim, strides, (size_t)ndim * sizeof *strides);
}

static bool fill_device_array(
        const struct call *call, void *target, struct py_device_array *array)
{
    struct py_device_memory *memory = array->size ? array->memory : NULL;
    if (!py_device_memory_check(array->memory) ||
            !py_device_memory_reached(memory, call->device,
                    call->launch->kernel->source->name, call->param))
        return false;
    fill_array(target, array->size ? array_address(array) : 0, array->ndim,
            array_shape(array), array_strides(array));
    return true;
}

// The emulated device reads host memory where it lies. Copies would show a difference
// only where arguments overlap, or where the copy back was declined; and to an observer,
// who is to see addresses of the device.
static bool can_share(
        const struct call *call, PyArrayObject *host, enum direction direction)
{
    return call->device->target == TARGET_EMULATOR && direction == COPY_IN_OUT &&
           !call->is_overlapping && PyArray_ISBEHAVED_RO(host) &&
           !call->launch->kernel->options.is_observed;
}

static bool warn_of_copies(struct call *call)
{
    if (call->has_host_array)
        return true;
    call->has_host_array = true;
    if (call->launch->is_warned)
        return true;
    call->launch->is_warned = true;
    return kernel_warn(call->launch->kernel, call->device,
            "NUMBA_CUDA_WARN_ON_IMPLICIT_COPY",
            "Host array used in CUDA kernel will incur copy overhead to/from device.");
}

static bool send_host_array(
        struct call *call, PyArrayObject *host, enum direction direction, void *target)
{
    char order =
            PyArray_IS_F_CONTIGUOUS(host) && !PyArray_IS_C_CONTIGUOUS(host) ? 'F' : 'C';
    struct py_device_array *array = py_device_array_new(PyArray_DESCR(host),
            PyArray_NDIM(host), (const int64_t *)PyArray_DIMS(host), order);
    if (!array)
        return false;
    vec_push(&call->owned, (PyObject *)array);
    transfer_label(call->launch->kernel->py_func, call->param);
    bool is_sent = direction == COPY_OUT ||
                   py_device_array_upload(array, host, call->launch->config.stream);
    transfer_label(NULL, NULL);
    if (!is_sent)
        return false;
    if (direction != COPY_IN && PyArray_ISWRITEABLE(host))
        vec_push(&call->write_backs, (struct write_back){array, host, call->param});
    return fill_device_array(call, target, array);
}

// Memory that the device knows where it lies needs no copy.
static bool fill_known(PyArrayObject *host, void *target)
{
    device_address address = 0;
    if (!PyArray_BASE(host) || !PyArray_ISBEHAVED_RO(host) ||
            !py_host_memory_find(host, &address))
        return false;
    fill_array(target, PyArray_SIZE(host) ? address : 0, PyArray_NDIM(host),
            (const int64_t *)PyArray_DIMS(host), (const int64_t *)PyArray_STRIDES(host));
    return true;
}

static bool fill_host_array(
        struct call *call, PyArrayObject *host, enum direction direction, void *target)
{
    if (fill_known(host, target))
        return true;
    if (PyErr_Occurred())
        return false;
    if (!warn_of_copies(call))
        return false;
    if (!can_share(call, host, direction)) {
        if (direction == COPY_IN_OUT && !call->is_written)
            direction = COPY_IN; // it would come back as it went
        return send_host_array(call, host, direction, target);
    }
    transfer_label(call->launch->kernel->py_func, call->param);
    transfer_note_shared((size_t)PyArray_NBYTES(host));
    transfer_label(NULL, NULL);
    fill_array(target, (device_address)(uintptr_t)PyArray_DATA(host), PyArray_NDIM(host),
            (const int64_t *)PyArray_DIMS(host), (const int64_t *)PyArray_STRIDES(host));
    return true;
}

static bool fill_value(
        struct call *call, PyObject *object, const struct type *type, char *target);

// Items lie as in a C struct.
static bool fill_tuple(
        struct call *call, PyObject *tuple, const struct type *type, char *target)
{
    size_t offset = 0;
    for (size_t i = 0; i < type->tuple.len; i++) {
        const struct type *item = type->tuple.items[i];
        if (!fill_value(call, PyTuple_GET_ITEM(tuple, (Py_ssize_t)i), item,
                    target + abi_place(item, &offset)))
            return false;
    }
    return true;
}

static bool fill_array_argument(struct call *call, PyObject *object, char *target)
{
    if (py_device_array_check(object))
        return fill_device_array(call, target, (struct py_device_array *)object);
    struct argument argument = unwrap(object);
    if (PyArray_Check(argument.value))
        return fill_host_array(
                call, (PyArrayObject *)argument.value, argument.direction, target);
    PyObject *record = NULL; // one record by itself, as an array without dimensions
    if (PyArray_IsScalar(argument.value, Void)) {
        record = PyArray_FromScalar(argument.value, NULL);
        if (!record)
            return false;
        vec_push(&call->owned, record);
        return fill_host_array(call, (PyArrayObject *)record, argument.direction, target);
    }
    struct py_device_array *array = py_device_array_from_object(argument.value);
    if (!array)
        return false;
    vec_push(&call->owned, (PyObject *)array);
    return fill_device_array(call, target, array);
}

static bool fill_pointer(PyObject *address, char *target)
{
    PyObject *number = PyNumber_Index(address);
    if (number)
        *(void **)target = PyLong_AsVoidPtr(number);
    Py_XDECREF(number);
    return !PyErr_Occurred();
}

// Strings of devices are in UTF-8; a GPU cannot read those of the host.
static bool fill_text(struct call *call, PyObject *object, char *target)
{
    struct abi_text *text = (struct abi_text *)target;
    Py_ssize_t len = 0;
    if (call->device->target != TARGET_EMULATOR) {
        PyErr_SetString(PyExc_TypeError, "a str cannot be passed to a kernel on a GPU: "
                                         "make it a global, or choose "
                                         "by a number");
        return false;
    }
    const char *utf8 = PyUnicode_AsUTF8AndSize(object, &len);
    *text = (struct abi_text){NULL, (const void *)utf8, len};
    return utf8 != NULL;
}

static bool fill_value(
        struct call *call, PyObject *object, const struct type *type, char *target)
{
    if (type->kind == TYPE_ARRAY)
        return fill_array_argument(call, object, target);
    if (type == type_float64 && PyFloat_CheckExact(object)) {
        *(double *)target = PyFloat_AS_DOUBLE(object);
        return true;
    }
    if (type->kind == TYPE_TUPLE && PyTuple_Check(object) &&
            (size_t)PyTuple_GET_SIZE(object) == type->tuple.len)
        return fill_tuple(call, object, type, target);
    if (type->kind == TYPE_POINTER && PyIndex_Check(object))
        return fill_pointer(object, target);
    if (type == type_string)
        return fill_text(call, object, target);
    return py_unbox(unwrap(object).value, type, target);
}

// --- overlap -------------------------------------------------------------------------

static bool overlaps(PyArrayObject *a, PyArrayObject *b)
{
    int64_t a_low, a_high, b_low, b_high;
    layout_extent((const int64_t *)PyArray_DIMS(a), (const int64_t *)PyArray_STRIDES(a),
            PyArray_NDIM(a), PyArray_ITEMSIZE(a), &a_low, &a_high);
    layout_extent((const int64_t *)PyArray_DIMS(b), (const int64_t *)PyArray_STRIDES(b),
            PyArray_NDIM(b), PyArray_ITEMSIZE(b), &b_low, &b_high);
    const char *a_data = PyArray_BYTES(a), *b_data = PyArray_BYTES(b);
    return a_data + a_low < b_data + b_high && b_data + b_low < a_data + a_high;
}

// Whether two host arrays among the arguments share memory: each then gets a copy of its
// own.
static bool has_overlap(PyObject *const *args, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        for (size_t j = 0; PyArray_Check(args[i]) && j < i; j++) {
            if (PyArray_Check(args[j]) &&
                    overlaps((PyArrayObject *)args[i], (PyArrayObject *)args[j]))
                return true;
        }
    }
    return false;
}

static bool fill_block(struct call *call, struct specialization *spec,
        PyObject *const *args, char *block)
{
    call->is_overlapping = call->device->target == TARGET_EMULATOR &&
                           has_overlap(args, spec->param_count);
    for (size_t i = 0; i < spec->param_count; i++) {
        call->is_written = spec->is_written[i];
        call->param = spec->compiled->function->param_names[i];
        if (!fill_value(call, args[i], spec->params[i], block + spec->offsets[i]))
            return false;
    }
    return true;
}

// --- the launch ----------------------------------------------------------------------

static void set_exception(const struct error *err, const struct raise_site *site)
{
    if (site && site->class_object) {
        PyErr_SetString(site->class_object, err->message);
        return;
    }
    PyObject *class = site && site->class_name
                              ? py_import_attr("builtins", site->class_name)
                              : NULL;
    if (class) {
        PyErr_SetString(class, err->message);
        Py_DECREF(class);
        return;
    }
    py_error_drop();
    py_raise(err);
}

// An exception that a thread raised: the user's class, with numba's text, and the line.
static void raise_from_kernel(const struct error *err, const struct compiled *compiled)
{
    if (err->kind == ERROR_INTERRUPT) {
        py_interrupt_raise();
        return;
    }
    size_t site_index = (size_t)err->code - 1;
    bool is_site = err->kind != ERROR_DEVICE && err->code > 0 &&
                   site_index < compiled->raise_site_count;
    const struct raise_site *site = is_site ? &compiled->raise_sites[site_index] : NULL;
    set_exception(err, site);
    if (py_failure_add(NULL, NULL))
        return;
    if (err->span.file && err->span.line > 0)
        py_frame_add(site && site->function ? site->function : compiled->function->name,
                err->span.file, err->span.line);
}

static bool copy_back(struct call *call)
{
    struct device_stream *stream = call->launch->config.stream;
    bool done = true;
    vec_each (item, &call->write_backs) {
        transfer_label(call->launch->kernel->py_func, item->param);
        done = done && py_device_array_download(item->device_array, item->host, stream);
    }
    transfer_label(NULL, NULL);
    struct error err = {0};
    if (done && call->write_backs.len && stream)
        DEVICE_WAIT(done, call->device, &err,
                call->device->operations->stream_synchronize(call->device, stream, &err));
    return done;
}

// A kernel with a shared array of size 0 takes what memory the launch gives it.
static bool has_dynamic_shared(const struct call *call, const struct specialization *spec)
{
    if (!spec->compiled->uses_dynamic_shared || call->launch->config.dynamic_shared_bytes)
        return true;
    PyErr_Format(PyExc_ValueError,
            "%U takes dynamic shared memory (cuda.shared.array of size 0), and this "
            "launch "
            "gives it none: kernel[grid, block, stream, bytes], for instance "
            "kernel[grid, "
            "block, 0, 1024]",
            ((PyFunctionObject *)call->launch->kernel->py_func)->func_name);
    return false;
}

static struct observation *observation_of(struct kernel *kernel)
{
    if (kernel->options.is_observed && !kernel->observation)
        kernel->observation = memory_zalloc(sizeof *kernel->observation);
    return kernel->observation;
}

static PyObject *run(struct call *call, struct specialization *spec,
        PyObject *const *args, char *block)
{
    if (!has_dynamic_shared(call, spec))
        return NULL;
    if (!fill_block(call, spec, args, block))
        return NULL;
    spec = specialization_for(call->launch->kernel, spec, block, &call->launch->config);
    if (!spec)
        return NULL;
    if (compiler_interrupt_flag)
        return py_interrupt_raise();
    struct error err;
    error_clear(&err);
    struct launch_config config = call->launch->config;
    config.observation = observation_of(call->launch->kernel);
    config.plain = call->plain ? call->plain->compiled : NULL;
    kernel_print_begin();
    unsigned stops = device_wait_begin(call->device);
    PyThreadState *state = PyEval_SaveThread();
    bool is_noted = atomic_load_explicit(&activity_is_kept, memory_order_relaxed);
    double begin = is_noted ? activity_clock() : 0;
    bool done = call->device->operations->launch(
            call->device, spec->kernel, &config, block, &err);
    if (is_noted)
        activity_note(
                ACTIVITY_LAUNCH, spec->compiled->function->name, begin, 0, config.stream);
    bool is_stopped = device_wait_end(call->device, stops);
    PyEval_RestoreThread(state);
    bool is_printed = kernel_print_end();
    if (is_stopped)
        return py_device_raise_stopped(call->device);
    if (!done) {
        launch_explain(
                call->device, spec->kernel, spec->compiled, &call->launch->config, &err);
        bool is_plain = config.observation && config.observation->is_failure_plain;
        raise_from_kernel(&err, is_plain ? config.plain : spec->compiled);
        return NULL;
    }
    if (!is_printed || !copy_back(call))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *run_with_block(
        struct call *call, struct specialization *spec, PyObject *const *args)
{
    _Alignas(16) char few[STACK_BYTES];
    char *block = few;
    if (spec->block_bytes > sizeof few && !(block = PyMem_Malloc(spec->block_bytes)))
        return PyErr_NoMemory();
    PyObject *result = run(call, spec, args, block);
    if (block != few)
        PyMem_Free(block);
    vec_destroy(&call->owned, Py_DecRef);
    vec_finish(&call->write_backs);
    return result;
}

// The version for the types: that of the last launch where they are the same.
static struct specialization *choose(struct kernel *kernel, struct device *device,
        const struct type *const *types, size_t count, PyObject *const *args,
        const struct launch_config *config)
{
    if (kernel->last && !kernel->launch_needed && kernel->last->device == device &&
            kernel->last_types.len == count &&
            !memcmp(kernel->last_types.items, types, count * sizeof *types))
        return specialization_current(kernel->last);
    struct specialization *spec =
            kernel_specialize(kernel, device, types, count, args, config);
    if (!spec)
        return NULL;
    kernel->last_types.len = 0;
    for (size_t i = 0; i < count; i++)
        vec_push(&kernel->last_types, types[i]);
    kernel->last = spec;
    return specialization_current(spec);
}

// Calls what launch.pre_launch_callbacks lists, with the version that is to run.
static bool call_before(struct launch *launch, const struct specialization *spec)
{
    if (!launch->callbacks || !PyList_GET_SIZE(launch->callbacks))
        return true;
    struct kernel *kernel = launch->kernel;
    size_t index = 0;
    while (index < kernel->specializations.len &&
            kernel->specializations.items[index] != spec)
        index++;
    PyObject *call_all = py_import_attr("gridcell.cuda.binding", "call_before");
    PyObject *result =
            call_all ? PyObject_CallFunction(call_all, "OOnO", launch->callbacks,
                               (PyObject *)kernel, (Py_ssize_t)index, (PyObject *)launch)
                     : NULL;
    Py_XDECREF(call_all);
    Py_XDECREF(result);
    return result != NULL;
}

PyObject *kernel_launch(struct launch *launch, PyObject *const *args, size_t count)
{
    struct call call = {.launch = launch, .device = py_device_current()};
    const struct type *few[STACK_PARAMS], **types = few;
    if (!call.device || !py_stream_check(launch->stream_object))
        return NULL;
    if (count > STACK_PARAMS && !(types = PyMem_Calloc(count, sizeof *types)))
        return PyErr_NoMemory();
    bool done = true;
    for (size_t i = 0; done && i < count; i++)
        done = (types[i] = argument_type(args[i])) != NULL;
    struct specialization *spec = done ? choose(launch->kernel, call.device, types, count,
                                                 args, &launch->config)
                                       : NULL;
    struct kernel *plain = launch->kernel->plain;
    if (spec && plain && call.device->target == TARGET_EMULATOR &&
            !(call.plain = choose(
                      plain, call.device, types, count, args, &launch->config)))
        spec = NULL;
    if (types != few)
        PyMem_Free(types);
    if (!spec || !call_before(launch, spec))
        return NULL;
    return run_with_block(&call, spec, args);
}

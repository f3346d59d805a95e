// SPDX-License-Identifier: MIT
// The kernel object: its life, its compilation for argument types, and what inspection
// reads.
#include "runtime/device/kernels/py_kernel.h"

#include <stddef.h>
#include <string.h>
#include <structmember.h>

#include "compiler/compiler.h"
#include "compiler/support/interrupt.h"
#include "runtime/device/kernels/py_foreign.h"
#include "runtime/host/dispatch/py_source.h"
#include "runtime/host/state/py_error.h"

static struct kernel *of(PyObject *object)
{
    return (struct kernel *)object;
}

// --- compilation ---------------------------------------------------------------------

void kernel_raise_failed(struct kernel *self, const struct error *err,
        const struct type *const *types, size_t count, PyObject *const *args)
{
    PyObject *notes = py_typeof_notes(types, count, args);
    if (notes)
        py_raise_compile(
                err, "cuda", self->source ? self->source->qualname : NULL, notes);
    Py_XDECREF(notes);
}

static struct specialization *find(struct kernel *self, struct device *device,
        const struct type *const *types, size_t count,
        const struct launch_constants *constants)
{
    vec_each (spec, &self->specializations) {
        if ((*spec)->device == device && (*spec)->param_count == count &&
                !memcmp((*spec)->params, types, count * sizeof *types) &&
                !memcmp(&(*spec)->constants, constants, sizeof *constants))
            return *spec;
    }
    return NULL;
}

// float32 arithmetic that a literal or an integer turns into float64 is many times slower
// on most GPUs.
static bool warn_of_doubles(struct kernel *self, const struct specialization *spec)
{
    const struct ir_instr *found = ir_find_double(spec->compiled->function);
    if (!found)
        return true;
    const char *name = spec->compiled->function->name;
    char text[320];
    if (found->op == IR_CONST)
        snprintf(text, sizeof text,
                "%s, line %d: the literal %g makes arithmetic on float32 values run in "
                "double precision; float32(%g) keeps it in single precision.",
                name, found->span.line, found->constant.real, found->constant.real);
    else
        snprintf(text, sizeof text,
                "%s, line %d: an %s makes arithmetic on float32 values run in double "
                "precision; float32(...) of it keeps it in single precision.",
                name, found->span.line, found->operands[0]->type->name);
    return kernel_warn(self, spec->device, "NUMBA_CUDA_WARN_ON_DOUBLE", text);
}

// Whether compiling failed for want of constants that this launch can give.
static bool wants_more(struct kernel *self, const struct launch_config *config,
        PyObject *const *args, const struct error *err)
{
    unsigned before = self->launch_needed;
    if (!(err->code & LAUNCH_CODE) || !config || !args || !self->can_compile)
        return false;
    self->launch_needed |= (unsigned)err->code & (LAUNCH_CODE - 1u);
    return self->launch_needed != before;
}

static struct specialization *compile_or_find(struct kernel *self, struct device *device,
        const struct type *const *types, size_t count, PyObject *const *args,
        const struct launch_config *config, bool *is_new)
{
    struct launch_constants constants;
    for (;;) {
        struct error err = {0};
        if (!kernel_launch_constants(self, args, count, config, &constants))
            return NULL;
        struct specialization *spec = find(self, device, types, count, &constants);
        if (spec)
            return spec;
        if (!*is_new &&
                !py_observe_compilation((PyObject *)self, types, count, NULL, true))
            return NULL;
        *is_new = true;
        py_signals_watch();
        spec = specialization_create(device, types, count);
        spec->constants = constants;
        if (specialization_build(self, spec, 0, &err)) {
            if (!specialization_can_be_cached(self, spec)) {
                specialization_destroy(spec);
                return NULL;
            }
            vec_push(&self->specializations, spec);
            if (compiler_interrupt_flag) { // Python may have seen it, and lost it
                py_interrupt_raise();
                return NULL;
            }
            return warn_of_doubles(self, spec) ? spec : NULL;
        }
        bool is_hopeless = !wants_more(self, config, args, &err);
        if (is_hopeless) // before its source goes, which holds the file's name
            kernel_raise_failed(self, &err, types, count, args);
        specialization_destroy(spec);
        if (is_hopeless)
            return NULL;
    }
}

// Threads that launch a new kernel at once: one compiles, the others find what it made.
struct specialization *kernel_compile(struct kernel *self, struct device *device,
        const struct type *const *types, size_t count, PyObject *const *args,
        const struct launch_config *config)
{
    bool is_new = false;
    py_compile_enter();
    struct specialization *spec =
            compile_or_find(self, device, types, count, args, config, &is_new);
    if (is_new && !py_observe_compilation((PyObject *)self, types, count, NULL, false))
        spec = NULL;
    py_compile_leave();
    return spec;
}

// --- declared signatures --------------------------------------------------------------

static void raise_no_match(const struct type *const *types, size_t count)
{
    struct str list = {0};
    for (size_t i = 0; i < count; i++)
        str_printf(&list, "%s%s", i ? ", " : "", types[i]->name);
    PyErr_Format(PyExc_TypeError, "No matching definition for argument type(s) %s",
            str_text(&list));
    str_finish(&list);
}

// Declared signatures hold for every device: one that was not selected when they were
// declared gets its own versions now.
static bool compile_declared(struct kernel *self, struct device *device)
{
    size_t count = self->specializations.len;
    for (size_t i = 0; i < count; i++) {
        struct specialization *spec = self->specializations.items[i];
        if (!kernel_compile(self, device, spec->params, spec->param_count, NULL, NULL))
            return false;
    }
    return true;
}

struct specialization *kernel_specialize(struct kernel *self, struct device *device,
        const struct type *const *types, size_t count, PyObject *const *args,
        const struct launch_config *config)
{
    if (self->can_compile)
        return kernel_compile(self, device, types, count, args, config);
    const struct launch_constants none = {0};
    struct specialization *spec = find(self, device, types, count, &none);
    if (spec)
        return spec;
    spec = kernel_best(self, device, types, count);
    if (!spec && !PyErr_Occurred() && compile_declared(self, device))
        spec = kernel_best(self, device, types, count);
    if (!spec && !PyErr_Occurred() && kernel_is_device_function((PyObject *)self))
        PyErr_SetString(
                PyExc_RuntimeError, "Cannot compile a device function as a kernel");
    else if (!spec && !PyErr_Occurred())
        raise_no_match(types, count);
    return spec;
}

// What numba.config says of the setting (the variable's name without NUMBA_): 0 or 1, or
// -1 where no program has assigned it.
static int told_by_config(const char *setting)
{
    PyObject *value = py_import_attr("numba.core.config", setting);
    PyObject *unset = value ? py_import_attr("numba.core.config", "_Default") : NULL;
    int told =
            unset && PyObject_IsInstance(value, unset) == 0 ? PyObject_IsTrue(value) : -1;
    py_error_drop();
    py_drop(value, unset);
    return told;
}

bool kernel_warn(struct kernel *self, struct device *device, const char *variable,
        const char *text)
{
    if (self->is_quiet)
        return true;
    const char *value = getenv(variable);
    int told = told_by_config(variable + strlen("NUMBA_"));
    if (told < 0)
        told = value && *value ? strcmp(value, "0") != 0 : device->target == TARGET_GPU;
    if (!told)
        return true;
    return py_warn_caller("NumbaPerformanceWarning", "numba.cuda.dispatcher", text);
}

// --- the object ----------------------------------------------------------------------

static bool copy_attributes(struct kernel *self)
{
    self->dict = PyDict_New();
    return self->dict && py_copy_function_names(self->py_func, self->dict);
}

static PyObject *kernel_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *keywords[] = {"py_func", "fastmath", "debug", "boundscheck", "lineinfo",
            "opt_level", "max_registers", "lto", "launch_bounds", "is_inlined",
            "carveout", "cache", "observed", NULL};
    PyObject *function, *plain = NULL;
    int fastmath = 0, debug = 0, boundscheck = -1, lineinfo = 0, opt_level = 3,
        max_registers = 0, lto = 0, bounds[3] = {0}, is_inlined = 0, carveout = -1,
        is_cached = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!|ppipiip(iii)pipO!", keywords,
                &PyFunction_Type, &function, &fastmath, &debug, &boundscheck, &lineinfo,
                &opt_level, &max_registers, &lto, &bounds[0], &bounds[1], &bounds[2],
                &is_inlined, &carveout, &is_cached, py_device_types()->kernel, &plain))
        return NULL;
    struct kernel *self = (struct kernel *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    self->py_func = Py_NewRef(function);
    self->plain = (struct kernel *)Py_XNewRef(plain);
    self->can_compile = true;
    self->options = (struct kernel_options){
            .source = {.fastmath = fastmath,
                    .debug = debug,
                    .is_numpy_error_model = !debug,
                    .is_inlined = is_inlined,
                    .is_device = true},
            .carveout = carveout,
            .opt_level = opt_level,
            .max_registers = max_registers,
            .launch_bounds = {bounds[0], bounds[1], bounds[2]},
            .lineinfo = lineinfo,
            .lto = lto,
            .is_cached = is_cached,
            .is_observed = plain != NULL,
            .boundscheck = boundscheck,
    };
    self->configs = PyDict_New();
    if (!self->configs || !copy_attributes(self))
        Py_CLEAR(self);
    return (PyObject *)self;
}

static int kernel_traverse(PyObject *object, visitproc visit, void *arg)
{
    struct kernel *self = of(object);
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->dict);
    Py_VISIT(self->py_func);
    Py_VISIT(self->configs);
    Py_VISIT(self->extensions);
    Py_VISIT((PyObject *)self->plain);
    vec_each (source, &self->old_sources)
        Py_VISIT((PyObject *)(*source)->captured);
    if (self->source)
        Py_VISIT((PyObject *)self->source->captured);
    vec_each (spec, &self->specializations)
        if ((*spec)->source)
            Py_VISIT((PyObject *)(*spec)->source->captured);
    return 0;
}

static void clear_captured(struct source *source)
{
    PyObject *captured = source ? source->captured : NULL;
    if (source)
        source->captured = NULL;
    Py_XDECREF(captured);
}

static int kernel_clear(PyObject *object)
{
    struct kernel *self = of(object);
    Py_CLEAR(self->dict);
    Py_CLEAR(self->configs);
    Py_CLEAR(self->extensions);
    Py_CLEAR(self->plain);
    clear_captured(self->source);
    vec_each (source, &self->old_sources)
        clear_captured(*source);
    vec_each (spec, &self->specializations)
        clear_captured((*spec)->source);
    return 0;
}

static void kernel_dealloc(PyObject *object)
{
    py_dealloc_begin(object);
    kernel_clear(object);
    struct kernel *self = of(object);
    Py_CLEAR(self->py_func);
    kernel_observation_destroy(self->observation);
    vec_destroy(&self->specializations, specialization_destroy);
    vec_destroy(&self->old_specializations, specialization_destroy);
    vec_finish(&self->last_types);
    py_source_destroy(self->source);
    vec_destroy(&self->old_sources, py_source_destroy);
    py_dealloc_end(object);
}

static PyObject *kernel_subscript(PyObject *object, PyObject *items)
{
    return launch_from_items(of(object), items);
}

// As a method of a class.
static PyObject *kernel_get(PyObject *object, PyObject *instance, PyObject *class)
{
    (void)class;
    if (!instance || instance == Py_None)
        return Py_NewRef(object);
    return PyMethod_New(object, instance);
}

// What the importer finds a device function by.
static PyObject *get_source(PyObject *object, void *unused)
{
    struct error err = {0};
    struct source *source = kernel_source(of(object), &err);
    return source ? PyCapsule_New(source, PY_SOURCE_CAPSULE, NULL) : py_raise(&err);
}

// compile(argtypes): makes the version for declared argument types on the current device.
static PyObject *compile_declared_types(PyObject *object, PyObject *sequence)
{
    const struct type **types = NULL;
    size_t count = 0;
    struct device *device = py_device_current();
    if (!device || !py_types_from_sequence(sequence, &types, &count))
        return NULL;
    struct specialization *spec =
            kernel_compile(of(object), device, types, count, NULL, NULL);
    PyMem_Free(types);
    if (!spec)
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef kernel_methods[] = {
        {"_compile", compile_declared_types, METH_O,
                "Compiles for declared argument types."},
        {"_recompile", kernel_recompile, METH_NOARGS,
                "Compiles each version again, so that changed globals are seen."},
        {"_lto_ptx", kernel_lto_ptx, METH_VARARGS,
                "PTX after optimisation at link time, for argument types and a compute "
                "capability."},
        {"_ptx", kernel_ptx, METH_VARARGS,
                "PTX for argument types and a compute capability."},
        {"_gpu_code", kernel_gpu_code, METH_VARARGS,
                "PTX and LLVM IR of one compiled version, for a compute capability."},
        {"_gpu_graph", kernel_gpu_graph, METH_VARARGS,
                "The control-flow graph of that LLVM IR as DOT and as SVG."},
        {"_argument_types", kernel_argument_types, METH_NOARGS,
                "Argument types of each compiled version."},
        {"_last_types", kernel_last_types, METH_NOARGS,
                "Argument types of the version that the last launch took."},
        {"_take_observation", kernel_take_observation, METH_NOARGS,
                "What was counted of an observed kernel's launches since the last call."},
        {"_inspect", kernel_inspect, METH_VARARGS, "Text of one compiled version."},
        {"_attribute", kernel_attribute_of, METH_VARARGS,
                "A CU_FUNC_ATTRIBUTE of one compiled version."},
        {"_device_ptx", kernel_device_ptx, METH_VARARGS,
                "PTX of a device function that C can call, and its return type."},
        {"_blocks_at_once", kernel_blocks_of, METH_VARARGS,
                "Blocks of one compiled version that a multiprocessor holds."},
        {0},
};

static PyMemberDef kernel_members[] = {
        PY_DICT(struct kernel),
        PY_WEAKREFS(struct kernel),
        {"py_func", T_OBJECT_EX, offsetof(struct kernel, py_func), READONLY,
                "the Python function"},
        {"_extensions", T_OBJECT, offsetof(struct kernel, extensions), 0,
                "list of what prepares arguments"},
        {"_is_quiet", T_BOOL, offsetof(struct kernel, is_quiet), 0,
                "whether it never warns"},
        {"_can_compile", T_BOOL, offsetof(struct kernel, can_compile), 0,
                "whether launches with new types compile"},
        {0},
};

static PyGetSetDef kernel_getset[] = {
        {.name = PY_SOURCE_ATTRIBUTE, .get = get_source},
        PY_ANNOTATIONS_ROW,
        {.name = "__dict__",
                .get = PyObject_GenericGetDict,
                .set = PyObject_GenericSetDict},
        {0},
};

static PyType_Slot kernel_slots[] = {
        {Py_tp_new, kernel_new},
        {Py_tp_dealloc, kernel_dealloc},
        {Py_tp_traverse, kernel_traverse},
        {Py_tp_clear, kernel_clear},
        {Py_tp_methods, kernel_methods},
        {Py_tp_members, kernel_members},
        {Py_tp_getset, kernel_getset},
        {Py_tp_descr_get, kernel_get},
        {Py_mp_subscript, kernel_subscript},
        {0},
};

bool py_kernel_init(struct device_types *types, PyObject *module)
{
    types->kernel = py_add_type("gridcell._gridcell.Kernel", sizeof(struct kernel),
            Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, kernel_slots);
    return types->kernel && py_host_argument_init(types) && py_launch_init(types, module);
}

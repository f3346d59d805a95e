// SPDX-License-Identifier: MIT
// A kernel's source, and its code for types of arguments.
#include "runtime/device/kernels/py_kernel.h"

#include <string.h>

#include "compiler/types/kinds.h"
#include "runtime/device/kernels/py_foreign.h"
#include "runtime/host/dispatch/py_source.h"

// Indices are checked where a wrong one would end this process, and where a check costs
// little.
static bool is_bounds_checked(const struct kernel *self)
{
    if (self->options.boundscheck >= 0)
        return self->options.boundscheck;
    const char *value = getenv("NUMBA_BOUNDSCHECK");
    struct device *device = py_device_current();
    if (!device) {
        py_error_drop(); // the launch will say so
        return false;
    }
    return (device->target == TARGET_EMULATOR || self->options.source.debug) &&
           (!value || strcmp(value, "0"));
}

static void import_source(struct kernel *self, struct error *err)
{
    if (self->source)
        return;
    self->options.source.boundscheck =
            is_bounds_checked(self) ? BOUNDS_ALL : BOUNDS_UNCHECKED;
    if (py_source_import(&self->source, self->py_func, &self->options.source,
                (PyObject *)self, err) &&
            (!py_foreign_attach((PyObject *)self, self->source, err) ||
                    !kernel_declare((PyObject *)self, self->source, err))) {
        py_source_destroy(self->source);
        self->source = NULL;
    }
    self->is_source_whole = self->source != NULL;
}

struct source *kernel_source(struct kernel *self, struct error *err)
{
    if (!self->is_source_whole) {
        py_compile_enter();
        import_source(self, err);
        py_compile_leave();
    }
    return self->source;
}

// Whether it lives in the host's heap, out of a device's reach. So do arrays within
// values of extension types: what unboxes these knows of no device.
static bool is_host_object(const struct type *type)
{
    if (type->kind == TYPE_EXTENSION)
        return type_is_counted(type);
    for (size_t i = 0; type->kind == TYPE_TUPLE && i < type->tuple.len; i++)
        if (is_host_object(type->tuple.items[i]))
            return true;
    return type_traits_of(type)->role == ROLE_HOST;
}

static bool check_types(struct kernel *self, const struct type *const *types,
        size_t count, struct error *err)
{
    if (count != self->source->param_count)
        return error_set(err, ERROR_TYPE, SPAN_NONE,
                "%s takes %zu arguments, %zu were given", self->source->name,
                self->source->param_count, count);
    for (size_t i = 0; i < count; i++) {
        struct span place = {
                .file = self->source->file, .line = self->source->first_line};
        if (types[i] == type_pyobject)
            return error_set(err, ERROR_TYPING, place,
                    "non-precise type pyobject\nDuring: typing of argument");
        if (is_host_object(types[i]))
            return error_set(err, ERROR_TYPING, place,
                    "CUDA kernels take numbers, arrays, records and tuples of them; "
                    "argument "
                    "'%s' is a %s. Put what it holds into an array: np.array(...)",
                    self->source->params[i].name, types[i]->name);
    }
    return true;
}

static struct compiled *compile_at(struct kernel *self, struct source *source,
        const struct compile_place *place, const struct type *const *types, size_t count,
        struct error *err)
{
    if (!check_types(self, types, count, err))
        return NULL;
    struct ir_function *function =
            source_infer(source, types, count, NULL, place->target, err);
    if (!function)
        return NULL;
    if (function->returns != type_none) {
        error_set(err, ERROR_TYPE, SPAN_NONE, "CUDA kernel must have void return type.");
        return NULL;
    }
    const struct ir_function *counting[COUNTING_COUNT];
    bool counts_itself = self->options.is_observed && place->target == TARGET_GPU;
    if (counts_itself && !compiler_find_counting(counting, err))
        return NULL;
    const struct compile_options options = {
            .kind = COMPILE_KERNEL,
            .target = place->target,
            .compute_major = place->compute_major,
            .compute_minor = place->compute_minor,
            .max_ptx_version = place->max_ptx_version,
            .max_registers = self->options.max_registers,
            .opt_level = self->options.opt_level,
            .debug = self->options.source.debug,
            .lineinfo = self->options.lineinfo,
            .has_line_hooks = self->options.source.debug && !self->options.is_observed,
            .is_observed = self->options.is_observed,
            .counting = counts_itself ? counting : NULL,
            .launch_bounds = {self->options.launch_bounds[0],
                    self->options.launch_bounds[1], self->options.launch_bounds[2]},
            .may_assume_disjoint = place->may_assume_disjoint,
            .may_assume_aligned = place->may_assume_aligned,
            .may_join_blocks = place->may_join_blocks,
            .is_stoppable = place->is_stoppable,
            .wants_ltoir =
                    place->wants_ltoir || (self->options.lto && source->link_count &&
                                                  place->target == TARGET_GPU),
    };
    struct compiled *compiled = compile(source, types, count, NULL, &options, err);
    if (compiled)
        compiled->max_threads = options.launch_bounds[0];
    return compiled;
}

struct compiled *kernel_compile_at(struct kernel *self, struct source *source,
        const struct compile_place *place, const struct type *const *types, size_t count,
        struct error *err)
{
    py_compile_enter();
    struct compiled *compiled = compile_at(self, source, place, types, count, err);
    py_compile_leave();
    return compiled;
}

// SPDX-License-Identifier: MIT
// A kernel's compiled version in the device's context: loaded, and loaded anew after the
// context that held it has ended.
#include "runtime/device/kernels/py_kernel.h"

#include <string.h>

#include "compiler/ir/ir.h"
#include "runtime/device/layout.h"
#include "runtime/device/kernels/py_foreign.h"
#include "runtime/host/dispatch/py_source.h"

enum { JOINED_PATIENCE = 3 }; // wide launches until their blocks are joined

void specialization_destroy(struct specialization *spec)
{
    if (!spec)
        return;
    for (size_t i = 0; i < VERSION_COUNT; i++)
        specialization_destroy(spec->versions[i]);
    if (spec->kernel) {
        if (spec->generation == atomic_load(&spec->device->generation))
            py_device_wait_idle(spec->device);
        specialization_tell_ending(spec);
        spec->device->operations->kernel_unload(spec->device, spec->kernel);
    }
    compiled_destroy(spec->compiled);
    py_source_destroy(spec->source);
    arena_finish(&spec->arena);
    Py_XDECREF(spec->module);
    free(spec);
}

struct specialization *specialization_create(
        struct device *device, const struct type *const *types, size_t count)
{
    struct specialization *spec = memory_zalloc(sizeof *spec);
    spec->device = device;
    spec->params = arena_copy(&spec->arena, types, count * sizeof *types);
    spec->offsets = arena_array(&spec->arena, size_t, count + 1);
    spec->is_written = arena_array(&spec->arena, bool, count + 1);
    spec->param_count = count;
    spec->block_bytes =
            (abi_block_layout(types, count, spec->offsets) + 15) & ~(size_t)15;
    return spec;
}

bool specialization_load(struct specialization *spec, struct error *err)
{
    struct device *device = spec->device;
    py_device_wait_idle(device); // as the driver may
    bool is_done =
            device->operations->kernel_load(device, spec->compiled, &spec->kernel, err);
    if (is_done && spec->carveout >= 0 && device->operations->kernel_prefer_shared)
        is_done = device->operations->kernel_prefer_shared(
                device, spec->kernel, spec->carveout, err);
    if (!is_done)
        return false;
    spec->generation = atomic_load(&device->generation);
    return !spec->compiled->link_count || specialization_tell_loaded(spec, err);
}

struct specialization *specialization_current(struct specialization *spec)
{
    struct device *device = spec->device;
    if (atomic_load_explicit(&device->generation, memory_order_relaxed) ==
            spec->generation)
        return spec;
    struct error err = {0};
    specialization_tell_ending(spec);
    device->operations->kernel_unload(device, spec->kernel);
    spec->kernel = NULL;
    if (specialization_load(spec, &err))
        return spec;
    py_raise(&err);
    return NULL;
}

bool specialization_build(struct kernel *self, struct specialization *spec,
        unsigned version, struct error *err)
{
    struct device *device = spec->device;
    const struct compile_place place = {.target = device->target,
            .compute_major = device->compute_major,
            .compute_minor = device->compute_minor,
            .max_ptx_version = device->max_ptx_version,
            .may_assume_disjoint = !(version & VERSION_OVERLAPPING),
            .may_assume_aligned = !(version & VERSION_UNALIGNED),
            .may_join_blocks = version & VERSION_JOINED,
            .is_stoppable = true};
    struct source *source = kernel_source(self, err);
    if (source && spec->constants.needed) {
        if (!py_source_import(&spec->source, self->py_func, &self->options.source,
                    (PyObject *)self, err) ||
                !py_foreign_attach((PyObject *)self, spec->source, err))
            return false;
        source = spec->source;
        source->launch = &spec->constants;
    }
    if (!source)
        return false;
    spec->carveout = self->options.carveout;
    spec->compiled =
            kernel_compile_at(self, source, &place, spec->params, spec->param_count, err);
    for (size_t i = 0; spec->compiled && i < spec->param_count; i++)
        spec->is_written[i] = ir_param_is_written(spec->compiled->function, i);
    return spec->compiled && specialization_load(spec, err);
}

// --- arguments that share memory -----------------------------------------------------

// The addresses that an array argument covers: [low, high).
struct extent {
    uintptr_t low, high;
};

static struct extent extent_of(const struct type *type, const char *argument)
{
    const struct abi_array *array = (const void *)argument;
    int ndim = type->array.ndim;
    int64_t low, high;
    layout_extent(array->dims, array->dims + ndim, ndim, (int64_t)abi_size(type->element),
            &low, &high);
    return (struct extent){
            (uintptr_t)array->data + (size_t)low, (uintptr_t)array->data + (size_t)high};
}

static bool overlaps_another(
        const struct specialization *spec, const char *block, size_t written)
{
    struct extent mine = extent_of(spec->params[written], block + spec->offsets[written]);
    for (size_t i = 0; i < spec->param_count; i++) {
        if (i == written || spec->params[i]->kind != TYPE_ARRAY)
            continue;
        struct extent other = extent_of(spec->params[i], block + spec->offsets[i]);
        if (mine.low < other.high && other.low < mine.high)
            return true;
    }
    return false;
}

static bool is_overlapping(const struct specialization *spec, const char *block)
{
    for (size_t i = 0; i < spec->param_count; i++)
        if (spec->params[i]->kind == TYPE_ARRAY && spec->is_written[i] &&
                overlaps_another(spec, block, i))
            return true;
    return false;
}

// Whether each array lies as usual where its type does not say so.
static bool is_aligned(const struct specialization *spec, const char *block)
{
    for (size_t i = 0; i < spec->param_count; i++) {
        const struct type *type = spec->params[i];
        size_t alignment = abi_usual_alignment(type);
        if (alignment == 1)
            continue;
        const struct abi_array *array = (const void *)(block + spec->offsets[i]);
        int ndim = type->array.ndim;
        if (!layout_is_aligned(
                    (uintptr_t)array->data, array->dims + ndim, ndim, alignment))
            return false;
    }
    return true;
}

// Few kernels are launched often enough for a second compilation to pay.
static bool is_joined(struct specialization *spec, const struct launch_config *config)
{
    const int32_t *grid = config->grid_dim;
    if (!spec->compiled->can_join || grid[0] < JOINED_LEAST || grid[1] != 1 ||
            grid[2] != 1)
        return false;
    spec->wide_launches += spec->wide_launches < JOINED_PATIENCE;
    return spec->wide_launches == JOINED_PATIENCE;
}

struct specialization *specialization_for(struct kernel *self,
        struct specialization *spec, const char *block,
        const struct launch_config *config)
{
    unsigned version = is_joined(spec, config) ? VERSION_JOINED : 0;
    if (spec->compiled->assumes_disjoint && is_overlapping(spec, block))
        version |= VERSION_OVERLAPPING;
    if (spec->compiled->assumes_aligned && !is_aligned(spec, block))
        version |= VERSION_UNALIGNED;
    if (!version)
        return spec;
    if (spec->versions[version])
        return specialization_current(spec->versions[version]);
    struct error err = {0};
    struct specialization *other =
            specialization_create(spec->device, spec->params, spec->param_count);
    other->constants = spec->constants;
    if (specialization_build(self, other, version, &err))
        return spec->versions[version] = other;
    kernel_raise_failed(self, &err, spec->params, spec->param_count, NULL);
    specialization_destroy(other);
    return NULL;
}

// An array that a kernel captures lies where it lies in this process alone.
bool specialization_can_be_cached(
        const struct kernel *self, const struct specialization *spec)
{
    const struct source *source = spec->source ? spec->source : self->source;
    PyObject *captured = source->captured;
    if (!self->options.is_cached || !captured)
        return true;
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(captured); i++) {
        PyObject *object = py_list_get(captured, i);
        bool is_array = object && py_device_array_check(object);
        Py_XDECREF(object);
        if (!is_array)
            continue;
        PyObject *pickle = PyImport_ImportModule("pickle");
        PyObject *class = pickle ? PyObject_GetAttrString(pickle, "PicklingError") : NULL;
        if (class)
            PyErr_Format(class,
                    "%s uses global device arrays, which lie in this process alone: with "
                    "cache=True pass them as arguments",
                    source->name);
        Py_XDECREF(pickle);
        Py_XDECREF(class);
        return false;
    }
    return true;
}

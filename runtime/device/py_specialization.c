// SPDX-License-Identifier: MIT
// A kernel's compiled version in the device's context: loaded, and loaded anew after the
// context that held it has ended.
#include "runtime/device/py_kernel.h"

bool specialization_load(struct specialization *spec, struct error *err)
{
    struct device *device = spec->device;
    bool is_done =
            device->operations->kernel_load(device, spec->compiled, &spec->kernel, err);
    if (is_done)
        spec->generation = atomic_load(&device->generation);
    return is_done;
}

struct specialization *specialization_current(struct specialization *spec)
{
    struct device *device = spec->device;
    struct error err = {0};
    if (atomic_load_explicit(&device->generation, memory_order_relaxed) ==
            spec->generation)
        return spec;
    device->operations->kernel_unload(device, spec->kernel);
    spec->kernel = NULL;
    if (specialization_load(spec, &err))
        return spec;
    py_raise(&err);
    return NULL;
}

// SPDX-License-Identifier: MIT
// The constants of a launch that a kernel is compiled for, where the shape of a shared or
// local array depends on them.
#include <string.h>

#include "runtime/device/kernels/py_kernel.h"

static bool fill_param(struct kernel *self, PyObject *const *args, size_t count, int i,
        struct launch_constants *constants)
{
    PyObject *index = args && (size_t)i < count ? PyNumber_Index(args[i]) : NULL;
    if (!index) {
        if (!PyErr_Occurred())
            PyErr_Format(PyExc_TypeError,
                    "%U takes the shape of an array from its parameter %d, which is "
                    "missing",
                    ((PyFunctionObject *)self->py_func)->func_name, i + 1);
        return false;
    }
    constants->values[i] = PyLong_AsLongLong(index);
    Py_DECREF(index);
    return constants->values[i] != -1 || !PyErr_Occurred();
}

bool kernel_launch_constants(struct kernel *self, PyObject *const *args, size_t count,
        const struct launch_config *config, struct launch_constants *constants)
{
    *constants = (struct launch_constants){0};
    if (!config)
        return true;
    constants->needed = self->launch_needed;
    for (int i = 0; i < LAUNCH_PARAMS; i++)
        if (self->launch_needed >> i & 1 && !fill_param(self, args, count, i, constants))
            return false;
    for (int axis = 0; axis < 3; axis++) {
        if (self->launch_needed >> (LAUNCH_BLOCK_DIM + axis) & 1)
            constants->values[LAUNCH_BLOCK_DIM + axis] = config->block_dim[axis];
        if (self->launch_needed >> (LAUNCH_GRID_DIM + axis) & 1)
            constants->values[LAUNCH_GRID_DIM + axis] = config->grid_dim[axis];
    }
    return true;
}

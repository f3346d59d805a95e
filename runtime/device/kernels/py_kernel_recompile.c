// SPDX-License-Identifier: MIT
// kernel.recompile(): every version anew, from the function and its globals as they are.
#include "runtime/device/kernels/py_kernel.h"

#include "runtime/host/dispatch/py_source.h"

// Sets all that was compiled aside. What constants of a launch have to do with is found
// out anew.
static void set_aside(struct kernel *self)
{
    vec_move(&self->old_specializations, &self->specializations);
    if (self->source)
        vec_push(&self->old_sources, self->source);
    self->source = NULL;
    self->is_source_whole = false;
    self->last = NULL;
    self->last_types.len = 0;
    self->launch_needed = 0;
}

// Versions for certain constants are left to the next launch with these constants.
PyObject *kernel_recompile(PyObject *object, PyObject *unused)
{
    struct kernel *self = (struct kernel *)object;
    py_compile_enter();
    size_t first = self->old_specializations.len;
    set_aside(self);
    size_t end = self->old_specializations.len;
    bool is_done = true;
    for (size_t i = first; is_done && i < end; i++) {
        struct specialization *old = self->old_specializations.items[i];
        is_done = old->constants.needed || kernel_compile(self, old->device, old->params,
                                                   old->param_count, NULL, NULL);
    }
    py_compile_leave();
    return is_done ? Py_NewRef(Py_None) : NULL;
}

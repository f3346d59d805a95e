// SPDX-License-Identifier: MIT
// A generator of compiled code as a Python iterator.
#include "base/py.h"

#include <stddef.h>

#include "compiler/support/support.h"
#include "runtime/threads/fault.h"
#include "runtime/host/values/py_values.h"
#include "runtime/host/state/py_error.h"

struct generator {
    PyObject ob_base;
    struct abi_generator *object;
    const struct type *type;
    const struct compiled *compiled; // whose code it is
    PyObject *kept;                  // what the code and its arguments live in
};

PyObject *py_generator_new(const struct type *type, struct abi_generator *object)
{
    PyTypeObject *class = py_runtime()->generator_type;
    struct generator *self = (struct generator *)class->tp_alloc(class, 0);
    if (!self) {
        gridcell_memory_release(&object->memory);
        return NULL;
    }
    self->object = object;
    self->type = type;
    return (PyObject *)self;
}

void py_generator_attach(PyObject *value, const struct compiled *compiled, PyObject *kept)
{
    if (Py_IS_TYPE(value, py_runtime()->generator_type)) {
        struct generator *self = (struct generator *)value;
        self->compiled = compiled;
        Py_XSETREF(self->kept, Py_NewRef(kept));
    }
    for (Py_ssize_t i = 0; PyTuple_CheckExact(value) && i < PyTuple_GET_SIZE(value); i++)
        py_generator_attach(PyTuple_GET_ITEM(value, i), compiled, kept);
}

static int32_t ask(void *result, const void *args)
{
    struct abi_generator *const *object = args;
    return gridcell_generator_next(*object);
}

static PyObject *generator_next(PyObject *self_object)
{
    struct generator *self = (struct generator *)self_object;
    if (self->object->is_running)
        return PyErr_Format(PyExc_ValueError, "generator already executing");
    if (!self->compiled || !py_interrupt_arm())
        return NULL;
    int32_t status = fault_call(ask, NULL, &self->object);
    if (status == GENERATOR_ENDED)
        return NULL;
    if (status != GENERATOR_YIELDED)
        return py_raise_status(status, self->compiled);
    self->object->is_value_taken = 1;
    PyObject *value = py_box(self->type->element, self->object->value);
    if (value) // it may be a generator, of the same code
        py_generator_attach(value, self->compiled, self->kept);
    return value;
}

static PyObject *generator_close(PyObject *self_object, PyObject *none)
{
    struct abi_generator *object = ((struct generator *)self_object)->object;
    if (object->is_running)
        return PyErr_Format(PyExc_ValueError, "generator already executing");
    object->is_done = 1;
    Py_RETURN_NONE;
}

static PyMethodDef generator_methods[] = {
        {"close", generator_close, METH_NOARGS, "Nothing more is yielded."},
        {NULL, NULL, 0, NULL},
};

static int generator_traverse(PyObject *object, visitproc visit, void *arg)
{
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(((struct generator *)object)->kept);
    return 0;
}

static int generator_clear(PyObject *object)
{
    struct generator *self = (struct generator *)object;
    if (self->object)
        gridcell_memory_release(&self->object->memory);
    self->object = NULL;
    Py_CLEAR(self->kept);
    return 0;
}

static PyType_Slot generator_slots[] = {
        {Py_tp_doc, "An iterator over what a compiled generator yields."},
        {Py_tp_dealloc, py_dealloc_clear},
        {Py_tp_traverse, generator_traverse},
        {Py_tp_clear, generator_clear},
        {Py_tp_iter, PyObject_SelfIter},
        {Py_tp_iternext, generator_next},
        {Py_tp_methods, generator_methods},
        {0, NULL},
};

bool py_generator_init(struct runtime *runtime)
{
    runtime->generator_type = py_add_type("numba.generator", sizeof(struct generator),
            Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION, generator_slots);
    return runtime->generator_type != NULL;
}

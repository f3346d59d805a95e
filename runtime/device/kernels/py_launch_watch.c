// SPDX-License-Identifier: MIT
// While a magic looks, each launch of a user's kernel is a call of Python, also by a
// configuration that was made before: it has the entry of all configurations exchanged.
// So a launch that nobody looks at does not even ask.
#include "runtime/device/kernels/py_kernel.h"

// Under the GIL.
static struct launch *all_launches;

// observer(configuration, arguments, arguments by name) -> ignored
static PyObject *watched_vectorcall(
        PyObject *object, PyObject *const *args, size_t flagged_count, PyObject *keywords)
{
    struct kernel *kernel = ((struct launch *)object)->kernel;
    PyObject *observer = py_device_types()->launch_observer;
    if (!observer || kernel->is_quiet || kernel->options.is_observed)
        return launch_vectorcall(object, args, flagged_count, keywords);
    size_t count = (size_t)PyVectorcall_NARGS(flagged_count);
    PyObject *positional = PyTuple_New((Py_ssize_t)count), *named = PyDict_New();
    for (size_t i = 0; positional && i < count; i++)
        PyTuple_SET_ITEM(positional, (Py_ssize_t)i, Py_NewRef(args[i]));
    bool done = positional && named;
    for (Py_ssize_t i = 0; done && keywords && i < PyTuple_GET_SIZE(keywords); i++)
        done = !PyDict_SetItem(
                named, PyTuple_GET_ITEM(keywords, i), args[count + (size_t)i]);
    Py_INCREF(observer);
    PyObject *ignored =
            done ? PyObject_CallFunctionObjArgs(observer, object, positional, named, NULL)
                 : NULL;
    done = ignored != NULL;
    py_drop(ignored, observer, named, positional);
    if (!done)
        return NULL;
    Py_RETURN_NONE;
}

static vectorcallfunc entry(void)
{
    return py_device_types()->launch_observer ? watched_vectorcall : launch_vectorcall;
}

void launch_enlist(struct launch *self)
{
    self->vectorcall = entry();
    self->next = all_launches;
    self->place = &all_launches;
    if (self->next)
        self->next->place = &self->next;
    all_launches = self;
}

void launch_delist(struct launch *self)
{
    if (!self->place)
        return;
    *self->place = self->next;
    if (self->next)
        self->next->place = self->place;
}

// launches_watch(observer or None): the one before.
static PyObject *watch(PyObject *module, PyObject *value)
{
    PyObject **observer = &py_device_types()->launch_observer, *before = *observer;
    *observer = value == Py_None ? NULL : Py_NewRef(value);
    for (struct launch *launch = all_launches; launch; launch = launch->next)
        launch->vectorcall = entry();
    return before ? before : Py_NewRef(Py_None);
}

PyMethodDef py_launch_functions[] = {
        {"launches_watch", watch, METH_O,
                "Has launches of users' kernels be calls of a function; None: no more. "
                "Gives the function before."},
        {0},
};

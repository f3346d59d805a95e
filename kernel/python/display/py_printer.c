// SPDX-License-Identifier: MIT
// The object that `_repr_pretty_(p, cycle)` methods draw on.
#include "kernel/python/display/py_printer.h"

#include "kernel/python/display/py_display.h"
#include "kernel/python/state/py_text.h"

struct printer *printer_create(int width)
{
    PyTypeObject *type = (PyTypeObject *)shell_get()->printer_type;
    struct printer *printer = (struct printer *)type->tp_alloc(type, 0);
    if (!printer)
        return NULL;
    layout_init(&printer->layout, width);
    printer->max_items = shell_get()->switches[SWITCH_MAX_ITEMS];
    printer->active = PyList_New(0);
    if (!printer->active)
        Py_CLEAR(printer);
    return printer;
}

static void printer_dealloc(PyObject *self)
{
    struct printer *printer = (struct printer *)self;
    layout_finish(&printer->layout);
    Py_XDECREF(printer->active);
    py_dealloc_end(self);
}

static PyObject *printer_text(PyObject *self, PyObject *text)
{
    PyObject *string = PyObject_Str(text);
    int status = string ? printer_put_text((struct printer *)self, string) : -1;
    Py_XDECREF(string);
    return status < 0 ? NULL : Py_NewRef(Py_None);
}

static PyObject *printer_breakable(PyObject *self, PyObject *args)
{
    const char *separator = " ";
    if (!PyArg_ParseTuple(args, "|s", &separator))
        return NULL;
    layout_breakable(&((struct printer *)self)->layout, separator);
    Py_RETURN_NONE;
}

static PyObject *printer_break(PyObject *self, PyObject *args)
{
    layout_break(&((struct printer *)self)->layout);
    Py_RETURN_NONE;
}

static PyObject *printer_pretty(PyObject *self, PyObject *object)
{
    return printer_print((struct printer *)self, object) < 0 ? NULL : Py_NewRef(Py_None);
}

static PyObject *printer_begin(PyObject *self, PyObject *args)
{
    int indent = 0;
    PyObject *open = NULL;
    if (!PyArg_ParseTuple(args, "|iU", &indent, &open))
        return NULL;
    if (open && printer_put_text((struct printer *)self, open) < 0)
        return NULL;
    layout_begin(&((struct printer *)self)->layout, indent);
    Py_RETURN_NONE;
}

static PyObject *printer_end(PyObject *self, PyObject *args)
{
    int indent = 0;
    PyObject *close = NULL;
    if (!PyArg_ParseTuple(args, "|iU", &indent, &close))
        return NULL;
    layout_end(&((struct printer *)self)->layout, indent);
    if (close && printer_put_text((struct printer *)self, close) < 0)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *printer_flush(PyObject *self, PyObject *args)
{
    layout_flush(&((struct printer *)self)->layout);
    Py_RETURN_NONE;
}

static PyObject *printer_shift(PyObject *self, PyObject *amount)
{
    long indent = PyLong_AsLong(amount);
    if (indent == -1 && PyErr_Occurred())
        return NULL;
    ((struct printer *)self)->layout.indent += (int)indent;
    Py_RETURN_NONE;
}

// `with p.group(4, "A(", ")"):` and `with p.indent(4):` are context managers: Python by
// nature.
static PyObject *printer_group(PyObject *self, PyObject *args)
{
    PyObject *class = py_import_attr("gridcell.ipython.pretty", "PrinterGroup");
    PyObject *all = class ? PyTuple_Pack(2, self, args) : NULL;
    PyObject *group = all ? PyObject_CallObject(class, all) : NULL;
    Py_XDECREF(all);
    Py_XDECREF(class);
    return group;
}

static PyObject *printer_indent(PyObject *self, PyObject *amount)
{
    return py_call_module(
            "gridcell.ipython.pretty", "PrinterIndent", "(OO)", self, amount);
}

static PyObject *printer_max_width(PyObject *self, void *closure)
{
    return PyLong_FromLong(((struct printer *)self)->layout.max_width);
}

static PyObject *printer_verbose(PyObject *self, void *closure)
{
    return PyBool_FromLong(((struct printer *)self)->is_verbose);
}

static PyObject *printer_max_items(PyObject *self, void *closure)
{
    return PyLong_FromLong(((struct printer *)self)->max_items);
}

static PyMethodDef printer_methods[] = {
        {"text", printer_text, METH_O, "Adds literal text."},
        {"breakable", printer_breakable, METH_VARARGS,
                "Adds a separator that may become a line's end."},
        {"break_", printer_break, METH_NOARGS, "Ends the line."},
        {"pretty", printer_pretty, METH_O, "Prints an object."},
        {"begin_group", printer_begin, METH_VARARGS, "Opens a group of breakables."},
        {"end_group", printer_end, METH_VARARGS, "Closes a group."},
        {"group", printer_group, METH_VARARGS, "A group as a context manager."},
        {"indent", printer_indent, METH_O, "Indentation as a context manager."},
        {"_shift", printer_shift, METH_O, "Changes the indentation."},
        {"flush", printer_flush, METH_NOARGS, NULL},
        {NULL, NULL, 0, NULL},
};

static PyGetSetDef printer_properties[] = {
        PY_GETTER("max_width", printer_max_width),
        PY_GETTER("verbose", printer_verbose),
        PY_GETTER("max_seq_length", printer_max_items),
        {0},
};

bool pretty_init(void)
{
    PyType_Slot slots[] = {{Py_tp_methods, printer_methods},
            {Py_tp_getset, printer_properties}, {Py_tp_dealloc, (void *)printer_dealloc},
            {0, NULL}};
    PyType_Spec spec = {"IPython.lib.pretty.RepresentationPrinter",
            sizeof(struct printer), 0,
            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    shell_get()->printer_type = PyType_FromSpec(&spec);
    return shell_get()->printer_type != NULL;
}

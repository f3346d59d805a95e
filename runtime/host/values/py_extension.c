// SPDX-License-Identifier: MIT
// Types that a program adds (numba.extending): the object that stands for each, and which
// values have it.
//
// Python keeps what the program says of them: numba/core/extension/registry.py finds the
// first of equal types, and of what its values consist.
#include "runtime/host/values/py_extension.h"

#include "runtime/host/values/py_values.h"

#define REGISTRY "numba.core.extension.registry"

// --- Types

// The type of an object of a class that the program derived from Type: that of the first
// equal one. NULL, without an exception, while the object is still being made.
const struct type *py_extension_type(PyObject *object)
{
    PyObject *find = py_import_attr(REGISTRY, "first_equal");
    PyObject *first = find ? PyObject_CallOneArg(find, object) : NULL;
    Py_XDECREF(find);
    if (first)
        ((struct py_type *)object)->type = ((struct py_type *)first)->type;
    else
        py_error_drop();
    Py_XDECREF(first);
    return ((struct py_type *)object)->type;
}

// extension_make(object): its type, of which it is the object for ever
static PyObject *module_make(PyObject *module, PyObject *args)
{
    PyObject *object;
    const char *name;
    if (!PyArg_ParseTuple(args, "O!s", py_runtime()->type_type, &object, &name))
        return NULL;
    const struct type *type = type_extension(name, object);
    ((struct py_type *)object)->type = type;
    py_type_set_object(type, object);
    Py_RETURN_NONE;
}

static bool read_names(PyObject *names, size_t count, const char **texts)
{
    for (size_t i = 0; i < count; i++) {
        texts[i] = PyUnicode_AsUTF8(PyTuple_GET_ITEM(names, (Py_ssize_t)i));
        if (!texts[i])
            return false;
    }
    return true;
}

// extension_place(object, types, names, is_array): of what its values consist
static PyObject *module_place(PyObject *module, PyObject *args)
{
    PyObject *object, *sequence, *names;
    int is_array;
    if (!PyArg_ParseTuple(args, "O!OO!p", py_runtime()->type_type, &object, &sequence,
                &PyTuple_Type, &names, &is_array))
        return NULL;
    const struct type *type = py_type_get(object), **items = NULL;
    size_t count = 0;
    if (!type || type->kind != TYPE_EXTENSION || type->tuple.names)
        return PyErr_Format(PyExc_TypeError, "%R has its members already", object);
    if (!py_types_from_sequence(sequence, &items, &count))
        return NULL;
    const char **texts = PyMem_Calloc(count + 1, sizeof *texts);
    bool done = texts && (size_t)PyTuple_GET_SIZE(names) == count &&
                read_names(names, count, texts);
    if (done)
        type_extension_place(type, items, texts, count, is_array);
    else if (!PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError, "a name is wanted for each member");
    PyMem_Free(texts);
    PyMem_Free(items);
    if (!done)
        return NULL;
    Py_RETURN_NONE;
}

// --- What has which type

// typeof_hook(function of a value that gives its type, or NotImplemented)
static PyObject *module_hook(PyObject *module, PyObject *hook)
{
    Py_XSETREF(py_runtime()->typeof_hook, Py_NewRef(hook));
    Py_RETURN_NONE;
}

const struct type *py_typeof_registered(PyObject *value)
{
    PyObject *hook = py_runtime()->typeof_hook;
    PyObject *found = hook ? PyObject_CallOneArg(hook, value) : NULL;
    const struct type *type = NULL;
    if (found && found != Py_NotImplemented)
        type = py_type_get(found);
    if (!found && hook) // why_no_type tells it
        type = type_pyobject;
    py_error_drop();
    Py_XDECREF(found);
    return type;
}

static bool has_polynomials(void)
{
    PyObject *module = NULL;
    int found = py_dict_get_text(
            PyImport_GetModuleDict(), "numpy.polynomial.polynomial", &module);
    if (found < 0)
        py_error_drop();
    Py_XDECREF(module);
    return found > 0;
}

// Not before somebody asks for what is not known: finding the packages takes longer than
// most compilations. An exception of theirs is a warning. Once more when a program has
// loaded NumPy's polynomials, for which there is an extension of our own.
bool py_extensions_load(void)
{
    static bool is_done, is_whole; // guarded by the GIL
    if (is_whole || (is_done && !has_polynomials()))
        return false;
    is_done = true;
    is_whole = has_polynomials();
    PyObject *init = py_import_attr("numba.core.entrypoints", "init_all");
    PyObject *found = init ? PyObject_CallNoArgs(init) : NULL;
    bool is_loaded = found == Py_True;
    py_error_drop();
    Py_XDECREF(init);
    Py_XDECREF(found);
    return is_loaded;
}

PyObject *py_extension_failure(PyObject *value)
{
    if (!py_runtime()->typeof_hook)
        return NULL;
    PyObject *tell = py_import_attr(REGISTRY, "why_no_type");
    PyObject *text = tell ? PyObject_CallOneArg(tell, value) : NULL;
    Py_XDECREF(tell);
    py_error_drop();
    if (text && !PyUnicode_Check(text))
        Py_CLEAR(text);
    return text;
}

PyMethodDef py_extension_functions[] = {
        {"extension_make", module_make, METH_VARARGS,
                "Has an object stand for a type that the program adds."},
        {"extension_place", module_place, METH_VARARGS,
                "Says of what values of such a type consist."},
        {"typeof_hook", module_hook, METH_O,
                "Has typeof ask a function about values that it does not know."},
        {0},
};

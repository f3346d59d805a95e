// SPDX-License-Identifier: MIT
// What inspection reads of a kernel: texts, types and resources of its compiled versions.
#include <string.h>

#include "runtime/device/kernels/py_kernel.h"

// The argument types of each version, oldest first, as tuples of numba types.
PyObject *kernel_argument_types(PyObject *object, PyObject *unused)
{
    PyObject *list = PyList_New(0);
    vec_each (spec, &((struct kernel *)object)->specializations) {
        PyObject *types =
                list ? py_type_tuple((*spec)->params, (*spec)->param_count) : NULL;
        if (!types || PyList_Append(list, types))
            Py_CLEAR(list);
        Py_XDECREF(types);
    }
    return list;
}

// The argument types of the version that the last launch took, or None.
PyObject *kernel_last_types(PyObject *object, PyObject *unused)
{
    struct kernel *self = (struct kernel *)object;
    if (!self->last)
        Py_RETURN_NONE;
    return py_type_tuple(self->last->params, self->last->param_count);
}

static PyObject *types_text(const struct compiled *compiled, PyObject *lines)
{
    Py_ssize_t count = PySequence_Size(lines);
    if (count < 0)
        return NULL;
    const char **texts = PyMem_Calloc((size_t)count + 1, sizeof *texts);
    PyObject *items = PySequence_Tuple(lines), *result = NULL;
    for (Py_ssize_t i = 0; texts && items && i < count; i++)
        texts[i] = PyUnicode_AsUTF8(PyTuple_GET_ITEM(items, i));
    struct str out = {0};
    struct error err = {0};
    if (texts && items && !PyErr_Occurred()) {
        if (compiled_types(compiled, texts, (size_t)count, &out, &err))
            result = PyUnicode_FromString(str_text(&out));
        else
            py_raise(&err);
    }
    str_finish(&out);
    Py_XDECREF(items);
    PyMem_Free(texts);
    return result;
}

struct specialization *kernel_version_at(PyObject *object, Py_ssize_t index)
{
    struct kernel *self = (struct kernel *)object;
    if (index >= 0 && (size_t)index < self->specializations.len)
        return self->specializations.items[index];
    PyErr_SetString(PyExc_IndexError, "no such version of the kernel");
    return NULL;
}

// inspect(index, what, lines): "llvm", "asm", "types" or "name" of one version as text,
// of the code that its device runs; "cooperative": whether its blocks wait for each
// other.
PyObject *kernel_inspect(PyObject *object, PyObject *args)
{
    Py_ssize_t index;
    const char *what;
    PyObject *lines = NULL;
    if (!PyArg_ParseTuple(args, "ns|O", &index, &what, &lines))
        return NULL;
    struct specialization *spec = kernel_version_at(object, index);
    if (!spec)
        return NULL;
    struct compiled *compiled = spec->compiled;
    struct error err = {0};
    if (!strcmp(what, "llvm"))
        return PyUnicode_FromString(compiled->llvm_ir ? compiled->llvm_ir : "");
    if (!strcmp(what, "cooperative"))
        return PyBool_FromLong(compiled->is_cooperative);
    if (!strcmp(what, "types") && lines)
        return types_text(compiled, lines);
    if (!strcmp(what, "name"))
        return PyUnicode_FromString(
                compiled->ptx_entry ? compiled->ptx_entry
                                    : ((struct kernel *)object)->source->qualname);
    const char *text = compiled->ptx ? compiled->ptx : compiled_asm(compiled, &err);
    return text ? PyUnicode_FromString(text) : py_raise(&err);
}

// attribute(index, code): CU_FUNC_ATTRIBUTE_* of one version.
PyObject *kernel_attribute_of(PyObject *object, PyObject *args)
{
    Py_ssize_t index;
    int code, value;
    struct error err = {0};
    if (!PyArg_ParseTuple(args, "ni", &index, &code))
        return NULL;
    struct specialization *spec = kernel_version_at(object, index);
    if (!spec || !specialization_current(spec))
        return NULL;
    return spec->device->operations->kernel_attribute(
                   spec->device, spec->kernel, (enum kernel_attribute)code, &value, &err)
                   ? PyLong_FromLong(value)
                   : py_raise(&err);
}

// blocks_at_once(index, threads, dynamic_shared_bytes): on one multiprocessor.
PyObject *kernel_blocks_of(PyObject *object, PyObject *args)
{
    Py_ssize_t index, bytes;
    int threads, blocks;
    struct error err = {0};
    if (!PyArg_ParseTuple(args, "nin", &index, &threads, &bytes))
        return NULL;
    struct specialization *spec = kernel_version_at(object, index);
    if (!spec || !specialization_current(spec))
        return NULL;
    return spec->device->operations->kernel_blocks_at_once(
                   spec->device, spec->kernel, threads, (size_t)bytes, &blocks, &err)
                   ? PyLong_FromLong(blocks)
                   : py_raise(&err);
}

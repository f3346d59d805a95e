// SPDX-License-Identifier: MIT
// Foreign code between Python and the compiler: what kernels are linked with, the
// functions of it that the emulated device calls, and NVIDIA's tools as functions.
#include "runtime/device/kernels/py_foreign.h"

#include <string.h>

#include "runtime/cuda/toolkit.h"

static PyObject *code_tuple(const struct foreign_code *code)
{
    return Py_BuildValue(
            "(isy#)", (int)code->kind, code->name, code->data, (Py_ssize_t)code->len);
}

static bool take_code(PyObject *item, struct arena *arena, struct foreign_code *code)
{
    int kind;
    const char *name;
    Py_buffer data;
    PyObject *holder = Py_None; // what the list came from keeps it
    if (!PyArg_ParseTuple(item, "isy*|O", &kind, &name, &data, &holder))
        return false;
    code->holder = holder == Py_None ? NULL : holder;
    code->kind = (enum foreign_kind)kind;
    code->name = arena_strdup(arena, name);
    code->data = arena_strndup(arena, data.buf, (size_t)data.len);
    code->len = (size_t)data.len;
    PyBuffer_Release(&data);
    return true;
}

// The items of a list of (kind, name, bytes), their texts in the arena; NULL with an
// exception set.
static struct foreign_code *take_codes(PyObject *list, struct arena *arena, size_t *count)
{
    PyObject *items = PySequence_Tuple(list);
    if (!items)
        return NULL;
    Py_ssize_t len = PyTuple_GET_SIZE(items);
    struct foreign_code *codes = arena_array(arena, struct foreign_code, (size_t)len + 1);
    for (Py_ssize_t i = 0; codes && i < len; i++)
        if (!take_code(PyTuple_GET_ITEM(items, i), arena, &codes[i]))
            codes = NULL;
    *count = (size_t)len;
    Py_DECREF(items);
    return codes;
}

bool py_foreign_attach(PyObject *owner, struct source *source, struct error *err)
{
    int failed = 0;
    PyObject *list = py_attr_or_null(owner, "_links", &failed);
    if (list && list != Py_None) {
        source->links = take_codes(list, &source->arena, &source->link_count);
        failed = !source->links;
    }
    Py_XDECREF(list);
    return !failed || error_from_python(err);
}

// --- The emulated device

PyObject *py_foreign_list(const struct foreign_code *const *codes, size_t count)
{
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *item = code_tuple(codes[i]);
        if (!item || PyList_Append(list, item))
            Py_CLEAR(list);
        Py_XDECREF(item);
    }
    return list;
}

// Asks gridcell.cuda.foreign, which compiles CUDA C for the host.
void *py_foreign_address(const struct foreign_code *const *codes, size_t count,
        const char *function, struct error *err)
{
    PyGILState_STATE state = PyGILState_Ensure();
    PyObject *list = py_foreign_list(codes, count);
    PyObject *find =
            list ? py_import_attr("gridcell.cuda.foreign", "host_address") : NULL;
    PyObject *number = find ? PyObject_CallFunction(find, "Os", list, function) : NULL;
    void *address = number ? PyLong_AsVoidPtr(number) : NULL;
    if (!address)
        error_from_python(err);
    py_drop(number, find, list);
    PyGILState_Release(state);
    return address;
}

// --- NVIDIA's tools

// nvrtc(source, name, cc, lto): (kind, bytes)
static PyObject *compile_cuda_c(PyObject *module, PyObject *args)
{
    struct foreign_code code = {.kind = FOREIGN_CUDA_C};
    struct link_target target = {0};
    int lto;
    if (!PyArg_ParseTuple(args, "ssip", &code.data, &code.name, &target.cc, &lto))
        return NULL;
    code.len = strlen(code.data);
    target.optimises = lto;
    enum foreign_kind kind = FOREIGN_PTX;
    struct str out = {0};
    struct error err = {0};
    bool is_done;
    Py_BEGIN_ALLOW_THREADS is_done = nvrtc_compile(&code, &target, &kind, &out, &err);
    Py_END_ALLOW_THREADS PyObject *result =
            is_done ? Py_BuildValue(
                              "(iy#)", (int)kind, str_text(&out), (Py_ssize_t)out.len)
                    : py_raise(&err);
    str_finish(&out);
    return result;
}

// link(code, kind, links, cc, lto, as_ptx): the code and the links as one cubin, or PTX
static PyObject *link_codes(PyObject *module, PyObject *args)
{
    struct foreign_code first = {.name = "kernel"};
    struct link_target target = {0};
    PyObject *list;
    Py_ssize_t len;
    int kind, lto, as_ptx;
    if (!PyArg_ParseTuple(args, "y#iOipp", &first.data, &len, &kind, &list, &target.cc,
                &lto, &as_ptx))
        return NULL;
    first.len = (size_t)len;
    first.kind = (enum foreign_kind)kind;
    target.optimises = lto;
    struct arena arena = {0};
    size_t count = 0;
    struct foreign_code *codes = take_codes(list, &arena, &count);
    PyObject *result = NULL;
    if (codes) {
        const struct foreign_code **links =
                arena_array(&arena, const struct foreign_code *, count + 1);
        for (size_t i = 0; i < count; i++)
            links[i] = &codes[i];
        struct str out = {0};
        struct error err = {0};
        bool is_done;
        Py_BEGIN_ALLOW_THREADS is_done =
                foreign_link(&first, links, count, &target, as_ptx, &out, &err);
        Py_END_ALLOW_THREADS result =
                is_done ? PyBytes_FromStringAndSize(str_text(&out), (Py_ssize_t)out.len)
                        : py_raise(&err);
        str_finish(&out);
    }
    arena_finish(&arena);
    return result;
}

PyMethodDef py_foreign_functions[] = {
        {"cuda_nvrtc", compile_cuda_c, METH_VARARGS, "CUDA C as PTX or LTO-IR."},
        {"cuda_link", link_codes, METH_VARARGS, "Device code linked to a cubin or PTX."},
        {0},
};

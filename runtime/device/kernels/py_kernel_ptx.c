// SPDX-License-Identifier: MIT
// Kernels and device functions as PTX or LTO-IR, for a GPU that need not be there.
#include "runtime/device/kernels/py_kernel.h"

#include "runtime/cuda/toolkit.h"
#include "runtime/host/dispatch/py_source.h"
#include "runtime/host/state/py_error.h"

// PTX as str; LTO-IR, where it was asked for, as bytes.
static PyObject *code_of(const struct compiled *compiled)
{
    if (compiled->ltoir)
        return PyBytes_FromStringAndSize(
                compiled->ltoir, (Py_ssize_t)compiled->ltoir_len);
    return PyUnicode_FromString(compiled->ptx);
}

// ptx(argtypes, major, minor, as_ltoir=False): the kernel for a GPU of that compute
// capability.
PyObject *kernel_ptx(PyObject *object, PyObject *args)
{
    struct kernel *self = (struct kernel *)object;
    PyObject *sequence, *code = NULL;
    struct compile_place place = {.target = TARGET_GPU};
    const struct type **types = NULL;
    size_t count = 0;
    int as_ltoir = 0;
    if (!PyArg_ParseTuple(args, "Oii|p", &sequence, &place.compute_major,
                &place.compute_minor, &as_ltoir) ||
            !py_types_from_sequence(sequence, &types, &count))
        return NULL;
    place.wants_ltoir = as_ltoir;
    struct error err = {0};
    struct source *source = kernel_source(self, &err);
    struct compiled *compiled =
            source ? kernel_compile_at(self, source, &place, types, count, &err) : NULL;
    if (compiled)
        code = as_ltoir ? code_of(compiled) : PyUnicode_FromString(compiled->ptx);
    else
        kernel_raise_failed(self, &err, types, count, NULL);
    compiled_destroy(compiled);
    PyMem_Free(types);
    return code;
}

// What is made of one version's code for a GPU.
typedef PyObject *make_texts(struct compiled *compiled, struct error *err);

// Of the code that the version's own device was given, or that another GPU of that
// compute capability would be.
static PyObject *of_gpu_code(PyObject *object, PyObject *args, make_texts *make)
{
    struct kernel *self = (struct kernel *)object;
    struct compile_place place = {.target = TARGET_GPU,
            .may_assume_disjoint = true,
            .may_assume_aligned = true,
            .is_stoppable = true};
    Py_ssize_t index;
    if (!PyArg_ParseTuple(
                args, "nii", &index, &place.compute_major, &place.compute_minor))
        return NULL;
    struct specialization *spec = kernel_version_at(object, index);
    if (!spec)
        return NULL;
    const struct device *device = spec->device;
    struct error err = {0};
    if (device->target == TARGET_GPU && device->compute_major == place.compute_major &&
            device->compute_minor == place.compute_minor)
        return make(spec->compiled, &err);
    struct source *source = spec->source ? spec->source : kernel_source(self, &err);
    struct compiled *compiled = NULL;
    PyObject *texts = NULL;
    if (source)
        compiled = kernel_compile_at(
                self, source, &place, spec->params, spec->param_count, &err);
    if (compiled)
        texts = make(compiled, &err);
    else
        kernel_raise_failed(self, &err, spec->params, spec->param_count, NULL);
    compiled_destroy(compiled);
    return texts;
}

static PyObject *ptx_and_llvm(struct compiled *compiled, struct error *err)
{
    (void)err;
    return Py_BuildValue("ss", compiled->ptx, compiled->llvm_ir);
}

static PyObject *dot_and_svg(struct compiled *compiled, struct error *err)
{
    struct str dot = {0}, svg = {0};
    PyObject *texts = NULL;
    if (compiled_cfg_dot(compiled, &dot, err) && compiled_cfg_svg(compiled, &svg, err))
        texts = Py_BuildValue("ss", str_text(&dot), str_text(&svg));
    else
        py_raise(err);
    str_finish(&dot);
    str_finish(&svg);
    return texts;
}

// gpu_code(index, major, minor): (PTX, LLVM IR)
PyObject *kernel_gpu_code(PyObject *object, PyObject *args)
{
    return of_gpu_code(object, args, ptx_and_llvm);
}

// gpu_graph(index, major, minor): the control-flow graph of the LLVM IR as (DOT, SVG)
PyObject *kernel_gpu_graph(PyObject *object, PyObject *args)
{
    return of_gpu_code(object, args, dot_and_svg);
}

// device_ptx(argtypes, returns or None, major, minor, symbol, has_numba_abi, as_ltoir):
// (code, return type, LLVM IR)
PyObject *kernel_device_ptx(PyObject *object, PyObject *args)
{
    struct kernel *self = (struct kernel *)object;
    PyObject *sequence, *returns, *answer = NULL;
    struct compile_options options = {.kind = COMPILE_FUNCTION, .target = TARGET_GPU};
    const struct type **types = NULL;
    size_t count = 0;
    int has_numba_abi, as_ltoir;
    if (!PyArg_ParseTuple(args, "OOiispp", &sequence, &returns, &options.compute_major,
                &options.compute_minor, &options.symbol, &has_numba_abi, &as_ltoir) ||
            !py_types_from_sequence(sequence, &types, &count))
        return NULL;
    options.debug = self->options.source.debug;
    options.lineinfo = self->options.lineinfo;
    options.opt_level = self->options.opt_level;
    options.has_numba_abi = has_numba_abi;
    options.wants_ltoir = as_ltoir;
    const struct type *declared = returns == Py_None ? NULL : py_type_from(returns);
    struct error err = {0};
    struct source *source = PyErr_Occurred() ? NULL : kernel_source(self, &err);
    struct compiled *compiled =
            source ? py_compile(source, types, count, declared, &options, &err) : NULL;
    if (compiled)
        answer = Py_BuildValue("(NNs)", code_of(compiled),
                py_type_wrap(compiled->function->returns), compiled->llvm_ir);
    else if (!PyErr_Occurred())
        py_raise_compile(&err, "cuda", source ? source->qualname : NULL, NULL);
    compiled_destroy(compiled);
    PyMem_Free(types);
    return answer;
}

// Links what was compiled with the foreign code that it calls.
static bool link_to_ptx(const struct compiled *compiled,
        const struct compile_place *place, struct str *out, struct error *err)
{
    const struct foreign_code first = {.kind = FOREIGN_LTOIR,
            .name = compiled->ptx_entry,
            .data = compiled->ltoir,
            .len = compiled->ltoir_len};
    const struct link_target target = {
            .cc = place->compute_major * 10 + place->compute_minor, .optimises = true};
    return foreign_link(
            &first, compiled->links, compiled->link_count, &target, true, out, err);
}

// lto_ptx(argtypes, major, minor): the kernel with all foreign code, optimised as one.
PyObject *kernel_lto_ptx(PyObject *object, PyObject *args)
{
    struct kernel *self = (struct kernel *)object;
    PyObject *sequence, *text = NULL;
    struct compile_place place = {.target = TARGET_GPU, .wants_ltoir = true};
    const struct type **types = NULL;
    size_t count = 0;
    if (!PyArg_ParseTuple(
                args, "Oii", &sequence, &place.compute_major, &place.compute_minor) ||
            !py_types_from_sequence(sequence, &types, &count))
        return NULL;
    struct error err = {0};
    struct str ptx = {0};
    struct source *source = kernel_source(self, &err);
    struct compiled *compiled =
            source ? kernel_compile_at(self, source, &place, types, count, &err) : NULL;
    if (!compiled)
        kernel_raise_failed(self, &err, types, count, NULL);
    else if (link_to_ptx(compiled, &place, &ptx, &err))
        text = PyUnicode_FromString(str_text(&ptx));
    else
        py_raise(&err);
    str_finish(&ptx);
    compiled_destroy(compiled);
    PyMem_Free(types);
    return text;
}

// SPDX-License-Identifier: MIT
// The extension module gridcell._gridcell: its state, and the parts that it is made of.
#include "runtime/host/lapack/lapack.h"
#include "runtime/host/lapack/py_lapack.h"
#include "runtime/host/dispatch/py_overload.h"
#include "runtime/host/random/py_random.h"
#include "runtime/host/values/py_numpy.h"

#include <string.h>

#include "compiler/backends/gpu/nvvm/nvvm.h"
#include "compiler/compiler.h"
#include "compiler/llvm/load.h"
#include "runtime/device/objects/py_device.h"
#include "runtime/threads/parallel_for.h"
#include "runtime/host/dispatch/py_library.h"
#include "runtime/host/state/py_runtime.h"
#include "runtime/host/random/random.h"

static struct runtime *loaded; // the state of the module, which is loaded once

struct runtime *py_runtime(void)
{
    return loaded;
}

PyTypeObject *py_add_type(struct runtime *runtime, PyType_Spec *spec, PyTypeObject *base)
{
    PyObject *type = PyType_FromModuleAndSpec(runtime->module, spec, (PyObject *)base);
    if (type && PyModule_AddType(runtime->module, (PyTypeObject *)type) < 0)
        Py_CLEAR(type);
    return (PyTypeObject *)type;
}

static PyObject *module_thread_count(PyObject *module, PyObject *none)
{
    return Py_BuildValue("(ii)", parallel_thread_count(), parallel_thread_limit());
}

static PyObject *module_set_thread_count(PyObject *module, PyObject *count)
{
    long number = PyLong_AsLong(count);
    if (number == -1 && PyErr_Occurred())
        return NULL;
    if (number < 1 || number > parallel_thread_limit())
        return PyErr_Format(PyExc_ValueError,
                "The number of threads must be between 1 and %d",
                parallel_thread_limit());
    parallel_set_thread_count((int)number);
    Py_RETURN_NONE;
}

// (LLVM's version, libnvvm's path or None, why it is missing or None)
static PyObject *module_compilers(PyObject *module, PyObject *none)
{
    unsigned major, minor, patch;
    struct error err = {0};
    if (!llvm_load(&err))
        return py_raise(&err);
    compiler_llvm_version(&major, &minor, &patch);
    bool has_nvvm = nvvm_is_available(&err);
    PyObject *version = PyUnicode_FromFormat("%u.%u.%u", major, minor, patch);
    return version ? Py_BuildValue("(Nzz)", version, has_nvvm ? nvvm_path() : NULL,
                             has_nvvm ? NULL : err.message)
                   : NULL;
}

static PyObject *module_load_numpy(PyObject *module, PyObject *none)
{
    if (!py_numpy_load())
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *module_builtin_names(PyObject *module, PyObject *none)
{
    PyObject *names = PyList_New(0);
    for (const char *const *name = compiler_builtin_names(); names && *name; name++) {
        PyObject *text = PyUnicode_FromString(*name);
        if (!text || PyList_Append(names, text) < 0)
            Py_CLEAR(names);
        Py_XDECREF(text);
    }
    return names;
}

static PyMethodDef module_functions[] = {
        {"builtin_names", module_builtin_names, METH_NOARGS,
                "The dotted names of all functions that the compiler knows."},
        {"seed_random", py_random_seed, METH_VARARGS,
                "Seeds a stream of compiled code: 'np' or 'py', and the words of the "
                "state."},
        {"load_random", py_random_load, METH_O,
                "Takes NumPy's distributions from the file of its generator module."},
        {"load_lapack", py_lapack_load, METH_NOARGS,
                "Finds LAPACK for compiled code; whether there is one."},
        {"load_numpy", module_load_numpy, METH_NOARGS,
                "Imports NumPy and its C API; the parts that always work on arrays call "
                "it."},
        {"compilers", module_compilers, METH_NOARGS,
                "The versions and places of the compilers behind ours."},
        {"thread_count", module_thread_count, METH_NOARGS,
                "How many threads parallel loops use, and the most there can be."},
        {"set_thread_count", module_set_thread_count, METH_O,
                "Sets how many threads parallel loops use."},
        {NULL, NULL, 0, NULL},
};

// The exception classes that live in the numba namespace.
static void name_error_classes(void)
{
    py_error_class(ERROR_TYPING, "numba.core.errors", "TypingError");
    py_error_class(ERROR_UNSUPPORTED, "numba.core.errors", "UnsupportedError");
    py_error_class(ERROR_LOWERING, "numba.core.errors", "LoweringError");
}

static int module_exec(PyObject *module)
{
    if (loaded) {
        PyErr_SetString(PyExc_ImportError, "gridcell is loaded by one interpreter only");
        return -1;
    }
    loaded = PyModule_GetState(module);
    memset(loaded, 0, sizeof *loaded);
    loaded->module = module;
    compiler_load_llvm = llvm_load;
    compiler_stack_limit_offset(); // before other libraries take the places it needs
    name_error_classes();
    lapack_define_symbols();
    random_define_symbols();
    py_output_init();
    py_unicode_init();
    py_exception_init();
    py_objmode_init();
    py_callable_init();
    py_library_init();
    bool done = py_type_init(loaded) && py_signature_init(loaded) &&
                py_typed_init(loaded) && py_classes_init(loaded) &&
                py_object_class_init(loaded) && py_typeof_init(loaded) &&
                py_dispatcher_init(loaded) && py_ufunc_init(loaded) &&
                py_dufunc_init(loaded) && py_gufunc_init(loaded) &&
                py_interrupt_init(loaded) && py_generator_init(loaded) &&
                py_parallel_init(loaded) && py_overload_init(loaded) &&
                py_callback_init(loaded) && py_source_init(loaded) &&
                py_device_init(module) &&
                PyModule_AddStringConstant(module, "version", GRIDCELL_VERSION) == 0;
    return done ? 0 : -1;
}

static PyModuleDef_Slot module_slots[] = {
        {Py_mod_exec, module_exec},
        {0, NULL},
};

static struct PyModuleDef module_definition = {
        PyModuleDef_HEAD_INIT,
        .m_name = "gridcell._gridcell",
        .m_doc = "gridcell's compiler and runtime.",
        .m_size = sizeof(struct runtime),
        .m_methods = module_functions,
        .m_slots = module_slots,
};

PyMODINIT_FUNC PyInit__gridcell(void);

__attribute__((visibility("default"))) PyMODINIT_FUNC PyInit__gridcell(void)
{
    return PyModuleDef_Init(&module_definition);
}

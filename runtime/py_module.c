// SPDX-License-Identifier: MIT
// The extension module gridcell._gridcell: its state, and the parts that it is made of.
#include "runtime/host/lapack/lapack.h"
#include "runtime/host/lapack/py_lapack.h"
#include "runtime/host/dispatch/py_overload.h"
#include "runtime/host/random/py_random.h"
#include "runtime/host/values/py_numpy.h"

#include "compiler/backends/gpu/nvvm/nvvm.h"
#include "compiler/backends/gpu/nvvm/search.h"
#include "compiler/compiler.h"
#include "base/py_compat.h"
#include "compiler/support/host_hooks.h"
#include "compiler/support/stack.h"
#include "compiler/typing/builtins.h"
#include "compiler/llvm/load.h"
#include "runtime/device/kernels/py_foreign.h"
#include "runtime/device/kernels/py_kernel.h"
#include "compiler/types/intrinsics.h"
#include "runtime/threads/parallel_for.h"
#include "runtime/host/dispatch/py_library.h"
#include "runtime/host/dispatch/py_dispatch.h"
#include "runtime/host/random/random.h"
#include "runtime/host/debugger/py_stops.h"
#include "runtime/host/state/py_error.h"
#include "runtime/host/state/py_exchange.h"

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

// The rows of compiler/types/intrinsics.def: (name, parameters, kind, capability, what it
// does).
static PyObject *module_intrinsics(PyObject *module, PyObject *none)
{
    PyObject *rows = PyList_New((Py_ssize_t)intrinsic_entry_count);
    for (size_t i = 0; rows && i < intrinsic_entry_count; i++) {
        const struct intrinsic_entry *entry = &intrinsic_entries[i];
        PyObject *row = Py_BuildValue("(sssis)", entry->name, entry->params, entry->kind,
                entry->capability, entry->doc);
        if (row)
            PyList_SET_ITEM(rows, (Py_ssize_t)i, row);
        else
            Py_CLEAR(rows);
    }
    return rows;
}

static PyMethodDef module_functions[] = {
        {"builtin_names", module_builtin_names, METH_NOARGS,
                "The dotted names of all functions that the compiler knows."},
        {"intrinsics", module_intrinsics, METH_NOARGS,
                "What kernels call as cuda.NAME: name, parameters, kind, least "
                "capability and what it does, of each."},
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
    py_error_class(ERROR_INTERNAL, "numba.core.errors", "LoweringError");
    py_error_class(ERROR_DEVICE, "gridcell.cuda.cudadrv.driver", "CudaAPIError");
    py_error_class(
            ERROR_DEVICE_SUPPORT, "gridcell.cuda.cudadrv.error", "CudaSupportError");
    py_error_class(ERROR_NVVM, "gridcell.cuda.cudadrv.error", "NvvmError");
}

static PyMethodDef *const function_tables[] = {py_classes_functions,
        py_object_class_functions, py_dtype_functions, py_typeof_functions,
        py_extension_functions, py_extension_value_functions, py_memory_functions,
        py_ufunc_functions, py_gufunc_functions, py_parallel_functions,
        py_overload_functions, py_callback_functions, py_source_functions,
        py_report_functions, py_observe_functions, py_device_functions,
        py_device_memory_functions, py_host_memory_functions, py_device_array_functions,
        py_ipc_functions, py_dlpack_functions, py_module_functions,
        py_transfers_functions, py_driver_log_functions, py_activity_functions,
        py_foreign_functions, py_ufunc_arguments_functions, py_exchange_functions,
        py_stops_functions, py_launch_functions};

static bool add_functions(PyObject *module)
{
    for (size_t i = 0; i < sizeof function_tables / sizeof *function_tables; i++)
        if (PyModule_AddFunctions(module, function_tables[i]) < 0)
            return false;
    return true;
}

// The classes of numba.cuda.
static bool add_devices(PyObject *module)
{
    struct device_types *types = py_device_types();
    return py_device_object_init(types, module) && py_stream_init(types, module) &&
           py_device_memory_init(types, module) && py_host_memory_init(types, module) &&
           py_device_array_init(types, module) && py_kernel_init(types, module);
}

// Where the environment's packages lie, NVIDIA's compilers among them: also those that
// pip adds while the process runs.
static void add_package_folders(void)
{
    PyObject *path = PySys_GetObject("path"); // borrowed: kept by sys
    Py_ssize_t count = path && PyList_Check(path) ? PyList_GET_SIZE(path) : 0;
    for (Py_ssize_t i = 0; i < count; i++) {
        PyObject *item = py_list_get(path, i), *bytes = NULL;
        if (!item || !PyUnicode_FSConverter(item, &bytes))
            py_error_drop();              // no folder: Python passes it over, too
        else if (PyBytes_GET_SIZE(bytes)) // not the working folder, which is anybody's
            nvvm_search_add_packages(PyBytes_AS_STRING(bytes));
        Py_XDECREF(bytes);
        Py_XDECREF(item);
    }
}

// All that the compiler and its code ask of Python.
static const struct host_hooks hooks = {
        .load_llvm = llvm_load,
        .load_library = py_library_load,
        .choose_overload = py_overload_choose,
        .tell_conversion = py_overload_tell,
        .exception_is = py_exception_is,
        .foreign_address = py_foreign_address,
        .exception_text = py_exception_text,
        .keep_parent = py_keep_parent,
        .parent_holds = py_parent_holds,
        .print = kernel_print_line,
        .array_text = kernel_array_text,
        .member_text = py_member_text,
        .source_text = py_report_source_text,
        .versions = py_report_versions,
        .nothing_to_compare = py_nothing_to_compare,
        .characters = &py_text_tables,
};

static int module_exec(PyObject *module)
{
    if (!py_runtime_start(module))
        return -1;
    struct runtime *runtime = py_runtime();
    host_hooks_set(&hooks);
    if (!py_numpy_start())
        return -1;
    compiler_stack_limit_offset(); // before other libraries take the places it needs
    name_error_classes();
    lapack_define_symbols();
    random_define_symbols();
    py_exception_init();
    py_objmode_init();
    py_callable_init();
    py_ufunc_init();
    py_callback_init();
    py_stops_init();
    add_package_folders();
    bool done = py_type_init(runtime) && py_signature_init(runtime) &&
                py_typed_init(runtime) && py_dispatcher_init(runtime) &&
                py_dufunc_init(runtime) && py_interrupt_init(runtime) &&
                py_generator_init(runtime) && py_memory_init(runtime) &&
                py_source_init(runtime) && add_devices(module) && add_functions(module) &&
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

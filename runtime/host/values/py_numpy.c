// SPDX-License-Identifier: MIT
// Loads NumPy's function tables when they are first needed. Until then the tables are
// ours: no object is of NumPy's types, and who calls a function gets an ImportError.
#define GRIDCELL_DEFINES_NUMPY_API
#include "runtime/host/values/py_numpy.h"

#include <stdio.h>

#include "runtime/host/values/py_values.h"

// The entries of NumPy's tables that are types; all others are called.
enum { ARRAY_ENTRIES = 512, UFUNC_ENTRIES = 64 };
static const struct {
    int first, last;
} type_entries[] = {{1, 39}, {214, 218}};

static void *absent_array[ARRAY_ENTRIES], *absent_ufunc[UFUNC_ENTRIES];
static bool is_loaded; // under the GIL

static void *fail_without_numpy(void)
{
    PyErr_SetString(PyExc_ImportError, "this needs NumPy, which is not imported");
    return NULL;
}

static void use_absent_tables(void)
{
    PyArray_API = absent_array;
    PyUFunc_API = absent_ufunc;
}

// Stands for each of NumPy's types: nothing is an instance, or derived from it. The
// tables own it.
static PyObject *make_absent_type(void)
{
    static PyType_Slot slots[] = {{0}};
    static PyType_Spec spec = {.name = "gridcell._gridcell.Absent",
            .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
            .slots = slots};
    return PyType_FromSpec(&spec);
}

bool py_numpy_start(void)
{
    PyObject *absent_type = make_absent_type();
    if (!absent_type)
        return false;
    for (int i = 0; i < ARRAY_ENTRIES; i++)
        absent_array[i] = (void *)fail_without_numpy;
    for (size_t k = 0; k < sizeof type_entries / sizeof *type_entries; k++)
        for (int i = type_entries[k].first; i <= type_entries[k].last; i++)
            absent_array[i] = absent_type;
    for (int i = 0; i < UFUNC_ENTRIES; i++)
        absent_ufunc[i] = i ? (void *)fail_without_numpy : (void *)absent_type;
    use_absent_tables();
    return true;
}

// Before its tables are read: an older one refuses with words about ABI versions, or has
// other functions under their numbers. What tells no version is let through.
static bool is_new_enough(PyObject *numpy)
{
    enum { MAJOR = 1, MINOR = 26 };
    PyObject *version = PyObject_GetAttrString(numpy, "__version__");
    const char *text = version ? PyUnicode_AsUTF8(version) : NULL;
    int major = MAJOR, minor = MINOR;
    if (text && sscanf(text, "%d.%d", &major, &minor) != 2)
        major = MAJOR, minor = MINOR;
    py_error_drop();
    bool is_new = major > MAJOR || (major == MAJOR && minor >= MINOR);
    if (!is_new)
        PyErr_Format(PyExc_ImportError,
                "this needs NumPy %d.%d or later, and this Python has %s; update it "
                "with: python3 -m pip install --upgrade numpy",
                MAJOR, MINOR, text);
    Py_XDECREF(version);
    return is_new;
}

bool py_numpy_load(void)
{
    if (is_loaded)
        return true;
    PyObject *numpy = PyImport_ImportModule("numpy");
    if (!numpy && PyErr_ExceptionMatches(PyExc_ModuleNotFoundError))
        PyErr_SetString(PyExc_ImportError,
                "this needs NumPy, which this Python does not have; "
                "install it with: python3 -m pip install numpy");
    if (!numpy)
        return false;
    bool is_new = is_new_enough(numpy);
    Py_DECREF(numpy);
    is_loaded = is_new && _import_array() >= 0 && _import_umath() >= 0;
    if (!is_loaded)
        use_absent_tables();
    return is_loaded;
}

// Why a NumPy that the program uses is none for us; else arrays would be refused as
// objects of any kind are, which says nothing of the cause.
static void tell_once(void)
{
    static bool has_told; // under the GIL
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (value && !has_told)
        PyErr_WarnFormat(PyExc_RuntimeWarning, 1, "%S", value);
    has_told = true;
    py_error_drop();
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(traceback);
}

bool py_numpy_is_loaded(void)
{
    if (is_loaded)
        return true;
    PyObject *numpy = NULL;
    if (py_dict_get_text(PyImport_GetModuleDict(), "numpy", &numpy) <= 0)
        return false;
    Py_DECREF(numpy);
    bool is_found = py_numpy_load();
    if (!is_found)
        tell_once();
    py_error_drop();
    return is_found;
}

bool py_array_holds(const void *array, const void *start, size_t bytes)
{
    enum { VIEWS = 8 }; // NumPy makes views of views' owners: more than two are rare
    const PyObject *object = array;
    for (int i = 0; i < VIEWS && object && PyArray_Check(object); i++) {
        const PyArrayObject *owner = (const PyArrayObject *)object;
        if (PyArray_CHKFLAGS(owner, NPY_ARRAY_OWNDATA)) {
            uintptr_t data = (uintptr_t)PyArray_DATA((PyArrayObject *)owner);
            uintptr_t from = (uintptr_t)start;
            size_t size = (size_t)PyArray_NBYTES((PyArrayObject *)owner);
            return from >= data && bytes <= size && from - data <= size - bytes;
        }
        object = PyArray_BASE((PyArrayObject *)owner);
    }
    return false;
}

// SPDX-License-Identifier: MIT
// The state of the extension module, which all parts of the runtime that see Python
// share. The GIL guards what it holds.
#pragma once

#include "base/py.h"
#include "compiler/types/type.h"

enum { ARRAY_TYPE_NDIM = 5, ARRAY_TYPE_DTYPES = 32, KNOWN_DTYPES = 64 };

// What a dtype that has parts of its own (fields, a unit, a length) means. Programs may
// give its fields other names: then `names` is another tuple.
struct known_dtype {
    PyObject *dtype, *names; // kept, so that no other object gets their address
    const struct type *type;
    const struct type *arrays[ARRAY_TYPE_NDIM][3][2]; // of it, aligned; as array_types
};

struct device_array_hooks;
struct dispatcher_hooks;

// The state of the module `_gridcell`. One interpreter loads it once.
struct runtime {
    PyObject *module;
    PyTypeObject *type_type;                   // numba.types.Type
    PyTypeObject *kind_types[TYPE_KIND_COUNT]; // its subclass for each kind of type
    PyTypeObject *uniform_tuple_type, *raw_pointer_type, *timedelta_type;
    PyTypeObject *typed_list_type, *typed_set_type, *bytes_type;
    PyTypeObject *mixed_list_type, *mixed_dict_type; // displays of items of several types
    PyObject *literal_types; // of int, bool, str and arguments that were left out; NULL
                             // before numba.core.types is there
    PyTypeObject *typed_object_type; // base of typed containers and compiled objects
    PyTypeObject *signature_type;
    PyTypeObject *dispatcher_type, *generator_type, *meminfo_type;
    // How the folders below reach dispatchers and arrays of devices. Set while the module
    // is loaded, before there is anything to ask about.
    const struct dispatcher_hooks *dispatchers;     // by host/dispatch
    const struct device_array_hooks *device_arrays; // by device/arrays
    PyObject **type_objects;                        // by type id; NULL until wrapped
    size_t type_object_count;
    PyObject
            *builtins; // dict: id of a Python object -> canonical builtin name; made anew
    Py_ssize_t builtins_module_count; // when there are more modules than when it was made
    PyObject *
            classes; // dict: Enum class -> address of its type; named tuple class -> None
    PyObject *overloaded; // dict: id of an object -> what compiled code sees for it
    PyObject *parsed;     // dict: file -> (text, tree) of the files imported last
    PyObject
            *failed_calls; // of what raised, told by host/debugger: py_failure.c; or NULL
    PyObject *typeof_hook; // what knows types of values of the program's classes, or NULL
    PyObject *fetch_code, *offer_code; // of share_code(), or NULL
    PyObject *compile_observer;        // who is told of compilations, or NULL
    PyObject *kept_code; // what the program compiled last of texts in no file
    // Array types by NumPy type number, ndim, layout and writability, filled in on first
    // use.
    const struct type *array_types[ARRAY_TYPE_DTYPES][ARRAY_TYPE_NDIM][3][2];
    struct known_dtype known_dtypes[KNOWN_DTYPES]; // by address; the last ones
    const struct type *time_types[16][2];          // of one step of a unit; whether spans
};

// The state; NULL before the module is loaded.
struct runtime *py_runtime(void);
// Clears the state of the module that is being loaded. False with ImportError set when it
// is loaded already.
bool py_runtime_start(PyObject *module);

// Makes a heap type and adds it to the module under the last part of its name. `flags`
// are those besides Py_TPFLAGS_DEFAULT; the table of slots ends with {0}. NULL with an
// exception set.
PyTypeObject *py_add_type(
        const char *name, size_t size, unsigned long flags, PyType_Slot *slots);
// The same for a class below `base`.
PyTypeObject *py_add_subtype(PyTypeObject *base, const char *name, size_t size,
        unsigned long flags, PyType_Slot *slots);

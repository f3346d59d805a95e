// SPDX-License-Identifier: MIT
// What types of numba.types tell of themselves.
#pragma once

#include "base/py.h"

extern PyGetSetDef py_bits_getset[], py_integer_getset[], py_complex_getset[],
        py_array_getset[], py_tuple_getset[], py_uniform_tuple_getset[],
        py_mixed_getset[], py_optional_getset[], py_pointer_getset[], py_class_getset[],
        py_record_getset[], py_list_getset[], py_dict_getset[], py_function_getset[],
        py_time_getset[], py_module_getset[], py_enum_getset[];
extern PyMethodDef py_array_methods[];

// The getters of a class, asked only of what has a type of its kind: objects of classes
// that programs derive have an AttributeError.
PyGetSetDef *py_getters_of_made(PyGetSetDef *getters);

// (class, arguments) that make the type again, as __reduce__ gives them.
PyObject *py_type_recipe(PyObject *self);

// A tuple's type as a sequence.
Py_ssize_t py_tuple_type_len(PyObject *self);
PyObject *py_tuple_type_item(PyObject *self, Py_ssize_t index);

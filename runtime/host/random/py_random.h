// SPDX-License-Identifier: MIT
// The random streams of compiled code, as Python sets them up.
#pragma once

#include "base/py.h"

// seed_random("np" or "py", words): the calling thread's stream goes on from the 624
// words
PyObject *py_random_seed(PyObject *self, PyObject *args);
// The bitgen_t of a numpy.random.Generator.
bool py_unbox_generator(PyObject *value, void *target);
// The generator of a bitgen_t that came in: the same object, or another on its
// BitGenerator.
PyObject *py_box_generator(const void *value);
// load_random(path of numpy.random._generator)
PyObject *py_random_load(PyObject *self, PyObject *path);

// SPDX-License-Identifier: MIT
// All that differs between versions of CPython: what 3.11 to 3.15 have in other places,
// under other names, or only in private. Nothing else asks which version it is compiled
// for. Each function says where the difference comes from.
#pragma once

#include "base/py.h"

// Whether the interpreter is on its way out. Any thread.
bool py_is_finalizing(void);

// What a program may attach to code objects: `end` is called with it when they end.
Py_ssize_t py_code_extra_index(void (*end)(void *extra));
int py_code_set_extra(PyObject *code, Py_ssize_t index, void *extra);

// As hash() of bytes and str has it. Needs no GIL.
Py_hash_t py_hash_bytes(const void *bytes, Py_ssize_t size_bytes);

// How min() and max() of nothing end, after their names: in other words since 3.12.
extern const char py_nothing_to_compare[];

// A number that is another one after the dict has changed, if this was called before.
// 3.11 counts the changes in the dict; 3.12 has watchers instead, of which ours counts
// changes of all watched dicts together.
#if PY_VERSION_HEX < 0x030C0000
static inline uint64_t py_dict_version(PyObject *dict) // at each call of a function
{
    return ((PyDictObject *)dict)->ma_version_tag;
}
#else
uint64_t py_dict_version(PyObject *dict);
#endif

// Since 3.15: imports what `lazy import` gave a name of a namespace, as the name's first
// use in Python does, and keeps it there. `object`: what the name means, a new reference,
// in whose place comes what was imported. -1: error.
#if PY_VERSION_HEX < 0x030F0000
static inline int py_import_lazy(PyObject *namespace, PyObject *name, PyObject **object)
{
    return 0;
}
#else
int py_import_lazy(PyObject *namespace, PyObject *name, PyObject **object);
#endif

// In a handler, on the thread whose stack of C is nearly full: the next call that Python
// counts fails with RecursionError. `usual_limit`: what holds when no call of this is in
// force. Returns the depth, or 0 where nothing had to be done.
int py_recursion_end(int usual_limit);

// What a class itself defines; a new reference, or NULL without an exception. Since 3.12
// each interpreter has its own dict of a static class, and the field is empty.
PyObject *py_type_dict(PyTypeObject *type);

// How long a thread that holds the GIL keeps it from others, in microseconds. Any thread,
// also without the GIL; 0: it cannot be read or set without one.
unsigned long py_switch_interval(void);
void py_set_switch_interval(unsigned long us);

// What is another one once the thread has gone from compiled code to Python code: up to
// 3.12 of C's frames that run some, from 3.13 on the frame that runs. In handlers of
// signals.
const void *py_frame_mark(const PyThreadState *state);

// Whether cProfile or sys.setprofile looks at calls on this thread. Since 3.12 cProfile
// is a tool of sys.monitoring.
#if PY_VERSION_HEX < 0x030C0000
static inline bool py_is_profiled(void) // at each call of a jitted function
{
    const PyThreadState *state = PyThreadState_Get();
    return state->cframe->use_tracing && state->c_profilefunc;
}
#else
static inline bool py_is_profiled(void)
{
    return false;
}
#endif

// Makes py_write_place possible. Once, with the GIL; false: an exception is set.
bool py_place_init(void);
// Writes where a thread is in Python code, line by line as faulthandler does, whatever
// the thread is at. In handlers of signals; for another thread it may take a moment.
// False: nothing was written.
bool py_write_place(int fd, PyThreadState *state);

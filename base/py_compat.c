// SPDX-License-Identifier: MIT
// One group of functions for each thing that versions of CPython do in their own way.
#include "base/py_compat.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

// ---- the end: public since 3.13, which keeps the private name to itself

bool py_is_finalizing(void)
{
#if PY_VERSION_HEX >= 0x030D0000
    return Py_IsFinalizing();
#else
    return _Py_IsFinalizing();
#endif
}

// ---- what is attached to code objects: under an official name since 3.12

Py_ssize_t py_code_extra_index(void (*end)(void *extra))
{
#if PY_VERSION_HEX >= 0x030C0000
    return PyUnstable_Eval_RequestCodeExtraIndex(end);
#else
    return _PyEval_RequestCodeExtraIndex(end);
#endif
}

int py_code_set_extra(PyObject *code, Py_ssize_t index, void *extra)
{
#if PY_VERSION_HEX >= 0x030C0000
    return PyUnstable_Code_SetExtra(code, index, extra);
#else
    return _PyCode_SetExtra(code, index, extra);
#endif
}

// ---- the hash of bytes: what _Py_HashBytes does, which 3.13 took out of its headers

Py_hash_t py_hash_bytes(const void *bytes, Py_ssize_t size_bytes)
{
    if (size_bytes == 0)
        return 0;
    Py_hash_t hash = PyHash_GetFuncDef()->hash(bytes, size_bytes);
    return hash == -1 ? -2 : hash;
}

// ---- messages of builtins that compiled code gives, too

#if PY_VERSION_HEX >= 0x030C0000
const char py_nothing_to_compare[] = "iterable argument is empty";
#else
const char py_nothing_to_compare[] = "arg is an empty sequence";
#endif

// ---- changes of a dict, which 3.11 counts itself; guarded by the GIL

#if PY_VERSION_HEX >= 0x030C0000
static uint64_t changes;
static int watcher = -1;

static int note_change(
        PyDict_WatchEvent event, PyObject *dict, PyObject *key, PyObject *value)
{
    changes++;
    return 0;
}

uint64_t py_dict_version(PyObject *dict)
{
    if (watcher < 0)
        watcher = PyDict_AddWatcher(note_change);
    if (watcher < 0 || PyDict_Watch(watcher, dict) < 0)
        py_error_drop();
    return changes + 1;
}
#endif

// ---- imports that wait for the first use: 3.15's, of a class that has no name in C

#if PY_VERSION_HEX >= 0x030F0000
int py_import_lazy(PyObject *namespace, PyObject *name, PyObject **object)
{
    const PyTypeObject *type = Py_TYPE(*object);
    if (type->tp_flags & Py_TPFLAGS_HEAPTYPE || strcmp(type->tp_name, "lazy_import") != 0)
        return 0;
    PyObject *imported = PyObject_CallMethod(*object, "resolve", NULL);
    if (!imported || PyDict_SetItem(namespace, name, imported) < 0) {
        Py_XDECREF(imported);
        return -1;
    }
    Py_SETREF(*object, imported);
    return 0;
}
#endif

// ---- recursion: up to 3.11 one limit is for all calls, and knows nothing of C's stack;
// from 3.12 on what takes of that is counted, or measured, by Python itself

#if PY_VERSION_HEX < 0x030C0000
int py_recursion_end(int usual_limit)
{
    PyThreadState *state = _PyThreadState_UncheckedGet();
    if (!state || state != PyGILState_GetThisThreadState())
        return 0;
    // a count that was being changed when the last fault came still is one of the limit
    // before
    bool was_in_vain = state->recursion_limit < state->recursion_remaining;
    int limit = was_in_vain && usual_limit ? usual_limit : Py_GetRecursionLimit();
    int depth = limit - state->recursion_remaining;
    if (depth < 1)
        depth = 1;
    // plain stores: the next call that Python counts fails
    Py_SetRecursionLimit(depth);
    state->recursion_limit = depth;
    state->recursion_remaining = 0;
    return depth;
}
#else
int py_recursion_end(int usual_limit)
{
    return 0;
}
#endif

// ---- what a class defines

PyObject *py_type_dict(PyTypeObject *type)
{
#if PY_VERSION_HEX >= 0x030C0000
    return PyType_GetDict(type);
#else
    return Py_XNewRef(type->tp_dict);
#endif
}

// ---- how long the GIL is kept: each interpreter's own since 3.12, which ends the
// process when it is asked without the GIL; only Python code reaches it from 3.13 on

#if PY_VERSION_HEX < 0x030C0000
unsigned long py_switch_interval(void)
{
    return _PyEval_GetSwitchInterval();
}

void py_set_switch_interval(unsigned long us)
{
    _PyEval_SetSwitchInterval(us);
}
#else
unsigned long py_switch_interval(void)
{
    return 0;
}

void py_set_switch_interval(unsigned long us)
{
}
#endif

// ---- the frame of a thread, whose field has moved

const void *py_frame_mark(const PyThreadState *state)
{
#if PY_VERSION_HEX >= 0x030D0000
    return state->current_frame;
#else
    return state->cframe;
#endif
}

// ---- the place of a thread: _Py_DumpTraceback is what faulthandler calls, the one way
// to look at a thread that cannot be asked. From 3.13 on nobody else can call it: there
// faulthandler writes it into a file of ours when a thread gets a signal.

static int own_fd = -1; // that file's; -1: the function is there
static void (*dump_traceback)(int fd, PyThreadState *state);

static int place_signal(void)
{
    return SIGRTMAX - 6;
}

bool py_place_init(void)
{
    *(void **)&dump_traceback = dlsym(RTLD_DEFAULT, "_Py_DumpTraceback");
    if (dump_traceback || own_fd >= 0)
        return true;
    own_fd = memfd_create("place", MFD_CLOEXEC);
    PyObject *module = PyImport_ImportModule("faulthandler");
    PyObject *done = module ? PyObject_CallMethod(module, "register", "iiO",
                                      place_signal(), own_fd, Py_False)
                            : NULL;
    Py_XDECREF(module);
    Py_XDECREF(done);
    return done != NULL;
}

// Until the file stops to grow; not for ever: a thread may have the signal blocked.
static void wait_until_written(void)
{
    enum { LIMIT_MS = 300, STEP_MS = 3 };
    const struct timespec pause = {.tv_nsec = STEP_MS * 1000000};
    off_t before = 0;
    for (int ms = 0; ms < LIMIT_MS; ms += STEP_MS) {
        nanosleep(&pause, NULL);
        off_t now = lseek(own_fd, 0, SEEK_END);
        if (now > 0 && now == before)
            return;
        before = now;
    }
}

static bool copy_place(int fd)
{
    char text[4096];
    off_t done = 0;
    for (ssize_t len; (len = pread(own_fd, text, sizeof text, done)) > 0; done += len) {
        if (write(fd, text, (size_t)len) != len)
            return false;
    }
    return done > 0;
}

bool py_write_place(int fd, PyThreadState *state)
{
    if (dump_traceback) {
        dump_traceback(fd, state);
        return true;
    }
    pthread_t thread = (pthread_t)state->thread_id;
    if (own_fd < 0 || ftruncate(own_fd, 0) || lseek(own_fd, 0, SEEK_SET) ||
            pthread_kill(thread, place_signal()))
        return false;
    if (!pthread_equal(thread, pthread_self()))
        wait_until_written();
    return copy_place(fd);
}

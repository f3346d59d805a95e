// SPDX-License-Identifier: MIT
// A jitted function: the Python function, what it was compiled to for which argument
// types, and how calls find their way to it.
#pragma once

#include "base/py.h"
#include "base/vec.h"
#include "runtime/host/dispatch/py_dispatch.h"

// One compiled version. Without `compiled` it runs in the interpreter (object mode).
struct overload {
    const struct type **params;
    size_t param_count;
    const struct type *returns;
    struct compiled *compiled;
    abi_entry entry;
    size_t *offsets;                 // of each argument in the argument block
    size_t block_bytes;              // of the argument block, rounded up to 16
    size_t result_bytes;             // of the result, likewise
    bool makes_generator;            // the result, or a part of it, runs its code later
    bool owns_arguments;             // unboxing some of them makes memory
    bool reflects;                   // some are plain lists, sets or dicts
    const struct type *const *takes; // `params` as the code found them to be
};

struct dispatcher_options {
    bool is_nopython;    // a function that cannot be compiled raises
    bool is_object_mode; // forceobj: never compiled
    bool nogil;
    int opt_level; // 0..3
    struct source_options source;
};

struct dispatcher {
    PyObject ob_base;
    vectorcallfunc vectorcall;
    PyObject *dict, *weakrefs;
    PyObject *py_func;
    PyObject *target_options; // dict of the options as the user gave them
    PyObject *invalid;        // text of the KeyError that compiling raises, or NULL
    PyObject *known_defaults; // tuple by parameter: defaults that are constants of the
                              // code where left out, else NULL; of before the import NULL
    PyObject *param_names;    // tuple in the order of the compiled parameters
    Py_ssize_t positional_count, star_index; // star_index -1: no *args
    Py_ssize_t unnamed_count;                // the first ones, by position only
    struct dispatcher_options options;
    struct source *source;            // NULL until first needed
    VEC(struct source *) old_sources; // of before recompile(); callers may refer to them
    VEC(struct overload *) overloads;
    VEC(struct overload *) old_overloads; // likewise; generators run their code
    struct overload *last;                // the overload of the last call
    bool can_compile;
    PyObject *watched;          // what its names meant when it was compiled: py_watch.c
    uint64_t namespace_version; // when that was looked at last
    bool is_watching, has_cells;
    struct dispatcher_cache *cache; // NULL: code is not kept on disk
    PyObject *seen_code; // of the frame that profilers see, or NULL: py_profiled.c
    bool is_monitored;   // sys.monitoring is to see its calls
};

// The overload of exactly these types, or NULL.
struct overload *dispatcher_find(
        struct dispatcher *self, const struct type *const *types, size_t count);
// The overload for the types, compiled if there is none. NULL with an exception set.
// `args` (one per type, or NULL) are for the messages.
struct overload *dispatcher_overload(struct dispatcher *self,
        const struct type *const *types, size_t count, const struct type *returns,
        PyObject *const *args);
// The compiled overload that the types convert to best, or NULL without an exception.
struct overload *dispatcher_best_overload(
        struct dispatcher *self, const struct type *const *types, size_t count);
// Frees the overload and its code.
void overload_destroy(struct overload *overload);
// Frees overloads and sources.
void dispatcher_forget(struct dispatcher *self);

// What values below ask of dispatchers.
extern const struct dispatcher_hooks dispatcher_values;

// Parameters of a call by bit: those whose arguments are left out.
typedef uint64_t omitted_set;
enum { MAX_OMITTED = 64 };
// Binds the arguments of a call to the parameters: param_count new references in `bound`,
// and which of them are defaults. False with TypeError set.
bool dispatcher_bind(struct dispatcher *self, PyObject *const *args, size_t arg_count,
        PyObject *keywords, PyObject **bound, omitted_set *omitted);
// Those of the defaults in `args` that are constants of the code.
omitted_set dispatcher_constants(
        struct dispatcher *self, PyObject *const *args, omitted_set omitted);
// Notes them; the function has been imported. False with an exception set.
bool dispatcher_note_defaults(struct dispatcher *self);

// Methods for inspection and control (py_dispatcher_methods.c).
extern PyMethodDef dispatcher_methods[];
extern PyGetSetDef dispatcher_getset[];
PyObject *dispatcher_repr(PyObject *object);
PyObject *dispatcher_get(PyObject *object, PyObject *instance, PyObject *class);

// Notes what the names mean that the function, and those that it calls, use.
bool dispatcher_watch(struct dispatcher *self);
// Whether nothing can have changed since then.
bool dispatcher_is_current(const struct dispatcher *self);
// Looks whether something has, and then forgets what was compiled. False: an exception.
bool dispatcher_refresh(struct dispatcher *self);
// Forgets what was compiled, or compiles declared signatures again.
bool dispatcher_renew(struct dispatcher *self);

// py_profiled.c
// What is_monitored is at first.
bool dispatcher_monitor_default(void);
// A call within a frame that has the function's name and place, where `unseen` is called.
PyObject *dispatcher_call_seen(struct dispatcher *self, PyMethodDef *unseen,
        PyObject *const *args, size_t flagged_count, PyObject *keywords);

// py_code_cache.c
// The places that a dispatcher's code is kept in; NULL: none.
const struct code_cache *py_code_cache(PyObject *dispatcher);
// Tells whoever asked for the cache what came of a compilation. False with an exception
// set.
bool py_code_cache_note(PyObject *dispatcher, const struct compiled *compiled,
        const struct type *const *types, size_t count);
// The method _cache_in(label, folders, note).
PyObject *dispatcher_cache_in(PyObject *object, PyObject *args);
void dispatcher_cache_destroy(struct dispatcher *self);

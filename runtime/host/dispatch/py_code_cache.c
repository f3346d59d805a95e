// SPDX-License-Identifier: MIT
// The dispatcher's side of the code cache: where its code is kept, and who is told what
// came of it. numba/core/caching.py chooses the folders, counts and warns.
#include "runtime/host/dispatch/py_dispatcher.h"

#include <stdlib.h>

#include "base/file_store.h"

struct dispatcher_cache {
    struct code_cache places; // texts are its own
    PyObject *note;           // called with (types, is a hit, file, failure)
};

void dispatcher_cache_destroy(struct dispatcher *self)
{
    struct dispatcher_cache *cache = self->cache;
    if (!cache)
        return;
    for (size_t i = 0; i < cache->places.folder_count; i++)
        free((char *)cache->places.folders[i]);
    free((void *)cache->places.folders);
    free((char *)cache->places.label);
    Py_XDECREF(cache->note);
    free(cache);
    self->cache = NULL;
}

static bool read_folders(struct code_cache *places, PyObject *folders)
{
    size_t count = (size_t)PyTuple_GET_SIZE(folders);
    const char **copies = memory_zalloc((count + 1) * sizeof *copies);
    places->folders = copies;
    for (size_t i = 0; i < count; i++) {
        PyObject *bytes = NULL;
        if (!PyUnicode_FSConverter(PyTuple_GET_ITEM(folders, (Py_ssize_t)i), &bytes))
            return false;
        copies[i] = memory_strdup(PyBytes_AS_STRING(bytes));
        places->folder_count++;
        Py_DECREF(bytes);
    }
    return true;
}

// Before the first compilation, so that nobody else reads the places meanwhile.
PyObject *dispatcher_cache_in(PyObject *object, PyObject *args)
{
    struct dispatcher *self = (struct dispatcher *)object;
    const char *label;
    PyObject *folders, *note;
    if (!PyArg_ParseTuple(args, "sO!O", &label, &PyTuple_Type, &folders, &note))
        return NULL;
    dispatcher_cache_destroy(self);
    if (!PyTuple_GET_SIZE(folders))
        Py_RETURN_NONE;
    self->cache = memory_zalloc(sizeof *self->cache);
    self->cache->places.label = memory_strdup(label);
    self->cache->note = Py_NewRef(note);
    if (!read_folders(&self->cache->places, folders)) {
        dispatcher_cache_destroy(self);
        return NULL;
    }
    Py_RETURN_NONE;
}

static struct dispatcher_cache *cache_of(PyObject *dispatcher)
{
    bool is_ours = PyObject_TypeCheck(dispatcher, py_runtime()->dispatcher_type);
    return is_ours ? ((struct dispatcher *)dispatcher)->cache : NULL;
}

// Where processes share what they compile, a function has a place there in any case.
const struct code_cache *py_code_cache(PyObject *dispatcher)
{
    static const char *const no_folder[] = {NULL};
    static const struct code_cache shared = {
            .label = "shared", .folders = no_folder, .folder_count = 1};
    struct dispatcher_cache *cache = cache_of(dispatcher);
    return cache ? &cache->places : file_store_is_joined() ? &shared : NULL;
}

bool py_code_cache_note(PyObject *dispatcher, const struct compiled *compiled,
        const struct type *const *types, size_t count)
{
    struct dispatcher_cache *cache = cache_of(dispatcher);
    if (!cache || compiled->cache_outcome == CACHE_UNUSED)
        return true;
    PyObject *file = compiled->cache_file
                             ? PyUnicode_DecodeFSDefault(compiled->cache_file)
                             : Py_NewRef(Py_None);
    PyObject *args = file ? py_type_tuple(types, count) : NULL;
    PyObject *result =
            args ? PyObject_CallFunction(cache->note, "OOOz", args,
                           compiled->cache_outcome == CACHE_HIT ? Py_True : Py_False,
                           file, compiled->cache_failure)
                 : NULL;
    Py_XDECREF(file);
    Py_XDECREF(args);
    Py_XDECREF(result);
    return result != NULL;
}

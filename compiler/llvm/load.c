// SPDX-License-Identifier: MIT
// Loads the file that holds LLVM, and fills in where its functions are (calls.S).
#include "compiler/llvm/load.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/str.h"

#define LLVM_CALL(name) +1
enum {
    CALL_COUNT = 0
#include <llvm_calls.def>
};
#undef LLVM_CALL

extern void *llvm_places[CALL_COUNT];
void llvm_load_or_die(void);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool is_loaded; // guarded by lock

// The folder of the file that this code is in.
static bool find_folder(struct str *path, struct error *err)
{
    Dl_info own;
    const char *end = dladdr(&is_loaded, &own) ? strrchr(own.dli_fname, '/') : NULL;
    if (!end)
        return error_set(
                err, ERROR_LOWERING, SPAN_NONE, "gridcell does not find its own files");
    str_append_bytes(path, own.dli_fname, (size_t)(end - own.dli_fname));
    return true;
}

static bool load(const char *path, struct error *err)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    void *const *calls = library ? dlsym(library, "gridcell_llvm_calls") : NULL;
    if (!calls)
        return error_set(
                err, ERROR_LOWERING, SPAN_NONE, "LLVM cannot be loaded: %s", dlerror());
    for (size_t i = 0; i < CALL_COUNT; i++)
        __atomic_store_n(&llvm_places[i], calls[i], __ATOMIC_RELEASE);
    return true;
}

bool llvm_load(struct error *err)
{
    pthread_mutex_lock(&lock);
    if (!is_loaded) {
        struct str path = {0};
        if (find_folder(&path, err)) {
            str_append(&path, "/gridcell-llvm.so");
            is_loaded = load(str_text(&path), err);
        }
        str_finish(&path);
    }
    bool is_done = is_loaded;
    pthread_mutex_unlock(&lock);
    return is_done;
}

// For calls that come before llvm_load: where the file is missing, there is no way on.
void llvm_load_or_die(void)
{
    struct error err = {0};
    if (llvm_load(&err))
        return;
    log_write(LOG_ERROR, "%s", err.message);
    exit(1);
}

// SPDX-License-Identifier: MIT
// Loads libcuda.so.1 and words its errors.
#include "runtime/cuda/cuda_driver.h"

#include "runtime/cuda/driver_calls.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cuda_driver cuda_driver;

static struct {
    bool exists;
    struct error error; // set when loading failed
} loading;
static bool is_forked; // set in the child, which has one thread then

static void note_fork(void)
{
    is_forked = true;
}

static pthread_once_t load_once = PTHREAD_ONCE_INIT;

static const struct {
    const char *symbol;
    void **slot;
} FUNCTIONS[] = {
#define CUDA_FUNCTION(name, symbol, params) {symbol, (void **)&cuda_driver.name},
#include "runtime/cuda/cuda_driver.def"
#undef CUDA_FUNCTION
};

static bool find_functions(void *handle, struct error *err)
{
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
        *FUNCTIONS[i].slot = dlsym(handle, FUNCTIONS[i].symbol);
        if (!*FUNCTIONS[i].slot)
            return error_set(err, ERROR_DEVICE_SUPPORT, SPAN_NONE,
                    "the NVIDIA driver is too old: libcuda.so.1 has no %s (CUDA 11.4 is "
                    "needed)",
                    FUNCTIONS[i].symbol);
    }
    return true;
}

// NUMBA_CUDA_DRIVER names the library, or the folder that holds it.
static void *open_library(void)
{
    static const char name[] = "libcuda.so.1";
    const char *place = getenv("NUMBA_CUDA_DRIVER");
    char path[4096];
    if (!place || !*place)
        return dlopen(name, RTLD_NOW | RTLD_LOCAL);
    snprintf(path, sizeof path, "%s/%s", place, name);
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return handle ? handle : dlopen(place, RTLD_NOW | RTLD_LOCAL);
}

static void load(void)
{
    void *handle = open_library();
    if (!handle) {
        const char *why = dlerror();
        // in the words of the C library: another file than ours is one that ours needs
        loading.exists = !strstr(why, "libcuda.so.1: cannot open shared object file");
        error_set(&loading.error, ERROR_DEVICE_SUPPORT, SPAN_NONE,
                "CUDA driver library cannot be %s: %s",
                loading.exists ? "loaded" : "found", why);
        return;
    }
    loading.exists = true;
    if (find_functions(handle, &loading.error) && CUDA_CALL(&loading.error, cuInit(0)))
        pthread_atfork(NULL, NULL, note_fork);
}

bool cuda_driver_is_usable(struct error *err)
{
    if (!is_forked)
        return true;
    error_set(err, ERROR_DEVICE, SPAN_NONE,
            "CUDA initialized before forking: start the process anew, for instance by "
            "multiprocessing.get_context(\"spawn\")");
    err->code = CUDA_ERROR_NOT_INITIALIZED;
    return false;
}

bool cuda_driver_load(struct error *err)
{
    pthread_once(&load_once, load);
    const struct error *error = &loading.error;
    if (!error->kind)
        return true;
    error_set(err, error->kind, error->span, "%s", error->message);
    err->code = error->code;
    return false;
}

bool cuda_driver_exists(void)
{
    pthread_once(&load_once, load);
    return loading.exists;
}

int cuda_driver_ptx_version(int version)
{
    // a release that brought a PTX version, and that version
    static const struct {
        int driver, ptx;
    } releases[] = {{12090, 88}, {12080, 87}, {12070, 86}, {12050, 85}, {12040, 84},
            {12030, 83}, {12020, 82}, {12010, 81}, {12000, 80}, {11080, 78}, {11070, 77},
            {11060, 76}, {11050, 75}, {11040, 74}, {11030, 73}, {11020, 72}, {11010, 71},
            {11000, 70}};
    if (version >= 13000) // from CUDA 13 on PTX 9.N comes with CUDA 13.N
        return 90 + (version / 1000 - 13) * 10 + version % 1000 / 10;
    for (size_t i = 0; i < sizeof releases / sizeof *releases; i++) {
        if (version >= releases[i].driver)
            return releases[i].ptx;
    }
    return 63;
}

static void (*_Atomic observer)(const char *call, int result);

void driver_calls_observe(void (*observe)(const char *call, int result))
{
    observer = observe;
}

bool cuda_check(int result, const char *call, struct error *err)
{
    void (*observe)(const char *call, int result) = observer;
    if (observe)
        observe(call, result);
    if (result == CUDA_SUCCESS)
        return true;
    const char *name = NULL;
    if (cuda_driver.cuGetErrorName)
        cuda_driver.cuGetErrorName(result, &name);
    error_set(err, ERROR_DEVICE, SPAN_NONE, "Call to %.*s results in %s",
            (int)strcspn(call, "("), call, name ? name : "UNKNOWN_CUDA_ERROR");
    err->code = result;
    return false;
}

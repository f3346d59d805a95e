// SPDX-License-Identifier: MIT
// Links device code by nvJitLink, which is loaded at its first use: what needs
// optimisation when it is linked, and what is linked where there is no driver.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runtime/cuda/toolkit.h"

struct nvjitlink_handle;

#define NVJITLINK_FUNCTIONS(X)                                                           \
    X(nvJitLinkCreate,                                                                   \
            (struct nvjitlink_handle * *handle, uint32_t count, const char **options))   \
    X(nvJitLinkDestroy, (struct nvjitlink_handle * *handle))                             \
    X(nvJitLinkAddData, (struct nvjitlink_handle * handle, int kind, const void *data,   \
                                size_t size, const char *name))                          \
    X(nvJitLinkComplete, (struct nvjitlink_handle * handle))                             \
    X(nvJitLinkGetLinkedCubinSize, (struct nvjitlink_handle * handle, size_t * size))    \
    X(nvJitLinkGetLinkedCubin, (struct nvjitlink_handle * handle, void *cubin))          \
    X(nvJitLinkGetLinkedPtxSize, (struct nvjitlink_handle * handle, size_t * size))      \
    X(nvJitLinkGetLinkedPtx, (struct nvjitlink_handle * handle, char *ptx))              \
    X(nvJitLinkGetErrorLogSize, (struct nvjitlink_handle * handle, size_t * size))       \
    X(nvJitLinkGetErrorLog, (struct nvjitlink_handle * handle, char *log))

// Written once, by load.
static struct {
    bool is_loaded;
    struct error error;
    NVJITLINK_FUNCTIONS(TOOLKIT_POINTER)
} library;
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

static void load(void)
{
    static const struct toolkit_function functions[] = {
            NVJITLINK_FUNCTIONS(TOOLKIT_FUNCTION)};
    library.is_loaded = toolkit_load(
            &(struct toolkit_library){.stem = "nvJitLink",
                    .use = "to link device code",
                    .too_old = "LTO requires nvJitLink of CUDA 12.3 or newer",
                    .functions = functions,
                    .count = sizeof functions / sizeof *functions},
            &library.error);
}

bool nvjitlink_is_available(struct error *err)
{
    pthread_once(&load_once, load);
    return library.is_loaded ||
           error_set(err, library.error.kind, SPAN_NONE, "%s", library.error.message);
}

// nvJitLinkInputType of a kind
static int input_kind(enum foreign_kind kind)
{
    static const int kinds[] = {[FOREIGN_CUBIN] = 1,
            [FOREIGN_PTX] = 2,
            [FOREIGN_LTOIR] = 3,
            [FOREIGN_FATBIN] = 4,
            [FOREIGN_OBJECT] = 5,
            [FOREIGN_ARCHIVE] = 6};
    return kinds[kind];
}

static bool fail(struct nvjitlink_handle *handle, const char *what, struct error *err)
{
    size_t size = 0;
    char *log = NULL;
    if (handle && !library.nvJitLinkGetErrorLogSize(handle, &size) && size > 1) {
        log = memory_zalloc(size + 1);
        library.nvJitLinkGetErrorLog(handle, log);
    }
    error_set(err, ERROR_NVVM, SPAN_NONE, "nvJitLink could not %s: %s", what,
            log ? log : "it gives no reason");
    free(log);
    return false;
}

static bool take(struct nvjitlink_handle *handle, bool as_ptx, struct str *out)
{
    size_t size = 0;
    if (as_ptx ? library.nvJitLinkGetLinkedPtxSize(handle, &size)
               : library.nvJitLinkGetLinkedCubinSize(handle, &size))
        return false;
    char *code = memory_zalloc(size + 1);
    bool is_done = as_ptx ? !library.nvJitLinkGetLinkedPtx(handle, code)
                          : !library.nvJitLinkGetLinkedCubin(handle, code);
    if (is_done)
        str_append_bytes(out, code, as_ptx ? strlen(code) : size);
    free(code);
    return is_done;
}

static bool add_all(struct nvjitlink_handle *handle, const struct foreign_code *codes,
        size_t count, struct error *err)
{
    for (size_t i = 0; i < count; i++) {
        // PTX counts with the NUL behind it
        size_t len = codes[i].len + (codes[i].kind == FOREIGN_PTX);
        char what[256];
        snprintf(what, sizeof what, "read %s", codes[i].name);
        if (library.nvJitLinkAddData(
                    handle, input_kind(codes[i].kind), codes[i].data, len, codes[i].name))
            return fail(handle, what, err);
    }
    return true;
}

bool nvjitlink_link(const struct foreign_code *codes, size_t count,
        const struct link_target *target, bool as_ptx, struct str *out, struct error *err)
{
    if (!nvjitlink_is_available(err))
        return false;
    struct nvjitlink_handle *handle = NULL;
    char arch[32];
    const char *options[3] = {arch};
    uint32_t option_count = 1;
    snprintf(arch, sizeof arch, "-arch=sm_%d", target->cc);
    bool has_ltoir = false;
    for (size_t i = 0; i < count; i++)
        has_ltoir |= codes[i].kind == FOREIGN_LTOIR;
    if (has_ltoir || as_ptx)
        options[option_count++] = "-lto";
    if (as_ptx)
        options[option_count++] = "-ptx";
    struct toolkit_signals signals;
    toolkit_signals_keep(&signals);
    bool is_done = !library.nvJitLinkCreate(&handle, option_count, options) ||
                   fail(handle, "start", err);
    is_done = is_done && add_all(handle, codes, count, err);
    if (is_done && library.nvJitLinkComplete(handle))
        is_done = fail(handle, "link the kernel with foreign code", err);
    if (is_done && !take(handle, as_ptx, out))
        is_done = fail(handle, "return what it linked", err);
    if (handle)
        library.nvJitLinkDestroy(&handle);
    toolkit_signals_restore(&signals);
    return is_done;
}

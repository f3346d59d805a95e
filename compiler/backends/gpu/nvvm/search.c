// SPDX-License-Identifier: MIT
// Finds libnvvm and libdevice: named by the environment, in CUDA's usual folders, in the
// packages of the user's Python environment, or by the loader.
#include "compiler/backends/gpu/nvvm/search.h"

#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/machine.h"
#include "base/memory.h"
#include "base/vec.h"
#include "compiler/llvm/versions.h"

// Folders that hold a toolkit, those that the user named first, then the environment's,
// then the system's: "$NAME" is an environment variable, the rest a glob pattern.
static const char PACKAGES[] = "nvidia/* in the folders of sys.path";
static const char *const ROOTS[] = {"$CUDA_HOME", "$CUDA_PATH", "$CUDA_ROOT", PACKAGES,
        "$VIRTUAL_ENV/lib/python3*/site-packages/nvidia/*", "$CONDA_PREFIX",
        "/usr/local/cuda", "/usr/local/cuda-[0-9]*", "/opt/cuda", "/usr/lib/cuda",
        "/usr/lib/nvidia-cuda-toolkit"};

static const char *const LIBRARY_PLACES[] = {"nvvm/lib64/libnvvm.so*",
        "nvvm/lib/libnvvm.so*", "lib64/libnvvm.so*", "lib/libnvvm.so*",
        "lib/" MACHINE_SYSTEM "/libnvvm.so*"};

static const char *const LIBDEVICE_PLACES[] = {
        "nvvm/libdevice/libdevice*.bc", "libdevice/libdevice*.bc"};

static VEC(char *) package_folders; // written at start alone

#define COUNT(array) (sizeof(array) / sizeof *(array))

// Expands "$NAME/rest" by the environment; false when NAME is not set.
static bool expand_root(struct str *out, const char *root)
{
    if (*root != '$') {
        str_append(out, root);
        return true;
    }
    char name[32];
    size_t len = strcspn(root + 1, "/");
    snprintf(name, sizeof name, "%.*s", (int)len, root + 1);
    const char *value = getenv(name);
    if (!value || !*value)
        return false;
    str_printf(out, "%s%s", value, root + 1 + len);
    return true;
}

// Visits the files that match `pattern`, the highest name (the newest version) first.
static bool visit_matches(
        const char *pattern, bool (*visit)(const char *, void *), void *data)
{
    glob_t matches;
    bool is_done = false;
    if (glob(pattern, 0, NULL, &matches) != 0)
        return false;
    for (size_t i = matches.gl_pathc; i-- > 0 && !is_done;)
        is_done = visit(matches.gl_pathv[i], data);
    globfree(&matches);
    return is_done;
}

static bool visit_root(const char *root, const char *const *places, size_t count,
        bool (*visit)(const char *, void *), void *data)
{
    bool is_done = false;
    for (size_t i = 0; i < count && !is_done; i++) {
        struct str pattern = {0};
        str_printf(&pattern, "%s/%s", root, places[i]);
        is_done = visit_matches(str_text(&pattern), visit, data);
        str_finish(&pattern);
    }
    return is_done;
}

static bool visit_packages(const char *const *places, size_t count,
        bool (*visit)(const char *, void *), void *data)
{
    bool is_done = false;
    for (size_t i = 0; i < package_folders.len && !is_done; i++) {
        struct str root = {0};
        str_printf(&root, "%s/nvidia/*", package_folders.items[i]);
        is_done = visit_root(str_text(&root), places, count, visit, data);
        str_finish(&root);
    }
    return is_done;
}

static bool visit_places(const char *const *places, size_t count,
        bool (*visit)(const char *, void *), void *data)
{
    bool is_done = false;
    for (size_t i = 0; i < COUNT(ROOTS) && !is_done; i++) {
        struct str root = {0};
        is_done = ROOTS[i] == PACKAGES ? visit_packages(places, count, visit, data)
                                       : expand_root(&root, ROOTS[i]) &&
                                                 visit_root(str_text(&root), places,
                                                         count, visit, data);
        str_finish(&root);
    }
    return is_done;
}

void nvvm_search_add_packages(const char *folder)
{
    vec_push(&package_folders, memory_strdup(folder));
}

// A variable names a file, or a folder that holds it.
static bool visit_variable(const char *name, const char *file,
        bool (*visit)(const char *, void *), void *data)
{
    const char *value = getenv(name);
    if (!value || !*value)
        return false;
    struct str pattern = {0};
    str_printf(&pattern, "%s/%s", value, file);
    bool is_done = visit_matches(str_text(&pattern), visit, data) ||
                   visit_matches(value, visit, data);
    str_finish(&pattern);
    return is_done;
}

bool nvvm_search_library(bool (*visit)(const char *path, void *data), void *data)
{
    return visit_variable("GRIDCELL_NVVM", "libnvvm.so*", visit, data) ||
           visit_variable("NUMBAPRO_NVVM", "libnvvm.so*", visit, data) ||
           visit_places(LIBRARY_PLACES, COUNT(LIBRARY_PLACES), visit, data) ||
           visit("libnvvm.so.4", data) || visit("libnvvm.so", data);
}

bool nvvm_search_toolkit(
        const char *stem, bool (*visit)(const char *path, void *data), void *data)
{
    static const char *const folders[] = {"lib64", "lib", "lib/" MACHINE_SYSTEM,
            "targets/" MACHINE_CUDA "/lib", "extras/CUPTI/lib64"};
    char places[COUNT(folders)][96], name[64];
    const char *list[COUNT(folders)];
    for (size_t i = 0; i < COUNT(folders); i++) {
        snprintf(places[i], sizeof places[i], "%s/lib%s.so*", folders[i], stem);
        list[i] = places[i];
    }
    snprintf(name, sizeof name, "lib%s.so", stem);
    return visit_places(list, COUNT(folders), visit, data) || visit(name, data);
}

bool nvvm_search_headers(bool (*visit)(const char *path, void *data), void *data)
{
    static const char *const places[] = {
            "include/cuda_fp16.h", "targets/" MACHINE_CUDA "/include/cuda_fp16.h"};
    return visit_places(places, COUNT(places), visit, data);
}

void *nvvm_search_open(const char *path, struct error *failure)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle && strchr(path, '/'))
        error_set(failure, ERROR_DEVICE_SUPPORT, SPAN_NONE, "%s", dlerror());
    return handle;
}

struct bytes {
    char *data;
    size_t len;
};

static bool read_file(const char *path, void *data)
{
    struct bytes *bytes = data;
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    long len = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    rewind(file);
    char *content = len > 0 ? malloc((size_t)len) : NULL;
    bool is_read = content && fread(content, 1, (size_t)len, file) == (size_t)len;
    fclose(file);
    if (!is_read) {
        free(content);
        return false;
    }
    *bytes = (struct bytes){content, (size_t)len};
    return true;
}

// libnvvm lies in nvvm/lib64, lib64 or lib; libdevice in nvvm/libdevice.
static bool read_beside(const char *libnvvm, struct bytes *bytes)
{
    static const char *const places[] = {
            "../libdevice/libdevice*.bc", "../nvvm/libdevice/libdevice*.bc"};
    const char *slash = libnvvm ? strrchr(libnvvm, '/') : NULL;
    bool is_found = false;
    for (size_t i = 0; slash && i < COUNT(places) && !is_found; i++) {
        struct str pattern = {0};
        str_printf(&pattern, "%.*s/%s", (int)(slash - libnvvm), libnvvm, places[i]);
        is_found = visit_matches(str_text(&pattern), read_file, bytes);
        str_finish(&pattern);
    }
    return is_found;
}

char *nvvm_search_libdevice(const char *libnvvm, size_t *len)
{
    struct bytes bytes = {0};
    bool is_found =
            visit_variable("GRIDCELL_LIBDEVICE", "libdevice*.bc", read_file, &bytes) ||
            visit_variable("NUMBAPRO_LIBDEVICE", "libdevice*.bc", read_file, &bytes) ||
            read_beside(libnvvm, &bytes) ||
            visit_places(LIBDEVICE_PLACES, COUNT(LIBDEVICE_PLACES), read_file, &bytes);
    *len = bytes.len;
    return is_found ? bytes.data : NULL;
}

char *nvvm_search_libclc(size_t *len)
{
    static const char *const places[] = {"/usr/lib/clc/nvptx64--nvidiacl.bc",
            "/usr/share/clc/nvptx64--nvidiacl.bc",
            LLVM_FOLDER "/share/clc/nvptx64--nvidiacl.bc"};
    struct bytes bytes = {0};
    for (size_t i = 0; i < COUNT(places) && !bytes.data; i++)
        read_file(places[i], &bytes);
    *len = bytes.len;
    return bytes.data;
}

void nvvm_search_describe(struct str *out)
{
    str_append(out, "$GRIDCELL_NVVM, $NUMBAPRO_NVVM");
    for (size_t i = 0; i < COUNT(ROOTS); i++)
        str_printf(out, ", %s", ROOTS[i]);
    str_append(out, ", the loader's path");
}

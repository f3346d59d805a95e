// SPDX-License-Identifier: MIT
// CUDA C, compiled by NVRTC, which is loaded at its first use.
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "compiler/backends/gpu/nvvm/search.h"
#include "runtime/cuda/toolkit.h"

struct nvrtc_program;

#define NVRTC_FUNCTIONS(X)                                                               \
    X(nvrtcVersion, (int *major, int *minor))                                            \
    X(nvrtcCreateProgram,                                                                \
            (struct nvrtc_program * *program, const char *source, const char *name,      \
                    int count, const char *const *headers, const char *const *names))    \
    X(nvrtcDestroyProgram, (struct nvrtc_program * *program))                            \
    X(nvrtcCompileProgram,                                                               \
            (struct nvrtc_program * program, int count, const char *const *options))     \
    X(nvrtcGetProgramLogSize, (struct nvrtc_program * program, size_t * size))           \
    X(nvrtcGetProgramLog, (struct nvrtc_program * program, char *log))                   \
    X(nvrtcGetPTXSize, (struct nvrtc_program * program, size_t * size))                  \
    X(nvrtcGetPTX, (struct nvrtc_program * program, char *ptx))                          \
    X(nvrtcGetCUBINSize, (struct nvrtc_program * program, size_t * size))                \
    X(nvrtcGetCUBIN, (struct nvrtc_program * program, char *cubin))                      \
    X(nvrtcGetLTOIRSize, (struct nvrtc_program * program, size_t * size))                \
    X(nvrtcGetLTOIR, (struct nvrtc_program * program, char *code))

// Written once, by load.
static struct {
    bool is_loaded;
    char include_option[4096]; // "-I": the toolkit's headers
    struct error error;
    const char *(*nvrtcGetErrorString)(int result);
    NVRTC_FUNCTIONS(TOOLKIT_POINTER)
} library;
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

static bool use_headers(const char *header, void *data)
{
    const char *slash = strrchr(header, '/');
    (void)data;
    snprintf(library.include_option, sizeof library.include_option, "-I%.*s",
            (int)(slash - header), header);
    return true;
}

// Those of the library's own version, which lie beside it in a toolkit, but not in
// NVIDIA's packages; else those of any.
static void find_headers(void)
{
    Dl_info info;
    char path[3072];
    bool is_known = dladdr((void *)library.nvrtcVersion, &info) && info.dli_fname;
    const char *slash = is_known ? strrchr(info.dli_fname, '/') : NULL;
    if (slash)
        snprintf(path, sizeof path, "%.*s/../include/cuda_fp16.h",
                (int)(slash - info.dli_fname), info.dli_fname);
    if (slash && access(path, R_OK) == 0)
        use_headers(path, NULL);
    else
        nvvm_search_headers(use_headers, NULL);
}

static void load(void)
{
    static const struct toolkit_function functions[] = {NVRTC_FUNCTIONS(TOOLKIT_FUNCTION){
            "nvrtcGetErrorString", &library.nvrtcGetErrorString}};
    library.is_loaded = toolkit_load(
            &(struct toolkit_library){.stem = "nvrtc",
                    .use = "to compile CUDA C",
                    .too_old = "NVRTC is older than CUDA 12, which is needed to compile "
                               "CUDA C",
                    .functions = functions,
                    .count = sizeof functions / sizeof *functions},
            &library.error);
    if (library.is_loaded)
        find_headers();
}

static bool ensure_loaded(struct error *err)
{
    pthread_once(&load_once, load);
    return library.is_loaded ||
           error_set(err, library.error.kind, SPAN_NONE, "%s", library.error.message);
}

// The compiler's words are the message: they name file and line.
static bool fail(struct nvrtc_program *program, int result,
        const struct foreign_code *code, struct error *err)
{
    size_t size = 0;
    char *log = NULL;
    if (program && !library.nvrtcGetProgramLogSize(program, &size) && size > 1) {
        log = memory_zalloc(size + 1);
        library.nvrtcGetProgramLog(program, log);
    }
    error_set(err, ERROR_NVVM, SPAN_NONE, "NVRTC could not compile %s: %s", code->name,
            log ? log : library.nvrtcGetErrorString(result));
    free(log);
    return false;
}

enum { MAX_OPTIONS = 40 };

struct options {
    const char *items[MAX_OPTIONS];
    int count;
    char arch[40], *folders; // what `items` points into
};

static void list_folders(struct str *text, const char *variable)
{
    const char *value = getenv(variable);
    while (value && *value) {
        size_t len = strcspn(value, ":");
        if (len)
            str_printf(text, "-I%.*s\n", (int)len, value);
        value += len + (value[len] == ':');
    }
}

// Those of the program first.
static void add_folders(struct options *options)
{
    struct str text = {0};
    list_folders(&text, "NUMBA_CUDA_NVRTC_EXTRA_SEARCH_PATHS");
    list_folders(&text, "NUMBA_CUDA_INCLUDE_PATH");
    options->folders = str_take(&text);
    for (char *at = options->folders; at && *at && options->count < MAX_OPTIONS;) {
        char *end = strchr(at, '\n');
        *end = '\0';
        options->items[options->count++] = at;
        at = end + 1;
    }
}

static void make_options(
        struct options *options, const struct link_target *target, enum foreign_kind kind)
{
    memset(options, 0, sizeof *options);
    snprintf(options->arch, sizeof options->arch, "--gpu-architecture=%s_%d",
            kind == FOREIGN_CUBIN ? "sm" : "compute", target->cc);
    options->items[options->count++] = options->arch;
    options->items[options->count++] = "--relocatable-device-code=true";
    options->items[options->count++] = "--std=c++17";
    if (kind == FOREIGN_LTOIR)
        options->items[options->count++] = "-dlto";
    if (library.include_option[0])
        options->items[options->count++] = library.include_option;
    add_folders(options);
}

static bool take(struct nvrtc_program *program, enum foreign_kind kind, struct str *out)
{
    size_t size = 0;
    int result = kind == FOREIGN_LTOIR   ? library.nvrtcGetLTOIRSize(program, &size)
                 : kind == FOREIGN_CUBIN ? library.nvrtcGetCUBINSize(program, &size)
                                         : library.nvrtcGetPTXSize(program, &size);
    if (result || !size)
        return false;
    char *code = memory_zalloc(size + 1);
    result = kind == FOREIGN_LTOIR   ? library.nvrtcGetLTOIR(program, code)
             : kind == FOREIGN_CUBIN ? library.nvrtcGetCUBIN(program, code)
                                     : library.nvrtcGetPTX(program, code);
    size_t len = kind == FOREIGN_PTX ? strlen(code) : size;
    if (!result)
        str_append_bytes(out, code, len);
    free(code);
    return !result;
}

static bool compile_as(const struct foreign_code *code, const struct link_target *target,
        enum foreign_kind kind, struct str *out, struct error *err)
{
    struct options options;
    struct nvrtc_program *program = NULL;
    struct toolkit_signals signals;
    make_options(&options, target, kind);
    toolkit_signals_keep(&signals);
    int result =
            library.nvrtcCreateProgram(&program, code->data, code->name, 0, NULL, NULL);
    if (!result)
        result = library.nvrtcCompileProgram(program, options.count, options.items);
    bool is_done = !result && take(program, kind, out);
    if (!is_done)
        fail(program, result, code, err);
    if (program)
        library.nvrtcDestroyProgram(&program);
    toolkit_signals_restore(&signals);
    free(options.folders);
    return is_done;
}

// Of a PTX text's `.version` line: 90 for 9.0.
static int version_of(const char *ptx)
{
    int major = 0, minor = 0;
    const char *line = strstr(ptx, ".version ");
    if (line && sscanf(line, ".version %d.%d", &major, &minor) != 2)
        return 0;
    return major * 10 + minor;
}

bool nvrtc_compile(const struct foreign_code *code, const struct link_target *target,
        enum foreign_kind *kind, struct str *out, struct error *err)
{
    if (!ensure_loaded(err))
        return false;
    *kind = target->optimises ? FOREIGN_LTOIR : FOREIGN_PTX;
    if (!compile_as(code, target, *kind, out, err))
        return false;
    bool is_too_new = *kind == FOREIGN_PTX && target->max_ptx_version &&
                      version_of(str_text(out)) > target->max_ptx_version;
    if (!is_too_new)
        return true;
    *kind = FOREIGN_CUBIN; // a driver loads those of its own major version
    str_clear(out);
    return compile_as(code, target, *kind, out, err);
}

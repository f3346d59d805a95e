// SPDX-License-Identifier: MIT
// libnvvm: loading, and one compilation from module to PTX.
#include "compiler/backends/gpu/nvvm/nvvm.h"

#include <assert.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/BitWriter.h>

#include "base/memory.h"
#include "compiler/backends/gpu/llvm7/writer.h"
#include "compiler/backends/gpu/nvvm/search.h"
#include "compiler/backends/gpu/module/ptx_module.h"

typedef struct nvvm_program *nvvm_program;

enum { NVVM_SUCCESS = 0 };

#define NVVM_FUNCTIONS(X)                                                                \
    X(nvvmVersion, (int *major, int *minor))                                             \
    X(nvvmCreateProgram, (nvvm_program * program))                                       \
    X(nvvmDestroyProgram, (nvvm_program * program))                                      \
    X(nvvmAddModuleToProgram,                                                            \
            (nvvm_program program, const char *bytes, size_t len, const char *name))     \
    X(nvvmLazyAddModuleToProgram,                                                        \
            (nvvm_program program, const char *bytes, size_t len, const char *name))     \
    X(nvvmVerifyProgram, (nvvm_program program, int count, const char **options))        \
    X(nvvmCompileProgram, (nvvm_program program, int count, const char **options))       \
    X(nvvmGetCompiledResultSize, (nvvm_program program, size_t * size))                  \
    X(nvvmGetCompiledResult, (nvvm_program program, char *text))                         \
    X(nvvmGetProgramLogSize, (nvvm_program program, size_t * size))                      \
    X(nvvmGetProgramLog, (nvvm_program program, char *text))

// Written once, by load_once; only ptx_version later, to the same value by any thread.
static struct {
    void *handle;
    char *path;
    int version;
    int ptx_version;
    char *libdevice;
    size_t libdevice_len;
    struct error failure; // of the first that is there and is none
    const char *(*nvvmGetErrorString)(int result);
    int (*nvvmLLVMVersion)(const char *arch, int *major); // newer libraries only
#define DECLARE(name, params) int(*name) params;
    NVVM_FUNCTIONS(DECLARE)
#undef DECLARE
} library;
static pthread_once_t library_once = PTHREAD_ONCE_INIT;

static bool find_functions(void *handle)
{
    bool is_complete = true;
#define FIND(name, params)                                                               \
    library.name = dlsym(handle, #name);                                                 \
    is_complete = is_complete && library.name;
    NVVM_FUNCTIONS(FIND)
#undef FIND
    library.nvvmGetErrorString = dlsym(handle, "nvvmGetErrorString");
    library.nvvmLLVMVersion = dlsym(handle, "nvvmLLVMVersion");
    return is_complete && library.nvvmGetErrorString;
}

// Stays loaded once it is complete: its code may run on any thread until the end.
static bool try_library(const char *path, void *data)
{
    void *handle = nvvm_search_open(path, &library.failure);
    if (!handle)
        return false;
    if (!find_functions(handle)) {
        error_set(&library.failure, ERROR_DEVICE_SUPPORT, SPAN_NONE,
                "%s lacks functions of libnvvm", path);
        dlclose(handle);
        return false;
    }
    Dl_info info;
    bool is_known = dladdr((void *)library.nvvmCreateProgram, &info) && info.dli_fname;
    library.handle = handle;
    library.path = memory_strdup(is_known ? info.dli_fname : path);
    return true;
}

static void load_once(void)
{
    if (!nvvm_search_library(try_library, NULL))
        return;
    int major = 0, minor = 0;
    library.nvvmVersion(&major, &minor);
    library.version = major * 100 + minor;
    char *resolved = realpath(library.path, NULL);
    library.libdevice = nvvm_search_libdevice(
            resolved ? resolved : library.path, &library.libdevice_len);
    free(resolved);
}

static atomic_bool is_avoided;

void nvvm_avoid(void)
{
    atomic_store(&is_avoided, true);
}

static bool is_loaded(void)
{
    pthread_once(&library_once, load_once);
    return library.handle != NULL && !atomic_load(&is_avoided);
}

bool nvvm_is_available(struct error *err)
{
    if (is_loaded())
        return true;
    if (atomic_load(&is_avoided))
        return error_set(
                err, ERROR_DEVICE_SUPPORT, SPAN_NONE, "libnvvm has failed before");
    if (library.failure.kind)
        return error_set(err, ERROR_DEVICE_SUPPORT, SPAN_NONE,
                "libnvvm cannot be loaded: %s; GRIDCELL_PTX=nvptx needs none",
                library.failure.message);
    struct str places = {0};
    nvvm_search_describe(&places);
    error_set(err, ERROR_DEVICE_SUPPORT, SPAN_NONE,
            "libnvvm was not found (looked in %s). It is part of NVIDIA's CUDA toolkit, "
            "and of pip install gridcell[cuda]; GRIDCELL_PTX=nvptx needs no toolkit",
            str_text(&places));
    str_finish(&places);
    return false;
}

const char *nvvm_path(void)
{
    return is_loaded() ? library.path : NULL;
}

int nvvm_version(void)
{
    return is_loaded() ? library.version : 0;
}

int nvvm_ptx_version(void)
{
    return library.ptx_version;
}

// The log begins with what went wrong; it may be empty.
static bool fail(nvvm_program program, int result, const char *step, struct error *err)
{
    assert(result != NVVM_SUCCESS);
    size_t size = 0;
    struct str log = {0};
    if (library.nvvmGetProgramLogSize(program, &size) == NVVM_SUCCESS && size > 1) {
        char *text = memory_zalloc(size + 1);
        library.nvvmGetProgramLog(program, text);
        str_printf(&log, "\n%s", text);
        free(text);
    }
    error_set(err, ERROR_NVVM, SPAN_NONE, "libnvvm could not %s the module: %s%s", step,
            library.nvvmGetErrorString(result), str_text(&log));
    str_finish(&log);
    return false;
}

struct source {
    struct str text; // of the writer
    LLVMMemoryBufferRef bitcode;
};

static void source_finish(struct source *source)
{
    str_finish(&source->text);
    if (source->bitcode)
        LLVMDisposeMemoryBuffer(source->bitcode);
}

static const char *source_bytes(const struct source *source, size_t *len)
{
    if (source->bitcode) {
        *len = LLVMGetBufferSize(source->bitcode);
        return LLVMGetBufferStart(source->bitcode);
    }
    *len = source->text.len;
    return str_text(&source->text);
}

// From compute_100 on libnvvm reads today's bitcode; before, only LLVM 7's language.
static bool takes_bitcode(const char *arch, int cc)
{
    int major = 0;
    if (library.nvvmLLVMVersion && library.nvvmLLVMVersion(arch, &major) == NVVM_SUCCESS)
        return major >= 19;
    return cc >= 100;
}

static void add_version(LLVMModuleRef module)
{
    static const char name[] = "nvvmir.version";
    if (LLVMGetNamedMetadataNumOperands(module, name))
        return;
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
    LLVMMetadataRef version[] = {LLVMValueAsMetadata(LLVMConstInt(i32, 2, false)),
            LLVMValueAsMetadata(LLVMConstInt(i32, 0, false))};
    LLVMMetadataRef node = LLVMMDNodeInContext2(context, version, 2);
    LLVMAddNamedMetadataOperand(module, name, LLVMMetadataAsValue(context, node));
}

// From a copy: the module stays as it is, for the other route and for LTO-IR.
static bool make_source(LLVMModuleRef module, bool as_bitcode,
        const struct ptx_options *options, struct source *source, struct error *err)
{
    LLVMModuleRef prepared = ptx_module_prepare(module, NVVM_DATA_LAYOUT, err);
    if (!prepared)
        return false;
    ptx_limit_kernels(prepared, options);
    if (options->as_ltoir)
        ptx_keep_kernels(prepared);
    bool is_made = true;
    if (as_bitcode) {
        ptx_legalize_for_nvvm(prepared);
        add_version(prepared);
        source->bitcode = LLVMWriteBitcodeToMemoryBuffer(prepared);
    } else {
        is_made = llvm7_write(prepared, &source->text, err);
    }
    LLVMDisposeModule(prepared);
    return is_made;
}

// LTO-IR is bytes, not text, and names of foreign code are settled when it is linked:
// only PTX that is complete can be checked for functions that nobody defines.
static bool take_result(nvvm_program program, const struct ptx_options *options,
        struct str *ptx, struct error *err)
{
    size_t size = 0;
    int result = library.nvvmGetCompiledResultSize(program, &size);
    if (result != NVVM_SUCCESS)
        return fail(program, result, "return", err);
    char *text = memory_zalloc(size + 1);
    result = library.nvvmGetCompiledResult(program, text);
    bool is_done = result == NVVM_SUCCESS || fail(program, result, "return", err);
    if (is_done && options->as_ltoir)
        str_append_bytes(ptx, text, size);
    is_done = is_done && (options->as_ltoir || options->has_foreign_code ||
                                 ptx_check_externals(text, err));
    if (is_done && !options->as_ltoir) {
        library.ptx_version = ptx_version(text);
        str_append(ptx, text);
    }
    free(text);
    return is_done;
}

struct arguments {
    char arch[32];
    const char *list[12];
    int count;
};

static void make_arguments(
        struct arguments *arguments, int cc, const struct ptx_options *options)
{
    const char **next = arguments->list;
    snprintf(arguments->arch, sizeof arguments->arch, "-arch=compute_%d", cc);
    *next++ = arguments->arch;
    *next++ = options->optimization >= 1 ? "-opt=3" : "-opt=0"; // it knows no others
    *next++ = options->flush_denormals ? "-ftz=1" : "-ftz=0";
    *next++ = options->approximate_divide ? "-prec-div=0" : "-prec-div=1";
    *next++ = options->approximate_sqrt ? "-prec-sqrt=0" : "-prec-sqrt=1";
    *next++ = options->separate_multiply_add ? "-fma=0" : "-fma=1";
    if (options->as_ltoir)
        *next++ = "-gen-lto";
    arguments->count = (int)(next - arguments->list);
    assert(next - arguments->list <=
            (ptrdiff_t)(sizeof arguments->list / sizeof *arguments->list));
}

// Verifies before it compiles: what verification would reject can end the process.
static bool run_program(nvvm_program program, const struct source *source,
        const struct ptx_options *options, struct arguments *arguments, struct str *ptx,
        struct error *err)
{
    size_t len;
    const char *bytes = source_bytes(source, &len);
    int result = library.nvvmAddModuleToProgram(program, bytes, len, "gridcell");
    if (result != NVVM_SUCCESS)
        return fail(program, result, "read", err);
    if (library.libdevice) {
        result = library.nvvmLazyAddModuleToProgram(
                program, library.libdevice, library.libdevice_len, "libdevice");
        if (result != NVVM_SUCCESS)
            return fail(program, result, "read libdevice for", err);
    }
    result = library.nvvmVerifyProgram(program, arguments->count, arguments->list);
    if (result != NVVM_SUCCESS)
        return fail(program, result, "verify", err);
    result = library.nvvmCompileProgram(program, arguments->count, arguments->list);
    if (result != NVVM_SUCCESS)
        return fail(program, result, "compile", err);
    return take_result(program, options, ptx, err);
}

// Whether the library's options know `arch`, asked with a module of nothing.
static bool knows_architecture(int arch)
{
    static const char nothing[] = "target datalayout = \"" NVVM_DATA_LAYOUT "\"\n"
                                  "target triple = \"" PTX_TRIPLE "\"\n"
                                  "!nvvmir.version = !{!0}\n!0 = !{i32 2, i32 0}\n";
    nvvm_program program = NULL;
    char option[32];
    const char *options[] = {option};
    snprintf(option, sizeof option, "-arch=compute_%d", arch);
    if (library.nvvmCreateProgram(&program) != NVVM_SUCCESS)
        return false;
    bool is_known = library.nvvmAddModuleToProgram(program, nothing, sizeof nothing - 1,
                            "nothing") == NVVM_SUCCESS &&
                    library.nvvmVerifyProgram(program, 1, options) == NVVM_SUCCESS;
    library.nvvmDestroyProgram(&program);
    return is_known;
}

// The newest architecture that the library knows and a device of capability `cc` runs.
static int known_architecture(int cc)
{
    static const int released[] = {121, 120, 110, 103, 100, 90, 89, 88, 87, 86, 80, 75,
            72, 70, 62, 61, 60, 53, 52, 50};
    for (size_t i = 0; i < sizeof released / sizeof *released; i++) {
        if (released[i] <= cc && knows_architecture(released[i]))
            return released[i];
    }
    return 0;
}

bool nvvm_compile(LLVMModuleRef module, int cc, const struct ptx_options *options,
        struct str *ptx, struct error *err)
{
    if (!nvvm_is_available(err))
        return false;
    int arch = known_architecture(cc);
    if (!arch)
        return error_set(err, ERROR_DEVICE_SUPPORT, SPAN_NONE,
                "%s knows no architecture for a device of compute capability %d.%d",
                library.path, cc / 10, cc % 10);
    struct arguments arguments;
    make_arguments(&arguments, arch, options);
    struct source source = {0};
    nvvm_program program = NULL;
    bool as_bitcode = takes_bitcode(arguments.arch + strlen("-arch="), arch);
    bool is_done = make_source(module, as_bitcode, options, &source, err);
    if (is_done) {
        int result = library.nvvmCreateProgram(&program);
        is_done = result == NVVM_SUCCESS
                          ? run_program(program, &source, options, &arguments, ptx, err)
                          : error_set(err, ERROR_NVVM, SPAN_NONE, "libnvvm: %s",
                                    library.nvvmGetErrorString(result));
    }
    if (program)
        library.nvvmDestroyProgram(&program);
    source_finish(&source);
    return is_done;
}

// SPDX-License-Identifier: MIT
// Links the math functions that device code calls by their libdevice names: from
// libdevice, or from the libclc that Debian ships, whose names are those of OpenCL C.
#include <pthread.h>
#include <string.h>

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>

#include "compiler/backends/gpu/nvptx/nvptx.h"
#include "compiler/backends/gpu/nvvm/search.h"
#include "compiler/backends/gpu/module/ptx_module.h"

// Read once, kept: bitcode is parsed lazily from it for each module.
static struct {
    char *libdevice, *libclc;
    size_t libdevice_len, libclc_len;
} bitcode;
static pthread_once_t bitcode_once = PTHREAD_ONCE_INIT;

static void read_bitcode(void)
{
    bitcode.libdevice = nvvm_search_libdevice(NULL, &bitcode.libdevice_len);
    if (!bitcode.libdevice)
        bitcode.libclc = nvvm_search_libclc(&bitcode.libclc_len);
}

static LLVMValueRef next_math_function(LLVMValueRef function)
{
    size_t len;
    for (; function; function = LLVMGetNextFunction(function)) {
        if (LLVMIsDeclaration(function) && LLVMGetFirstUse(function) &&
                str_starts_with(LLVMGetValueName2(function, &len), "__nv_"))
            return function;
    }
    return NULL;
}

// The linker copies linkonce definitions only where they are used, which makes linking
// the few functions of a kernel 20 times faster than linking all.
static void make_definitions_optional(LLVMModuleRef library)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f))
            LLVMSetLinkage(f, LLVMLinkOnceODRLinkage);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(library); g; g = LLVMGetNextGlobal(g)) {
        if (LLVMGetInitializer(g))
            LLVMSetLinkage(g, LLVMInternalLinkage);
    }
}

static void make_linked_internal(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) && LLVMGetLinkage(f) == LLVMLinkOnceODRLinkage)
            LLVMSetLinkage(f, LLVMInternalLinkage);
    }
}

static bool link_bitcode(
        LLVMModuleRef module, const char *bytes, size_t len, struct error *err)
{
    LLVMModuleRef library = NULL;
    LLVMMemoryBufferRef buffer =
            LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes, len, "math");
    if (LLVMGetBitcodeModuleInContext2(LLVMGetModuleContext(module), buffer, &library)) {
        LLVMDisposeMemoryBuffer(buffer); // the module owns it on success only
        return error_set(err, ERROR_NVVM, SPAN_NONE, "libdevice is not readable by LLVM");
    }
    LLVMSetTarget(library, PTX_TRIPLE);
    LLVMSetDataLayout(library, LLVMGetDataLayoutStr(module));
    make_definitions_optional(library);
    if (LLVMLinkModules2(module, library)) // consumes the library
        return error_set(err, ERROR_NVVM, SPAN_NONE, "libdevice does not link");
    make_linked_internal(module);
    return true;
}

static char parameter_code(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMFloatTypeKind:
        return 'f';
    case LLVMDoubleTypeKind:
        return 'd';
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) == 32 ? 'i' : 'l';
    default:
        return '?';
    }
}

// "__nv_powf(float, float)" -> "_Z3powff"; of functions for fast math it has the exact
// ones
static void libclc_name(struct str *out, LLVMValueRef function)
{
    size_t len;
    const char *name = LLVMGetValueName2(function, &len) + strlen("__nv_");
    name += str_starts_with(name, "fast_") ? strlen("fast_") : 0;
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    unsigned count = LLVMCountParams(function);
    len = strlen(name);
    bool is_single = LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMFloatTypeKind;
    if (is_single && len && name[len - 1] == 'f')
        len--;
    str_printf(out, "_Z%zu%.*s", len, (int)len, name);
    for (unsigned i = 0; i < count; i++)
        str_append_char(out, parameter_code(LLVMTypeOf(LLVMGetParam(function, i))));
}

static void rename_for_libclc(LLVMModuleRef module)
{
    LLVMValueRef next;
    LLVMValueRef f = next_math_function(LLVMGetFirstFunction(module));
    for (; f; f = next) {
        next = next_math_function(LLVMGetNextFunction(f));
        struct str name = {0};
        libclc_name(&name, f);
        // libclc's tgamma is wrong by up to a thousand units in the last place
        if (!str_starts_with(str_text(&name), "_Z6tgamma"))
            LLVMSetValueName2(f, name.text, name.len);
        str_finish(&name);
    }
}

bool nvptx_link_math(LLVMModuleRef module, struct error *err)
{
    LLVMValueRef needed = next_math_function(LLVMGetFirstFunction(module));
    if (!needed)
        return true;
    pthread_once(&bitcode_once, read_bitcode);
    if (bitcode.libdevice)
        return link_bitcode(module, bitcode.libdevice, bitcode.libdevice_len, err);
    if (bitcode.libclc) {
        rename_for_libclc(module);
        return link_bitcode(module, bitcode.libclc, bitcode.libclc_len, err);
    }
    size_t len;
    return error_set(err, ERROR_DEVICE_SUPPORT, SPAN_NONE,
            "device code calls '%s', and neither libdevice (of NVIDIA's CUDA toolkit) "
            "nor "
            "libclc-19 is installed",
            LLVMGetValueName2(needed, &len));
}

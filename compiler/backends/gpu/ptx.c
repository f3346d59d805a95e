// SPDX-License-Identifier: MIT
// Chooses the route from a module to PTX.
#include "compiler/backends/gpu/ptx.h"

#include <stdlib.h>
#include <string.h>

#include "base/guard.h"
#include "compiler/backends/gpu/module/ptx_module.h"
#include "compiler/backends/gpu/nvptx/nvptx.h"
#include "compiler/backends/gpu/nvvm/nvvm.h"
#include "compiler/backends/gpu/ptx_cache.h"

static bool is_too_new(int version, const struct ptx_options *options)
{
    return options->max_ptx_version && version > options->max_ptx_version;
}

// libnvvm is told of lines only: where debuggers are to see variables, LLVM's own
// generator is taken.

struct nvvm_call {
    LLVMModuleRef module;
    int cc;
    const struct ptx_options *options;
    struct str text;
    struct error *err;
    bool is_done;
};

static void call_nvvm(void *data)
{
    struct nvvm_call *call = data;
    call->is_done =
            nvvm_compile(call->module, call->cc, call->options, &call->text, call->err);
}

// The library keeps locks of its own: once it has failed amid a call it is not called
// again.
static bool call_nvvm_guarded(struct nvvm_call *call)
{
    if (guard_run(call_nvvm, call))
        return call->is_done;
    nvvm_avoid();
    return error_set(call->err, ERROR_NVVM, SPAN_NONE,
            "libnvvm failed: %s. From now on PTX is made without it", guard_last()->text);
}

// libnvvm's PTX version shows in its output only; once seen it is remembered.
static bool compile_by_nvvm(LLVMModuleRef module, int cc,
        const struct ptx_options *options, struct str *ptx, struct error *err)
{
    struct nvvm_call call = {module, cc, options, {0}, err, false};
    bool is_done = call_nvvm_guarded(&call);
    struct str text = call.text;
    if (is_done && !options->as_ltoir &&
            is_too_new(ptx_version(str_text(&text)), options))
        is_done = error_set(err, ERROR_DEVICE_SUPPORT, SPAN_NONE,
                "libnvvm (%s) writes PTX %d.%d, and the driver takes PTX up to %d.%d: "
                "update "
                "the driver, or set GRIDCELL_PTX=nvptx",
                nvvm_path(), nvvm_ptx_version() / 10, nvvm_ptx_version() % 10,
                options->max_ptx_version / 10, options->max_ptx_version % 10);
    if (is_done)
        str_append_bytes(ptx, str_text(&text), text.len);
    str_finish(&text);
    return is_done;
}

static bool compile_anew(LLVMModuleRef module, int cc, const struct ptx_options *options,
        struct str *ptx, struct error *err)
{
    struct error nvvm_error = {0}, plain_error = {0};
    if (options->suits_llvm && !options->as_ltoir &&
            nvptx_compile(module, cc, options, ptx, &plain_error))
        return true;
    bool is_candidate = (!options->has_variables || options->as_ltoir) &&
                        nvvm_is_available(&nvvm_error) &&
                        !is_too_new(nvvm_ptx_version(), options);
    if (is_candidate && compile_by_nvvm(module, cc, options, ptx, &nvvm_error))
        return true;
    struct error nvptx_error = {0};
    if (nvptx_compile(module, cc, options, ptx, &nvptx_error))
        return true;
    // a program's own fault shows in both: libnvvm's words, unless it was not to be had
    const struct error *shown = is_candidate && nvvm_error.kind != ERROR_DEVICE_SUPPORT
                                        ? &nvvm_error
                                        : &nvptx_error;
    return error_set(err, shown->kind, shown->span, "%s", shown->message);
}

static bool compile_by_default(LLVMModuleRef module, int cc,
        const struct ptx_options *options, struct str *ptx, struct error *err)
{
    struct ptx_key key;
    bool has_key = ptx_cache_key(&key, module, cc, options);
    if (has_key && ptx_cache_get(&key, ptx))
        return true;
    struct str text = {0};
    bool is_done = compile_anew(module, cc, options, &text, err);
    if (is_done && has_key)
        ptx_cache_put(&key, &text);
    if (is_done)
        str_append_bytes(ptx, str_text(&text), text.len);
    str_finish(&text);
    return is_done;
}

bool ptx_compile(LLVMModuleRef module, int cc, const struct ptx_options *options,
        struct str *ptx, struct error *err)
{
    const char *route = getenv("GRIDCELL_PTX");
    if (!route || !*route)
        return compile_by_default(module, cc, options, ptx, err);
    if (strcmp(route, "nvvm") == 0)
        return compile_by_nvvm(module, cc, options, ptx, err);
    if (strcmp(route, "nvptx") == 0)
        return nvptx_compile(module, cc, options, ptx, err);
    return error_set(err, ERROR_VALUE, SPAN_NONE,
            "GRIDCELL_PTX=%s: nvvm or nvptx is meant", route);
}

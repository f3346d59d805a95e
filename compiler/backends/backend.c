// SPDX-License-Identifier: MIT
// What the backends share: the life of `compiled`, names, the table of raise sites,
// verification.
#include "compiler/backends/backend.h"

#include <llvm-c/Analysis.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "compiler/codegen/loops/reach.h"

bool (*compiler_load_llvm)(struct error *err);

void compiler_llvm_version(unsigned *major, unsigned *minor, unsigned *patch)
{
    LLVMGetVersion(major, minor, patch);
}

static const char *copy_text(struct arena *arena, const char *text)
{
    return text ? arena_strdup(arena, text) : NULL;
}

void backend_take_raise_sites(struct compiled *compiled, struct codegen *gen)
{
    exception_define_matchers(gen);
    struct arena *arena = &compiled->private->arena;
    compiled->raise_site_count = gen->raise_sites.len;
    compiled->raise_sites =
            arena_array(arena, struct raise_site, gen->raise_sites.len + 1);
    for (size_t i = 0; i < gen->raise_sites.len; i++) {
        struct raise_site *site = &compiled->raise_sites[i];
        *site = gen->raise_sites.items[i];
        site->class_name = copy_text(arena, site->class_name);
        site->message = copy_text(arena, site->message);
        site->function = copy_text(arena, site->function);
    }
}

bool backend_verify(LLVMModuleRef module, struct error *err)
{
    char *message = NULL;
    bool is_broken = LLVMVerifyModule(module, LLVMReturnStatusAction, &message);
    if (is_broken)
        error_set(err, ERROR_LOWERING, SPAN_NONE, "LLVM: %s", message);
    LLVMDisposeMessage(message);
    return !is_broken;
}

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static bool run_backend(struct compiled *compiled, const struct compile_options *options,
        struct error *err)
{
    switch (options->target) {
    case TARGET_HOST:
        return host_compile(compiled, options, err);
    case TARGET_EMULATOR:
        return emulator_compile(compiled, options, err);
    case TARGET_GPU:
        return gpu_compile(compiled, options, err);
    }
    return error_set(err, ERROR_VALUE, SPAN_NONE, "unknown target");
}

// GRIDCELL_DUMP=ir,llvm,ptx writes what was compiled to stderr.
static void dump(struct compiled *compiled)
{
    const char *wanted = getenv("GRIDCELL_DUMP");
    if (!wanted)
        return;
    if (strstr(wanted, "ir")) {
        struct str text = {0};
        ir_print(compiled->function, &text);
        fputs(str_text(&text), stderr);
        str_finish(&text);
    }
    struct error ignored = {0};
    const char *llvm_ir =
            strstr(wanted, "llvm") ? compiled_llvm(compiled, &ignored) : NULL;
    if (llvm_ir)
        fputs(llvm_ir, stderr);
    if (strstr(wanted, "ptx") && compiled->ptx)
        fputs(compiled->ptx, stderr);
}

struct compiled *compile_resolved(const struct ir_function *function,
        const struct compile_options *options, struct error *err)
{
    double start = now_ms();
    if (compiler_load_llvm && !compiler_load_llvm(err))
        return NULL;
    struct compiled *compiled = memory_zalloc(sizeof *compiled);
    compiled->private = memory_zalloc(sizeof *compiled->private);
    compiled->function = function;
    compiled->target = options->target;
    if (!run_backend(compiled, options, err)) {
        compiled_destroy(compiled);
        return NULL;
    }
    dump(compiled);
    compiled->compile_ms = now_ms() - start;
    return compiled;
}

void compiled_destroy(struct compiled *compiled)
{
    if (!compiled)
        return;
    jit_unload(compiled);
    arena_finish(&compiled->private->arena);
    free(compiled->private);
    free(compiled->ptx);
    free(compiled->ptx_entry);
    free(compiled->joined_entry);
    free(compiled->ltoir);
    free(compiled->llvm_ir);
    free(compiled->asm_text);
    free(compiled->cache_file);
    free(compiled->cache_failure);
    free(compiled);
}

const char *compiled_llvm(struct compiled *compiled, struct error *err)
{
    if (!compiled->llvm_ir && !host_show(compiled, err))
        return NULL;
    return compiled->llvm_ir;
}

const char *compiled_asm(struct compiled *compiled, struct error *err)
{
    if (compiled->ptx)
        return compiled->ptx;
    const char *llvm_ir = compiled->asm_text ? NULL : compiled_llvm(compiled, err);
    if (llvm_ir)
        compiled->asm_text = jit_assembly(llvm_ir, err);
    return compiled->asm_text;
}

value backend_open_function(struct codegen *gen, const char *name, LLVMTypeRef returns,
        LLVMTypeRef *params, unsigned count, const char *const *names)
{
    value wrapper = LLVMAddFunction(
            gen->module, name, LLVMFunctionType(returns, params, count, false));
    codegen_attribute(gen, wrapper, LLVMAttributeFunctionIndex, "nounwind", 0);
    for (unsigned i = 0; i < count; i++)
        LLVMSetValueName2(LLVMGetParam(wrapper, i), names[i], strlen(names[i]));
    LLVMPositionBuilderAtEnd(
            gen->builder, LLVMAppendBasicBlockInContext(gen->context, wrapper, "entry"));
    return wrapper;
}

void backend_take_links(struct compiled *compiled)
{
    struct foreign_list list = {0};
    call_foreign_code(compiled->function, &list);
    compiled->links = arena_array(
            &compiled->private->arena, const struct foreign_code *, list.len + 1);
    if (list.len)
        memcpy(compiled->links, list.items, list.len * sizeof *list.items);
    compiled->link_count = list.len;
    vec_finish(&list);
}

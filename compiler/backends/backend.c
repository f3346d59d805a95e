// SPDX-License-Identifier: MIT
// What the backends share: the table of raise sites, verification, links.
#include "compiler/backends/backend.h"

#include <assert.h>
#include <llvm-c/Analysis.h>
#include <string.h>

#include "compiler/codegen/analysis/reach.h"
#include "compiler/codegen/body/exception.h"

static const char *copy_text(struct arena *arena, const char *text)
{
    return text ? arena_strdup(arena, text) : NULL;
}

// The sites point into the code generator's arena and into the source's tree: the first
// goes now, and the second may go before the code does.
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

// Moves a list to where the compiled kernel keeps it.
#define TAKE(list, count, of)                                                            \
    (count = (of).len, list = arena_copy(&compiled->private->arena, (of).items,          \
                               (of).len * sizeof *(of).items))

void backend_take_observed(struct compiled *compiled, const struct codegen *gen)
{
    TAKE(compiled->observed_sites, compiled->observed_site_count, gen->observed_sites);
    TAKE(compiled->observed_works, compiled->observed_work_count, gen->observed_works);
    TAKE(compiled->observed_loops, compiled->observed_loop_count, gen->observed_loops);
    compiled->observed_part_count = (size_t)gen->observed_part_count;
}

// A module that is broken is our mistake, but one that a program leads to: it is told,
// and the process goes on.
bool backend_verify(LLVMModuleRef module, struct error *err)
{
    char *message = NULL;
    bool is_broken = LLVMVerifyModule(module, LLVMReturnStatusAction, &message);
    if (is_broken)
        error_set(err, ERROR_INTERNAL, SPAN_NONE, "internal: LLVM: %s", message);
    LLVMDisposeMessage(message);
    return !is_broken;
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

static void take_links(struct compiled *compiled)
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

bool backend_find_reach(struct compilation *c)
{
    const struct ir_function *ir = c->compiled->function;
    bool is_gpu = c->options->target == TARGET_GPU;
    c->reach.syncs_grid = c->compiled->is_cooperative = call_syncs_grid(ir);
    c->reach.has_barrier = !is_gpu && call_has_barrier(ir);
    c->reach.is_foreign = is_gpu && call_is_foreign(ir);
    c->reach.can_fail = is_gpu && c->options->debug && call_can_fail(ir);
    take_links(c->compiled);
    return true;
}

bool backend_name_functions(struct compilation *c)
{
    if (c->options->cache || c->options->target == TARGET_GPU)
        backend_number_functions(&c->compiled->private->arena, c->module);
    return true;
}

bool backend_verify_module(struct compilation *c)
{
    assert(c->module);
    return backend_verify(c->module, c->err);
}

// A copy by malloc: LLVM frees its own texts in its own way.
bool backend_keep_text(struct compilation *c)
{
    char *text = LLVMPrintModuleToString(c->module);
    c->compiled->llvm_ir = strdup(text);
    LLVMDisposeMessage(text);
    return true;
}

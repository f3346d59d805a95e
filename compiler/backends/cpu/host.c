// SPDX-License-Identifier: MIT
// Functions and ufunc loops for the CPU, and the wrapper that callers enter a function
// through.
#include "compiler/backends/cpu/host.h"

#include <assert.h>
#include <string.h>

#include "base/arena.h"
#include "compiler/backends/backend.h"
#include "compiler/backends/cpu/code_cache.h"
#include "compiler/backends/cpu/debugged_code.h"
#include "compiler/backends/cpu/jit.h"
#include "compiler/backends/cpu/wrappers.h"
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/declare.h"
#include "compiler/codegen/cuda/debug_info.h"

// Names that are this process's own; those of a portable module are made so later.
static void choose_names(struct compiled *compiled, bool is_portable)
{
    struct compiled_private *private = compiled->private;
    struct arena *arena = &private->arena;
    const char *symbol = compiled->function->symbol;
    const char *part = private->kind == COMPILE_UFUNC      ? "loop"
                       : private->kind == COMPILE_CALLBACK ? "callback"
                                                           : "entry";
    private->shown_symbol = is_portable ? arena_printf(arena, PORTABLE_TAG ".%s",
                                                  backend_plain_name(arena, symbol))
                                        : backend_unique_name(arena, compiled->function);
    private->entry_symbol = arena_printf(arena, "%s.%s", private->shown_symbol, part);
}

static struct callee *declare_user_function(
        struct compiled *compiled, struct codegen *gen)
{
    struct callee *callee =
            codegen_declare(gen, compiled->function, compiled->private->shown_symbol);
    LLVMSetLinkage(callee->function, LLVMExternalLinkage); // kept, to be looked at
    return callee;
}

// i32 entry(result, args): loads the arguments from the block and calls the function.
static void emit_entry(struct codegen *gen, const struct callee *callee, const char *name)
{
    LLVMTypeRef params[2] = {gen->ptr, gen->ptr};
    static const char *const names[2] = {"result", "args"};
    value wrapper = backend_open_function(gen, name, gen->i32, params, 2, names);
    const struct ir_function *ir = callee->ir;
    size_t *offsets = arena_array(&gen->arena, size_t, ir->param_count + 1);
    abi_block_layout(ir->params, ir->param_count, offsets);
    value *args = value_row(gen, LLVMCountParams(callee->function));
    args[0] = LLVMGetParam(wrapper, 0);
    size_t at = 1;
    for (size_t i = 0; i < ir->param_count; i++) {
        value from = value_offset(gen, LLVMGetParam(wrapper, 1), offsets[i]);
        const char *param =
                ir->param_names && ir->param_names[i] ? ir->param_names[i] : "";
        value_load(gen, ir->params[i], from, 0, param, args + at);
        at += type_leaf_count(gen, ir->params[i]);
    }
    assert(at == LLVMCountParams(callee->function));
    value status = LLVMBuildCall2(
            gen->builder, callee->type, callee->function, args, (unsigned)at, "");
    // one copy of the code is enough: the call costs a nanosecond
    codegen_attribute(gen, status, LLVMAttributeFunctionIndex, "noinline", 0);
    LLVMBuildRet(gen->builder, status);
}

// The function first: its callees are declared while it is emitted, and emitted in turn.
static bool emit_module(struct compiled *compiled, struct codegen *gen)
{
    struct callee *callee = declare_user_function(compiled, gen);
    if (!codegen_emit_pending(gen))
        return false;
    if (compiled->private->kind == COMPILE_UFUNC)
        ufunc_emit(gen, callee, compiled->private->entry_symbol);
    else if (compiled->private->kind == COMPILE_CALLBACK)
        callback_emit(
                gen, callee, compiled->private->entry_symbol, compiled->private->owner);
    else
        emit_entry(gen, callee, compiled->private->entry_symbol);
    return !codegen_failed(gen);
}

static const char *file_of(const struct ir_function *function)
{
    return function->source ? function->source->file : NULL;
}

// A portable module must come out the same in each process, to the last name: no number
// of the process, no address. What it refers to outside is numbered in the order of its
// use.
bool host_emit(struct compilation *c)
{
    struct compiled *compiled = c->compiled;
    struct compiled_private *private = compiled->private;
    struct codegen gen;
    if (!jit_start(c->err))
        return false;
    private->kind = c->options->kind;
    private->opt_level = c->opt_level;
    private->owner = c->options->owner;
    choose_names(compiled, c->is_portable);
    c->context = jit_context_create();
    codegen_init(&gen, &target_host, c->context, compiled->function->name, c->err);
    jit_target_module(gen.module);
    if (c->options->debug)
        debug_begin(&gen, file_of(compiled->function), DEBUG_FUNCTIONS);
    gen.is_portable = c->is_portable;
    gen.has_line_hooks = c->options->has_line_hooks;
    gen.analyses = c->analyses;
    bool is_done = emit_module(compiled, &gen);
    backend_take_raise_sites(compiled, &gen);
    private->keeps_code = gen.has_texts;
    // the list goes with the code generator; the cache names these addresses when it
    // loads
    private->outside_count = gen.outside.len;
    private->outside = arena_array(&private->arena, const void *, gen.outside.len + 1);
    if (gen.outside.len)
        memcpy((void *)private->outside, gen.outside.items,
                gen.outside.len * sizeof *gen.outside.items);
    c->module = codegen_finish(&gen, is_done);
    return c->module != NULL;
}

bool host_load(struct compilation *c)
{
    struct compiled *compiled = c->compiled;
    struct compiled_private *private = compiled->private;
    assert(private->entry_symbol && compiled->target == TARGET_HOST);
    // the cache puts names of this process in place of these
    private->code_symbol = private->shown_symbol;
    compiled->symbol = private->entry_symbol;
    if (!(c->is_portable ? code_cache_load(c) : jit_load(c)))
        return false;
    void *address = jit_lookup(private->entry_symbol, c->err);
    if (address)
        debugged_code_tell(private->debugged, private->entry_symbol, (uintptr_t)address);
    if (private->kind == COMPILE_UFUNC)
        compiled->ufunc_loop = (abi_ufunc_loop)address;
    else if (private->kind == COMPILE_CALLBACK)
        compiled->callback = address;
    else
        compiled->entry = (abi_entry)address;
    // asked for now, as a later JIT does not know the name
    if (address)
    private->code_address = jit_lookup(private->code_symbol, c->err);
    return private->code_address != NULL;
}

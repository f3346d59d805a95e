// SPDX-License-Identifier: MIT
// Functions and ufunc loops for the CPU, and the wrapper that callers enter a function
// through.
#include "compiler/backends/backend.h"

#include <string.h>

#include "base/arena.h"

static struct callee *declare_user_function(
        struct compiled *compiled, struct codegen *gen)
{
    struct arena *arena = &compiled->private->arena;
    const char *name = backend_unique_name(arena, compiled->function->symbol);
    compiled->private->shown_symbol = name;
    struct callee *callee = codegen_declare(gen, compiled->function, name);
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
    value status = LLVMBuildCall2(
            gen->builder, callee->type, callee->function, args, (unsigned)at, "");
    // one copy of the code is enough: the call costs a nanosecond
    codegen_attribute(gen, status, LLVMAttributeFunctionIndex, "noinline", 0);
    LLVMBuildRet(gen->builder, status);
}

static bool emit_module(struct compiled *compiled, struct codegen *gen,
        const struct compile_options *options, const char *entry)
{
    struct callee *callee = declare_user_function(compiled, gen);
    if (!codegen_emit_pending(gen))
        return false;
    if (options->kind == COMPILE_UFUNC)
        ufunc_emit(gen, callee, entry);
    else if (options->kind == COMPILE_CALLBACK)
        callback_emit(gen, callee, entry, options->owner);
    else
        emit_entry(gen, callee, entry);
    return !codegen_failed(gen);
}

static bool load_entry(struct compiled *compiled, const struct compile_options *options,
        const char *entry, struct error *err)
{
    void *address = jit_lookup(entry, err);
    if (options->kind == COMPILE_UFUNC)
        compiled->ufunc_loop = (abi_ufunc_loop)address;
    else if (options->kind == COMPILE_CALLBACK)
        compiled->callback = address;
    else
        compiled->entry = (abi_entry)address;
    return address != NULL;
}

bool host_compile(struct compiled *compiled, const struct compile_options *options,
        struct error *err)
{
    if (!jit_start(err))
        return false;
    struct arena *arena = &compiled->private->arena;
    const char *entry = backend_unique_name(
            arena, arena_printf(arena, "%s.%s", compiled->function->symbol,
                           options->kind == COMPILE_UFUNC      ? "loop"
                           : options->kind == COMPILE_CALLBACK ? "callback"
                                                               : "entry"));
    LLVMContextRef context = LLVMContextCreate();
    struct codegen gen;
    codegen_init(&gen, &target_host, context, compiled->function->name, err);
    jit_target_module(gen.module);
    bool is_done = emit_module(compiled, &gen, options, entry);
    backend_take_raise_sites(compiled, &gen);
    compiled->private->keeps_code = gen.has_texts;
    LLVMModuleRef module = codegen_finish(&gen, is_done);
    if (module && (!backend_verify(module, err) ||
                          !jit_optimise(compiled, module, options->opt_level, err))) {
        LLVMDisposeModule(module);
        module = NULL;
    }
    compiled->symbol = entry;
    is_done = module && jit_load(compiled, module, err) &&
              load_entry(compiled, options, entry, err);
    LLVMContextDispose(context);
    return is_done;
}

void *compiled_code(const struct compiled *compiled, struct error *err)
{
    return jit_lookup(compiled->private->shown_symbol, err);
}

// SPDX-License-Identifier: MIT
// Functions of the module: their types, names of parameters, and what LLVM is told of
// them.
#include "compiler/codegen/analysis/reach.h"
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/body/declare.h"
#include "compiler/codegen/body/ownership.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

// The LLVM type of an IR function: result pointer, hidden parameters, leaves of the
// parameters.
static LLVMTypeRef function_type(struct codegen *gen, const struct ir_function *ir)
{
    size_t count = 1 + gen->target->hidden_count;
    for (size_t i = 0; i < ir->param_count; i++)
        count += type_leaf_count(gen, ir->params[i]);
    LLVMTypeRef *types = arena_array(&gen->arena, LLVMTypeRef, count);
    types[0] = gen->ptr;
    const char *names[4];
    if (gen->target->hidden_count)
        gen->target->hidden_types(gen, types + 1, names);
    size_t at = 1 + gen->target->hidden_count;
    for (size_t i = 0; i < ir->param_count; i++) {
        const struct leaf_list *leaves = type_leaves(gen, ir->params[i]);
        for (size_t j = 0; j < leaves->len; j++)
            types[at++] = type_llvm(gen, leaves->items[j].type);
    }
    return LLVMFunctionType(gen->i32, types, (unsigned)count, 0);
}

static void name_params(struct codegen *gen, const struct ir_function *ir, value function)
{
    LLVMTypeRef types[4];
    const char *names[4] = {NULL};
    if (gen->target->hidden_count)
        gen->target->hidden_types(gen, types, names);
    LLVMSetValueName2(LLVMGetParam(function, 0), "result", 6);
    unsigned at = 1;
    for (size_t i = 0; i < gen->target->hidden_count; i++, at++)
        LLVMSetValueName2(LLVMGetParam(function, at), names[i], strlen(names[i]));
    for (size_t i = 0; i < ir->param_count; i++) {
        const char *base =
                ir->param_names && ir->param_names[i] ? ir->param_names[i] : "arg";
        const struct leaf_list *leaves = type_leaves(gen, ir->params[i]);
        for (size_t j = 0; j < leaves->len; j++, at++) {
            char name[128];
            int len =
                    snprintf(name, sizeof name, "%.80s%s", base, leaves->items[j].suffix);
            LLVMSetValueName2(LLVMGetParam(function, at), name, (size_t)len);
        }
    }
}

// How much time LLVM may take for a function of the library.
static void limit_effort(
        struct codegen *gen, value function, const struct source_options *options)
{
    static const char *const names[] = {"optnone", "minsize", "optsize"};
    if (options->is_inlined || options->is_part_of_callers)
        codegen_attribute(gen, function, LLVMAttributeFunctionIndex, "alwaysinline", 0);
    if (!options->is_small && !options->is_compact)
        return;
    codegen_attribute(gen, function, LLVMAttributeFunctionIndex, "noinline", 0);
    for (size_t i = 0; i < 3; i++)
        if (options->is_small == (i == 0))
            codegen_attribute(gen, function, LLVMAttributeFunctionIndex, names[i], 0);
}

static struct callee *declare(
        struct codegen *gen, const struct ir_function *ir, const char *name)
{
    assert(ir->is_resolved && ir->returns);
    struct callee *callee = arena_new(&gen->arena, struct callee);
    callee->ir = ir;
    callee->type = function_type(gen, ir);
    callee->function = LLVMAddFunction(gen->module, name, callee->type);
    callee->can_fail = call_can_fail(ir);
    LLVMSetLinkage(callee->function, LLVMInternalLinkage);
    codegen_attribute(gen, callee->function, LLVMAttributeFunctionIndex, "nounwind", 0);
    if (gen->counting) // lanes that come to it together must do so
        codegen_attribute(
                gen, callee->function, LLVMAttributeFunctionIndex, "convergent", 0);
    if (ir->source)
        limit_effort(gen, callee->function, &ir->source->options);
    name_params(gen, ir, callee->function);
    vec_push(&gen->pending, callee);
    return callee;
}

// The first call of a callee lists it; codegen_emit_pending emits it after the body that
// is being emitted, as there is one builder. `name` counts for the first call only.
struct callee *codegen_declare(
        struct codegen *gen, const struct ir_function *ir, const char *name)
{
    struct callee *callee = map_get_bytes(&gen->functions, &ir, sizeof ir);
    if (callee)
        return callee;
    callee = declare(gen, ir, name);
    map_set_bytes(&gen->functions, &ir, sizeof ir, callee);
    callee->borrows = !strcmp(name, ir->symbol) && ownership_returns_borrowed(gen, ir);
    return callee;
}

struct callee *codegen_declare_copy(struct codegen *gen, const struct ir_function *ir,
        const struct argument_facts *facts)
{
    struct callee *callee = declare(gen, ir, ir->symbol);
    callee->facts = facts;
    return callee;
}

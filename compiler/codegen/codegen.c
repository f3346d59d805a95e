// SPDX-License-Identifier: MIT
// A module from its opening to its end, and the list of functions that are still to be
// emitted.
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/declare.h"
#include "compiler/codegen/body/observe.h"
#include "compiler/codegen/calls/generator.h"
#include "compiler/codegen/codegen.h"
#include "compiler/codegen/control.h"
#include "compiler/codegen/cuda/debug_info.h"

#include <assert.h>
#include <string.h>

void codegen_init(struct codegen *gen, const struct target *target,
        LLVMContextRef context, const char *name, struct error *err)
{
    *gen = (struct codegen){.context = context,
            .target = target,
            .is_interruptible = target->stop_flag != NULL,
            .err = err,
            .prefix = name,
            .emitter = &control_emitter};
    gen->module = LLVMModuleCreateWithNameInContext(name, context);
    gen->builder = LLVMCreateBuilderInContext(context);
    gen->i1 = LLVMInt1TypeInContext(context);
    gen->i8 = LLVMInt8TypeInContext(context);
    gen->i16 = LLVMInt16TypeInContext(context);
    gen->i32 = LLVMInt32TypeInContext(context);
    gen->i64 = LLVMInt64TypeInContext(context);
    gen->f16 = LLVMHalfTypeInContext(context);
    gen->f32 = LLVMFloatTypeInContext(context);
    gen->f64 = LLVMDoubleTypeInContext(context);
    gen->ptr = LLVMPointerTypeInContext(context, 0);
    gen->void_type = LLVMVoidTypeInContext(context);
    if (target->triple)
        LLVMSetTarget(gen->module, target->triple);
    if (target->data_layout)
        LLVMSetDataLayout(gen->module, target->data_layout);
}

// Lists the declarations that no use keeps alive until vectorisation.
static void keep_declarations(struct codegen *gen)
{
    if (!gen->kept.len)
        return;
    value list = LLVMConstArray2(gen->ptr, gen->kept.items, gen->kept.len);
    value used = LLVMAddGlobal(gen->module, LLVMTypeOf(list), "llvm.compiler.used");
    LLVMSetLinkage(used, LLVMAppendingLinkage);
    LLVMSetSection(used, "llvm.metadata");
    LLVMSetInitializer(used, list);
}

LLVMModuleRef codegen_finish(struct codegen *gen, bool take)
{
    LLVMModuleRef module = gen->module;
    debug_finish(gen);
    if (take)
        keep_declarations(gen);
    else
        LLVMDisposeModule(module);
    LLVMDisposeBuilder(gen->builder);
    map_finish(&gen->leaf_lists);
    map_finish(&gen->functions);
    map_finish(&gen->file_names);
    map_finish(&gen->shared_arrays);
    vec_finish(&gen->pending);
    vec_finish(&gen->raise_sites);
    vec_finish(&gen->observed_sites);
    vec_finish(&gen->observed_works);
    vec_finish(&gen->observed_loops);
    map_finish(&gen->observed_parts);
    vec_finish(&gen->kept);
    vec_finish(&gen->matchers);
    vec_finish(&gen->outside);
    arena_finish(&gen->arena);
    gen->module = NULL;
    return take ? module : NULL;
}

// What the body uses for a leaf of its arguments, which the LLVM parameter brings.
// The caller's own value where that is a constant, and one value for leaves that are the
// same: then an extent is known again that the body has by two ways.
static value argument(const struct callee *callee, unsigned leaf, unsigned param)
{
    const struct argument_facts *facts = callee->facts;
    if (!facts)
        return LLVMGetParam(callee->function, param);
    if (facts->constants[leaf])
        return facts->constants[leaf];
    return LLVMGetParam(callee->function, param - leaf + facts->same[leaf]);
}

static void emit_callee(struct codegen *gen, struct callee *callee)
{
    if (callee->ir->is_generator) {
        generator_emit(gen, callee);
        return;
    }
    size_t hidden = gen->target->hidden_count;
    unsigned count = LLVMCountParams(callee->function);
    assert(callee->function && !LLVMGetFirstBasicBlock(callee->function));
    struct body body = {.gen = gen,
            .ir = callee->ir,
            .function = callee->function,
            .mode = RETURN_STATUS,
            .result = LLVMGetParam(callee->function, 0)};
    for (size_t i = 0; i < hidden; i++)
        body.hidden[i] = LLVMGetParam(callee->function, (unsigned)(1 + i));
    body.args = value_row(gen, count);
    body.facts = callee->facts;
    for (unsigned i = 1 + (unsigned)hidden; i < count; i++)
        body.args[i - 1 - hidden] = argument(callee, i - 1 - (unsigned)hidden, i);
    body.allocas = body_block(&body, "entry");
    LLVMPositionBuilderAtEnd(gen->builder, body.allocas);
    // lanes that count wait for each other: none may be stopped amid it
    bool is_interruptible = gen->is_interruptible;
    gen->is_interruptible = is_interruptible && !observe_is_counting(gen, callee->ir);
    body_emit(&body);
    gen->is_interruptible = is_interruptible;
}

// Emitting one may list others. The order is that of a stack, and decides the order of
// functions in the module: it must not depend on addresses (code on disk, by content).
bool codegen_emit_pending(struct codegen *gen)
{
    while (gen->pending.len && !codegen_failed(gen)) {
        struct callee *callee = vec_pop(&gen->pending);
        emit_callee(gen, callee);
    }
    return !codegen_failed(gen);
}

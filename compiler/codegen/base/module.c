// SPDX-License-Identifier: MIT
// The module under construction: its context, declarations, table of raise sites, and the
// list of functions still to be emitted.
#include "compiler/codegen/codegen.h"
#include "compiler/codegen/cuda/debug_info.h"
#include "compiler/codegen/analysis/reach.h"

#include <stdio.h>
#include <string.h>

void codegen_init(struct codegen *gen, const struct target *target,
        LLVMContextRef context, const char *name, struct error *err)
{
    *gen = (struct codegen){
            .context = context, .target = target, .err = err, .prefix = name};
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
    vec_finish(&gen->kept);
    vec_finish(&gen->matchers);
    vec_finish(&gen->outside);
    arena_finish(&gen->arena);
    gen->module = NULL;
    return take ? module : NULL;
}

bool codegen_failed(const struct codegen *gen)
{
    return gen->err->kind != ERROR_NONE;
}

bool codegen_fail(struct codegen *gen, enum error_kind kind, struct span span,
        const char *format, ...)
{
    va_list args;
    va_start(args, format);
    error_set_va(gen->err, kind, span, format, args);
    va_end(args);
    return false;
}

void codegen_attribute(struct codegen *gen, value function, unsigned index,
        const char *name, uint64_t argument)
{
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAttributeRef attribute = LLVMCreateEnumAttribute(gen->context, kind, argument);
    if (LLVMIsAFunction(function))
        LLVMAddAttributeAtIndex(function, index, attribute);
    else
        LLVMAddCallSiteAttribute(function, index, attribute);
}

value codegen_external(struct codegen *gen, const char *name, LLVMTypeRef returns,
        const LLVMTypeRef *params, unsigned count)
{
    value function = LLVMGetNamedFunction(gen->module, name);
    if (function)
        return function;
    LLVMTypeRef type = LLVMFunctionType(returns, (LLVMTypeRef *)params, count, 0);
    function = LLVMAddFunction(gen->module, name, type);
    codegen_attribute(gen, function, LLVMAttributeFunctionIndex, "nounwind", 0);
    return function;
}

value codegen_call(struct codegen *gen, value function, const value *args, unsigned count,
        const char *name)
{
    return LLVMBuildCall2(gen->builder, LLVMGlobalGetValueType(function), function,
            (value *)args, count, name);
}

value codegen_intrinsic(struct codegen *gen, const char *name, LLVMTypeRef *overloads,
        size_t overload_count, const value *args, unsigned count, const char *result_name)
{
    unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
    value function =
            LLVMGetIntrinsicDeclaration(gen->module, id, overloads, overload_count);
    return codegen_call(gen, function, args, count, result_name);
}

int codegen_raise_site(struct body *body, enum error_kind kind, const char *class_name,
        void *class_object, const char *message, struct span span)
{
    struct codegen *gen = body->gen;
    const char *function = body->ir->qualname ? body->ir->qualname : body->ir->name;
    vec_push(&gen->raise_sites, (struct raise_site){.kind = kind,
                                        .class_name = class_name,
                                        .class_object = class_object,
                                        .message = message,
                                        .function = function,
                                        .span = span});
    return (int)gen->raise_sites.len;
}

value codegen_text(struct codegen *gen, const char *text, size_t len)
{
    value bytes = LLVMConstStringInContext2(gen->context, text, len, false);
    value global = LLVMAddGlobal(gen->module, LLVMTypeOf(bytes), "text");
    LLVMSetInitializer(global, bytes);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
    return global;
}

// A symbol of no known size or alignment, so that LLVM concludes nothing from either.
static value outside_symbol(struct codegen *gen, size_t number)
{
    char name[64];
    snprintf(name, sizeof name, PORTABLE_TAG ".%zu", number);
    value symbol = LLVMGetNamedGlobal(gen->module, name);
    if (symbol)
        return symbol;
    LLVMTypeRef type = LLVMGetTypeByName2(gen->context, "outside");
    if (!type)
        type = LLVMStructCreateNamed(gen->context, "outside");
    return LLVMAddGlobal(gen->module, type, name);
}

value codegen_address(struct codegen *gen, const void *object)
{
    if (!object)
        return LLVMConstNull(gen->ptr);
    if (!gen->is_portable)
        return LLVMConstIntToPtr(value_i64(gen, (int64_t)(intptr_t)object), gen->ptr);
    size_t number = 0;
    while (number < gen->outside.len && gen->outside.items[number] != object)
        number++;
    if (number == gen->outside.len)
        vec_push(&gen->outside, object);
    return outside_symbol(gen, number);
}

value codegen_file_name(struct codegen *gen, const char *file)
{
    if (!gen->is_portable)
        return codegen_text(gen, file, strlen(file));
    const char *known = map_get(&gen->file_names, file);
    if (!known)
        map_set(&gen->file_names, file, (void *)file);
    return codegen_address(gen, known ? known : file);
}

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
    if (options->is_inlined)
        codegen_attribute(gen, function, LLVMAttributeFunctionIndex, "alwaysinline", 0);
    if (!options->is_small && !options->is_compact)
        return;
    codegen_attribute(gen, function, LLVMAttributeFunctionIndex, "noinline", 0);
    for (size_t i = 0; i < 3; i++)
        if (options->is_small == (i == 0))
            codegen_attribute(gen, function, LLVMAttributeFunctionIndex, names[i], 0);
}

struct callee *codegen_declare(
        struct codegen *gen, const struct ir_function *ir, const char *name)
{
    struct callee *callee = map_get_bytes(&gen->functions, &ir, sizeof ir);
    if (callee)
        return callee;
    callee = arena_new(&gen->arena, struct callee);
    callee->ir = ir;
    callee->type = function_type(gen, ir);
    callee->function = LLVMAddFunction(gen->module, name, callee->type);
    callee->can_fail = call_can_fail(ir);
    LLVMSetLinkage(callee->function, LLVMInternalLinkage);
    codegen_attribute(gen, callee->function, LLVMAttributeFunctionIndex, "nounwind", 0);
    if (ir->source)
        limit_effort(gen, callee->function, &ir->source->options);
    name_params(gen, ir, callee->function);
    map_set_bytes(&gen->functions, &ir, sizeof ir, callee);
    vec_push(&gen->pending, callee);
    callee->borrows = !strcmp(name, ir->symbol) && ownership_returns_borrowed(gen, ir);
    return callee;
}

static void emit_callee(struct codegen *gen, struct callee *callee)
{
    if (callee->ir->is_generator) {
        generator_emit(gen, callee);
        return;
    }
    size_t hidden = gen->target->hidden_count;
    unsigned count = LLVMCountParams(callee->function);
    struct body body = {.gen = gen,
            .ir = callee->ir,
            .function = callee->function,
            .mode = RETURN_STATUS,
            .result = LLVMGetParam(callee->function, 0)};
    for (size_t i = 0; i < hidden; i++)
        body.hidden[i] = LLVMGetParam(callee->function, (unsigned)(1 + i));
    body.args = value_row(gen, count);
    for (unsigned i = 1 + (unsigned)hidden; i < count; i++)
        body.args[i - 1 - hidden] = LLVMGetParam(callee->function, i);
    body.allocas = body_block(&body, "entry");
    LLVMPositionBuilderAtEnd(gen->builder, body.allocas);
    body_emit(&body);
}

bool codegen_emit_pending(struct codegen *gen)
{
    while (gen->pending.len && !codegen_failed(gen)) {
        struct callee *callee = vec_pop(&gen->pending);
        emit_callee(gen, callee);
    }
    return !codegen_failed(gen);
}

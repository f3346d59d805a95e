// SPDX-License-Identifier: MIT
// Regular intrinsics as their rows in compiler/types/intrinsics.def say: an intrinsic of
// LLVM, a line of PTX, a function of the run-time support or an emitter from here.
#include "compiler/types/intrinsics.h"

#include <assert.h>
#include <string.h>

#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/cuda/cuda.h"

enum { MOST_ARGUMENTS = INTRINSIC_MOST_OPERANDS + 1 };

static value emit_fence(struct codegen *gen)
{
    return LLVMBuildFence(
            gen->builder, LLVMAtomicOrderingSequentiallyConsistent, false, "");
}

// What `elsewhere` may name besides intrinsics of LLVM and support functions.
static const struct {
    const char *name;
    value (*emit)(struct codegen *gen);
} EMITTERS[] = {{"fence", emit_fence}};

// The letter of an operand of inline assembly.
static char register_class(struct codegen *gen, LLVMTypeRef type)
{
    return type == gen->f32 ? 'f' : type == gen->f64 ? 'd' : type == gen->i64 ? 'l' : 'r';
}

// "=r,r,l": of the result, if there is one, and the operands.
static value assembly(struct codegen *gen, const char *text, LLVMTypeRef returns,
        value *args, unsigned count)
{
    char constraints[2 * MOST_ARGUMENTS + 4] = "", *end = constraints;
    if (returns != gen->void_type) {
        *end++ = '=';
        *end++ = register_class(gen, returns);
        *end++ = ',';
    }
    for (unsigned i = 0; i < count; i++) {
        *end++ = register_class(gen, LLVMTypeOf(args[i]));
        *end++ = ',';
    }
    if (end > constraints)
        end[-1] = 0;
    return gpu_assembly(gen, text, constraints, returns, args, count, false);
}

// Whether the signature has a type that follows the operand's, for which LLVM's
// intrinsic is overloaded then.
static bool is_generic(const struct intrinsic *row)
{
    return strpbrk(row->signature, "WNR") != NULL;
}

// "llvm.name" or "llvm.name false"
static value llvm_intrinsic(struct codegen *gen, const struct intrinsic *row,
        const char *text, LLVMTypeRef returns, value *args, unsigned count)
{
    char name[64];
    size_t len = strcspn(text, " ");
    assert(len < sizeof name);
    memcpy(name, text, len);
    name[len] = 0;
    LLVMTypeRef overload = count ? LLVMTypeOf(args[0]) : returns;
    if (text[len])
        args[count++] = value_bool(gen, false);
    return codegen_intrinsic(gen, name, &overload, is_generic(row), args, count, "");
}

static value elsewhere(struct codegen *gen, const char *text, LLVMTypeRef returns,
        const value *args, unsigned count)
{
    for (size_t i = 0; i < sizeof EMITTERS / sizeof *EMITTERS; i++)
        if (!strcmp(text, EMITTERS[i].name))
            return EMITTERS[i].emit(gen);
    LLVMTypeRef types[MOST_ARGUMENTS];
    for (unsigned i = 0; i < count; i++)
        types[i] = LLVMTypeOf(args[i]);
    return codegen_call(
            gen, codegen_external(gen, text, returns, types, count), args, count, "");
}

void intrinsic_primitive(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    const struct intrinsic *row = ir_intrinsic(instr->primitive);
    assert(row);
    bool is_gpu = gen->target->kind == TARGET_GPU, is_void = instr->type == type_none;
    const char *text = is_gpu ? row->gpu : row->elsewhere;
    LLVMTypeRef returns = is_void ? gen->void_type : type_llvm(gen, instr->type);
    value args[MOST_ARGUMENTS], result;
    unsigned count = (unsigned)instr->operand_count;
    assert(count == intrinsic_operand_count(row) && (*text || is_void));
    for (unsigned i = 0; i < count; i++)
        args[i] = operand(body, instr, i)[0];
    if (!*text)
        return;
    if (!strncmp(text, "llvm.", strlen("llvm.")))
        result = llvm_intrinsic(gen, row, text, returns, args, count);
    else if (is_gpu)
        result = assembly(gen, text, returns, args, count);
    else
        result = elsewhere(gen, text, returns, args, count);
    if (!is_void)
        out[0] = result;
}

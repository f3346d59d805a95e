// SPDX-License-Identifier: MIT
// Math primitives: LLVM's own where it has an instruction for them, else the target's
// library.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/values/math.h"

#include <stdio.h>

#include "base/machine.h"

// Those that LLVM has as "llvm." and their name.
static bool is_intrinsic(enum ir_primitive primitive)
{
    switch (primitive) {
    case PRIMITIVE_MATH_SQRT:
    case PRIMITIVE_MATH_FABS:
    case PRIMITIVE_MATH_FLOOR:
    case PRIMITIVE_MATH_CEIL:
    case PRIMITIVE_MATH_TRUNC:
    case PRIMITIVE_MATH_RINT:
    case PRIMITIVE_MATH_COPYSIGN:
    case PRIMITIVE_MATH_FMA:
        return true;
    default:
        return false;
    }
}

static value intrinsic_call(struct body *body, enum ir_primitive primitive,
        const struct type *type, const value *args, unsigned count)
{
    char name[64];
    LLVMTypeRef overload = type_llvm(body->gen, type);
    snprintf(name, sizeof name, "llvm.%s", ir_primitive_name(primitive));
    return fp(body, codegen_intrinsic(body->gen, name, &overload, 1, args, count, ""));
}

// libdevice's quick function for what fast math asks of a GPU; false where it has none.
static bool fast_symbol(
        struct body *body, enum ir_primitive primitive, int bits, char *name, size_t size)
{
    static const struct {
        enum ir_primitive primitive;
        const char *name;
    } functions[] = {{PRIMITIVE_MATH_SIN, "sin"}, {PRIMITIVE_MATH_COS, "cos"},
            {PRIMITIVE_MATH_TAN, "tan"}, {PRIMITIVE_MATH_EXP, "exp"},
            {PRIMITIVE_MATH_LOG, "log"}, {PRIMITIVE_MATH_LOG2, "log2"},
            {PRIMITIVE_MATH_LOG10, "log10"}, {PRIMITIVE_MATH_POW, "pow"}};
    if (bits != 32 || !body->options->fastmath || body->gen->target->kind != TARGET_GPU)
        return false;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (functions[i].primitive == primitive) {
            snprintf(name, size, "__nv_fast_%sf", functions[i].name);
            return true;
        }
    }
    return false;
}

static value library_call(struct body *body, enum ir_primitive primitive,
        const struct type *type, const value *args, unsigned count)
{
    struct codegen *gen = body->gen;
    char name[64];
    if (!fast_symbol(body, primitive, type->bits, name, sizeof name))
        gen->target->math_symbol(primitive, type->bits, name, sizeof name);
    LLVMTypeRef params[3];
    for (unsigned i = 0; i < count; i++)
        params[i] = LLVMTypeOf(args[i]);
    bool is_new = !LLVMGetNamedFunction(gen->module, name);
    value function = codegen_external(gen, name, type_llvm(gen, type), params, count);
    if (is_new) {
        codegen_attribute(gen, function, LLVMAttributeFunctionIndex, "willreturn", 0);
        codegen_attribute(gen, function, LLVMAttributeFunctionIndex, "memory", 0);
        if (gen->target->describe_math)
            gen->target->describe_math(gen, function, primitive, type->bits, count);
    }
    return fp(body, codegen_call(gen, function, args, count, ""));
}

// float16 has no library: computed in float32; fma, for the sake of its one rounding, in
// float64.
static value half_call(
        struct body *body, enum ir_primitive primitive, const value *args, unsigned count)
{
    struct codegen *gen = body->gen;
    const struct type *type =
            primitive == PRIMITIVE_MATH_FMA ? type_float64 : type_float32;
    value wide[3];
    for (unsigned i = 0; i < count; i++)
        wide[i] = LLVMTypeOf(args[i]) == gen->f16 ? LLVMBuildFPExt(gen->builder, args[i],
                                                            type_llvm(gen, type), "")
                                                  : args[i];
    value result = math_call(body, primitive, type, wide, count);
    return LLVMBuildFPTrunc(gen->builder, result, gen->f16, "");
}

// What GPUs do with halves in one instruction, as libnvvm has no intrinsics for it.
static value half_on_gpu(
        struct codegen *gen, enum ir_primitive primitive, const value *args)
{
    LLVMBuilderRef b = gen->builder;
    value bits[3];
    if (primitive != PRIMITIVE_MATH_FMA && primitive != PRIMITIVE_MATH_FABS)
        return NULL;
    unsigned count = primitive == PRIMITIVE_MATH_FMA ? 3 : 1;
    for (unsigned i = 0; i < count; i++)
        bits[i] = LLVMBuildBitCast(b, args[i], gen->i16, "");
    value result =
            count == 3 ? gpu_assembly(gen, "fma.rn.f16 $0, $1, $2, $3;", "=h,h,h,h",
                                 gen->i16, bits, count, false)
                       : LLVMBuildAnd(b, bits[0], LLVMConstInt(gen->i16, 0x7fff, 0), "");
    return LLVMBuildBitCast(b, result, gen->f16, "");
}

// SLEEF's log1p is infinite from 2**1023 on, or 2**127: log(x) is taken of a part of x
// there, beside which the 1 is nothing.
static value log1p_call(struct body *body, const struct type *type, value x)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    bool is_single = type->bits == 32;
    value limit = value_float(gen, type, is_single ? 0x1p120 : 0x1p1000);
    value part = value_float(gen, type, is_single ? 0x1p-40 : 0x1p-400);
    value rest = value_float(gen, type, (is_single ? 40 : 400) * 0.69314718055994530942);
    value is_large = LLVMBuildFCmp(b, LLVMRealOGT, x, limit, "");
    value reduced = value_select(gen, is_large, LLVMBuildFMul(b, x, part, ""), x);
    value result = library_call(body, PRIMITIVE_MATH_LOG1P, type, &reduced, 1);
    return value_select(gen, is_large, LLVMBuildFAdd(b, result, rest, ""), result);
}

// SLEEF's sinh and cosh are infinite from where exp() is, though they are half of it: of
// numbers nearby that of 1 less is taken, e times.
static value hyperbolic_call(
        struct body *body, enum ir_primitive primitive, const struct type *type, value x)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value limit = value_float(gen, type, type->bits == 32 ? 88.0 : 709.0);
    value args[2] = {value_float(gen, type, 1.0), x};
    value size = intrinsic_call(body, PRIMITIVE_MATH_FABS, type, &x, 1);
    value unit = intrinsic_call(body, PRIMITIVE_MATH_COPYSIGN, type, args, 2);
    value is_large = LLVMBuildFCmp(b, LLVMRealOGT, size, limit, "");
    value reduced = value_select(gen, is_large, LLVMBuildFSub(b, x, unit, ""), x);
    value result = library_call(body, primitive, type, &reduced, 1);
    value grown =
            LLVMBuildFMul(b, result, value_float(gen, type, 2.71828182845904523536), "");
    return value_select(gen, is_large, grown, result);
}

value math_call(struct body *body, enum ir_primitive primitive, const struct type *type,
        const value *args, unsigned count)
{
    bool is_half_on_gpu = type->bits == 16 && body->gen->target->kind == TARGET_GPU;
    if (is_intrinsic(primitive) && !is_half_on_gpu) // libnvvm has those of 32 and 64 bits
        return intrinsic_call(body, primitive, type, args, count);
    if (type->bits == 16) {
        value result = is_half_on_gpu ? half_on_gpu(body->gen, primitive, args) : NULL;
        return result ? result : half_call(body, primitive, args, count);
    }
    if (primitive == PRIMITIVE_MATH_LOG1P && body->gen->target->describe_math)
        return log1p_call(body, type, args[0]);
    bool is_hyperbolic =
            primitive == PRIMITIVE_MATH_SINH || primitive == PRIMITIVE_MATH_COSH;
    if (is_hyperbolic && body->gen->target->describe_math)
        return hyperbolic_call(body, primitive, type, args[0]);
    if (primitive == PRIMITIVE_MATH_FMOD && body->gen->target->kind == TARGET_HOST &&
            machine_has_fma())
        return math_remainder(body, type, args, library_call);
    return library_call(body, primitive, type, args, count);
}

// Classification must see NaN and infinities even where fast math assumes them away.
static value classify(
        struct body *body, enum ir_primitive primitive, const struct type *type, value x)
{
    struct codegen *gen = body->gen;
    if (primitive == PRIMITIVE_MATH_ISNAN)
        return LLVMBuildFCmp(gen->builder, LLVMRealUNO, x, x, "");
    LLVMTypeRef overload = type_llvm(gen, type);
    value size = codegen_intrinsic(gen, "llvm.fabs", &overload, 1, &x, 1, "");
    value infinity = value_float(gen, type, __builtin_inf());
    LLVMRealPredicate predicate =
            primitive == PRIMITIVE_MATH_ISINF ? LLVMRealOEQ : LLVMRealOLT;
    return LLVMBuildFCmp(gen->builder, predicate, size, infinity, "");
}

void math_primitive(struct body *body, const struct ir_instr *instr, value *out)
{
    value args[3];
    const struct type *type = instr->operands[0]->type;
    for (size_t i = 0; i < instr->operand_count && i < 3; i++)
        args[i] = operand(body, instr, i)[0];
    if (type->kind != TYPE_FLOAT) {
        codegen_fail(body->gen, ERROR_INTERNAL, instr->span, "%s of %s",
                ir_primitive_name(instr->primitive), type->name);
        out[0] = args[0];
    } else if (instr->primitive >= PRIMITIVE_MATH_ISNAN) {
        out[0] = classify(body, instr->primitive, type, args[0]);
    } else {
        out[0] = math_call(
                body, instr->primitive, type, args, (unsigned)instr->operand_count);
    }
}

void math_library_name(enum ir_primitive primitive, int bits, char *name, size_t size)
{
    snprintf(name, size, "%s%s", ir_primitive_name(primitive), bits == 32 ? "f" : "");
}

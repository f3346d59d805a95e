// SPDX-License-Identifier: MIT
// Integers that say so when a result does not fit, where the function asks for it
// (overflow_check). Operations whose operands are known to be small ask nothing.
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/values/arith.h"

#include "compiler/types/source.h"

#include <assert.h>

static bool is_checked(const struct body *body, const struct type *type)
{
    return body->options->overflow_check && body->gen->target->kind == TARGET_HOST &&
           type->kind == TYPE_INT;
}

// Sums of numbers below 2^62 and products of numbers below 2^31 lie within int64.
static bool is_known_to_fit(const struct body *body, const struct ir_instr *instr)
{
    assert(instr->operand_count == 2 && instr->type->kind == TYPE_INT);
    struct interval a = body->intervals[instr->operands[0]->id],
                    b = body->intervals[instr->operands[1]->id];
    const int64_t much = (int64_t)1 << 62, root = (int64_t)1 << 31;
    int64_t limit = instr->binary == BINARY_MUL ? root : much - 1;
    bool is_sum = instr->binary == BINARY_ADD || instr->binary == BINARY_SUB;
    return instr->type->is_signed && instr->type->bits == 64 &&
           (is_sum || instr->binary == BINARY_MUL) && a.low > -limit && a.high < limit &&
           b.low > -limit && b.high < limit;
}

static value sum_overflows(
        struct body *body, const struct ir_instr *instr, value a, value b)
{
    struct codegen *gen = body->gen;
    bool is_signed = instr->type->is_signed;
    const char *name =
            instr->binary == BINARY_ADD
                    ? is_signed ? "llvm.sadd.with.overflow" : "llvm.uadd.with.overflow"
            : instr->binary == BINARY_SUB
                    ? is_signed ? "llvm.ssub.with.overflow" : "llvm.usub.with.overflow"
            : is_signed ? "llvm.smul.with.overflow"
                        : "llvm.umul.with.overflow";
    LLVMTypeRef type = LLVMTypeOf(a);
    value pair = codegen_intrinsic(gen, name, &type, 1, (value[2]){a, b}, 2, "");
    return LLVMBuildExtractValue(gen->builder, pair, 1, "");
}

static value smallest(value like, const struct type *type)
{
    return LLVMConstInt(LLVMTypeOf(like), (uint64_t)1 << (type->bits - 1), 0);
}

static value shift_overflows(struct body *body, const struct type *type, value a, value b)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef builder = gen->builder;
    value last = LLVMConstInt(LLVMTypeOf(a), (unsigned)type->bits - 1, 0);
    value is_wide = LLVMBuildICmp(builder, LLVMIntUGT, b, last, "");
    value amount = value_select(gen, is_wide, last, b);
    value shifted = LLVMBuildShl(builder, a, amount, "");
    value back = type->is_signed ? LLVMBuildAShr(builder, shifted, amount, "")
                                 : LLVMBuildLShr(builder, shifted, amount, "");
    value is_something =
            LLVMBuildICmp(builder, LLVMIntNE, a, LLVMConstNull(LLVMTypeOf(a)), "");
    return LLVMBuildAnd(builder, is_something,
            LLVMBuildOr(
                    builder, is_wide, LLVMBuildICmp(builder, LLVMIntNE, back, a, ""), ""),
            "");
}

static value power_overflows(struct body *body, const struct type *type, value a, value b)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef builder = gen->builder;
    LLVMTypeRef params[3] = {gen->i64, gen->i64, gen->i32};
    value args[3] = {a, b, value_i32(gen, type->is_signed ? type->bits : -type->bits)};
    for (int i = 0; i < 2; i++)
        if (LLVMTypeOf(args[i]) != gen->i64)
            args[i] = type->is_signed ? LLVMBuildSExt(builder, args[i], gen->i64, "")
                                      : LLVMBuildZExt(builder, args[i], gen->i64, "");
    value answer = codegen_call(gen,
            codegen_external(gen, "gridcell_power_overflows", gen->i32, params, 3), args,
            3, "");
    return LLVMBuildICmp(builder, LLVMIntNE, answer, value_i32(gen, 0), "");
}

static value binary_overflows(
        struct body *body, const struct ir_instr *instr, value a, value b)
{
    LLVMBuilderRef builder = body->gen->builder;
    switch (instr->binary) {
    case BINARY_ADD:
    case BINARY_SUB:
    case BINARY_MUL:
        return sum_overflows(body, instr, a, b);
    case BINARY_LSHIFT:
        return shift_overflows(body, instr->type, a, b);
    case BINARY_POW:
        return power_overflows(body, instr->type, a, b);
    case BINARY_FLOORDIV:
        if (!instr->type->is_signed)
            return NULL;
        return LLVMBuildAnd(builder,
                LLVMBuildICmp(builder, LLVMIntEQ, a, smallest(a, instr->type), ""),
                LLVMBuildICmp(builder, LLVMIntEQ, b, LLVMConstAllOnes(LLVMTypeOf(b)), ""),
                "");
    default:
        return NULL;
    }
}

void overflow_check_binary(
        struct body *body, const struct ir_instr *instr, value a, value b)
{
    if (!is_checked(body, instr->type) || is_known_to_fit(body, instr))
        return;
    value overflows = binary_overflows(body, instr, a, b);
    if (!overflows)
        return;
    const struct type *items[2] = {instr->type, instr->type};
    const char *format = arena_printf(&body->gen->arena,
            "integer overflow: %%d %s %%d does not fit in %s",
            ir_binary_text(instr->binary), instr->type->name);
    control_raise_format_if(body, overflows, ERROR_OVERFLOW, "integer overflow", format,
            type_tuple(items, 2), (value[2]){a, b}, instr->span);
}

// Of -x, and of abs(x).
void overflow_check_negative(
        struct body *body, const struct type *type, value number, struct span span)
{
    LLVMBuilderRef b = body->gen->builder;
    if (!is_checked(body, type))
        return;
    value overflows = LLVMBuildICmp(b, type->is_signed ? LLVMIntEQ : LLVMIntNE, number,
            type->is_signed ? smallest(number, type) : value_zero(body->gen, type), "");
    const char *format = arena_printf(&body->gen->arena,
            "integer overflow: the negative of %%d does not fit in %s", type->name);
    control_raise_format_if(body, overflows, ERROR_OVERFLOW, "integer overflow", format,
            type_tuple(&type, 1), &number, span);
}

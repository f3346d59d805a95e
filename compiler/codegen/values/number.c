// SPDX-License-Identifier: MIT
// Primitives on numbers, random numbers, ranges and slices.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/values/arith.h"
#include "compiler/codegen/values/compare.h"
#include "compiler/codegen/values/math.h"
#include "compiler/codegen/values/number.h"
#include "compiler/types/random_words.h"

#include <assert.h>
#include <string.h>

void number_extreme(struct body *body, const struct ir_instr *instr, value *out)
{
    bool is_min = instr->primitive == PRIMITIVE_MIN;
    assert(instr->operand_count == 2 && instr->operands[0]->type == instr->type);
    bool is_narrow = narrow_applies(body, instr);
    value first = is_narrow ? narrow_operand(body, instr, 0) : operand(body, instr, 0)[0];
    value second =
            is_narrow ? narrow_operand(body, instr, 1) : operand(body, instr, 1)[0];
    value is_second = compare_values(body, is_min ? COMPARE_LT : COMPARE_GT,
            is_narrow ? type_int32 : instr->type, &second, &first, instr->span);
    value chosen = fp(body, value_select(body->gen, is_second, second, first));
    out[0] = is_narrow ? narrow_widened(body, chosen) : chosen;
}

static value absolute(struct body *body, const struct ir_instr *instr)
{
    LLVMBuilderRef builder = body->gen->builder;
    const struct type *type = instr->operands[0]->type;
    value *x = operand(body, instr, 0);
    if (type->kind == TYPE_COMPLEX)
        return math_call(body, PRIMITIVE_MATH_HYPOT, type->element, x, 2);
    if (type->kind == TYPE_FLOAT)
        return math_call(body, PRIMITIVE_MATH_FABS, type, x, 1);
    if (type->kind == TYPE_BOOL || !type->is_signed)
        return x[0];
    overflow_check_negative(body, type, x[0], instr->span);
    bool is_narrow = narrow_applies(body, instr);
    value number = is_narrow ? narrow_operand(body, instr, 0) : x[0];
    value zero = LLVMConstNull(LLVMTypeOf(number));
    value is_negative = LLVMBuildICmp(builder, LLVMIntSLT, number, zero, "");
    value size = value_select(
            body->gen, is_negative, LLVMBuildNeg(builder, number, ""), number);
    return is_narrow ? narrow_widened(body, size) : size;
}

void number_abs(struct body *body, const struct ir_instr *instr, value *out)
{
    out[0] = absolute(body, instr);
}

void number_divide(struct body *body, const struct ir_instr *instr, value *out)
{
    out[0] = fp(body, LLVMBuildFDiv(body->gen->builder, operand(body, instr, 0)[0],
                              operand(body, instr, 1)[0], ""));
}

void number_imag(struct body *body, const struct ir_instr *instr, value *out)
{
    out[0] = operand(body, instr, 0)[1];
}

// Where the calling thread keeps its numbers: the same place in all of a function.
static value random_numbers(struct codegen *gen, const char *generator)
{
    value find = codegen_external(gen, generator, gen->ptr, NULL, 0);
    static const char *const pure[] = {"memory", "willreturn", "speculatable"};
    for (size_t i = 0; i < sizeof pure / sizeof *pure; i++)
        codegen_attribute(gen, find, LLVMAttributeFunctionIndex, pure[i], 0);
    return codegen_call(gen, find, NULL, 0, "numbers");
}

// How many are left at `place`, of which the runtime makes more first where there have to
// be.
static value ready(struct body *body, value numbers, value place, value count,
        value is_needed, const char *maker)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b),
                      make = body_block(body, "random.make"),
                      take = body_block(body, "random.take");
    LLVMBuildCondBr(b, is_needed, make, take);
    LLVMPositionBuilderAtEnd(b, make);
    value call = codegen_call(gen,
            codegen_external(gen, maker, gen->void_type, &gen->ptr, 1), &numbers, 1, "");
    codegen_attribute(gen, call, LLVMAttributeFunctionIndex, "cold", 0);
    value made = LLVMBuildLoad2(b, gen->i64, place, "left");
    LLVMBuildBr(b, take);
    LLVMPositionBuilderAtEnd(b, take);
    return value_phi(
            gen, "left", (value[]){count, made}, (LLVMBasicBlockRef[]){before, make});
}

// Takes a number of the block that the runtime has made ahead
// (runtime/host/random/random.h).
static value next_random(struct body *body, const char *generator)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value numbers = random_numbers(gen, generator);
    value left = LLVMBuildLoad2(b, gen->i64, numbers, "left");
    value is_empty = LLVMBuildICmp(b, LLVMIntEQ, left, value_i64(gen, 0), "");
    value count = ready(body, numbers, numbers, left, is_empty, "gridcell_random_fill");
    // behind the counter, the next one is the last left: numbers[1 + (left - 1)]
    value address = LLVMBuildInBoundsGEP2(b, gen->f64, numbers, &count, 1, "");
    LLVMBuildStore(b, LLVMBuildNSWSub(b, count, value_i64(gen, 1), ""), numbers);
    return LLVMBuildLoad2(b, gen->f64, address, "random");
}

void random_next(struct body *body, const struct ir_instr *instr, value *out)
{
    bool is_np = instr->primitive == PRIMITIVE_RANDOM_NP;
    out[0] = next_random(body, is_np ? "gridcell_random_np" : "gridcell_random_py");
}

// Takes a word of the block that the runtime has made ahead; numbers left come before it.
void random_bits(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    bool is_np = instr->primitive == PRIMITIVE_RANDOM_WORD_NP;
    value zero = value_i64(gen, 0), one = value_i64(gen, 1);
    value numbers =
            random_numbers(gen, is_np ? "gridcell_random_np" : "gridcell_random_py");
    value place = value_offset(gen, numbers, RANDOM_WORDS_LEFT);
    value words = value_offset(gen, place, sizeof(uint64_t));
    value left = LLVMBuildLoad2(b, gen->i64, place, "left");
    value numbers_left = LLVMBuildLoad2(b, gen->i64, numbers, "");
    value is_needed = LLVMBuildOr(b, LLVMBuildICmp(b, LLVMIntEQ, left, zero, ""),
            LLVMBuildICmp(b, LLVMIntNE, numbers_left, zero, ""), "");
    value count = ready(body, numbers, place, left, is_needed, "gridcell_random_words");
    value at = LLVMBuildSub(b, value_i64(gen, RANDOM_WORDS), count, "");
    value address = LLVMBuildInBoundsGEP2(b, gen->i32, words, &at, 1, "");
    LLVMBuildStore(b, LLVMBuildNUWSub(b, count, one, ""), place);
    out[0] = LLVMBuildZExt(b, LLVMBuildLoad2(b, gen->i32, address, "word"), gen->i64, "");
}

void random_seed(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    bool is_np = instr->primitive == PRIMITIVE_RANDOM_SEED_NP;
    assert(instr->operand_count == 1);
    if (is_np) // a negative one is a large one here
        control_raise_if(body,
                LLVMBuildICmp(gen->builder, LLVMIntUGT, *operand(body, instr, 0),
                        value_i64(gen, UINT32_MAX), ""),
                ERROR_VALUE, "Seed must be between 0 and 2**32 - 1", instr->span);
    value seed = codegen_external(gen,
            is_np ? "gridcell_random_seed_np" : "gridcell_random_seed_py", gen->void_type,
            &gen->i64, 1);
    codegen_call(gen, seed, operand(body, instr, 0), 1, "");
}

// How many numbers a range yields: ceil((stop - start) / step), at least 0.
// In unsigned arithmetic, which does not overflow: from INT64_MIN to INT64_MAX is a
// range, too. Of a step of 0 the caller knows that it cannot be (make_range).
value range_length(struct body *body, const struct type *element, const value *range)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    assert(type_is_integer(element) && LLVMTypeOf(range[2]) == LLVMTypeOf(range[0]));
    LLVMTypeRef type = LLVMTypeOf(range[0]);
    value zero = LLVMConstNull(type), one = LLVMConstInt(type, 1, 0);
    bool is_signed = element->is_signed;
    value up = is_signed ? LLVMBuildICmp(b, LLVMIntSGT, range[2], zero, "")
                         : value_bool(gen, true);
    value low = value_select(gen, up, range[0], range[1]);
    value high = value_select(gen, up, range[1], range[0]);
    value stride = value_select(gen, up, range[2], LLVMBuildNeg(b, range[2], ""));
    value span = LLVMBuildSub(b, high, low, "");
    value turns = LLVMBuildUDiv(b, LLVMBuildSub(b, span, one, ""), stride, "");
    turns = LLVMBuildAdd(b, turns, one, "");
    value has_some = LLVMBuildICmp(b, is_signed ? LLVMIntSGT : LLVMIntUGT, high, low, "");
    turns = value_select(gen, has_some, turns, zero);
    return type == gen->i64 ? turns : LLVMBuildZExt(b, turns, gen->i64, "");
}

void range_make(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    assert(instr->operand_count == 3 && instr->type->kind == TYPE_RANGE);
    for (int i = 0; i < 3; i++)
        out[i] = operand(body, instr, (size_t)i)[0];
    value is_zero = LLVMBuildICmp(
            gen->builder, LLVMIntEQ, out[2], LLVMConstNull(LLVMTypeOf(out[2])), "");
    control_raise_if(
            body, is_zero, ERROR_VALUE, "range() arg 3 must not be zero", instr->span);
}

void range_len(struct body *body, const struct ir_instr *instr, value *out)
{
    out[0] = range_length(
            body, instr->operands[0]->type->element, operand(body, instr, 0));
}

// Left-out parts get the number that Python's clipping turns into the right end.
void slice_make(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    assert(instr->type->kind == TYPE_SLICE && instr->operand_count <= 3);
    value part[3] = {NULL, NULL, value_i64(gen, 1)};
    for (size_t i = 0; i < instr->operand_count && i < 3; i++)
        if (instr->operands[i]->type->kind != TYPE_NONE)
            part[i] = operand(body, instr, i)[0];
    value is_down =
            LLVMBuildICmp(gen->builder, LLVMIntSLT, part[2], value_i64(gen, 0), "");
    value first = value_i64(gen, INT64_MIN), last = value_i64(gen, INT64_MAX);
    if (!part[0])
        part[0] = value_select(gen, is_down, last, value_i64(gen, 0));
    if (!part[1])
        part[1] = value_select(gen, is_down, first, last);
    memcpy(out, part, sizeof part);
}

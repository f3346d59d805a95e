// SPDX-License-Identifier: MIT
// Atomic operations on array elements: one instruction where there is one, else a loop of
// compare-and-swap.
#include "compiler/codegen/analysis/counters.h"
#include "compiler/codegen/arrays/array.h"
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/cuda/atomic.h"
#include "compiler/codegen/cuda/cuda.h"
#include "compiler/codegen/values/array.h"

#include <assert.h>

static const LLVMAtomicOrdering relaxed = LLVMAtomicOrderingMonotonic;

static value exchange_if_same(
        struct body *body, value address, value expected, value replacement)
{
    return LLVMBuildAtomicCmpXchg(
            body->gen->builder, address, expected, replacement, relaxed, relaxed, false);
}

// if (operand < old) *address = operand, and likewise for max; false with NaN on either
// side.
// No instruction does this for floats: compare-and-swap on the bits, and only while the
// operand is better. The load that begins it is volatile, or LLVM would take an older
// one.
static value float_extreme(struct body *body, const struct ir_instr *instr,
        const struct type *type, value address, value number)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    assert(type->kind == TYPE_FLOAT && LLVMTypeOf(number) == type_llvm(gen, type));
    LLVMTypeRef bits_type = type_int_bits(gen, type->bits);
    value start = LLVMBuildLoad2(b, bits_type, address, "");
    LLVMSetVolatile(start, true);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), loop = body_block(body, "atomic");
    LLVMBasicBlockRef swap = body_block(body, "atomic.swap"),
                      done = body_block(body, "atomic.end");
    LLVMBuildBr(b, loop);
    LLVMPositionBuilderAtEnd(b, loop);
    value bits = LLVMBuildPhi(b, bits_type, "old");
    LLVMAddIncoming(bits, &start, &before, 1);
    value old = LLVMBuildBitCast(b, bits, LLVMTypeOf(number), "");
    bool is_max = instr->primitive == PRIMITIVE_ATOMIC_MAX;
    value better = LLVMBuildFCmp(b, is_max ? LLVMRealOGT : LLVMRealOLT, number, old, "");
    LLVMBuildCondBr(b, better, swap, done);
    LLVMPositionBuilderAtEnd(b, swap);
    value pair = exchange_if_same(
            body, address, bits, LLVMBuildBitCast(b, number, bits_type, ""));
    value found = LLVMBuildExtractValue(b, pair, 0, "");
    value is_swapped = LLVMBuildExtractValue(b, pair, 1, "");
    LLVMAddIncoming(bits, &found, &swap, 1);
    LLVMBuildCondBr(b, is_swapped, done, loop);
    LLVMPositionBuilderAtEnd(b, done);
    value result =
            value_phi(gen, "", (value[]){bits, bits}, (LLVMBasicBlockRef[]){loop, swap});
    return LLVMBuildBitCast(b, result, LLVMTypeOf(number), "");
}

// Relaxed, as CUDA's atomics are: who needs an order writes a fence.
static LLVMAtomicRMWBinOp operation(enum ir_primitive primitive, const struct type *type)
{
    bool is_float = type->kind == TYPE_FLOAT;
    static const LLVMAtomicRMWBinOp on_all[PRIMITIVE_COUNT] = {
            [PRIMITIVE_ATOMIC_AND] = LLVMAtomicRMWBinOpAnd,
            [PRIMITIVE_ATOMIC_OR] = LLVMAtomicRMWBinOpOr,
            [PRIMITIVE_ATOMIC_XOR] = LLVMAtomicRMWBinOpXor,
            [PRIMITIVE_ATOMIC_INC] = LLVMAtomicRMWBinOpUIncWrap,
            [PRIMITIVE_ATOMIC_DEC] = LLVMAtomicRMWBinOpUDecWrap,
            [PRIMITIVE_ATOMIC_EXCH] = LLVMAtomicRMWBinOpXchg,
    };
    switch (primitive) {
    case PRIMITIVE_ATOMIC_ADD:
        return is_float ? LLVMAtomicRMWBinOpFAdd : LLVMAtomicRMWBinOpAdd;
    case PRIMITIVE_ATOMIC_SUB:
        return is_float ? LLVMAtomicRMWBinOpFSub : LLVMAtomicRMWBinOpSub;
    case PRIMITIVE_ATOMIC_MAX:
        return type->is_signed ? LLVMAtomicRMWBinOpMax : LLVMAtomicRMWBinOpUMax;
    case PRIMITIVE_ATOMIC_MIN:
        return type->is_signed ? LLVMAtomicRMWBinOpMin : LLVMAtomicRMWBinOpUMin;
    default:
        return on_all[primitive];
    }
}

static value compare_and_swap(struct body *body, const struct type *type, value address,
        value expected, value replacement)
{
    LLVMBuilderRef b = body->gen->builder;
    if (type->kind == TYPE_FLOAT) {
        LLVMTypeRef bits = type_int_bits(body->gen, type->bits);
        expected = LLVMBuildBitCast(b, expected, bits, "");
        replacement = LLVMBuildBitCast(b, replacement, bits, "");
    }
    value pair = exchange_if_same(body, address, expected, replacement);
    value old = LLVMBuildExtractValue(b, pair, 0, "");
    return LLVMBuildBitCast(b, old, type_llvm(body->gen, type), "");
}

// Whether only threads that take turns can reach the array: shared memory belongs to a
// block, which the emulated device runs on one thread of the CPU.
static bool is_in_turns(struct body *body, const struct ir_instr *instr)
{
    const struct ir_instr *array = instr->operands[0];
    return body->gen->target->kind == TARGET_EMULATOR && array->op == IR_PRIMITIVE &&
           array->primitive == PRIMITIVE_CUDA_SHARED_ARRAY;
}

// Adds without a locked instruction. Load and store are atomic, for the sake of the
// loops over the threads: those are not vectorised then.
static value add_in_turns(
        struct body *body, const struct type *type, value address, value number)
{
    LLVMBuilderRef b = body->gen->builder;
    bool is_float = type->kind == TYPE_FLOAT;
    value old = LLVMBuildLoad2(b, LLVMTypeOf(number), address, "");
    value sum = is_float ? LLVMBuildFAdd(b, old, number, "")
                         : LLVMBuildAdd(b, old, number, "");
    value store = LLVMBuildStore(b, sum, address);
    LLVMSetOrdering(old, relaxed);
    LLVMSetOrdering(store, relaxed);
    LLVMSetAlignment(old, (unsigned)type->bits / 8);
    LLVMSetAlignment(store, (unsigned)type->bits / 8);
    return old;
}

// An addition whose result nobody uses, to an array that may be the CPU thread's own.
static value count(struct body *body, const struct ir_instr *instr,
        const struct type *type, value address, value number)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    LLVMBasicBlockRef apart = body_block_after(body, "count"),
                      shared = body_block(body, "count.shared"),
                      next = body_block(body, "counted");
    LLVMBuildCondBr(b, gen->target->counts_apart(body), apart, shared);
    LLVMPositionBuilderAtEnd(b, shared);
    LLVMBuildAtomicRMW(
            b, operation(instr->primitive, type), address, number, relaxed, false);
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, apart);
    if (instr->primitive == PRIMITIVE_ATOMIC_SUB)
        number = LLVMBuildNeg(b, number, "");
    add_in_turns(body, type, address, number);
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, next);
    return LLVMConstNull(LLVMTypeOf(number));
}

static value read_modify_write(struct body *body, const struct ir_instr *instr,
        const struct type *type, value address, value number)
{
    LLVMBuilderRef b = body->gen->builder;
    enum ir_primitive primitive = instr->primitive;
    bool is_extreme =
            primitive == PRIMITIVE_ATOMIC_MAX || primitive == PRIMITIVE_ATOMIC_MIN;
    if (type->kind == TYPE_FLOAT && is_extreme)
        return float_extreme(body, instr, type, address, number);
    if (type->kind == TYPE_FLOAT && primitive == PRIMITIVE_ATOMIC_SUB) {
        number = LLVMBuildFNeg(b, number, ""); // devices add only
        primitive = PRIMITIVE_ATOMIC_ADD;
    }
    if (body->gen->target->counts_apart && body->ir == body->gen->root &&
            !body->gen->checks_shared && !body->gen->is_observed &&
            counters_are(body->ir, instr->operands[0]))
        return count(body, instr, type, address, number);
    if (primitive == PRIMITIVE_ATOMIC_ADD && is_in_turns(body, instr))
        return add_in_turns(body, type, address, number);
    return LLVMBuildAtomicRMW(
            b, operation(primitive, type), address, number, relaxed, false);
}

// Both parts of a complex64 as one word, and back.
static value to_word(struct body *body, const value *parts)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value halves[2];
    for (int i = 0; i < 2; i++)
        halves[i] = LLVMBuildZExt(
                b, LLVMBuildBitCast(b, parts[i], gen->i32, ""), gen->i64, "");
    return LLVMBuildOr(
            b, halves[0], LLVMBuildShl(b, halves[1], value_i64(gen, 32), ""), "");
}

static void from_word(struct body *body, value word, value *parts)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    for (int i = 0; i < 2; i++) {
        value half = i ? LLVMBuildLShr(b, word, value_i64(gen, 32), "") : word;
        parts[i] =
                LLVMBuildBitCast(b, LLVMBuildTrunc(b, half, gen->i32, ""), gen->f32, "");
    }
}

// Sums are those of the parts, each for itself; what is stored and compared whole is a
// word.
static void complex_primitive(
        struct body *body, const struct ir_instr *instr, value address, value *out)
{
    struct codegen *gen = body->gen;
    const struct type *part = instr->operands[0]->type->element->element;
    size_t last = instr->operand_count - 1;
    const value *numbers = operand(body, instr, last);
    if (instr->primitive == PRIMITIVE_ATOMIC_EXCH) {
        value word = LLVMBuildAtomicRMW(gen->builder, LLVMAtomicRMWBinOpXchg, address,
                to_word(body, numbers), relaxed, false);
        from_word(body, word, out);
    } else if (instr->primitive == PRIMITIVE_ATOMIC_CAS) {
        value expected = to_word(body, operand(body, instr, last - 1));
        value pair = exchange_if_same(body, address, expected, to_word(body, numbers));
        from_word(body, LLVMBuildExtractValue(gen->builder, pair, 0, ""), out);
    } else {
        for (size_t i = 0; i < 2; i++)
            out[i] = read_modify_write(body, instr, part,
                    value_offset(gen, address, i * (size_t)part->bits / 8), numbers[i]);
    }
}

void atomic_primitive(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct type *array = instr->operands[0]->type, *type = array->element;
    bool is_number = type->kind == TYPE_INT || type->kind == TYPE_FLOAT ||
                     type->kind == TYPE_BFLOAT || type->kind == TYPE_COMPLEX;
    if (!is_number && type->kind != TYPE_BOOL) {
        codegen_fail(body->gen, ERROR_UNSUPPORTED, instr->span, "atomic operation on %s",
                array->name);
        return;
    }
    value address = array_address(body, instr);
    array_tell_access(body, array, address, ACCESS_ATOMIC, NULL, instr->span);
    if (type->kind == TYPE_COMPLEX) {
        complex_primitive(body, instr, address, out);
        return;
    }
    size_t last = instr->operand_count - 1;
    value number = operand(body, instr, last)[0];
    value expected = operand(body, instr, last - 1)[0];
    if (type->bits < 32)
        out[0] = atomic_narrow(body, instr->primitive, type, address, expected, number);
    else if (instr->primitive == PRIMITIVE_ATOMIC_CAS)
        out[0] = compare_and_swap(body, type, address, expected, number);
    else
        out[0] = read_modify_write(body, instr, type, address, number);
}

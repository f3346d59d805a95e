// SPDX-License-Identifier: MIT
// Atomic operations on elements narrower than the 32 bits that devices swap: the word
// around the element is replaced if nobody has changed it meanwhile.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/cuda/atomic.h"
#include "compiler/codegen/values/bfloat.h"

struct word {
    value address; // of the word
    value shift;   // bits below the element
    value mask;    // the element's bits
    LLVMTypeRef bits;
};

static struct word word_around(struct body *body, const struct type *type, value address)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    LLVMTypeRef byte = type_int_bits(gen, 8), i32 = gen->i32;
    int size = type->kind == TYPE_BOOL ? 8 : type->bits;
    struct word word = {.bits = type_int_bits(gen, size)};
    value number = LLVMBuildPtrToInt(b, address, gen->i64, "");
    value offset = LLVMBuildAnd(b, number, LLVMConstInt(gen->i64, 3, 0), "");
    value back = LLVMBuildNeg(b, offset, "");
    word.address = LLVMBuildGEP2(b, byte, address, &back, 1, "");
    word.shift = LLVMBuildShl(
            b, LLVMBuildTrunc(b, offset, i32, ""), LLVMConstInt(i32, 3, 0), "");
    word.mask = LLVMBuildShl(b, LLVMConstInt(i32, (1ull << size) - 1, 0), word.shift, "");
    return word;
}

// As a number of the element's type, and back.
static value to_number(struct body *body, const struct type *type, value bits)
{
    LLVMBuilderRef b = body->gen->builder;
    if (type->kind == TYPE_BOOL)
        return LLVMBuildICmp(b, LLVMIntNE, bits, LLVMConstNull(LLVMTypeOf(bits)), "");
    if (type->kind == TYPE_BFLOAT)
        return bfloat_widen(body, bits);
    return LLVMBuildBitCast(b, bits, type_llvm(body->gen, type), "");
}

static value to_bits(
        struct body *body, const struct type *type, value number, LLVMTypeRef bits)
{
    LLVMBuilderRef b = body->gen->builder;
    if (type->kind == TYPE_BOOL)
        return LLVMBuildZExt(b, number, bits, "");
    if (type->kind == TYPE_BFLOAT)
        return bfloat_narrow(body, number);
    return LLVMBuildBitCast(b, number, bits, "");
}

static bool is_real(const struct type *type)
{
    return type->kind == TYPE_FLOAT || type->kind == TYPE_BFLOAT;
}

static value extreme(
        struct body *body, const struct type *type, bool is_max, value old, value number)
{
    LLVMBuilderRef b = body->gen->builder;
    value is_better = is_real(type)
                              ? LLVMBuildFCmp(b, is_max ? LLVMRealOGT : LLVMRealOLT,
                                        number, old, "")
                              : LLVMBuildICmp(b,
                                        type->is_signed ? is_max ? LLVMIntSGT : LLVMIntSLT
                                        : is_max        ? LLVMIntUGT
                                                        : LLVMIntULT,
                                        number, old, "");
    return value_select(body->gen, is_better, number, old);
}

static value changed(struct body *body, enum ir_primitive primitive,
        const struct type *type, value old, value number)
{
    LLVMBuilderRef b = body->gen->builder;
    bool is_float = is_real(type);
    switch (primitive) {
    case PRIMITIVE_ATOMIC_ADD:
        return is_float ? LLVMBuildFAdd(b, old, number, "")
                        : LLVMBuildAdd(b, old, number, "");
    case PRIMITIVE_ATOMIC_SUB:
        return is_float ? LLVMBuildFSub(b, old, number, "")
                        : LLVMBuildSub(b, old, number, "");
    case PRIMITIVE_ATOMIC_MAX:
    case PRIMITIVE_ATOMIC_MIN:
        return extreme(body, type, primitive == PRIMITIVE_ATOMIC_MAX, old, number);
    case PRIMITIVE_ATOMIC_AND:
        return LLVMBuildAnd(b, old, number, "");
    case PRIMITIVE_ATOMIC_OR:
        return LLVMBuildOr(b, old, number, "");
    case PRIMITIVE_ATOMIC_XOR:
        return LLVMBuildXor(b, old, number, "");
    default:
        return number;
    }
}

value atomic_narrow(struct body *body, enum ir_primitive primitive,
        const struct type *type, value address, value expected, value number)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    struct word word = word_around(body, type, address);
    if (type->kind == TYPE_BFLOAT) { // what it computes with is float32
        number = bfloat_widen(body, number);
        expected =
                primitive == PRIMITIVE_ATOMIC_CAS ? bfloat_widen(body, expected) : NULL;
    }
    value start = LLVMBuildLoad2(b, gen->i32, word.address, "");
    LLVMSetVolatile(start, true);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(b), loop = body_block(body, "narrow"),
                      done = body_block(body, "narrow.end");
    LLVMBuildBr(b, loop);
    LLVMPositionBuilderAtEnd(b, loop);
    value seen = LLVMBuildPhi(b, gen->i32, "seen");
    LLVMAddIncoming(seen, &start, &before, 1);
    value old_bits =
            LLVMBuildTrunc(b, LLVMBuildLShr(b, seen, word.shift, ""), word.bits, "");
    value old = to_number(body, type, old_bits), next = number;
    if (primitive == PRIMITIVE_ATOMIC_CAS) {
        value wanted = to_bits(body, type, expected, word.bits);
        next = value_select(
                gen, LLVMBuildICmp(b, LLVMIntEQ, old_bits, wanted, ""), number, old);
    } else {
        next = changed(body, primitive, type, old, number);
    }
    value bits = LLVMBuildZExt(b, to_bits(body, type, next, word.bits), gen->i32, "");
    value others = LLVMBuildAnd(b, seen, LLVMBuildNot(b, word.mask, ""), "");
    value replacement = LLVMBuildOr(b, others, LLVMBuildShl(b, bits, word.shift, ""), "");
    value pair = LLVMBuildAtomicCmpXchg(b, word.address, seen, replacement,
            LLVMAtomicOrderingMonotonic, LLVMAtomicOrderingMonotonic, false);
    value found = LLVMBuildExtractValue(b, pair, 0, "");
    LLVMAddIncoming(seen, &found, &loop, 1);
    LLVMBuildCondBr(b, LLVMBuildExtractValue(b, pair, 1, ""), done, loop);
    LLVMPositionBuilderAtEnd(b, done);
    return type->kind == TYPE_BFLOAT ? old_bits : old;
}

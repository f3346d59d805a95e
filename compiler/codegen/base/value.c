// SPDX-License-Identifier: MIT
// Values as rows of leaves: constants of numbers, rows in memory and on the stack.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

value *value_row(struct codegen *gen, size_t count)
{
    return arena_array(&gen->arena, value, count ? count : 1);
}

value value_i32(struct codegen *gen, int64_t number)
{
    return LLVMConstInt(gen->i32, (unsigned long long)number, true);
}

value value_i64(struct codegen *gen, int64_t number)
{
    return LLVMConstInt(gen->i64, (unsigned long long)number, true);
}

value value_bool(struct codegen *gen, bool truth)
{
    return LLVMConstInt(gen->i1, truth, false);
}

value value_float(struct codegen *gen, const struct type *type, double number)
{
    return LLVMConstReal(type_llvm(gen, type), number);
}

value value_zero(struct codegen *gen, const struct type *scalar)
{
    return LLVMConstNull(type_llvm(gen, scalar));
}

value value_offset(struct codegen *gen, value pointer, size_t offset)
{
    if (!offset)
        return pointer;
    value index = value_i64(gen, (int64_t)offset);
    return LLVMBuildInBoundsGEP2(gen->builder, gen->i8, pointer, &index, 1, "");
}

static const struct {
    LLVMIntPredicate as_unsigned, as_signed;
    LLVMRealPredicate real;
} predicates[] = {
        [COMPARE_EQ] = {LLVMIntEQ, LLVMIntEQ, LLVMRealOEQ},
        [COMPARE_NE] = {LLVMIntNE, LLVMIntNE, LLVMRealUNE},
        [COMPARE_LT] = {LLVMIntULT, LLVMIntSLT, LLVMRealOLT},
        [COMPARE_LE] = {LLVMIntULE, LLVMIntSLE, LLVMRealOLE},
        [COMPARE_GT] = {LLVMIntUGT, LLVMIntSGT, LLVMRealOGT},
        [COMPARE_GE] = {LLVMIntUGE, LLVMIntSGE, LLVMRealOGE},
};

LLVMIntPredicate value_predicate(enum ir_compare compare, bool is_signed)
{
    assert((size_t)compare < sizeof predicates / sizeof *predicates);
    return is_signed ? predicates[compare].as_signed : predicates[compare].as_unsigned;
}

LLVMRealPredicate value_real_predicate(enum ir_compare compare)
{
    assert((size_t)compare < sizeof predicates / sizeof *predicates);
    return predicates[compare].real;
}

value value_phi(struct codegen *gen, const char *name, const value values[2],
        const LLVMBasicBlockRef from[2])
{
    value phi = LLVMBuildPhi(gen->builder, LLVMTypeOf(values[0]), name);
    LLVMAddIncoming(phi, (value *)values, (LLVMBasicBlockRef *)from, 2);
    return phi;
}

value value_select(struct codegen *gen, value condition, value yes, value no)
{
    return LLVMBuildSelect(gen->builder, condition, yes, no, "");
}

value value_opaque(struct codegen *gen, value known)
{
    LLVMTypeRef of = LLVMTypeOf(known), type = LLVMFunctionType(of, &of, 1, false);
    value nothing = LLVMGetInlineAsm(
            type, "", 0, "=r,0", 4, false, false, LLVMInlineAsmDialectATT, false);
    value call = LLVMBuildCall2(gen->builder, type, nothing, &known, 1, "");
    codegen_attribute(gen, call, LLVMAttributeFunctionIndex, "memory", 0);
    codegen_attribute(gen, call, LLVMAttributeFunctionIndex, "nounwind", 0);
    return call;
}

static void set_alignment(value access, size_t alignment)
{
    if (alignment)
        LLVMSetAlignment(access, (unsigned)alignment);
}

// A bool is a byte in memory, of which any but 0 is true: Python, NumPy and C may have
// written it. As a leaf it is one bit.
void value_load(struct codegen *gen, const struct type *type, value pointer,
        size_t alignment, const char *name, value *leaves)
{
    assert(LLVMTypeOf(pointer) == gen->ptr || !type_leaf_count(gen, type));
    const struct leaf_list *list = type_leaves(gen, type);
    for (size_t i = 0; i < list->len; i++) {
        const struct leaf *leaf = &list->items[i];
        char full[128];
        snprintf(full, sizeof full, "%.60s%s", name, name[0] ? leaf->suffix : "");
        value at = value_offset(gen, pointer, leaf->offset);
        value loaded =
                LLVMBuildLoad2(gen->builder, type_memory(gen, leaf->type), at, full);
        set_alignment(loaded, alignment);
        if (leaf->type->kind == TYPE_BOOL)
            loaded = LLVMBuildICmp(
                    gen->builder, LLVMIntNE, loaded, LLVMConstNull(gen->i8), full);
        leaves[i] = loaded;
    }
}

void value_store(struct codegen *gen, const struct type *type, value pointer,
        size_t alignment, const value *leaves)
{
    const struct leaf_list *list = type_leaves(gen, type);
    for (size_t i = 0; i < list->len; i++) {
        const struct leaf *leaf = &list->items[i];
        value stored = leaves[i];
        if (leaf->type->kind == TYPE_BOOL)
            stored = LLVMBuildZExt(gen->builder, stored, gen->i8, "");
        value at = value_offset(gen, pointer, leaf->offset);
        set_alignment(LLVMBuildStore(gen->builder, stored, at), alignment);
    }
}

// Volatile: somebody else writes it, and a loop would otherwise read it once. It is no
// atomic: a turn more or less does not matter.
value value_load_flag(struct codegen *gen, value pointer)
{
    value flag = LLVMBuildLoad2(gen->builder, gen->i32, pointer, "stop");
    LLVMSetVolatile(flag, true);
    return flag;
}

// In the function's first block, whatever code is being emitted: LLVM turns slots there
// into values, and a slot in a loop would take stack in each turn.
value value_alloca(struct body *body, LLVMTypeRef type, const char *name)
{
    LLVMBuilderRef builder = body->gen->builder;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(builder);
    assert(here && body->allocas);
    LLVMMetadataRef line = LLVMGetCurrentDebugLocation2(builder); // lost by moving
    value first = LLVMGetFirstInstruction(body->allocas);
    if (first)
        LLVMPositionBuilderBefore(builder, first);
    else
        LLVMPositionBuilderAtEnd(builder, body->allocas);
    value slot = LLVMBuildAlloca(builder, type, name);
    LLVMPositionBuilderAtEnd(builder, here);
    LLVMSetCurrentDebugLocation2(builder, line);
    return slot;
}

const struct type *value_pack_type(struct codegen *gen, const struct ir_instr *instr)
{
    size_t count = instr->operand_count;
    const struct type **types = arena_array(&gen->arena, const struct type *, count + 1);
    for (size_t i = 0; i < count; i++)
        types[i] = instr->operands[i]->type;
    return type_tuple(types, count);
}

value *value_pack(struct body *body, const struct ir_instr *instr)
{
    struct codegen *gen = body->gen;
    size_t at = 0;
    value *leaves = value_row(gen, type_leaf_count(gen, value_pack_type(gen, instr)));
    for (size_t i = 0; i < instr->operand_count; i++) {
        size_t len = type_leaf_count(gen, instr->operands[i]->type);
        memcpy(leaves + at, operand(body, instr, i), len * sizeof *leaves);
        at += len;
    }
    return leaves;
}

void value_set_range(struct codegen *gen, value loaded, int32_t low, int32_t high)
{
    assert(low < high && LLVMTypeOf(loaded) == gen->i32);
    LLVMMetadataRef bounds[2] = {LLVMValueAsMetadata(value_i32(gen, low)),
            LLVMValueAsMetadata(value_i32(gen, high))};
    LLVMMetadataRef range = LLVMMDNodeInContext2(gen->context, bounds, 2);
    LLVMSetMetadata(loaded, LLVMGetMDKindIDInContext(gen->context, "range", 5),
            LLVMMetadataAsValue(gen->context, range));
}

// Only operations that the user wrote get flags. What our own formulas (floor division,
// bfloat16) need to be exact is built without.
value fp(struct body *body, value instruction)
{
    unsigned flags = body->options->fastmath_flags;
    if (body->options->fastmath)
        flags |= LLVMFastMathAll;
    if (flags && LLVMIsAInstruction(instruction) &&
            LLVMCanValueUseFastMathFlags(instruction))
        LLVMSetFastMathFlags(instruction, flags);
    return instruction;
}

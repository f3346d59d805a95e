// SPDX-License-Identifier: MIT
// How C passes numbers and pointers, where a value of ours is a row of leaves: a bool is
// a byte. On x86-64 two floats of a complex64 share a register. On arm64 the parts of a
// complex number take a register each, all of them or none, as LLVM passes an array; and
// small integers are not extended by who passes them.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/values/c_abi.h"

#if defined(__aarch64__)
static const bool has_extended_arguments = false;

static LLVMTypeRef pair_type(struct codegen *gen, const struct type *type)
{
    return LLVMArrayType2(type->bits == 64 ? gen->f32 : gen->f64, 2);
}

static bool is_packed(const struct type *type)
{
    return type->kind == TYPE_COMPLEX;
}

static value with_part(struct codegen *gen, value pair, value part, int i)
{
    return LLVMBuildInsertValue(gen->builder, pair, part, (unsigned)i, "");
}

static value part_of(struct codegen *gen, value pair, int i)
{
    return LLVMBuildExtractValue(gen->builder, pair, (unsigned)i, "");
}
#else
static const bool has_extended_arguments = true;

static LLVMTypeRef pair_type(struct codegen *gen, const struct type *type)
{
    return LLVMVectorType(gen->f32, 2);
}

static bool is_packed(const struct type *type)
{
    return type->kind == TYPE_COMPLEX && type->bits == 64;
}

static value with_part(struct codegen *gen, value pair, value part, int i)
{
    return LLVMBuildInsertElement(gen->builder, pair, part, value_i32(gen, i), "");
}

static value part_of(struct codegen *gen, value pair, int i)
{
    return LLVMBuildExtractElement(gen->builder, pair, value_i32(gen, i), "");
}
#endif

unsigned c_abi_types(struct codegen *gen, const struct type *type, LLVMTypeRef *types)
{
    if (is_packed(type)) {
        types[0] = pair_type(gen, type);
        return 1;
    }
    const struct leaf_list *leaves = type_leaves(gen, type);
    for (size_t i = 0; i < leaves->len; i++)
        types[i] = type_memory(gen, leaves->items[i].type);
    return (unsigned)leaves->len;
}

LLVMTypeRef c_abi_result(struct codegen *gen, const struct type *type)
{
    LLVMTypeRef types[2];
    unsigned count = c_abi_types(gen, type, types);
    return count == 0   ? gen->void_type
           : count == 1 ? types[0]
                        : LLVMStructTypeInContext(gen->context, types, count, 0);
}

static value pack(struct codegen *gen, const struct type *type, const value *leaves)
{
    value pair = LLVMGetUndef(pair_type(gen, type));
    for (int i = 0; i < 2; i++)
        pair = with_part(gen, pair, leaves[i], i);
    return pair;
}

void c_abi_pass(
        struct codegen *gen, const struct type *type, const value *leaves, value *args)
{
    size_t count = type_leaf_count(gen, type);
    if (is_packed(type))
        args[0] = pack(gen, type, leaves);
    else if (type->kind == TYPE_BOOL)
        args[0] = LLVMBuildZExt(gen->builder, leaves[0], gen->i8, "");
    else
        for (size_t i = 0; i < count; i++)
            args[i] = leaves[i];
}

void c_abi_take(
        struct codegen *gen, const struct type *type, const value *args, value *leaves)
{
    size_t count = type_leaf_count(gen, type);
    if (is_packed(type))
        for (int i = 0; i < 2; i++)
            leaves[i] = part_of(gen, args[0], i);
    else if (type->kind == TYPE_BOOL)
        leaves[0] = LLVMBuildICmp(
                gen->builder, LLVMIntNE, args[0], LLVMConstNull(gen->i8), "");
    else
        for (size_t i = 0; i < count; i++)
            leaves[i] = args[i];
}

value c_abi_return(struct codegen *gen, const struct type *type, const value *leaves)
{
    value args[2];
    c_abi_pass(gen, type, leaves, args);
    LLVMTypeRef result = c_abi_result(gen, type);
    if (LLVMGetTypeKind(result) != LLVMStructTypeKind)
        return args[0];
    value both = LLVMGetUndef(result);
    for (unsigned i = 0; i < 2; i++)
        both = LLVMBuildInsertValue(gen->builder, both, args[i], i, "");
    return both;
}

void c_abi_take_result(
        struct codegen *gen, const struct type *type, value result, value *leaves)
{
    value args[2] = {result, NULL};
    if (LLVMGetTypeKind(LLVMTypeOf(result)) == LLVMStructTypeKind)
        for (unsigned i = 0; i < 2; i++)
            args[i] = LLVMBuildExtractValue(gen->builder, result, i, "");
    c_abi_take(gen, type, args, leaves);
}

static void describe(
        struct codegen *gen, value function, unsigned index, const struct type *type)
{
    bool is_small =
            type->kind == TYPE_BOOL || (type->kind == TYPE_INT && type->bits < 32);
    if (is_small && has_extended_arguments)
        codegen_attribute(
                gen, function, index, type->is_signed ? "signext" : "zeroext", 0);
}

void c_abi_describe(struct codegen *gen, value function, const struct type *function_type)
{
    LLVMTypeRef types[2];
    unsigned index = 1; // 0: the result
    describe(gen, function, 0, function_type->element);
    for (size_t i = 0; i < function_type->tuple.len; i++) {
        describe(gen, function, index, function_type->tuple.items[i]);
        index += c_abi_types(gen, function_type->tuple.items[i], types);
    }
}

// SPDX-License-Identifier: MIT
// How types and values look in LLVM: the leaves of each type, constants, and values in
// memory.
#include "compiler/codegen/codegen.h"

#include <stdio.h>
#include <string.h>

struct leaf_walk {
    struct codegen *gen;
    VEC(struct leaf) leaves;
};

static void walk_type(struct leaf_walk *walk, const struct type *type, size_t offset,
        const char *suffix);

static void push_leaf(struct leaf_walk *walk, const struct type *type, size_t offset,
        const char *suffix)
{
    vec_push(&walk->leaves,
            (struct leaf){type, offset, arena_strdup(&walk->gen->arena, suffix)});
}

static void walk_named(struct leaf_walk *walk, const struct type *type, size_t offset,
        const char *prefix, const char *name)
{
    char suffix[64];
    snprintf(suffix, sizeof suffix, "%.40s.%.20s", prefix, name);
    walk_type(walk, type, offset, suffix);
}

static void walk_items(struct leaf_walk *walk, const struct type *const *items,
        size_t len, size_t offset, const char *suffix)
{
    for (size_t i = 0; i < len; i++) {
        size_t at = abi_place(items[i], &offset);
        char name[24];
        snprintf(name, sizeof name, "%zu", i);
        walk_named(walk, items[i], at, suffix, name);
    }
}

static void walk_array(struct leaf_walk *walk, const struct type *type, size_t offset,
        const char *suffix)
{
    walk_named(walk, type_voidptr, offset, suffix, "memory");
    walk_named(walk, type_voidptr, offset + 8, suffix, "parent");
    walk_named(walk, type_voidptr, offset + 16, suffix, "data");
    for (int i = 0; i < 2 * type->array.ndim; i++) {
        char name[24];
        bool is_shape = i < type->array.ndim;
        snprintf(name, sizeof name, is_shape ? "shape.%d" : "strides.%d",
                is_shape ? i : i - type->array.ndim);
        walk_named(walk, type_int64, offset + 24 + 8 * (size_t)i, suffix, name);
    }
}

static void walk_three(struct leaf_walk *walk, const struct type *element, size_t offset,
        const char *suffix, const char *const names[3])
{
    for (size_t i = 0; i < 3; i++)
        walk_named(walk, element, offset + i * abi_size(element), suffix, names[i]);
}

static const char *const range_names[3] = {"start", "stop", "step"};
static const char *const axis_names[3] = {"x", "y", "z"};

static void walk_type(struct leaf_walk *walk, const struct type *type, size_t offset,
        const char *suffix)
{
    switch (type->kind) {
    case TYPE_BOOL:
    case TYPE_INT:
    case TYPE_FLOAT:
    case TYPE_POINTER:
        push_leaf(walk, type, offset, suffix);
        break;
    case TYPE_CALLABLE:
    case TYPE_FOREIGN:
    case TYPE_GENERATOR:
        push_leaf(walk, type_voidptr, offset, suffix);
        break;
    case TYPE_CAUGHT:
        push_leaf(walk, type_int32, offset, suffix);
        break;
    case TYPE_COMPLEX:
        walk_named(walk, type->element, offset, suffix, "real");
        walk_named(walk, type->element, offset + abi_size(type->element), suffix, "imag");
        break;
    case TYPE_STRING:
        walk_named(walk, type_voidptr, offset, suffix, "memory");
        walk_named(walk, type_voidptr, offset + 8, suffix, "data");
        walk_named(walk, type_int64, offset + 16, suffix, "len");
        break;
    case TYPE_TUPLE:
    case TYPE_ZIP:
    case TYPE_CLOSURE:
    case TYPE_CHOICE:
        walk_items(walk, type->tuple.items, type->tuple.len, offset, suffix);
        break;
    case TYPE_ARRAY:
        walk_array(walk, type, offset, suffix);
        break;
    case TYPE_ENUM:
    case TYPE_TIME:
    case TYPE_BFLOAT:
        walk_type(walk, type->element, offset, suffix);
        break;
    case TYPE_OPTIONAL:
        walk_type(walk, type->element, offset, suffix);
        walk_named(
                walk, type_bool, offset + abi_size(type->element), suffix, "is_present");
        break;
    case TYPE_SLICE:
        walk_three(walk, type_int64, offset, suffix, range_names);
        break;
    case TYPE_RANGE:
        walk_three(walk, type->element, offset, suffix, range_names);
        break;
    case TYPE_DIM3:
        walk_three(walk, type_int32, offset, suffix, axis_names);
        break;
    case TYPE_LIST:
    case TYPE_SET:
    case TYPE_DICT:
    case TYPE_INSTANCE:
        push_leaf(walk, type_voidptr, offset, suffix);
        break;
    case TYPE_ENUMERATE:
        walk_type(walk, type->element, offset, suffix);
        walk_named(walk, type_int64, offset + abi_size(type->element), suffix, "count");
        break;
    default: // none, compile-time objects and iterators have no leaves
        break;
    }
}

const struct leaf_list *type_leaves(struct codegen *gen, const struct type *type)
{
    struct leaf_list *list = map_get_bytes(&gen->leaf_lists, &type, sizeof type);
    if (list)
        return list;
    struct leaf_walk walk = {.gen = gen};
    walk_type(&walk, type, 0, "");
    list = arena_new(&gen->arena, struct leaf_list);
    list->len = walk.leaves.len;
    if (list->len)
        list->items = arena_copy(
                &gen->arena, walk.leaves.items, list->len * sizeof(struct leaf));
    vec_finish(&walk.leaves);
    map_set_bytes(&gen->leaf_lists, &type, sizeof type, list);
    return list;
}

size_t type_leaf_count(struct codegen *gen, const struct type *type)
{
    return type ? type_leaves(gen, type)->len : 0;
}

LLVMTypeRef type_int_bits(struct codegen *gen, int bits)
{
    switch (bits) {
    case 1:
        return gen->i1;
    case 8:
        return gen->i8;
    case 16:
        return gen->i16;
    case 32:
        return gen->i32;
    default:
        return gen->i64;
    }
}

LLVMTypeRef type_llvm(struct codegen *gen, const struct type *scalar)
{
    switch (scalar->kind) {
    case TYPE_BOOL:
        return gen->i1;
    case TYPE_INT:
    case TYPE_TIME:
    case TYPE_BFLOAT:
        return type_int_bits(gen, scalar->bits);
    case TYPE_FLOAT:
        return scalar->bits == 16 ? gen->f16 : scalar->bits == 32 ? gen->f32 : gen->f64;
    default:
        return gen->ptr;
    }
}

LLVMTypeRef type_memory(struct codegen *gen, const struct type *scalar)
{
    return scalar->kind == TYPE_BOOL ? gen->i8 : type_llvm(gen, scalar);
}

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

value value_select(struct codegen *gen, value condition, value yes, value no)
{
    return LLVMBuildSelect(gen->builder, condition, yes, no, "");
}

static void set_alignment(value access, size_t alignment)
{
    if (alignment)
        LLVMSetAlignment(access, (unsigned)alignment);
}

void value_load(struct codegen *gen, const struct type *type, value pointer,
        size_t alignment, const char *name, value *leaves)
{
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

value value_alloca(struct body *body, LLVMTypeRef type, const char *name)
{
    LLVMBuilderRef builder = body->gen->builder;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(builder);
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

enum { GPU_CONSTANT_SPACE = 4, GPU_CONSTANT_BYTES = 63 << 10 };

// The bytes as a constant of the module.
static value array_bytes(struct codegen *gen, const struct constant_array *array)
{
    value data = codegen_text(gen, array->data, array->size_bytes);
    LLVMSetAlignment(data, 16);
    if (gen->target->kind != TARGET_GPU || !array->is_in_constant_memory ||
            gen->constant_bytes + array->size_bytes > GPU_CONSTANT_BYTES)
        return data;
    gen->constant_bytes += (array->size_bytes + 15) & ~(size_t)15;
    value moved = LLVMAddGlobalInAddressSpace(
            gen->module, LLVMGlobalGetValueType(data), "constant", GPU_CONSTANT_SPACE);
    LLVMSetInitializer(moved, LLVMGetInitializer(data));
    LLVMSetGlobalConstant(moved, true);
    LLVMSetLinkage(moved, LLVMPrivateLinkage);
    LLVMSetAlignment(moved, 16);
    LLVMDeleteGlobal(data);
    return LLVMConstAddrSpaceCast(moved, gen->ptr);
}

// A captured array.
static void array_constant(
        struct body *body, const struct constant *constant, value *leaves)
{
    struct codegen *gen = body->gen;
    const struct type *type = constant->type;
    const int64_t *strides = constant->array.device_strides;
    value data, shape[64];
    if (strides) {
        data = codegen_address(
                gen, (const void *)(uintptr_t)constant->array.device_address);
    } else {
        data = array_bytes(gen, &constant->array);
    }
    for (int i = 0; i < type->array.ndim; i++)
        shape[i] = value_i64(gen, constant->array.shape[i]);
    array_describe(body, type, data, shape, leaves);
    for (int i = 0; strides && i < type->array.ndim; i++)
        leaves[ARRAY_STRIDE(type, i)] = value_i64(gen, strides[i]);
}

static void tuple_constant(
        struct body *body, const struct constant *constant, value *leaves)
{
    for (size_t i = 0; i < constant->tuple.len; i++) {
        const struct constant *item = &constant->tuple.items[i];
        value_constant(body, item, leaves);
        leaves += type_leaf_count(body->gen, item->type);
    }
}

void value_constant(struct body *body, const struct constant *constant, value *leaves)
{
    struct codegen *gen = body->gen;
    const struct type *type = constant->type;
    switch (type->kind) {
    case TYPE_BOOL:
        leaves[0] = value_bool(gen, constant->integer != 0);
        break;
    case TYPE_INT:
        leaves[0] = LLVMConstInt(type_llvm(gen, type),
                (unsigned long long)constant->integer, type->is_signed);
        break;
    case TYPE_FLOAT:
        leaves[0] = value_float(gen, type, constant->real);
        break;
    case TYPE_COMPLEX:
        leaves[0] = value_float(gen, type->element, constant->complex_parts[0]);
        leaves[1] = value_float(gen, type->element, constant->complex_parts[1]);
        break;
    case TYPE_STRING:
        text_constant(body, constant, leaves);
        break;
    case TYPE_TUPLE:
        tuple_constant(body, constant, leaves);
        break;
    case TYPE_ARRAY:
        array_constant(body, constant, leaves);
        break;
    case TYPE_ENUM:
    case TYPE_TIME:
    case TYPE_BFLOAT: {
        struct constant inside = *constant;
        inside.type = type->element;
        value_constant(body, &inside, leaves);
        break;
    }
    case TYPE_POINTER:
    case TYPE_FOREIGN:
        leaves[0] = codegen_address(gen, (const void *)(intptr_t)constant->integer);
        break;
    default:
        if (type_leaf_count(gen, type))
            codegen_fail(
                    gen, ERROR_LOWERING, SPAN_NONE, "no constant of type %s", type->name);
    }
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
    LLVMMetadataRef bounds[2] = {LLVMValueAsMetadata(value_i32(gen, low)),
            LLVMValueAsMetadata(value_i32(gen, high))};
    LLVMMetadataRef range = LLVMMDNodeInContext2(gen->context, bounds, 2);
    LLVMSetMetadata(loaded, LLVMGetMDKindIDInContext(gen->context, "range", 5),
            LLVMMetadataAsValue(gen->context, range));
}

// SPDX-License-Identifier: MIT
// How types look in LLVM: the leaves of each type.
#include "compiler/codegen/base/types.h"

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

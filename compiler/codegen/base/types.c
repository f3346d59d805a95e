// SPDX-License-Identifier: MIT
// How types look in LLVM: the leaves of each type.
//
// What a value consists of is not decided here: types/abi.c says it, for box and unbox,
// which fill memory that code made from these leaves reads.
#include "compiler/codegen/base/types.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "compiler/types/kinds.h"

// The positions in types.h are those of the fields: each is a leaf of 8 bytes.
_Static_assert(offsetof(struct abi_array, parent) == 8 * ARRAY_PARENT, "order of leaves");
_Static_assert(offsetof(struct abi_array, data) == 8 * ARRAY_DATA, "order of leaves");
_Static_assert(offsetof(struct abi_array, dims) == 8 * ARRAY_DIMS, "order of leaves");
_Static_assert(offsetof(struct abi_text, data) == 8 * STRING_DATA, "order of leaves");
_Static_assert(offsetof(struct abi_text, len) == 8 * STRING_LENGTH, "order of leaves");

struct leaf_walk {
    struct codegen *gen;
    VEC(struct leaf) leaves;
};

static void push_leaf(struct leaf_walk *walk, const struct type *type, size_t offset,
        const char *suffix)
{
    vec_push(&walk->leaves,
            (struct leaf){type, offset, arena_strdup(&walk->gen->arena, suffix)});
}

// ".data", ".shape.0"; ".0" of an item; nothing for what stands for the whole value.
static void name_part(char *out, size_t size, const char *prefix, struct abi_part part)
{
    char number[16] = "";
    if (part.number >= 0)
        snprintf(number, sizeof number, ".%d", part.number);
    bool is_named = part.name && part.name[0];
    snprintf(out, size, "%.40s%s%.20s%s", prefix, is_named ? "." : "",
            is_named ? part.name : "", number);
}

// The leaves lie where box, unbox and abi_leaves look for them: the offsets come from
// abi_place here as there.
static void walk_type(struct leaf_walk *walk, const struct type *type, size_t offset,
        const char *suffix)
{
    size_t inner = 0;
    if (abi_is_leaf(type))
        push_leaf(walk, type, offset, suffix);
    for (size_t i = 0; i < abi_part_count(type); i++) {
        struct abi_part part = abi_part_at(type, i);
        char name[80];
        name_part(name, sizeof name, suffix, part);
        size_t at = abi_place(part.type, &inner);
        walk_type(walk, part.type, offset + at, name);
    }
}

// Types are interned: the address of one is what it is.
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
    int expected = type_traits_of(type)->leaves;
    assert(expected == VARIES || list->len == (size_t)expected);
    map_set_bytes(&gen->leaf_lists, &type, sizeof type, list);
    return list;
}

size_t type_leaf_count(struct codegen *gen, const struct type *type)
{
    if (!type)
        return 0;
    int leaves = type_traits_of(type)->leaves;
    return leaves != VARIES ? (size_t)leaves : type_leaves(gen, type)->len;
}

// No width but these comes from a type; 64 is also what an address is counted in.
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
        assert(bits == 64);
        return gen->i64;
    }
}

// What one register is. Not all that has one is asked for by its leaf: callers pass the
// type of a number that is an element (datetime64, bfloat16) or of an object.
LLVMTypeRef type_llvm(struct codegen *gen, const struct type *scalar)
{
    switch (type_traits_of(scalar)->shape) {
    case SHAPE_ELEMENT:
        return type_llvm(gen, scalar->element);
    case SHAPE_BIT:
        return gen->i1;
    case SHAPE_INT:
        return type_int_bits(gen, scalar->bits);
    case SHAPE_FLOAT:
        return scalar->bits == 16 ? gen->f16 : scalar->bits == 32 ? gen->f32 : gen->f64;
    default:
        return gen->ptr;
    }
}

// i1 has no place in memory of its own: C, NumPy and unbox have a byte there.
LLVMTypeRef type_memory(struct codegen *gen, const struct type *scalar)
{
    return scalar->kind == TYPE_BOOL ? gen->i8 : type_llvm(gen, scalar);
}

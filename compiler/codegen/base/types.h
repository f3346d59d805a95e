// SPDX-License-Identifier: MIT
// How a type looks in LLVM. A value of the compiled language is a row of scalar "leaves"
// (an array: memory, parent, data, shape, strides; a complex number: its parts), so that
// LLVM sees nothing but scalars: parameters, phis and tuples need no aggregates.
#pragma once

#include "compiler/codegen/base/module.h"

// One scalar of a value: BOOL, INT, FLOAT or POINTER at an offset in memory.
struct leaf {
    const struct type *type;
    size_t offset;
    const char *suffix; // "", ".data", ".0.re"
};

struct leaf_list {
    struct leaf *items;
    size_t len;
};

// Positions of an array's leaves.
enum { ARRAY_MEMORY, ARRAY_PARENT, ARRAY_DATA, ARRAY_DIMS };
#define ARRAY_SHAPE(axis) (ARRAY_DIMS + (axis))
#define ARRAY_STRIDE(type, axis) (ARRAY_DIMS + (type)->array.ndim + (axis))

// Positions of the leaves of what a handler caught.
enum { CAUGHT_MEMORY, CAUGHT_STATUS };

// Positions of a string's leaves.
enum { STRING_MEMORY, STRING_DATA, STRING_LENGTH };

// The list is the module's, and made once for each type.
const struct leaf_list *type_leaves(struct codegen *gen, const struct type *type);
size_t type_leaf_count(struct codegen *gen, const struct type *type);
LLVMTypeRef type_llvm(struct codegen *gen, const struct type *scalar);
LLVMTypeRef type_memory(struct codegen *gen, const struct type *scalar); // bool is a byte
LLVMTypeRef type_int_bits(struct codegen *gen, int bits);

// SPDX-License-Identifier: MIT
// The tables that intrinsics.def makes, and what the codes of its signatures mean.
#include "compiler/types/intrinsics.h"

#include <assert.h>
#include <string.h>

#include "compiler/types/abi.h"

const struct intrinsic intrinsics[] = {
#define REGULAR(id, name, params, signature, effect, gpu, elsewhere, capability, doc)    \
    {name, params, signature, effect, gpu, elsewhere, capability},
#include "compiler/types/intrinsics.def"
};
const size_t intrinsic_count = sizeof intrinsics / sizeof *intrinsics;

const struct meeting meetings[] = {
#define MEETING(id, name, count, params, item, result, ptx, capability, doc)             \
    [MEETING_##id] = {item, result, ptx},
#include "compiler/types/intrinsics.def"
};

const char *const cache_hint_operators[] = {
#define LOAD_HINT(id, name, ptx, doc) [CACHE_LOAD_##id] = ptx,
#define STORE_HINT(id, name, ptx, doc) [CACHE_STORE_##id] = ptx,
#include "compiler/types/intrinsics.def"
};

const struct intrinsic_entry intrinsic_entries[] = {
#define REGULAR(id, name, params, signature, effect, gpu, elsewhere, capability, doc)    \
    {name, params, signature, capability, doc},
#define MEETING_KIND(item)                                                               \
    ((item) == MEETING_ITEM_VALUE          ? "value"                                     \
            : (item) == MEETING_ITEM_TRUTH ? "truth"                                     \
                                           : "nothing")
#define MEETING(id, name, count, params, item, result, ptx, capability, doc)             \
    {name, params, MEETING_KIND(item), capability, doc},
#define LOAD_HINT(id, name, ptx, doc) {name, "array i", "load", 0, doc},
#define STORE_HINT(id, name, ptx, doc) {name, "array i value", "store", 0, doc},
#define BY_RULE(name, rule, data, min, max, params, doc) {name, params, "rule", 0, doc},
#define BY_LIBRARY(name, library, count, params, doc) {name, params, "library", 0, doc},
#include "compiler/types/intrinsics.def"
};
const size_t intrinsic_entry_count = sizeof intrinsic_entries / sizeof *intrinsic_entries;

size_t intrinsic_operand_count(const struct intrinsic *intrinsic)
{
    size_t count = strlen(intrinsic->signature) - 3; // of the result and the parentheses
    assert(count <= INTRINSIC_MOST_OPERANDS);
    return count;
}

static const struct type *whole(const struct type *first)
{
    if (!first || first->kind != TYPE_INT)
        return NULL;
    return first->bits < 32 ? type_int(32, first->is_signed) : first;
}

static const struct type *real(const struct type *first)
{
    if (!first || (first->kind != TYPE_FLOAT && !type_is_integer(first)))
        return NULL;
    return first->kind == TYPE_FLOAT && first->bits <= 32 ? type_float32 : type_float64;
}

static const struct type *without_sign(const struct type *type)
{
    return type ? type_int(type->bits, false) : NULL;
}

const struct type *intrinsic_type(char code, const struct type *first)
{
    switch (code) {
    case 'V':
        return type_none;
    case 'B':
        return type_bool;
    case 'I':
        return type_int32;
    case 'U':
        return type_uint32;
    case 'L':
        return type_int64;
    case 'Q':
        return type_uint64;
    case 'F':
        return type_float32;
    case 'D':
        return type_float64;
    case 'W':
        return whole(first);
    case 'N':
        return without_sign(whole(first));
    default:
        assert(code == 'R');
        return real(first);
    }
}

// A row without a type's name stands for the names with any.
static bool is_named(const char *row, const char *llvm_name)
{
    size_t len = strcspn(row, " ");
    return !strncmp(row, llvm_name, len) && (!llvm_name[len] || llvm_name[len] == '.');
}

int intrinsic_capability(const char *llvm_name)
{
    for (size_t i = 0; i < intrinsic_count; i++)
        if (is_named(intrinsics[i].gpu, llvm_name))
            return intrinsics[i].capability;
    return -1;
}

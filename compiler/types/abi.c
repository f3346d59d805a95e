// SPDX-License-Identifier: MIT
// Sizes and alignments of values at the border of compiled code.
#include "compiler/types/abi.h"

static size_t align_up(size_t offset, size_t alignment)
{
    return (offset + alignment - 1) / alignment * alignment;
}

size_t abi_place(const struct type *type, size_t *offset)
{
    size_t at = align_up(*offset, abi_alignment(type));
    *offset = at + abi_size(type);
    return at;
}

size_t abi_stride(const struct type *type)
{
    return align_up(abi_size(type), abi_alignment(type));
}

static size_t tuple_size(const struct type *type)
{
    size_t offset = 0;
    for (size_t i = 0; i < type->tuple.len; i++)
        abi_place(type->tuple.items[i], &offset);
    return align_up(offset, abi_alignment(type));
}

static size_t optional_size(const struct type *type)
{
    size_t offset = 0;
    abi_place(type->element, &offset);
    abi_place(type_bool, &offset);
    return align_up(offset, abi_alignment(type));
}

size_t abi_size(const struct type *type)
{
    switch (type->kind) {
    case TYPE_BOOL:
        return 1;
    case TYPE_INT:
    case TYPE_FLOAT:
    case TYPE_COMPLEX:
    case TYPE_CELLS:
        return (size_t)type->bits / 8;
    case TYPE_STRING:
        return sizeof(struct abi_text);
    case TYPE_TUPLE:
    case TYPE_CLOSURE:
    case TYPE_CHOICE:
        return tuple_size(type);
    case TYPE_ARRAY:
        return sizeof(struct abi_array) + 16 * (size_t)type->array.ndim;
    case TYPE_OPTIONAL:
        return optional_size(type);
    case TYPE_SLICE:
        return 24;
    case TYPE_RANGE:
        return 3 * abi_size(type->element);
    case TYPE_DIM3:
        return 12;
    case TYPE_CAUGHT:
        return 4;
    case TYPE_RECORD:
        return type->record.size_bytes;
    case TYPE_POINTER:
    case TYPE_CALLABLE:
    case TYPE_FOREIGN:
    case TYPE_GENERATOR:
    case TYPE_LIST:
    case TYPE_SET:
    case TYPE_DICT:
    case TYPE_INSTANCE:
        return 8;
    case TYPE_ENUM:
    case TYPE_TIME:
    case TYPE_BFLOAT:
        return abi_size(type->element);
    default: // compile-time objects and iterators never cross the border
        return 0;
    }
}

static size_t max_alignment(const struct type *const *items, size_t len)
{
    size_t alignment = 1;
    for (size_t i = 0; i < len; i++)
        if (abi_alignment(items[i]) > alignment)
            alignment = abi_alignment(items[i]);
    return alignment;
}

static size_t record_alignment(const struct type *type)
{
    size_t alignment = 1;
    for (size_t i = 0; type->record.is_aligned && i < type->record.len; i++)
        if (abi_alignment(type->record.fields[i].type) > alignment)
            alignment = abi_alignment(type->record.fields[i].type);
    return alignment;
}

size_t abi_alignment(const struct type *type)
{
    switch (type->kind) {
    case TYPE_INT:
    case TYPE_FLOAT:
        return (size_t)type->bits / 8;
    case TYPE_COMPLEX:
    case TYPE_RANGE:
    case TYPE_OPTIONAL:
    case TYPE_ENUM:
    case TYPE_TIME:
    case TYPE_BFLOAT:
        return abi_alignment(type->element);
    case TYPE_TUPLE:
    case TYPE_CLOSURE:
    case TYPE_CHOICE:
        return max_alignment(type->tuple.items, type->tuple.len);
    case TYPE_CELLS:
        return type->element == type_bytes ? 1 : 4;
    case TYPE_DIM3:
    case TYPE_CAUGHT:
        return 4;
    case TYPE_RECORD:
        return record_alignment(type);
    case TYPE_STRING:
    case TYPE_ARRAY:
    case TYPE_SLICE:
    case TYPE_POINTER:
    case TYPE_CALLABLE:
    case TYPE_FOREIGN:
    case TYPE_GENERATOR:
    case TYPE_LIST:
    case TYPE_SET:
    case TYPE_DICT:
    case TYPE_INSTANCE:
        return 8;
    default:
        return 1;
    }
}

size_t abi_block_layout(const struct type *const *types, size_t count, size_t *offsets)
{
    size_t offset = 0;
    for (size_t i = 0; i < count; i++) {
        if (offsets)
            offsets[i] = offset;
        offset = align_up(offset + abi_size(types[i]), 8);
    }
    return offset;
}

size_t abi_counted(const struct type *type, size_t offset, int64_t *places)
{
    size_t count = 0, inner = 0;
    switch (type->kind) {
    case TYPE_ARRAY:
    case TYPE_STRING:
    case TYPE_CALLABLE:
    case TYPE_GENERATOR:
    case TYPE_LIST:
    case TYPE_SET:
    case TYPE_DICT:
    case TYPE_INSTANCE: // the pointer comes first in each
        if (places)
            places[0] = (int64_t)offset;
        return 1;
    case TYPE_OPTIONAL:
    case TYPE_ENUM:
        return abi_counted(type->element, offset, places);
    case TYPE_TUPLE:
    case TYPE_CLOSURE:
    case TYPE_CHOICE:
        for (size_t i = 0; i < type->tuple.len; i++) {
            size_t at = offset + abi_place(type->tuple.items[i], &inner);
            count +=
                    abi_counted(type->tuple.items[i], at, places ? places + count : NULL);
        }
        return count;
    default:
        return 0;
    }
}

static void visit_equal(size_t offset, size_t size_bytes, size_t count,
        void (*visit)(void *context, size_t offset, size_t size_bytes), void *context)
{
    for (size_t i = 0; i < count; i++)
        visit(context, offset + i * size_bytes, size_bytes);
}

static void visit_tuple(const struct type *type, size_t offset,
        void (*visit)(void *context, size_t offset, size_t size_bytes), void *context)
{
    size_t inner = 0;
    for (size_t i = 0; i < type->tuple.len; i++) {
        size_t at = abi_place(type->tuple.items[i], &inner);
        abi_leaves(type->tuple.items[i], offset + at, visit, context);
    }
}

void abi_leaves(const struct type *type, size_t offset,
        void (*visit)(void *context, size_t offset, size_t size_bytes), void *context)
{
    size_t size_bytes = abi_size(type);
    switch (type->kind) {
    case TYPE_TUPLE:
        visit_tuple(type, offset, visit, context);
        break;
    case TYPE_OPTIONAL:
        abi_leaves(type->element, offset, visit, context);
        visit(context, offset + abi_size(type->element), 1);
        break;
    case TYPE_COMPLEX:
        visit_equal(offset, size_bytes / 2, 2, visit, context);
        break;
    case TYPE_RANGE:
    case TYPE_DIM3:
        visit_equal(offset, size_bytes / 3, 3, visit, context);
        break;
    case TYPE_STRING:
    case TYPE_SLICE:
    case TYPE_ARRAY:
        visit_equal(offset, 8, size_bytes / 8, visit, context);
        break;
    case TYPE_RECORD:
        visit_equal(offset, 1, size_bytes, visit, context);
        break;
    default:
        if (size_bytes)
            visit(context, offset, size_bytes);
    }
}

// SPDX-License-Identifier: MIT
// Sizes, alignments and parts of values at the border of compiled code.
//
// Three sides agree on this layout and must go on agreeing: compiled code, which loads
// and stores by the offsets of codegen/base/types.c; box and unbox, which fill argument
// blocks and read results; and C, whose compilers lay structs out alike (callbacks,
// structs in abi.h, NumPy's aligned records). All three ask here, so that there is one
// answer.
#include "compiler/types/abi.h"

#include <assert.h>

#include "compiler/types/kinds.h"

// Compiled code and the runtime find the pointer to counted memory where a value begins.
_Static_assert(offsetof(struct abi_array, memory) == 0, "counted first");
_Static_assert(offsetof(struct abi_text, memory) == 0, "counted first");
_Static_assert(offsetof(struct abi_row, memory) == 0, "counted first");
_Static_assert(offsetof(struct abi_callable, memory) == 0, "counted first");
_Static_assert(offsetof(struct abi_generator, memory) == 0, "counted first");

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

// --- Parts

enum { MAX_FIXED_PARTS = 3 };

// What each value of a shape has. The order is the layout: that of the structs in abi.h
// and of the positions that codegen/base/types.h gives the registers. The type is read
// when it is asked for, for types_init makes it; NULL: the element.
static const struct {
    const char *name;
    const struct type *const *type;
} fixed_parts[SHAPE_COUNT][MAX_FIXED_PARTS] = {
        [SHAPE_REFERENCE] = {{"", &type_voidptr}},
        [SHAPE_CAUGHT] = {{"memory", &type_voidptr}, {"status", &type_int32}},
        [SHAPE_COMPLEX] = {{"real", NULL}, {"imag", NULL}},
        [SHAPE_TEXT] = {{"memory", &type_voidptr}, {"data", &type_voidptr},
                {"len", &type_int64}},
        [SHAPE_ARRAY] = {{"memory", &type_voidptr}, {"parent", &type_voidptr},
                {"data", &type_voidptr}},
        [SHAPE_SLICE] = {{"start", &type_int64}, {"stop", &type_int64},
                {"step", &type_int64}},
        [SHAPE_RANGE] = {{"start", NULL}, {"stop", NULL}, {"step", NULL}},
        [SHAPE_DIM3] = {{"x", &type_int32}, {"y", &type_int32}, {"z", &type_int32}},
        [SHAPE_ELEMENT] = {{"", NULL}},
        [SHAPE_OPTIONAL] = {{"", NULL}, {"is_present", &type_bool}},
        [SHAPE_ENUMERATE] = {{"", NULL}, {"count", &type_int64}},
};

bool abi_is_leaf(const struct type *type)
{
    enum type_shape shape = type_traits_of(type)->shape;
    return shape >= SHAPE_BIT && shape <= SHAPE_POINTER;
}

static size_t fixed_part_count(enum type_shape shape)
{
    size_t count = 0;
    while (count < MAX_FIXED_PARTS && fixed_parts[shape][count].name)
        count++;
    return count;
}

size_t abi_part_count(const struct type *type)
{
    enum type_shape shape = type_traits_of(type)->shape;
    if (shape == SHAPE_ITEMS)
        return type->tuple.len;
    size_t dims = shape == SHAPE_ARRAY ? 2 * (size_t)type->array.ndim : 0;
    return fixed_part_count(shape) + dims;
}

struct abi_part abi_part_at(const struct type *type, size_t index)
{
    assert(index < abi_part_count(type));
    enum type_shape shape = type_traits_of(type)->shape;
    if (shape == SHAPE_ITEMS)
        return (struct abi_part){type->tuple.items[index], NULL, (int)index};
    int axis = shape == SHAPE_ARRAY ? (int)index - MAX_FIXED_PARTS : -1;
    if (axis >= 0 && axis < type->array.ndim)
        return (struct abi_part){type_int64, "shape", axis};
    if (axis >= 0)
        return (struct abi_part){type_int64, "strides", axis - type->array.ndim};
    const struct type *const *part = fixed_parts[shape][index].type;
    return (struct abi_part){
            part ? *part : type->element, fixed_parts[shape][index].name, -1};
}

void abi_leaves(const struct type *type, size_t offset,
        void (*visit)(void *context, size_t offset, size_t size_bytes), void *context)
{
    size_t inner = 0;
    if (abi_is_leaf(type))
        visit(context, offset, abi_size(type));
    for (size_t i = 0; i < abi_part_count(type); i++) {
        const struct type *part = abi_part_at(type, i).type;
        size_t at = abi_place(part, &inner);
        abi_leaves(part, offset + at, visit, context);
    }
}

// --- Size and alignment

// As a C struct of the parts: its end is padded, so that values stand in a row.
static size_t size_of_parts(const struct type *type)
{
    size_t offset = 0;
    for (size_t i = 0; i < abi_part_count(type); i++)
        abi_place(abi_part_at(type, i).type, &offset);
    return align_up(offset, abi_alignment(type));
}

// Compile-time objects take no room: they never cross the border. Of iterators, those
// that hold something do, as functions may return them.
size_t abi_size(const struct type *type)
{
    const struct type_traits *traits = type_traits_of(type);
    if (traits->size_bytes != VARIES)
        return (size_t)traits->size_bytes;
    if (traits->shape == SHAPE_RECORD)
        return type->record.size_bytes;
    if (abi_is_leaf(type) || traits->shape == SHAPE_CELLS)
        return (size_t)type->bits / 8;
    return size_of_parts(type);
}

static size_t greater(size_t a, size_t b)
{
    return a > b ? a : b;
}

// NumPy packs the fields of a record unless its dtype says align=True.
static size_t record_alignment(const struct type *type)
{
    size_t alignment = 1;
    for (size_t i = 0; type->record.is_aligned && i < type->record.len; i++)
        alignment = greater(alignment, abi_alignment(type->record.fields[i].type));
    return alignment;
}

static size_t alignment_of_parts(const struct type *type)
{
    size_t alignment = 1;
    for (size_t i = 0; i < abi_part_count(type); i++)
        alignment = greater(alignment, abi_alignment(abi_part_at(type, i).type));
    return alignment;
}

size_t abi_alignment(const struct type *type)
{
    const struct type_traits *traits = type_traits_of(type);
    if (traits->alignment != VARIES)
        return (size_t)traits->alignment;
    if (traits->shape == SHAPE_RECORD)
        return record_alignment(type);
    if (traits->shape == SHAPE_CELLS) // of UCS-4 characters, or bytes
        return type->element == type_bytes ? 1 : 4;
    return abi_is_leaf(type) ? abi_size(type) : alignment_of_parts(type);
}

size_t abi_usual_alignment(const struct type *type)
{
    enum { WIDEST_ACCESS = 16 };
    if (type->kind != TYPE_ARRAY)
        return 1;
    const struct type *item = type->element;
    size_t known = type->array.is_aligned ? abi_alignment(item) : 1;
    size_t usual = abi_alignment(item);
    if (item->kind == TYPE_COMPLEX || type_traits_of(item)->shape == SHAPE_RECORD)
        while (usual < WIDEST_ACCESS && abi_size(item) % (2 * usual) == 0)
            usual *= 2;
    return usual > known ? usual : 1;
}

// Every argument begins at a multiple of 8 bytes, whatever its alignment: so its place
// depends on the sizes before it alone. No type needs more than 8.
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

// --- Counted memory

static size_t counted_items(const struct type *type, size_t offset, int64_t *places)
{
    size_t count = 0, inner = 0;
    for (size_t i = 0; i < type->tuple.len; i++) {
        const struct type *item = type->tuple.items[i];
        size_t at = offset + abi_place(item, &inner);
        count += abi_counted(item, at, places ? places + count : NULL);
    }
    return count;
}

// An element lies where the value begins, and so does the pointer to memory of each
// counted kind: struct abi_row, abi_text and abi_array have it first.
size_t abi_counted(const struct type *type, size_t offset, int64_t *places)
{
    const struct type_traits *traits = type_traits_of(type);
    if (traits->counted == COUNTED_NO || type->kind == TYPE_ITERATOR)
        return 0; // one that is open has no place in memory
    if (traits->counted == COUNTED_ELEMENT)
        return abi_counted(type->element, offset, places);
    if (traits->counted == COUNTED_ITEMS)
        return counted_items(type, offset, places);
    if (places)
        places[0] = (int64_t)offset;
    return 1;
}

bool type_is_counted(const struct type *type)
{
    enum type_counted counted = type_traits_of(type)->counted;
    if (counted == COUNTED_ELEMENT)
        return type_is_counted(type->element);
    for (size_t i = 0; counted == COUNTED_ITEMS && i < type->tuple.len; i++)
        if (type_is_counted(type->tuple.items[i]))
            return true;
    return counted == COUNTED_FIRST;
}

// SPDX-License-Identifier: MIT
// Iteration over ranges, arrays, lists, tuples, enumerate and zip. The state is in stack
// slots that LLVM turns into phis; ITERNEXT tells whether there is an item and where,
// PAIR_FIRST fetches it, so that nothing is read past the end.
#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/body/ownership.h"
#include "compiler/codegen/bounds/bounds.h"
#include "compiler/codegen/loops/axes.h"
#include "compiler/codegen/loops/iter.h"
#include "compiler/codegen/loops/iterator.h"
#include "compiler/codegen/loops/strip.h"
#include "compiler/codegen/loops/table.h"
#include "compiler/codegen/values/array.h"
#include "compiler/codegen/values/generator.h"
#include "compiler/codegen/values/number.h"
#include "compiler/codegen/values/row.h"
#include "compiler/codegen/values/text.h"

#include <assert.h>
#include <string.h>

static const struct iteration iterations[TYPE_KIND_COUNT]; // below

static value counter(struct body *body, LLVMTypeRef type, value start, const char *name)
{
    value slot = value_alloca(body, type, name);
    LLVMBuildStore(body->gen->builder, start, slot);
    return slot;
}

static struct iterator *open_iterable(struct body *body, const struct type *type,
        const value *leaves, struct span span);

static bool is_unit_step(value step)
{
    if (!LLVMIsAConstantInt(step))
        return false;
    int64_t number = LLVMConstIntGetSExtValue(step);
    return number == 1 || number == -1;
}

// A step other than 1 or -1 would have to compare with care: next + step may wrap. Such
// ranges count their turns down, and the position is never compared.
static void open_range(struct body *body, struct iterator *iterator)
{
    assert(iterator->type->kind == TYPE_RANGE);
    const value *range = iterator->leaves;
    iterator->position = counter(body, LLVMTypeOf(range[0]), range[0], "next");
    if (!is_unit_step(range[2])) {
        value turns = range_length(body, iterator->type->element, range);
        iterator->remaining = counter(body, body->gen->i64, turns, "turns");
    }
}

void iterator_count(struct body *body, struct iterator *iterator)
{
    iterator->position = counter(body, body->gen->i64, value_i64(body->gen, 0), "index");
}

static void open_list(struct body *body, struct iterator *iterator)
{
    iterator_count(body, iterator);
    if (iterator->type->cell.is_typed)
        iterator->opened_length = row_length(body, iterator->leaves[0]);
}

// Spilled to the stack: an index that changes from turn to turn needs an address. Where
// the loop is unrolled, LLVM takes the items back to registers.
static void open_tuple(struct body *body, struct iterator *iterator)
{
    struct codegen *gen = body->gen;
    assert(iterator->type->kind == TYPE_TUPLE);
    if (!types_are_equal(iterator->type->tuple.items, iterator->type->tuple.len))
        codegen_fail(gen, ERROR_LOWERING, iterator->span, "cannot iterate over %s",
                iterator->type->name);
    size_t size = abi_size(iterator->type);
    LLVMTypeRef memory = LLVMArrayType2(gen->i8, size ? size : 1);
    iterator->spilled = value_alloca(body, memory, "items");
    LLVMSetAlignment(iterator->spilled, 16);
    gen->has_private_memory = true;
    value_store(gen, iterator->type, iterator->spilled, 0, iterator->leaves);
    iterator_count(body, iterator);
}

static void open_children(struct body *body, struct iterator *iterator,
        const struct type *const *types, size_t count)
{
    struct arena *arena = &body->gen->arena;
    const value *leaves = iterator->leaves;
    iterator->children = arena_array(arena, struct iterator *, count + 1);
    iterator->child_count = count;
    for (size_t i = 0; i < count; i++) {
        iterator->children[i] = open_iterable(body, types[i], leaves, iterator->span);
        leaves += type_leaf_count(body->gen, types[i]);
    }
}

static void open_enumerate(struct body *body, struct iterator *iterator)
{
    const struct type *inside = iterator->type->element;
    open_children(body, iterator, &inside, 1);
    value start = iterator->leaves[type_leaf_count(body->gen, inside)];
    iterator->position = counter(body, body->gen->i64, start, "count");
}

static void open_zip(struct body *body, struct iterator *iterator)
{
    const struct type *type = iterator->type;
    open_children(body, iterator, type->tuple.items, type->tuple.len);
}

static struct iterator *open_iterable(
        struct body *body, const struct type *type, const value *leaves, struct span span)
{
    struct iterator *iterator = arena_new(&body->gen->arena, struct iterator);
    // the leaves are the iterable's own: its owner keeps it alive for the loop
    *iterator = (struct iterator){.type = type, .leaves = leaves, .span = span};
    const struct iteration *iteration = &iterations[type->kind];
    if (!iteration->fetch)
        codegen_fail(
                body->gen, ERROR_LOWERING, span, "cannot iterate over %s", type->name);
    else if (iteration->open)
        iteration->open(body, iterator);
    return iterator;
}

// --- Bounds

static bool range_bounds(struct body *body, const struct iterator *iterator,
        value position, struct strip_bounds *bounds)
{
    const value *leaves = iterator->leaves;
    if (iterator->remaining)
        *bounds = (struct strip_bounds){position, value_i64(body->gen, 0), false, true};
    else
        *bounds = (struct strip_bounds){position ? position : leaves[0], leaves[1],
                LLVMConstIntGetSExtValue(leaves[2]) > 0,
                iterator->type->element->is_signed};
    return true;
}

bool iterator_bounds_to(
        struct body *body, value position, value end, struct strip_bounds *bounds)
{
    value start = position ? position : value_i64(body->gen, 0);
    *bounds = (struct strip_bounds){start, end, true, true};
    return true;
}

static bool array_bounds(struct body *body, const struct iterator *iterator,
        value position, struct strip_bounds *bounds)
{
    return iterator_bounds_to(body, position, iterator->leaves[ARRAY_SHAPE(0)], bounds);
}

static bool list_bounds(struct body *body, const struct iterator *iterator,
        value position, struct strip_bounds *bounds)
{
    return iterator->length &&
           iterator_bounds_to(body, position, iterator->length, bounds);
}

static bool text_bounds(struct body *body, const struct iterator *iterator,
        value position, struct strip_bounds *bounds)
{
    return iterator_bounds_to(body, position, iterator->leaves[STRING_LENGTH], bounds);
}

static bool bounds_of(struct body *body, const struct iterator *iterator, value position,
        struct strip_bounds *bounds)
{
    const struct iteration *iteration = &iterations[iterator->type->kind];
    return iteration->bounds && iteration->bounds(body, iterator, position, bounds);
}

// Hands the tables among the operands to the iterators that go over their items.
static void open_tables(struct body *body, const struct ir_instr *instr,
        struct iterator *iterator, size_t *place, size_t *operand)
{
    for (size_t i = 0; i < iterator->child_count; i++)
        open_tables(body, instr, iterator->children[i], place, operand);
    if (iterator->children)
        return;
    if (*operand < instr->operand_count && instr->immediate >> *place & 1) {
        iterator->table = instr->operands[(*operand)++];
        iterator->opened_count = table_count(body, iterator->table);
    }
    ++*place;
}

void iter_open(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    const struct type *type = instr->operands[0]->type;
    assert(instr->op == IR_GETITER);
    const value *leaves = bounds_open(body, instr, operand(body, instr, 0));
    struct iterator *iterator = open_iterable(body, type, leaves, instr->span);
    body->iterators[instr->id] = iterator;
    if (codegen_failed(gen))
        return;
    if (iterator->type->kind == TYPE_LIST && flow_counts(body->flow, instr))
        iterator->length = row_length(body, iterator->leaves[0]);
    if (!iterator->length) {
        size_t place = 0, operand = 1;
        open_tables(body, instr, iterator, &place, &operand);
    }
    struct strip_bounds bounds;
    struct strip_state state = {.position = iterator->position};
    value turns = NULL;
    if (iterator->remaining) {
        turns = LLVMBuildLoad2(gen->builder, gen->i64, iterator->remaining, "");
        state = (struct strip_state){iterator->remaining, iterator->position,
                iterator->leaves[0], iterator->leaves[2]};
    }
    if (bounds_of(body, iterator, turns, &bounds))
        iterator->limit = strip_open(body, instr, &bounds, &state);
}

static size_t position_count(const struct iterator *iterator)
{
    size_t count = (iterator->position ? 1 : 0) + (size_t)iterator->axes.count +
                   iterator->axes.follower_count;
    for (size_t i = 0; i < iterator->child_count; i++)
        count += position_count(iterator->children[i]);
    return count;
}

// What has_item compares with: the end, or the end of the strip.
static value has_item_before(
        struct body *body, const struct iterator *iterator, value position)
{
    struct strip_bounds bounds;
    bounds_of(body, iterator, position, &bounds);
    value limit = bounds.stop;
    if (iterator->limit)
        limit = LLVMBuildLoad2(
                body->gen->builder, LLVMTypeOf(limit), iterator->limit, "");
    return strip_compare(body, &bounds, limit);
}

// The number after this one. If it overflows there is no next turn to see it.
static value step_on(struct body *body, const struct iterator *iterator, value position)
{
    LLVMBuilderRef b = body->gen->builder;
    assert(iterator->type->kind == TYPE_RANGE);
    value step = iterator->leaves[2];
    return iterator->type->element->is_signed ? LLVMBuildNSWAdd(b, position, step, "")
                                              : LLVMBuildAdd(b, position, step, "");
}

// Unit steps compare with the stop, which gives LLVM the plainest loop; others count
// turns.
static value advance_range(struct body *body, struct iterator *iterator, value position,
        struct positions *positions)
{
    LLVMBuilderRef b = body->gen->builder;
    value has_item, next;
    if (iterator->remaining) {
        value turns = LLVMBuildLoad2(b, body->gen->i64, iterator->remaining, "");
        has_item = has_item_before(body, iterator, turns);
        LLVMBuildStore(b, LLVMBuildSub(b, turns, value_i64(body->gen, 1), ""),
                iterator->remaining);
        next = step_on(body, iterator, position);
    } else {
        has_item = has_item_before(body, iterator, position);
        next = step_on(body, iterator, position);
    }
    LLVMBuildStore(b, next, iterator->position);
    return has_item;
}

static void count_on(struct body *body, const struct iterator *iterator, value position)
{
    LLVMBuilderRef b = body->gen->builder;
    LLVMBuildStore(b, LLVMBuildNSWAdd(b, position, value_i64(body->gen, 1), ""),
            iterator->position);
}

value iterator_count_on(struct body *body, struct iterator *iterator, value position,
        struct positions *positions)
{
    count_on(body, iterator, position);
    return has_item_before(body, iterator, position);
}

static value advance_tuple(struct body *body, struct iterator *iterator, value position,
        struct positions *positions)
{
    count_on(body, iterator, position);
    value end = value_i64(body->gen, (int64_t)iterator->type->tuple.len);
    return LLVMBuildICmp(body->gen->builder, LLVMIntSLT, position, end, "");
}

static value advance_generator(struct body *body, struct iterator *iterator,
        value position, struct positions *positions)
{
    return generator_next(body, iterator->leaves[0], iterator->span);
}

// A plain list may grow meanwhile.
static value advance_list(struct body *body, struct iterator *iterator, value position,
        struct positions *positions)
{
    LLVMBuilderRef b = body->gen->builder;
    count_on(body, iterator, position);
    if (iterator->length)
        return has_item_before(body, iterator, position);
    value length = row_length(body, iterator->leaves[0]);
    if (iterator->opened_length) {
        value differs = LLVMBuildICmp(b, LLVMIntNE, length, iterator->opened_length, "");
        control_raise_if(body, differs, ERROR_RUNTIME,
                "list was mutated during iteration", iterator->span);
    }
    return LLVMBuildICmp(b, LLVMIntSLT, position, length, "");
}

static value advance(
        struct body *body, struct iterator *iterator, struct positions *positions)
{
    value position = NULL;
    if (iterator->table)
        table_check(body, iterator->table, iterator->opened_count, iterator->asked,
                iterator->span);
    if (iterator->position) {
        position = LLVMBuildLoad2(body->gen->builder,
                LLVMGetAllocatedType(iterator->position), iterator->position, "");
        positions->items[positions->len++] = position;
    }
    return iterations[iterator->type->kind].advance(body, iterator, position, positions);
}

// Of enumerate and zip: there is an item if all inside have one.
static value advance_children(struct body *body, struct iterator *iterator,
        value position, struct positions *positions)
{
    struct codegen *gen = body->gen;
    value has_item = value_bool(gen, iterator->child_count > 0);
    if (iterator->asked)
        has_item = LLVMBuildAnd(gen->builder, has_item, iterator->asked, "");
    if (position)
        count_on(body, iterator, position);
    for (size_t i = 0; i < iterator->child_count; i++) {
        iterator->children[i]->asked = i || iterator->asked ? has_item : NULL;
        has_item = i && iterator->children[i]->type->kind == TYPE_GENERATOR
                           ? generator_next_if(body, iterator->children[i]->leaves[0],
                                     has_item, iterator->children[i]->span)
                           : LLVMBuildAnd(gen->builder, has_item,
                                     advance(body, iterator->children[i], positions), "");
    }
    return has_item;
}

static struct iterator *iterator_of(struct body *body, const struct ir_instr *iternext)
{
    struct iterator *iterator = body->iterators[iternext->operands[0]->id];
    if (!iterator)
        codegen_fail(body->gen, ERROR_LOWERING, iternext->span,
                "an iterator that is not made in the same function");
    return iterator;
}

void iter_next(struct body *body, const struct ir_instr *instr, value *out)
{
    struct iterator *iterator = iterator_of(body, instr);
    if (!iterator)
        return;
    value *row = value_row(body->gen, 1 + position_count(iterator));
    struct positions positions = {.items = row + 1};
    // in a body for one turn the range is asked for its item number so-and-so instead
    bool is_single_turn = body->turn.header && instr->block == body->turn.header;
    row[0] = is_single_turn ? body->gen->target->turn_item(body, instr, iterator->type,
                                      iterator->leaves, &row[1])
                            : advance(body, iterator, &positions);
    body->values[instr->id] = row;
}

static void range_item(struct body *body, const struct iterator *iterator,
        const struct type *item, value position, struct positions *positions, value *out)
{
    out[0] = position;
}

// Item `index` of an array: an element, or a view of one axis less.
static void array_item(struct body *body, const struct iterator *iterator,
        const struct type *item, value index, struct positions *positions, value *out)
{
    struct codegen *gen = body->gen;
    const struct type *type = iterator->type;
    const value *array = iterator->leaves;
    if (item->kind != TYPE_ARRAY) {
        value address = array_element_address(body, type, array, &index);
        array_tell_access(body, type, address, ACCESS_LOAD, NULL, positions->span);
        value_load(gen, type->element, address, array_item_alignment(type), "", out);
        return;
    }
    memcpy(out, array, ARRAY_DIMS * sizeof *out);
    value offset = LLVMBuildNSWMul(gen->builder, index, array[ARRAY_STRIDE(type, 0)], "");
    out[ARRAY_DATA] = LLVMBuildInBoundsGEP2(
            gen->builder, gen->i8, array[ARRAY_DATA], &offset, 1, "");
    for (int i = 0; i + 1 < type->array.ndim; i++) {
        out[ARRAY_SHAPE(i)] = array[ARRAY_SHAPE(i + 1)];
        out[ARRAY_STRIDE(item, i)] = array[ARRAY_STRIDE(type, i + 1)];
    }
}

static void tuple_item(struct body *body, const struct iterator *iterator,
        const struct type *item, value index, struct positions *positions, value *out)
{
    struct codegen *gen = body->gen;
    if (!iterator->type->tuple.len)
        return;
    value stride = value_i64(gen, (int64_t)abi_stride(item));
    value offset = LLVMBuildNSWMul(gen->builder, index, stride, "");
    value address = LLVMBuildInBoundsGEP2(
            gen->builder, gen->i8, iterator->spilled, &offset, 1, "");
    value_load(gen, item, address, 0, "", out);
}

static void list_item(struct body *body, const struct iterator *iterator,
        const struct type *item, value index, struct positions *positions, value *out)
{
    row_peek(body, item, iterator->leaves[0], index, out);
}

static void string_item(struct body *body, const struct iterator *iterator,
        const struct type *item, value index, struct positions *positions, value *out)
{
    if (item->kind == TYPE_STRING)
        text_item(body, iterator->leaves, index, out);
    else
        out[0] = text_byte(body, iterator->leaves, index);
}

static void generator_item(struct body *body, const struct iterator *iterator,
        const struct type *item, value index, struct positions *positions, value *out)
{
    generator_value(body, item, iterator->leaves[0], out);
}

static void fetch(struct body *body, const struct iterator *iterator,
        const struct type *item, struct positions *positions, value *out)
{
    value position = iterator->position ? positions->items[positions->len++] : NULL;
    iterations[iterator->type->kind].fetch(
            body, iterator, item, position, positions, out);
}

static void enumerate_item(struct body *body, const struct iterator *iterator,
        const struct type *item, value position, struct positions *positions, value *out)
{
    out[0] = position;
    fetch(body, iterator->children[0], item->tuple.items[1], positions, out + 1);
}

static void zip_item(struct body *body, const struct iterator *iterator,
        const struct type *item, value position, struct positions *positions, value *out)
{
    for (size_t i = 0; i < iterator->child_count; i++) {
        fetch(body, iterator->children[i], item->tuple.items[i], positions, out);
        out += type_leaf_count(body->gen, item->tuple.items[i]);
    }
}

// By kind, for those that types/iterated.c has and that are still gone over here. Where
// there is no row, opening one fails.
static const struct iteration iterations[TYPE_KIND_COUNT] = {
        [TYPE_STRING] = {iterator_count, text_bounds, iterator_count_on, string_item},
        [TYPE_TUPLE] = {open_tuple, NULL, advance_tuple, tuple_item},
        [TYPE_ARRAY] = {iterator_count, array_bounds, iterator_count_on, array_item},
        [TYPE_RANGE] = {open_range, range_bounds, advance_range, range_item},
        [TYPE_ENUMERATE] = {open_enumerate, NULL, advance_children, enumerate_item},
        [TYPE_ZIP] = {open_zip, NULL, advance_children, zip_item},
        [TYPE_INDICES] = {indices_open, indices_bounds, places_advance, indices_item},
        [TYPE_VIEWS] = {places_open, places_bounds, places_advance, views_item},
        [TYPE_FLAT] = {places_open, places_bounds, places_advance, flat_item},
        [TYPE_LIST] = {open_list, list_bounds, advance_list, list_item},
        [TYPE_GENERATOR] = {NULL, NULL, advance_generator, generator_item},
};

void iter_item(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct ir_instr *iternext = instr->operands[0];
    struct iterator *iterator = iterator_of(body, iternext);
    if (!iterator)
        return;
    struct positions positions = {body->values[iternext->id] + 1, 0, instr->span};
    fetch(body, iterator, instr->type, &positions, out);
    if (type_asks_generator(iterator->type) || type_iterates_list(iterator->type))
        ownership_retain(body, instr->type, out); // ownership.c gives it a slot
}

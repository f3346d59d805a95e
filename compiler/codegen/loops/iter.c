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
#include "compiler/codegen/loops/iter.h"
#include "compiler/codegen/loops/strip.h"
#include "compiler/codegen/values/array.h"
#include "compiler/codegen/values/generator.h"
#include "compiler/codegen/values/number.h"
#include "compiler/codegen/values/row.h"
#include "compiler/codegen/values/text.h"

#include <string.h>

struct iterator {
    const struct type *type; // of the iterable
    const value *leaves;
    struct span span;
    value position;      // slot: the next number of a range, else the next index
    value remaining;     // slot: turns left, of ranges that step by more than one
    value limit;         // slot: where to pause, of loops in strips; else NULL
    value length;        // of a list that stays as long as it is; else NULL
    value opened_length; // of a typed list, which may not change meanwhile
    const struct ir_instr *table; // the dict or set over whose items it goes, or NULL
    value opened_count;           // of its items
    value spilled;                // memory of a tuple's items
    struct iterator **children;   // of enumerate and zip
    size_t child_count;
};

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

static void open_range(struct body *body, struct iterator *iterator)
{
    const value *range = iterator->leaves;
    iterator->position = counter(body, LLVMTypeOf(range[0]), range[0], "next");
    if (!is_unit_step(range[2])) {
        value turns = range_length(body, iterator->type->element, range);
        iterator->remaining = counter(body, body->gen->i64, turns, "turns");
    }
}

static bool is_homogeneous(const struct type *tuple)
{
    for (size_t i = 1; i < tuple->tuple.len; i++)
        if (tuple->tuple.items[i] != tuple->tuple.items[0])
            return false;
    return true;
}

static void open_tuple(struct body *body, struct iterator *iterator, struct span span)
{
    struct codegen *gen = body->gen;
    if (!is_homogeneous(iterator->type))
        codegen_fail(gen, ERROR_LOWERING, span, "cannot iterate over %s",
                iterator->type->name);
    size_t size = abi_size(iterator->type);
    LLVMTypeRef memory = LLVMArrayType2(gen->i8, size ? size : 1);
    iterator->spilled = value_alloca(body, memory, "items");
    LLVMSetAlignment(iterator->spilled, 16);
    gen->has_private_memory = true;
    value_store(gen, iterator->type, iterator->spilled, 0, iterator->leaves);
    iterator->position = counter(body, gen->i64, value_i64(gen, 0), "index");
}

static void open_children(struct body *body, struct iterator *iterator,
        const struct type *const *types, size_t count, struct span span)
{
    struct arena *arena = &body->gen->arena;
    const value *leaves = iterator->leaves;
    iterator->children = arena_array(arena, struct iterator *, count + 1);
    iterator->child_count = count;
    for (size_t i = 0; i < count; i++) {
        iterator->children[i] = open_iterable(body, types[i], leaves, span);
        leaves += type_leaf_count(body->gen, types[i]);
    }
}

static struct iterator *open_iterable(
        struct body *body, const struct type *type, const value *leaves, struct span span)
{
    struct codegen *gen = body->gen;
    struct iterator *iterator = arena_new(&gen->arena, struct iterator);
    iterator->type = type;
    iterator->leaves = leaves;
    iterator->span = span;
    switch (type->kind) {
    case TYPE_RANGE:
        open_range(body, iterator);
        break;
    case TYPE_ARRAY:
    case TYPE_LIST:
    case TYPE_STRING:
        iterator->position = counter(body, gen->i64, value_i64(gen, 0), "index");
        if (type->kind == TYPE_LIST && type->cell.is_typed)
            iterator->opened_length = row_length(body, leaves[0]);
        break;
    case TYPE_GENERATOR:
        break;
    case TYPE_TUPLE:
        open_tuple(body, iterator, span);
        break;
    case TYPE_ENUMERATE:
        open_children(body, iterator, &type->element, 1, span);
        iterator->position = counter(
                body, gen->i64, leaves[type_leaf_count(gen, type->element)], "count");
        break;
    case TYPE_ZIP:
        open_children(body, iterator, type->tuple.items, type->tuple.len, span);
        break;
    default:
        codegen_fail(gen, ERROR_LOWERING, span, "cannot iterate over %s", type->name);
    }
    return iterator;
}

// How far an iterator has come and has to go; false for those that do not count to a
// bound.
static bool bounds_of(struct body *body, const struct iterator *iterator, value position,
        struct strip_bounds *bounds)
{
    const value *leaves = iterator->leaves;
    if (iterator->type->kind == TYPE_RANGE && !iterator->remaining)
        *bounds = (struct strip_bounds){position ? position : leaves[0], leaves[1],
                LLVMConstIntGetSExtValue(leaves[2]) > 0,
                iterator->type->element->is_signed};
    else if (iterator->type->kind == TYPE_RANGE)
        *bounds = (struct strip_bounds){position, value_i64(body->gen, 0), false, true};
    else if (iterator->type->kind == TYPE_ARRAY)
        *bounds = (struct strip_bounds){position ? position : value_i64(body->gen, 0),
                leaves[ARRAY_SHAPE(0)], true, true};
    else if (iterator->length)
        *bounds = (struct strip_bounds){position ? position : value_i64(body->gen, 0),
                iterator->length, true, true};
    else if (iterator->type->kind == TYPE_STRING)
        *bounds = (struct strip_bounds){position ? position : value_i64(body->gen, 0),
                leaves[STRING_LENGTH], true, true};
    else
        return false;
    return true;
}

static value table_count(struct body *body, const struct ir_instr *table)
{
    return row_used(body, table->type, body->values[table->id][0]);
}

void iter_open(struct body *body, const struct ir_instr *instr)
{
    struct codegen *gen = body->gen;
    const struct type *type = instr->operands[0]->type;
    const value *leaves = bounds_open(body, instr, type, operand(body, instr, 0));
    struct iterator *iterator = open_iterable(body, type, leaves, instr->span);
    body->iterators[instr->id] = iterator;
    if (codegen_failed(gen))
        return;
    if (iterator->type->kind == TYPE_LIST && flow_counts(body->flow, instr))
        iterator->length = row_length(body, iterator->leaves[0]);
    if (instr->operand_count > 1 && !iterator->length) {
        iterator->table = instr->operands[1];
        iterator->opened_count = table_count(body, iterator->table);
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

// Positions of an iterator and those inside it, in a row.
struct positions {
    value *items;
    size_t len;
};

static size_t position_count(const struct iterator *iterator)
{
    size_t count = iterator->position != NULL;
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
    value step = iterator->leaves[2];
    return iterator->type->element->is_signed ? LLVMBuildNSWAdd(b, position, step, "")
                                              : LLVMBuildAdd(b, position, step, "");
}

// Unit steps compare with the stop, which gives LLVM the plainest loop; others count
// turns.
static value advance_range(struct body *body, struct iterator *iterator, value position)
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

// A generator in zip is asked for its next item only where those before it had one: what
// it has left can be read after the loop.
static value advance_after(
        struct body *body, const struct iterator *iterator, value has_item)
{
    LLVMBuilderRef b = body->gen->builder;
    LLVMBasicBlockRef from = LLVMGetInsertBlock(b);
    LLVMBasicBlockRef more = body_block_after(body, "more"), next;
    LLVMPositionBuilderAtEnd(b, more);
    value advanced = generator_next(body, iterator->leaves[0], iterator->span);
    LLVMBasicBlockRef end = LLVMGetInsertBlock(b);
    next = body_block_after(body, "advanced");
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, from);
    LLVMBuildCondBr(b, has_item, more, next);
    LLVMPositionBuilderAtEnd(b, next);
    value result = LLVMBuildPhi(b, body->gen->i1, "");
    value incoming[] = {value_bool(body->gen, false), advanced};
    LLVMAddIncoming(result, incoming, (LLVMBasicBlockRef[]){from, end}, 2);
    return result;
}

// A plain list may grow meanwhile.
static value advance_list(
        struct body *body, const struct iterator *iterator, value position)
{
    LLVMBuilderRef b = body->gen->builder;
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
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value has_item = value_bool(gen, true), position = NULL;
    if (iterator->position) {
        position = LLVMBuildLoad2(
                b, LLVMGetAllocatedType(iterator->position), iterator->position, "");
        positions->items[positions->len++] = position;
    }
    if (iterator->type->kind == TYPE_RANGE)
        return advance_range(body, iterator, position);
    if (iterator->type->kind == TYPE_GENERATOR)
        return generator_next(body, iterator->leaves[0], iterator->span);
    if (position)
        LLVMBuildStore(b, LLVMBuildNSWAdd(b, position, value_i64(gen, 1), ""),
                iterator->position);
    if (iterator->type->kind == TYPE_ARRAY || iterator->type->kind == TYPE_STRING ||
            iterator->length)
        return has_item_before(body, iterator, position);
    if (iterator->type->kind == TYPE_LIST)
        return advance_list(body, iterator, position);
    if (iterator->type->kind == TYPE_TUPLE)
        return LLVMBuildICmp(b, LLVMIntSLT, position,
                value_i64(gen, (int64_t)iterator->type->tuple.len), "");
    if (iterator->type->kind == TYPE_ZIP && !iterator->child_count)
        return value_bool(gen, false);
    for (size_t i = 0; i < iterator->child_count; i++)
        has_item = i && iterator->children[i]->type->kind == TYPE_GENERATOR
                           ? advance_after(body, iterator->children[i], has_item)
                           : LLVMBuildAnd(b, has_item,
                                     advance(body, iterator->children[i], positions), "");
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

// In a body for one turn the range is not advanced but asked for its item number
// so-and-so.
static bool is_single_turn(const struct body *body, const struct ir_instr *iternext)
{
    return body->turn.header && iternext->block == body->turn.header;
}

// The loop runs over what the table held before it; Python's would not go on after a
// change.
static void check_table(struct body *body, const struct iterator *iterator)
{
    bool is_dict = iterator->table->type->kind == TYPE_DICT;
    value differs = LLVMBuildICmp(body->gen->builder, LLVMIntNE,
            table_count(body, iterator->table), iterator->opened_count, "");
    control_raise_if(body, differs, ERROR_RUNTIME,
            is_dict ? "dictionary changed size during iteration"
                    : "Set changed size during iteration",
            iterator->span);
}

void iter_next(struct body *body, const struct ir_instr *instr)
{
    struct iterator *iterator = iterator_of(body, instr);
    if (!iterator)
        return;
    if (iterator->table)
        check_table(body, iterator);
    value *row = value_row(body->gen, 1 + position_count(iterator));
    struct positions positions = {.items = row + 1};
    row[0] = is_single_turn(body, instr)
                     ? body->gen->target->turn_item(
                               body, instr, iterator->type, iterator->leaves, &row[1])
                     : advance(body, iterator, &positions);
    body->values[instr->id] = row;
}

// Item `index` of an array: an element, or a view of one axis less.
static void array_item(struct body *body, const struct iterator *iterator,
        const struct type *item, value index, value *out)
{
    struct codegen *gen = body->gen;
    const struct type *type = iterator->type;
    const value *array = iterator->leaves;
    if (item->kind != TYPE_ARRAY) {
        value address = array_element_address(body, type, array, &index);
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

static void tuple_item(
        struct body *body, const struct iterator *iterator, value index, value *out)
{
    struct codegen *gen = body->gen;
    if (!iterator->type->tuple.len)
        return;
    const struct type *item = iterator->type->tuple.items[0];
    value stride = value_i64(gen, (int64_t)abi_stride(item));
    value offset = LLVMBuildNSWMul(gen->builder, index, stride, "");
    value address = LLVMBuildInBoundsGEP2(
            gen->builder, gen->i8, iterator->spilled, &offset, 1, "");
    value_load(gen, item, address, 0, "", out);
}

static void fetch(struct body *body, const struct iterator *iterator,
        const struct type *item, struct positions *positions, value *out)
{
    value position = iterator->position ? positions->items[positions->len++] : NULL;
    switch (iterator->type->kind) {
    case TYPE_RANGE:
        out[0] = position;
        break;
    case TYPE_ARRAY:
        array_item(body, iterator, item, position, out);
        break;
    case TYPE_LIST:
        row_peek(body, item, iterator->leaves[0], position, out);
        break;
    case TYPE_STRING:
        if (item->kind == TYPE_STRING)
            text_item(body, iterator->leaves, position, out);
        else
            out[0] = text_byte(body, iterator->leaves, position);
        break;
    case TYPE_GENERATOR:
        generator_value(body, item, iterator->leaves[0], out);
        break;
    case TYPE_TUPLE:
        tuple_item(body, iterator, position, out);
        break;
    case TYPE_ENUMERATE:
        out[0] = position;
        fetch(body, iterator->children[0], item->tuple.items[1], positions, out + 1);
        break;
    default: // zip
        for (size_t i = 0; i < iterator->child_count; i++) {
            fetch(body, iterator->children[i], item->tuple.items[i], positions, out);
            out += type_leaf_count(body->gen, item->tuple.items[i]);
        }
    }
}

void iter_item(struct body *body, const struct ir_instr *instr, value *out)
{
    const struct ir_instr *iternext = instr->operands[0];
    struct iterator *iterator = iterator_of(body, iternext);
    if (!iterator)
        return;
    struct positions positions = {.items = body->values[iternext->id] + 1};
    fetch(body, iterator, instr->type, &positions, out);
    if (type_asks_generator(iterator->type) || type_iterates_list(iterator->type))
        ownership_retain(body, instr->type, out); // ownership.c gives it a slot
}

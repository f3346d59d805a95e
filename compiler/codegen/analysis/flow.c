// SPDX-License-Identifier: MIT
// Order of the blocks, and loops: which blocks are headers, of which kind of loop,
// whether they hold further loops, and how long a turn can take.
#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/analysis/ends.h"
#include "compiler/codegen/analysis/formula.h"

#include <assert.h>
#include <string.h>

#include "compiler/types/source.h"

enum {
    BRIEF_TURNS = 256,     // of loops that do not ask whether to stop, all together
    TINY_LOOP = 12,        // instructions
    SMALL_LOOP = 40,       // instructions
    UNROLLED_TURNS = 64,   // of 7 times 7, each counted with the one that ends the loop
    UNROLLED_WORK = 1920,  // instructions
    UNROLLED_LOOP = 60,    // instructions
    FEW_STORES = 9,        // turns, with the one that ends the loop
    MOST_NUMBER = 1 << 20, // of a constant range
};

static void visit_block(struct flow *flow, struct ir_block *block, bool *seen)
{
    seen[block->id] = true;
    struct ir_block *successors[2];
    size_t count = ir_successors(block, successors);
    // the false side last, so that it comes right after the loop body in reverse
    // postorder
    for (size_t i = count; i-- > 0;)
        if (!seen[successors[i]->id])
            visit_block(flow, successors[i], seen);
    flow->order[flow->order_len++] = block;
}

static void order_blocks(
        struct arena *arena, struct flow *flow, const struct ir_function *function)
{
    bool *seen = arena_array(arena, bool, flow->block_count);
    visit_block(flow, function->blocks.items[0], seen);
    for (size_t i = 0; i < flow->order_len / 2; i++) {
        struct ir_block *other = flow->order[flow->order_len - 1 - i];
        flow->order[flow->order_len - 1 - i] = flow->order[i];
        flow->order[i] = other;
    }
    for (size_t i = 0; i < flow->block_count; i++)
        flow->position[i] = -1;
    for (size_t i = 0; i < flow->order_len; i++)
        flow->position[flow->order[i]->id] = (int)i;
}

// To a block at or before one's own place in reverse postorder. Python's statements make
// reducible flow only: each such edge leads to a header that dominates its source.
static bool is_back_edge(
        const struct flow *flow, const struct ir_block *from, const struct ir_block *to)
{
    return flow->position[from->id] >= flow->position[to->id];
}

// Once in reverse postorder, as only loops lead back and their headers dominate them.
static void find_dominators(struct flow *flow)
{
    for (size_t i = 1; i < flow->order_len; i++) {
        const struct ir_block *block = flow->order[i], *dominator = NULL;
        vec_each (predecessor, &block->predecessors) {
            const struct ir_block *other = *predecessor;
            if (flow->position[other->id] < 0 || is_back_edge(flow, other, block))
                continue;
            for (dominator = dominator ? dominator : other; dominator != other;)
                if (flow->position[dominator->id] > flow->position[other->id])
                    dominator = flow->dominator[dominator->id];
                else
                    other = flow->dominator[other->id];
        }
        flow->dominator[block->id] = dominator;
    }
}

// Whether all ways into a block come from the end of its dominator, by one side of it.
static bool is_side_of(const struct flow *flow, const struct ir_block *block,
        const struct ir_block *from)
{
    if (from->last->op != IR_BRANCH || from->last->targets[0] == from->last->targets[1])
        return false;
    vec_each (predecessor, &block->predecessors)
        if (*predecessor != from && flow->position[(*predecessor)->id] >= 0 &&
                !is_back_edge(flow, *predecessor, block))
            return false;
    return from->last->targets[0] == block || from->last->targets[1] == block;
}

bool flow_is_told(const struct flow *flow, const struct ir_block *block, flow_fact *says,
        const void *wanted)
{
    for (const struct ir_block *from; (from = flow->dominator[block->id]); block = from)
        if (is_side_of(flow, block, from) &&
                says(from->last->operands[0], from->last->targets[0] == block, wanted))
            return true;
    return false;
}

// Marks in `in_loop` the blocks of the natural loop with this header.
// Backwards from the back edge; the header is marked already and stops the walk.
static void collect_loop(const struct flow *flow, struct ir_block *block, bool *in_loop)
{
    if (in_loop[block->id] || flow->position[block->id] < 0)
        return;
    in_loop[block->id] = true;
    vec_each (predecessor, &block->predecessors)
        collect_loop(flow, *predecessor, in_loop);
}

static const struct ir_instr *plain_constant(const struct ir_instr *instr)
{
    const struct ir_instr *from = instr->op == IR_CAST ? instr->operands[0] : instr;
    return from->op == IR_CONST && from->type && from->type->kind == TYPE_INT ? from
                                                                              : NULL;
}

static const struct ir_instr *range_over(const struct ir_instr *next)
{
    const struct ir_instr *iterable = next->operands[0]->operands[0];
    bool is_range =
            iterable->op == IR_PRIMITIVE && iterable->primitive == PRIMITIVE_RANGE;
    return is_range ? iterable : NULL;
}

bool flow_constant_range(
        const struct ir_instr *next, int64_t *start, int64_t *stop, int64_t *step)
{
    int64_t *const numbers[] = {start, stop, step};
    const struct ir_instr *range = range_over(next);
    for (int i = 0; i < 3; i++) {
        const struct ir_instr *number = range ? plain_constant(range->operands[i]) : NULL;
        if (!number || number->constant.integer > MOST_NUMBER ||
                number->constant.integer < -MOST_NUMBER)
            return false;
        *numbers[i] = number->constant.integer;
    }
    return *step != 0;
}

bool flow_is_int64(const struct type *type)
{
    return type && type->kind == TYPE_INT && type->bits == 64 && type->is_signed;
}

const struct ir_instr *flow_without_constants(
        const struct ir_instr *instr, int64_t *constant)
{
    for (*constant = 0;; instr = instr->operands[0]) {
        if (instr->op == IR_CAST && flow_is_int64(instr->type) &&
                flow_is_int64(instr->operands[0]->type))
            continue;
        if (instr->op != IR_BINARY || !flow_is_int64(instr->type) ||
                (instr->binary != BINARY_ADD && instr->binary != BINARY_SUB))
            return instr;
        const struct ir_instr *right = instr->operands[1];
        right = right->op == IR_CAST ? right->operands[0] : right;
        if (right->op != IR_CONST || right->type->kind != TYPE_INT ||
                right->constant.integer > FLOW_MOST_MOVED ||
                right->constant.integer < -FLOW_MOST_MOVED)
            return instr;
        int64_t number = right->constant.integer;
        *constant += instr->binary == BINARY_ADD ? number : -number;
    }
}

// Of a range whose ends are one number moved by constants, as range(i - 1, i + 2). Where
// one of them wraps around, the other does, or there are no turns: the step leads from
// the one to the other.
static int64_t turns_near(const struct ir_instr *range)
{
    int64_t first, last;
    const struct ir_instr *step = plain_constant(range->operands[2]);
    if (!step || flow_without_constants(range->operands[0], &first) !=
                         flow_without_constants(range->operands[1], &last))
        return 0;
    int64_t turns = step->constant.integer > 0 ? last - first : first - last;
    return turns >= 0 && turns < BRIEF_TURNS ? turns + 1 : 0;
}

// How many turns the loop makes, where that is a small constant; else 0.
static int64_t known_turns(const struct ir_block *header)
{
    const struct ir_instr *next = flow_deciding_iternext(header);
    if (!next)
        return 0;
    assert(next->op == IR_ITERNEXT && next->operands[0]->op == IR_GETITER);
    const struct ir_instr *iterable = next->operands[0]->operands[0];
    if (iterable->type->kind == TYPE_TUPLE)
        return (int64_t)iterable->type->tuple.len + 1;
    const struct ir_instr *range = range_over(next);
    const struct ir_instr *start = range ? plain_constant(range->operands[0]) : NULL;
    const struct ir_instr *stop = range ? plain_constant(range->operands[1]) : NULL;
    if (!start || !stop)
        return range ? turns_near(range) : 0;
    __int128 turns = (__int128)stop->constant.integer - start->constant.integer;
    turns = turns < 0 ? -turns : turns; // whatever the step
    return turns < BRIEF_TURNS ? (int64_t)turns + 1 : 0;
}

// How many instructions of a turn this one counts as.
// A rough measure of a turn's time: what counts as UNROLLED_LOOP may take any time.
static int weight_of(const struct ir_instr *instr)
{
    switch (instr->op) {
    case IR_CONST:
    case IR_PHI:
        return 0;
    case IR_CALL_DIRECT: {
        int weight = 0;
        vec_each (block, &instr->callee->blocks)
            ir_each_instr(inner, *block) weight +=
                    inner->op == IR_CALL_DIRECT ? SMALL_LOOP : 1;
        if (weight < UNROLLED_LOOP && instr->callee->has_loop)
            weight = UNROLLED_LOOP;
        return weight;
    }
    case IR_PRIMITIVE:
        if (instr->primitive == PRIMITIVE_EXTERNAL ||
                instr->primitive == PRIMITIVE_CALL_VALUE ||
                instr->primitive == PRIMITIVE_FOREIGN ||
                instr->primitive == PRIMITIVE_PRINT ||
                (instr->primitive >= PRIMITIVE_ARRAY_VIEW &&
                        instr->primitive <= PRIMITIVE_ARRAY_COPY_INTO) ||
                (instr->primitive >= PRIMITIVE_TEXT_CALL &&
                        instr->primitive <= PRIMITIVE_TEXT_ITEM))
            return UNROLLED_LOOP;
        return 1;
    case IR_PARALLEL_FOR:
    case IR_OBJMODE:
    case IR_YIELD:
    case IR_GUARD:
    case IR_CATCH:
    case IR_CHAIN:
        return UNROLLED_LOOP;
    default:
        return 1;
    }
}

static int64_t weight_of_turn(const struct flow *flow, const bool *in_loop)
{
    int64_t weight = 0;
    for (size_t i = 0; i < flow->order_len && weight < UNROLLED_LOOP; i++)
        if (in_loop[flow->order[i]->id])
            ir_each_instr(instr, flow->order[i]) weight += weight_of(instr);
    return weight;
}

bool flow_is_of_library(const struct ir_function *function)
{
    static const char library[] = "gridcell.library.";
    const char *module = function->source ? function->source->module : NULL;
    return module && !strncmp(module, library, sizeof library - 1);
}

bool flow_takes_numbers(const struct ir_instr *instr)
{
    for (size_t i = 0; i < instr->operand_count; i++)
        if (!type_is_number(instr->operands[i]->type))
            return false;
    return true;
}

// Whether the instruction leaves the lengths of all lists alone.
static bool keeps_lengths(const struct ir_instr *instr)
{
    switch (instr->op) {
    case IR_CALL_DIRECT:
        return flow_takes_numbers(instr);
    case IR_PRIMITIVE:
        return instr->primitive < PRIMITIVE_RANDOM_SEED_NP ||
               ir_is_pure_intrinsic(instr->primitive) ||
               (instr->primitive >= PRIMITIVE_RANGE &&
                       instr->primitive <= PRIMITIVE_ARRAY_IMAG) ||
               instr->primitive == PRIMITIVE_LIST_LEN ||
               instr->primitive == PRIMITIVE_LIST_LOAD ||
               instr->primitive == PRIMITIVE_LIST_PART;
    case IR_PARALLEL_FOR:
    case IR_OBJMODE:
    case IR_YIELD:
    case IR_CATCH:
    case IR_CHAIN:
        return false;
    default:
        return true;
    }
}

static bool loop_keeps_lengths(const struct flow *flow, const bool *in_loop)
{
    for (size_t i = 0; i < flow->order_len; i++)
        if (in_loop[flow->order[i]->id])
            ir_each_instr(instr, flow->order[i]) if (!keeps_lengths(instr)) return false;
    return true;
}

// One whose number of turns is known when it begins. A list may grow while it is looped
// over, unless nothing in the loop can change the length of any list.
static bool is_counted_loop(
        const struct flow *flow, const struct ir_block *header, const bool *in_loop)
{
    const struct ir_instr *next = flow_deciding_iternext(header);
    const struct ir_instr *iterable = next ? next->operands[0]->operands[0] : NULL;
    if (!iterable || !type_iterates_list(next->operands[0]->type))
        return iterable != NULL;
    return iterable->type->kind == TYPE_LIST && loop_keeps_lengths(flow, in_loop);
}

// Whether the loop can also end in the middle of a turn.
static bool has_way_out(
        const struct flow *flow, const struct ir_block *header, const bool *in_loop)
{
    for (size_t i = 0; i < flow->order_len; i++) {
        struct ir_block *successors[2];
        size_t count = ir_successors(flow->order[i], successors);
        if (flow->order[i] == header || !in_loop[flow->order[i]->id])
            continue;
        for (size_t j = 0; j < count; j++)
            if (!in_loop[successors[j]->id])
                return true;
    }
    return false;
}

bool *flow_loop(
        struct arena *arena, const struct flow *flow, const struct ir_block *header)
{
    bool *in_loop = arena_array(arena, bool, flow->block_count);
    in_loop[header->id] = true;
    vec_each (predecessor, &header->predecessors)
        if (flow->position[(*predecessor)->id] >= 0 &&
                is_back_edge(flow, *predecessor, header))
            collect_loop(flow, *predecessor, in_loop);
    return in_loop;
}

static void count_few(struct arena *arena, struct flow *flow, struct ir_block *header)
{
    int64_t turns = known_turns(header);
    flow->few_turns[header->id] =
            turns ? turns : ends_most_turns(flow, flow_loop(arena, flow, header), header);
}

// Whether the loop ends soon, by how many turns it and those inside make at most.
static void classify_end(
        struct flow *flow, const struct ir_block *header, const bool *in_loop)
{
    int64_t most = 1;
    for (size_t i = 0; i < flow->order_len; i++) {
        const struct ir_block *block = flow->order[i];
        if (!in_loop[block->id] || !flow->is_header[block->id])
            continue;
        most = most > BRIEF_TURNS ? most : most * flow->few_turns[block->id];
        flow->is_heavy[header->id] |= block != header && !flow->few_turns[block->id];
    }
    flow->ends_soon[header->id] =
            (most && most <= BRIEF_TURNS) ||
            (flow->is_innermost[header->id] &&
                    ends_while_within_memory(flow, in_loop, header));
}

bool flow_stores(const struct flow *flow, const bool *in_loop)
{
    for (size_t i = 0; i < flow->order_len; i++) {
        if (!in_loop[flow->order[i]->id])
            continue;
        ir_each_instr(instr, flow->order[i])
        {
            if (instr->op == IR_PRIMITIVE && instr->primitive == PRIMITIVE_ARRAY_STORE)
                return true;
        }
    }
    return false;
}

// Whether the loop stores to arrays. Written out, accesses that are not known ahead ask
// whether they are in range, as a store may come before the one that is not, and no two
// of them are one vector. A GPU does not ask.
static bool writes_row(const struct flow *flow, const bool *in_loop)
{
    return !flow->is_of_device && flow_stores(flow, in_loop);
}

// All headers are known.
static void classify_header(
        struct arena *arena, struct flow *flow, struct ir_block *header)
{
    const bool *in_loop = flow_loop(arena, flow, header);
    int back_edges = 0;
    vec_each (predecessor, &header->predecessors)
        back_edges += flow->position[(*predecessor)->id] >= 0 &&
                      is_back_edge(flow, *predecessor, header);
    bool is_innermost = true;
    int64_t turns = 1;
    for (size_t i = 0; i < flow->order_len; i++) {
        const struct ir_block *block = flow->order[i];
        if (!in_loop[block->id])
            continue;
        flow->depth[block->id]++;
        if (flow->is_header[block->id] && turns <= BRIEF_TURNS)
            turns *= known_turns(block);
        if (block != header && flow->is_header[block->id])
            is_innermost = false;
    }
    flow->is_innermost[header->id] = is_innermost;
    flow->is_counted[header->id] = is_counted_loop(flow, header, in_loop);
    flow->is_brief[header->id] = turns > 0 && turns <= BRIEF_TURNS;
    classify_end(flow, header, in_loop);
    int64_t weight = weight_of_turn(flow, in_loop);
    bool is_vector = flow->is_counted[header->id] && !has_way_out(flow, header, in_loop);
    flow->is_straight[header->id] = is_vector;
    for (size_t i = 0; is_innermost && i < flow->block_count; i++)
        if (in_loop[i])
            flow->innermost[i] = header;
    flow->is_small[header->id] = is_innermost && !is_vector && back_edges == 1 &&
                                 !flow->is_of_library && weight < SMALL_LOOP;
    flow->is_tiny[header->id] =
            is_innermost && is_vector && !flow->is_of_library && weight < TINY_LOOP;
    flow->is_light[header->id] = weight < UNROLLED_LOOP;
    flow->is_formula[header->id] =
            is_innermost && flow->is_counted[header->id] && formula_is_all(header);
    flow->is_bounded[header->id] = is_innermost && !flow->is_counted[header->id] &&
                                   flow->is_light[header->id] &&
                                   flow->few_turns[header->id];
    flow->is_unrolled[header->id] =
            flow->is_brief[header->id] && turns <= UNROLLED_TURNS &&
            weight < UNROLLED_LOOP && turns * weight <= UNROLLED_WORK &&
            !(is_innermost && turns > FEW_STORES && writes_row(flow, in_loop));
}

// Whether the loop ends with the bits of a number, and no memory is read or written in
// it, as in one that counts bits: LLVM has formulas for such, or one vector of them.
static bool is_of_bits(
        struct arena *arena, const struct flow *flow, const struct ir_block *header)
{
    if (!flow->is_bounded[header->id] || flow->is_of_device)
        return false;
    const bool *in_loop = flow_loop(arena, flow, header);
    for (size_t i = 0; i < flow->order_len; i++)
        if (in_loop[flow->order[i]->id])
            ir_each_instr(
                    instr, flow->order[i]) if (!flow_takes_numbers(instr) ||
                                               instr->op == IR_PRIMITIVE ||
                                               instr->op == IR_CALL_DIRECT) return false;
    return true;
}

// LLVM sees no loop where one is unrolled: what holds others of that kind alone has its
// turns made side by side, in strips, as one that holds none. All headers are classified,
// outer ones come first.
static void find_lowest(
        struct arena *arena, struct flow *flow, const struct ir_block *header)
{
    const bool *in_loop = flow_loop(arena, flow, header);
    bool is_lowest = true;
    for (size_t i = 0; i < flow->order_len && is_lowest; i++) {
        const struct ir_block *block = flow->order[i];
        is_lowest = !in_loop[block->id] || !flow->is_header[block->id] ||
                    block == header || flow->is_unrolled[block->id] ||
                    (flow->is_formula[block->id] && !flow->is_of_device) ||
                    is_of_bits(arena, flow, block);
    }
    flow->is_lowest[header->id] = is_lowest;
    flow->is_straight[header->id] &= is_lowest;
    for (size_t i = 0; is_lowest && i < flow->block_count; i++)
        if (in_loop[i] && !flow->lowest[i])
            flow->lowest[i] = header;
}

// The result is in the arena and refers to the function; it is out of date as soon as a
// block or an edge changes, which after resolve nothing does.
struct flow *flow_analyse(struct arena *arena, const struct ir_function *function)
{
    struct flow *flow = arena_new(arena, struct flow);
    assert(function->blocks.len && function->blocks.items[0]->id == 0);
    size_t count = flow->block_count = function->blocks.len;
    flow->order = arena_array(arena, struct ir_block *, count);
    flow->position = arena_array(arena, int, count);
    flow->dominator = arena_array(arena, const struct ir_block *, count);
    flow->is_header = arena_array(arena, bool, count);
    flow->is_innermost = arena_array(arena, bool, count);
    flow->innermost = arena_array(arena, const struct ir_block *, count);
    flow->is_straight = arena_array(arena, bool, count);
    flow->depth = arena_array(arena, int, count);
    flow->is_brief = arena_array(arena, bool, count);
    flow->few_turns = arena_array(arena, int64_t, count);
    flow->is_bounded = arena_array(arena, bool, count);
    flow->is_formula = arena_array(arena, bool, count);
    flow->ends_soon = arena_array(arena, bool, count);
    flow->is_heavy = arena_array(arena, bool, count);
    flow->is_small = arena_array(arena, bool, count);
    flow->is_tiny = arena_array(arena, bool, count);
    flow->is_unrolled = arena_array(arena, bool, count);
    flow->is_light = arena_array(arena, bool, count);
    flow->is_lowest = arena_array(arena, bool, count);
    flow->lowest = arena_array(arena, const struct ir_block *, count);
    flow->is_of_library = flow_is_of_library(function);
    flow->is_of_device = function->source && function->source->options.is_device;
    flow->is_counted = arena_array(arena, bool, count);
    order_blocks(arena, flow, function);
    find_dominators(flow);
    for (size_t i = 0; i < flow->order_len; i++)
        vec_each (predecessor, &flow->order[i]->predecessors)
            if (flow->position[(*predecessor)->id] >= 0 &&
                    is_back_edge(flow, *predecessor, flow->order[i]))
                flow->is_header[flow->order[i]->id] = true;
    for (size_t i = 0; i < flow->order_len; i++)
        if (flow->is_header[flow->order[i]->id])
            count_few(arena, flow, flow->order[i]);
    for (size_t i = 0; i < flow->order_len; i++)
        if (flow->is_header[flow->order[i]->id])
            classify_header(arena, flow, flow->order[i]);
    for (size_t i = 0; i < flow->order_len; i++)
        if (flow->is_header[flow->order[i]->id])
            find_lowest(arena, flow, flow->order[i]);
    return flow;
}

// The ITERNEXT of a header of the usual shape: its answer decides between the body and
// the exit.
const struct ir_instr *flow_deciding_iternext(const struct ir_block *header)
{
    const struct ir_instr *last = header->last;
    if (last->op != IR_BRANCH || last->operands[0]->op != IR_PAIR_SECOND)
        return NULL;
    const struct ir_instr *iternext = last->operands[0]->operands[0];
    if (iternext->op != IR_ITERNEXT || iternext->block != header)
        return NULL;
    return iternext->operands[0]->op == IR_GETITER ? iternext : NULL;
}

bool flow_counts(const struct flow *flow, const struct ir_instr *getiter)
{
    bool counts = false;
    for (size_t i = 0; i < flow->order_len; i++)
        ir_each_instr(next, flow->order[i])
        {
            if (next->op != IR_ITERNEXT || next->operands[0] != getiter)
                continue;
            counts = flow->is_header[flow->order[i]->id] &&
                     flow->is_counted[flow->order[i]->id] &&
                     flow_deciding_iternext(flow->order[i]) == next;
            if (!counts)
                return false;
        }
    return counts;
}

// SPDX-License-Identifier: MIT
// Cuts a kernel at its barriers. That is possible where all threads come to each barrier
// together, as far as the code shows: where what decides on the way to a barrier is
// computed from the kernel's scalar arguments, the place of the block and constants.
#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/analysis/reach.h"
#include "compiler/codegen/emulated/interchange.h"
#include "compiler/codegen/emulated/segments.h"
#include "compiler/ir/analyses.h"

#include <string.h>

enum { MOST_BLOCKS = 256 };

static bool is_shuffle(const struct ir_instr *instr)
{
    const struct ir_instr *mask = instr->operand_count ? instr->operands[0] : NULL;
    while (mask && mask->op == IR_CAST)
        mask = mask->operands[0];
    return instr->immediate >= MEETING_SHUFFLE &&
           instr->immediate <= MEETING_SHUFFLE_XOR && mask && mask->op == IR_CONST &&
           mask->constant.type->kind == TYPE_INT &&
           (uint32_t)mask->constant.integer == UINT32_MAX;
}

bool segments_is_barrier(const struct ir_instr *instr)
{
    return instr->op == IR_PRIMITIVE &&
           (instr->primitive == PRIMITIVE_CUDA_SYNCTHREADS ||
                   instr->primitive == PRIMITIVE_CUDA_SYNCWARP ||
                   instr->primitive == PRIMITIVE_CUDA_WARP);
}

static bool is_number(const struct type *type)
{
    return type && (type->kind == TYPE_INT || type->kind == TYPE_FLOAT ||
                           type->kind == TYPE_BOOL);
}

// Whether threads may run the instruction one after the other without coroutines.
// What would break: an array in a phi (its leaves would have to be kept for each thread),
// memory of a thread's own, waiting for the whole grid, and what has effects in an order
// that a user sees.
static bool is_allowed(const struct ir_instr *instr)
{
    bool has_array = instr->type && instr->type->kind == TYPE_ARRAY;
    switch (instr->op) {
    case IR_CONST:
    case IR_ARG:
    case IR_UNARY:
    case IR_BINARY:
    case IR_COMPARE:
    case IR_BUILD_TUPLE:
    case IR_TUPLE_GET:
    case IR_GETITER:
    case IR_ITERNEXT:
    case IR_PAIR_FIRST:
    case IR_PAIR_SECOND:
    case IR_CAST:
    case IR_JUMP:
    case IR_RETURN:
        return true;
    case IR_PHI:
        return !has_array;
    case IR_BRANCH:
        return instr->targets[0] != instr->targets[1];
    case IR_CALL_DIRECT:
        return !call_has_barrier(instr->callee) &&
               (instr->type == type_none || is_number(instr->type));
    case IR_PRIMITIVE:
        if (instr->primitive == PRIMITIVE_CUDA_WARP)
            return is_shuffle(instr) && is_number(instr->type);
        if (instr->primitive == PRIMITIVE_CUDA_SHARED_ARRAY)
            return true;
        return !has_array && instr->primitive != PRIMITIVE_CUDA_LOCAL_ARRAY &&
               instr->primitive != PRIMITIVE_CUDA_SYNCGRID &&
               instr->primitive != PRIMITIVE_PRINT && !ir_is_unknown_code(instr);
    default:
        return false;
    }
}

static bool all_allowed(const struct flow *flow)
{
    for (size_t i = 0; i < flow->order_len; i++)
        ir_each_instr(instr, flow->order[i]) if (!is_allowed(instr)) return false;
    return true;
}

// --- The block that all ways from a block come to first

// Post-dominators as sets, by the equations in reverse order until nothing changes. A
// matrix of at most MOST_BLOCKS squared; kernels are small.
static void find_post(struct arena *arena, struct segments *segments)
{
    const struct flow *flow = segments->flow;
    size_t count = flow->block_count;
    bool *after = arena_array(arena, bool, count *count); // [a * count + b]: b follows a
    size_t *sizes = arena_array(arena, size_t, count);
    memset(after, 1, count * count);
    for (bool is_moving = true; is_moving;) {
        is_moving = false;
        for (size_t i = flow->order_len; i-- > 0;) {
            const struct ir_block *block = flow->order[i];
            struct ir_block *next[2];
            size_t ways = ir_successors(block, next);
            bool *row = after + (size_t)block->id * count;
            for (size_t other = 0; other < count; other++) {
                bool follows = ways > 0;
                for (size_t way = 0; way < ways; way++)
                    follows = follows && after[(size_t)next[way]->id * count + other];
                follows = follows || other == (size_t)block->id;
                is_moving = is_moving || follows != row[other];
                row[other] = follows;
            }
        }
    }
    for (size_t i = 0; i < count; i++)
        for (size_t other = 0; other < count; other++)
            sizes[i] += after[i * count + other];
    for (size_t i = 0; i < count; i++) {
        segments->post[i] = -1; // the closest is the one with most behind it
        for (size_t other = 0; other < count; other++)
            if (other != i && after[i * count + other] &&
                    (segments->post[i] < 0 || sizes[other] > sizes[segments->post[i]]))
                segments->post[i] = (int)other;
    }
}

// --- The spine

static bool has_barrier(const struct ir_block *block)
{
    ir_each_instr(instr, block) if (segments_is_barrier(instr)) return true;
    return false;
}

// Marks the blocks between a branch and where its ways meet.
static void mark_region(const struct ir_block *block, int end, bool *in_region)
{
    if (block->id == end || in_region[block->id])
        return;
    in_region[block->id] = true;
    struct ir_block *next[2];
    size_t ways = ir_successors(block, next);
    for (size_t way = 0; way < ways; way++)
        mark_region(next[way], end, in_region);
}

// From the entry along the blocks that all threads come to. A branch either parts the
// threads (then the spine goes on where the ways meet), or, with a barrier in it, must be
// the same for all of them (then both ways are on the spine, and it begins segments).
static void walk_spine(
        struct arena *arena, struct segments *segments, const struct ir_block *block)
{
    size_t count = segments->flow->block_count;
    segments->entries[block->id]++;
    if (segments->is_on_spine[block->id])
        return;
    segments->is_on_spine[block->id] = true;
    struct ir_block *next[2];
    size_t ways = ir_successors(block, next);
    if (ways < 2) {
        for (size_t way = 0; way < ways; way++)
            walk_spine(arena, segments, next[way]);
        return;
    }
    bool *in_region = arena_array(arena, bool, count);
    if (segments->allows_turns && interchange_strides(arena, segments->flow, block)) {
        const struct ir_instr *iterator = flow_deciding_iternext(block)->operands[0];
        segments->takes_turns[block->id] = true;
        segments->is_of_turns[iterator->id] = true;
        segments->is_of_turns[iterator->operands[0]->id] = true;
        segments->first[block->id] = segments->first[next[1]->id] = 0;
        mark_region(next[0], block->id, segments->is_repeated);
        walk_spine(arena, segments, next[1]);
        return;
    }
    for (size_t way = 0; way < ways; way++)
        mark_region(next[way], segments->post[block->id], in_region);
    for (size_t i = 0; i < count; i++)
        if (in_region[i] && has_barrier(segments->ir->blocks.items[i]))
            segments->splits[block->id] = true;
    if (segments->splits[block->id]) {
        for (size_t way = 0; way < ways; way++) {
            walk_spine(arena, segments, next[way]);
            segments->first[next[way]->id] = 0; // begins a segment; its number follows
        }
        return;
    }
    for (size_t i = 0; i < count; i++)
        segments->is_repeated[i] |= in_region[i];
    if (segments->post[block->id] >= 0) {
        segments->is_joined[segments->post[block->id]] = true;
        walk_spine(
                arena, segments, segments->ir->blocks.items[segments->post[block->id]]);
    }
}

// Whether no block of the spine is in a region and begins a segment, too.
static bool find_spine(struct arena *arena, struct segments *segments)
{
    find_post(arena, segments);
    const struct ir_block *entry = segments->flow->order[0];
    walk_spine(arena, segments, entry);
    segments->first[entry->id] = 0;
    for (size_t i = 0; i < segments->flow->block_count; i++) {
        if (segments->is_on_spine[i] && segments->entries[i] > 1)
            segments->first[i] = 0;
        if (segments->first[i] >= 0 && segments->is_repeated[i])
            return false;
    }
    return segments->entries[entry->id] == 1;
}

// --- What is the same for all threads

static bool may_be_uniform(const struct segments *segments, const struct ir_instr *instr)
{
    const struct ir_block *block = instr->block;
    if (!segments->is_on_spine[block->id] || segments->is_repeated[block->id])
        return false;
    switch (instr->op) {
    case IR_PHI:
        return segments->first[block->id] >= 0 && !segments->is_joined[block->id];
    case IR_GETITER:
        return instr->operands[0]->type && instr->operands[0]->type->kind == TYPE_RANGE;
    case IR_CALL_DIRECT:
        return false;
    case IR_PRIMITIVE:
        switch (instr->primitive) {
        case PRIMITIVE_RANGE:
        case PRIMITIVE_ARRAY_SHAPE:
        case PRIMITIVE_ARRAY_STRIDES:
        case PRIMITIVE_ARRAY_LEN:
        case PRIMITIVE_ARRAY_SIZE:
        case PRIMITIVE_CUDA_BLOCK_IDX:
        case PRIMITIVE_CUDA_BLOCK_DIM:
        case PRIMITIVE_CUDA_GRID_DIM:
        case PRIMITIVE_CUDA_GRID_SIZE:
        case PRIMITIVE_CUDA_SHARED_ARRAY:
            return true;
        default:
            return instr->primitive <= PRIMITIVE_BITS ||
                   ir_is_pure_intrinsic(instr->primitive);
        }
    default:
        return !ir_is_terminator(instr->op);
    }
}

static bool stays_uniform(const struct segments *segments, const struct ir_instr *instr)
{
    for (size_t i = 0; i < instr->operand_count; i++)
        if (!segments->is_uniform[instr->operands[i]->id])
            return false;
    return true;
}

static void find_uniform(struct segments *segments)
{
    const struct flow *flow = segments->flow;
    bool *is_uniform = segments->is_uniform;
    for (size_t i = 0; i < flow->order_len; i++)
        ir_each_instr(instr, flow->order[i]) is_uniform[instr->id] =
                may_be_uniform(segments, instr);
    for (bool is_moving = true; is_moving;) {
        is_moving = false;
        for (size_t i = 0; i < flow->order_len; i++)
            ir_each_instr(instr, flow->order[i])
            {
                if (is_uniform[instr->id] && !stays_uniform(segments, instr)) {
                    is_uniform[instr->id] = false;
                    is_moving = true;
                }
                // threads that go on with an iterator by themselves have one each
                if (instr->op == IR_ITERNEXT && !is_uniform[instr->id] &&
                        is_uniform[instr->operands[0]->id]) {
                    is_uniform[instr->operands[0]->id] = false;
                    is_moving = true;
                }
            }
    }
}

// --- The segments

static struct segment *open_segment(struct segments *segments, struct piece *piece)
{
    vec_push(&segments->list, (struct segment){0});
    *piece = (struct piece){0};
    return &vec_last(&segments->list);
}

// Puts the blocks of the region behind the last piece of the newest segment into it.
static void take_region(struct segments *segments, const struct ir_block *block,
        const struct ir_block *branch)
{
    if (block->id == segments->post[branch->id] || segments->of_block[block->id] >= 0 ||
            segments->is_on_spine[block->id])
        return;
    int index = (int)segments->list.len - 1;
    segments->of_block[block->id] = index;
    segments->piece[block->id] = (int)segments->list.items[index].pieces.len - 1;
    ir_each_instr(instr, block) segments->of[instr->id] = index;
    struct ir_block *next[2];
    size_t ways = ir_successors(block, next);
    for (size_t way = 0; way < ways; way++)
        take_region(segments, next[way], branch);
}

// Adds the rest of a block to the newest segment, opening others at barriers.
static void take_block(struct segments *segments, const struct ir_block *block)
{
    struct segment *segment = &vec_last(&segments->list);
    struct piece piece = {block, block->first, NULL};
    bool begins = segments->first[block->id] >= 0;
    ir_each_instr(instr, block)
    {
        bool is_outer_phi = instr->op == IR_PHI && begins;
        segments->of[instr->id] = is_outer_phi ? -1 : (int)segments->list.len - 1;
        if (is_outer_phi)
            piece.from = instr->next;
        if (!segments_is_barrier(instr))
            continue;
        piece.to = instr;
        vec_push(&segment->pieces, piece);
        segment->end = SEGMENT_BARRIER;
        segment = open_segment(segments, &piece);
        bool is_exchange = instr->primitive == PRIMITIVE_CUDA_WARP;
        segment->shuffle = is_exchange ? instr : NULL;
        segments->of[instr->id] = (int)segments->list.len - 1;
        piece = (struct piece){block, instr->next, NULL};
    }
    piece.to = block->last;
    vec_push(&segment->pieces, piece);
}

// The segments from a block that begins one to the next such blocks.
static bool take_chain(struct segments *segments, const struct ir_block *block)
{
    struct piece piece;
    open_segment(segments, &piece);
    segments->first[block->id] = (int)segments->list.len - 1;
    for (;;) {
        take_block(segments, block);
        struct segment *segment = &vec_last(&segments->list);
        struct ir_block *next[2];
        size_t ways = ir_successors(block, next);
        if (segments->takes_turns[block->id]) {
            take_region(segments, next[0], block);
            segment->end = SEGMENT_TURNS;
            segment->target = next[1];
            return true;
        }
        if (ways == 2 && segments->splits[block->id]) {
            segment->end = SEGMENT_BRANCH;
            return segments->is_uniform[block->last->operands[0]->id];
        }
        for (size_t way = 0; ways == 2 && way < ways; way++)
            take_region(segments, next[way], block);
        int after = ways == 2 ? segments->post[block->id] : ways ? next[0]->id : -1;
        segment->end = SEGMENT_RETURN;
        if (after < 0)
            return true;
        block = segments->ir->blocks.items[after];
        if (segments->first[after] >= 0) {
            segment->end = ways == 2 ? SEGMENT_JOIN : SEGMENT_JUMP;
            segment->target = block;
            return true;
        }
    }
}

static bool in_piece_or_region(
        const struct segments *segments, const struct ir_instr *instr, int index)
{
    return segments->of[instr->id] == index && !segments->is_uniform[instr->id];
}

struct use_visit {
    const struct segments *segments;
    int index;
    void (*visit)(const struct ir_instr *used, void *context);
    void *context;
};

static void visit_operand(const struct use_visit *visit, const struct ir_instr *used)
{
    if (!visit->segments->is_uniform[used->id] &&
            visit->segments->of[used->id] != visit->index)
        visit->visit(used, visit->context);
}

// What phis that begin the target's segment take from this segment.
static void visit_edge(const struct use_visit *visit, const struct ir_block *target)
{
    const struct segments *segments = visit->segments;
    const struct segment *segment = &segments->list.items[visit->index];
    const struct ir_block *last = vec_last(&segment->pieces).block;
    for (const struct ir_instr *phi = target->first; phi && phi->op == IR_PHI;
            phi = phi->next)
        for (size_t i = 0; i < phi->operand_count; i++) {
            const struct ir_block *from = target->predecessors.items[i];
            if (!segments->is_uniform[phi->id] &&
                    (from == last || segments->of_block[from->id] == visit->index))
                visit_operand(visit, phi->operands[i]);
        }
}

void segments_each_use(const struct segments *segments, int index,
        void (*visit)(const struct ir_instr *used, void *context), void *context)
{
    const struct use_visit each = {segments, index, visit, context};
    const struct segment *segment = &segments->list.items[index];
    for (size_t i = 0; i < segments->flow->order_len; i++)
        ir_each_instr(instr, segments->flow->order[i])
        {
            if (!in_piece_or_region(segments, instr, index) || segment->shuffle == instr)
                continue;
            for (size_t j = 0; j < instr->operand_count; j++)
                visit_operand(&each, instr->operands[j]);
        }
    if (segment->shuffle)
        visit_operand(&each, segment->shuffle->operands[2]);
    const struct segment *next = segment + 1;
    if (segment->end == SEGMENT_BARRIER && next->shuffle)
        visit_operand(&each, next->shuffle->operands[1]);
    if (segment->target)
        visit_edge(&each, segment->target);
    if (segment->end == SEGMENT_TURNS)
        visit_edge(&each, vec_last(&segment->pieces).block);
}

// Whether a value is computed again for each segment: cheaper than to keep it, and what
// follows from a thread's place lets loops vectorise.
static bool is_cheap(const struct segments *segments, const struct ir_instr *instr)
{
    bool is_place = instr->op == IR_PRIMITIVE &&
                    (instr->primitive == PRIMITIVE_CUDA_THREAD_IDX ||
                            instr->primitive == PRIMITIVE_CUDA_LANE_ID ||
                            instr->primitive == PRIMITIVE_CUDA_GRID);
    bool is_int = instr->type && instr->type->kind == TYPE_INT;
    bool is_simple =
            instr->op == IR_CAST && is_int && instr->operands[0]->type->kind == TYPE_INT;
    is_simple |= instr->op == IR_TUPLE_GET && is_int;
    is_simple |= instr->op == IR_BINARY && is_int &&
                 (instr->binary <= BINARY_MUL ||
                         (instr->binary >= BINARY_AND && instr->binary <= BINARY_XOR));
    if (!is_place && !is_simple && !segments->is_of_turns[instr->id])
        return false;
    for (size_t i = 0; i < instr->operand_count; i++) {
        const struct ir_instr *from = instr->operands[i];
        if (!segments->is_uniform[from->id] && !segments->is_cheap[from->id])
            return false;
    }
    return true;
}

static void find_cheap(struct segments *segments)
{
    for (size_t i = 0; i < segments->flow->order_len; i++)
        ir_each_instr(instr, segments->flow->order[i]) segments->is_cheap[instr->id] =
                !segments->is_uniform[instr->id] && is_cheap(segments, instr);
}

struct keeping {
    struct segments *segments;
    bool is_possible;
};

static void keep(const struct ir_instr *used, void *context)
{
    struct keeping *keeping = context;
    if (keeping->segments->is_cheap[used->id])
        return;
    keeping->segments->is_kept[used->id] = true;
    if (used->op == IR_GETITER || used->op == IR_ITERNEXT || !used->type ||
            used->type->kind == TYPE_ARRAY || used->type->kind == TYPE_RANGE)
        keeping->is_possible = false;
}

static bool find_kept(struct segments *segments)
{
    struct keeping keeping = {segments, true};
    for (size_t i = 0; i < segments->list.len; i++)
        segments_each_use(segments, (int)i, keep, &keeping);
    const struct flow *flow = segments->flow;
    for (size_t i = 0; i < flow->order_len; i++)
        ir_each_instr(phi, flow->order[i])
        {
            if (phi->op != IR_PHI || segments->first[phi->block->id] < 0 ||
                    segments->is_uniform[phi->id])
                continue;
            // branches copy what the phi takes on ways of their own
            keep(phi, &keeping);
            for (size_t j = 0; j < phi->operand_count; j++)
                if (segments->splits[phi->block->predecessors.items[j]->id] &&
                        !segments->is_uniform[phi->operands[j]->id])
                    keep(phi->operands[j], &keeping);
        }
    return keeping.is_possible;
}

static void fill(int *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        numbers[i] = -1;
}

static bool find_segments(struct arena *arena, struct segments *segments)
{
    struct flow *flow = segments->flow;
    size_t blocks = flow->block_count, ids = (size_t)segments->ir->next_id + 1;
    if (blocks > MOST_BLOCKS || flow->order_len != blocks || !all_allowed(flow))
        return false;
    int **by_block[] = {&segments->first, &segments->of_block, &segments->piece,
            &segments->post, &segments->entries};
    for (size_t i = 0; i < sizeof by_block / sizeof *by_block; i++)
        *by_block[i] = arena_array(arena, int, blocks);
    fill(segments->first, blocks);
    fill(segments->of_block, blocks);
    segments->of = arena_array(arena, int, ids);
    fill(segments->of, ids);
    bool **flags[] = {&segments->is_repeated, &segments->is_on_spine,
            &segments->is_joined, &segments->splits, &segments->takes_turns};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        *flags[i] = arena_array(arena, bool, blocks);
    segments->is_uniform = arena_array(arena, bool, ids);
    segments->is_kept = arena_array(arena, bool, ids);
    segments->is_cheap = arena_array(arena, bool, ids);
    segments->is_of_turns = arena_array(arena, bool, ids);
    if (!find_spine(arena, segments))
        return false;
    find_uniform(segments);
    find_cheap(segments);
    for (size_t i = 0; i < flow->order_len; i++)
        if (segments->first[flow->order[i]->id] >= 0 &&
                !take_chain(segments, flow->order[i]))
            return false;
    return find_kept(segments);
}

static struct segments *try_segments(
        struct codegen *gen, const struct ir_function *ir, bool allows_turns)
{
    struct segments *segments = arena_new(&gen->arena, struct segments);
    segments->ir = ir;
    segments->flow = gen->analyses->flow(&gen->arena, ir);
    segments->allows_turns = allows_turns;
    if (find_segments(&gen->arena, segments))
        return segments;
    segments_finish(segments);
    return NULL;
}

struct segments *segments_find(struct codegen *gen, const struct ir_function *ir)
{
    struct segments *segments = try_segments(gen, ir, true);
    return segments ? segments : try_segments(gen, ir, false);
}

void segments_finish(struct segments *segments)
{
    vec_each (segment, &segments->list)
        vec_finish(&segment->pieces);
    vec_finish(&segments->list);
}

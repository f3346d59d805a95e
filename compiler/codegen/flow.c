// SPDX-License-Identifier: MIT
// Order of the blocks, and loops: which blocks are headers, of which kind of loop, and
// whether they hold further loops.
#include "compiler/codegen/codegen.h"

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

static bool is_back_edge(
        const struct flow *flow, const struct ir_block *from, const struct ir_block *to)
{
    return flow->position[from->id] >= flow->position[to->id];
}

// Marks in `in_loop` the blocks of the natural loop with this header.
static void collect_loop(const struct flow *flow, struct ir_block *block, bool *in_loop)
{
    if (in_loop[block->id] || flow->position[block->id] < 0)
        return;
    in_loop[block->id] = true;
    vec_each (predecessor, &block->predecessors)
        collect_loop(flow, *predecessor, in_loop);
}

static void classify_header(
        struct arena *arena, struct flow *flow, struct ir_block *header)
{
    bool *in_loop = arena_array(arena, bool, flow->block_count);
    in_loop[header->id] = true;
    vec_each (predecessor, &header->predecessors)
        if (flow->position[(*predecessor)->id] >= 0 &&
                is_back_edge(flow, *predecessor, header))
            collect_loop(flow, *predecessor, in_loop);
    bool is_innermost = true;
    for (size_t i = 0; i < flow->block_count; i++) {
        flow->is_in_loop[i] |= in_loop[i];
        if (in_loop[i] && (int)i != header->id && flow->is_header[i])
            is_innermost = false;
    }
    flow->is_innermost[header->id] = is_innermost;
    const struct ir_instr *next = flow_deciding_iternext(header);
    flow->is_counted[header->id] = next && !type_iterates_list(next->operands[0]->type);
}

struct flow *flow_analyse(struct arena *arena, const struct ir_function *function)
{
    struct flow *flow = arena_new(arena, struct flow);
    size_t count = flow->block_count = function->blocks.len;
    flow->order = arena_array(arena, struct ir_block *, count);
    flow->position = arena_array(arena, int, count);
    flow->is_header = arena_array(arena, bool, count);
    flow->is_innermost = arena_array(arena, bool, count);
    flow->is_in_loop = arena_array(arena, bool, count);
    flow->is_counted = arena_array(arena, bool, count);
    order_blocks(arena, flow, function);
    for (size_t i = 0; i < flow->order_len; i++)
        vec_each (predecessor, &flow->order[i]->predecessors)
            if (flow->position[(*predecessor)->id] >= 0 &&
                    is_back_edge(flow, *predecessor, flow->order[i]))
                flow->is_header[flow->order[i]->id] = true;
    for (size_t i = 0; i < flow->order_len; i++)
        if (flow->is_header[flow->order[i]->id])
            classify_header(arena, flow, flow->order[i]);
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

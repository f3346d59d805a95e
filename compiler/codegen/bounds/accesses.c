// SPDX-License-Identifier: MIT
// Which accesses of a loop come in each of its turns, and loops of which nobody sees how
// far a turn came: what is asked ahead there changes nothing of the turns before.
#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/analysis/reach.h"
#include "compiler/codegen/bounds/bounds.h"
#include "compiler/codegen/bounds/even.h"

enum { MAX_BLOCKS = 64 };

// What the user would miss if it did not happen in the turn that fails, or what would
// have come before the failure.
// Turns run up to the failing one before the failure is raised, as in Python. What is
// only asked ahead must not change what a user sees of the turns before it.
static bool is_seen(const struct ir_instr *instr)
{
    if (instr->op == IR_PRIMITIVE)
        return instr->primitive == PRIMITIVE_PRINT ||
               instr->primitive == PRIMITIVE_BREAKPOINT ||
               instr->primitive == PRIMITIVE_EXTERNAL ||
               instr->primitive == PRIMITIVE_CALL_VALUE || ir_is_unknown_code(instr);
    return instr->op == IR_RAISE || instr->op == IR_RERAISE || instr->op == IR_OBJMODE ||
           instr->op == IR_YIELD || instr->op == IR_GUARD || instr->op == IR_CATCH ||
           instr->op == IR_CHAIN || instr->op == IR_NAME || instr->op == IR_PARALLEL_FOR;
}

static bool is_seen_itself(const struct ir_function *function, void *context)
{
    (void)context;
    vec_each (block, &function->blocks)
        ir_each_instr(instr, *block) if (is_seen(instr)) return true;
    return false;
}

bool bounds_loop_is_quiet(const struct flow *flow, const bool *in_loop)
{
    int count = 0;
    for (size_t i = 0; i < flow->order_len; i++) {
        if (!in_loop[flow->order[i]->id])
            continue;
        if (++count > MAX_BLOCKS || ir_handler(flow->order[i]))
            return false;
        ir_each_instr(instr, flow->order[i])
        {
            bool is_call = instr->op == IR_CALL_DIRECT;
            if (is_call ? call_reaches(instr->callee, is_seen_itself, NULL)
                        : instr->op != IR_RAISE && is_seen(instr))
                return false;
        }
    }
    return true;
}

// Whether a turn of the loop `in_loop` can end, or the loop be left, without coming
// through `block`.
static bool goes_past(const struct ir_block *header, const bool *in_loop,
        const struct ir_block *from, const struct ir_block *block, bool *seen)
{
    if (from == block || seen[from->id])
        return false;
    if (from == header || !in_loop[from->id])
        return true;
    seen[from->id] = true;
    struct ir_block *successors[2];
    size_t count = ir_successors(from, successors);
    for (size_t i = 0; i < count; i++)
        if (goes_past(header, in_loop, successors[i], block, seen))
            return true;
    return !count;
}

// The outermost loop that is unrolled, inside of this one and around the block.
static const struct ir_block *unrolled_around(const struct body *body,
        const struct ir_block *header, const bool *in_loop, const struct ir_block *block)
{
    const struct flow *flow = body->flow;
    for (size_t i = 0; i < flow->order_len; i++) {
        const struct ir_block *inner = flow->order[i];
        if (inner != header && in_loop[inner->id] && flow->is_header[inner->id] &&
                flow_loop(&body->gen->arena, flow, inner)[block->id])
            return inner;
    }
    return NULL;
}

bool bounds_only_looks(enum ir_primitive primitive)
{
    return primitive <= PRIMITIVE_BITS || primitive == PRIMITIVE_RANGE ||
           primitive == PRIMITIVE_ARRAY_LOAD || primitive == PRIMITIVE_ARRAY_SHAPE ||
           primitive == PRIMITIVE_ARRAY_LEN || ir_is_pure_intrinsic(primitive);
}

// What else has an effect is seen: no loop with it is quiet.
static bool keeps_memory(const struct ir_instr *instr)
{
    if (instr->op == IR_CALL_DIRECT)
        return flow_takes_numbers(instr);
    return instr->op != IR_PRIMITIVE || bounds_only_looks(instr->primitive);
}

// Whether an unrolled loop has all turns of a constant range, whatever happens in them,
// and only looks at memory: asked ahead, none of its accesses fails before a store.
static bool is_window(const struct flow *flow, const struct ir_block *header,
        const bool *in_loop, bool may_store)
{
    const struct ir_instr *next = flow_deciding_iternext(header);
    int64_t start, stop, step;
    if (!flow->is_unrolled[header->id] || !flow->is_straight[header->id] || !next ||
            !flow_constant_range(next, &start, &stop, &step) ||
            (step > 0 ? start >= stop : start <= stop))
        return false;
    for (size_t i = 0; i < flow->order_len && !may_store; i++)
        if (in_loop[flow->order[i]->id])
            ir_each_instr(instr, flow->order[i]) if (!keeps_memory(instr)) return false;
    return true;
}

// An access that some turns skip may be out of range in those without harm: it cannot be
// asked about for all of them. One in a window comes in each turn if the window does, and
// the access in each turn of that.
bool bounds_is_in_each_turn(const struct body *body, const struct ir_block *header,
        const bool *in_loop, const struct ir_block *block, bool may_store)
{
    const struct flow *flow = body->flow;
    if (block == header)
        return false;
    const struct ir_block *inner = unrolled_around(body, header, in_loop, block);
    if (inner) {
        const bool *in_inner = flow_loop(&body->gen->arena, flow, inner);
        if (!is_window(flow, inner, in_inner, may_store) ||
                !bounds_is_in_each_turn(body, inner, in_inner, block, may_store))
            return false;
        block = inner;
    }
    bool *seen = arena_array(&body->gen->arena, bool, flow->block_count);
    return !goes_past(header, in_loop, header->last->targets[0], block, seen);
}

// SPDX-License-Identifier: MIT
// Rows of a few turns, all of which LLVM writes out, that store to arrays. Where each
// access asks whether it is in range, no two stores are one vector, and no item stays in
// a register from one row to the next. So what is known before the row, or before a loop
// over such rows, is asked ahead of it, and the loop is there twice:
//
//   entry:  branch all indices of the loop are in range, usual, seldom
//   usual:  turns that need not ask
//   seldom: turns whose accesses ask, up to the one that fails
//
// What one copy stores and how far it came is in memory and in slots: nothing has to be
// joined where both end.
#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/bounds/bounds.h"
#include "compiler/codegen/bounds/even.h"

#include <assert.h>

// Whether the instruction leaves nothing behind but what it stores.
static bool is_plain(const struct ir_instr *instr)
{
    static const enum ir_op plain[] = {IR_PHI, IR_CONST, IR_CAST, IR_BINARY, IR_UNARY,
            IR_COMPARE, IR_TUPLE_GET, IR_ITERNEXT, IR_PAIR_FIRST, IR_PAIR_SECOND, IR_JUMP,
            IR_BRANCH};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (instr->op == plain[i])
            return true;
    if (instr->op == IR_GETITER)
        return instr->operands[0]->type->kind == TYPE_RANGE;
    return instr->op == IR_PRIMITIVE &&
           (bounds_only_looks(instr->primitive) ||
                   instr->primitive == PRIMITIVE_ARRAY_STORE);
}

// How many blocks the loop has, if they lie side by side in the order and hold no more
// than plain instructions; else 0.
static size_t count_blocks(
        const struct flow *flow, const struct ir_block *header, const bool *in_loop)
{
    assert(flow->is_header[header->id] && in_loop[header->id]);
    size_t first = (size_t)flow->position[header->id], count = 0;
    for (size_t i = 0; i < flow->order_len; i++) {
        if (!in_loop[flow->order[i]->id])
            continue;
        if (i != first + count++)
            return 0;
        ir_each_instr(instr, flow->order[i])
        {
            if (!is_plain(instr))
                return 0;
        }
    }
    return count;
}

// Whether nothing behind the loop needs a value of it.
static bool leaves_nothing(const struct flow *flow, const bool *in_loop)
{
    for (size_t i = 0; i < flow->order_len; i++) {
        if (in_loop[flow->order[i]->id])
            continue;
        ir_each_instr(instr, flow->order[i])
        {
            for (size_t k = 0; k < instr->operand_count; k++)
                if (in_loop[instr->operands[k]->block->id])
                    return false;
        }
    }
    return true;
}

static bool has_turns(const struct clamp *clamp)
{
    int64_t start, stop, step;
    const struct ir_instr *next = flow_deciding_iternext(clamp->header);
    return !bounds_is_written_out(clamp->body, clamp->header) ||
           (flow_constant_range(next, &start, &stop, &step) &&
                   (step > 0 ? start < stop : start > stop));
}

// Whether the loop is a row that stores, or holds one.
static bool holds_row(const struct clamp *clamp)
{
    const struct flow *flow = clamp->body->flow;
    for (size_t i = 0; i < flow->order_len; i++) {
        const struct ir_block *block = flow->order[i];
        if (clamp->in_loop[block->id] && flow->is_header[block->id] &&
                bounds_is_written_out(clamp->body, block) &&
                flow_stores(flow, flow_loop(&clamp->body->gen->arena, flow, block)))
            return true;
    }
    return false;
}

// A negative index may be in range, and the loop be left to the copy that asks for it.
static bool are_positive(const struct clamp *clamp)
{
    const struct flow *flow = clamp->body->flow;
    for (size_t i = 0; i < flow->order_len; i++) {
        if (!clamp->in_loop[flow->order[i]->id])
            continue;
        ir_each_instr(instr, flow->order[i])
        {
            if (!bounds_is_access(instr))
                continue;
            for (int axis = 0; axis < instr->operands[0]->type->array.ndim; axis++)
                if (clamp->body->intervals[instr->operands[1 + axis]->id].low < 0)
                    return false;
        }
    }
    return true;
}

bool bounds_row_open(struct clamp *clamp)
{
    struct body *body = clamp->body;
    const struct flow *flow = body->flow;
    const struct ir_block *header = clamp->header;
    if (body->bounds->is_seldom || body->observed || body->hooked || body->generator ||
            !holds_row(clamp) || !flow->is_straight[header->id] ||
            flow->depth[header->id] < 2 || header->first->op == IR_PHI ||
            header->last->targets[1]->predecessors.len != 1 || !has_turns(clamp) ||
            !are_positive(clamp))
        return false;
    size_t block_count = count_blocks(flow, header, clamp->in_loop);
    if (!block_count || !leaves_nothing(flow, clamp->in_loop))
        return false;
    clamp->is_twice = true;
    bounds_hoist_all(clamp);
    if (!clamp->count)
        return true;
    struct bounds_row *row = arena_new(&body->gen->arena, struct bounds_row);
    value now = clamp->all_in_now, always = clamp->all_in;
    value is_in = now && always ? LLVMBuildAnd(body->gen->builder, now, always, "")
                  : now         ? now
                                : always;
    assert(is_in && !body->bounds->rows[header->id]);
    *row = (struct bounds_row){block_count, is_in, body_block(body, "row")};
    body->bounds->rows[header->id] = row;
    return true;
}

LLVMBasicBlockRef bounds_row_entry(const struct body *body, const struct ir_block *header)
{
    const struct bounds_row *row = body->bounds->rows[header->id];
    return row ? row->entry : NULL;
}

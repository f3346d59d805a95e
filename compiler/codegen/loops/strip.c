// SPDX-License-Identifier: MIT
// Innermost for loops in strips: the loop proper runs up to a limit, a loop around it
// moves the limit on and asks whether to stop. So long loops can be interrupted and still
// vectorise.
//
//   before: limit = min(start + turns, stop)      (turns: of the target)
//   head:   phis of the outer loop; position = base
//   header: phis; position < limit                  (the IR block)
//   check:  limit < stop, else leave
//   again:  poll; base += turns; limit = min(base + turns, stop)
//
// The first limit is computed before the loop, so that LLVM can take it out of loops
// around this one.
// `base` moves by a constant, from which LLVM knows the range of the position.
#include "compiler/codegen/analysis/ends.h"
#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/exception.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/bounds/bounds.h"
#include "compiler/codegen/loops/exchanged.h"
#include "compiler/codegen/loops/strip.h"
#include "compiler/codegen/loops/turn.h"

#include <assert.h>

// A number that moves with the loop, and where it stood when the strip began.
struct moving {
    value slot, base_slot, per_strip;
};

struct strip {
    struct strip_bounds bounds; // position: of the first turn
    struct moving moving[2]; // the position, and the number of a range that counts turns
    int moving_count;
    value limit; // slot
    LLVMBasicBlockRef head, check, again_end;
    value **outer; // phis in `head`, by the header's phi instructions in order
};

// The header whose loop may run in strips over this iterator, or NULL.
static const struct ir_block *strip_header(
        const struct body *body, const struct ir_instr *getiter)
{
    const struct flow *flow = body->flow;
    for (size_t i = 0; i < flow->order_len; i++) {
        const struct ir_block *block = flow->order[i];
        if (!flow->is_header[block->id] || !flow->is_counted[block->id] ||
                !flow->is_lowest[block->id] || flow->is_small[block->id])
            continue;
        const struct ir_instr *iternext = flow_deciding_iternext(block);
        if (iternext && iternext->operands[0] == getiter)
            return block;
    }
    return NULL;
}

static bool is_short(const struct body *body, const struct strip_bounds *bounds)
{
    if (!LLVMIsAConstantInt(bounds->position) || !LLVMIsAConstantInt(bounds->stop))
        return false;
    int64_t from = LLVMConstIntGetSExtValue(bounds->position);
    int64_t to = LLVMConstIntGetSExtValue(bounds->stop);
    int64_t turns = bounds->is_up ? to - from : from - to;
    return turns <= body->gen->target->strip_turns;
}

value strip_compare(struct body *body, const struct strip_bounds *bounds, value limit)
{
    LLVMIntPredicate less = bounds->is_signed ? LLVMIntSLT : LLVMIntULT;
    LLVMIntPredicate greater = bounds->is_signed ? LLVMIntSGT : LLVMIntUGT;
    return LLVMBuildICmp(body->gen->builder, bounds->is_up ? less : greater,
            bounds->position, limit, "");
}

// The stop, or the start where the loop has no turns: never behind the position.
static value reachable_stop(struct body *body, const struct strip_bounds *bounds)
{
    value has_turns = strip_compare(body, bounds, bounds->stop);
    return value_select(body->gen, has_turns, bounds->stop, bounds->position);
}

static void add_moving(
        struct body *body, struct strip *strip, value slot, value start, value per_strip)
{
    LLVMBuilderRef b = body->gen->builder;
    value base_slot = value_alloca(body, LLVMTypeOf(start), "base");
    LLVMBuildStore(b, start, base_slot);
    strip->moving[strip->moving_count++] = (struct moving){slot, base_slot, per_strip};
}

// The limit of the strip from `base` on: at most a strip's turns away.
static void set_limit(struct body *body, const struct strip *strip, value base)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value stop = strip->bounds.stop;
    value left = strip->bounds.is_up ? LLVMBuildSub(b, stop, base, "")
                                     : LLVMBuildSub(b, base, stop, "");
    value chunk = LLVMConstInt(
            LLVMTypeOf(stop), (unsigned long long)gen->target->strip_turns, false);
    value is_last = LLVMBuildICmp(b, LLVMIntULT, left, chunk, "");
    value whole = LLVMBuildAdd(b, base, strip->moving[0].per_strip, "");
    LLVMBuildStore(b, value_select(gen, is_last, stop, whole), strip->limit);
}

// Whether the loop does little with each item of what memory holds, in a loop that asks:
// it is over soon. Strips would have rows of some items take up to half as long again,
// and hide from LLVM that the first turns differ, as where `a[j - 1]` begins at the end.
static bool is_row(const struct body *body, const struct ir_instr *getiter,
        const struct ir_block *header)
{
    return body->flow->depth[header->id] > 1 && body->flow->is_light[header->id] &&
           (ends_is_within_memory(getiter->operands[0]) || bounds_end_loop(body, header));
}

value strip_open(struct body *body, const struct ir_instr *getiter,
        struct strip_bounds *bounds, const struct strip_state *state)
{
    struct codegen *gen = body->gen;
    int strip_turns = gen->target->strip_turns;
    if (!gen->is_interruptible || !strip_turns || body->observed ||
            is_short(body, bounds))
        return NULL;
    // Where polls are far away, a limit of its own costs such a loop more than half its
    // time: its accesses are within bounds as long as it runs to the array's extent.
    if (gen->target->loop_turns > 1 && ends_is_within_memory(getiter->operands[0]))
        return NULL;
    const struct ir_block *header = strip_header(body, getiter);
    if (!header || turn_asks(body, header) || body->flow->is_formula[header->id] ||
            is_row(body, getiter, header))
        return NULL;
    struct strip *strip = arena_new(&gen->arena, struct strip);
    LLVMBasicBlockRef start = body->starts[header->id];
    strip->head = LLVMInsertBasicBlockInContext(gen->context, start, "strip");
    body->strips[header->id] = strip;
    LLVMTypeRef type = LLVMTypeOf(bounds->stop);
    strip->limit = value_alloca(body, type, "limit");
    bounds->stop = reachable_stop(body, bounds);
    strip->bounds = *bounds;
    int64_t turns = bounds->is_up ? strip_turns : -strip_turns;
    add_moving(body, strip, state->position, bounds->position,
            LLVMConstInt(type, (unsigned long long)turns, true));
    set_limit(body, strip, bounds->position);
    if (state->number_slot) {
        value many = LLVMConstInt(
                LLVMTypeOf(state->step), (unsigned long long)strip_turns, false);
        add_moving(body, strip, state->number_slot, state->number,
                LLVMBuildMul(gen->builder, state->step, many, ""));
    }
    return strip->limit;
}

// At the start of a strip: the numbers stand at their bases.
static void begin_strip(struct body *body, const struct strip *strip)
{
    LLVMBuilderRef b = body->gen->builder;
    for (int i = 0; i < strip->moving_count; i++) {
        const struct moving *moving = &strip->moving[i];
        value base = LLVMBuildLoad2(
                b, LLVMTypeOf(moving->per_strip), moving->base_slot, "base");
        LLVMBuildStore(b, base, moving->slot);
    }
}

// The next base cannot overflow: the stop lies beyond it.
static void move_bases(struct body *body, const struct strip *strip)
{
    LLVMBuilderRef b = body->gen->builder;
    for (int i = 0; i < strip->moving_count; i++) {
        const struct moving *moving = &strip->moving[i];
        value base =
                LLVMBuildLoad2(b, LLVMTypeOf(moving->per_strip), moving->base_slot, "");
        value next = strip->bounds.is_signed
                             ? LLVMBuildNSWAdd(b, base, moving->per_strip, "")
                             : LLVMBuildAdd(b, base, moving->per_strip, "");
        LLVMBuildStore(b, next, moving->base_slot);
        if (i == 0)
            set_limit(body, strip, next);
    }
}

void strip_phis(struct body *body, const struct ir_block *header)
{
    struct strip *strip = body->strips[header->id];
    LLVMBuilderRef b = body->gen->builder;
    if (!strip)
        return;
    size_t count = 0, at = 0;
    const struct ir_instr *phi;
    for (phi = header->first; phi->op == IR_PHI; phi = phi->next)
        count++;
    strip->outer = arena_array(&body->gen->arena, value *, count + 1);
    LLVMPositionBuilderAtEnd(b, strip->head);
    for (phi = header->first; phi->op == IR_PHI; phi = phi->next) {
        const struct leaf_list *list = type_leaves(body->gen, phi->type);
        strip->outer[at] = value_row(body->gen, list->len);
        for (size_t i = 0; i < list->len; i++)
            strip->outer[at][i] =
                    LLVMBuildPhi(b, type_llvm(body->gen, list->items[i].type), "");
        at++;
    }
    begin_strip(body, strip);
    LLVMBuildBr(b, body->starts[header->id]);
    LLVMPositionBuilderAtEnd(b, body->starts[header->id]);
}

// Most loops end within their first strip, and LLVM puts the way to the next one aside.
// In deeper nests, and where steps are long, its other order of the blocks is the faster
// one.
static bool is_likely_last(
        const struct body *body, const struct strip *strip, const struct ir_block *header)
{
    return body->flow->depth[header->id] <= 2 && strip->moving_count == 1;
}

bool strip_branch(struct body *body, const struct ir_instr *branch)
{
    LLVMBuilderRef b = body->gen->builder;
    struct strip *strip = body->strips[branch->block->id];
    if (!strip)
        return false;
    struct strip_bounds bounds = strip->bounds;
    strip->check = body_block(body, "strip.check");
    LLVMBuildCondBr(b, operand(body, branch, 0)[0],
            body_edge_target(body, branch->block, branch->targets[0]), strip->check);
    body->ends[branch->block->id] = LLVMGetInsertBlock(b);
    LLVMPositionBuilderAtEnd(b, strip->check);
    // The position stands at the limit. Asking the limit leaves the position without uses
    // outside the loop, without which LLVM does not vectorise the loop's remainder.
    bounds.position = LLVMBuildLoad2(b, LLVMTypeOf(bounds.stop), strip->limit, "");
    LLVMBasicBlockRef again = body_block(body, "strip.next");
    value is_behind = strip_compare(body, &bounds, bounds.stop);
    LLVMBasicBlockRef leave = bounds_leave(body, branch->block,
            body_edge_target(body, branch->block, branch->targets[1]));
    if (is_likely_last(body, strip, branch->block))
        control_branch_unlikely(body, is_behind, again, leave);
    else
        LLVMBuildCondBr(b, is_behind, again, leave);
    LLVMPositionBuilderAtEnd(b, again);
    control_poll(body);
    move_bases(body, strip);
    strip->again_end = LLVMGetInsertBlock(b);
    LLVMBuildBr(b, strip->head);
    return true;
}

LLVMBasicBlockRef strip_start(const struct body *body, const struct ir_block *header)
{
    const struct strip *strip = body->strips[header->id];
    return strip ? strip->head : body->starts[header->id];
}

LLVMBasicBlockRef strip_begin_again(struct body *body, const struct ir_block *header)
{
    struct strip *strip = body->strips[header->id];
    assert(header->first->op != IR_PHI && body->bounds->rows);
    if (strip)
        strip->head = LLVMInsertBasicBlockInContext(
                body->gen->context, body->starts[header->id], "strip");
    return strip_start(body, header);
}

LLVMBasicBlockRef body_edge_target(
        const struct body *body, const struct ir_block *from, const struct ir_block *to)
{
    const struct strip *strip = body->strips[to->id];
    bool is_back = body->flow->position[from->id] >= body->flow->position[to->id];
    if (is_back && to == body->turn.header)
        return body->turn.end;
    if (!is_back && bounds_row_entry(body, to))
        return bounds_row_entry(body, to);
    return strip && !is_back ? strip->head : body->starts[to->id];
}

LLVMBasicBlockRef body_edge_source(
        const struct body *body, const struct ir_block *from, const struct ir_block *to)
{
    const struct strip *strip = body->strips[from->id];
    LLVMBasicBlockRef landing = exception_source(body, from, to);
    if (landing)
        return landing;
    bool is_exit = from->last->op == IR_BRANCH && from->last->targets[1] == to;
    if (is_exit && bounds_exit(body, from))
        return bounds_exit(body, from);
    return strip && is_exit ? strip->check : body->ends[from->id];
}

void body_connect_phi(struct body *body, const struct ir_instr *phi, size_t index)
{
    const struct ir_block *block = phi->block;
    const struct strip *strip = body->strips[block->id];
    size_t count = type_leaf_count(body->gen, phi->type);
    value *inner = body->values[phi->id], *outer = strip ? strip->outer[index] : inner;
    for (size_t i = 0; i < block->predecessors.len; i++) {
        const struct ir_block *from = block->predecessors.items[i];
        if (body->flow->position[from->id] < 0)
            continue;
        bool is_back = body->flow->position[from->id] >= body->flow->position[block->id];
        LLVMBasicBlockRef source = body_edge_source(body, from, block);
        value *to = is_back ? inner : outer;
        const value *incoming =
                is_back ? exchanged_arrays(body, phi, phi->operands[i], source)
                        : body->values[phi->operands[i]->id];
        for (size_t j = 0; j < count; j++)
            LLVMAddIncoming(to[j], (value *)&incoming[j], &source, 1);
    }
    for (size_t j = 0; strip && j < count; j++) {
        LLVMAddIncoming(inner[j], &outer[j], (LLVMBasicBlockRef *)&strip->head, 1);
        LLVMAddIncoming(outer[j], &inner[j], (LLVMBasicBlockRef *)&strip->again_end, 1);
    }
}

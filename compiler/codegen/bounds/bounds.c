// SPDX-License-Identifier: MIT
// Which indices are checked against the ends of their axis, and the checks at accesses.
// Under BOUNDS_ALL each access asks before it is made. By default an innermost loop asks
// about most of its indices before it begins (bounds/loop.c), and about others not at all
// where that would cost; one of few turns, which LLVM writes out, asks in each.
#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/exception.h"
#include "compiler/codegen/bounds/bounds.h"
#include "compiler/codegen/values/array.h"

#include <string.h>

void bounds_prepare(struct body *body, size_t id_count)
{
    struct arena *arena = &body->gen->arena;
    size_t block_count = body->flow->block_count;
    body->bounds = arena_new(arena, struct body_bounds);
    body->bounds->rows = arena_array(arena, struct bounds_row *, block_count);
    body->bounds->clamps = arena_array(arena, struct clamp *, block_count);
    body->bounds->turns = arena_array(arena, struct clamp *, block_count);
    body->bounds->lax = arena_array(arena, unsigned char, block_count);
    body->bounds->hoisted = arena_array(arena, uint64_t, id_count + 1);
}

enum bounds_checks bounds_mode(const struct body *body)
{
    enum bounds_checks wanted = body->options->boundscheck;
    bool is_host = body->gen->target->kind == TARGET_HOST;
    return wanted == BOUNDS_DEFAULT && !is_host ? BOUNDS_UNCHECKED : wanted;
}

bool bounds_is_access(const struct ir_instr *instr)
{
    return instr->op == IR_PRIMITIVE &&
           (instr->primitive == PRIMITIVE_ARRAY_LOAD ||
                   instr->primitive == PRIMITIVE_ARRAY_STORE);
}

// Whether LLVM leaves the loop's turns in order, because floats are added up in it.
static bool carries_float(const struct body *body, const struct ir_block *header)
{
    if (body->options->fastmath || body->options->fastmath_flags)
        return false;
    ir_each_instr(phi,
            header) if (phi->op == IR_PHI && phi->type->kind == TYPE_FLOAT) return true;
    return false;
}

bool bounds_is_written_out(const struct body *body, const struct ir_block *header)
{
    return body->gen->target->kind == TARGET_HOST && body->flow->is_unrolled[header->id];
}

bool bounds_is_lax(const struct body *body, const struct ir_block *header)
{
    const struct flow *flow = body->flow;
    if (flow->depth[header->id] >= BOUNDS_DEEP_NEST)
        return true;
    if (bounds_is_written_out(body, header))
        return false;
    return flow->is_straight[header->id] && !carries_float(body, header) &&
           bounds_loop_is_quiet(flow, flow_loop(&body->gen->arena, flow, header));
}

static bool is_in_lax_loop(struct body *body)
{
    const struct ir_block *header =
            body->block ? body->flow->innermost[body->block->id] : NULL;
    if (!header)
        return false;
    if (!body->bounds->lax[header->id])
        body->bounds->lax[header->id] = bounds_is_lax(body, header) ? 1 : 2;
    return body->bounds->lax[header->id] == 1;
}

static bool is_checked_here(
        const struct bounds *bounds, int axis, const struct ir_instr *index, value extent)
{
    struct body *body = bounds->body;
    switch (bounds_mode(body)) {
    case BOUNDS_UNCHECKED:
        return false;
    case BOUNDS_ALL:
        return true;
    default:
        return !(body->bounds->hoisted[bounds->access->id] >> axis & 1) &&
               !bounds_is_proven(body, index, extent) &&
               (body->bounds->is_seldom || !bounds_is_access(bounds->access) ||
                       !is_in_lax_loop(body));
    }
}

void bounds_begin(struct bounds *bounds, struct body *body, const struct ir_instr *access)
{
    bounds->body = body;
    bounds->access = access;
    bounds->count = 0;
}

// Whether an index is in range, and not negative. Of one that is never too large only the
// latter is asked, before constants are added, which LLVM often knows of a loop.
static value is_in_front(
        struct body *body, const struct ir_instr *instr, value index, value extent)
{
    LLVMBuilderRef b = body->gen->builder;
    int64_t moved;
    if (!bounds_is_below(body, instr, 0, extent))
        return LLVMBuildICmp(b, LLVMIntULT, index, extent, "");
    const struct ir_instr *item = flow_without_constants(instr, &moved);
    bool is_plain = moved && body->values[item->id] &&
                    body->intervals[item->id].high < INT64_MAX - FLOW_MOST_MOVED * 64;
    return is_plain ? LLVMBuildICmp(b, LLVMIntSGE, body->values[item->id][0],
                              value_i64(body->gen, -moved), "")
                    : LLVMBuildICmp(b, LLVMIntSGE, index, value_i64(body->gen, 0), "");
}

// A negative index is off the usual way.
static value wrap_seldom(struct body *body, const struct ir_instr *instr, value extent)
{
    value index = array_plain_index(body, instr);
    LLVMBuilderRef b = body->gen->builder;
    LLVMBasicBlockRef usual = LLVMGetInsertBlock(b);
    LLVMBasicBlockRef next = body_block_after(body, "next");
    LLVMBasicBlockRef seldom = body_block(body, "wrap");
    value is_usual = is_in_front(body, instr, index, extent);
    control_branch_unlikely(body, LLVMBuildNot(b, is_usual, ""), seldom, next);
    LLVMPositionBuilderAtEnd(b, seldom);
    value wrapped = LLVMBuildAdd(b, index, extent, "");
    value is_negative = LLVMBuildICmp(b, LLVMIntSLT, index, value_i64(body->gen, 0), "");
    value is_in = LLVMBuildAnd(
            b, is_negative, LLVMBuildICmp(b, LLVMIntULT, wrapped, extent, ""), "");
    LLVMBasicBlockRef failed = body_block(body, "bounds.failed");
    LLVMBuildCondBr(b, is_in, next, failed);
    LLVMPositionBuilderAtEnd(b, next);
    value both = value_phi(body->gen, "", (value[]){index, wrapped},
            (LLVMBasicBlockRef[]){usual, seldom});
    LLVMPositionBuilderAtEnd(b, failed);
    return both;
}

static void raise_at(const struct bounds *bounds);

value bounds_ask(
        struct bounds *bounds, int axis, const struct ir_instr *index_instr, value extent)
{
    struct body *body = bounds->body;
    struct interval interval = body->intervals[index_instr->id];
    int64_t of_none;
    bool is_wrapped = bounds_is_wrapped(body, index_instr) ||
                      bounds_is_held(body, index_instr, extent, &of_none);
    if (!is_checked_here(bounds, axis, index_instr, extent))
        return is_wrapped ? array_plain_index(body, index_instr)
                          : array_wrap_index(body, index_instr, extent);
    if (bounds_mode(body) == BOUNDS_DEFAULT && interval.low < 0 && interval.high >= 0 &&
            index_instr->type->is_signed && !is_wrapped) {
        struct bounds alone = {.body = body, .access = bounds->access, .count = 1};
        alone.axes[0] = (struct bounds_axis){NULL, extent, index_instr, axis};
        value index = wrap_seldom(body, index_instr, extent);
        raise_at(&alone);
        LLVMPositionBuilderAtEnd(body->gen->builder, LLVMGetInstructionParent(index));
        return index;
    }
    value index = is_wrapped ? array_plain_index(body, index_instr)
                             : array_wrap_index(body, index_instr, extent);
    value is_out = LLVMBuildICmp(body->gen->builder, LLVMIntUGE, index, extent, "");
    if (!LLVMIsAConstantInt(is_out) || LLVMConstIntGetZExtValue(is_out))
        bounds->axes[bounds->count++] =
                (struct bounds_axis){is_out, extent, index_instr, axis};
    return index;
}

static void raise_at(const struct bounds *bounds)
{
    struct body *body = bounds->body;
    struct codegen *gen = body->gen;
    value failure[BOUNDS_FAILURE_PARTS] = {
            value_i32(gen, exception_index_site(body, bounds->access->span))};
    for (int i = bounds->count; i-- > 0;) {
        const struct bounds_axis *axis = &bounds->axes[i];
        value parts[BOUNDS_FAILURE_PARTS] = {failure[0],
                array_plain_index(body, axis->index), value_i64(gen, axis->number),
                axis->extent};
        for (int k = 1; k < BOUNDS_FAILURE_PARTS; k++)
            failure[k] = failure[k]
                                 ? value_select(gen, axis->is_out, parts[k], failure[k])
                                 : parts[k];
    }
    exception_raise_index(body, failure);
}

void bounds_end(struct bounds *bounds)
{
    struct body *body = bounds->body;
    LLVMBuilderRef b = body->gen->builder;
    if (!bounds->count)
        return;
    value is_out = bounds->axes[0].is_out;
    for (int i = 1; i < bounds->count; i++)
        is_out = LLVMBuildOr(b, is_out, bounds->axes[i].is_out, "");
    LLVMBasicBlockRef next = body_enter_seldom(body, is_out, "bounds");
    raise_at(bounds);
    LLVMPositionBuilderAtEnd(b, next);
}

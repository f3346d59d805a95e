// SPDX-License-Identifier: MIT
// Checks ahead of loops that hold no loops but unrolled ones: indices that a `range` loop
// moves evenly, or leaves alone, are asked about once, and the loop gets as many turns as
// have all of them in range. When these are over and the range is not, the turn that
// follows is the one that fails. Other loops are asked about what they leave alone, and
// fail in their first turn.
#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/exception.h"
#include "compiler/codegen/bounds/bounds.h"
#include "compiler/codegen/bounds/even.h"
#include "compiler/codegen/values/number.h"

#include <assert.h>
#include <string.h>

enum { MAX_HOISTED = 64 };

// --- Which loops, which accesses

static const struct ir_block *loop_over(
        const struct flow *flow, const struct ir_instr *getiter)
{
    for (size_t i = 0; i < flow->order_len; i++) {
        const struct ir_block *block = flow->order[i];
        if (!flow->is_header[block->id] || !flow->is_lowest[block->id])
            continue;
        const struct ir_instr *iternext = flow_deciding_iternext(block);
        if (iternext && iternext->operands[0] == getiter)
            return flow_counts(flow, getiter) ? block : NULL;
    }
    return NULL;
}

// The blocks of the loop around this one; NULL: there is none.
static const bool *loop_around(const struct body *body, const struct ir_block *header)
{
    const struct flow *flow = body->flow;
    const struct ir_block *outer = flow->dominator[header->id];
    for (; outer; outer = flow->dominator[outer->id]) {
        if (!flow->is_header[outer->id])
            continue;
        const bool *in_outer = flow_loop(&body->gen->arena, flow, outer);
        if (in_outer[header->id])
            return in_outer;
    }
    return NULL;
}

// --- Before the loop

static value extreme(struct codegen *gen, const char *intrinsic, value a, value b)
{
    return codegen_intrinsic(gen, intrinsic, &gen->i64, 1, (value[2]){a, b}, 2, "");
}

static value is_outside(struct codegen *gen, value index, value extent)
{
    LLVMBuilderRef b = gen->builder;
    value is_negative = LLVMBuildICmp(b, LLVMIntSLT, index, value_i64(gen, 0), "");
    value wrapped = LLVMBuildAdd(b, index, extent, "");
    return LLVMBuildICmp(
            b, LLVMIntUGE, value_select(gen, is_negative, wrapped, index), extent, "");
}

static value is_out_of(struct codegen *gen, const struct hoisted *hoisted, value index)
{
    return hoisted->is_unsigned
                   ? LLVMBuildICmp(gen->builder, LLVMIntUGE, index, hoisted->extent, "")
                   : is_outside(gen, index, hoisted->extent);
}

// The factors whose last turn in range is easily found.
static bool is_handy(const struct clamp *clamp, int64_t factor)
{
    if (factor >= -1 && factor <= 1)
        return true;
    const struct interval number = clamp->body->intervals[clamp->number->id];
    return factor > 0 && clamp->is_up && number.low >= 0 &&
           number.high <= INT64_MAX / (2 * EVEN_MAX_FACTOR);
}

// The loop has no turn at all if `is_out` holds.
static void clamp_all(struct clamp *clamp, value is_out)
{
    clamp->clamped = value_select(clamp->body->gen, is_out, clamp->start, clamp->clamped);
}

// The first number, in the range's direction, whose index has passed the end that it
// moves towards: factor * number + base = end.
// All arithmetic saturates: an end far outside is as good as one just outside.
static value number_at(struct codegen *gen, const struct hoisted *hoisted, value end)
{
    LLVMBuilderRef b = gen->builder;
    value left = end, zero = value_i64(gen, 0);
    value base = hoisted->base ? hoisted->base : zero;
    if (hoisted->factor == -1)
        return extreme(gen, "llvm.ssub.sat", base, end);
    left = extreme(gen, "llvm.ssub.sat", end, base);
    if (hoisted->factor == 1)
        return left;
    value factor = value_i64(gen, hoisted->factor);
    left = extreme(gen, "llvm.smax", left, zero);
    left = extreme(gen, "llvm.sadd.sat", left, value_i64(gen, hoisted->factor - 1));
    return LLVMBuildSDiv(b, left, factor, "");
}

static value first_index(
        struct codegen *gen, const struct clamp *clamp, const struct hoisted *hoisted)
{
    value base = hoisted->base;
    if (hoisted->factor == -1)
        return extreme(
                gen, "llvm.ssub.sat", base ? base : value_i64(gen, 0), clamp->start);
    if (hoisted->factor == 1)
        return base ? extreme(gen, "llvm.sadd.sat", clamp->start, base) : clamp->start;
    return even_index_at(gen, hoisted, clamp->start);
}

// Of the two ends of an array the one that the index moves towards bounds the turns; at
// the other one only the first turn can fail.
static void clamp_moving(struct clamp *clamp, const struct hoisted *hoisted)
{
    struct codegen *gen = clamp->body->gen;
    LLVMBuilderRef b = gen->builder;
    bool rises = (hoisted->factor > 0) == clamp->is_up;
    bool is_positive = clamp->body->intervals[hoisted->index->id].low >= 0;
    assert(hoisted->factor && hoisted->extent);
    value before = LLVMBuildNeg(b, hoisted->extent, "");
    if (rises || !is_positive) {
        value end =
                rises ? hoisted->extent : LLVMBuildSub(b, before, value_i64(gen, 1), "");
        clamp->clamped = extreme(gen, clamp->is_up ? "llvm.smin" : "llvm.smax",
                clamp->clamped, number_at(gen, hoisted, end));
    }
    if (rises && is_positive)
        return;
    value first = first_index(gen, clamp, hoisted);
    clamp_all(clamp, rises ? LLVMBuildICmp(b, LLVMIntSLT, first, before, "")
                           : LLVMBuildICmp(b, LLVMIntSGE, first, hoisted->extent, ""));
}

static void clamp_by(struct clamp *clamp, const struct hoisted *hoisted)
{
    struct codegen *gen = clamp->body->gen;
    if (hoisted->factor)
        clamp_moving(clamp, hoisted);
    else
        clamp_all(clamp,
                is_out_of(gen, hoisted, even_index_at(gen, hoisted, clamp->start)));
}

// What LLVM does not know to stay as it is in loops around this one: it would write those
// twice, for either answer.
static value opaque(struct codegen *gen, value condition)
{
    value call = value_opaque(gen, LLVMBuildZExt(gen->builder, condition, gen->i32, ""));
    codegen_attribute(gen, call, LLVMAttributeFunctionIndex, "convergent", 0);
    return LLVMBuildICmp(gen->builder, LLVMIntNE, call, value_i32(gen, 0), "");
}

static void demand(struct clamp *clamp, const struct hoisted *hoisted, value is_in)
{
    LLVMBuilderRef b = clamp->body->gen->builder;
    bool is_new = even_varies(clamp, hoisted->index);
    value *all = is_new ? &clamp->all_in_now : &clamp->all_in;
    *all = *all ? LLVMBuildAnd(b, *all, is_in, "") : is_in;
}

// The indices of the first and the last turn tell of those between. Negative ones, which
// may be in range too, are left to clamp_by.
static void ask_about(struct clamp *clamp, const struct hoisted *hoisted)
{
    struct body *body = clamp->body;
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value extent = hoisted->extent;
    bool is_positive =
            hoisted->is_unsigned || body->intervals[hoisted->index->id].low >= 0;
    if (!hoisted->factor) {
        value index = even_index_at(gen, hoisted, clamp->start);
        demand(clamp, hoisted,
                is_positive ? LLVMBuildICmp(b, LLVMIntULT, index, extent, "")
                            : LLVMBuildNot(b, is_outside(gen, index, extent), ""));
        return;
    }
    bool rises = (hoisted->factor > 0) == clamp->is_up;
    value one = value_i64(gen, 1);
    value last = clamp->is_up ? LLVMBuildSub(b, clamp->stop, one, "")
                              : LLVMBuildAdd(b, clamp->stop, one, "");
    if (rises || !is_positive)
        demand(clamp, hoisted,
                LLVMBuildICmp(
                        b, LLVMIntULT, even_index_at(gen, hoisted, last), extent, ""));
    if (!rises || !is_positive)
        demand(clamp, hoisted,
                LLVMBuildICmp(b, LLVMIntULT, even_index_at(gen, hoisted, clamp->start),
                        extent, ""));
}

static value is_out_somewhere(struct clamp *clamp)
{
    LLVMBuilderRef b = clamp->body->gen->builder;
    value now = clamp->all_in_now ? LLVMBuildNot(b, clamp->all_in_now, "") : NULL;
    value always = clamp->all_in ? LLVMBuildNot(b, clamp->all_in, "") : NULL;
    if (always && clamp->in_outer)
        always = opaque(clamp->body->gen, always);
    assert(now || always);
    return now && always ? LLVMBuildOr(b, now, always, "") : now ? now : always;
}

// Shortens the range where something is out of it, off the usual way.
static void shorten(struct clamp *clamp)
{
    struct body *body = clamp->body;
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    LLVMBasicBlockRef shortened = body_block_after(body, "bounds.shorten");
    LLVMBasicBlockRef next = body_block_after(body, "bounds.loop");
    LLVMBasicBlockRef usual = LLVMGetInsertBlock(b);
    value is_out = is_out_somewhere(clamp);
    control_branch_unlikely(body, is_out, shortened, next);
    LLVMPositionBuilderAtEnd(b, shortened);
    clamp->clamped = clamp->stop;
    for (size_t i = 0; i < clamp->count; i++)
        clamp_by(clamp, &clamp->hoisted[i]);
    value found = extreme(
            gen, clamp->is_up ? "llvm.smax" : "llvm.smin", clamp->start, clamp->clamped);
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, next);
    clamp->clamped = value_phi(gen, "stop", (value[]){clamp->stop, found},
            (LLVMBasicBlockRef[]){usual, shortened});
}

static void mark(struct body *body, const struct ir_instr *access, int axis)
{
    body->bounds->hoisted[access->id] |= (uint64_t)1 << axis;
}

static bool is_known(
        const struct clamp *clamp, const struct ir_instr *index, value extent)
{
    for (size_t i = 0; i < clamp->count; i++)
        if (clamp->hoisted[i].extent == extent &&
                even_is_same(clamp->hoisted[i].index, index))
            return true;
    return false;
}

static void hoist(struct clamp *clamp, struct hoisted hoisted)
{
    clamp->hoisted[clamp->count] = hoisted;
    ask_about(clamp, &clamp->hoisted[clamp->count++]);
}

// Where loops inside spread the index, the least and the largest of a turn are asked
// about.
static bool hoist_even(struct clamp *clamp, struct hoisted hoisted)
{
    struct even even;
    if (!flow_is_int64(hoisted.index->type) || !even_find(clamp, hoisted.index, &even) ||
            !is_handy(clamp, even.factor))
        return false;
    hoisted.factor = even.factor;
    hoisted.base = even_moved(clamp, even_base(clamp, hoisted.index), even.low);
    hoist(clamp, hoisted);
    if (even.low != even.high) {
        hoisted.spread = even.high - even.low;
        hoisted.base = even_moved(clamp, hoisted.base, hoisted.spread);
        hoist(clamp, hoisted);
    }
    return true;
}

static bool hoist_fixed(struct clamp *clamp, struct hoisted hoisted)
{
    hoisted.base = even_fixed_index(clamp, hoisted.index);
    hoisted.is_unsigned = !hoisted.index->type->is_signed;
    if (!hoisted.base)
        return false;
    hoist(clamp, hoisted);
    return true;
}

static void hoist_axis(
        struct clamp *clamp, const struct ir_instr *access, int axis, bool is_sure)
{
    struct body *body = clamp->body;
    const struct ir_instr *index = access->operands[1 + axis];
    value extent = even_fixed_length(clamp, access->operands[0], axis);
    int64_t of_none;
    if (!extent || body->bounds->hoisted[access->id] >> axis & 1)
        return;
    if (bounds_is_proven(body, index, extent) || is_known(clamp, index, extent)) {
        mark(body, access, axis);
        return;
    }
    if (!is_sure || clamp->count > MAX_HOISTED - 2)
        return;
    struct hoisted hoisted = {
            .access = access, .index = index, .axis = axis, .extent = extent};
    if (flow_is_int64(index->type) && bounds_is_held(body, index, extent, &of_none)) {
        hoisted.base = value_i64(body->gen, of_none);
        hoist(clamp, hoisted);
    } else if (!hoist_even(clamp, hoisted) && !hoist_fixed(clamp, hoisted)) {
        return;
    }
    mark(body, access, axis);
}

static void hoist_those(struct clamp *clamp, bool is_sure)
{
    const struct flow *flow = clamp->body->flow;
    for (size_t i = 0; i < flow->order_len; i++) {
        const struct ir_block *block = flow->order[i];
        if (!clamp->in_loop[block->id] ||
                bounds_is_in_each_turn(clamp->body, clamp->header, clamp->in_loop, block,
                        clamp->is_twice) != is_sure)
            continue;
        ir_each_instr(instr, block)
        {
            if (!bounds_is_access(instr))
                continue;
            int ndim = instr->operands[0]->type->array.ndim;
            for (int axis = 0; axis < ndim; axis++)
                hoist_axis(clamp, instr, axis, is_sure);
        }
    }
}

// Accesses of each turn first; others may be to the same places.
void bounds_hoist_all(struct clamp *clamp)
{
    hoist_those(clamp, true);
    hoist_those(clamp, false);
}

static const struct ir_instr *find_number(const struct ir_block *header)
{
    const struct ir_instr *iternext = flow_deciding_iternext(header);
    const struct ir_instr *branch = header->last;
    ir_each_instr(
            instr, branch->targets[0]) if (instr->op == IR_PAIR_FIRST &&
                                           instr->operands[0] == iternext) return instr;
    return NULL;
}

// Whether the range's direction is known, and which it is.
static bool find_direction(struct clamp *clamp, const struct ir_instr *step)
{
    struct interval interval = clamp->body->intervals[step->id];
    clamp->is_up = interval.low > 0;
    return interval.low > 0 || interval.high < 0;
}

// Whether it is a range that can be made shorter.
static bool is_plain_range(struct clamp *clamp, const struct ir_instr *iterable)
{
    return iterable->type->kind == TYPE_RANGE && flow_is_int64(iterable->type->element) &&
           iterable->op == IR_PRIMITIVE && iterable->primitive == PRIMITIVE_RANGE &&
           find_direction(clamp, iterable->operands[2]);
}

static const value *open_range(
        struct clamp *clamp, const struct ir_instr *made, const value *range)
{
    struct body *body = clamp->body;
    struct codegen *gen = body->gen;
    clamp->number = find_number(clamp->header);
    clamp->range = made;
    clamp->start = range[0];
    clamp->step = range[2];
    clamp->stop =
            extreme(gen, clamp->is_up ? "llvm.smax" : "llvm.smin", range[0], range[1]);
    if (bounds_row_open(clamp) || bounds_is_written_out(body, clamp->header))
        return range;
    bounds_hoist_all(clamp);
    if (!clamp->count)
        return range;
    shorten(clamp);
    body->bounds->clamps[clamp->header->id] = clamp;
    value *row = value_row(gen, 3);
    memcpy(row, (value[3]){range[0], clamp->clamped, range[2]}, 3 * sizeof *row);
    return row;
}

// Where there is a turn. LLVM takes the question out of the loop.
static void ask_in_turns(struct clamp *clamp)
{
    const struct ir_block *first = clamp->header->last->targets[0];
    if (first->predecessors.len != 1 || !bounds_is_lax(clamp->body, clamp->header))
        return;
    bounds_hoist_all(clamp);
    if (!clamp->count)
        return;
    clamp->is_out = is_out_somewhere(clamp);
    clamp->body->bounds->turns[first->id] = clamp;
}

const value *bounds_open(
        struct body *body, const struct ir_instr *getiter, const value *iterable)
{
    struct arena *arena = &body->gen->arena;
    if (bounds_mode(body) != BOUNDS_DEFAULT)
        return iterable;
    const struct ir_block *header = loop_over(body->flow, getiter);
    if (!header || body->flow->depth[header->id] >= BOUNDS_DEEP_NEST)
        return iterable;
    struct clamp *clamp = arena_new(arena, struct clamp);
    *clamp = (struct clamp){.body = body,
            .header = header,
            .in_loop = flow_loop(arena, body->flow, header),
            .in_outer = loop_around(body, header),
            .hoisted = arena_array(arena, struct hoisted, MAX_HOISTED)};
    if (!bounds_loop_is_quiet(body->flow, clamp->in_loop))
        return iterable;
    if (is_plain_range(clamp, getiter->operands[0]))
        return open_range(clamp, getiter->operands[0], iterable);
    if (!bounds_is_written_out(body, header))
        ask_in_turns(clamp);
    return iterable;
}

// --- After the loop

bool bounds_end_loop(const struct body *body, const struct ir_block *header)
{
    const struct clamp *clamp = body->bounds->clamps[header->id];
    for (size_t i = 0; clamp && i < clamp->count; i++)
        if (clamp->hoisted[i].factor)
            return true;
    return false;
}

LLVMBasicBlockRef bounds_exit(const struct body *body, const struct ir_block *header)
{
    return body->bounds->clamps[header->id] ? body->bounds->clamps[header->id]->exit
                                            : NULL;
}

// Of the indices that one turn has, the first beyond the axis's end, where they rise.
static value first_outside(
        struct codegen *gen, const struct hoisted *hoisted, value largest)
{
    LLVMBuilderRef b = gen->builder;
    if (!hoisted->spread)
        return largest;
    value least = LLVMBuildSub(b, largest, value_i64(gen, hoisted->spread), "");
    value first = extreme(gen, "llvm.smax", least, hoisted->extent);
    return extreme(gen, "llvm.smin", largest, first);
}

// What the first access of the turn that fails says.
static void raise_first(const struct clamp *clamp, value number)
{
    struct body *body = clamp->body;
    struct codegen *gen = body->gen;
    value failure[BOUNDS_FAILURE_PARTS] = {NULL};
    for (size_t i = clamp->count; i-- > 0;) {
        const struct hoisted *hoisted = &clamp->hoisted[i];
        value index = first_outside(gen, hoisted, even_index_at(gen, hoisted, number));
        value parts[BOUNDS_FAILURE_PARTS] = {
                value_i32(gen, exception_index_site(body, hoisted->access->span)), index,
                value_i64(gen, hoisted->axis), hoisted->extent};
        value is_out = failure[0] ? is_out_of(gen, hoisted, index) : NULL;
        for (int k = 0; k < BOUNDS_FAILURE_PARTS; k++)
            failure[k] =
                    is_out ? value_select(gen, is_out, parts[k], failure[k]) : parts[k];
    }
    exception_raise_index(body, failure);
}

void bounds_enter(struct body *body, const struct ir_block *block)
{
    struct clamp *clamp = body->bounds->turns[block->id];
    LLVMBuilderRef b = body->gen->builder;
    if (!clamp)
        return;
    LLVMBasicBlockRef next = body_enter_seldom(body, clamp->is_out, "bounds");
    raise_first(clamp, value_i64(body->gen, 0));
    LLVMPositionBuilderAtEnd(b, next);
}

static bool has_unit_step(const struct clamp *clamp)
{
    if (!LLVMIsAConstantInt(clamp->step))
        return false;
    int64_t step = LLVMConstIntGetSExtValue(clamp->step);
    return step == 1 || step == -1;
}

// The number of the turn after the last one.
static value next_number(const struct clamp *clamp)
{
    struct body *body = clamp->body;
    LLVMBuilderRef b = body->gen->builder;
    if (has_unit_step(clamp))
        return clamp->clamped;
    value range[3] = {clamp->start, clamp->clamped, clamp->step};
    value turns = range_length(body, type_int64, range);
    return LLVMBuildAdd(b, clamp->start, LLVMBuildMul(b, turns, clamp->step, ""), "");
}

LLVMBasicBlockRef bounds_leave(
        struct body *body, const struct ir_block *header, LLVMBasicBlockRef target)
{
    struct clamp *clamp = body->bounds->clamps[header->id];
    LLVMBuilderRef b = body->gen->builder;
    if (!clamp)
        return target;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(b);
    LLVMBasicBlockRef leave = body_block_after(body, "bounds");
    clamp->exit = body_block(body, "left");
    LLVMBasicBlockRef stopped = body_block(body, "bounds.stopped");
    LLVMBasicBlockRef failed = body_block(body, "bounds.failed");
    LLVMPositionBuilderAtEnd(b, leave);
    control_branch_unlikely(body,
            LLVMBuildICmp(b, LLVMIntNE, clamp->clamped, clamp->stop, ""), stopped,
            clamp->exit);
    LLVMPositionBuilderAtEnd(b, stopped);
    value number = next_number(clamp);
    LLVMBuildCondBr(b,
            LLVMBuildICmp(
                    b, clamp->is_up ? LLVMIntSLT : LLVMIntSGT, number, clamp->stop, ""),
            failed, clamp->exit);
    LLVMPositionBuilderAtEnd(b, failed);
    raise_first(clamp, number);
    LLVMPositionBuilderAtEnd(b, clamp->exit);
    LLVMBuildBr(b, target);
    LLVMPositionBuilderAtEnd(b, here);
    return leave;
}

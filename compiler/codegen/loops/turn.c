// SPDX-License-Identifier: MIT
// The end of a loop's turn: whether it asks to stop, and how LLVM is to treat the loop.
//
// Innermost counted loops run in strips (strip.c), and loops of few turns do not ask.
// Small loops of another kind ask every SMALL_TURNS turns, and LLVM is told to unroll
// them by as many: the counter, which comes back to 0, is then a constant in each copy,
// and one of them asks.
#include "compiler/codegen/analysis/choices.h"
#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/analysis/reach.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/exit.h"
#include "compiler/codegen/body/observe.h"
#include "compiler/codegen/bounds/bounds.h"
#include "compiler/codegen/loops/turn.h"
#include "compiler/ir/analyses.h"

#include <assert.h>
#include <llvm-c/DebugInfo.h>
#include <string.h>

enum { SMALL_TURNS = 4 };

// Whether the loop is over range(..., step) whose step is computed. Accesses in it are
// far apart, and vectors of them are gathered and stored number by number. (Parts of
// prange loops have a step for form's sake.)
static bool steps_by_variable(const struct body *body, const struct ir_block *header)
{
    const struct ir_instr *next = flow_deciding_iternext(header);
    const struct ir_instr *iterable = next ? next->operands[0]->operands[0] : NULL;
    bool is_part = !body->ir->source || body->ir->source->is_loop_part;
    return iterable && !is_part && body->gen->target->kind == TARGET_HOST &&
           iterable->op == IR_PRIMITIVE && iterable->primitive == PRIMITIVE_RANGE &&
           iterable->operands[2]->op != IR_CONST;
}

// A word about a loop, with a number or without.
static LLVMMetadataRef hint(const struct body *body, const char *word, value number)
{
    LLVMContextRef context = body->gen->context;
    LLVMMetadataRef parts[] = {LLVMMDStringInContext2(context, word, strlen(word)),
            number ? LLVMValueAsMetadata(number) : NULL};
    return LLVMMDNodeInContext2(context, parts, number ? 2 : 1);
}

// Whether the loop is made of copies of SMALL_TURNS turns each.
static bool is_copied(const struct body *body, const struct ir_block *header)
{
    return body->flow->is_small[header->id] && !body->generator &&
           body->gen->is_interruptible && body->gen->target->kind == TARGET_HOST;
}

// Whether the loop asks every SMALL_TURNS turns.
static bool asks_seldom(const struct body *body, const struct ir_block *header)
{
    return is_copied(body, header) && !body->flow->is_bounded[header->id];
}

enum { OWN_ITEMS = 128, INDEX_STEPS = 8 };

// Whether a value is computed from the number that a loop's iterator gave.
static bool comes_from(
        const struct ir_instr *from, const struct ir_instr *iternext, int steps)
{
    if (from->op == IR_PAIR_FIRST && from->operands[0] == iternext)
        return true;
    for (size_t i = 0; steps && from->op != IR_PHI && i < from->operand_count; i++)
        if (comes_from(from->operands[i], iternext, steps - 1))
            return true;
    return false;
}

static bool is_small_own_array(const struct ir_instr *array)
{
    if (array->op != IR_PRIMITIVE || array->primitive != PRIMITIVE_CUDA_LOCAL_ARRAY)
        return false;
    int64_t items = 1;
    for (int axis = 0; axis < array->type->array.ndim; axis++)
        items *= array->immediate_shape[axis];
    return items <= OWN_ITEMS;
}

// Whether the loop counts through a small array of the thread's own. Where each index is
// a constant the array's items can be registers; else each access goes to memory.
static bool counts_through_own(const struct body *body, const struct ir_block *header)
{
    const struct flow *flow = body->flow;
    const struct ir_instr *iternext = flow_deciding_iternext(header);
    if (!iternext)
        return false;
    const bool *in_loop = flow_loop(&body->gen->arena, flow, header);
    for (size_t i = 0; i < flow->order_len; i++)
        if (in_loop[flow->order[i]->id])
            ir_each_instr(access, flow->order[i])
            {
                if (!bounds_is_access(access) || !is_small_own_array(access->operands[0]))
                    continue;
                for (int axis = 0; axis < access->operands[0]->type->array.ndim; axis++)
                    if (comes_from(access->operands[1 + axis], iternext, INDEX_STEPS))
                        return true;
            }
    return false;
}

// Whether a turn of a row, of few instructions, goes different ways: each copy
// of it has branches of its own then, which the processor foresees better.
static bool goes_ways(const struct body *body, const struct ir_block *header)
{
    const struct flow *flow = body->flow;
    if (!flow->is_innermost[header->id] || !flow->is_counted[header->id] ||
            !flow->is_light[header->id] || flow->depth[header->id] == 1)
        return false;
    for (size_t i = 0; i < flow->order_len; i++) {
        const struct ir_block *block = flow->order[i];
        if (flow->innermost[block->id] == header && block != header &&
                block->last->op == IR_BRANCH)
            return true;
    }
    return false;
}

// Loops that count unknown turns stay as they are, but for tiny ones and such as go
// different ways: unrolling them costs more to compile than it gains, and makes few turns
// slower. On a GPU loads of
// several turns are to be under way: whoever makes the PTX decides, but of what counts in
// an observed kernel, which is to be compiled soon.
static LLVMMetadataRef unroll_hint(const struct body *body, const struct ir_block *header)
{
    if (body->bounds->is_seldom || observe_is_counting(body->gen, body->ir))
        return hint(body, "llvm.loop.unroll.disable", NULL);
    if (is_copied(body, header))
        return hint(body, "llvm.loop.unroll.count", value_i32(body->gen, SMALL_TURNS));
    if (body->gen->target->kind == TARGET_GPU)
        return counts_through_own(body, header)
                       ? hint(body, "llvm.loop.unroll.full", NULL)
                       : NULL;
    if (body->flow->is_unrolled[header->id]) {
        LLVMGetOrInsertNamedMetadata(
                body->gen->module, HAS_BRIEF_LOOPS, sizeof HAS_BRIEF_LOOPS - 1);
        return hint(body, "llvm.loop.unroll.full", NULL);
    }
    bool is_tiny_row =
            body->flow->is_tiny[header->id] && body->flow->depth[header->id] == 1;
    if (is_tiny_row || goes_ways(body, header))
        return NULL;
    return hint(body, "llvm.loop.unroll.runtime.disable", NULL);
}

void turn_mark(struct body *body, const struct ir_instr *jump, value branch)
{
    LLVMContextRef context = body->gen->context;
    const int *position = body->flow->position;
    const struct ir_block *header = jump->targets[0];
    if (position[jump->block->id] < position[header->id])
        return;
    // an operand of its own makes the node distinct from other loops'
    LLVMMetadataRef self = LLVMTemporaryMDNode(context, NULL, 0);
    LLVMMetadataRef operands[3] = {self, unroll_hint(body, header)};
    unsigned count = operands[1] ? 2 : 1;
    if (steps_by_variable(body, header) || body->bounds->is_seldom)
        operands[count++] =
                hint(body, "llvm.loop.vectorize.enable", value_bool(body->gen, false));
    LLVMMetadataRef node = LLVMMDNodeInContext2(context, operands, count);
    LLVMMetadataReplaceAllUsesWith(self, node);
    if (choices_in_loop(&body->gen->arena, body->flow, header))
        LLVMGetOrInsertNamedMetadata(
                body->gen->module, HAS_CHOICES, sizeof HAS_CHOICES - 1);
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(context, "llvm.loop", 9),
            LLVMMetadataAsValue(context, node));
}

// Where the turns of a small loop are counted.
static value turns_slot(struct body *body, const struct ir_block *header)
{
    if (!body->turns[header->id])
        body->turns[header->id] = value_alloca(body, body->gen->i32, "turns");
    return body->turns[header->id];
}

static void ask_seldom(struct body *body, const struct ir_block *header)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value slot = turns_slot(body, header);
    value step = value_i32(gen, 1 << 30);
    value turns = LLVMBuildAdd(b, LLVMBuildLoad2(b, gen->i32, slot, ""), step, "");
    LLVMBuildStore(b, turns, slot);
    value is_due = LLVMBuildICmp(b, LLVMIntEQ, turns, value_i32(gen, 0), "");
    control_poll_if(body, is_due);
}

// Where the turns of all loops are counted that poll: there is one count, so that loops
// of few turns within others come to poll, too.
static value count_slot(struct body *body)
{
    struct codegen *gen = body->gen;
    while (body->outer)
        body = body->outer;
    if (body->turn_count)
        return body->turn_count;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(gen->builder);
    body->turn_count = value_alloca(body, gen->i32, "turns");
    value next = LLVMGetNextInstruction(body->turn_count);
    if (next)
        LLVMPositionBuilderBefore(gen->builder, next);
    else
        LLVMPositionBuilderAtEnd(gen->builder, body->allocas);
    LLVMBuildStore(gen->builder, value_i32(gen, 0), body->turn_count);
    LLVMPositionBuilderAtEnd(gen->builder, here);
    return body->turn_count;
}

// How many turns one with long loops inside counts as, which need not ask themselves.
enum { HEAVY_TURN = 16 };

// Polls each loop_turns turns: where a poll is a load of far memory, it would cost more
// than the turn.
static void count_turn(struct body *body, int weight)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    int loop_turns = gen->target->loop_turns;
    assert(loop_turns && !(loop_turns & (loop_turns - 1)));
    value slot = count_slot(body);
    value turns = LLVMBuildAdd(
            b, LLVMBuildLoad2(b, gen->i32, slot, ""), value_i32(gen, weight), "");
    LLVMBuildStore(b, turns, slot);
    value left = LLVMBuildAnd(b, turns, value_i32(gen, loop_turns - 1), "");
    control_poll_if(body, LLVMBuildICmp(b, LLVMIntULT, left, value_i32(gen, weight), ""));
}

static bool is_long_primitive(const struct ir_instr *instr)
{
    if (instr->op != IR_PRIMITIVE)
        return instr->op == IR_PARALLEL_FOR || instr->op == IR_OBJMODE;
    return instr->primitive == PRIMITIVE_EXTERNAL ||
           instr->primitive == PRIMITIVE_CALL_VALUE ||
           instr->primitive == PRIMITIVE_FOREIGN ||
           instr->primitive == PRIMITIVE_ARRAY_COPY_INTO;
}

enum { FEW_BLOCKS = 16 };

// Whether all loops of a small function end with the bits of a number.
static bool has_bounded_loops(struct body *body, const struct ir_function *function)
{
    if (function->blocks.len > FEW_BLOCKS)
        return false;
    vec_each (block, &function->blocks)
        ir_each_instr(instr, *block) if (instr->op == IR_ITERNEXT) return false;
    struct arena *arena = &body->gen->arena;
    const struct flow *flow = body->gen->analyses->flow(arena, function);
    vec_each (block, &function->blocks)
        if (flow->is_header[(*block)->id] && !flow->is_bounded[(*block)->id])
            return false;
    return true;
}

static bool takes_long_itself(const struct ir_function *function, void *body)
{
    if (function->has_loop && !has_bounded_loops(body, function))
        return true;
    vec_each (block, &function->blocks)
        ir_each_instr(instr, *block) if (is_long_primitive(instr)) return true;
    return false;
}

static bool is_long(struct body *body, const struct ir_block *header)
{
    const struct flow *flow = body->flow;
    const bool *in_loop = flow_loop(&body->gen->arena, flow, header);
    for (size_t i = 0; i < flow->order_len; i++) {
        if (!in_loop[flow->order[i]->id])
            continue;
        ir_each_instr(instr, flow->order[i])
        {
            bool is_call = instr->op == IR_CALL_DIRECT;
            if (is_call ? call_reaches(instr->callee, takes_long_itself, body)
                        : is_long_primitive(instr))
                return true;
        }
    }
    return false;
}

// Whether the loop lies in another and can end in the middle of a turn. It has no vectors
// then, and is likely to be short: strips would cost more than a question each turn,
// unless turns are to be counted for it.
static bool is_search(const struct body *body, const struct ir_block *header)
{
    const struct flow *flow = body->flow;
    return body->gen->target->loop_turns == 1 && flow->is_lowest[header->id] &&
           !flow->is_straight[header->id] && flow->depth[header->id] > 1 &&
           !flow->is_of_library;
}

bool turn_asks(struct body *body, const struct ir_block *header)
{
    return is_search(body, header) || is_long(body, header);
}

// Whether a turn of the loop asks. Innermost counted loops do not, as that would keep
// them from being vectorised; loops of few turns leave it to the loop around them.
static bool asks(struct body *body, const struct ir_block *header)
{
    const struct flow *flow = body->flow;
    const struct target *target = body->gen->target;
    if (flow->is_brief[header->id] &&
            (flow->depth[header->id] > 1 || target->loop_turns > 1))
        return false;
    if (flow->is_bounded[header->id] && target->loop_turns == 1)
        return false;
    // where polls are far away, and a loop's end is not
    if (target->loop_turns > 1 && flow->ends_soon[header->id] && !is_long(body, header))
        return false;
    return flow->is_small[header->id] || !flow->is_counted[header->id] ||
           !flow->is_lowest[header->id] ||
           (target->strip_turns && (body->observed || turn_asks(body, header)));
}

void turn_end(struct body *body, const struct ir_block *block)
{
    const struct flow *flow = body->flow;
    struct ir_block *successors[2];
    size_t count = ir_successors(block, successors);
    if (!body->gen->is_interruptible)
        return;
    for (size_t i = 0; i < count; i++) {
        const struct ir_block *header = successors[i];
        bool is_back = flow->position[block->id] >= flow->position[header->id];
        if (!flow->is_header[header->id])
            continue;
        if (!is_back && asks_seldom(body, header))
            LLVMBuildStore(body->gen->builder, value_i32(body->gen, 0),
                    turns_slot(body, header));
        if (!is_back || !asks(body, header))
            continue;
        if (asks_seldom(body, header))
            ask_seldom(body, header);
        else if (body->gen->target->loop_turns > 1)
            count_turn(body, body->flow->is_heavy[header->id] ? HEAVY_TURN : 1);
        else
            control_poll(body);
    }
}

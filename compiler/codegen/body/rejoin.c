// SPDX-License-Identifier: MIT
// A GPU brings the lanes of a warp together again behind a branch or a loop, by its
// assembler's choice. With calls of functions that count in both ways it does so no
// longer, and what is counted would not be what the kernel does without. So the lanes
// that are together before a branch or a loop wait for each other where all ways from it
// meet: at the first block behind that every way leads through (its post-dominator).
//
// Nobody may wait who would not have waited without: not for lanes in a loop that may end
// by what another lane does. So no lane waits behind a loop that is not counted and has
// atomic operations, or calls a function that has. Lanes that have ended are not waited
// for.
#include "compiler/codegen/body/rejoin.h"

#include <assert.h>
#include <string.h>

#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/base/value.h"

struct join {
    const struct ir_block *from; // that lanes are together in before; NULL: no join
    bool is_loop;                // it is the header of a loop: when they come to it
    value lanes;                 // slot
};

struct rejoin {
    struct join *joins;        // by block id
    struct join *turns;        // by block id: of a header, where turns end that parted
    const struct join **begun; // by block id: those that begin here, the latest
    bool *const *loops;
};

// Marks what can be reached from a block without coming through another.
static void reach(const struct ir_block *from, const struct ir_block *without, bool *seen)
{
    struct ir_block *next[2];
    size_t count = ir_successors(from, next);
    for (size_t i = 0; i < count; i++)
        if (next[i] != without && !seen[next[i]->id]) {
            seen[next[i]->id] = true;
            reach(next[i], without, seen);
        }
}

static bool *reached(
        struct body *body, const struct ir_block *from, const struct ir_block *without)
{
    bool *seen = arena_array(&body->gen->arena, bool, body->flow->block_count + 1);
    reach(from, without, seen);
    return seen;
}

// The block that every way from the start to this one comes through last.
static const struct ir_block *dominator(struct body *body, const struct ir_block *block)
{
    const struct flow *flow = body->flow;
    for (int i = flow->position[block->id] - 1; i > 0; i--)
        if (!reached(body, flow->order[0], flow->order[i])[block->id])
            return flow->order[i];
    return flow->order[0];
}

static bool is_atomic(const struct ir_instr *instr)
{
    return instr->op == IR_PRIMITIVE &&
           !strncmp(ir_primitive_name(instr->primitive), "atomic", strlen("atomic"));
}

static bool has_atomics(const struct ir_function *function, int depth)
{
    vec_each (block, &function->blocks)
        ir_each_instr(instr, *block)
        {
            if (is_atomic(instr) || depth > 8 ||
                    (instr->op == IR_CALL_DIRECT &&
                            has_atomics(instr->callee, depth + 1)))
                return true;
        }
    return false;
}

// Whether what the block does may go on until another lane does something.
static bool may_wait(const struct rejoin *rejoin, const struct flow *flow,
        const struct ir_block *block)
{
    bool is_waiting = false;
    for (size_t id = 0; id < flow->block_count; id++)
        is_waiting = is_waiting || (rejoin->loops[id] && !flow->is_counted[id] &&
                                           rejoin->loops[id][block->id]);
    ir_each_instr(instr, block)
    {
        if ((is_waiting && is_atomic(instr)) ||
                (instr->op == IR_CALL_DIRECT && has_atomics(instr->callee, 0)))
            return true;
    }
    return false;
}

// Whether all that part after `from` come to `to`, and each once.
static bool do_all_come(struct body *body, const struct rejoin *rejoin,
        const struct ir_block *from, const struct ir_block *to, bool is_loop)
{
    const struct flow *flow = body->flow;
    assert(from != to);
    bool *seen = reached(body, from, to);
    if (seen[from->id] && !is_loop)
        return false;
    for (size_t i = 0; i < flow->order_len; i++) {
        const struct ir_block *block = flow->order[i];
        struct ir_block *next[2];
        if (seen[block->id] &&
                (!ir_successors(block, next) || may_wait(rejoin, flow, block)))
            return false;
    }
    return true;
}

// The outermost loop that has one block and not the other; NULL: there is none.
static const struct ir_block *loop_between(const struct flow *flow,
        const struct rejoin *rejoin, const struct ir_block *inside,
        const struct ir_block *outside)
{
    for (size_t i = 0; i < flow->order_len; i++) {
        const bool *members = rejoin->loops[flow->order[i]->id];
        if (members && members[inside->id] && !members[outside->id])
            return flow->order[i];
    }
    return NULL;
}

static void begin_join(struct body *body, struct rejoin *rejoin, struct join *join,
        const struct ir_block *from, bool is_loop)
{
    assert(!join->from && !rejoin->begun[from->id]);
    *join = (struct join){from, is_loop, value_alloca(body, body->gen->i32, "lanes")};
    rejoin->begun[from->id] = join;
}

static void find_join(
        struct body *body, struct rejoin *rejoin, const struct ir_block *block)
{
    const struct flow *flow = body->flow;
    const struct ir_block *from = dominator(body, block);
    const struct ir_block *loop = loop_between(flow, rejoin, from, block);
    if (loop)
        from = loop;
    const struct ir_block *deeper = loop_between(flow, rejoin, block, from);
    if ((!loop && from->last->op != IR_BRANCH) || rejoin->begun[from->id] ||
            (deeper && deeper != block) ||
            !do_all_come(body, rejoin, from, block, loop != NULL))
        return;
    begin_join(body, rejoin, &rejoin->joins[block->id], from, loop != NULL);
}

// Whether every turn of a loop comes through a block of it before it ends.
static bool is_in_all_turns(struct body *body, const struct ir_block *header,
        const bool *members, const struct ir_block *block)
{
    const bool *seen = reached(body, header, block);
    vec_each (from, &header->predecessors)
        if (members[(*from)->id] && *from != block && seen[(*from)->id])
            return false;
    return true;
}

// The first branch of a loop's turn whose ways meet at the start of the next turn.
static void find_turn(
        struct body *body, struct rejoin *rejoin, const struct ir_block *header)
{
    const struct flow *flow = body->flow;
    const bool *members = rejoin->loops[header->id];
    for (size_t i = 0; members && i < flow->order_len; i++) {
        const struct ir_block *block = flow->order[i];
        if (block == header || !members[block->id] || block->last->op != IR_BRANCH ||
                rejoin->begun[block->id] || loop_between(flow, rejoin, block, header) ||
                !is_in_all_turns(body, header, members, block) ||
                !do_all_come(body, rejoin, block, header, false))
            continue;
        begin_join(body, rejoin, &rejoin->turns[header->id], block, false);
        return;
    }
}

struct rejoin *rejoin_find(struct body *body, bool *const *loops)
{
    const struct flow *flow = body->flow;
    struct arena *arena = &body->gen->arena;
    struct rejoin *rejoin = arena_new(arena, struct rejoin);
    assert(loops && flow->order_len);
    rejoin->loops = loops;
    rejoin->joins = arena_array(arena, struct join, flow->block_count + 1);
    rejoin->begun = arena_array(arena, const struct join *, flow->block_count + 1);
    rejoin->turns = arena_array(arena, struct join, flow->block_count + 1);
    for (size_t i = 1; i < flow->order_len; i++)
        find_join(body, rejoin, flow->order[i]);
    for (size_t i = 1; i < flow->order_len; i++)
        find_turn(body, rejoin, flow->order[i]);
    return rejoin;
}

static value lanes_here(struct body *body)
{
    return gpu_assembly(
            body->gen, "activemask.b32 $0;", "=r", body->gen->i32, NULL, 0, true);
}

// Those of the lanes that are here for which it holds. A loop's first turn and a later
// one may run together: a lane waits only for such as wait for the same.
static value lanes_where(struct body *body, value condition)
{
    struct codegen *gen = body->gen;
    value args[] = {
            LLVMBuildZExt(gen->builder, condition, gen->i32, ""), lanes_here(body)};
    return gpu_assembly(gen,
            "{ .reg .pred p; setp.ne.u32 p, $1, 0; vote.sync.ballot.b32 $0, p, $2; }",
            "=r,r,r", gen->i32, args, 2, true);
}

// For the lanes, and for itself. A GPU's assembler takes the result of a vote to be the
// same for all that run together, also later, when others have come that voted elsewhere,
// and would let these go on without waiting. It does not where each adds its own.
static void wait_for(struct body *body, value lanes)
{
    struct codegen *gen = body->gen;
    value own = gpu_assembly(
            gen, "mov.u32 $0, %lanemask_eq;", "=r", gen->i32, NULL, 0, false);
    assert(LLVMTypeOf(lanes) == gen->i32);
    lanes = LLVMBuildOr(gen->builder, lanes, own, "");
    codegen_intrinsic(gen, "llvm.nvvm.bar.warp.sync", NULL, 0, &lanes, 1, "");
}

// The lanes that come to the end of a join; none where there is none.
static value awaited(struct body *body, const struct join *join)
{
    struct codegen *gen = body->gen;
    return join->from ? LLVMBuildLoad2(gen->builder, gen->i32, join->lanes, "")
                      : value_i32(gen, 0);
}

void rejoin_enter(struct body *body, struct rejoin *rejoin, const struct ir_block *block,
        value turn)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    const struct join *ends = &rejoin->joins[block->id],
                      *begins = rejoin->begun[block->id];
    const struct join *ended = &rejoin->turns[block->id];
    value is_first =
            turn ? LLVMBuildICmp(b, LLVMIntEQ, turn, value_i64(gen, 0), "") : NULL;
    if (ends->from || ended->from) {
        value lanes = awaited(body, ends);
        if (turn)
            lanes = value_select(gen, is_first, lanes, awaited(body, ended));
        wait_for(body, lanes);
    }
    if (!begins || !begins->is_loop || !turn)
        return;
    value before = LLVMBuildLoad2(b, gen->i32, begins->lanes, "");
    LLVMBuildStore(b, value_select(gen, is_first, lanes_where(body, is_first), before),
            begins->lanes);
}

void rejoin_leave(struct body *body, struct rejoin *rejoin, const struct ir_block *block)
{
    const struct join *begins = rejoin->begun[block->id];
    if (begins && !begins->is_loop)
        LLVMBuildStore(body->gen->builder, lanes_here(body), begins->lanes);
}

value rejoin_begin_call(struct body *body, const struct ir_function *callee)
{
    return has_atomics(callee, 0) ? NULL : lanes_here(body);
}

void rejoin_end_call(struct body *body, value lanes)
{
    if (lanes)
        wait_for(body, lanes);
}

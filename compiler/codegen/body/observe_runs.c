// SPDX-License-Identifier: MIT
// What a thread does at one site of an innermost loop is mostly equally far apart from
// turn to turn. So it is not told each time: the run so far lies in variables, which LLVM
// keeps in registers, and the runtime is told where it ends,
//
//   on:     what == next, and the turn before was told: next += step
//   second: of a run: step = what - the first
//   begin:  tell the run; a new one begins here
//
// and behind the loop, at the start of the blocks that it leaves to. Where nothing is
// left to tell the count is 0. All is told every so many turns, too, so that an interrupt
// finds what there is of a loop that never ends. How often the thread comes to a block
// lies in variables likewise. Of blocks that each turn comes through once all of it is
// told by the turn; so is whether there is another turn, which is so until it is not.
#include "compiler/codegen/body/observe_runs.h"

#include <assert.h>
#include <stddef.h>

#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/observe.h"

// Sites of a loop: they are told in this order within a turn. An instruction has at most
// two, or one of two rows.
enum { MOST_SITES = 128, MOST_TELLING = MOST_SITES / 2 - 1 };
enum { TOLD_TURNS = 1 << 10 };

struct run_site {
    int number, row;  // its first among those of the loop
    bool is_decision; // whether there is another turn: a run, and the last
    value line;
    value from, end;  // slots: turns, from the first that is not told
    value step, next; // slots: of what is told
};

// How often the thread has come to a part, until that is added to the others.
struct run_part {
    const struct ir_block *block;
    int number;
    value from, times; // slots: of steady blocks the turn, from the first that is not
                       // added, and the end; else 0, and how often
    struct run_part *next;
};

struct observed_runs {
    const bool *members; // by block id
    bool *is_steady;     // by block id: each turn comes through it, and its sites, once
    const struct ir_block *header;
    value base, turns;      // slots: what turn 0 is told by; turns that were begun
    value row;              // slot: for a run that is told
    LLVMBasicBlockRef late; // every so many turns
    struct run_site sites[MOST_SITES];
    int count, row_count;
    struct run_part *parts;
};

static bool may_tell(const struct ir_instr *instr)
{
    return instr->op == IR_PRIMITIVE || instr->op == IR_BRANCH ||
           instr->op == IR_ITERNEXT;
}

// Whether other threads may run amid it, or code that tells for itself.
static bool may_leave(const struct ir_instr *instr)
{
    switch (instr->op) {
    case IR_CALL_DIRECT:
    case IR_PARALLEL_FOR:
    case IR_OBJMODE:
    case IR_YIELD:
    case IR_GUARD:
        return true;
    case IR_PRIMITIVE:
        return instr->primitive == PRIMITIVE_CUDA_SYNCTHREADS ||
               instr->primitive == PRIMITIVE_CUDA_SYNCGRID ||
               instr->primitive == PRIMITIVE_CUDA_SYNCWARP ||
               instr->primitive == PRIMITIVE_CUDA_WARP ||
               instr->primitive == PRIMITIVE_FOREIGN;
    default:
        return false;
    }
}

static bool catches(const struct ir_function *function)
{
    vec_each (block, &function->blocks)
        if (ir_handler(*block))
            return true;
    return false;
}

// Another loop that begins where this one ends would tell at each of its turns.
static bool leads_to_loop(
        struct body *body, const struct ir_block *header, const struct ir_block *target)
{
    if (!body->flow->is_header[target->id])
        return false;
    return !flow_loop(&body->gen->arena, body->flow, target)[header->id];
}

static bool is_fit(struct body *body, const struct ir_block *header, const bool *members)
{
    const struct flow *flow = body->flow;
    int telling = 0;
    for (size_t i = 0; i < flow->order_len; i++) {
        const struct ir_block *block = flow->order[i];
        if (!members[block->id])
            continue;
        ir_each_instr(instr, block)
        {
            telling += may_tell(instr);
            if (may_leave(instr) || telling > MOST_TELLING)
                return false;
        }
        struct ir_block *ways[2];
        for (size_t way = 0, count = ir_successors(block, ways); way < count; way++)
            if (!members[ways[way]->id] && leads_to_loop(body, header, ways[way]))
                return false;
    }
    return true;
}

// Whether what the instruction tells it tells once.
static bool tells_once(const struct ir_instr *instr)
{
    if (instr->op == IR_ITERNEXT)
        return instr->operands[0]->op == IR_GETITER &&
               instr->operands[0]->operands[0]->type->kind == TYPE_RANGE;
    enum ir_primitive primitive = instr->primitive;
    return instr->op != IR_PRIMITIVE || primitive < PRIMITIVE_RANDOM_PY ||
           primitive == PRIMITIVE_ARRAY_LOAD || primitive == PRIMITIVE_ARRAY_STORE ||
           primitive == PRIMITIVE_ARRAY_SHAPE || primitive == PRIMITIVE_ARRAY_LEN ||
           primitive == PRIMITIVE_ARRAY_SIZE || primitive == PRIMITIVE_ARRAY_FIELD ||
           primitive == PRIMITIVE_CUDA_LIBDEVICE ||
           (primitive >= PRIMITIVE_CUDA_THREAD_IDX &&
                   primitive <= PRIMITIVE_CUDA_GRID_SIZE);
}

// Whether each turn that ends has come through the block.
static bool is_on_the_way(const struct flow *flow, const struct observed_runs *runs,
        const struct ir_block *header, const struct ir_block *block)
{
    vec_each (from, &header->predecessors) {
        const struct ir_block *above = *from;
        if (flow->position[above->id] < 0 || !runs->members[above->id])
            continue;
        while (above && above != block && above != header)
            above = flow->dominator[above->id];
        if (above != block)
            return false;
    }
    return true;
}

static void find_steady(
        struct body *body, struct observed_runs *runs, const struct ir_block *header)
{
    const struct flow *flow = body->flow;
    runs->is_steady = arena_array(&body->gen->arena, bool, flow->block_count + 1);
    for (size_t i = 0; i < flow->order_len; i++) {
        const struct ir_block *block = flow->order[i];
        if (!runs->members[block->id] || !is_on_the_way(flow, runs, header, block))
            continue;
        bool is_steady = true;
        ir_each_instr(instr, block) is_steady = is_steady && tells_once(instr);
        runs->is_steady[block->id] = is_steady;
    }
}

static void set(struct body *body, value number, value slot)
{
    LLVMBuildStore(body->gen->builder, number, slot);
}

static value get(struct body *body, value slot)
{
    return LLVMBuildLoad2(body->gen->builder, body->gen->i64, slot, "");
}

// 0 where the function begins.
static value zero_slot(struct body *body, const char *name)
{
    struct codegen *gen = body->gen;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(gen->builder);
    value slot = value_alloca(body, gen->i64, name);
    value next = LLVMGetNextInstruction(slot);
    if (next)
        LLVMPositionBuilderBefore(gen->builder, next);
    else
        LLVMPositionBuilderAtEnd(gen->builder, body->allocas);
    LLVMBuildStore(gen->builder, value_i64(gen, 0), slot);
    LLVMPositionBuilderAtEnd(gen->builder, here);
    return slot;
}

struct observed_runs *runs_find(
        struct body *body, const struct ir_block *header, const bool *members)
{
    if (!body->flow->is_innermost[header->id] || catches(body->ir) ||
            !is_fit(body, header, members))
        return NULL;
    struct observed_runs *runs = arena_new(&body->gen->arena, struct observed_runs);
    assert(members[header->id] && header->last);
    runs->members = members;
    runs->header = header;
    find_steady(body, runs, header);
    return runs;
}

enum { RUN_WORDS = sizeof(struct observed_run) / sizeof(int64_t) };

static value rows_slot(struct body *body, int count)
{
    LLVMTypeRef type = LLVMArrayType2(body->gen->i64, (uint64_t)(count * RUN_WORDS));
    return value_alloca(body, type, "runs");
}

void runs_enter(struct body *body, struct observed_runs *runs, value turn, value number,
        int entries)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value none = value_i64(gen, 0);
    assert(body->block == runs->header && turn && number);
    LLVMBasicBlockRef on = body_block_after(body, "turn");
    LLVMBasicBlockRef round = body_block(body, "round"),
                      first = body_block(body, "entry");
    runs->late = body_block(body, "late");
    runs->base = zero_slot(body, "run.base");
    runs->turns = zero_slot(body, "run.turns");
    runs->row = rows_slot(body, 2);
    set(body, LLVMBuildSub(b, number, turn, ""), runs->base);
    set(body, LLVMBuildAdd(b, turn, value_i64(gen, 1), ""), runs->turns);
    value part = LLVMBuildAnd(b, turn, value_i64(gen, TOLD_TURNS - 1), "");
    control_branch_unlikely(body, LLVMBuildICmp(b, LLVMIntEQ, part, none, ""), round, on);
    LLVMPositionBuilderAtEnd(b, round);
    LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, turn, none, ""), first, runs->late);
    LLVMPositionBuilderAtEnd(b, runs->late);
    LLVMBuildBr(b, on);
    LLVMPositionBuilderAtEnd(b, first);
    if (entries >= 0)
        observe_count(body, entries, value_i64(gen, 1));
    LLVMBuildBr(b, on);
    LLVMPositionBuilderAtEnd(b, on);
}

static value order_field(struct body *body)
{
    return value_offset(body->gen, body->hidden[0],
            offsetof(struct abi_emulated_block, observed_order));
}

static void write_row(struct body *body, value rows, int number, const value *words)
{
    size_t at = (size_t)number * sizeof(struct observed_run);
    for (size_t i = 0; i < RUN_WORDS; i++)
        set(body, words[i], value_offset(body->gen, rows, at + i * sizeof(int64_t)));
}

// The turns that there were, and the last, if it was none.
static void write_decision(struct body *body, const struct run_site *site, value line,
        value rows, int number)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value none = value_i64(gen, 0), one = value_i64(gen, 1),
          place = value_i64(gen, site->number);
    value from = get(body, site->from), end = get(body, site->end);
    value count = LLVMBuildSub(b, end, from, "");
    value is_any = LLVMBuildICmp(b, LLVMIntNE, count, none, "");
    value ended = LLVMBuildSub(b, one, get(body, site->next), "");
    ended = LLVMBuildSelect(b, is_any, ended, none, "");
    value turns[] = {place, line, from, LLVMBuildSub(b, count, ended, ""), one, none};
    value last[] = {place, line, LLVMBuildSub(b, end, one, ""), ended, none, none};
    write_row(body, rows, number, turns);
    write_row(body, rows, number + 1, last);
}

// What is told of a site; returns how many rows it takes.
static int write_site(
        struct body *body, const struct run_site *site, value rows, int number)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value line = LLVMBuildZExt(b, site->line, gen->i64, "");
    if (site->is_decision) {
        write_decision(body, site, line, rows, number);
        return 2;
    }
    value from = get(body, site->from), step = get(body, site->step);
    value count = LLVMBuildSub(b, get(body, site->end), from, "");
    value done = LLVMBuildMul(b, count, step, "");
    value words[] = {value_i64(gen, site->number), line, from, count,
            LLVMBuildSub(b, get(body, site->next), done, ""), step};
    write_row(body, rows, number, words);
    return 1;
}

// Tells of so many sites from one on, in rows that lie side by side.
static void tell_runs(struct body *body, const struct observed_runs *runs, int place,
        int count, value rows)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    int row_count = 0;
    assert(place >= 0 && count > 0 && place + count <= runs->count);
    for (int i = place; i < place + count; i++)
        row_count += write_site(body, &runs->sites[i], rows, row_count);
    value order = LLVMBuildAdd(
            b, get(body, order_field(body)), value_i64(gen, runs->sites[place].row), "");
    value args[] = {body->hidden[0], rows, value_i32(gen, row_count),
            LLVMBuildTrunc(b, observe_thread_number(body), gen->i32, ""),
            get(body, runs->base), order, value_i64(gen, MOST_SITES)};
    codegen_call_external(gen, "gridcell_observe_runs", gen->void_type, args, 7);
}

// Sets what goes on behind a thing that is told in this turn.
static void go_to(struct body *body, const struct run_site *site, value turn, value next,
        LLVMBasicBlockRef end)
{
    struct codegen *gen = body->gen;
    set(body, next, site->next);
    set(body, LLVMBuildAdd(gen->builder, turn, value_i64(gen, 1), ""), site->end);
    LLVMBuildBr(gen->builder, end);
}

static value is_same(struct body *body, value a, value b)
{
    return LLVMBuildICmp(body->gen->builder, LLVMIntEQ, a, b, "");
}

void runs_count(struct body *body, struct observed_runs *runs, int number, value turn)
{
    LLVMBuilderRef b = body->gen->builder;
    assert(runs->members[body->block->id]);
    struct run_part *part = arena_new(&body->gen->arena, struct run_part);
    *part = (struct run_part){body->block, number, zero_slot(body, "run.added"),
            zero_slot(body, "run.times"), runs->parts};
    runs->parts = part;
    value before = runs->is_steady[body->block->id] ? turn : get(body, part->times);
    set(body, LLVMBuildAdd(b, before, value_i64(body->gen, 1), ""), part->times);
}

static void add_parts(struct body *body, const struct observed_runs *runs, bool goes_on)
{
    for (const struct run_part *part = runs->parts; part; part = part->next) {
        value times = get(body, part->times), none = value_i64(body->gen, 0);
        bool keeps = goes_on && runs->is_steady[part->block->id];
        observe_count(body, part->number,
                LLVMBuildSub(body->gen->builder, times, get(body, part->from), ""));
        set(body, keeps ? times : none, part->from);
        if (!keeps)
            set(body, none, part->times);
    }
}

static void begin_run(
        struct body *body, const struct observed_runs *runs, int place, value turn)
{
    const struct run_site *site = &runs->sites[place];
    LLVMBasicBlockRef tell = body_block(body, "run.tell"),
                      next = body_block(body, "run.new");
    value is_none = is_same(body, get(body, site->from), get(body, site->end));
    LLVMBuildCondBr(body->gen->builder, is_none, next, tell);
    LLVMPositionBuilderAtEnd(body->gen->builder, tell);
    tell_runs(body, runs, place, 1, runs->row);
    LLVMBuildBr(body->gen->builder, next);
    LLVMPositionBuilderAtEnd(body->gen->builder, next);
    set(body, turn, site->from);
    set(body, value_i64(body->gen, 0), site->step);
}

static struct run_site *open_site(struct body *body, struct observed_runs *runs,
        int number, value line, bool is_decision)
{
    assert(runs->late && runs->row_count + is_decision < MOST_SITES);
    struct run_site *site = &runs->sites[runs->count++];
    *site = (struct run_site){number, runs->row_count, is_decision, line,
            zero_slot(body, "run.from"), zero_slot(body, "run.end"),
            zero_slot(body, "run.step"), zero_slot(body, "run.next")};
    runs->row_count += 1 + is_decision;
    return site;
}

bool runs_decide(struct body *body, struct observed_runs *runs, int number, value line,
        value goes_on, value turn)
{
    const struct ir_block *header = runs->header;
    if (body->block != header || !runs->is_steady[header->id] ||
            runs->row_count > MOST_SITES - 2 || header->last->op != IR_BRANCH ||
            !runs->members[header->last->targets[0]->id] ||
            runs->members[header->last->targets[1]->id])
        return false;
    struct run_site *site = open_site(body, runs, number, line, true);
    set(body, goes_on, site->next);
    set(body, LLVMBuildAdd(body->gen->builder, turn, value_i64(body->gen, 1), ""),
            site->end);
    return true;
}

bool runs_tell(struct body *body, struct observed_runs *runs, int number, value line,
        value what, value turn)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    if (runs->row_count == MOST_SITES)
        return false;
    int place = runs->count;
    assert(place <= runs->row_count && runs->members[body->block->id]);
    struct run_site *site = open_site(body, runs, number, line, false);
    LLVMBasicBlockRef end = body_block_after(body, "observed");
    LLVMBasicBlockRef on = body_block(body, "run.on"), off = body_block(body, "run.off");
    LLVMBasicBlockRef second = body_block(body, "run.second");
    LLVMBasicBlockRef begin = body_block(body, "run.begin");
    value is_near = value_bool(gen, true);
    if (!runs->is_steady[body->block->id])
        is_near = is_same(body, get(body, site->end), turn);
    value is_next = is_same(body, what, get(body, site->next));
    value is_off = LLVMBuildNot(b, LLVMBuildAnd(b, is_near, is_next, ""), "");
    control_branch_unlikely(body, is_off, off, on);

    LLVMPositionBuilderAtEnd(b, on);
    go_to(body, site, turn, LLVMBuildAdd(b, what, get(body, site->step), ""), end);

    LLVMPositionBuilderAtEnd(b, off);
    value after = LLVMBuildAdd(b, get(body, site->from), value_i64(gen, 1), "");
    value is_second = LLVMBuildAnd(b, is_near, is_same(body, turn, after), "");
    LLVMBuildCondBr(b, is_second, second, begin);

    LLVMPositionBuilderAtEnd(b, second);
    value first = LLVMBuildSub(b, get(body, site->next), get(body, site->step), "");
    value step = LLVMBuildSub(b, what, first, "");
    set(body, step, site->step);
    go_to(body, site, turn, LLVMBuildAdd(b, what, step, ""), end);

    LLVMPositionBuilderAtEnd(b, begin);
    begin_run(body, runs, place, turn);
    go_to(body, site, turn, what, end);
    LLVMPositionBuilderAtEnd(b, end);
    return true;
}

// Tells what is left, and in the order of all that is told goes behind it.
static void leave(struct body *body, const struct observed_runs *runs, value rows)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value none = value_i64(gen, 0);
    if (runs->count)
        tell_runs(body, runs, 0, runs->count, rows);
    for (int place = 0; place < runs->count; place++) {
        set(body, none, runs->sites[place].from);
        set(body, none, runs->sites[place].end);
    }
    add_parts(body, runs, false);
    value told = LLVMBuildMul(b, get(body, runs->turns), value_i64(gen, MOST_SITES), "");
    value order = LLVMBuildAdd(b, get(body, order_field(body)), told, "");
    set(body, order, order_field(body));
    set(body, none, runs->turns);
}

// Runs go on behind it as they were.
static void tell_late(struct body *body, const struct observed_runs *runs, value rows)
{
    assert(runs->late);
    LLVMPositionBuilderBefore(
            body->gen->builder, LLVMGetBasicBlockTerminator(runs->late));
    if (runs->count)
        tell_runs(body, runs, 0, runs->count, rows);
    for (int place = 0; place < runs->count; place++)
        set(body, get(body, runs->sites[place].end), runs->sites[place].from);
    add_parts(body, runs, true);
}

static void position_behind_phis(struct body *body, LLVMBasicBlockRef block)
{
    value instr = LLVMGetFirstInstruction(block);
    while (instr && LLVMIsAPHINode(instr))
        instr = LLVMGetNextInstruction(instr);
    LLVMPositionBuilder(body->gen->builder, block, instr);
}

void runs_close(struct body *body, const struct observed_runs *runs)
{
    const struct flow *flow = body->flow;
    value rows = rows_slot(body, runs->row_count + 1);
    tell_late(body, runs, rows);
    bool *is_left = arena_array(&body->gen->arena, bool, flow->block_count + 1);
    for (size_t i = 0; i < flow->order_len; i++) {
        struct ir_block *ways[2];
        if (!runs->members[flow->order[i]->id])
            continue;
        for (size_t way = 0, count = ir_successors(flow->order[i], ways); way < count;
                way++) {
            const struct ir_block *target = ways[way];
            if (runs->members[target->id] || is_left[target->id])
                continue;
            is_left[target->id] = true;
            position_behind_phis(body, body->starts[target->id]);
            leave(body, runs, rows);
        }
    }
}

// SPDX-License-Identifier: MIT
// Calls by which an observed kernel tells what its threads do.
//
// The threads of an emulated block run one after the other, the lanes of a GPU's warp
// together. To put together again what the lanes would do in one instruction, each call
// tells where in the source it is, and in which turn of the loops around: a number made
// of the turns, of the calls that led here, and nothing else. Lanes that tell the same
// are at the same instruction at the same time, if the warp comes together behind each
// branch and each loop, as it does on GPUs in code of Python's statements.
#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/body/observe.h"
#include "compiler/codegen/body/observe_runs.h"
#include "compiler/codegen/body/rejoin.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "compiler/types/observed.h"
#include "compiler/types/source.h"

enum { HIDDEN_BLOCK, HIDDEN_THREAD };

struct observed_loop {
    const struct ir_block *header;
    bool *members;              // by block id
    value turn, next;           // from 0; the phi, and what comes back to it
    struct observed_runs *runs; // NULL: each turn is told
};

struct observed_body {
    value tally;  // how often this thread has come to each part, see abi_emulated_block
    value tracks; // of the sites, struct observed_track
    int part;     // that is emitted
    value base;   // of what is in no loop
    value line;   // of the user's code that a function of the library runs for, or NULL
    struct observed_loop *loops; // the outer ones first
    size_t loop_count;
    struct rejoin *rejoin;                 // for a GPU
    value turn;                            // of the block that is emitted
    const struct observed_loop *runs_loop; // that it is in, if it is told by runs
    value call_turn, call_line;            // of the call that is emitted
};

value observe_thread_number(struct body *body)
{
    LLVMBuilderRef b = body->gen->builder;
    value number = body->hidden[HIDDEN_THREAD + 2];
    for (int axis = 1; axis >= 0; axis--) {
        value extent = body->gen->target->geometry(body, PRIMITIVE_CUDA_BLOCK_DIM, axis);
        number = LLVMBuildAdd(b, LLVMBuildMul(b, number, extent, ""),
                body->hidden[HIDDEN_THREAD + axis], "");
    }
    return number;
}

static value mix(struct codegen *gen, value number, value next)
{
    LLVMBuilderRef b = gen->builder;
    value spread = value_i64(gen, (int64_t)0x9E3779B97F4A7C15u);
    return LLVMBuildAdd(b, LLVMBuildMul(b, number, spread, ""), next, "");
}

static value field(struct body *body, size_t offset)
{
    return value_offset(body->gen, body->hidden[HIDDEN_BLOCK], offset);
}

static value load(struct body *body, LLVMTypeRef type, size_t offset)
{
    return LLVMBuildLoad2(body->gen->builder, type, field(body, offset), "");
}

static int64_t place_number(struct span span)
{
    return (int64_t)span.line << 12 ^ span.column;
}

// What is counted of a block: how often it is come to, and of a loop's first from
// outside.
enum part_use { PART_BLOCK, PART_ENTRIES };

// The number of a part, from 0 on, the same each time that its body is emitted for a
// line.
static int part_number(struct codegen *gen, const struct ir_block *block,
        enum part_use use, int32_t line)
{
    struct {
        const struct ir_block *block;
        int64_t use, line;
    } key = {block, use, line};
    uintptr_t known = (uintptr_t)map_get_bytes(&gen->observed_parts, &key, sizeof key);
    if (!known) {
        known = (uintptr_t)++gen->observed_part_count;
        map_set_bytes(&gen->observed_parts, &key, sizeof key, (void *)known);
    }
    return (int)known - 1;
}

static value find_tally(struct body *body)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value tally = load(body, gen->ptr, offsetof(struct abi_emulated_block, tally));
    value slots = load(body, gen->i64, offsetof(struct abi_emulated_block, tally_slots));
    value thread = LLVMBuildZExt(b, observe_thread_number(body), gen->i64, "");
    value first = LLVMBuildMul(b, thread, slots, "");
    return LLVMBuildGEP2(b, gen->i64, tally, &first, 1, "tally");
}

static bool tells_alone(const struct body *body)
{
    return !body->gen->target->tell_site;
}

void observe_count(struct body *body, int part, value times)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    assert(body->observed->tally && part >= 0 && part < gen->observed_part_count);
    value index = value_i64(gen, part);
    value slot = LLVMBuildGEP2(b, gen->i64, body->observed->tally, &index, 1, "");
    value before = LLVMBuildLoad2(b, gen->i64, slot, "");
    LLVMBuildStore(b, LLVMBuildAdd(b, before, times, ""), slot);
}

static void count_part(struct body *body, int part)
{
    const struct observed_loop *loop = body->observed->runs_loop;
    if (loop)
        runs_count(body, loop->runs, part, loop->turn);
    else
        observe_count(body, part, value_i64(body->gen, 1));
}

static struct rejoin *find_rejoin(struct body *body)
{
    const struct observed_body *observed = body->observed;
    bool **members = arena_array(&body->gen->arena, bool *, body->flow->block_count + 1);
    for (size_t i = 0; i < observed->loop_count; i++)
        members[observed->loops[i].header->id] = observed->loops[i].members;
    return rejoin_find(body, members);
}

bool observe_is_counting(const struct codegen *gen, const struct ir_function *function)
{
    const struct source *source = function->source;
    return gen->counting && source && source->file &&
           !strcmp(source->file, gen->counting[COUNTING_ACCESS]->source->file);
}

// The body of a kernel, of a function that a call leads to, or of one that is emitted
// amid its caller. For GPUs they all are, but for recursive functions: so what is told at
// run time elsewhere, the turn and the line of a call, is known.
void observe_open(struct body *body)
{
    struct codegen *gen = body->gen;
    if (!gen->is_observed || observe_is_counting(gen, body->ir))
        return;
    struct observed_body *observed = arena_new(&gen->arena, struct observed_body);
    const struct flow *flow = body->flow;
    body->observed = observed;
    observed->loops = arena_array(&gen->arena, struct observed_loop, flow->order_len + 1);
    for (size_t i = 0; i < flow->order_len; i++) {
        const struct ir_block *block = flow->order[i];
        if (flow->is_header[block->id])
            observed->loops[observed->loop_count++] = (struct observed_loop){
                    .header = block, .members = flow_loop(&gen->arena, flow, block)};
    }
    for (size_t i = 0; tells_alone(body) && i < observed->loop_count; i++)
        observed->loops[i].runs =
                runs_find(body, observed->loops[i].header, observed->loops[i].members);
    size_t tracks = offsetof(struct abi_emulated_block, tracks);
    observed->tally = tells_alone(body) ? find_tally(body) : NULL;
    observed->tracks = tells_alone(body) ? load(body, gen->ptr, tracks) : NULL;
    observed->rejoin = tells_alone(body) ? NULL : find_rejoin(body);
    bool is_library = body->options->is_library;
    if (body->outer) {
        observed->base = body->outer->observed->call_turn;
        observed->line = is_library ? body->outer->observed->call_line : NULL;
    } else if (body->ir == gen->root || !tells_alone(body)) {
        observed->base = value_i64(gen, 0);
    } else {
        observed->base = load(body, gen->i64, offsetof(struct abi_emulated_block, turn));
        if (is_library)
            observed->line =
                    load(body, gen->i32, offsetof(struct abi_emulated_block, line));
    }
}

static struct observed_loop *loop_of(
        const struct body *body, const struct ir_block *header)
{
    for (size_t i = 0; i < body->observed->loop_count; i++)
        if (body->observed->loops[i].header == header)
            return &body->observed->loops[i];
    return NULL;
}

void observe_phis(struct body *body, const struct ir_block *block)
{
    struct observed_loop *loop = body->observed ? loop_of(body, block) : NULL;
    if (loop)
        loop->turn = LLVMBuildPhi(body->gen->builder, body->gen->i64, "turn");
}

void observe_close(struct body *body,
        LLVMBasicBlockRef (*source)(const struct body *body, const struct ir_block *from,
                const struct ir_block *to))
{
    const struct observed_body *observed = body->observed;
    const int *position = body->flow->position;
    for (size_t i = 0; observed && i < observed->loop_count; i++) {
        const struct observed_loop *loop = &observed->loops[i];
        vec_each (from, &loop->header->predecessors) {
            if (position[(*from)->id] < 0)
                continue;
            bool is_back = position[(*from)->id] >= position[loop->header->id];
            value turn = is_back ? loop->next : value_i64(body->gen, 0);
            LLVMBasicBlockRef edge = source(body, *from, loop->header);
            LLVMAddIncoming(loop->turn, &turn, &edge, 1);
        }
        if (loop->runs)
            runs_close(body, loop->runs);
    }
}

// The number of a place. A body may be emitted several times: its places are the same.
static int add_site(struct codegen *gen, const struct observed_site *site)
{
    for (size_t i = 0; i < gen->observed_sites.len; i++) {
        const struct observed_site *known = &gen->observed_sites.items[i];
        if (known->kind == site->kind && known->space == site->space &&
                known->item_bytes == site->item_bytes && known->part == site->part &&
                known->line == site->line && known->span.file == site->span.file &&
                place_number(known->span) == place_number(site->span))
            return (int)i;
    }
    vec_push(&gen->observed_sites, *site);
    return (int)gen->observed_sites.len - 1;
}

// The line that a body's code stands for, if it is one.
static int32_t line_of(const struct body *body)
{
    value line = body->observed->line;
    if (!line)
        return OWN_LINES;
    return LLVMIsConstant(line) ? (int32_t)LLVMConstIntGetZExtValue(line) : TOLD_LINE;
}

static value track_field(struct body *body, value track, size_t offset)
{
    return value_offset(body->gen, track, offset);
}

static value track_load(struct body *body, value track, size_t offset)
{
    LLVMBuilderRef b = body->gen->builder;
    return LLVMBuildLoad2(b, body->gen->i64, track_field(body, track, offset), "");
}

// What a thread tells of a site.
struct telling {
    int site;
    value line, thread, turn, what; // thread: int64
    value track;                    // of the site
};

static value differs(struct body *body, value number, value from)
{
    return LLVMBuildXor(body->gen->builder, number, from, "");
}

// Goes on in `other` if any of the bits is set, else in a new block, in which to build.
static void part_if(struct body *body, value bits, LLVMBasicBlockRef other)
{
    value is_any = LLVMBuildICmp(
            body->gen->builder, LLVMIntNE, bits, value_i64(body->gen, 0), "");
    LLVMBasicBlockRef expected = body_block(body, "expected");
    control_branch_unlikely(body, is_any, other, expected);
    LLVMPositionBuilderAtEnd(body->gen->builder, expected);
}

static void go_to(struct body *body, LLVMBasicBlockRef end, LLVMBasicBlockRef next)
{
    LLVMBuildBr(body->gen->builder, end);
    LLVMPositionBuilderAtEnd(body->gen->builder, next);
}

#define TRACK(field) offsetof(struct observed_track, field)

static value load_order(struct body *body)
{
    return load(
            body, body->gen->i64, offsetof(struct abi_emulated_block, observed_order));
}

// When among all that is told what is told now comes.
static value take_order(struct body *body)
{
    LLVMBuilderRef b = body->gen->builder;
    value order = load_order(body);
    LLVMBuildStore(b, LLVMBuildAdd(b, order, value_i64(body->gen, 1), ""),
            field(body, offsetof(struct abi_emulated_block, observed_order)));
    return order;
}

// What goes on as it has begun is counted here; else goes on in `other`.
static void tell_on(struct body *body, const struct telling *telling,
        LLVMBasicBlockRef other, LLVMBasicBlockRef end)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value track = telling->track;
    value turn = track_load(body, track, TRACK(turn));
    value what = track_load(body, track, TRACK(what));
    value thread = track_load(body, track, TRACK(thread));
    value order = track_load(body, track, TRACK(order));
    value bits = LLVMBuildOr(b, differs(body, turn, telling->turn),
            differs(body, what, telling->what), "");
    bits = LLVMBuildOr(b, bits, differs(body, thread, telling->thread), "");
    value is_late = LLVMBuildAnd(b, differs(body, order, load_order(body)),
            track_load(body, track, TRACK(order_mask)), "");
    part_if(body, LLVMBuildOr(b, bits, is_late, ""), other);
    take_order(body);
    value more[][2] = {{turn, track_load(body, track, TRACK(turn_step))},
            {what, track_load(body, track, TRACK(what_step))},
            {order, track_load(body, track, TRACK(order_step))},
            {track_load(body, track, TRACK(count)), value_i64(gen, 1)}};
    size_t places[] = {TRACK(turn), TRACK(what), TRACK(order), TRACK(count)};
    for (int i = 0; i < 4; i++)
        LLVMBuildStore(b, LLVMBuildAdd(b, more[i][0], more[i][1], ""),
                track_field(body, track, places[i]));
    go_to(body, end, other);
}

// What is told in the turn in which the warp has come here first is left with the lane;
// else goes on in `other`.
static void tell_first(struct body *body, const struct telling *telling,
        LLVMBasicBlockRef other, LLVMBasicBlockRef end)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value lane = LLVMBuildAnd(b, telling->thread, value_i64(gen, OBSERVED_LANES - 1), "");
    value warp = LLVMBuildUDiv(b, telling->thread, value_i64(gen, OBSERVED_LANES), "");
    value own = load(body, gen->i64, offsetof(struct abi_emulated_block, observed_warp));
    value lanes = track_load(body, telling->track, TRACK(first_lanes));
    value turn = track_load(body, telling->track, TRACK(first_turn));
    value bit = LLVMBuildShl(b, value_i64(gen, 1), lane, "");
    value bits = LLVMBuildOr(
            b, differs(body, warp, own), differs(body, turn, telling->turn), "");
    part_if(body, LLVMBuildOr(b, bits, LLVMBuildAnd(b, lanes, bit, ""), ""), other);
    LLVMBuildStore(b, LLVMBuildOr(b, lanes, bit, ""),
            track_field(body, telling->track, TRACK(first_lanes)));
    value told[2] = {telling->what, take_order(body)};
    size_t rows[2] = {TRACK(first_what), TRACK(first_order)};
    for (int i = 0; i < 2; i++) {
        value row = track_field(body, telling->track, rows[i]);
        LLVMBuildStore(b, told[i], LLVMBuildGEP2(b, gen->i64, row, &lane, 1, ""));
    }
    go_to(body, end, other);
}

static void tell_runtime(struct body *body, const struct telling *telling)
{
    struct codegen *gen = body->gen;
    value thread = LLVMBuildTrunc(gen->builder, telling->thread, gen->i32, "");
    value args[] = {body->hidden[HIDDEN_BLOCK], value_i32(gen, telling->site),
            telling->line, thread, telling->turn, telling->what};
    codegen_call_external(gen, "gridcell_observe", gen->void_type, args, 6);
}

// The runtime is told of what compiled code cannot count by itself, and of all that is of
// lines that only the runtime knows. Which barrier a warp waits at, it asks for when the
// next warp comes.
static void tell_emulated(
        struct body *body, const struct telling *telling, enum observed_kind kind)
{
    bool counts = kind < OBSERVED_PART && LLVMIsConstant(telling->line);
    LLVMBasicBlockRef end = body_block_after(body, "observed");
    if (counts && !LLVMIsConstant(telling->turn))
        tell_on(body, telling, body_block(body, "observe.first"), end);
    if (counts)
        tell_first(body, telling, body_block(body, "observe"), end);
    tell_runtime(body, telling);
    go_to(body, end, end);
    if (counts && kind == OBSERVED_BARRIER)
        LLVMBuildStore(body->gen->builder, value_i64(body->gen, telling->site),
                field(body, offsetof(struct abi_emulated_block, observed_barrier)));
}

static void tell(
        struct body *body, struct observed_site site, struct span span, value what)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    site.span = span;
    site.part = body->observed->part;
    site.span.file = body->ir->source ? body->ir->source->file : NULL;
    value line = body->observed->line, turn = body->observed->turn;
    if (!tells_alone(body)) {
        site.line = line ? line_of(body) : span.line;
        gen->target->tell_site(body, add_site(gen, &site), turn, what);
        return;
    }
    const struct observed_loop *loop = body->observed->runs_loop;
    int number = add_site(gen, &site);
    line = line ? line : value_i32(gen, span.line);
    if (loop && ((site.kind == OBSERVED_BRANCH &&
                         runs_decide(body, loop->runs, number, line, what, loop->turn)) ||
                        runs_tell(body, loop->runs, number, line, what, loop->turn)))
        return;
    value thread = LLVMBuildZExt(b, observe_thread_number(body), gen->i64, "");
    struct telling telling = {number, line, thread, turn, what, NULL};
    size_t offset = (size_t)telling.site * sizeof(struct observed_track);
    telling.track = value_offset(gen, body->observed->tracks, offset);
    tell_emulated(body, &telling, site.kind);
}

static const char *file_of(const struct body *body)
{
    return body->ir->source ? body->ir->source->file : NULL;
}

// The part of a loop that each turn comes through: its first block, or what that leads to
// where it asks whether there is another turn.
static const struct ir_block *turn_start(const struct observed_loop *loop)
{
    const struct ir_instr *end = loop->header->last;
    if (end->op != IR_BRANCH)
        return loop->header;
    bool stays = loop->members[end->targets[0]->id];
    if (stays && loop->members[end->targets[1]->id])
        return loop->header;
    return end->targets[!stays];
}

// Returns its number.
static int list_loop(struct codegen *gen, const struct observed_loop *loop,
        const char *file, int entries)
{
    const struct ir_instr *end = loop->header->last;
    assert(loop->members[loop->header->id]);
    for (size_t i = 0; i < gen->observed_loops.len; i++)
        if (gen->observed_loops.items[i].entries == entries)
            return (int)i;
    vec_push(&gen->observed_loops,
            (struct observed_loop_site){.file = file,
                    .line = end->span.line ? end->span.line : loop->header->span.line,
                    .entries = entries,
                    .turns = part_number(gen, turn_start(loop), PART_BLOCK, OWN_LINES)});
    return (int)gen->observed_loops.len - 1;
}

// Of the user's own code.
static void count_loop(struct body *body, const struct observed_loop *loop)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    int entries = part_number(gen, loop->header, PART_ENTRIES, OWN_LINES);
    value is_first = LLVMBuildICmp(b, LLVMIntEQ, loop->turn, value_i64(gen, 0), "");
    value times = LLVMBuildZExt(b, is_first, gen->i64, "");
    int number = list_loop(gen, loop, file_of(body), entries);
    if (loop->runs)
        runs_enter(body, loop->runs, loop->turn, body->observed->turn, entries);
    else if (tells_alone(body))
        observe_count(body, entries, times);
    else
        gen->target->tell_loop(body, number, false, times);
}

// Of the loops whose turns begin with the block.
static void count_turns(struct body *body, const struct ir_block *block)
{
    struct codegen *gen = body->gen;
    for (size_t i = 0; i < body->observed->loop_count; i++) {
        const struct observed_loop *loop = &body->observed->loops[i];
        if (turn_start(loop) != block)
            continue;
        int entries = part_number(gen, loop->header, PART_ENTRIES, OWN_LINES);
        gen->target->tell_loop(body, list_loop(gen, loop, file_of(body), entries), true,
                value_i64(gen, 1));
    }
}

// Counts that the thread is here, and lists what it will do. Code that stands for a line
// which is known only when it runs tells it.
static void begin_part(
        struct body *body, const struct ir_block *block, const struct observed_loop *loop)
{
    struct codegen *gen = body->gen;
    int64_t line = line_of(body);
    int part = body->observed->part = part_number(gen, block, PART_BLOCK, line);
    observe_list_work(gen, part, block, file_of(body), line);
    if (loop && line == OWN_LINES)
        count_loop(body, loop);
    else if (loop && loop->runs)
        runs_enter(body, loop->runs, loop->turn, body->observed->turn, -1);
    if (line == TOLD_LINE)
        tell(body, (struct observed_site){.kind = OBSERVED_PART}, block->span,
                value_i64(gen, 0));
    else if (tells_alone(body))
        count_part(body, part);
    else
        gen->target->tell_part(body, part, body->observed->turn);
    if (!tells_alone(body) && line == OWN_LINES)
        count_turns(body, block);
}

void observe_enter(struct body *body, const struct ir_block *block)
{
    struct observed_body *observed = body->observed;
    struct codegen *gen = body->gen;
    if (!observed)
        return;
    struct observed_loop *own = loop_of(body, block);
    if (own)
        own->next = LLVMBuildAdd(gen->builder, own->turn, value_i64(gen, 1), "");
    if (observed->rejoin)
        rejoin_enter(body, observed->rejoin, block, own ? own->turn : NULL);
    observed->turn = observed->base;
    observed->runs_loop = NULL;
    for (size_t i = 0; i < observed->loop_count; i++)
        if (observed->loops[i].members[block->id]) {
            observed->turn = mix(gen, observed->turn, observed->loops[i].turn);
            observed->runs_loop = observed->loops[i].runs ? &observed->loops[i] : NULL;
        }
    begin_part(body, block, own);
}

// Whether it is derived from an array that a GPU has in constant memory, or would have,
// of which its type does not tell.
static bool is_in_constant_memory(value address)
{
    while (LLVMGetNumOperands(address) > 0 &&
            (LLVMIsAGetElementPtrInst(address) || LLVMIsAConstantExpr(address)))
        address = LLVMGetOperand(address, 0);
    size_t len;
    if (!LLVMIsAGlobalVariable(address))
        return false;
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(address)) == OBSERVED_CONSTANT)
        return true;
    const char *name = LLVMGetValueName2(address, &len);
    return !strncmp(name, CONSTANT_MEMORY, strlen(CONSTANT_MEMORY));
}

void observe_access(struct body *body, const struct type *array, value address,
        enum abi_access access, struct span span)
{
    struct codegen *gen = body->gen;
    if (!body->observed)
        return;
    struct observed_site site = {.kind = (enum observed_kind)access,
            .space = is_in_constant_memory(address)
                             ? OBSERVED_CONSTANT
                             : (enum observed_space)array->array.address_space,
            .item_bytes = (int)abi_size(array->element)};
    tell(body, site, span, LLVMBuildPtrToInt(gen->builder, address, gen->i64, ""));
}

void observe_branch(struct body *body, value condition, struct span span)
{
    struct codegen *gen = body->gen;
    if (!body->observed)
        return;
    if (!body->options->is_library && !LLVMIsConstant(condition))
        tell(body, (struct observed_site){.kind = OBSERVED_BRANCH}, span,
                LLVMBuildZExt(gen->builder, condition, gen->i64, ""));
    if (body->observed->rejoin)
        rejoin_leave(body, body->observed->rejoin, body->block);
}

void observe_barrier(struct body *body, struct span span)
{
    if (body->observed)
        tell(body, (struct observed_site){.kind = OBSERVED_BARRIER}, span,
                value_i64(body->gen, 0));
}

void observe_call(struct body *body, const struct ir_instr *call)
{
    struct codegen *gen = body->gen;
    if (!body->observed)
        return;
    value number = value_i64(gen, place_number(call->span));
    struct observed_body *observed = body->observed;
    value line = observed->line;
    observed->call_turn = mix(gen, observed->turn, number);
    observed->call_line = line ? line : value_i32(gen, call->span.line);
    if (!tells_alone(body))
        return;
    LLVMBuildStore(gen->builder, observed->call_turn,
            field(body, offsetof(struct abi_emulated_block, turn)));
    LLVMBuildStore(gen->builder, observed->call_line,
            field(body, offsetof(struct abi_emulated_block, line)));
}

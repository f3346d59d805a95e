// SPDX-License-Identifier: MIT
// A block of the emulated device whose kernel has been cut at its barriers: for each
// segment a loop over the threads. What is the same for all threads is computed once,
// outside of these loops; other values that outlive their segment are kept for each
// thread in the block's scratch memory, value by value, so that loops vectorise.
#include "compiler/backends/emulator/segments.h"

#include <assert.h>
#include <llvm-c/Target.h>
#include <stddef.h>

#include "compiler/codegen/analysis/flow.h"
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/control.h"
#include "compiler/codegen/loops/parallel.h"
#include "compiler/codegen/loops/strip.h"

// --- What is kept

// As memory has it: a bool is a byte there.
static size_t leaf_bytes(struct codegen *gen, const struct type *type)
{
    LLVMTypeRef memory = type_memory(gen, type);
    return (size_t)LLVMABISizeOfType(LLVMGetModuleDataLayout(gen->module), memory);
}

// Sizes are powers of two, so that each leaf is aligned by its own size as long as the
// whole row is: scratch memory is aligned for the largest.
static size_t reserve(struct cutting *cutting, size_t bytes)
{
    assert(bytes && !(bytes & (bytes - 1)));
    size_t start = (cutting->thread_bytes + bytes - 1) / bytes * bytes;
    cutting->thread_bytes = start + bytes;
    return start;
}

// The two places of shuffles come first: they are there for every kernel.
static void reserve_kept(struct cutting *cutting)
{
    struct codegen *gen = cutting->body.gen;
    const struct segments *segments = cutting->segments;
    for (int i = 0; i < 2; i++)
        cutting->exchange[i] = reserve(cutting, sizeof(int64_t));
    for (size_t i = 0; i < segments->flow->order_len; i++)
        ir_each_instr(instr, segments->flow->order[i])
        {
            if (!segments->is_kept[instr->id])
                continue;
            const struct leaf_list *list = type_leaves(gen, instr->type);
            cutting->kept[instr->id] = arena_array(&gen->arena, size_t, list->len + 1);
            for (size_t j = 0; j < list->len; j++)
                cutting->kept[instr->id][j] =
                        reserve(cutting, leaf_bytes(gen, list->items[j].type));
        }
}

// Each kept leaf is an array of the block's threads.
static value kept_address(
        struct cutting *cutting, size_t offset, size_t bytes, value number)
{
    struct codegen *gen = cutting->body.gen;
    LLVMBuilderRef b = gen->builder;
    value start = LLVMBuildMul(b, cutting->count, value_i64(gen, (int64_t)offset), "");
    value row =
            LLVMBuildInBoundsGEP2(gen->builder, gen->i8, cutting->scratch, &start, 1, "");
    value at = LLVMBuildMul(b, number, value_i64(gen, (int64_t)bytes), "");
    return LLVMBuildInBoundsGEP2(b, gen->i8, row, &at, 1, "");
}

// One thread's values: what other threads have at the same instruction stays theirs.
void cutting_keep(
        struct cutting *cutting, const struct ir_instr *instr, const value *leaves)
{
    struct codegen *gen = cutting->body.gen;
    const struct leaf_list *list = type_leaves(gen, instr->type);
    for (size_t i = 0; i < list->len; i++) {
        const struct type *type = list->items[i].type;
        value address = kept_address(cutting, cutting->kept[instr->id][i],
                leaf_bytes(gen, type), cutting->number);
        value_store(gen, type, address, 0, &leaves[i]);
    }
}

// A loop over the threads loads a value once, where it is first needed: `loaded` says for
// which loop the value at hand is. What is cheap is computed anew, its operands with it;
// nothing cheap has an effect or reads memory.
void cutting_load(const struct ir_instr *instr, void *context)
{
    struct cutting *cutting = context;
    struct codegen *gen = cutting->body.gen;
    if (cutting->loaded[instr->id] == cutting->loop_count)
        return;
    cutting->loaded[instr->id] = cutting->loop_count;
    if (cutting->segments->is_cheap[instr->id]) {
        for (size_t i = 0; i < instr->operand_count; i++)
            if (!cutting->segments->is_uniform[instr->operands[i]->id])
                cutting_load(instr->operands[i], cutting);
        body_emit_instr(&cutting->body, instr);
        return;
    }
    const struct leaf_list *list = type_leaves(gen, instr->type);
    value *leaves = value_row(gen, list->len);
    for (size_t i = 0; i < list->len; i++) {
        const struct type *type = list->items[i].type;
        value address = kept_address(cutting, cutting->kept[instr->id][i],
                leaf_bytes(gen, type), cutting->number);
        value_load(gen, type, address, 0, "", &leaves[i]);
    }
    cutting->body.values[instr->id] = leaves;
}

// --- Loops over the threads

// From here a status jumps to the thread's end, rather than leave the block: threads
// ahead of it in order may yet fail, and theirs is the error that counts.
void cutting_begin_thread(struct cutting *cutting, const value *coordinates, value number)
{
    struct body *body = &cutting->body;
    for (int i = 0; i < 3; i++)
        body->hidden[1 + i] = coordinates[i];
    cutting->number = number;
    cutting->loop_count++;
    body->mode = RETURN_JUMP;
    body->exit = body_block(body, "thread.end");
    LLVMBuildStore(
            body->gen->builder, value_i32(body->gen, STATUS_OK), body->status_slot);
}

// The builder may stand at a block that has ended.
void cutting_end_thread(struct cutting *cutting)
{
    struct codegen *gen = cutting->body.gen;
    struct body *body = &cutting->body;
    if (!LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(gen->builder)))
        LLVMBuildBr(gen->builder, body->exit);
    LLVMPositionBuilderAtEnd(gen->builder, body->exit);
    value status = LLVMBuildLoad2(gen->builder, gen->i32, body->status_slot, "");
    block_note_failure(cutting->entry, cutting->number, cutting->failure, status);
    body->mode = RETURN_STATUS;
    for (int i = 1; i < 4; i++)
        body->hidden[i] = value_i32(gen, 0);
}

static void open_part(struct cutting *cutting, struct thread_loops *part)
{
    block_threads_open(cutting->entry, part);
    cutting_begin_thread(cutting, part->coordinates, part->number);
}

static void close_part(struct cutting *cutting, struct thread_loops *part)
{
    cutting_end_thread(cutting);
    block_threads_close(cutting->entry, part);
    vec_push(&cutting->back_edges, part->loop.back_edge);
    block_leave_on_failure(cutting->entry, cutting->failure);
}

// --- Shuffles

// The lane that is asked, which may not be there: 32 and up, or wrapped below 0.
static value shuffle_source(struct cutting *cutting, const struct ir_instr *shuffle)
{
    struct codegen *gen = cutting->body.gen;
    LLVMBuilderRef b = gen->builder;
    value lane = LLVMBuildAnd(b, cutting->number, value_i64(gen, 31), "");
    value asked = LLVMBuildSExt(b, operand(&cutting->body, shuffle, 2)[0], gen->i64, "");
    asked = LLVMBuildAnd(b, asked, value_i64(gen, 31), "");
    LLVMOpcode way = shuffle->immediate == MEETING_SHUFFLE_UP     ? LLVMSub
                     : shuffle->immediate == MEETING_SHUFFLE_DOWN ? LLVMAdd
                     : shuffle->immediate == MEETING_SHUFFLE_XOR  ? LLVMXor
                                                                  : 0;
    return way ? LLVMBuildBinOp(b, way, lane, asked, "") : asked;
}

// Where the shuffle that segment `index` begins with finds the item of a thread. The next
// shuffle's items are another row: threads put them there while others still read these.
static value exchange_address(struct cutting *cutting, int index, value number)
{
    return kept_address(cutting, cutting->exchange[index & 1], sizeof(int64_t), number);
}

// The item of another lane, or the thread's own if there is no such lane.
static void emit_shuffle(struct cutting *cutting, int index)
{
    const struct ir_instr *shuffle = cutting->segments->list.items[index].shuffle;
    struct codegen *gen = cutting->body.gen;
    LLVMBuilderRef b = gen->builder;
    value source = shuffle_source(cutting, shuffle);
    value warp = LLVMBuildAnd(b, cutting->number, value_i64(gen, ~(int64_t)31), "");
    value other = LLVMBuildAdd(b, warp, source, "");
    value is_there =
            LLVMBuildAnd(b, LLVMBuildICmp(b, LLVMIntULT, source, value_i64(gen, 32), ""),
                    LLVMBuildICmp(b, LLVMIntULT, other, cutting->count, ""), "");
    value number = value_select(gen, is_there, other, cutting->number);
    value *out = value_row(gen, 1);
    value_load(gen, shuffle->type, exchange_address(cutting, index, number), 0, "", out);
    cutting->body.values[shuffle->id] = out;
    if (cutting->segments->is_kept[shuffle->id])
        cutting_keep(cutting, shuffle, out);
}

// --- Segments

// The leaves that a phi takes from a block.
static const value *incoming(
        struct cutting *cutting, const struct ir_instr *phi, const struct ir_block *from)
{
    for (size_t i = 0; i < phi->operand_count; i++)
        if (phi->block->predecessors.items[i] == from)
            return cutting->body.values[phi->operands[i]->id];
    return NULL;
}

// Keeps the values of the phis that begin a segment, on the way from a block. All are
// read before: one may be another's.
static void keep_phis(
        struct cutting *cutting, const struct ir_block *from, const struct ir_block *to)
{
    for (const struct ir_instr *phi = to->first; phi && phi->op == IR_PHI;
            phi = phi->next)
        if (!cutting->segments->is_uniform[phi->id])
            cutting_keep(cutting, phi, incoming(cutting, phi, from));
}

static bool has_kept_phis(const struct cutting *cutting, const struct ir_block *block)
{
    for (const struct ir_instr *phi = block->first; phi && phi->op == IR_PHI;
            phi = phi->next)
        if (!cutting->segments->is_uniform[phi->id])
            return true;
    return false;
}

// Emits instructions of each thread; phis stay together.
static void emit_span(struct cutting *cutting, const struct ir_instr *from,
        const struct ir_instr *to, bool are_phis)
{
    const struct segments *segments = cutting->segments;
    struct body *body = &cutting->body;
    for (const struct ir_instr *instr = from; instr != to; instr = instr->next) {
        if (segments->is_uniform[instr->id] || codegen_failed(body->gen))
            continue;
        if ((instr->op == IR_PHI) == are_phis)
            body_emit_instr(body, instr);
        if (!are_phis && segments->is_kept[instr->id])
            cutting_keep(cutting, instr, body->values[instr->id]);
    }
}

// Values of blocks that are emitted whole, where something outside needs them.
static void keep_of_block(struct cutting *cutting, const struct ir_block *block)
{
    LLVMBuilderRef b = cutting->body.gen->builder;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(b), end = cutting->body.ends[block->id];
    LLVMPositionBuilderBefore(b, LLVMGetBasicBlockTerminator(end));
    ir_each_instr(instr, block) if (cutting->segments->is_kept[instr->id])
            cutting_keep(cutting, instr, cutting->body.values[instr->id]);
    LLVMPositionBuilderAtEnd(b, here);
}

static void emit_regions(struct cutting *cutting, int index, int piece)
{
    const struct segments *segments = cutting->segments;
    for (size_t i = 0; i < segments->flow->order_len; i++) {
        const struct ir_block *block = segments->flow->order[i];
        if (segments->of_block[block->id] != index || segments->piece[block->id] != piece)
            continue;
        body_emit_block(&cutting->body, block);
        keep_of_block(cutting, block);
    }
}

static void emit_piece(struct cutting *cutting, const struct segment *segment, size_t at)
{
    const struct segments *segments = cutting->segments;
    struct body *body = &cutting->body;
    const struct piece *piece = &segment->pieces.items[at];
    const struct ir_block *block = piece->block;
    LLVMBuilderRef b = body->gen->builder;
    bool is_last = at + 1 == segment->pieces.len;
    if (segments->is_repeated[block->id]) {
        body_emit_block(body, block);
        keep_of_block(cutting, block);
        return;
    }
    if (at)
        LLVMPositionBuilderAtEnd(b, body->starts[block->id]);
    body->block = block;
    emit_span(cutting, piece->from, piece->to, true);
    emit_span(cutting, piece->from, piece->to, false);
    bool stays = !is_last || segment->end == SEGMENT_JOIN ||
                 segment->end == SEGMENT_TURNS ||
                 (segment->end == SEGMENT_RETURN && block->last->op == IR_BRANCH);
    if (stays && !codegen_failed(body->gen))
        body_emit_terminator(body, block->last);
    body->ends[block->id] = LLVMGetInsertBlock(b);
}

// Numbers of phis are their places in the block, as body_connect_phi counts them.
static void connect_block(struct cutting *cutting, const struct ir_block *block)
{
    size_t index = 0;
    for (const struct ir_instr *phi = block->first; phi && phi->op == IR_PHI;
            phi = phi->next)
        body_connect_phi(&cutting->body, phi, index++);
}

static void connect_inside(
        struct cutting *cutting, const struct segment *segment, int index)
{
    const struct segments *segments = cutting->segments;
    for (size_t i = 1; i < segment->pieces.len; i++)
        connect_block(cutting, segment->pieces.items[i].block);
    for (size_t i = 0; i < segments->flow->order_len; i++)
        if (segments->of_block[segments->flow->order[i]->id] == index)
            connect_block(cutting, segments->flow->order[i]);
}

// Where the ways of a region come together in front of the next segment: what its phis
// take is kept there.
void cutting_join(struct cutting *cutting, const struct ir_block *block, int index)
{
    const struct segments *segments = cutting->segments;
    struct body *body = &cutting->body;
    struct codegen *gen = body->gen;
    const struct segment *segment = &segments->list.items[index];
    const struct ir_block *last = vec_last(&segment->pieces).block;
    const struct ir_instr *phi;
    for (phi = block->first; phi && phi->op == IR_PHI; phi = phi->next) {
        const struct leaf_list *list = type_leaves(gen, phi->type);
        value *leaves = value_row(gen, list->len);
        for (size_t i = 0; i < list->len; i++) {
            leaves[i] =
                    LLVMBuildPhi(gen->builder, type_llvm(gen, list->items[i].type), "");
            for (size_t j = 0; j < phi->operand_count; j++) {
                const struct ir_block *from = block->predecessors.items[j];
                if (from == last || segments->of_block[from->id] == index)
                    LLVMAddIncoming(leaves[i], &body->values[phi->operands[j]->id][i],
                            &body->ends[from->id], 1);
            }
        }
        // others may take what this one had: it changes when all are made
        cutting->joined[phi->id] = leaves;
    }
    for (phi = block->first; phi && phi->op == IR_PHI; phi = phi->next)
        cutting_keep(cutting, phi, cutting->joined[phi->id]);
}

// At the end of a segment: the item that the thread gives to the next one's shuffle.
static void keep_exchanged(struct cutting *cutting, int next)
{
    const struct ir_instr *shuffle = cutting->segments->list.items[next].shuffle;
    value_store(cutting->body.gen, shuffle->operands[1]->type,
            exchange_address(cutting, next, cutting->number), 0,
            operand(&cutting->body, shuffle, 1));
}

void cutting_emit_pieces(struct cutting *cutting, int index)
{
    const struct segment *segment = &cutting->segments->list.items[index];
    struct codegen *gen = cutting->body.gen;
    for (size_t i = 0; i < segment->pieces.len && !codegen_failed(gen); i++) {
        emit_piece(cutting, segment, i);
        emit_regions(cutting, index, (int)i);
    }
    if (!codegen_failed(gen))
        connect_inside(cutting, segment, index);
}

// A segment that ends by joining has many ways to its end: all of them come to one block
// in the loop, where the phis of the next segment are kept for the thread.
static void emit_threads(struct cutting *cutting, int index)
{
    const struct segment *segment = &cutting->segments->list.items[index];
    struct body *body = &cutting->body;
    LLVMBuilderRef b = body->gen->builder;
    struct thread_loops part;
    open_part(cutting, &part);
    segments_each_use(cutting->segments, index, cutting_load, cutting);
    if (segment->shuffle)
        emit_shuffle(cutting, index);
    LLVMBasicBlockRef outside = NULL, join = NULL;
    if (segment->end == SEGMENT_JOIN) {
        join = body_block(body, "join");
        outside = body->starts[segment->target->id];
        body->starts[segment->target->id] = join;
    }
    cutting_emit_pieces(cutting, index);
    if (codegen_failed(body->gen))
        return;
    if (join) {
        body->starts[segment->target->id] = outside;
        LLVMPositionBuilderAtEnd(b, join);
        cutting_join(cutting, segment->target, index);
    } else if (segment->end == SEGMENT_JUMP) {
        keep_phis(cutting, vec_last(&segment->pieces).block, segment->target);
    } else if (segment->end == SEGMENT_BARRIER && segment[1].shuffle) {
        keep_exchanged(cutting, index + 1);
    }
    close_part(cutting, &part);
}

// Whether a segment has anything for each thread to do.
static bool has_threads(const struct cutting *cutting, const struct segment *segment)
{
    if (segment->shuffle || segment->pieces.len > 1 || segment->end == SEGMENT_JOIN ||
            (segment->end == SEGMENT_JUMP && has_kept_phis(cutting, segment->target)) ||
            (segment->end == SEGMENT_BARRIER && segment[1].shuffle))
        return true;
    const struct piece *piece = &segment->pieces.items[0];
    if (segment->end == SEGMENT_RETURN && piece->block->last->op == IR_BRANCH)
        return true;
    for (const struct ir_instr *instr = piece->from; instr != piece->to;
            instr = instr->next)
        if (!cutting->segments->is_uniform[instr->id])
            return true;
    return false;
}

static void emit_segment(struct cutting *cutting, int index)
{
    const struct segments *segments = cutting->segments;
    const struct segment *segment = &segments->list.items[index];
    vec_each (piece, &segment->pieces)
        for (const struct ir_instr *instr = piece->from; instr != piece->to;
                instr = instr->next)
            if (segments->is_uniform[instr->id] && !codegen_failed(cutting->body.gen))
                body_emit_instr(&cutting->body, instr);
    if (codegen_failed(cutting->body.gen))
        return;
    if (segment->end == SEGMENT_TURNS)
        cutting_emit_turns(cutting, index);
    else if (has_threads(cutting, segment))
        emit_threads(cutting, index);
}

static void add_edge(
        struct cutting *cutting, const struct ir_block *from, const struct ir_block *to)
{
    LLVMBasicBlockRef source = LLVMGetInsertBlock(cutting->body.gen->builder);
    vec_push(&cutting->edges, (struct edge){from, to, source});
}

static void load_incoming(
        struct cutting *cutting, const struct ir_block *from, const struct ir_block *to)
{
    for (const struct ir_instr *phi = to->first; phi && phi->op == IR_PHI;
            phi = phi->next)
        for (size_t i = 0; i < phi->operand_count; i++)
            if (to->predecessors.items[i] == from &&
                    !cutting->segments->is_uniform[phi->operands[i]->id] &&
                    !cutting->segments->is_uniform[phi->id])
                cutting_load(phi->operands[i], cutting);
}

// The way that all threads go from a branch, with a loop over them if phis ask for it.
static void emit_way(
        struct cutting *cutting, const struct ir_block *from, const struct ir_block *to)
{
    if (has_kept_phis(cutting, to)) {
        struct thread_loops part;
        open_part(cutting, &part);
        load_incoming(cutting, from, to);
        keep_phis(cutting, from, to);
        close_part(cutting, &part);
    }
    add_edge(cutting, from, to);
    LLVMBuildBr(cutting->body.gen->builder, cutting->body.starts[to->id]);
}

static void emit_branch(struct cutting *cutting, const struct ir_instr *branch)
{
    struct body *body = &cutting->body;
    LLVMBasicBlockRef ways[2] = {body_block(body, "way"), body_block(body, "way")};
    LLVMBuildCondBr(body->gen->builder, operand(body, branch, 0)[0], ways[0], ways[1]);
    for (int i = 0; i < 2; i++) {
        LLVMPositionBuilderAtEnd(body->gen->builder, ways[i]);
        emit_way(cutting, branch->block, branch->targets[i]);
    }
}

// From a block that begins a segment on to the next such blocks.
static void emit_chain(struct cutting *cutting, const struct ir_block *block)
{
    const struct segments *segments = cutting->segments;
    struct body *body = &cutting->body;
    LLVMPositionBuilderAtEnd(body->gen->builder, body->starts[block->id]);
    body->block = block;
    for (const struct ir_instr *phi = block->first; phi && phi->op == IR_PHI;
            phi = phi->next)
        if (segments->is_uniform[phi->id])
            body_emit_instr(body, phi);
    int index = segments->first[block->id];
    assert(index >= 0);
    while (segments->list.items[index].end == SEGMENT_BARRIER)
        emit_segment(cutting, index++);
    emit_segment(cutting, index);
    if (codegen_failed(body->gen))
        return;
    const struct segment *segment = &segments->list.items[index];
    const struct ir_block *last = vec_last(&segment->pieces).block;
    if (segment->end == SEGMENT_RETURN) {
        block_close(cutting->entry);
        return;
    }
    block_check_stop(cutting->entry);
    if (segment->end == SEGMENT_BRANCH) {
        emit_branch(cutting, last->last);
        return;
    }
    add_edge(cutting, last, segment->target);
    LLVMBuildBr(body->gen->builder, body->starts[segment->target->id]);
}

// Phis that are the same for all threads are phis of the block's own control flow; the
// edges are known when all chains are emitted.
static void connect_uniform_phis(struct cutting *cutting)
{
    vec_each (edge, &cutting->edges)
        for (const struct ir_instr *phi = edge->to->first; phi && phi->op == IR_PHI;
                phi = phi->next) {
            if (!cutting->segments->is_uniform[phi->id])
                continue;
            const value *leaves = incoming(cutting, phi, edge->from);
            assert(leaves); // the edge comes from a predecessor
            size_t count = type_leaf_count(cutting->body.gen, phi->type);
            for (size_t i = 0; i < count; i++)
                LLVMAddIncoming(cutting->body.values[phi->id][i], (value *)&leaves[i],
                        &edge->source, 1);
        }
}

// Threads of a block that touch the same memory between two barriers race with each other
// on a GPU, too: the loop over them may be vectorised without checks.
static void mark_parallel(struct cutting *cutting, LLVMBasicBlockRef first)
{
    struct codegen *gen = cutting->body.gen;
    if (gen->has_private_memory)
        return;
    struct parallel_loop parallel = parallel_create(gen, block_parallel_kind());
    parallel_mark_blocks(gen, &parallel, first, NULL);
    vec_each (back_edge, &cutting->back_edges)
        parallel_mark_latch(
                gen, &parallel, &(struct counted_loop){.back_edge = *back_edge});
}

size_t emulated_segments_emit(struct block_entry *entry, const struct segments *segments)
{
    assert(segments->ir == entry->ir && !entry->syncs_grid);
    struct codegen *gen = entry->gen;
    size_t ids = (size_t)entry->ir->next_id + 1;
    struct cutting cutting = {.entry = entry,
            .segments = segments,
            .kept = arena_array(&gen->arena, size_t *, ids),
            .joined = arena_array(&gen->arena, value *, ids),
            .loaded = arena_array(&gen->arena, int, ids)};
    struct body *body = &cutting.body;
    *body = (struct body){.gen = gen,
            .ir = entry->ir,
            .function = entry->body.function,
            .allocas = entry->body.allocas,
            .args = entry->args,
            .mode = RETURN_STATUS,
            .result = LLVMConstNull(gen->ptr)};
    body->hidden[0] = entry->block;
    for (int i = 1; i < 4; i++)
        body->hidden[i] = value_i32(gen, 0);
    body->status_slot = value_alloca(&entry->body, gen->i32, "status");
    cutting.failure = block_failure_slot(entry);
    cutting.count = entry->extent[0];
    for (int axis = 1; axis < 3; axis++)
        cutting.count =
                LLVMBuildNSWMul(gen->builder, cutting.count, entry->extent[axis], "");
    cutting.scratch =
            block_field(entry, gen->ptr, offsetof(struct abi_emulated_block, scratch));
    reserve_kept(&cutting);
    body_open(body);
    LLVMBasicBlockRef first = body->starts[segments->flow->order[0]->id];
    for (size_t i = 0; i < segments->flow->order_len && !codegen_failed(gen); i++)
        if (segments->first[segments->flow->order[i]->id] >= 0)
            emit_chain(&cutting, segments->flow->order[i]);
    if (!codegen_failed(gen)) {
        connect_uniform_phis(&cutting);
        LLVMBasicBlockRef here = LLVMGetInsertBlock(gen->builder);
        if (codegen_emit_pending(gen))
            mark_parallel(&cutting, first);
        LLVMPositionBuilderAtEnd(gen->builder, here);
    }
    map_finish(&body->names);
    vec_finish(&cutting.edges);
    vec_finish(&cutting.back_edges);
    return cutting.thread_bytes;
}

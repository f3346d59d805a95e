// SPDX-License-Identifier: MIT
// Operations in which threads of a warp or block exchange values: shuffles, votes,
// matches and barriers that vote. A GPU has an instruction for each; on the emulated
// device a thread leaves its operand in its slot and waits until all have come.
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/cuda/cuda.h"
#include "compiler/codegen/body/observe.h"
#include "compiler/codegen/emulated/shared_check.h"

#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "compiler/types/intrinsics.h"

static value to_bits(struct codegen *gen, value item)
{
    LLVMTypeRef type = LLVMTypeOf(item);
    if (type == gen->f32)
        item = LLVMBuildBitCast(gen->builder, item, gen->i32, "");
    else if (type == gen->f64)
        item = LLVMBuildBitCast(gen->builder, item, gen->i64, "");
    return item;
}

static value from_bits(struct codegen *gen, value bits, LLVMTypeRef type)
{
    bool is_wide = type == gen->f64 || type == gen->i64;
    if (!is_wide && LLVMTypeOf(bits) == gen->i64)
        bits = LLVMBuildTrunc(gen->builder, bits, gen->i32, "");
    return LLVMBuildBitCast(gen->builder, bits, type, "");
}

// --- The emulated device

static void slot_store(struct codegen *gen, size_t offset, value item)
{
    LLVMBuildStore(gen->builder, item, value_offset(gen, gen->coroutine.slot, offset));
}

// A loop: a thread that is resumed before all have come finds no answer yet, and waits
// again. The slot belongs to the thread, so that no lock is needed; one CPU thread runs
// all threads of a block.
static value meet(
        struct body *body, enum abi_meeting meeting, value mask, value bits, value lane)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    assert(LLVMTypeOf(mask) == gen->i32 && LLVMTypeOf(lane) == gen->i32);
    bool is_block = meeting >= MEETING_BLOCK_COUNT;
    if (!gen->coroutine.suspend) {
        codegen_fail(gen, ERROR_LOWERING, SPAN_NONE, "a barrier outside of a kernel");
        return LLVMGetUndef(gen->i64);
    }
    slot_store(gen, offsetof(struct abi_emulated_thread, mask), mask);
    slot_store(gen, offsetof(struct abi_emulated_thread, lane), lane);
    slot_store(gen, offsetof(struct abi_emulated_thread, item),
            LLVMBuildZExt(b, bits, gen->i64, ""));
    slot_store(gen, offsetof(struct abi_emulated_thread, meeting),
            value_i32(gen, (int)meeting));
    LLVMBasicBlockRef wait = body_block(body, "wait"), met = body_block(body, "met");
    LLVMBuildBr(b, wait);
    LLVMPositionBuilderAtEnd(b, wait);
    gen->target->barrier(body, is_block ? BARRIER_BLOCK : BARRIER_WARP);
    value ask = codegen_external(gen, "gridcell_meeting", gen->i32, &gen->ptr, 1);
    value answer = codegen_call(gen, ask, &gen->coroutine.slot, 1, "");
    LLVMBuildCondBr(
            b, LLVMBuildICmp(b, LLVMIntNE, answer, value_i32(gen, 0), ""), met, wait);
    LLVMPositionBuilderAtEnd(b, met);
    return LLVMBuildLoad2(b, gen->i64,
            value_offset(gen, gen->coroutine.slot,
                    offsetof(struct abi_emulated_thread, result)),
            "");
}

// --- GPUs

// The meeting's line of PTX on an item of 32 or 64 bits, then what else it takes.
static value assembly(struct codegen *gen, enum abi_meeting meeting,
        const char *constraints, value *args, unsigned count)
{
    bool is_wide = count && LLVMTypeOf(args[0]) == gen->i64;
    char text[160];
    snprintf(text, sizeof text, meetings[meeting].ptx, is_wide ? 64 : 32);
    return gpu_assembly(gen, text, constraints, gen->i32, args, count, true);
}

static value shuffle_word(
        struct codegen *gen, enum abi_meeting meeting, value mask, value word, value lane)
{
    value args[3] = {word, lane, mask};
    return assembly(gen, meeting, "=r,r,r,r", args, 3);
}

static value shuffle(
        struct codegen *gen, enum abi_meeting meeting, value mask, value bits, value lane)
{
    LLVMBuilderRef b = gen->builder;
    if (LLVMTypeOf(bits) == gen->i32)
        return shuffle_word(gen, meeting, mask, bits, lane);
    value half = value_i64(gen, 32);
    value low =
            shuffle_word(gen, meeting, mask, LLVMBuildTrunc(b, bits, gen->i32, ""), lane);
    value high = LLVMBuildTrunc(b, LLVMBuildLShr(b, bits, half, ""), gen->i32, "");
    high = shuffle_word(gen, meeting, mask, high, lane);
    return LLVMBuildOr(b, LLVMBuildShl(b, LLVMBuildZExt(b, high, gen->i64, ""), half, ""),
            LLVMBuildZExt(b, low, gen->i64, ""), "");
}

// A vote, a match or a barrier that votes.
static value vote(struct codegen *gen, enum abi_meeting meeting, value mask, value bits)
{
    value args[2] = {bits, mask};
    if (meetings[meeting].item == MEETING_ITEM_NOTHING)
        return assembly(gen, meeting, "=r", NULL, 0);
    if (meeting >= MEETING_BLOCK_COUNT)
        return assembly(gen, meeting, "=r,r,~{memory}", args, 1);
    bool is_wide = LLVMTypeOf(bits) == gen->i64;
    return assembly(gen, meeting, is_wide ? "=r,l,r" : "=r,r,r", args, 2);
}

// On the emulated device a vote of all lanes: some have waited more often than others
// before, so that to wait once more would not bring them together.
void cuda_syncwarp(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    value zero = value_i32(gen, 0);
    if (gen->target->kind == TARGET_EMULATOR && gen->coroutine.suspend)
        meet(body, MEETING_BALLOT, value_i32(gen, -1), zero, zero);
    else
        gen->target->barrier(body, BARRIER_WARP);
    shared_check_warp(body);
}

// What lanes have written is there for those that waited with them, which a vote does not
// promise.
static void wait_for(struct body *body, value mask)
{
    codegen_intrinsic(body->gen, "llvm.nvvm.bar.warp.sync", NULL, 0, &mask, 1, "");
}

// Operands: mask, item, lane; immediate: enum abi_meeting. Without a type the lanes only
// wait for each other.
void warp_primitive(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    enum abi_meeting meeting = (enum abi_meeting)instr->immediate;
    value mask = operand(body, instr, 0)[0], item = operand(body, instr, 1)[0],
          lane = operand(body, instr, 2)[0], bits = to_bits(gen, item);
    bool is_shuffle = meeting <= MEETING_SHUFFLE_XOR;
    if (meeting >= MEETING_BLOCK_COUNT) {
        observe_barrier(body, instr->span);
        shared_check_barrier(body, instr->span);
    }
    if (meeting ==
            MEETING_ACTIVE) // lanes are active together where they are at one place
        lane = value_i32(gen, instr->span.line << 10 ^ instr->span.column);
    if (instr->type == type_none && gen->target->kind == TARGET_GPU) {
        wait_for(body, mask);
        return;
    }
    value result = gen->target->kind == TARGET_EMULATOR
                           ? meet(body, meeting, mask, bits, lane)
                   : is_shuffle ? shuffle(gen, meeting, mask, bits, lane)
                                : vote(gen, meeting, mask, bits);
    if (instr->type == type_none)
        return;
    out[0] = from_bits(gen, result, is_shuffle ? LLVMTypeOf(item) : gen->i32);
    value is_set = NULL;
    if (instr->type == type_bool || instr->type->kind == TYPE_TUPLE)
        is_set = LLVMBuildICmp(gen->builder, LLVMIntNE, out[0], value_i32(gen, 0), "");
    if (instr->type == type_bool)
        out[0] = is_set;
    else if (is_set)
        out[1] = is_set;
}

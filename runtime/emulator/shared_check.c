// SPDX-License-Identifier: MIT
// Checks of shared memory, for kernels under debug: each byte of a block's shared memory
// has a shadow that says who wrote and read it since which barrier. The threads of a
// block run in turn, so that what is found does not depend on chance.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runtime/emulator/emulator.h"

enum { MAX_THREADS = EMULATOR_MAX_THREADS_PER_BLOCK, LANES = EMULATOR_WARP_SIZE };

// One access: of a thread, in the interval between barriers that the two counts name.
// Rounds begin with 1: one of round 0 is none.
struct access {
    int32_t thread, line;
    uint32_t round, warp_count;
};

// The latest access since the last barrier of the block, the latest by another thread of
// the same warp, and one by another warp: a thread that conflicts with any access, does
// so with one of these.
struct users {
    struct access last, other_lane, other_warp;
};

struct shadow_byte {
    uint32_t block;             // what follows is of this block of the launch
    bool is_written, is_atomic; // is_atomic: the writes were
    struct users writes, reads;
};

struct abi_shadow {
    size_t size_bytes;
    uint32_t block;                    // from 1
    uint32_t round;                    // barriers of the block so far, plus 1
    uint32_t warp_counts[MAX_THREADS]; // how often each thread has synced its warp
    struct access other;               // of the first finding, which is told
    bool has_finding;
    struct shadow_byte bytes[];
};

struct abi_shadow *shadow_create(size_t shared_bytes)
{
    struct abi_shadow *shadow =
            memory_zalloc(sizeof *shadow + shared_bytes * sizeof *shadow->bytes);
    shadow->size_bytes = shared_bytes;
    return shadow;
}

void shadow_begin(struct abi_shadow *shadow)
{
    memset(shadow->warp_counts, 0, sizeof shadow->warp_counts);
    shadow->block++;
    shadow->round = 1;
    shadow->has_finding = false;
    shadow->other = (struct access){.thread = -1};
}

void shadow_destroy(struct abi_shadow *shadow)
{
    free(shadow);
}

void shadow_other(const struct abi_shadow *shadow, int32_t *thread, int32_t *line)
{
    *thread = shadow->other.thread;
    *line = shadow->other.line;
}

// Whether nothing makes one of two threads wait between an earlier access and now.
// A barrier of the block orders all threads, one of the warp those of the warp. The lanes
// of a warp run together on most GPUs, but since Volta nothing promises it.
static bool is_unordered(const struct access *before, const struct access *now)
{
    if (before->round != now->round || before->thread == now->thread)
        return false;
    bool is_same_warp = before->thread / LANES == now->thread / LANES;
    return !is_same_warp || before->warp_count == now->warp_count;
}

static int32_t find(struct abi_shadow *shadow, const struct access *other,
        enum abi_finding finding, int32_t site)
{
    if (!shadow->has_finding)
        shadow->other = *other;
    shadow->has_finding = true;
    return site + (int32_t)finding;
}

// `last` moves on; what it was becomes one of the others, if it was by another thread.
static void note(struct users *users, const struct access *now)
{
    struct access last = users->last;
    if (last.round != now->round) {
        *users = (struct users){.last = *now};
        return;
    }
    if (last.thread / LANES != now->thread / LANES) {
        users->other_warp = last;
        users->other_lane = (struct access){0};
    } else if (last.thread != now->thread) {
        users->other_lane = last;
    }
    users->last = *now;
}

// One of the accesses that nothing makes this one wait for, or NULL.
static const struct access *find_unordered(
        const struct users *users, const struct access *now)
{
    const struct access *list[] = {&users->last, &users->other_lane, &users->other_warp};
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (is_unordered(list[i], now))
            return list[i];
    return NULL;
}

// One byte; `is_same`: what is stored lies there already.
// Threads that all store the same value are a common idiom, and do no harm.
static int32_t check_byte(struct abi_shadow *shadow, struct shadow_byte *byte,
        enum abi_access access, bool is_same, const struct access *now, int32_t site)
{
    static const struct access nobody = {.thread = -1};
    if (byte->block != shadow->block)
        *byte = (struct shadow_byte){.block = shadow->block};
    if (access != ACCESS_STORE && !byte->is_written)
        return find(shadow, &nobody, FINDING_UNWRITTEN, site);
    bool is_atomic = access == ACCESS_ATOMIC && byte->is_atomic;
    const struct access *other =
            is_same || is_atomic ? NULL : find_unordered(&byte->writes, now);
    if (other)
        return find(shadow, other, FINDING_WRITTEN_BY_OTHER, site);
    if (access == ACCESS_LOAD) {
        note(&byte->reads, now);
        return STATUS_OK;
    }
    other = is_same ? NULL : find_unordered(&byte->reads, now);
    if (other)
        return find(shadow, other, FINDING_READ_BY_OTHER, site);
    if (!is_atomic)
        byte->writes = (struct users){0};
    note(&byte->writes, now);
    byte->is_written = true;
    byte->is_atomic = access == ACCESS_ATOMIC;
    return STATUS_OK;
}

int32_t gridcell_check_shared(struct abi_emulated_block *block, const void *address,
        const void *stored, int64_t size_bytes, int32_t access, int32_t thread,
        int32_t line, int32_t site)
{
    struct abi_shadow *shadow = block->shadow;
    size_t start = (size_t)((const char *)address - (const char *)block->shared);
    if (!shadow || start > shadow->size_bytes ||
            (size_t)size_bytes > shadow->size_bytes - start)
        return STATUS_OK; // not in the block's shared memory
    struct access now = {thread, line, shadow->round, shadow->warp_counts[thread]};
    bool is_same = stored && !memcmp(address, stored, (size_t)size_bytes);
    for (int64_t i = 0; i < size_bytes; i++) {
        int32_t status = check_byte(shadow, &shadow->bytes[start + (size_t)i],
                (enum abi_access)access, is_same, &now, site);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

void gridcell_check_warp(struct abi_emulated_block *block, int32_t thread)
{
    if (block->shadow)
        block->shadow->warp_counts[thread]++;
}

static void set_coordinates(struct abi_emulated_block *block, int32_t thread)
{
    for (int axis = 0; axis < 3; axis++) {
        block->failed_thread[axis] = thread % block->block_dim[axis];
        thread /= block->block_dim[axis];
    }
}

// Whether the thread's coroutine has ended: LLVM clears where it would go on.
static bool is_ended(const struct abi_emulated_thread *thread)
{
    void *resume;
    memcpy(&resume, thread->frame, sizeof resume);
    return !resume;
}

// A barrier opens: all threads of the block must wait at it.
int32_t gridcell_check_round(struct abi_emulated_block *block, int64_t slot_bytes,
        int32_t is_warp_only, int32_t site)
{
    const int32_t *dim = block->block_dim;
    const struct abi_emulated_thread *waiting = NULL;
    struct access other = {.thread = -1};
    if (!block->shadow || is_warp_only)
        return STATUS_OK;
    block->shadow->round++;
    for (int32_t i = 0; i < dim[0] * dim[1] * dim[2]; i++) {
        const struct abi_emulated_thread *thread =
                (const void *)((const char *)block->scratch + i * slot_bytes);
        if (is_ended(thread))
            other = (struct access){.thread = i};
        else if (!waiting)
            waiting = thread;
        else if (thread->line != waiting->line)
            other = (struct access){.thread = i, .line = thread->line};
    }
    if (!waiting || other.thread < 0)
        return STATUS_OK;
    set_coordinates(block, waiting->number);
    block->failed_line = waiting->line;
    if (!block->shadow->has_finding)
        block->shadow->other = other;
    block->shadow->has_finding = true;
    return site;
}

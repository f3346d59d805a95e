// SPDX-License-Identifier: MIT
// How often the threads of a block come to each part of an observed kernel, which
// compiled code counts by itself, and what of it that makes: instructions and operations
// by line, turns of loops, work of warps.
//
// A thread counts for itself. How often its warp came to a part is known from what was
// told there (observer.c) and else taken to be what the busiest lane says: right unless
// lanes come to a part that tells nothing in different turns of a loop.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runtime/emulator/observer.h"

enum { LANES = 32 };

// Memory that outlives the launch.
struct tally_row {
    int64_t *items;
    size_t capacity;
};

struct tally {
    const struct compiled *compiled;
    size_t threads, parts;
    int64_t *slots;         // by thread and part: since the warp was taken
    int64_t *told;          // by part: of this warp
    int64_t *lanes, *warps; // by part: of all
    int64_t *weights;       // by part: instructions of a warp
    int64_t *most, *sums;   // by part: of the lanes of a warp that is taken
    int64_t *loop_slots;    // by loop and thread: entries, then turns, of this block
    struct observed_turns *loops;
    struct tally_row rows[3]; // slots, `told` and what lies behind it, loop_slots
};

struct tally *tally_create(void)
{
    return memory_zalloc(sizeof(struct tally));
}

// A row of so many zeros, in memory that there is or in more.
static int64_t *zeros(struct tally_row *row, size_t count)
{
    if (count > row->capacity) {
        free(row->items);
        row->items = memory_alloc(count * sizeof *row->items);
        row->capacity = count;
    }
    if (count)
        memset(row->items, 0, count * sizeof *row->items);
    return row->items;
}

void tally_begin(struct tally *tally, const struct compiled *compiled, size_t threads)
{
    size_t parts = compiled->observed_part_count, loops = compiled->observed_loop_count;
    tally->compiled = compiled;
    tally->parts = parts;
    tally->threads = (threads + LANES - 1) / LANES * LANES;
    tally->slots = zeros(&tally->rows[0], tally->threads * parts);
    tally->told = zeros(&tally->rows[1], 6 * parts);
    tally->lanes = tally->told + parts;
    tally->warps = tally->lanes + parts;
    tally->weights = tally->warps + parts;
    tally->most = tally->weights + parts;
    tally->sums = tally->most + parts;
    tally->loop_slots = zeros(&tally->rows[2], 2 * loops * tally->threads);
    free(tally->loops);
    tally->loops = memory_zalloc((loops + 1) * sizeof *tally->loops);
    observation_weigh(compiled, tally->weights);
}

void tally_destroy(struct tally *tally)
{
    if (!tally)
        return;
    for (int i = 0; i < 3; i++)
        free(tally->rows[i].items);
    free(tally->loops);
    free(tally);
}

int64_t *tally_slots(struct tally *tally)
{
    return tally->slots;
}

void tally_note(struct tally *tally, int part, int64_t times)
{
    if (times > tally->told[part])
        tally->told[part] = times;
}

static void take_loops(struct tally *tally, int32_t warp)
{
    const struct compiled *compiled = tally->compiled;
    for (size_t i = 0; i < compiled->observed_loop_count; i++) {
        const struct observed_loop_site *loop = &compiled->observed_loops[i];
        int64_t *to = tally->loop_slots + 2 * (i * tally->threads + (size_t)warp * LANES);
        const int64_t *from = tally->slots + (size_t)warp * LANES * tally->parts;
        for (int lane = 0; lane < LANES; lane++, from += tally->parts, to += 2) {
            to[0] += from[loop->entries];
            to[1] += from[loop->turns];
        }
    }
}

// Of each part the most times that a lane of a warp has come to it, and the sum. Mostly
// all lanes have done the same.
static void add_lanes(struct tally *tally, const int64_t *slots)
{
    size_t parts = tally->parts;
    bool is_alike = !memcmp(slots, slots + parts, (LANES - 1) * parts * sizeof *slots);
    int alike = is_alike ? LANES : 1;
    memset(tally->most, 0, 2 * parts * sizeof *tally->most);
    for (int lane = 0; lane < LANES; lane += alike, slots += parts)
        for (size_t part = 0; part < parts; part++) {
            int64_t times = slots[part], most = tally->most[part];
            tally->most[part] = times > most ? times : most;
            tally->sums[part] += times * alike;
        }
}

int64_t tally_take_warp(struct tally *tally, int32_t warp)
{
    int64_t *slots = tally->slots + (size_t)warp * LANES * tally->parts, work = 0;
    take_loops(tally, warp);
    add_lanes(tally, slots);
    for (size_t part = 0; part < tally->parts; part++) {
        int64_t most = tally->most[part], sum = tally->sums[part];
        // what is told behind a barrier belongs to a part that was begun before it
        if (sum && tally->told[part] > most)
            most = tally->told[part];
        tally->lanes[part] += sum;
        tally->warps[part] += most;
        tally->told[part] = 0;
        work += most * tally->weights[part];
    }
    memset(slots, 0, LANES * tally->parts * sizeof *slots);
    return work;
}

// The lanes that come to a loop, each by the turns that it makes of it.
static void end_loop(const struct tally *tally, size_t number)
{
    struct observed_turns *counts = &tally->loops[number];
    int64_t *slots = tally->loop_slots + 2 * number * tally->threads;
    size_t rest = tally->threads - 1;
    if (!memcmp(slots, slots + 2, 2 * rest * sizeof *slots)) { // all alike
        observed_turns_add(counts, slots[0], slots[1]);
        counts->entries += slots[0] * (int64_t)rest;
        counts->turns += slots[1] * (int64_t)rest;
    } else {
        for (size_t thread = 0; thread <= rest; thread++)
            observed_turns_add(counts, slots[2 * thread], slots[2 * thread + 1]);
    }
    memset(slots, 0, 2 * tally->threads * sizeof *slots);
}

void tally_end_block(struct tally *tally)
{
    for (size_t warp = 0; warp < tally->threads / LANES; warp++)
        tally_take_warp(tally, (int32_t)warp);
    for (size_t i = 0; i < tally->compiled->observed_loop_count; i++)
        end_loop(tally, i);
}

void tally_report(const struct tally *tally, struct observation *observation)
{
    const struct compiled *compiled = tally->compiled;
    for (size_t part = 0; part < tally->parts; part++)
        observation_add_work(compiled, (int)part, 0, tally->warps[part],
                tally->lanes[part], observation);
    for (size_t i = 0; i < compiled->observed_loop_count; i++)
        observation_add_turns(
                &compiled->observed_loops[i], &tally->loops[i], observation);
}

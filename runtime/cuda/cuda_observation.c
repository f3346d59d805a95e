// SPDX-License-Identifier: MIT
// What an observed kernel counts on a GPU: memory for it, as compiler/types/observed.h
// describes it, and what the host makes of it after the launch. All blocks are counted;
// loops, phases between barriers and sectors by block as far as there is room, and the
// rest is taken to be alike.
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "runtime/cuda/cuda_device.h"

enum {
    LANES = 32,
    MOST_COPIES = 32,
    MOST_LOOP_WORDS = 1 << 25,
    MOST_BLOCKS = 1 << 16,
    FEW_THREADS = 1 << 14,
    FEW_SECTORS = 1 << 20,
    MOST_SECTORS = 1 << 24,
};

_Static_assert(sizeof(struct observed_counts) == COUNTED_LOW * sizeof(int64_t),
        "a row begins with the counts");

struct cuda_counted {
    const struct compiled *compiled;
    uint64_t address;  // 0: it is given back
    size_t read_words; // that the host reads: all ahead of the sectors
    int64_t threads;   // of the grid
    int64_t *words;
};

static bool has_barriers(const struct compiled *compiled)
{
    for (size_t i = 0; i < compiled->observed_site_count; i++)
        if (compiled->observed_sites[i].kind == OBSERVED_BARRIER)
            return true;
    return false;
}

static int64_t at_most(int64_t number, int64_t most)
{
    return number < most ? number : most;
}

// The next part of the memory begins here.
static void place(int64_t *header, enum counted_header part, size_t *at, int64_t words)
{
    header[part] = (int64_t)*at;
    *at += (size_t)words;
}

// Lays the memory out; returns its size in words.
static size_t lay_out(
        struct cuda_counted *counted, const struct launch_config *config, int64_t *header)
{
    const struct compiled *compiled = counted->compiled;
    const int32_t *grid = config->grid_dim, *block = config->block_dim;
    int64_t blocks = (int64_t)grid[0] * grid[1] * grid[2];
    int64_t threads = (int64_t)block[0] * block[1] * block[2];
    int64_t sites = (int64_t)compiled->observed_site_count,
            parts = (int64_t)compiled->observed_part_count,
            loops = (int64_t)compiled->observed_loop_count;
    size_t at = COUNTED_HEADER_WORDS;
    counted->threads = blocks * threads;
    header[COUNTED_COPIES] = 1;
    while (header[COUNTED_COPIES] < MOST_COPIES && header[COUNTED_COPIES] < blocks)
        header[COUNTED_COPIES] *= 2;
    header[COUNTED_COPY_WORDS] = sites * COUNTED_ROW_WORDS + 2 * parts;
    header[COUNTED_THREADS] =
            loops ? at_most(counted->threads, MOST_LOOP_WORDS / (2 * loops)) : 0;
    header[COUNTED_BLOCKS] = has_barriers(compiled) ? at_most(blocks, MOST_BLOCKS) : 0;
    header[COUNTED_SECTORS] = counted->threads > FEW_THREADS ? MOST_SECTORS : FEW_SECTORS;
    header[COUNTED_EVENTS] = OBSERVED_MOST_TOLD;
    place(header, COUNTED_AT_ROWS, &at,
            header[COUNTED_COPIES] * header[COUNTED_COPY_WORDS]);
    header[COUNTED_AT_PARTS] = header[COUNTED_AT_ROWS] + sites * COUNTED_ROW_WORDS;
    place(header, COUNTED_AT_WEIGHTS, &at, parts);
    place(header, COUNTED_AT_LOOPS, &at, 2 * loops * header[COUNTED_THREADS]);
    place(header, COUNTED_AT_PHASES, &at,
            2 * COUNTED_PHASE_WORDS * header[COUNTED_BLOCKS]);
    place(header, COUNTED_AT_EVENTS, &at, COUNTED_EVENT_WORDS * header[COUNTED_EVENTS]);
    counted->read_words = at;
    place(header, COUNTED_AT_WARPS, &at,
            2 * header[COUNTED_BLOCKS] * ((threads + LANES - 1) / LANES));
    place(header, COUNTED_AT_SECTORS, &at, header[COUNTED_SECTORS]);
    return at;
}

// Zeroed but for the header and the weights.
static bool fill(struct cuda_counted *counted, size_t words, const int64_t *header,
        uint64_t variable, struct error *err)
{
    size_t parts = counted->compiled->observed_part_count;
    int64_t *weights = memory_zalloc((parts + 1) * sizeof *weights);
    observation_weigh(counted->compiled, weights);
    uint64_t at_weights =
            counted->address + (uint64_t)header[COUNTED_AT_WEIGHTS] * sizeof *weights;
    bool is_done =
            CUDA_CALL(err,
                    cuMemsetD8Async(counted->address, 0, words * sizeof *header, NULL)) &&
            CUDA_CALL(err, cuMemcpyHtoD(counted->address, header,
                                   COUNTED_HEADER_WORDS * sizeof *header)) &&
            CUDA_CALL(err, cuMemcpyHtoD(at_weights, weights, parts * sizeof *weights)) &&
            CUDA_CALL(err,
                    cuMemcpyHtoD(variable, &counted->address, sizeof counted->address)) &&
            CUDA_CALL(err, cuCtxSynchronize());
    free(weights);
    return is_done;
}

static void destroy(struct cuda_counted *counted)
{
    if (counted->address)
        cuda_driver.cuMemFree(counted->address);
    free(counted->words);
    free(counted);
}

struct cuda_counted *cuda_observation_begin(const struct compiled *compiled,
        const struct launch_config *config, uint64_t variable, struct error *err)
{
    int64_t header[COUNTED_HEADER_WORDS] = {0};
    struct cuda_counted *counted = memory_zalloc(sizeof *counted);
    counted->compiled = compiled;
    size_t words = lay_out(counted, config, header);
    if (CUDA_CALL(err, cuMemAlloc(&counted->address, words * sizeof *header)) &&
            fill(counted, words, header, variable, err))
        return counted;
    destroy(counted);
    error_note(err, "; to count this launch takes %zu MB of the device's memory",
            words * sizeof *header >> 20);
    return NULL;
}

// The row of a site, of all copies together.
static void add_up(const struct cuda_counted *counted, size_t site, int64_t *row)
{
    const int64_t *words = counted->words;
    memset(row, 0, COUNTED_ROW_WORDS * sizeof *row);
    for (int64_t copy = 0; copy < words[COUNTED_COPIES]; copy++) {
        const int64_t *one = words + words[COUNTED_AT_ROWS] +
                             copy * words[COUNTED_COPY_WORDS] +
                             (int64_t)site * COUNTED_ROW_WORDS;
        for (int i = 0; i < COUNTED_ROW_WORDS; i++) {
            bool is_extreme = i >= COUNTED_LOW && i <= COUNTED_FARTHEST;
            if (!is_extreme)
                row[i] += one[i];
            else if (one[i] > row[i])
                row[i] = one[i];
        }
    }
}

// Sectors for which there was no room are taken to be new as often as the others.
static int64_t all_distinct(const int64_t *row, const struct observed_counts *counts)
{
    int64_t seen = counts->sectors - row[COUNTED_MISSED];
    if (!row[COUNTED_MISSED] || seen < 1)
        return counts->distinct;
    return (int64_t)((double)counts->distinct * (double)counts->sectors / (double)seen);
}

static void report_site(const struct cuda_counted *counted, size_t number,
        struct observation *observation)
{
    const struct observed_site *site = &counted->compiled->observed_sites[number];
    int64_t row[COUNTED_ROW_WORDS];
    struct observed_counts counts;
    struct observed_range range = {0};
    add_up(counted, number, row);
    memcpy(&counts, row, sizeof counts);
    if (!counts.requests)
        return;
    counts.distinct = all_distinct(row, &counts);
    counts.changes =
            counts.even && COUNTED_FAR - row[COUNTED_NEAREST] != row[COUNTED_FARTHEST];
    if (row[COUNTED_HIGH])
        range = (struct observed_range){
                .low = COUNTED_FAR - row[COUNTED_LOW], .high = row[COUNTED_HIGH]};
    size_t index = observation_row(observation, site, site->line);
    observed_row_add(&observation->rows.items[index], &counts, &range);
}

static void report_part(
        const struct cuda_counted *counted, int part, struct observation *observation)
{
    const int64_t *words = counted->words;
    int64_t warps = 0, lanes = 0;
    for (int64_t copy = 0; copy < words[COUNTED_COPIES]; copy++) {
        const int64_t *pair = words + words[COUNTED_AT_PARTS] +
                              copy * words[COUNTED_COPY_WORDS] + 2 * part;
        warps += pair[0];
        lanes += pair[1];
    }
    observation_add_work(counted->compiled, part, 0, warps, lanes, observation);
}

static void report_loop(const struct cuda_counted *counted, size_t number,
        struct observation *observation)
{
    const int64_t *words = counted->words;
    int64_t threads = words[COUNTED_THREADS];
    const int64_t *entries =
            words + words[COUNTED_AT_LOOPS] + 2 * (int64_t)number * threads;
    struct observed_turns turns = {0};
    for (int64_t i = 0; i < threads; i++)
        observed_turns_add(&turns, entries[i], entries[threads + i]);
    if (threads < counted->threads) {
        double scale = (double)counted->threads / (double)threads;
        turns.entries = (int64_t)((double)turns.entries * scale);
        turns.turns = (int64_t)((double)turns.turns * scale);
    }
    observation_add_turns(
            &counted->compiled->observed_loops[number], &turns, observation);
}

// The latest phases, which no later barrier has counted.
static void report_phases(
        const struct cuda_counted *counted, struct observation *observation)
{
    const int64_t *words = counted->words, *phase = words + words[COUNTED_AT_PHASES];
    for (int64_t i = 0; i < 2 * words[COUNTED_BLOCKS]; i++) {
        const int64_t *one = phase + i * COUNTED_PHASE_WORDS;
        if (!one[2])
            continue;
        const struct observed_site *site = &counted->compiled->observed_sites[one[3]];
        struct observed_counts counts = {
                .work_most = one[0] * one[2], .work_sum = one[1]};
        struct observed_range none = {0};
        size_t index = observation_row(observation, site, site->line);
        observed_row_add(&observation->rows.items[index], &counts, &none);
    }
}

static void report_events(
        const struct cuda_counted *counted, struct observation *observation)
{
    const int64_t *words = counted->words, *event = words + words[COUNTED_AT_EVENTS];
    int64_t count = at_most(words[COUNTED_TOLD], words[COUNTED_EVENTS]);
    for (int64_t i = 0; i < count; i++, event += COUNTED_EVENT_WORDS) {
        const struct observed_site *site = &counted->compiled->observed_sites[event[0]];
        size_t index = observation_row(observation, site, site->line);
        vec_push(&observation->first_block, (struct observed_event){.row = (int32_t)index,
                                                    .line = site->line,
                                                    .thread = (int32_t)event[1],
                                                    .order = i,
                                                    .count = 1,
                                                    .turn = (uint64_t)event[2],
                                                    .what = event[3]});
    }
}

static void report(const struct cuda_counted *counted, const struct launch_config *config)
{
    const struct compiled *compiled = counted->compiled;
    struct observation *observation = config->observation;
    const int32_t *grid = config->grid_dim;
    observation_begin(observation, compiled, config);
    observation->observed_blocks += (int64_t)grid[0] * grid[1] * grid[2];
    for (size_t i = 0; i < compiled->observed_site_count; i++)
        report_site(counted, i, observation);
    for (size_t i = 0; i < compiled->observed_part_count; i++)
        report_part(counted, (int)i, observation);
    for (size_t i = 0; i < compiled->observed_loop_count; i++)
        report_loop(counted, i, observation);
    report_phases(counted, observation);
    report_events(counted, observation);
}

bool cuda_observation_end(struct cuda_counted *counted, bool is_launched,
        const struct launch_config *config, struct error *err)
{
    size_t size_bytes = counted->read_words * sizeof *counted->words;
    counted->words = is_launched ? memory_alloc(size_bytes) : NULL;
    bool is_done =
            is_launched &&
            CUDA_CALL(err, cuStreamSynchronize(cuda_stream_of(config->stream))) &&
            CUDA_CALL(err, cuMemcpyDtoH(counted->words, counted->address, size_bytes));
    if (is_done)
        report(counted, config);
    destroy(counted);
    return is_done;
}

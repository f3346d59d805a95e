// SPDX-License-Identifier: MIT
// What the host makes of an observed kernel's counts, which the test writes where the
// kernel would.
#include "tests/unit/test.h"

#include <string.h>

#include "runtime/cuda/cuda_device.h"
#include "tests/unit/fake_device.h"

enum { SITES = 2, PARTS = 3 };

// A load, and a barrier; a loop of which one part is the first of each turn.
static const struct observed_site sites[SITES] = {
        {.kind = OBSERVED_LOAD, .space = OBSERVED_GLOBAL, .item_bytes = 4, .line = 7},
        {.kind = OBSERVED_BARRIER, .part = 1, .line = 8}};
static const struct observed_work works[] = {
        {.part = 1, .line = 8, .instructions = {[CLASS_FP32] = 2}, .flops = {[1] = 4}}};
static const struct observed_loop_site loops[] = {{.line = 9, .entries = 2, .turns = 1}};
static const struct compiled compiled = {.static_shared_bytes = 16,
        .observed_sites = sites,
        .observed_site_count = SITES,
        .observed_works = works,
        .observed_work_count = 1,
        .observed_part_count = PARTS,
        .observed_loops = loops,
        .observed_loop_count = 1};

static int64_t *row_of(int64_t *words, int64_t copy, int64_t site)
{
    return words + words[COUNTED_AT_ROWS] + copy * words[COUNTED_COPY_WORDS] +
           site * COUNTED_ROW_WORDS;
}

static void touch(int64_t *row, int64_t first, int64_t end, int64_t stride)
{
    row[0] += 1;  // requests
    row[1] += 32; // lanes
    row[3] += 8;  // sectors
    row[5] += 3;  // of them new
    row[8] += 1;  // even
    row[9] += stride;
    row[COUNTED_LOW] = COUNTED_FAR - first;
    row[COUNTED_HIGH] = end;
    row[COUNTED_NEAREST] = COUNTED_FAR - stride;
    row[COUNTED_FARTHEST] = stride;
}

// Two blocks of 64 threads.
static void count(int64_t *words)
{
    touch(row_of(words, 0, 0), 4096, 4224, 4);
    touch(row_of(words, 1, 0), 1024, 1280, 8);
    row_of(words, 1, 0)[COUNTED_MISSED] = 4;
    row_of(words, 0, 1)[0] = 2;
    int64_t *parts = words + words[COUNTED_AT_PARTS] + 2;
    parts[0] = 3, parts[1] = 90;
    parts += words[COUNTED_COPY_WORDS];
    parts[0] = 2, parts[1] = 64;
    int64_t *phase = words + words[COUNTED_AT_PHASES] + COUNTED_PHASE_WORDS;
    phase[0] = 10, phase[1] = 15, phase[2] = 2, phase[3] = 1;
    int64_t *entries = words + words[COUNTED_AT_LOOPS];
    entries[0] = entries[127] = 1;
    entries[128] = 5, entries[255] = 2;
    words[COUNTED_TOLD] = 1;
    int64_t *event = words + words[COUNTED_AT_EVENTS];
    event[0] = 0, event[1] = 3, event[2] = 77, event[3] = 4096;
}

DEVICE_TEST(counts_of_a_kernel_are_put_together)
{
    struct observation observation = {0};
    struct launch_config config = {.grid_dim = {2, 1, 1},
            .block_dim = {64, 1, 1},
            .dynamic_shared_bytes = 4,
            .observation = &observation};
    uint64_t variable = 0;
    int before = fake()->seen->live;
    REQUIRE(operations && cuda_enter(device, err));
    struct cuda_counted *counted = cuda_observation_begin(
            &compiled, &config, (uint64_t)(uintptr_t)&variable, err);
    REQUIRE(counted && variable);
    int64_t *words = (int64_t *)(uintptr_t)variable;
    CHECK_INT(words[COUNTED_COPIES], 2);
    CHECK_INT(words[COUNTED_THREADS], 128);
    CHECK_INT(words[COUNTED_BLOCKS], 2);
    CHECK_INT(words[words[COUNTED_AT_WEIGHTS] + 1], 2);
    count(words);
    CHECK(cuda_observation_end(counted, true, &config, err));
    CHECK_INT(fake()->seen->live, before);
    CHECK_INT(observation.blocks, 2);
    CHECK_INT(observation.observed_blocks, 2);
    CHECK_INT(observation.shared_bytes, 20);
    REQUIRE(observation.rows.len == 2);
    const struct observed_row *load = &observation.rows.items[0],
                              *barrier = &observation.rows.items[1];
    CHECK_INT(load->line, 7);
    CHECK_INT(load->counts.requests, 2);
    CHECK_INT(load->counts.distinct, 8); // 6 of 12 that there was room for, of 16
    CHECK_INT(load->counts.changes, 1);
    CHECK_INT(load->range.low, 1024);
    CHECK_INT(load->range.high, 4224);
    CHECK_INT(barrier->counts.work_most, 20);
    CHECK_INT(barrier->counts.work_sum, 15);
    REQUIRE(observation.works.len == 1 && observation.loops.len == 1);
    CHECK_INT(observation.works.items[0].warps[CLASS_FP32], 10);
    CHECK_INT(observation.works.items[0].flops[1], 4 * 154);
    CHECK_INT(observation.loops.items[0].turns, 7);
    CHECK(observation.loops.items[0].least == 2 && observation.loops.items[0].most == 5);
    REQUIRE(observation.first_block.len == 1);
    CHECK_INT(observation.first_block.items[0].thread, 3);
    vec_finish(&observation.rows);
    vec_finish(&observation.works);
    vec_finish(&observation.loops);
    vec_finish(&observation.first_block);
}

DEVICE_TEST(a_launch_that_cannot_be_counted_leaves_nothing)
{
    struct observation observation = {0};
    struct launch_config config = {
            .grid_dim = {2, 1, 1}, .block_dim = {64, 1, 1}, .observation = &observation};
    uint64_t variable = 0, at = (uint64_t)(uintptr_t)&variable;
    int before = fake()->seen->live;
    REQUIRE(operations && cuda_enter(device, err));
    fake()->fail("cuMemAlloc", 2);
    CHECK(!cuda_observation_begin(&compiled, &config, at, err));
    CHECK(strstr(err->message, "OUT_OF_MEMORY"));
    *err = (struct error){0};
    struct cuda_counted *counted = cuda_observation_begin(&compiled, &config, at, err);
    REQUIRE(counted);
    CHECK(!cuda_observation_end(counted, false, &config, err));
    CHECK_INT(fake()->seen->live, before);
    CHECK_INT(observation.rows.len, 0);
}

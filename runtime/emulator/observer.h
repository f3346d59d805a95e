// SPDX-License-Identifier: MIT
// Counts what an observed kernel does as the memory system and the warps of a GPU would
// see it: codegen/body/observe.c tells of each access and branch of each thread.
#pragma once

#include "runtime/device/device.h"

struct observer;

// What one thread of the CPU counts, of blocks of so many threads. Its memory outlives
// the launch: fresh pages cost more than small launches.
struct observer *observer_create(void);
void observer_begin(
        struct observer *observer, const struct compiled *compiled, size_t threads);
void observer_destroy(struct observer *observer);
// The block that runs next tells this observer what it does.
void observer_join(struct observer *observer, struct abi_emulated_block *block);
// A block has ended: its warps are counted.
void observer_end_block(struct observer *observer);
// Adds all to the observation of the launch, on which nobody else works meanwhile.
void observer_report(struct observer *observer, struct observation *observation);

// sample.c: of large grids, which blocks are observed, and what that says of the others.
struct sample {
    struct observation *counted; // where blocks that run now are reported
    int64_t blocks, wanted;      // of the grid; of these, if it is a part: else 0
    struct observation *whole, part;
};
// When the first block has been counted; false: all are to be.
bool sample_choose(struct sample *sample);
bool sample_wants(const struct sample *sample, int64_t block);
// All but the last block have run, or some, which says nothing of the others.
void sample_end(struct sample *sample, bool is_whole);

// Called by compiled code, where it does not count by itself (struct observed_track).
// `what`: the address, or whether a branch takes its first way.
void gridcell_observe(struct abi_emulated_block *block, int32_t site, int32_t line,
        int32_t thread, int64_t turn, int64_t what);
// Of sites of a loop, whose turn 0 is told by `turn`; within a turn, which takes so much
// of the order, they are told one after the other.
void gridcell_observe_runs(struct abi_emulated_block *block,
        const struct observed_run *runs, int32_t count, int32_t thread, int64_t turn,
        int64_t order, int64_t order_step);

struct footprint;
struct place;

// footprint.c: which sectors the places of a block have touched so far. An empty one for
// the next block.
struct footprint *footprint_create(void);
void footprint_destroy(struct footprint *footprint);
void footprint_clear(struct footprint *footprint);
// Between launches: gives much memory back.
void footprint_forget(struct footprint *footprint);
// Adds what requests of the place's pattern touch, the first lane from `first` on by
// steps; returns how many sectors are new at the place.
int64_t footprint_add(struct footprint *footprint, const struct place *place,
        int64_t first, int64_t step, int64_t times);

struct tally;

// tally.c: how often the threads of a block come to each part of the kernel.
struct tally *tally_create(void);
void tally_begin(struct tally *tally, const struct compiled *compiled, size_t threads);
void tally_destroy(struct tally *tally);
int64_t *tally_slots(struct tally *tally);
// A warp has come to a part at least so often, as what it told there says.
void tally_note(struct tally *tally, int part, int64_t times);
// Counts what a warp has done since the last time; returns how many instructions.
int64_t tally_take_warp(struct tally *tally, int32_t warp);
void tally_end_block(struct tally *tally);
void tally_report(const struct tally *tally, struct observation *observation);

// warp_access.c: what one access of a warp costs, in sectors, wavefronts and conflicts.
// `what`: by lane.
void warp_access_count(const struct observed_site *site, uint32_t lanes,
        const int64_t *what, struct observed_counts *counts);

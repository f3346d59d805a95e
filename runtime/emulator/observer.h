// SPDX-License-Identifier: MIT
// Counts what an observed kernel does as the memory system and the warps of a GPU would
// see it: codegen/body/observe.c tells of each access and branch of each thread.
#pragma once

#include "runtime/device/device.h"

struct observer;

// What one thread of the CPU counts; `thread_bytes`: how far apart the threads of a block
// keep their local memory, 0: it is one thread's after the other.
struct observer *observer_create(const struct compiled *compiled, size_t thread_bytes);
void observer_destroy(struct observer *observer);
// A block has ended: its warps are counted.
void observer_end_block(struct observer *observer);
// Adds all to the observation of the launch, on which nobody else works meanwhile.
void observer_report(struct observer *observer, struct observation *observation);

// Whether a block of a grid is one of the `wanted` that are observed: the first, and one
// of each of equal parts of the rest, at no regular distance.
bool observer_wants(int64_t block, int64_t blocks, int64_t wanted);

// Called by compiled code. `what`: the address, or whether a branch takes its first way.
void gridcell_observe(struct abi_emulated_block *block, int32_t site, int32_t line,
        int32_t thread, int64_t turn, int64_t what);

struct footprint;

// footprint.c: which sectors the places of a block have touched so far. An empty one for
// the next block.
struct footprint *footprint_create(void);
void footprint_destroy(struct footprint *footprint);
void footprint_clear(struct footprint *footprint);
// Adds what an access of a warp touches; returns how many sectors are new at the place.
int footprint_add(struct footprint *footprint, const struct observed_site *site,
        uint32_t lanes, const int64_t *what);

// warp_access.c: what one access of a warp costs. `what`: by lane.
void warp_access_count(const struct observed_site *site, uint32_t lanes,
        const int64_t *what, struct observed_counts *counts);

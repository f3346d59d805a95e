// SPDX-License-Identifier: MIT
// Inside of the emulated device: its memory and its launches.
#pragma once

#include "compiler/abi.h"
#include "runtime/device/device.h"

enum {
    EMULATOR_MAX_THREADS_PER_BLOCK = 1024,
    EMULATOR_MAX_BLOCK_Z = 64,
    EMULATOR_MAX_GRID_YZ = 65535,
    EMULATOR_MAX_AT_ONCE = 1 << 20, // threads of a grid whose blocks wait for each other
    EMULATOR_SHARED_BYTES = 48 * 1024,
    EMULATOR_WARP_SIZE = 32,
};

struct emulated_memory;

// Device memory that is host memory, accounted for against `total_bytes`. Freed blocks
// are kept for the next allocation of their size, up to a limit.
struct emulated_memory *emulated_memory_create(size_t total_bytes);
void emulated_memory_destroy(struct emulated_memory *memory);
bool emulated_memory_alloc(struct emulated_memory *memory, size_t size_bytes,
        device_address *address, struct error *err);
bool emulated_memory_free(
        struct emulated_memory *memory, device_address address, struct error *err);
void emulated_memory_info(
        struct emulated_memory *memory, size_t *free_bytes, size_t *total_bytes);
// GRIDCELL_EMULATOR_MEMORY in bytes (with K, M or G), else half of the machine's memory.
size_t emulated_memory_default_total(void);

struct emulated_scratch;

// What the blocks of a launch use besides their arguments, kept from launch to launch.
struct emulated_scratch *emulated_scratch_create(void);
void emulated_scratch_destroy(struct emulated_scratch *scratch);

// Runs a kernel over its whole grid and returns when it has ended. An exception raised by
// a thread comes back under its own kind with the number of its raise site + 1 in
// err->code.
bool emulated_launch(struct emulated_scratch *scratch, const struct compiled *compiled,
        const struct launch_config *config, const void *args, struct error *err);

// "Call to <call> results in CUDA_ERROR_<name>"; returns false.
bool emulated_error(struct error *err, int code, const char *call);

// shared_check.c: shared memory under debug
// What is known of the block's shared memory; for a block, all unwritten.
struct abi_shadow *shadow_create(size_t shared_bytes);
void shadow_begin(struct abi_shadow *shadow);
void shadow_destroy(struct abi_shadow *shadow);
// The other thread of the last finding (-1: there is none) and its line (0: it ended).
void shadow_other(const struct abi_shadow *shadow, int32_t *thread, int32_t *line);
// Called by compiled code; they return a status, from the raise site `site` on.
int32_t gridcell_check_shared(struct abi_emulated_block *block, const void *address,
        const void *stored, int64_t size_bytes, int32_t access, int32_t thread,
        int32_t line, int32_t site);
int32_t gridcell_check_round(struct abi_emulated_block *block, int64_t slot_bytes,
        int32_t is_warp_only, int32_t site);
void gridcell_check_warp(struct abi_emulated_block *block, int32_t thread);

// emulated_meeting.c: compiled code asks after each wake whether its meeting is over
int32_t gridcell_meeting(struct abi_emulated_thread *self);

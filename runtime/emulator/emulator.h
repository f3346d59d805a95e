// SPDX-License-Identifier: MIT
// Inside of the emulated device: its memory and its launches.
#pragma once

#include "compiler/types/abi.h"
#include "runtime/device/device.h"

enum {
    EMULATOR_MAX_THREADS_PER_BLOCK = 1024,
    EMULATOR_MAX_BLOCK_Z = 64,
    EMULATOR_MAX_GRID_YZ = 65535,
    EMULATOR_MAX_AT_ONCE = 1 << 20, // threads of a grid whose blocks wait for each other
    // of a block, as devices of compute capability 8.0 have it: in the kernel's arrays,
    // and with what the launch adds
    EMULATOR_SHARED_BYTES = 48 * 1024,
    EMULATOR_SHARED_OPTIN_BYTES = 163 * 1024,
    EMULATOR_WARP_SIZE = 32,
};

// A device that lives for ever; `id` is its number.
struct device *emulated_device_create(int id);

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
// Gives cached blocks back to the system, but for `keep_bytes`.
void emulated_memory_trim(struct emulated_memory *memory, size_t keep_bytes);
// The block that an address lies in.
bool emulated_memory_range(struct emulated_memory *memory, device_address address,
        device_address *start, size_t *size_bytes, struct error *err);
// The end of a context: all memory counts as free. Blocks stay readable until they are
// forgotten, so that a thread that still uses one does no harm.
void emulated_memory_reset(struct emulated_memory *memory);
void emulated_memory_forget(struct emulated_memory *memory, device_address address);

// Memory that other processes can open by a handle (emulated_ipc.c). A block of it is
// freed like any other.
bool emulated_memory_alloc_shared(struct emulated_memory *memory, size_t size_bytes,
        device_address *address, struct error *err);
bool emulated_ipc_export(struct emulated_memory *memory, device_address address,
        unsigned char handle[IPC_HANDLE_BYTES], struct error *err);
bool emulated_ipc_open(struct emulated_memory *memory,
        const unsigned char handle[IPC_HANDLE_BYTES], device_address *address,
        struct error *err);
bool emulated_ipc_close(
        struct emulated_memory *memory, device_address address, struct error *err);
// For emulated_ipc.c: a mapped block, which is unmapped when it is freed. `fd` -1:
// another process's, not accounted for. Takes both.
bool emulated_memory_adopt(struct emulated_memory *memory, device_address address,
        size_t size_bytes, int fd, struct error *err);
// The file of a mapped block of our own; -1 when there is no such block at the address.
int emulated_memory_file(
        struct emulated_memory *memory, device_address address, size_t *size_bytes);

struct emulated_host;

// Host memory that the device knows (emulated_host.c).
struct emulated_host *emulated_host_create(void);
void emulated_host_destroy(struct emulated_host *host);
bool emulated_host_alloc(
        struct emulated_host *host, struct host_memory *memory, struct error *err);
void emulated_host_free(
        struct emulated_host *host, struct host_memory *memory, bool is_live);
bool emulated_host_is_pageable(struct emulated_host *host, const void *memory);
void emulated_host_reset(struct emulated_host *host);

// GRIDCELL_EMULATOR_MEMORY in bytes (with K, M or G), else half of the machine's memory.
size_t emulated_memory_default_total(void);

// Copies of the arrays that a kernel only counts in, for one thread of the CPU; NULL
// where they are not worth it, or overlap with other arguments.
struct counters *counters_open(
        const struct compiled *compiled, const void *args, int64_t threads);
// The kernel's arguments with these copies in place.
const void *counters_arguments(const struct counters *counters);
// Adds the copies to the arrays.
void counters_close(struct counters *counters);

struct emulated_scratch;

// What the blocks of a launch use besides their arguments, kept from launch to launch.
struct emulated_scratch *emulated_scratch_create(void);
void emulated_scratch_destroy(struct emulated_scratch *scratch);

// Runs a kernel over its whole grid and returns when it has ended. An exception raised by
// a thread comes back under its own kind with the number of its raise site + 1 in
// err->code.
// The most threads that a block of the kernel may have.
int emulated_max_threads(const struct compiled *compiled);
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

// SPDX-License-Identifier: MIT
// The function that runs a block of threads on the emulated device, while it is emitted:
// what its two forms, a loop over threads and rounds of coroutines, share.
#pragma once

#include "compiler/backends/backend.h"
#include "compiler/codegen/body/counted_loop.h"
#include "compiler/codegen/emulated/lanes.h"

// Opened by emulator.c: i32 name(block, args), its arguments loaded.
struct block_entry {
    struct body body; // of the wrapper
    struct codegen *gen;
    const struct ir_function *ir;
    value block; // struct abi_emulated_block *
    value *args; // leaves
    size_t arg_count;
    value extent[3];          // block_dim, int64
    bool syncs_grid;          // its threads may all come to wait for the grid
    bool joins_blocks;        // blocks side by side may run as one
    LLVMBasicBlockRef failed; // where loops over threads leave the block; or NULL
};

// A field of struct abi_emulated_block.
value block_field(struct block_entry *entry, LLVMTypeRef type, size_t offset);
// Returns success; the last thing that is emitted.
void block_close(struct block_entry *entry);
// Returns a thread's error, noting which thread it was.
void block_return_failure(
        struct block_entry *entry, value status, const value *coordinates);
// Returns when the runtime asks to stop.
void block_check_stop(struct block_entry *entry);
// Arguments of a kernel or thread function: one pointer, the hidden four, the leaves.
value *block_thread_args(
        struct block_entry *entry, value first, const value *coordinates);
// x, y, z of a thread by its number.
void block_coordinates(struct block_entry *entry, value number, value *coordinates);

// A loop over the rows of the block's threads, which differ in x alone.
struct row_loop {
    struct counted_loop loop;
    value coordinates[3]; // y and z, int32; x is NULL
    value first;          // number of its first thread, int64
};
void block_rows_open(struct block_entry *entry, struct row_loop *rows);
void block_rows_close(struct block_entry *entry, struct row_loop *rows);
// The same with a loop over the threads of a row in it.
struct thread_loops {
    struct row_loop rows;
    struct counted_loop loop;
    value coordinates[3]; // x, y, z as int32
    value number;         // int64
};
void block_threads_open(struct block_entry *entry, struct thread_loops *threads);
void block_threads_close(struct block_entry *entry, struct thread_loops *threads);
// How LLVM should vectorise a loop over the threads of a row.
enum parallel_kind block_parallel_kind(void);
// Where loops over threads note the first failure, by the thread's number (int64); the
// block is left after the loop.
value block_failure_slot(struct block_entry *entry);
void block_note_failure(
        struct block_entry *entry, value number, value slot, value status);
void block_leave_on_failure(struct block_entry *entry, value slot);

// emulator/rows.c: the rest of the function as loops over the threads
void emulated_loop_emit(struct block_entry *entry, const struct callee *kernel);
// Turn after turn of the kernel's loop with this header, each over all threads.
void emulated_turns_emit(struct block_entry *entry, const struct ir_block *header);

// A row of threads: those that take the usual way in a loop of their own, then the
// others. `emit` emits the thread `lane` (int32) of a loop; with `lanes` it may take for
// granted what they allow.
struct row_work {
    bool (*emit)(struct row_work *work, value lane, struct lanes *lanes);
    value any;     // slot, of work for one turn: whether some thread had it; or NULL
    bool is_plain; // no thread takes anything for granted
    bool is_usual; // while `emit` is called
    LLVMBasicBlockRef first; // of the usual loop's body
    value back_edge;         // of the usual loop
};
bool block_row_emit(struct block_entry *entry, value count, struct row_work *work);

// emulator/rounds.c: the rest of the function as rounds over coroutines. `frame_bytes`
// names a global of the module; the thread function gets the name `thread`.
void emulated_rounds_emit(
        struct block_entry *entry, const char *thread, const char *frame_bytes);
// After optimisation: settles the frame's size, and returns the bytes to set aside for a
// thread.
size_t emulated_rounds_slot_bytes(LLVMModuleRef module, const char *frame_bytes);

// emulator/segments.c: the rest of the function as loops over the threads, one for each
// segment; returns the bytes to set aside for a thread.
struct segments;
size_t emulated_segments_emit(struct block_entry *entry, const struct segments *segments);

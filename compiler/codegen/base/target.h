// SPDX-License-Identifier: MIT
// What differs between targets: the CPU (target_host.c), the emulated device
// (emulated/target_emulator.c) and GPUs (cuda/target_gpu.c). Rooms below those that
// define a target reach it through this table alone.
#pragma once

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "compiler/ir/ir.h"
#include "compiler/types/abi.h"
#include "compiler/types/source.h"

struct codegen;
struct body;

enum barrier_scope { BARRIER_WARP = 1, BARRIER_BLOCK = 2, BARRIER_GRID = 3 };

// A function that may be NULL is one that the target can do without.
struct target {
    enum target_kind kind;
    const char *triple, *data_layout; // NULL: the host's
    size_t hidden_count;
    // The types of the hidden parameters.
    void (*hidden_types)(struct codegen *gen, LLVMTypeRef *types, const char **names);
    // Writes the name of the library function for a math primitive on floats of 32 or 64
    // bits.
    void (*math_symbol)(enum ir_primitive primitive, int bits, char *name, size_t size);
    // Adds what the optimiser may know of a math function just declared; may be NULL.
    void (*describe_math)(struct codegen *gen, LLVMValueRef function,
            enum ir_primitive primitive, int bits, unsigned param_count);
    // Coordinates: CUDA_THREAD_IDX, BLOCK_IDX, BLOCK_DIM, GRID_DIM as int32; NULL off
    // CUDA.
    LLVMValueRef (*geometry)(struct body *body, enum ir_primitive primitive, int axis);
    // Pointer to the `size` bytes shared by the block that an instruction names: static
    // ones (size > 0), the same wherever it is emitted again, or the dynamic ones.
    LLVMValueRef (*shared_memory)(struct body *body, const struct ir_instr *instr,
            size_t size_bytes, size_t alignment);
    LLVMValueRef (*dynamic_shared_bytes)(struct body *body);
    void (*barrier)(struct body *body, enum barrier_scope scope);
    // Where a thread keeps the limit of its stack, from its base; NULL or 0: nowhere.
    uintptr_t (*stack_limit_offset)(void);
    // Whether arrays that the kernel only counts in are the CPU thread's own; NULL:
    // never.
    LLVMValueRef (*counts_apart)(struct body *body);
    // What the flag that loops poll says now: int32, not 0 where they are to stop. NULL:
    // loops are not interruptible.
    LLVMValueRef (*stop_flag)(struct body *body);
    // Asked by code which saw that flag set: a status, STATUS_OK if it is to go on. NULL:
    // STATUS_INTERRUPTED.
    LLVMValueRef (*poll_answer)(struct body *body);
    // Ends the thread which saw that flag set; NULL: functions return that status.
    void (*end_thread)(struct body *body);
    // Turns of an innermost counted loop between two polls, 0: such loops do not poll;
    // and of other loops, a power of 2.
    int strip_turns, loop_turns;
    void (*print)(struct body *body, const struct ir_instr *instr);
    // Whether the code may rely on an index to be in range, because it is asked about
    // elsewhere; NULL: never.
    bool (*assume_index)(
            struct body *body, const struct ir_instr *index, LLVMValueRef extent);
    // Before an access to an array's item at `address`, of which `stored` holds the
    // leaves to be stored: looks for races on shared memory. NULL: nobody looks.
    void (*check_access)(struct body *body, const struct type *array,
            LLVMValueRef address, enum abi_access access, const LLVMValueRef *stored,
            struct span span);
    // Of an observed kernel (body/observe.c), where its warps count for themselves: what
    // a thread does at a site; that it has come to a part; to a loop, or for another
    // turn, so many times. NULL: each thread tells all to a function of the runtime.
    void (*tell_site)(struct body *body, int site, LLVMValueRef turn, LLVMValueRef what);
    void (*tell_part)(struct body *body, int part, LLVMValueRef turn);
    void (*tell_loop)(struct body *body, int loop, bool is_turn, LLVMValueRef times);
    // Whether a range has the item of the one turn that the body is emitted for, and at
    // `position` the item; NULL where no body is emitted for one turn.
    LLVMValueRef (*turn_item)(struct body *body, const struct ir_instr *iternext,
            const struct type *range, const LLVMValueRef *leaves, LLVMValueRef *position);
};

extern const struct target target_host, target_emulator, target_gpu;

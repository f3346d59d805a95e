// SPDX-License-Identifier: MIT
// Kernels that tell the emulated device what each thread does (runtime/emulator/
// observer.c). Nothing here emits anything for other kernels.
#pragma once

#include "compiler/codegen/base/body.h"

// The thread's number in its block: x fastest, then y, then z.
value observe_thread_number(struct body *body);

// Whether a function is of the library that counts for observed kernels on a GPU.
bool observe_is_counting(const struct codegen *gen, const struct ir_function *function);

// Of a body: which turn of which loops a thread is in, as a number that is the same for
// threads that are in the same turn.
void observe_open(struct body *body);
// At the start of a block, ahead of its phis and behind them.
void observe_phis(struct body *body, const struct ir_block *block);
void observe_enter(struct body *body, const struct ir_block *block);
// When all blocks are emitted: `source` says which block of LLVM an edge comes from.
void observe_close(struct body *body,
        LLVMBasicBlockRef (*source)(const struct body *body, const struct ir_block *from,
                const struct ir_block *to));

void observe_access(struct body *body, const struct type *array, value address,
        enum abi_access access, struct span span);
// Before the branch: `condition` chooses the first way.
void observe_branch(struct body *body, value condition, struct span span);
void observe_barrier(struct body *body, struct span span);
// Before a call, for the callee's body.
void observe_call(struct body *body, const struct ir_instr *call);

// Adds to how often the thread has come to a part.
void observe_count(struct body *body, int part, value times);

// Lines that code is counted for which are none: each instruction's own; the one that the
// code tells when it runs, of a function of the library.
enum { OWN_LINES = -1, TOLD_LINE = 0 };

// observe_work.c: lists what a block computes by lines, or for one line, unless it has
// been listed.
void observe_list_work(struct codegen *gen, int part, const struct ir_block *block,
        const char *file, int32_t line);

// SPDX-License-Identifier: MIT
// Where code with line hooks (codegen/body/line_hook.c) stops for a debugger. One thread
// of the CPU stands at a time; others that come to a line meanwhile wait there. A thread
// that stands keeps its records (struct debug_frame) as they are until it goes on.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/types/debug_frame.h"

enum debug_reason {
    DEBUG_NO_REASON,
    DEBUG_BREAKPOINT,
    DEBUG_STEP,
    DEBUG_CALL, // of breakpoint()
};

// How far a thread that stood goes.
enum debug_step {
    DEBUG_CONTINUE,
    DEBUG_INTO,
    DEBUG_OVER,
    DEBUG_OUT,
    DEBUG_TO_BARRIER, // and past it
};

// What the program around has to say; set once, before code runs. NULL: nothing.
struct debug_host {
    // Between these two the thread holds no lock of the program's that others need.
    void *(*leave)(void);
    void (*come_back)(void *left);
    // Whether a breakpoint's condition is true where the thread is.
    bool (*holds)(const struct debug_frame *frame, const char *condition);
    // The thread stands; and goes on, by itself because of an interrupt.
    void (*stopped)(const struct debug_frame *frame, enum debug_reason reason);
    void (*resumed)(bool is_interrupted);
    // A thread has raised: of those of a launch on the emulated device that did, the
    // first one so far. NULL: what was raised on the host was handled.
    void (*failed)(const struct debug_frame *frame);
};
void stops_set_host(const struct debug_host *host);
// Makes the functions below known to compiled code.
void stops_define(void);

struct debug_breakpoint {
    int line;
    const char *condition; // NULL: always
};
// Exchanges the breakpoints of a file.
void stops_set_breakpoints(
        const char *file, const struct debug_breakpoint *list, size_t count);
void stops_clear_breakpoints(void);

// Of another thread than the one that stands, or of that one while `stopped` runs. False:
// none stands.
bool stops_resume(enum debug_step step);
// Goes on to the first line of a thread of the launch that has not begun.
bool stops_go_to(const int32_t block[3], const int32_t thread[3]);

// The record of the innermost call of the thread that stands, or NULL. It keeps standing
// until stops_end_reading.
const struct debug_frame *stops_begin_reading(void);
void stops_end_reading(void);

enum debug_place {
    DEBUG_HERE,  // it is the one that stands
    DEBUG_WAITS, // at a barrier; `frame` is set
    DEBUG_ENDED,
    DEBUG_PENDING, // has not begun
};
// While reading: where another thread of the emulated device is.
enum debug_place stops_find(const int32_t block[3], const int32_t thread[3],
        const struct debug_frame **frame);

// A launch of a kernel with line hooks on the emulated device. Whether its blocks are to
// run one by one, in order.
bool stops_begin_launch(void);
void stops_end_launch(void);

// --- Called by compiled code

extern _Atomic int32_t gridcell_debug_armed;          // each line is told of
void gridcell_debug_begin(struct debug_frame *frame); // of a thread of the device
void gridcell_debug_enter(struct debug_frame *frame);
void gridcell_debug_line(struct debug_frame *frame);
void gridcell_debug_stop(struct debug_frame *frame);
void gridcell_debug_wait(struct debug_frame *frame);
void gridcell_debug_wake(struct debug_frame *frame);
// The call ends with an exception; it owns its values still.
void gridcell_debug_fail(struct debug_frame *frame, int32_t status);
void gridcell_debug_leave(struct debug_frame *frame, int32_t status);

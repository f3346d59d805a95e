// SPDX-License-Identifier: MIT
// Where debuggers stop, with records written by hand as code with line hooks keeps them.
#include "runtime/debugger/stops.h"

#include <pthread.h>
#include <string.h>

#include "compiler/support/interrupt.h"
#include "compiler/support/support.h"
#include "compiler/support/trace.h"
#include "compiler/types/abi.h"
#include "tests/unit/test.h"

static const struct debug_function outer_function = {
        .name = "outer", .file = "a.py", .first_line = 1};
static const struct debug_function inner_function = {
        .name = "inner", .file = "a.py", .first_line = 10};

// What the host was told, and what it says to go on.
static struct {
    int stops, resumes, interrupts, failures, forgotten;
    int lines[64];
    enum debug_reason reasons[64];
    enum debug_step steps[64];
    int32_t threads[64];
    bool is_asked_to_interrupt;
} seen;

static void take_stop(const struct debug_frame *frame, enum debug_reason reason)
{
    seen.lines[seen.stops] = frame->line;
    seen.reasons[seen.stops] = reason;
    seen.threads[seen.stops] = frame->thread[0];
    CHECK(stops_begin_reading() == frame);
    stops_end_reading();
    if (seen.is_asked_to_interrupt)
        compiler_interrupt_flag = 1;
    else
        CHECK(stops_resume(seen.steps[seen.stops]));
    seen.stops++;
}

static void take_resume(bool is_interrupted)
{
    seen.resumes++;
    seen.interrupts += is_interrupted;
}

static bool is_even_line(const struct debug_frame *frame, const char *condition)
{
    CHECK_STR(condition, "even");
    return frame->line % 2 == 0;
}

static void take_failure(const struct debug_frame *frame)
{
    seen.failures += frame != NULL;
    seen.forgotten += !frame;
    if (frame) {
        seen.threads[0] = frame->thread[0];
        seen.lines[0] = frame->line;
    }
}

static void begin(void)
{
    static const struct debug_host host = {.holds = is_even_line,
            .stopped = take_stop,
            .resumed = take_resume,
            .failed = take_failure};
    memset(&seen, 0, sizeof seen);
    stops_set_host(&host);
    stops_clear_breakpoints();
}

// As compiled code does it: the call only while the flag is set.
static void come_to(struct debug_frame *frame, int line)
{
    frame->line = line;
    if (gridcell_debug_armed)
        gridcell_debug_line(frame);
}

// Lines 11 and 12 of a call.
static void run_inner(void)
{
    struct debug_frame frame = {.function = &inner_function};
    gridcell_debug_enter(&frame);
    come_to(&frame, 11);
    come_to(&frame, 12);
    gridcell_debug_leave(&frame, STATUS_OK);
}

// Lines 2 to 4, of which 3 calls.
static void run_outer(void)
{
    struct debug_frame frame = {.function = &outer_function};
    gridcell_debug_enter(&frame);
    come_to(&frame, 2);
    come_to(&frame, 3);
    run_inner();
    come_to(&frame, 3); // what the line does behind its call
    come_to(&frame, 4);
    gridcell_debug_leave(&frame, STATUS_OK);
}

static void check_lines(const int *lines, int count)
{
    CHECK_INT(seen.stops, count);
    for (int i = 0; i < count; i++)
        CHECK_INT(seen.lines[i], lines[i]);
    CHECK_INT(seen.resumes, count);
    CHECK_INT(gridcell_debug_armed != 0, seen.stops > 0);
}

TEST(nothing_is_asked_without_breakpoints)
{
    begin();
    run_outer();
    check_lines(NULL, 0);
}

static void run_steps(int first, enum debug_step step, const int *lines, int count)
{
    begin();
    for (int i = 0; i < 64; i++)
        seen.steps[i] = step;
    stops_set_breakpoints("a.py", &(struct debug_breakpoint){.line = first}, 1);
    run_outer();
    check_lines(lines, count);
    CHECK_INT(seen.reasons[0], DEBUG_BREAKPOINT);
    for (int i = 1; i < count; i++)
        CHECK_INT(seen.reasons[i], DEBUG_STEP);
}

TEST(steps_into_over_and_out)
{
    run_steps(2, DEBUG_CONTINUE, (int[]){2}, 1);
    run_steps(2, DEBUG_OVER, (int[]){2, 3, 4}, 3);
    run_steps(2, DEBUG_INTO, (int[]){2, 3, 11, 12, 4}, 5);
    run_steps(11, DEBUG_OUT, (int[]){11, 4}, 2);
    run_steps(12, DEBUG_OVER, (int[]){12, 4}, 2);
}

TEST(steps_end_with_the_call_that_they_are_of)
{
    begin();
    seen.steps[0] = DEBUG_INTO;
    stops_set_breakpoints("a.py", &(struct debug_breakpoint){.line = 4}, 1);
    run_outer();
    stops_clear_breakpoints();
    CHECK_INT(gridcell_debug_armed, 0);
    run_outer();
    CHECK_INT(seen.stops, 1);
}

TEST(breakpoints_are_of_a_file_and_have_conditions)
{
    begin();
    stops_set_breakpoints("b.py", &(struct debug_breakpoint){.line = 2}, 1);
    const struct debug_breakpoint list[] = {
            {.line = 2, .condition = "even"}, {.line = 3, .condition = "even"}};
    stops_set_breakpoints("a.py", list, 2);
    run_outer();
    check_lines((int[]){2}, 1);
    stops_set_breakpoints("a.py", NULL, 0);
    run_outer();
    CHECK_INT(seen.stops, 1);
    stops_set_breakpoints("b.py", NULL, 0);
    CHECK_INT(gridcell_debug_armed, 0);
}

TEST(an_interrupt_ends_a_stop_and_prevents_others)
{
    begin();
    seen.is_asked_to_interrupt = true;
    const struct debug_breakpoint list[] = {{.line = 2}, {.line = 4}};
    stops_set_breakpoints("a.py", list, 2);
    run_outer();
    CHECK_INT(seen.stops, 1);
    CHECK_INT(seen.interrupts, 1);
    compiler_interrupt_flag = 0;
    CHECK(!stops_resume(DEBUG_CONTINUE));
    CHECK(stops_begin_reading() == NULL);
}

// --- Threads of the emulated device, which wait for each other once

enum { THREADS = 4, BLOCKS = 2 };

static void come_as(struct debug_frame *frame, int line)
{
    gridcell_debug_wake(frame);
    come_to(frame, line);
}

static void run_block(struct abi_emulated_block *block, int32_t failing)
{
    struct debug_frame frames[THREADS];
    for (int32_t i = 0; i < THREADS; i++) {
        frames[i] = (struct debug_frame){
                .function = &outer_function, .block = block, .thread = {i}};
        gridcell_debug_begin(&frames[i]);
        come_to(&frames[i], 2);
        gridcell_debug_wait(&frames[i]);
    }
    for (int32_t i = 0; i < THREADS; i++) {
        come_as(&frames[i], 3);
        come_to(&frames[i], 4);
        if (i == failing)
            gridcell_debug_fail(&frames[i], 1);
        gridcell_debug_leave(&frames[i], i == failing ? 1 : STATUS_OK);
    }
}

static void run_grid(int32_t failing)
{
    CHECK(stops_begin_launch() == (gridcell_debug_armed != 0));
    for (int32_t i = 0; i < BLOCKS; i++)
        run_block(&(struct abi_emulated_block){.grid_dim = {BLOCKS, 1, 1},
                          .block_dim = {THREADS, 1, 1},
                          .block_idx = {i}},
                failing);
    stops_end_launch();
}

TEST(a_step_stays_with_its_thread)
{
    begin();
    stops_set_breakpoints("a.py", &(struct debug_breakpoint){.line = 2}, 1);
    for (int i = 0; i < 64; i++)
        seen.steps[i] = DEBUG_OVER;
    run_grid(-1);
    CHECK_INT(seen.lines[0], 2); // of thread 0
    CHECK_INT(seen.threads[0], 0);
    CHECK_INT(seen.lines[1], 2); // of thread 1, whose breakpoint ends the step of 0
    CHECK_INT(seen.threads[1], 1);
    // behind the barrier: the last one that stood steps on
    CHECK_INT(seen.lines[4], 3);
    CHECK_INT(seen.threads[4], 3);
}

static void look_around(const struct debug_frame *frame, enum debug_reason reason)
{
    const struct debug_frame *other;
    const int32_t block[3] = {0}, next[3] = {1};
    CHECK(stops_begin_reading() == frame);
    if (seen.stops++ == 0) { // thread 2, behind the barrier
        CHECK_INT(stops_find(block, (int32_t[]){2, 0, 0}, &other), DEBUG_HERE);
        CHECK(other == frame);
        CHECK_INT(stops_find(block, (int32_t[]){3, 0, 0}, &other), DEBUG_WAITS);
        CHECK(other && other->line == 2);
        CHECK_INT(stops_find(block, (int32_t[]){0, 0, 0}, &other), DEBUG_ENDED);
        CHECK_INT(stops_find(next, (int32_t[]){0, 0, 0}, &other), DEBUG_PENDING);
        CHECK(!other);
    }
    seen.lines[seen.stops - 1] = frame->block->block_idx[0];
    seen.threads[seen.stops - 1] = frame->thread[0];
    stops_end_reading();
    if (seen.stops == 1)
        CHECK(stops_go_to(next, (int32_t[]){1, 0, 0}));
    else
        CHECK(stops_resume(DEBUG_CONTINUE));
}

static bool is_thread_two(const struct debug_frame *frame, const char *condition)
{
    return frame->thread[0] == 2;
}

TEST(other_threads_are_found_and_gone_to)
{
    static const struct debug_host host = {
            .holds = is_thread_two, .stopped = look_around};
    begin();
    stops_set_host(&host);
    stops_set_breakpoints(
            "a.py", &(struct debug_breakpoint){.line = 3, .condition = "two"}, 1);
    run_grid(-1);
    CHECK_INT(seen.stops, 3);
    CHECK_INT(seen.lines[1], 1); // the first line of thread 1 of block 1
    CHECK_INT(seen.threads[1], 1);
    CHECK_INT(seen.threads[2], 2); // its breakpoint
    stops_clear_breakpoints();
}

// A call that fails at line 12, within one that handles that, or fails likewise.
static void fail_inside(bool is_handled, int32_t status)
{
    struct debug_frame outer = {.function = &outer_function, .line = 3},
                       inner = {.function = &inner_function, .line = 12};
    gridcell_debug_enter(&outer);
    gridcell_debug_enter(&inner);
    gridcell_debug_fail(&inner, status);
    gridcell_debug_leave(&inner, status);
    gridcell_trace_call("outer", "a.py", 3);
    if (is_handled)
        compiler_trace()->count = 0;
    else
        gridcell_debug_fail(&outer, status);
    gridcell_debug_leave(&outer, is_handled ? STATUS_OK : status);
    compiler_trace()->count = 0;
}

TEST(a_failure_on_the_host_is_told_where_it_was_raised)
{
    begin();
    fail_inside(false, 1);
    CHECK_INT(seen.failures, 1);
    CHECK_INT(seen.lines[0], 12);
    fail_inside(true, STATUS_PYTHON);
    CHECK_INT(seen.failures, 2);
    CHECK_INT(seen.forgotten, 1);
    fail_inside(true, STATUS_INTERRUPTED);
    CHECK_INT(seen.failures, 2);
    CHECK_INT(seen.forgotten, 1);
}

TEST(the_first_failure_of_a_launch_is_told)
{
    begin();
    run_grid(2);
    CHECK_INT(seen.failures, 1);
    CHECK_INT(seen.threads[0], 2);
    run_grid(1);
    CHECK_INT(seen.failures, 2);
    run_grid(-1);
    CHECK_INT(seen.failures, 2);
    CHECK_INT(seen.forgotten, 0);
}

// --- Two threads of the CPU

static void *run_elsewhere(void *unused)
{
    run_outer();
    return NULL;
}

static pthread_t helper;

static void start_another(const struct debug_frame *frame, enum debug_reason reason)
{
    if (seen.stops++ == 0) // it comes to its line while this one stands
        pthread_create(&helper, NULL, run_elsewhere, NULL);
    CHECK(stops_resume(DEBUG_CONTINUE));
}

TEST(one_thread_stands_at_a_time)
{
    static const struct debug_host host = {.stopped = start_another};
    begin();
    stops_set_host(&host);
    stops_set_breakpoints("a.py", &(struct debug_breakpoint){.line = 3}, 1);
    run_outer();
    pthread_join(helper, NULL);
    CHECK_INT(seen.stops, 2);
    stops_clear_breakpoints();
    begin();
}

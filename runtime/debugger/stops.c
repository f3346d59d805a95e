// SPDX-License-Identifier: MIT
// The debugger's side of line hooks. All that several threads share is in `world`, under
// its lock, which nobody holds while he asks Python anything; so who holds the GIL may
// take it.
#include "runtime/debugger/stops.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/str.h"
#include "base/vec.h"
#include "compiler/backends/cpu/symbols.h"
#include "compiler/support/interrupt.h"
#include "compiler/support/support.h"
#include "compiler/support/trace.h"
#include "compiler/types/abi.h"
#include "runtime/threads/fault.h"

enum { LOOK_MS = 50 }; // how often a thread that stands looks for interrupts

_Atomic int32_t gridcell_debug_armed;

// What a thread of the CPU runs.
struct debug_thread {
    struct debug_frame *top;
    // The threads of the block that it runs, by number: the innermost record of one that
    // waits, `ended`, or NULL. `launch` says of which launch that is told.
    struct debug_frame **threads;
    int64_t launch;
    int32_t block[3];
    bool is_failing; // an exception is on its way out, and was told of
    bool has_told;   // of a failure on the host
};

static _Thread_local struct debug_thread self;
static struct debug_frame ended;

struct known_breakpoint {
    char *file, *condition;
    int line;
};

// How far a thread was told to go.
struct step {
    enum debug_step kind;
    bool is_to_thread; // to the first line of the thread below
    const struct debug_thread *runner;
    bool is_emulated;
    int32_t block[3], thread[3];
    int32_t depth;
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct debug_host host;
    VEC(struct known_breakpoint) breakpoints;
    struct step step;
    struct debug_thread *stands; // or NULL
    bool goes_on;                // the one that stands was told so
    int readers;
    atomic_llong launch;   // counts them
    int64_t failed_launch; // of the failure that was told last
    int64_t failed_block, failed_thread;
} world = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

void stops_set_host(const struct debug_host *host)
{
    world.host = *host;
}

// Their records are gone.
static void forget_calls(void)
{
    self.top = NULL;
}

void stops_define(void)
{
    static const struct support_symbol symbols[] = {
            {"gridcell_debug_armed", (void *)&gridcell_debug_armed},
            SUPPORT_SYMBOL("gridcell_debug_begin", gridcell_debug_begin),
            SUPPORT_SYMBOL("gridcell_debug_enter", gridcell_debug_enter),
            SUPPORT_SYMBOL("gridcell_debug_line", gridcell_debug_line),
            SUPPORT_SYMBOL("gridcell_debug_stop", gridcell_debug_stop),
            SUPPORT_SYMBOL("gridcell_debug_wait", gridcell_debug_wait),
            SUPPORT_SYMBOL("gridcell_debug_wake", gridcell_debug_wake),
            SUPPORT_SYMBOL("gridcell_debug_fail", gridcell_debug_fail),
            SUPPORT_SYMBOL("gridcell_debug_leave", gridcell_debug_leave),
            {0},
    };
    compiler_define_symbols(symbols);
    fault_code_left = forget_calls;
}

// --- What is asked for; all need the lock

static void settle_armed(void)
{
    gridcell_debug_armed = world.breakpoints.len || world.step.kind ||
                           world.step.is_to_thread || world.stands;
}

static bool is_same_place(const int32_t *one, const int32_t *other)
{
    return !memcmp(one, other, 3 * sizeof *one);
}

static bool is_thread_of_step(const struct debug_frame *frame)
{
    const struct step *step = &world.step;
    if (step->is_to_thread || step->is_emulated)
        return frame->block && is_same_place(step->block, frame->block->block_idx) &&
               is_same_place(step->thread, frame->thread);
    return step->runner == &self;
}

static bool ends_step(const struct debug_frame *frame)
{
    if (!is_thread_of_step(frame))
        return false;
    switch (world.step.kind) {
    case DEBUG_INTO:
        return true;
    case DEBUG_OVER:
        return frame->depth <= world.step.depth;
    case DEBUG_OUT:
        return frame->depth < world.step.depth;
    default:
        return world.step.is_to_thread;
    }
}

// On the way to another thread nothing else stops.
static const struct known_breakpoint *breakpoint_at(const struct debug_frame *frame)
{
    if (world.step.is_to_thread)
        return NULL;
    vec_each (known, &world.breakpoints)
        if (known->line == frame->line && !strcmp(known->file, frame->function->file))
            return known;
    return NULL;
}

static void forget_step(void)
{
    world.step = (struct step){0};
    settle_armed();
}

static void drop_breakpoint(size_t index)
{
    free(world.breakpoints.items[index].file);
    free(world.breakpoints.items[index].condition);
    world.breakpoints.items[index] = world.breakpoints.items[--world.breakpoints.len];
}

void stops_set_breakpoints(
        const char *file, const struct debug_breakpoint *list, size_t count)
{
    pthread_mutex_lock(&world.lock);
    for (size_t i = world.breakpoints.len; i-- > 0;)
        if (!strcmp(world.breakpoints.items[i].file, file))
            drop_breakpoint(i);
    for (size_t i = 0; i < count; i++)
        vec_push(&world.breakpoints,
                (struct known_breakpoint){.file = memory_strdup(file),
                        .condition = list[i].condition ? memory_strdup(list[i].condition)
                                                       : NULL,
                        .line = list[i].line});
    settle_armed();
    pthread_mutex_unlock(&world.lock);
}

void stops_clear_breakpoints(void)
{
    pthread_mutex_lock(&world.lock);
    while (world.breakpoints.len)
        drop_breakpoint(world.breakpoints.len - 1);
    settle_armed();
    pthread_mutex_unlock(&world.lock);
}

// --- Standing

static void wait_a_while(void)
{
    int64_t until_ms = clock_ms() + LOOK_MS;
    struct timespec until = {
            .tv_sec = until_ms / 1000, .tv_nsec = until_ms % 1000 * 1000000};
    pthread_cond_clockwait(&world.changed, &world.lock, CLOCK_MONOTONIC, &until);
}

// Until another thread goes on. An interrupt ends that, too.
static void wait_for_others(void)
{
    pthread_mutex_lock(&world.lock);
    while (world.stands && !compiler_interrupt_flag)
        wait_a_while();
    pthread_mutex_unlock(&world.lock);
}

// Whether the thread has got the place.
static bool take_place(void)
{
    pthread_mutex_lock(&world.lock);
    while (world.stands && !compiler_interrupt_flag)
        wait_a_while();
    bool is_mine = !world.stands && !compiler_interrupt_flag;
    if (is_mine) {
        world.stands = &self;
        world.goes_on = false;
        world.step = (struct step){0};
        settle_armed();
    }
    pthread_mutex_unlock(&world.lock);
    return is_mine;
}

// Returns whether an interrupt has ended it. Nobody reads the thread's records then.
static bool wait_to_go_on(void)
{
    pthread_mutex_lock(&world.lock);
    while ((!world.goes_on && !compiler_interrupt_flag) || world.readers)
        wait_a_while();
    bool is_interrupted = !world.goes_on;
    world.goes_on = true;
    if (is_interrupted)
        world.step = (struct step){0};
    pthread_mutex_unlock(&world.lock);
    return is_interrupted;
}

static void leave_place(void)
{
    pthread_mutex_lock(&world.lock);
    world.stands = NULL;
    settle_armed();
    pthread_cond_broadcast(&world.changed);
    pthread_mutex_unlock(&world.lock);
}

// Who looks is told that the thread goes on before another one can take the place.
static void stand(struct debug_frame *frame, enum debug_reason reason)
{
    const struct debug_host *host = &world.host;
    void *left = host->leave ? host->leave() : NULL;
    if (take_place()) {
        if (host->stopped)
            host->stopped(frame, reason);
        bool is_interrupted = wait_to_go_on();
        if (host->resumed)
            host->resumed(is_interrupted);
        leave_place();
    }
    if (host->come_back)
        host->come_back(left);
}

static void let_others_stand(void)
{
    const struct debug_host *host = &world.host;
    void *left = host->leave ? host->leave() : NULL;
    wait_for_others();
    if (host->come_back)
        host->come_back(left);
}

// `others`: another thread stands. A condition that cannot be asked holds: better one
// stop too many.
static enum debug_reason find_reason(struct debug_frame *frame, bool *others)
{
    pthread_mutex_lock(&world.lock);
    *others = world.stands;
    bool is_step = ends_step(frame);
    const struct known_breakpoint *known = breakpoint_at(frame);
    bool is_known = known != NULL;
    char *condition = known && known->condition ? memory_strdup(known->condition) : NULL;
    pthread_mutex_unlock(&world.lock);
    bool holds = is_known &&
                 (!condition || !world.host.holds || world.host.holds(frame, condition));
    free(condition);
    return holds ? DEBUG_BREAKPOINT : is_step ? DEBUG_STEP : DEBUG_NO_REASON;
}

// A line is told of once, when the call comes to it: not again after a call that it made.
void gridcell_debug_line(struct debug_frame *frame)
{
    if (frame->told_line == frame->line || compiler_interrupt_flag)
        return;
    frame->told_line = frame->line;
    fault_hold();
    self.top = frame;
    bool others;
    enum debug_reason reason = find_reason(frame, &others);
    if (reason)
        stand(frame, reason);
    else if (others)
        let_others_stand();
    fault_release();
}

void gridcell_debug_stop(struct debug_frame *frame)
{
    if (compiler_interrupt_flag)
        return;
    frame->told_line = frame->line;
    fault_hold();
    stand(frame, DEBUG_CALL);
    fault_release();
}

static struct debug_frame *innermost(void)
{
    return world.stands ? world.stands->top : NULL;
}

static bool set_step(const struct step *step)
{
    pthread_mutex_lock(&world.lock);
    const struct debug_frame *frame = innermost();
    bool stands = frame && !world.goes_on;
    if (stands) {
        world.step = *step;
        world.step.runner = world.stands;
        if (!step->is_to_thread && frame->block) {
            world.step.is_emulated = true;
            memcpy(world.step.block, frame->block->block_idx, sizeof world.step.block);
            memcpy(world.step.thread, frame->thread, sizeof world.step.thread);
        }
        world.step.depth = frame->depth;
        world.goes_on = true;
        settle_armed();
        pthread_cond_broadcast(&world.changed);
    }
    pthread_mutex_unlock(&world.lock);
    return stands;
}

bool stops_resume(enum debug_step kind)
{
    return set_step(&(struct step){.kind = kind});
}

bool stops_go_to(const int32_t block[3], const int32_t thread[3])
{
    struct step step = {.is_to_thread = true};
    memcpy(step.block, block, sizeof step.block);
    memcpy(step.thread, thread, sizeof step.thread);
    return set_step(&step);
}

const struct debug_frame *stops_begin_reading(void)
{
    pthread_mutex_lock(&world.lock);
    const struct debug_frame *frame = world.goes_on ? NULL : innermost();
    world.readers += frame != NULL;
    pthread_mutex_unlock(&world.lock);
    return frame;
}

void stops_end_reading(void)
{
    pthread_mutex_lock(&world.lock);
    assert(world.readers > 0);
    world.readers--;
    pthread_cond_broadcast(&world.changed);
    pthread_mutex_unlock(&world.lock);
}

// --- Threads of the emulated device

static int64_t number_of(const int32_t *place, const int32_t *extent)
{
    return place[0] + (int64_t)extent[0] * (place[1] + (int64_t)extent[1] * place[2]);
}

// What is known of the threads of this block; forgets those of another.
static struct debug_frame **place_of(const struct debug_frame *frame)
{
    const struct abi_emulated_block *block = frame->block;
    if (!self.threads)
        self.threads = memory_zalloc(EMULATED_BLOCK_THREADS * sizeof *self.threads);
    int64_t launch = atomic_load(&world.launch);
    if (self.launch != launch || !is_same_place(self.block, block->block_idx)) {
        memset(self.threads, 0, EMULATED_BLOCK_THREADS * sizeof *self.threads);
        self.launch = launch;
        memcpy(self.block, block->block_idx, sizeof self.block);
    }
    return &self.threads[number_of(frame->thread, block->block_dim)];
}

void gridcell_debug_begin(struct debug_frame *frame)
{
    frame->caller = NULL;
    frame->depth = frame->told_line = 0;
    self.top = frame;
    self.is_failing = false;
    *place_of(frame) = frame;
}

void gridcell_debug_enter(struct debug_frame *frame)
{
    frame->caller = self.top;
    frame->depth = self.top ? self.top->depth + 1 : 0;
    frame->told_line = 0;
    self.top = frame;
}

// A step to the barrier ends behind it.
void gridcell_debug_wait(struct debug_frame *frame)
{
    *place_of(frame) = frame;
    if (!gridcell_debug_armed)
        return;
    pthread_mutex_lock(&world.lock);
    if (world.step.kind == DEBUG_TO_BARRIER && is_thread_of_step(frame))
        world.step.kind = DEBUG_INTO;
    pthread_mutex_unlock(&world.lock);
}

void gridcell_debug_wake(struct debug_frame *frame)
{
    self.top = frame;
}

// Whether no thread that comes before has failed in this launch.
static bool is_first_failure(const struct debug_frame *frame)
{
    const struct abi_emulated_block *block = frame->block;
    int64_t of_block = number_of(block->block_idx, block->grid_dim);
    int64_t of_thread = number_of(frame->thread, block->block_dim);
    pthread_mutex_lock(&world.lock);
    bool is_first = world.failed_launch != world.launch ||
                    of_block < world.failed_block ||
                    (of_block == world.failed_block && of_thread <= world.failed_thread);
    if (is_first) {
        world.failed_launch = world.launch;
        world.failed_block = of_block;
        world.failed_thread = of_thread;
    }
    pthread_mutex_unlock(&world.lock);
    return is_first;
}

static void tell_failure(const struct debug_frame *frame)
{
    fault_hold();
    if (world.host.failed)
        world.host.failed(frame);
    fault_release();
}

// Told where the exception is raised, while the calls that led there are still known. On
// the host it may be handled, and another one raised: a new one has passed through no
// call yet.
void gridcell_debug_fail(struct debug_frame *frame, int32_t status)
{
    if (status == STATUS_INTERRUPTED)
        return;
    if (!frame->block && !compiler_trace()->count) {
        self.has_told = true;
        tell_failure(frame);
    }
    if (!frame->block || status <= STATUS_OK || self.is_failing)
        return;
    self.is_failing = true;
    if (is_first_failure(frame))
        tell_failure(frame);
}

// The step that was to end in this call, or in one that it was made by, is over where
// nobody is left whom it could end in.
static void end_step(const struct debug_frame *frame)
{
    pthread_mutex_lock(&world.lock);
    if (world.step.kind && is_thread_of_step(frame))
        forget_step();
    pthread_mutex_unlock(&world.lock);
}

void gridcell_debug_leave(struct debug_frame *frame, int32_t status)
{
    if (status == STATUS_OK)
        self.is_failing = false;
    self.top = frame->caller;
    if (frame->caller)
        return;
    if (self.has_told && status == STATUS_OK)
        tell_failure(NULL);
    self.has_told = false;
    if (gridcell_debug_armed)
        end_step(frame);
    if (frame->block)
        *place_of(frame) = &ended;
}

// One thread of the CPU runs a block, and blocks begin in order.
enum debug_place stops_find(
        const int32_t block[3], const int32_t thread[3], const struct debug_frame **frame)
{
    const struct debug_thread *runner = world.stands;
    const struct abi_emulated_block *here = runner->top->block;
    assert(here && runner->threads);
    *frame = NULL;
    if (!is_same_place(block, here->block_idx))
        return number_of(block, here->grid_dim) <
                               number_of(here->block_idx, here->grid_dim)
                       ? DEBUG_ENDED
                       : DEBUG_PENDING;
    if (is_same_place(thread, runner->top->thread)) {
        *frame = runner->top;
        return DEBUG_HERE;
    }
    struct debug_frame *known = runner->threads[number_of(thread, here->block_dim)];
    if (known == &ended || !known)
        return known ? DEBUG_ENDED : DEBUG_PENDING;
    *frame = known;
    return DEBUG_WAITS;
}

bool stops_begin_launch(void)
{
    atomic_fetch_add(&world.launch, 1);
    return gridcell_debug_armed;
}

// Whoever was to be gone to has not come.
void stops_end_launch(void)
{
    pthread_mutex_lock(&world.lock);
    if (world.step.is_to_thread || world.step.is_emulated)
        forget_step();
    pthread_mutex_unlock(&world.lock);
    self.top = NULL;
    free(self.threads);
    self.threads = NULL;
}

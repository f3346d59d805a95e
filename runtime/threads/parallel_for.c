// SPDX-License-Identifier: MIT
// Loops of compiled code on several threads. The turns are cut into parts; each thread
// starts with an equal share of the parts, and takes half of another one's when its own
// are done. A loop inside of such a loop runs on its thread.
#include "runtime/threads/parallel_for.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/backends/cpu/symbols.h"
#include "compiler/support/interrupt.h"
#include "compiler/support/raise.h"
#include "compiler/support/refusal.h"
#include "compiler/support/trace.h"
#include "runtime/threads/thread_pool.h"
#include "runtime/threads/fault.h"

enum { MAX_THREADS = 128, PARTS_PER_THREAD = 4, MOST_RESULT_BYTES = 1 << 20 };

// Set once, while the extension module is loaded and no loop runs.
struct parallel_hooks parallel_hooks;

// Parts first to last - 1 that a thread has still to run: both in one word.
// So that owner and thieves agree by one compare-and-swap. The owner takes at the front,
// thieves at the back; a part is run by exactly one of them.
typedef _Atomic uint64_t share;

// Valid if its status is not 0.
struct failure {
    int64_t part;
    int32_t status;
    struct compiler_trace trace;
    struct fault fault;
    struct refusal refusal;
    struct raised raised;
    void *exception; // of parallel_hooks
};

// Of one thread. It alone writes its failure; who started the loop reads it when all
// have left. On a cache line of its own, as each thread writes its share for each part.
struct seat {
    _Alignas(64) share share;
    struct failure failure;
};

struct region {
    parallel_part *run;
    void *captured;
    int64_t start, stop, step, turns;
    int64_t parts, stride;
    char *results;
    int threads;
    atomic_int joined;
    atomic_llong earliest; // part that failed; past the last: none has
    struct seat *seats;    // one for each thread
};

struct results {
    int64_t count;
    _Alignas(16) char parts[];
};

// The process's, by numba.set_num_threads; the chunk size is the thread's, as in numba.
static atomic_int wanted_threads;          // 0: as many as there may be
static _Thread_local int64_t wanted_turns; // in a part; 0: as many as suit
static _Thread_local int number = -1;      // of the thread in its region; -1: in none

// --- Settings

int parallel_thread_limit(void)
{
    static atomic_int limit;
    if (!limit) {
        const char *text = getenv("NUMBA_NUM_THREADS");
        int count = text ? atoi(text) : 0;
        if (count < 1)
            count = (int)thread_pool_cores();
        limit = count > MAX_THREADS ? MAX_THREADS : count;
    }
    return limit;
}

int parallel_thread_count(void)
{
    int count = atomic_load(&wanted_threads);
    return count ? count : parallel_thread_limit();
}

void parallel_set_thread_count(int count)
{
    atomic_store(&wanted_threads, count);
}

int parallel_thread_number(void)
{
    return number < 0 ? 0 : number;
}

int64_t parallel_chunk_turns(void)
{
    return wanted_turns;
}

void parallel_set_chunk_turns(int64_t turns)
{
    wanted_turns = turns;
}

// --- Sharing out

static uint64_t pack(uint64_t first, uint64_t last)
{
    return first << 32 | last;
}

// The next part of one's own; -1: none is left.
static int64_t take(share *own)
{
    uint64_t now = atomic_load(own);
    while (now >> 32 < (uint32_t)now)
        if (atomic_compare_exchange_weak(own, &now, now + ((uint64_t)1 << 32)))
            return (int64_t)(now >> 32);
    return -1;
}

// The parts before one that failed still run: the loop in order would have run them, and
// its error would have been theirs. Never after an interrupt.
static bool is_wanted(struct region *region, int64_t part)
{
    return part < atomic_load(&region->earliest) && !compiler_interrupt_flag;
}

// Takes the later half of another thread's parts over.
// Half, so that few steals do: each leaves both with as much to do. The thief's own share
// is empty, and nobody else writes to it then, as an empty one is not stolen from. Parts
// after one that failed are left where they are.
static bool steal(struct region *region, int thief)
{
    for (int i = 1; i < region->threads; i++) {
        share *victim = &region->seats[(thief + i) % region->threads].share;
        uint64_t now = atomic_load(victim);
        while (now >> 32 < (uint32_t)now && is_wanted(region, (int64_t)(now >> 32))) {
            uint64_t first = now >> 32, last = (uint32_t)now;
            uint64_t middle = first + (last - first) / 2;
            if (!atomic_compare_exchange_weak(victim, &now, pack(first, middle)))
                continue;
            atomic_store(&region->seats[thief].share, pack(middle, last));
            return true;
        }
    }
    return false;
}

// --- Running

struct part_call {
    const struct region *region;
    int64_t part;
};

static int32_t call_part(void *result, const void *data)
{
    const struct part_call *call = data;
    const struct region *region = call->region;
    int64_t each = region->turns / region->parts, more = region->turns % region->parts;
    int64_t first = call->part * each + (call->part < more ? call->part : more);
    int64_t end = first + each + (call->part < more);
    // a turn behind the last one need not be an int64
    int64_t stop =
            end == region->turns ? region->stop : region->start + end * region->step;
    return region->run(region->captured, region->start + first * region->step, stop,
            region->step, result);
}

// What belongs to this thread (its trace, fault, error and exception) goes to the region,
// for the thread that raises it.
static void note_failure(struct region *region, int thread, int64_t part, int32_t status)
{
    struct failure *failure = &region->seats[thread].failure;
    long long earliest = atomic_load(&region->earliest);
    while (part < earliest &&
            !atomic_compare_exchange_weak(&region->earliest, &earliest, part)) {
    }
    // one that it had before is of a later part
    if (failure->status && failure->exception)
        parallel_hooks.drop(failure->exception);
    failure->part = part;
    failure->status = status;
    failure->trace = *compiler_trace();
    failure->fault = *fault_last();
    failure->refusal = *refusal_last();
    failure->raised = *raised_last();
    raised_last()->class_name = NULL;
    failure->exception = parallel_hooks.take ? parallel_hooks.take(status) : NULL;
    compiler_trace()->count = compiler_trace()->left_out = 0;
}

// Of its own for each part; NULL where nothing is added up.
static char *result_of(const struct region *region, int64_t part)
{
    return region->stride ? region->results + part * region->stride : NULL;
}

// What a signal's handler raised ends one thread's part; the others end as by an
// interrupt.
static void run_part(struct region *region, int thread, int64_t part)
{
    const struct part_call call = {region, part};
    int32_t status = fault_call(call_part, result_of(region, part), &call);
    if (status)
        note_failure(region, thread, part, status);
    if (status == STATUS_INTERRUPTED && !compiler_interrupt_flag)
        compiler_interrupt_request();
}

// By who waits for the others' parts, and may be the thread that runs the handlers.
static void answer_signals(void)
{
    if (compiler_poll_flag && !compiler_interrupt_flag &&
            compiler_poll() == STATUS_INTERRUPTED)
        compiler_interrupt_request();
}

// Once on each thread that the pool lends. One that comes late finds all places taken, or
// steals.
static void work(void *context)
{
    struct region *region = context;
    int thread = atomic_fetch_add(&region->joined, 1);
    if (thread >= region->threads)
        return;
    int before = number;
    int64_t part;
    number = thread;
    do {
        while ((part = take(&region->seats[thread].share)) >= 0 &&
                is_wanted(region, part))
            run_part(region, thread, part);
        atomic_store(&region->seats[thread].share, 0); // what is left is not wanted
    } while (steal(region, thread));
    number = before;
}

// The failure of the earliest part counts, as in the loop in order; the others are
// dropped. An interrupt comes before all of them.
static int32_t finish(struct region *region)
{
    struct failure *first = NULL;
    bool is_interrupted = compiler_interrupt_flag;
    for (int i = 0; i < region->threads; i++) {
        struct failure *failure = &region->seats[i].failure;
        if (failure->status && (!first || failure->part < first->part))
            first = failure;
    }
    for (int i = 0; i < region->threads; i++) {
        struct failure *failure = &region->seats[i].failure;
        if (failure->status && (failure != first || is_interrupted) && failure->exception)
            parallel_hooks.drop(failure->exception);
    }
    if (!first || is_interrupted)
        return is_interrupted ? STATUS_INTERRUPTED : STATUS_OK;
    *compiler_trace() = first->trace;
    fault_set_last(&first->fault);
    *refusal_last() = first->refusal;
    *raised_last() = first->raised;
    if (first->exception)
        parallel_hooks.put(first->exception);
    return first->status;
}

// In unsigned numbers: the distance of INT64_MIN and INT64_MAX does not fit otherwise.
static int64_t turn_count(int64_t start, int64_t stop, int64_t step)
{
    if (step > 0 ? start >= stop : step < 0 ? start <= stop : true)
        return 0;
    uint64_t distance = step > 0 ? (uint64_t)stop - (uint64_t)start
                                 : (uint64_t)start - (uint64_t)stop;
    uint64_t each = step > 0 ? (uint64_t)step : 0 - (uint64_t)step;
    return (int64_t)((distance - 1) / each + 1);
}

static void share_out(struct region *region)
{
    int64_t each = region->parts / region->threads,
            more = region->parts % region->threads, first = 0;
    atomic_init(&region->earliest, region->parts);
    for (int i = 0; i < region->threads; i++) {
        int64_t count = each + (i < more);
        atomic_init(&region->seats[i].share,
                pack((uint64_t)first, (uint64_t)(first + count)));
        region->seats[i].failure.status = 0;
        first += count;
    }
}

// Four for each thread: the threads that get slow cores, or long turns, leave some to the
// others. A loop within a loop is one part. A chunk size asks for how many turns make
// one, as far as the results of all of them, `stride` bytes each, do not take much
// memory.
static int64_t part_count(int64_t turns, int64_t stride, int threads)
{
    if (number >= 0 || threads == 1)
        return turns > 0;
    int64_t parts = wanted_turns > 0 ? (turns - 1) / wanted_turns + 1
                                     : (int64_t)threads * PARTS_PER_THREAD;
    int64_t most = stride ? MOST_RESULT_BYTES / stride : INT32_MAX;
    if (most < (int64_t)threads * PARTS_PER_THREAD)
        most = (int64_t)threads * PARTS_PER_THREAD;
    if (parts > most)
        parts = most;
    return parts < turns ? parts : turns;
}

// The GIL is given back while others work, if this thread has it: their parts may need it
// (objmode, exceptions).
static int32_t run_region(struct region *region)
{
    int32_t status;
    fault_hold(); // the pool works on this, and must be waited for
    void *python = parallel_hooks.leave_python ? parallel_hooks.leave_python() : NULL;
    share_out(region);
    thread_pool_run_asking(work, region, (size_t)region->threads - 1, answer_signals);
    status = finish(region);
    if (python)
        parallel_hooks.enter_python(python);
    fault_release();
    return status;
}

// Seats are several KiB: on the heap, and only where there is more than one thread.
static int32_t run_turns(struct region *region)
{
    if (region->parts == 1) {
        const struct part_call call = {region, 0};
        return fault_call(call_part, result_of(region, 0), &call);
    }
    int threads = parallel_thread_count();
    region->threads = threads < region->parts ? threads : (int)region->parts;
    size_t size = (size_t)region->threads * sizeof *region->seats;
    region->seats = aligned_alloc(_Alignof(struct seat), size);
    if (!region->seats)
        return refusal_note(size), STATUS_MEMORY;
    int32_t status = run_region(region);
    free(region->seats);
    return status;
}

// Where the parts put what they add up to.
static struct results *make_results(int64_t parts, int64_t stride)
{
    struct results *results = calloc(1, sizeof *results + (size_t)(stride * parts) + 16);
    if (results)
        results->count = parts;
    return results;
}

// Results of all parts are kept until they are added up, in order, by the caller's code,
// which frees them (gridcell_parallel_free).
int32_t gridcell_parallel_for(parallel_part *run, void *captured, int64_t start,
        int64_t stop, int64_t step, int64_t stride, char **results)
{
    struct region region = {.run = run,
            .captured = captured,
            .start = start,
            .stop = stop,
            .step = step,
            .stride = stride,
            .turns = turn_count(start, stop, step)};
    region.parts = part_count(region.turns, stride, parallel_thread_count());
    struct results *kept = stride ? make_results(region.parts, stride) : NULL;
    if (stride && !kept)
        return STATUS_MEMORY;
    region.results = kept ? kept->parts : NULL;
    int64_t turns = wanted_turns;
    wanted_turns = 0; // the size is asked for this loop, not for loops in its turns
    int32_t status = region.parts ? run_turns(&region) : STATUS_OK;
    wanted_turns = turns;
    if (status || !stride)
        free(kept);
    else
        *results = kept->parts;
    return status;
}

static struct results *results_of(char *parts)
{
    return (struct results *)(parts - offsetof(struct results, parts));
}

int64_t gridcell_parallel_count(char *parts)
{
    return results_of(parts)->count;
}

void gridcell_parallel_free(char *parts)
{
    free(results_of(parts));
}

static int64_t thread_number(void)
{
    return parallel_thread_number();
}

static int64_t thread_count(void)
{
    return parallel_thread_count();
}

static int64_t set_thread_count(int64_t count)
{
    bool is_possible = count >= 1 && count <= parallel_thread_limit();
    if (is_possible)
        parallel_set_thread_count((int)count);
    return is_possible;
}

static int64_t set_chunk_turns(int64_t turns)
{
    parallel_set_chunk_turns(turns);
    return turns;
}

static const struct support_symbol symbols[] = {
        SUPPORT_SYMBOL("gridcell_set_thread_count", set_thread_count),
        SUPPORT_SYMBOL("gridcell_chunk_turns", parallel_chunk_turns),
        SUPPORT_SYMBOL("gridcell_set_chunk_turns", set_chunk_turns),
        SUPPORT_SYMBOL("gridcell_parallel_for", gridcell_parallel_for),
        SUPPORT_SYMBOL("gridcell_parallel_count", gridcell_parallel_count),
        SUPPORT_SYMBOL("gridcell_parallel_free", gridcell_parallel_free),
        SUPPORT_SYMBOL("gridcell_thread_number", thread_number),
        SUPPORT_SYMBOL("gridcell_thread_count", thread_count),
        {0},
};

void parallel_for_init(void)
{
    compiler_define_symbols(symbols);
}

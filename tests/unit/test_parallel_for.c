// SPDX-License-Identifier: MIT
// Loops on several threads: every turn runs once, results keep their order, the earliest
// failure counts.
#include "tests/unit/test.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiler/support/interrupt.h"
#include "runtime/threads/fault.h"
#include "runtime/threads/parallel_for.h"

enum { TURNS = 10000 };

struct loop {
    _Atomic unsigned char runs[TURNS];
    int64_t fails_from; // turns from here on fail
};

static int32_t count_turns(
        void *captured, int64_t start, int64_t stop, int64_t step, void *result)
{
    struct loop *loop = captured;
    int64_t sum = 0;
    for (int64_t i = start; step > 0 ? i < stop : i > stop; i += step) {
        if (i >= loop->fails_from)
            return (int32_t)i + 1;
        loop->runs[i]++;
        sum += i;
    }
    if (result)
        memcpy(result, &sum, sizeof sum);
    return STATUS_OK;
}

static struct loop *new_loop(void)
{
    static struct loop loop;
    memset((void *)&loop, 0, sizeof loop);
    loop.fails_from = INT64_MAX;
    return &loop;
}

static int count_runs(const struct loop *loop, int64_t start, int64_t step)
{
    int wrong = 0;
    for (int64_t i = 0; i < TURNS; i++)
        wrong += loop->runs[i] != (i >= start && (i - start) % step == 0);
    return wrong;
}

TEST(each_turn_runs_once)
{
    for (int threads = 1; threads <= 8; threads++) {
        struct loop *loop = new_loop();
        parallel_set_thread_count(threads);
        CHECK_INT(gridcell_parallel_for(count_turns, loop, 0, TURNS, 1, 0, NULL), 0);
        CHECK_INT(count_runs(loop, 0, 1), 0);
    }
}

TEST(steps)
{
    parallel_set_thread_count(4);
    struct loop *loop = new_loop();
    CHECK_INT(gridcell_parallel_for(count_turns, loop, 5, TURNS, 7, 0, NULL), 0);
    CHECK_INT(count_runs(loop, 5, 7), 0);
    loop = new_loop();
    CHECK_INT(gridcell_parallel_for(count_turns, loop, TURNS - 1, -1, -1, 0, NULL), 0);
    CHECK_INT(count_runs(loop, 0, 1), 0);
    loop = new_loop();
    CHECK_INT(gridcell_parallel_for(count_turns, loop, 5, 5, 1, 0, NULL), 0);
    CHECK_INT(gridcell_parallel_for(count_turns, loop, 5, 9, 0, 0, NULL), 0);
    CHECK_INT(count_runs(loop, TURNS, 1), 0);
}

TEST(results_are_in_order)
{
    char *results = NULL;
    struct loop *loop = new_loop();
    parallel_set_thread_count(4);
    CHECK_INT(gridcell_parallel_for(
                      count_turns, loop, 0, TURNS, 1, sizeof(int64_t), &results),
            0);
    REQUIRE(results);
    const int64_t *sums = (const int64_t *)results;
    int64_t total = 0;
    for (int64_t i = 0; i < gridcell_parallel_count(results); i++) {
        total += sums[i];
        if (i)
            CHECK(sums[i] > sums[i - 1]);
    }
    CHECK(gridcell_parallel_count(results) > 1);
    CHECK_INT(total, (int64_t)TURNS * (TURNS - 1) / 2);
    gridcell_parallel_free(results);
}

TEST(chunks)
{
    char *results = NULL;
    parallel_set_thread_count(2);
    parallel_set_chunk_turns(100);
    CHECK_INT(gridcell_parallel_for(
                      count_turns, new_loop(), 0, TURNS, 1, sizeof(int64_t), &results),
            0);
    REQUIRE(results);
    CHECK_INT(gridcell_parallel_count(results), TURNS / 100);
    gridcell_parallel_free(results);
    parallel_set_chunk_turns(0);
}

// Parts from some place on fail, each with its first turn as the status.
TEST(the_earliest_failure_counts)
{
    parallel_set_thread_count(1);
    struct loop *loop = new_loop();
    loop->fails_from = 0;
    CHECK_INT(gridcell_parallel_for(count_turns, loop, 0, TURNS, 1, 0, NULL), 1);
    parallel_set_thread_count(4);
    for (int i = 0; i < 20; i++) {
        loop = new_loop();
        loop->fails_from = TURNS - 1;
        CHECK_INT(gridcell_parallel_for(count_turns, loop, 0, TURNS, 1, 0, NULL), TURNS);
    }
}

// The first part takes long and is well; all others fail.
static int32_t fail_behind_the_first(
        void *captured, int64_t start, int64_t stop, int64_t step, void *result)
{
    if (start == 0)
        usleep(2000);
    return start == 0 ? STATUS_OK : (int32_t)start + 1;
}

// The second part comes after the first on its thread, when others have failed.
TEST(parts_before_one_that_failed_still_run)
{
    for (int threads = 2; threads <= 8; threads++)
        for (int64_t chunk = 100; chunk <= 200; chunk += 100) {
            parallel_set_thread_count(threads);
            parallel_set_chunk_turns(chunk);
            CHECK_INT(gridcell_parallel_for(
                              fail_behind_the_first, NULL, 0, TURNS, 1, 0, NULL),
                    chunk + 1);
        }
    parallel_set_chunk_turns(0);
}

static int32_t run_inner(
        void *captured, int64_t start, int64_t stop, int64_t step, void *result)
{
    int number = parallel_thread_number();
    for (int64_t i = start; i < stop; i++) {
        int32_t status = gridcell_parallel_for(
                count_turns, captured, i * 100, i * 100 + 100, 1, 0, NULL);
        if (status || parallel_thread_number() != number)
            return 1;
    }
    return STATUS_OK;
}

TEST(loops_inside_of_loops)
{
    struct loop *loop = new_loop();
    parallel_set_thread_count(4);
    CHECK_INT(gridcell_parallel_for(run_inner, loop, 0, TURNS / 100, 1, 0, NULL), 0);
    CHECK_INT(count_runs(loop, 0, 1), 0);
    CHECK_INT(parallel_thread_number(), 0);
}

static void *call_often(void *data)
{
    struct loop *loop = data;
    for (int i = 0; i < 200; i++)
        if (gridcell_parallel_for(count_turns, loop, 0, TURNS, 1, 0, NULL))
            loop->fails_from = 0;
    return NULL;
}

// The pool helps one of them at a time; the others do all their turns themselves.
TEST(callers_on_several_threads)
{
    enum { CALLERS = 4 };
    static struct loop loops[CALLERS];
    pthread_t threads[CALLERS];
    parallel_set_thread_count(3);
    for (int i = 0; i < CALLERS; i++) {
        memset((void *)&loops[i], 0, sizeof loops[i]);
        loops[i].fails_from = INT64_MAX;
        pthread_create(&threads[i], NULL, call_often, &loops[i]);
    }
    for (int i = 0; i < CALLERS; i++) {
        int wrong = 0;
        pthread_join(threads[i], NULL);
        for (int turn = 0; turn < TURNS; turn++)
            wrong += loops[i].runs[turn] != 200;
        CHECK_INT(wrong, 0);
        CHECK(loops[i].fails_from != 0);
    }
}

// The child has none of the pool's threads.
TEST(loops_in_a_forked_child)
{
    int status = -1;
    parallel_set_thread_count(4);
    CHECK_INT(gridcell_parallel_for(count_turns, new_loop(), 0, TURNS, 1, 0, NULL), 0);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        struct loop *loop = new_loop();
        alarm(20);
        _exit(gridcell_parallel_for(count_turns, loop, 0, TURNS, 1, 0, NULL) ||
                count_runs(loop, 0, 1));
    }
    waitpid(child, &status, 0);
    CHECK_INT(status, 0);
}

TEST(interrupts_end_the_loop)
{
    parallel_set_thread_count(2);
    compiler_interrupt_flag = 1;
    CHECK_INT(gridcell_parallel_for(count_turns, new_loop(), 0, TURNS, 1, 0, NULL),
            STATUS_INTERRUPTED);
    compiler_interrupt_flag = 0;
}

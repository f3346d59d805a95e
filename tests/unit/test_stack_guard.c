// SPDX-License-Identifier: MIT
// The guard at the end of a thread's stack: who reaches it goes on, is told again some
// way further down, and leaves the stack as it was when the thread ends.
#include "tests/unit/test.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

#include "kernel/process/stack_guard.h"

enum { FRAME_BYTES = 4096, STACK_BYTES = 8 << 20, SMALL_STACK_BYTES = 512 << 10 };

static volatile sig_atomic_t openings;        // times that the guard was reached
static volatile sig_atomic_t wanted_openings; // at which the recursion ends
static volatile sig_atomic_t is_overflow;     // the fault behind the last one is known
static sigjmp_buf out;

static void on_fault(int number, siginfo_t *info, void *context)
{
    if (stack_guard_open(info->si_addr)) {
        openings++;
        return;
    }
    is_overflow = stack_guard_overflowed(info->si_addr);
    siglongjmp(out, 1);
}

// Frames of a page each, down to the wanted depth; returns it, or where it ended.
static __attribute__((noinline)) int descend(int depth, int deepest)
{
    volatile char frame[FRAME_BYTES];
    __asm__ volatile("" ::"r"(frame) : "memory"); // all of it, and not two bytes
    frame[0] = frame[FRAME_BYTES - 1] = (char)depth;
    if (depth == deepest || openings >= wanted_openings)
        return depth;
    int reached = descend(depth + 1, deepest);
    return frame[0] == (char)depth ? reached : -1; // which no call in tail position is
}

static void run_on_thread(void *(*function)(void *), size_t stack_bytes)
{
    pthread_t thread;
    pthread_attr_t attributes;
    struct sigaction action = {.sa_sigaction = on_fault,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK},
                     before;
    sigaction(SIGSEGV, &action, &before);
    openings = is_overflow = 0;
    wanted_openings = 100;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_bytes);
    CHECK_INT(pthread_create(&thread, &attributes, function, NULL), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    sigaction(SIGSEGV, &before, NULL);
}

static void *reach_once(void *unused)
{
    stack_guard_begin_thread();
    wanted_openings = 1;
    int reached = descend(0, STACK_BYTES / FRAME_BYTES);
    CHECK_INT(openings, 1);
    CHECK(reached > STACK_BYTES / FRAME_BYTES / 2); // most of the stack is for use
    CHECK(reached < (STACK_BYTES - (768 << 10)) / FRAME_BYTES); // and some is left
    stack_guard_close(); // closed anew from far above
    wanted_openings = 2;
    CHECK_INT(descend(0, STACK_BYTES / FRAME_BYTES), reached);
    CHECK_INT(openings, 2);
    stack_guard_end_thread();
    return NULL;
}

TEST(reaching_it_is_told_while_there_is_room)
{
    run_on_thread(reach_once, STACK_BYTES);
}

static void *reach_the_end(void *unused)
{
    stack_guard_begin_thread();
    if (!sigsetjmp(out, 1))
        descend(0, STACK_BYTES / FRAME_BYTES + 10);
    stack_guard_end_thread();
    return NULL;
}

TEST(recursion_that_goes_on_is_told_again_and_then_known)
{
    run_on_thread(reach_the_end, STACK_BYTES);
    CHECK_INT(openings, 4);
    CHECK(is_overflow);
}

static void *use_all(void *unused)
{
    CHECK_INT(descend(0, (STACK_BYTES - (128 << 10)) / FRAME_BYTES),
            (STACK_BYTES - (128 << 10)) / FRAME_BYTES);
    return NULL;
}

// Threads take the stacks of those that ended.
TEST(the_next_thread_has_the_whole_stack)
{
    run_on_thread(reach_once, STACK_BYTES);
    run_on_thread(use_all, STACK_BYTES);
    CHECK_INT(openings, 0);
}

static void *use_little(void *unused)
{
    stack_guard_begin_thread();
    descend(0, 64);
    stack_guard_end_thread();
    return NULL;
}

TEST(small_stacks_have_no_guard)
{
    run_on_thread(use_little, SMALL_STACK_BYTES);
    CHECK_INT(openings, 0);
}

static void *ask_for_others(void *unused)
{
    int local = 0;
    CHECK(!stack_guard_open(&local));
    stack_guard_begin_thread();
    CHECK(!stack_guard_open(&local));
    CHECK(!stack_guard_open(NULL));
    CHECK(!stack_guard_overflowed(&local));
    CHECK(!stack_guard_overflowed(&out));
    stack_guard_end_thread();
    return NULL;
}

TEST(faults_elsewhere_are_not_its)
{
    run_on_thread(ask_for_others, STACK_BYTES);
}

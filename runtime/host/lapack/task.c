// SPDX-License-Identifier: MIT
// Tasks of LAPACK that an interrupt need not wait for. No call of it can be stopped: a
// long one runs on a thread of its own, and who asked for it leaves when an interrupt
// comes. Nobody else has its arrays then, and they are freed at its end.
//
// OpenBLAS cannot fork, or end, amid a call. So a fork waits for the tasks, and a process
// that ends leaves without the destructors of libraries.
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "compiler/support/support.h"
#include "compiler/support/interrupt.h"
#include "runtime/host/lapack/lapack.h"

enum {
    POLL_MS = 10,
    STACK_BYTES = 8 << 20,
    LEAST_OPERATIONS = 50 * 1000 * 1000, // milliseconds, which a thread does not add to
};

struct call {
    struct lapack_task task;
    int64_t status;
    bool is_done, is_left; // guarded by lock
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended; // a call is done, by the monotonic clock
static int running;          // guarded by lock: calls that are not done
static pthread_once_t once = PTHREAD_ONCE_INIT;

// --- The process forks and ends

static void create_condition(void)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&ended, &attributes);
    pthread_condattr_destroy(&attributes);
}

// Runs before OpenBLAS's own handler, which came earlier.
static void before_fork(void)
{
    pthread_mutex_lock(&lock);
    while (running)
        pthread_cond_wait(&ended, &lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&lock);
}

static void after_fork_in_child(void)
{
    create_condition(); // threads that waited are not here
    pthread_mutex_unlock(&lock);
}

static void at_exit(int status, void *ignored)
{
    (void)ignored;
    pthread_mutex_lock(&lock);
    bool is_idle = !running;
    pthread_mutex_unlock(&lock);
    if (is_idle)
        return;
    fflush(NULL);
    _exit(status);
}

static void prepare(void)
{
    create_condition();
    pthread_atfork(before_fork, after_fork, after_fork_in_child);
    on_exit(at_exit, NULL);
}

// --- Calls

static void *work(void *context)
{
    struct call *call = context;
    int64_t status = call->task.run(&call->task);
    for (size_t i = 0; i < sizeof call->task.arrays / sizeof *call->task.arrays; i++)
        gridcell_memory_release(call->task.arrays[i]);
    pthread_mutex_lock(&lock);
    bool is_left = call->is_left;
    call->status = status;
    call->is_done = true;
    running--;
    pthread_cond_broadcast(&ended);
    pthread_mutex_unlock(&lock);
    if (is_left)
        free(call);
    return NULL;
}

// Signals are for other threads.
static bool start_thread(struct call *call)
{
    pthread_t thread;
    pthread_attr_t attributes;
    sigset_t all, before;
    if (pthread_attr_init(&attributes))
        return false;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    bool is_started = pthread_create(&thread, &attributes, work, call) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return is_started;
}

static struct call *start(const struct lapack_task *task)
{
    struct call *call = malloc(sizeof *call);
    if (!call)
        return NULL;
    *call = (struct call){.task = *task};
    for (size_t i = 0; i < sizeof task->arrays / sizeof *task->arrays; i++)
        gridcell_memory_retain(task->arrays[i]);
    pthread_mutex_lock(&lock);
    bool is_started = start_thread(call);
    running += is_started;
    pthread_mutex_unlock(&lock);
    if (is_started)
        return call;
    for (size_t i = 0; i < sizeof task->arrays / sizeof *task->arrays; i++)
        gridcell_memory_release(task->arrays[i]);
    free(call);
    return NULL;
}

static struct timespec next_poll(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_nsec += POLL_MS * 1000L * 1000;
    if (time.tv_nsec >= 1000L * 1000 * 1000) {
        time.tv_nsec -= 1000L * 1000 * 1000;
        time.tv_sec++;
    }
    return time;
}

static int64_t await(struct call *call)
{
    pthread_mutex_lock(&lock);
    while (!call->is_done && !compiler_interrupt_flag) {
        struct timespec until = next_poll();
        pthread_cond_timedwait(&ended, &lock, &until);
    }
    bool is_done = call->is_done;
    call->is_left = !is_done;
    pthread_mutex_unlock(&lock);
    if (!is_done)
        return INTERRUPTED;
    int64_t status = call->status;
    free(call);
    return status;
}

int64_t lapack_run(const struct lapack_task *task, double operations)
{
    struct call *call = NULL;
    if (operations * (lapack_is_complex(task->kind) ? 4 : 1) >= LEAST_OPERATIONS) {
        pthread_once(&once, prepare);
        call = start(task);
    }
    return call ? await(call) : task->run(task);
}

// SPDX-License-Identifier: MIT
// A pool that hands one job at a time to its threads. Threads start at first use and are
// started anew in a forked child, which inherits none of them.
//
// A thread that is woken comes too late for a loop of some microseconds. So one that has
// just worked looks out for the next job for a while before it sleeps, if there is a core
// for it; and who waits for helpers does the same.
#include "runtime/threads/thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "base/machine.h"

enum { MAX_THREADS = 512, LOOKS = 64 };
// How long a thread looks out for a job; for helpers to be done.
enum { AWAKE_NS = 200 * 1000, PATIENT_NS = 50 * 1000 };
// How often one who waits longer asks.
enum { ASKING_NS = 10 * 1000 * 1000 };

struct job {
    void (*work)(void *context);
    void *context;
    size_t places;         // helpers that may still join
    atomic_size_t running; // helpers that have joined and not yet left
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t job_came, helper_left;
    struct job *job; // guarded by lock; NULL: idle
    size_t threads;  // guarded by lock
    size_t sleeping; // guarded by lock: threads that a signal has to wake
    size_t cores;    // guarded by lock; of the process, when threads were started last
    atomic_size_t offers; // of jobs so far; written with the lock, read without
    bool has_fork_handler;
} pool = {
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .job_came = PTHREAD_COND_INITIALIZER,
        .helper_left = PTHREAD_COND_INITIALIZER,
};

size_t thread_pool_cores(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set))
        return 1;
    int count = CPU_COUNT(&set);
    return count > 0 ? (size_t)count : 1;
}

// The child of a fork has this thread only: forget the others, and a job of theirs.
// The lock may be held by a thread that is not there any more, so it is made anew, and
// not unlocked.
static void forget_threads(void)
{
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.job_came, NULL);
    pthread_cond_init(&pool.helper_left, NULL);
    pool.job = NULL;
    pool.threads = pool.sleeping = 0;
}

static int64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

// Looks out, without the lock, until the number is another one, or time is over.
static void look_out(const atomic_size_t *number, size_t before, int64_t most_ns)
{
    int64_t end = now_ns() + most_ns;
    pthread_mutex_unlock(&pool.lock);
    do {
        for (int i = 0; i < LOOKS && atomic_load(number) == before; i++)
            machine_pause();
    } while (atomic_load(number) == before && now_ns() < end);
    pthread_mutex_lock(&pool.lock);
}

static bool has_job(void)
{
    return pool.job && pool.job->places;
}

// Needs the lock. Who is woken too late for a job looks out for the next one, which often
// follows.
static void wait_for_job(void)
{
    while (!has_job()) {
        if (pool.threads < pool.cores)
            look_out(&pool.offers, pool.offers, AWAKE_NS);
        if (has_job())
            return;
        pool.sleeping++;
        pthread_cond_wait(&pool.job_came, &pool.lock);
        pool.sleeping--;
    }
}

// Threads of the pool never end: the process's end takes them, wherever they are.
static void *help_forever(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        wait_for_job();
        struct job *job = pool.job;
        job->places--;
        job->running++;
        pthread_mutex_unlock(&pool.lock);
        job->work(job->context);
        pthread_mutex_lock(&pool.lock);
        if (--job->running == 0)
            pthread_cond_broadcast(&pool.helper_left);
    }
    return NULL;
}

// Starts threads until there are `wanted`; fewer when the system refuses. Needs the lock.
static void start_threads(size_t wanted)
{
    if (pool.threads >= wanted)
        return;
    if (!pool.has_fork_handler) {
        pthread_atfork(NULL, NULL, forget_threads);
        pool.has_fork_handler = true;
    }
    pool.cores = thread_pool_cores();
    // signals belong to the main thread
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, 8 << 20);
    while (pool.threads < wanted) {
        pthread_t thread;
        if (pthread_create(&thread, &attributes, help_forever, NULL))
            break;
        pool.threads++;
    }
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

// Makes `job` the pool's job, unless it has one already.
// A second job at the same time (another thread of Python, a loop within a loop) runs on
// its own thread alone: no job waits for another, so that none can wait for itself.
static bool offer(struct job *job)
{
    pthread_mutex_lock(&pool.lock);
    bool is_free = !pool.job;
    if (is_free) {
        start_threads(job->places < MAX_THREADS ? job->places : MAX_THREADS);
        pool.job = job;
        pool.offers++;
        if (pool.sleeping && job->places == 1)
            pthread_cond_signal(&pool.job_came);
        else if (pool.sleeping)
            pthread_cond_broadcast(&pool.job_came);
    }
    pthread_mutex_unlock(&pool.lock);
    return is_free;
}

// Needs the lock, which is free while `ask` runs.
static void wait_for_helpers(const struct job *job, void (*ask)(void))
{
    while (job->running && !ask)
        pthread_cond_wait(&pool.helper_left, &pool.lock);
    while (job->running) {
        int64_t end = now_ns() + ASKING_NS;
        struct timespec until = {end / 1000000000, end % 1000000000};
        if (!pthread_cond_clockwait(
                    &pool.helper_left, &pool.lock, CLOCK_MONOTONIC, &until))
            continue;
        pthread_mutex_unlock(&pool.lock);
        ask();
        pthread_mutex_lock(&pool.lock);
    }
}

void thread_pool_run(void (*work)(void *context), void *context, size_t helpers)
{
    thread_pool_run_asking(work, context, helpers, NULL);
}

// `job` is on this stack: the call returns when no helper refers to it any more.
void thread_pool_run_asking(
        void (*work)(void *context), void *context, size_t helpers, void (*ask)(void))
{
    struct job job = {.work = work, .context = context, .places = helpers};
    bool is_shared = helpers > 0 && offer(&job);
    work(context);
    if (!is_shared)
        return;
    pthread_mutex_lock(&pool.lock);
    job.places = 0;
    if (job.running)
        look_out(&job.running, job.running, PATIENT_NS);
    wait_for_helpers(&job, ask);
    pool.job = NULL;
    pthread_mutex_unlock(&pool.lock);
}

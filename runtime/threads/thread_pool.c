// SPDX-License-Identifier: MIT
// A pool that hands one job at a time to its threads. Threads start at first use and are
// started anew in a forked child, which inherits none of them.
#include "runtime/threads/thread_pool.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>

enum { MAX_THREADS = 512 };

struct job {
    void (*work)(void *context);
    void *context;
    size_t places;  // helpers that may still join
    size_t running; // helpers that have joined and not yet left
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t job_came, helper_left;
    struct job *job; // guarded by lock; NULL: idle
    size_t threads;  // guarded by lock
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
    pool.threads = 0;
}

// Threads of the pool never end: the process's end takes them, wherever they are.
static void *help_forever(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (!pool.job || !pool.job->places)
            pthread_cond_wait(&pool.job_came, &pool.lock);
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
    if (!pool.has_fork_handler) {
        pthread_atfork(NULL, NULL, forget_threads);
        pool.has_fork_handler = true;
    }
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
        if (job->places == 1)
            pthread_cond_signal(&pool.job_came);
        else
            pthread_cond_broadcast(&pool.job_came);
    }
    pthread_mutex_unlock(&pool.lock);
    return is_free;
}

// `job` is on this stack: the call returns when no helper refers to it any more.
void thread_pool_run(void (*work)(void *context), void *context, size_t helpers)
{
    struct job job = {.work = work, .context = context, .places = helpers};
    bool is_shared = helpers > 0 && offer(&job);
    work(context);
    if (!is_shared)
        return;
    pthread_mutex_lock(&pool.lock);
    job.places = 0;
    while (job.running)
        pthread_cond_wait(&pool.helper_left, &pool.lock);
    pool.job = NULL;
    pthread_mutex_unlock(&pool.lock);
}

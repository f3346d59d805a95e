// SPDX-License-Identifier: MIT
// The thread that watches over launches. Why not a question in each loop: innermost
// counted loops would not vectorise, nor the loops over a block's threads around them.
//
// It sleeps for good a second after the last launch, so that an idle process is idle, and
// launches that follow one another do not wake it each time.
#include "runtime/emulator/emulated_interrupt.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "compiler/support/interrupt.h"
#include "runtime/threads/fault.h"

enum {
    MOST_THREADS = 512,
    LOOK_MS = 20,
    HURRY_MS = 1,     // once threads are told to leave: most may be in sin() and the like
    LOST_LOOKS = 100, // after which a signal that nobody answered counts as lost
    PATIENCE = 2,     // looks at the flag, while loops that ask may end by themselves
    IDLE_LOOKS = 50,  // without a launch, until the watcher sleeps
    NONE = MOST_THREADS // number of a thread for which there is no place
};

// The kernel's number of each thread that runs blocks; 0: a free place.
static _Atomic pid_t threads[MOST_THREADS];
// Signals sent and not yet handled. A thread that the system lets wait must not find a
// pile of them: real-time signals queue, and each would be handled on top of the one
// before.
static atomic_int under_way;
static _Thread_local pid_t own; // this thread's number; 0: not known yet
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t launched = PTHREAD_COND_INITIALIZER;
static atomic_bool is_asleep = true; // also: there is no watcher yet
static bool is_started;              // guarded by lock
static bool has_fork_handler;        // guarded by lock

static int leave_signal(void)
{
    return SIGRTMAX - 5;
}

static void handle_leave(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)info;
    atomic_fetch_sub(&under_way, 1);
    if (compiler_interrupt_flag)
        fault_leave_loose(context);
}

// Somebody else's handler stays: then only loops that ask are interrupted.
static bool install_handler(void)
{
    struct sigaction current,
            action = {.sa_sigaction = handle_leave,
                    .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    if (sigaction(leave_signal(), NULL, &current) != 0)
        return false;
    bool is_ours =
            (current.sa_flags & SA_SIGINFO) && current.sa_sigaction == handle_leave;
    bool is_free = !(current.sa_flags & SA_SIGINFO) && current.sa_handler == SIG_DFL;
    return is_ours || (is_free && sigaction(leave_signal(), &action, NULL) == 0);
}

static void tell(pid_t thread)
{
    atomic_fetch_add(&under_way, 1);
    if (syscall(SYS_tgkill, getpid(), thread, leave_signal()) != 0)
        atomic_fetch_sub(&under_way, 1);
}

// Whether those told before have had the time to leave; `looks`: since then.
static bool may_tell(int *looks)
{
    if (atomic_load(&under_way) > 0 && ++*looks < LOST_LOOKS)
        return false;
    atomic_store(&under_way, 0);
    *looks = 0;
    return true;
}

// A thread that has left meanwhile, or is in no code of a kernel just now, takes no
// notice of the signal; it is sent again at the next look.
static bool look(bool is_due)
{
    bool is_any = false;
    for (size_t i = 0; i < MOST_THREADS; i++) {
        pid_t thread = atomic_load(&threads[i]);
        is_any = is_any || thread;
        if (thread && is_due)
            tell(thread);
    }
    return is_any;
}

// Who enters stores its number first and looks at is_asleep then; here it is the other
// way round, so that one of the two sees the other.
static void sleep_until_launched(void)
{
    pthread_mutex_lock(&lock);
    atomic_store(&is_asleep, true);
    while (!look(false))
        pthread_cond_wait(&launched, &lock);
    atomic_store(&is_asleep, false);
    pthread_mutex_unlock(&lock);
}

static void *watch(void *unused)
{
    int idle = IDLE_LOOKS, asked = 0, unanswered = 0;
    for (;;) {
        if (idle >= IDLE_LOOKS) {
            sleep_until_launched();
            idle = 0;
        }
        int pause_ms = asked >= PATIENCE ? HURRY_MS : LOOK_MS;
        nanosleep(&(struct timespec){.tv_nsec = pause_ms * 1000L * 1000}, NULL);
        asked = compiler_interrupt_flag ? asked + 1 : 0;
        idle = look(asked >= PATIENCE && may_tell(&unanswered)) ? 0 : idle + 1;
    }
    return unused;
}

// The child of a fork has no watcher, and this thread alone, under another number.
static void forget_watcher(void)
{
    own = 0;
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&launched, NULL);
    memset((void *)threads, 0, sizeof threads);
    is_started = false;
    atomic_store(&is_asleep, true);
}

static void start_watcher(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    sigset_t all, before;
    if (!has_fork_handler)
        has_fork_handler = !pthread_atfork(NULL, NULL, forget_watcher);
    if (!has_fork_handler || !install_handler() || pthread_attr_init(&attributes))
        return;
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    is_started = !pthread_create(&thread, &attributes, watch, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

static void wake_watcher(void)
{
    pthread_mutex_lock(&lock);
    if (!is_started)
        start_watcher();
    pthread_cond_signal(&launched);
    pthread_mutex_unlock(&lock);
}

// Threads of the pool have all signals blocked.
static void prepare_thread(void)
{
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, leave_signal());
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    own = (pid_t)syscall(SYS_gettid);
}

size_t emulated_interrupt_watch(void)
{
    pid_t none = 0;
    size_t number = 0;
    if (!own)
        prepare_thread();
    while (number < MOST_THREADS &&
            !atomic_compare_exchange_strong(&threads[number], &none, own)) {
        none = 0;
        number++;
    }
    if (atomic_load(&is_asleep))
        wake_watcher();
    return number;
}

void emulated_interrupt_unwatch(size_t number)
{
    if (number != NONE)
        atomic_store(&threads[number], 0);
}

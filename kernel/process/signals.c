// SPDX-License-Identifier: MIT
// SIGINT reaches the cell that runs and nothing else; SIGTERM ends the kernel in good
// order.
#include "kernel/session/kernel.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

static struct kernel *_Atomic attached;
static pid_t attached_pid;
static atomic_bool terminated_early;

static void handle_interrupt(int number)
{
    struct kernel *kernel = atomic_load(&attached);
    (void)number;
    if (!kernel || !atomic_load(&kernel->runs_python))
        return;
    if (!pthread_equal(pthread_self(), kernel->main_thread)) {
        // only there does it end a system call that waits
        pthread_kill(kernel->main_thread, SIGINT);
        return;
    }
    atomic_store(&kernel->is_interrupted, true);
    long long none = 0; // a second interrupt does not start over
    atomic_compare_exchange_strong(&kernel->interrupted_ms, &none, clock_ms());
    queue_wake(&kernel->outgoing);
    queue_wake(&kernel->input_replies);
    interp_interrupt();
}

static void handle_terminate(int number)
{
    struct kernel *kernel = atomic_load(&attached);
    (void)number;
    if (!kernel) {
        atomic_store(&terminated_early, true);
        return;
    }
    if (getpid() != attached_pid) {
        // a child between fork and signals_after_fork: it ends as soon as this returns
        signal(SIGTERM, SIG_DFL);
        raise(SIGTERM);
        return;
    }
    atomic_store(&kernel->wants_stop, true);
    queue_wake(&kernel->outgoing);
}

static void set_handler(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_ONSTACK;
    sigaction(number, &action, NULL);
}

void signals_install(void)
{
    set_handler(SIGINT, handle_interrupt);
    set_handler(SIGTERM, handle_terminate);
    signal(SIGPIPE, SIG_IGN);
}

void signals_reinstall(void)
{
    set_handler(SIGINT, handle_interrupt);
}

void signals_attach(struct kernel *kernel)
{
    attached_pid = getpid();
    atomic_store(&attached, kernel);
    if (atomic_load(&terminated_early))
        handle_terminate(SIGTERM);
}

void signals_detach(void)
{
    atomic_store(&attached, NULL);
}

void signals_after_fork(void)
{
    signal(SIGTERM, SIG_DFL);
}

void signals_block_all(void)
{
    sigset_t all;
    sigfillset(&all);
    // faults of the thread itself cannot wait
    sigdelset(&all, SIGSEGV);
    sigdelset(&all, SIGBUS);
    sigdelset(&all, SIGFPE);
    sigdelset(&all, SIGILL);
    sigdelset(&all, SIGABRT);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
}

void signals_unblock_all(void)
{
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
}

void signals_interrupt(struct kernel *kernel)
{
    // a real signal also ends a system call that waits
    if (atomic_load(&kernel->runs_python))
        pthread_kill(kernel->main_thread, SIGINT);
}

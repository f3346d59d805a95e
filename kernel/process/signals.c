// SPDX-License-Identifier: MIT
// SIGINT reaches the cell that runs and nothing else; SIGTERM ends the kernel in good
// order.
#include "kernel/process/signals.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

// What is attached is published last: a handler that sees the hooks sees the rest.
static const struct process_hooks *_Atomic attached; // NULL: nobody is told
static struct kernel *attached_kernel;               // for the hooks
static pid_t attached_pid;
static atomic_bool terminated_early;

// Python's own handler is not this one: it is told by the hook if a cell runs.
static void handle_interrupt(int number)
{
    const struct process_hooks *hooks = atomic_load(&attached);
    (void)number;
    if (hooks)
        hooks->report(attached_kernel, PROCESS_INTERRUPTED);
}

// Launchers send it early, too: one that comes before the kernel exists is kept for it.
static void handle_terminate(int number)
{
    const struct process_hooks *hooks = atomic_load(&attached);
    (void)number;
    if (!hooks) {
        atomic_store(&terminated_early, true);
        return;
    }
    if (getpid() != attached_pid) {
        // a child between fork and end_as_usual: it ends as soon as this returns
        signal(SIGTERM, SIG_DFL);
        raise(SIGTERM);
        return;
    }
    hooks->report(attached_kernel, PROCESS_TERMINATED);
}

// Without SA_RESTART: a signal is to end the system calls of cells. On the alternate
// stack, as the thread's own may be nearly full.
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
    signal(SIGXFSZ, SIG_IGN); // as in Python: a file past its limit is an OSError
}

// Cells may have put a handler of theirs in its place (signal.signal).
void signals_reinstall(void)
{
    set_handler(SIGINT, handle_interrupt);
}

// In a forked child: it ends at SIGTERM as any process does. SIGINT is left to Python.
static void end_as_usual(void)
{
    signal(SIGTERM, SIG_DFL);
}

void signals_attach(const struct process_hooks *hooks, struct kernel *kernel)
{
    attached_pid = getpid();
    attached_kernel = kernel;
    pthread_atfork(NULL, NULL, end_as_usual);
    atomic_store(&attached, hooks);
    if (atomic_load(&terminated_early))
        handle_terminate(SIGTERM);
}

void signals_detach(void)
{
    atomic_store(&attached, NULL);
}

// For threads of ours: the system gives a signal to any thread that has it unblocked, and
// SIGINT would end nothing there.
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

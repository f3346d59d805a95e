// SPDX-License-Identifier: MIT
// A fatal signal: before the process ends by it, the I/O thread tells the front end which
// it was, after all that was printed. The thread that crashed only waits for that, a
// bounded time.
#include "kernel/kernel.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define TELLING_LIMIT_MS 1000
#define LINGER_MS 300

static struct kernel *_Atomic watched;
static pid_t watched_pid; // a forked child has nobody to tell
static atomic_int crash_signal;
static atomic_bool is_told;
static char crash_stack[65536]; // the main thread's own may be what overflowed

static const int fatal_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

static void end_by(int number)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigset_t only;
    sigaction(number, &action, NULL);
    sigemptyset(&only);
    sigaddset(&only, number);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    raise(number);
}

static void pause_ms(int ms)
{
    struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};
    nanosleep(&pause, NULL);
}

static void handle_crash(int number)
{
    struct kernel *kernel = atomic_load(&watched);
    int none = 0;
    bool can_tell = kernel && getpid() == watched_pid &&
                    !pthread_equal(pthread_self(), kernel->io_thread);
    if (can_tell && atomic_compare_exchange_strong(&crash_signal, &none, number)) {
        queue_wake(&kernel->outgoing);
        for (int ms = 0; ms < TELLING_LIMIT_MS && !atomic_load(&is_told); ms += 5)
            pause_ms(5);
    } else if (can_tell) {
        // another thread crashed first and ends the process
        pause_ms(2 * TELLING_LIMIT_MS);
    }
    end_by(number);
}

void crash_watch(struct kernel *kernel)
{
    stack_t stack = {.ss_sp = crash_stack, .ss_size = sizeof crash_stack};
    struct sigaction action = {
            .sa_handler = handle_crash, .sa_flags = SA_ONSTACK | SA_NODEFER};
    sigemptyset(&action.sa_mask);
    sigaltstack(&stack, NULL);
    watched_pid = getpid();
    atomic_store(&watched, kernel);
    for (size_t i = 0; i < sizeof fatal_signals / sizeof *fatal_signals; i++)
        sigaction(fatal_signals[i], &action, NULL);
}

void crash_unwatch(void)
{
    atomic_store(&watched, NULL);
}

bool crash_is_pending(void)
{
    return atomic_load(&crash_signal);
}

void crash_prepare_report(struct kernel *kernel)
{
    int number = atomic_load(&crash_signal);
    const char *name = sigabbrev_np(number);
    char line[256];
    snprintf(line, sizeof line, "The kernel died of SIG%s (%s).", name ? name : "?",
            strsignal(number));
    dprintf(kernel->capture.original[FRONT_END_STDERR], "gridcell: error: %s\n", line);
    json_t *content = json_pack("{s:s, s:s, s:[s]}", "ename", "KernelDied", "evalue",
            line, "traceback", line);
    kernel_send(kernel, &(struct message_spec){.channel = CHANNEL_IOPUB,
                                .origin = kernel->iopub.origin,
                                .msg_type = "error",
                                .content_stolen = json_text_stolen(content)});
}

void crash_finish_report(struct kernel *kernel)
{
    int linger_ms = LINGER_MS;
    for (int i = 0; i < CHANNEL_COUNT; i++)
        zmq_setsockopt(kernel->sockets[i], ZMQ_LINGER, &linger_ms, sizeof linger_ms);
    sockets_close(kernel);
    atomic_store(&is_told, true);
    pause_ms(2 * TELLING_LIMIT_MS);
    _exit(128 + atomic_load(&crash_signal));
}

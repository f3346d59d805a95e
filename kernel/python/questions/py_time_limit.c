// SPDX-License-Identifier: MIT
// Answers must come in time also when an object's own methods sleep or loop: after the
// limit, the main thread gets an interrupt, again and again until it gives up.
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "kernel/python/questions/py_evaluate.h"

enum { REPEAT_MS = 50 };

// A process has one main thread, so one limit.
static timer_t timer;
static bool has_timer;
static pid_t timer_process;
static atomic_bool is_active, is_over;

static void handle_timer(int number)
{
    (void)number;
    if (!atomic_load(&is_active))
        return;
    atomic_store(&is_over, true);
    interp_interrupt();
}

// A signal of its own, so that the user's SIGALRM and SIGINT stay theirs.
static bool make_timer(void)
{
    int number = SIGRTMAX - 3;
    struct sigaction action = {.sa_handler = handle_timer, .sa_flags = SA_ONSTACK};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = number};
    sigemptyset(&action.sa_mask);
    // a forked child has none of its parent's timers
    if (has_timer && timer_process == getpid())
        return true;
    has_timer = sigaction(number, &action, NULL) == 0 &&
                timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
    timer_process = getpid();
    return has_timer;
}

static void set_timer(int first_ms, int repeat_ms)
{
    struct itimerspec times = {.it_value = {first_ms / 1000, first_ms % 1000 * 1000000L},
            .it_interval = {0, repeat_ms * 1000000L}};
    timer_settime(timer, 0, &times, NULL);
}

void time_limit_begin(int limit_ms)
{
    atomic_store(&is_over, false);
    if (!interp_is_main_thread() || !make_timer())
        return;
    atomic_store(&is_active, true);
    set_timer(limit_ms, REPEAT_MS);
}

bool time_limit_end(void)
{
    if (!interp_is_main_thread() || !atomic_exchange(&is_active, false))
        return false;
    set_timer(0, 0);
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    while (PyErr_CheckSignals() < 0)
        PyErr_Clear(); // answered: they were the limit's
    PyErr_Restore(type, value, traceback);
    bool was_over = atomic_load(&is_over);
    if (was_over && type && PyErr_ExceptionMatches(PyExc_KeyboardInterrupt))
        PyErr_Clear(); // answered: so was this one
    return was_over;
}

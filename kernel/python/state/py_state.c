// SPDX-License-Identifier: MIT
// The state of the one interpreter, the hand-over of the GIL, and interrupts.
#include "kernel/python/state/py_state.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

// The kernel is one process with one interpreter, and interp.h carries no handle.
static struct shell the_shell;
static pthread_t main_thread;
static atomic_bool is_running;
static atomic_bool was_interrupted; // since the main thread's cell began
static const struct interrupt_hooks
        *_Atomic compiled; // NULL until the compiler is loaded

struct shell *shell_get(void)
{
    return &the_shell;
}

void interp_set_main_thread(void)
{
    main_thread = pthread_self();
}

void interp_enter(void)
{
    interp_resume();
    parent_update();
}

void interp_leave(void)
{
    interp_pause();
}

void interp_set_compiled_interrupt(const struct interrupt_hooks *hooks)
{
    atomic_store(&compiled, hooks);
}

bool interp_set_running(bool running)
{
    if (!interp_is_main_thread())
        return atomic_load(&is_running);
    return atomic_exchange(&is_running, running);
}

json_t *interp_answer(json_t *(*answer)(json_t *content), json_t *content)
{
    interp_enter();
    interp_set_running(true);
    json_t *reply = answer(content);
    py_error_drop();
    interp_set_running(false);
    interp_leave();
    return reply;
}

void interp_forget_interrupts(void)
{
    const struct interrupt_hooks *hooks = atomic_load(&compiled);
    if (hooks && interp_is_main_thread())
        *hooks->flag = 0;
    while (PyErr_CheckSignals() < 0)
        PyErr_Clear(); // answered: it came in vain
    if (interp_is_main_thread())
        atomic_store(&was_interrupted, false);
}

void interp_raise_again(void)
{
    if (interp_is_main_thread() && atomic_exchange(&was_interrupted, false))
        PyErr_SetInterruptEx(SIGINT);
}

bool interp_is_main_thread(void)
{
    return pthread_equal(pthread_self(), main_thread);
}

void interp_signal_main(int number)
{
    pthread_kill(main_thread, number);
}

void interp_interrupt(void)
{
    if (!atomic_load(&is_running))
        return;
    // on the main thread this is the signal handler; another thread must break its system
    // calls
    if (!pthread_equal(pthread_self(), main_thread)) {
        interp_signal_main(SIGINT);
        return;
    }
    atomic_store(&was_interrupted, true);
    const struct interrupt_hooks *hooks = atomic_load(&compiled);
    if (hooks)
        hooks->request();
    PyErr_SetInterruptEx(SIGINT);
}

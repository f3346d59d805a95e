// SPDX-License-Identifier: MIT
// Faults of the machine inside compiled code (an unmapped page, a division trap): the
// call that entered the code returns STATUS_FAULT. Faults elsewhere go to whoever handled
// them before.
#include "runtime/threads/fault.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "compiler/compiler.h"

// The innermost call into compiled code of this thread.
struct gate {
    void *place[5]; // of __builtin_setjmp
    struct gate *outer;
};

static _Thread_local struct gate *volatile innermost;
static _Thread_local struct fault last_fault;
static _Thread_local bool has_stack;

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
enum { SIGNAL_COUNT = sizeof signals / sizeof *signals, STACK_BYTES = 64 * 1024 };
static struct sigaction previous[SIGNAL_COUNT];

// Code that belongs to no file that is loaded is ours, while we are in a call.
static bool is_compiled_code(uintptr_t address)
{
    struct dl_find_object object;
    return address && _dl_find_object((void *)address, &object) != 0;
}

static void pass_on(int index, int number, siginfo_t *info, void *context)
{
    const struct sigaction *action = &previous[index];
    if (action->sa_flags & SA_SIGINFO) {
        action->sa_sigaction(number, info, context);
    } else if (action->sa_handler == SIG_DFL || action->sa_handler == SIG_IGN) {
        struct sigaction usual = {.sa_handler = SIG_DFL};
        sigaction(number, &usual, NULL); // the instruction is tried again, and ends us
    } else {
        action->sa_handler(number);
    }
}

static void handle_fault(int number, siginfo_t *info, void *context)
{
    const ucontext_t *machine = context;
    uintptr_t place = (uintptr_t)machine->uc_mcontext.gregs[REG_RIP];
    struct gate *gate = innermost;
    // a jump to nowhere leaves the place itself unmapped
    bool is_ours = gate && info->si_code > 0 &&
                   (is_compiled_code(place) || place == (uintptr_t)info->si_addr);
    if (is_ours) {
        last_fault = (struct fault){number, info->si_addr, (void *)place};
        __builtin_longjmp(gate->place, 1);
    }
    for (int i = 0; i < SIGNAL_COUNT; i++)
        if (signals[i] == number)
            pass_on(i, number, info, context);
}

void fault_watch(void)
{
    for (int i = 0; i < SIGNAL_COUNT; i++) {
        struct sigaction current;
        if (sigaction(signals[i], NULL, &current) != 0 ||
                ((current.sa_flags & SA_SIGINFO) && current.sa_sigaction == handle_fault))
            continue;
        previous[i] = current;
        struct sigaction action = {.sa_sigaction = handle_fault,
                .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
        sigemptyset(&action.sa_mask);
        sigaction(signals[i], &action, NULL);
    }
}

static pthread_key_t stack_key;
static pthread_once_t stack_once = PTHREAD_ONCE_INIT;

static void free_stack(void *memory)
{
    stack_t none = {.ss_flags = SS_DISABLE};
    sigaltstack(&none, NULL);
    free(memory);
}

static void create_key(void)
{
    pthread_key_create(&stack_key, free_stack);
}

// Handlers run on a stack of their own, as the thread's may be what is full.
static void give_stack(void)
{
    stack_t current;
    has_stack = true;
    if (sigaltstack(NULL, &current) != 0 || !(current.ss_flags & SS_DISABLE))
        return;
    stack_t stack = {.ss_sp = malloc(STACK_BYTES), .ss_size = STACK_BYTES};
    if (!stack.ss_sp)
        return;
    pthread_once(&stack_once, create_key);
    if (sigaltstack(&stack, NULL) != 0 || pthread_setspecific(stack_key, stack.ss_sp))
        free(stack.ss_sp);
}

const struct fault *fault_last(void)
{
    return &last_fault;
}

void fault_set_last(const struct fault *fault)
{
    last_fault = *fault;
}

__attribute__((noinline)) int32_t fault_call(
        abi_entry entry, void *result, const void *args)
{
    struct gate gate;
    if (!has_stack) {
        give_stack();
        compiler_watch_stack();
    }
    gate.outer = innermost;
    if (__builtin_setjmp(gate.place)) {
        innermost = innermost->outer;
        return STATUS_FAULT;
    }
    innermost = &gate;
    int32_t status = entry(result, args);
    innermost = gate.outer;
    return status;
}

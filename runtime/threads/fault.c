// SPDX-License-Identifier: MIT
// The fault gate: the one way into compiled code, and around the compiler's own work. A
// fault of the machine in the code (an unmapped page, a division trap, an overflown
// stack) makes the call through the gate return STATUS_FAULT, and the process goes on.
// Faults elsewhere go to whoever handled them before.
//
// What this does to the process: fault_watch() installs handlers of SIGSEGV, SIGBUS,
// SIGFPE, SIGILL and SIGABRT, at the first compilation and again after others have
// replaced them. A thread that goes through the gate gets an alternate stack for signals,
// unless it has one, and the signals unblocked.
//
// What must hold: a fault jumps over the rest of the code, and over C functions that the
// code called (copies, sorts, texts, foreign ones). So these keep no lock of ours while
// they read or write the user's memory. What they own until their end is lost.
//
// Four things are never jumped over: code of files that keep locks of their own
// (threads/places.c: Python, BLAS, the allocator), calls of Python deeper on the stack,
// what is between fault_hold() and fault_release(), and other threads' work.
//
// Guarded work (base/guard.h) is our C and LLVM's C++: a fault anywhere in it is caught,
// but for two places. The allocator may hold its own lock or be what is broken: going on
// would hang. Python, where it was called on the way, counts frames and holds its lock.
#include "runtime/threads/fault.h"

#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/machine.h"
#include "compiler/support/stack.h"
#include "compiler/support/text/text.h"
#include "runtime/threads/places.h"

// A call into compiled code, or guarded work. It lies on the stack of fault_call() or
// guard().
struct gate {
    void *place[5]; // of __builtin_setjmp
    struct gate *outer;
    bool is_guarded;                 // work, not compiled code
    size_t held;                     // see guard_held()
    struct fault_host host;          // where Python stood; of guarded work
    int holds;                       // at the entry, see fault_hold()
    bool is_loose;                   // see fault_be_loose()
    int32_t status;                  // of a call that is left
    const struct fault_known *known; // see fault_call_knowing(); NULL: none
};

bool (*fault_host_state)(struct fault_host *out);

// Of the thread itself, whose handler reads and writes them too. Volatile, as the handler
// may come between any two instructions.
static _Thread_local struct gate *volatile innermost; // NULL: no compiled code runs
static _Thread_local volatile int holds;              // see fault_hold()
static const struct guard_gate gate_of_guards;        // defined below
static _Thread_local struct fault last_fault;
static _Thread_local bool is_prepared; // see prepare_thread()

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { SIGNAL_COUNT = sizeof signals / sizeof *signals, STACK_BYTES = 64 * 1024 };
// Whom we stand before. Written by fault_watch(), under the GIL, just before our handler
// takes the place; a handler that runs meanwhile sees the old or the new one.
static struct sigaction previous[SIGNAL_COUNT];

// Does what would have happened without us.
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

// --- Compiled code

static bool is_own_abort(int number, const siginfo_t *info)
{
    return number == SIGABRT && info->si_code == SI_TKILL && info->si_pid == getpid() &&
           !places_is_heap_broken();
}

// Whether nothing between the gate and `stack`, where the thread stands now, must come to
// its end. A call of Python has a record on the stack.
static bool is_free_to_leave(const struct gate *gate, uintptr_t stack)
{
    struct fault_host now = {0};
    bool is_known = !fault_host_state || fault_host_state(&now);
    uintptr_t frame = (uintptr_t)now.frame;
    bool is_deeper = frame >= stack && frame < (uintptr_t)gate;
    return is_known && holds == gate->holds && !is_deeper;
}

static bool can_leave(
        const struct gate *gate, int number, const siginfo_t *info, const ucontext_t *at)
{
    uintptr_t place = machine_instruction(at);
    // positive: by the machine, not sent by kill()
    if (info->si_code <= 0 && !is_own_abort(number, info))
        return false;
    // a jump to nowhere leaves the place itself unmapped
    if (places_is_compiled(place) || place == (uintptr_t)info->si_addr)
        return number != SIGABRT;
    return !places_is_kept(place) && is_free_to_leave(gate, machine_stack(at));
}

static void note_fault(int number, const siginfo_t *info, const ucontext_t *at)
{
    enum { NEAR = 1 << 16 }; // no frame is larger
    uintptr_t address = (uintptr_t)info->si_addr, stack = machine_stack(at);
    bool is_access = number == SIGSEGV || number == SIGBUS;
    last_fault = (struct fault){
            .signal = number,
            .address = is_access ? info->si_addr : NULL,
            .place = (void *)machine_instruction(at),
            .is_refused_write = number == SIGSEGV && info->si_code == SEGV_ACCERR &&
                                machine_is_write(at),
            .is_stack = is_access && address + NEAR > stack && address < stack + NEAR,
            .text = "abort() was called",
    };
}

// --- Guarded work

static bool is_python_as_before(const struct gate *gate)
{
    struct fault_host now = {0};
    bool is_known = !fault_host_state || fault_host_state(&now);
    return is_known && now.frame == gate->host.frame &&
           now.has_lock == gate->host.has_lock;
}

static bool can_give_up(
        const struct gate *gate, int number, const siginfo_t *info, uintptr_t place)
{
    return !places_is_allocator(place) &&
           (info->si_code > 0 || is_own_abort(number, info)) && is_python_as_before(gate);
}

static __attribute__((noreturn)) void give_up(struct gate *gate)
{
    static _Thread_local volatile sig_atomic_t is_tracing;
    struct guard_failure *failure = guard_last();
    if (!is_tracing) { // what is broken may be the stack
        is_tracing = true;
        failure->frame_count = 0;
        failure->frame_count = backtrace(failure->frames, GUARD_FRAMES);
    }
    is_tracing = false;
    __builtin_longjmp(gate->place, 1);
}

static void note_text(const char *text)
{
    struct guard_failure *failure = guard_last();
    *failure = (struct guard_failure){0};
    snprintf(failure->text, sizeof failure->text, "%s", text);
}

static void give_up_for(const char *text)
{
    struct gate *gate = innermost;
    if (gate && gate->is_guarded && is_python_as_before(gate)) {
        note_text(text);
        give_up(gate);
    }
    if (gate && !gate->is_guarded && is_free_to_leave(gate, (uintptr_t)&gate)) {
        note_text(text);
        last_fault = (struct fault){.signal = SIGABRT, .text = guard_last()->text};
        __builtin_longjmp(gate->place, 1);
    }
}

static void note_signal(
        struct guard_failure *failure, int number, const siginfo_t *info, uintptr_t place)
{
    failure->signal = number;
    failure->place = (void *)place;
    failure->address = number == SIGABRT ? NULL : info->si_addr;
    snprintf(failure->text, sizeof failure->text, "SIG%s (%s)", sigabbrev_np(number),
            sigdescr_np(number));
}

static void handle_fault(int number, siginfo_t *info, void *context)
{
    // where the instruction is that failed
    uintptr_t place = machine_instruction(context);
    struct gate *gate = innermost;
    if (gate && gate->is_guarded && can_give_up(gate, number, info, place)) {
        note_signal(guard_last(), number, info, place);
        give_up(gate);
    }
    if (gate && !gate->is_guarded && can_leave(gate, number, info, context)) {
        // SA_NODEFER left the signal unblocked, so that there is no mask to be restored
        note_fault(number, info, context);
        __builtin_longjmp(gate->place, 1);
    }
    for (int i = 0; i < SIGNAL_COUNT; i++)
        if (signals[i] == number)
            pass_on(i, number, info, context);
}

// What the unwinder needs is loaded now: a handler must not.
static void prepare_guard(void)
{
    void *frame;
    if (guard_gate)
        return;
    places_find();
    backtrace(&frame, 1);
    guard_gate = &gate_of_guards;
}

void fault_watch(void)
{
    prepare_guard();
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

// Frees the alternate stack of a thread when that ends. Written once, by stack_once.
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

// Handlers run on a stack of their own, as the thread's may be what is full. A stack that
// somebody else gave (Python's faulthandler) stays, and stays theirs.
static void give_stack(void)
{
    stack_t current;
    if (sigaltstack(NULL, &current) != 0 || !(current.ss_flags & SS_DISABLE))
        return;
    stack_t stack = {.ss_sp = malloc(STACK_BYTES), .ss_size = STACK_BYTES};
    if (!stack.ss_sp)
        return;
    pthread_once(&stack_once, create_key);
    if (sigaltstack(&stack, NULL) != 0 || pthread_setspecific(stack_key, stack.ss_sp))
        free(stack.ss_sp);
}

// A fault whose signal is blocked ends the process, and threads of pools block all.
static void unblock_signals(void)
{
    sigset_t faults;
    sigemptyset(&faults);
    for (int i = 0; i < SIGNAL_COUNT; i++)
        sigaddset(&faults, signals[i]);
    pthread_sigmask(SIG_UNBLOCK, &faults, NULL);
}

// What a thread needs once, before it enters compiled code for the first time.
static __attribute__((noinline)) void prepare_thread(void)
{
    is_prepared = true;
    give_stack();
    unblock_signals();
    compiler_watch_stack();
}

void fault_hold(void)
{
    holds = holds + 1;
}

void fault_release(void)
{
    holds = holds - 1;
}

void fault_be_loose(void)
{
    innermost->is_loose = true;
}

void fault_leave_loose(const void *context)
{
    struct gate *gate = innermost;
    uintptr_t place = machine_instruction(context);
    if (!gate || gate->is_guarded || !gate->is_loose ||
            (!places_is_compiled(place) && !places_is_mathematics(place)))
        return;
    gate->status = STATUS_INTERRUPTED;
    __builtin_longjmp(gate->place, 1);
}

bool fault_is_known(const void *start, size_t bytes)
{
    const struct gate *gate = innermost;
    return gate && !gate->is_guarded && gate->known &&
           gate->known->holds(gate->known, start, bytes);
}

const struct fault *fault_last(void)
{
    return &last_fault;
}

void fault_set_last(const struct fault *fault)
{
    last_fault = *fault;
}

// See fault_call().
static __attribute__((noinline)) bool guard(void (*work)(void *data), void *data)
{
    struct gate gate;
    if (!is_prepared)
        prepare_thread();
    gate.outer = innermost;
    gate.is_guarded = true;
    gate.held = guard_held();
    gate.holds = holds;
    gate.host = (struct fault_host){0};
    if (fault_host_state)
        fault_host_state(&gate.host);
    if (__builtin_setjmp(gate.place)) {
        struct gate *own = innermost;
        guard_release(own->held);
        holds = own->holds;
        innermost = own->outer;
        return false;
    }
    innermost = &gate;
    work(data);
    innermost = gate.outer;
    return true;
}

static const struct guard_gate gate_of_guards = {guard, give_up_for};

void (*fault_code_left)(void);

// Not inlined: __builtin_longjmp() must not land in a frame that has changed meanwhile.
// The builtin saves three words and no signal mask, which makes it fit for every call.
__attribute__((noinline)) int32_t fault_call_knowing(
        abi_entry entry, void *result, const void *args, const struct fault_known *known)
{
    struct gate gate;
    if (!is_prepared)
        prepare_thread();
    gate.outer = innermost;
    gate.is_guarded = false;
    gate.holds = holds;
    gate.is_loose = false;
    gate.status = STATUS_FAULT;
    gate.known = known;
    if (__builtin_setjmp(gate.place)) {
        // registers are lost here: what is needed is read by way of the thread
        int32_t left = innermost->status;
        holds = innermost->holds;
        innermost = innermost->outer;
        text_drop_line();
        if (fault_code_left)
            fault_code_left();
        return left;
    }
    innermost = &gate;
    int32_t status = entry(result, args);
    innermost = gate.outer;
    return status;
}

int32_t fault_call(abi_entry entry, void *result, const void *args)
{
    return fault_call_knowing(entry, result, args, NULL);
}

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
// What must hold: compiled code keeps no lock and owns no memory that only its own end
// would give back, as a fault jumps over the rest of it. What it called of ours may keep
// locks: it lies in a loaded file, and a fault in there is not caught.
//
// Guarded work (base/guard.h) is our C and LLVM's C++: a fault anywhere in it is caught,
// but for two places. The allocator may hold its own lock or be what is broken: going on
// would hang. Python, where it was called on the way, counts frames and holds its lock.
#include "runtime/threads/fault.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "compiler/support/stack.h"

// A call into compiled code, or guarded work. It lies on the stack of fault_call() or
// guard().
struct gate {
    void *place[5]; // of __builtin_setjmp
    struct gate *outer;
    bool is_guarded;        // work, not compiled code
    size_t held;            // see guard_held()
    struct fault_host host; // where Python stood
};

bool (*fault_host_state)(struct fault_host *out);

// Of the thread itself, whose handler reads and writes them too. Volatile, as the handler
// may come between any two instructions.
static _Thread_local struct gate *volatile innermost; // NULL: no compiled code runs
static const struct guard_gate gate_of_guards;        // defined below
static _Thread_local struct fault last_fault;
static _Thread_local bool is_prepared; // see prepare_thread()

static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
enum { SIGNAL_COUNT = sizeof signals / sizeof *signals, STACK_BYTES = 64 * 1024 };
// Whom we stand before. Written by fault_watch(), under the GIL, just before our handler
// takes the place; a handler that runs meanwhile sees the old or the new one.
static struct sigaction previous[SIGNAL_COUNT];

// Code that belongs to no file that is loaded is ours, while we are in a call. Safe in a
// handler: _dl_find_object() takes no lock.
static bool is_compiled_code(uintptr_t address)
{
    struct dl_find_object object;
    return address && _dl_find_object((void *)address, &object) != 0;
}

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

// --- Guarded work

// The code of the C library's allocator, whose functions lie side by side. Its inner ones
// have no names: they lie within the margins. Set by fault_watch().
static struct {
    bool is_known;
    uintptr_t start, end;
    const char *const *complaint; // of the C library when it aborts; NULL: unknown
} allocator;

// By the C library's own names: a program may have given `malloc` another address.
static void find_allocator(void)
{
    enum { BEFORE = 20 << 10, BEHIND = 4 << 10 };
    static const char *const names[] = {"__libc_malloc", "__libc_free", "__libc_calloc",
            "__libc_realloc", "__libc_memalign", "mallopt", "malloc_info"};
    void *library = dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
    uintptr_t first = UINTPTR_MAX, last = 0;
    for (size_t i = 0; library && i < sizeof names / sizeof *names; i++) {
        uintptr_t place = (uintptr_t)dlsym(library, names[i]);
        first = place && place < first ? place : first;
        last = place > last ? place : last;
    }
    allocator.is_known = true;
    allocator.start = first - BEFORE;
    allocator.end = last + BEHIND;
    allocator.complaint = dlvsym(RTLD_DEFAULT, "__abort_msg", "GLIBC_PRIVATE");
}

// abort() by the C library, after a look at its heap: "free(): invalid pointer".
static bool is_heap_broken(void)
{
    return allocator.complaint && *allocator.complaint;
}

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
    if (place >= allocator.start && place < allocator.end)
        return false;
    bool is_own_abort = number == SIGABRT && info->si_code == SI_TKILL &&
                        info->si_pid == getpid() && !is_heap_broken();
    return (info->si_code > 0 || is_own_abort) && is_python_as_before(gate);
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

static void give_up_for(const char *text)
{
    struct gate *gate = innermost;
    if (!gate || !gate->is_guarded || !is_python_as_before(gate))
        return;
    struct guard_failure *failure = guard_last();
    *failure = (struct guard_failure){0};
    snprintf(failure->text, sizeof failure->text, "%s", text);
    give_up(gate);
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
    const ucontext_t *machine = context;
    // where the instruction is that failed
    uintptr_t place = (uintptr_t)machine->uc_mcontext.gregs[REG_RIP];
    struct gate *gate = innermost;
    if (gate && gate->is_guarded && can_give_up(gate, number, info, place)) {
        note_signal(guard_last(), number, info, place);
        give_up(gate);
    }
    // positive: by the machine, not sent by kill(); a jump to nowhere leaves the place
    // itself unmapped
    bool is_ours = gate && !gate->is_guarded && info->si_code > 0 && number != SIGABRT &&
                   (is_compiled_code(place) || place == (uintptr_t)info->si_addr);
    if (is_ours) {
        // SA_NODEFER left the signal unblocked, so that there is no mask to be restored
        last_fault = (struct fault){number, info->si_addr, (void *)place};
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
    if (allocator.is_known)
        return;
    find_allocator();
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
    gate.host = (struct fault_host){0};
    if (fault_host_state)
        fault_host_state(&gate.host);
    if (__builtin_setjmp(gate.place)) {
        struct gate *own = innermost;
        guard_release(own->held);
        innermost = own->outer;
        return false;
    }
    innermost = &gate;
    work(data);
    innermost = gate.outer;
    return true;
}

static const struct guard_gate gate_of_guards = {guard, give_up_for};

// Not inlined: __builtin_longjmp() must not land in a frame that has changed meanwhile.
// The builtin saves three words and no signal mask, which makes it fit for every call.
__attribute__((noinline)) int32_t fault_call(
        abi_entry entry, void *result, const void *args)
{
    struct gate gate;
    if (!is_prepared)
        prepare_thread();
    gate.outer = innermost;
    gate.is_guarded = false;
    if (__builtin_setjmp(gate.place)) {
        // registers are lost here: what is needed is read by way of the thread
        innermost = innermost->outer;
        return STATUS_FAULT;
    }
    innermost = &gate;
    int32_t status = entry(result, args);
    innermost = gate.outer;
    return status;
}

// SPDX-License-Identifier: MIT
// Zones without access above the end of the stack, one of them closed at a time. Who
// reaches it is let through, with the next one some way further down: what was done to
// end the recursion may have been in vain, when the fault came amid a change of its
// count.
//
// Why not a larger stack, or the system's own guard page: a fault on that page cannot be
// survived, as nothing is left for the handler of the exception to run on. Python's
// recursion limit does not help either: it counts calls, and one of C code may need ten
// times the stack of another.
//
//     start  ... | zone 4 |..256 KiB..| zone 3 | ... | zone 2 | ... | zone 1 | in use ...
#include "kernel/process/stack_guard.h"

#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#define ZONE_BYTES ((size_t)64 << 10)  // no frame steps over it
#define STEP_BYTES ((size_t)256 << 10) // from one zone to the next
#define ZONE_COUNT 4
#define LEFT_BYTES (ZONE_COUNT * STEP_BYTES) // below the first
// An unlimited stack (ulimit -s unlimited) has no end to guard: 1 GiB is taken for one.
#define LARGEST_STACK ((size_t)1 << 30)
#define HANDLER_STACK_BYTES ((size_t)64 << 10)

// Read by the handler of the thread's own faults.
struct stack_guard {
    char *first;                  // zone; NULL: not placed
    volatile sig_atomic_t closed; // the number of the closed zone from 1; 0: none is
    volatile sig_atomic_t is_impossible;
    void *handler_stack; // NULL: it has one from elsewhere
};

static _Thread_local struct stack_guard guard;

static char *zone_of(char *first, int number)
{
    return first - (size_t)(number - 1) * STEP_BYTES;
}

// getrandom is asked to write a byte into the last zone: a system call that fails with an
// error where the memory is not there, while a store of ours would be a signal.
static char *find_place(void)
{
    pthread_attr_t attributes;
    void *start = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes))
        return NULL;
    bool is_known = !pthread_attr_getstack(&attributes, &start, &size);
    pthread_attr_destroy(&attributes);
    if (!is_known || size < 4 * LEFT_BYTES)
        return NULL;
    if (size > LARGEST_STACK) // it has no limit of its own
        start = (char *)start + (size - LARGEST_STACK);
    size_t page = (size_t)getpagesize();
    uintptr_t address = ((uintptr_t)start + LEFT_BYTES + page - 1) / page * page;
    // the main thread's stack grows when it is touched, here by the operating system,
    // which reports what a thread would die of
    char *first = (char *)address;
    if (getrandom(zone_of(first, ZONE_COUNT), 1, GRND_NONBLOCK) != 1)
        return NULL;
    return first;
}

// `closed` is 0 while access rights change: a handler that comes meanwhile lets the fault
// be what it is.
static bool close_zone(int number)
{
    guard.closed = 0;
    if (number > ZONE_COUNT ||
            mprotect(zone_of(guard.first, number), ZONE_BYTES, PROT_NONE))
        return false;
    guard.closed = number;
    return true;
}

static bool open_zone(void)
{
    char *zone = zone_of(guard.first, guard.closed);
    return guard.closed && mprotect(zone, ZONE_BYTES, PROT_READ | PROT_WRITE) == 0;
}

// Called by each thread at times when its stack is flat (before a cell), so that zones
// that were opened by an earlier overflow are closed again.
void stack_guard_close(void)
{
    if (guard.closed == 1 || guard.is_impossible)
        return;
    if (!guard.first)
        guard.first = find_place();
    if (guard.closed)
        open_zone();
    guard.is_impossible = !guard.first || !close_zone(1);
}

static bool has_handler_stack(void)
{
    stack_t current;
    if (sigaltstack(NULL, &current) || !(current.ss_flags & SS_DISABLE))
        return true;
    stack_t stack = {
            .ss_sp = malloc(HANDLER_STACK_BYTES), .ss_size = HANDLER_STACK_BYTES};
    if (stack.ss_sp && sigaltstack(&stack, NULL) == 0)
        guard.handler_stack = stack.ss_sp;
    else
        free(stack.ss_sp);
    return guard.handler_stack;
}

// Without a stack for the handler there is no use in a zone: the handler could not run.
void stack_guard_begin_thread(void)
{
    if (has_handler_stack())
        stack_guard_close();
}

void stack_guard_end_thread(void)
{
    stack_t none = {.ss_flags = SS_DISABLE};
    if (guard.closed)
        open_zone();
    if (guard.handler_stack && sigaltstack(&none, NULL) == 0)
        free(guard.handler_stack);
    guard = (struct stack_guard){0};
}

static bool is_within(const void *address, const char *start, size_t size)
{
    const char *at = address;
    return at >= start && at < start + size;
}

// In the handler, on the thread of the fault, and only for its own zone: `guard` is the
// thread's. mprotect is a plain system call, safe in a handler.
bool stack_guard_open(const void *address)
{
    int number = guard.closed;
    if (!number || !is_within(address, zone_of(guard.first, number), ZONE_BYTES) ||
            !open_zone())
        return false;
    close_zone(number + 1);
    return true;
}

bool stack_guard_overflowed(const void *address)
{
    return guard.first &&
           is_within(address, guard.first - 2 * LEFT_BYTES, 2 * LEFT_BYTES + ZONE_BYTES);
}

uintptr_t stack_guard_floor(void)
{
    return guard.first ? (uintptr_t)guard.first + ZONE_BYTES : 0;
}

// SPDX-License-Identifier: MIT
// Guarded work, as far as it needs no signals, and assertions that give it up.
#include "base/guard.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

const struct guard_gate *guard_gate; // written once, while the package is loaded

enum { MOST_HELD = 16 };

// The locks that this thread holds, in the order in which it took them.
static _Thread_local struct {
    pthread_mutex_t *locks[MOST_HELD];
    size_t count;
} held;

void guard_lock(pthread_mutex_t *lock)
{
    pthread_mutex_lock(lock);
    assert(held.count < MOST_HELD);
    held.locks[held.count++] = lock;
}

void guard_unlock(pthread_mutex_t *lock)
{
    assert(held.count && held.locks[held.count - 1] == lock);
    held.count--;
    pthread_mutex_unlock(lock);
}

size_t guard_held(void)
{
    return held.count;
}

void guard_release(size_t count)
{
    while (held.count > count)
        pthread_mutex_unlock(held.locks[--held.count]);
}

static _Thread_local struct guard_failure last;
static _Thread_local struct span at; // of guard_at()

struct guard_failure *guard_last(void)
{
    return &last;
}

void guard_at(const struct span *place)
{
    at = *place;
}

bool guard_run(void (*work)(void *data), void *data)
{
    struct span outer = at;
    bool is_done = true;
    at = SPAN_NONE;
    if (guard_gate)
        is_done = guard_gate->run(work, data);
    else
        work(data);
    if (!is_done)
        last.at = at;
    at = outer;
    return is_done;
}

void guard_give_up(const char *text)
{
    if (guard_gate)
        guard_gate->give_up(text);
}

// In place of the C library's, for the assertions of what this is linked with: one that
// fails amid guarded work ends only that.
__attribute__((visibility("hidden"))) void __assert_fail(
        const char *assertion, const char *file, unsigned line, const char *function)
{
    char text[400];
    snprintf(text, sizeof text, "%s:%u: %s: Assertion `%s' failed.", file, line, function,
            assertion);
    guard_give_up(text);
    fprintf(stderr, "%s\n", text);
    abort();
}

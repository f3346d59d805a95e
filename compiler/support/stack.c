// SPDX-License-Identifier: MIT
// How far the stack of each thread may grow in recursive compiled code: a number of the
// thread's, which the code reads at a fixed distance from the thread's base address. A
// thread-local variable of a library that is loaded late has no such place; the first
// values of pthread_setspecific do, within the thread's own record.
#include "compiler/support/stack.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/machine.h"
#include "compiler/support/support.h"

enum {
    RESERVE_BYTES = 256 * 1024, // for what the code calls, and the way back
    RECORD_WORDS = 256,         // of a thread's record, that are looked through
};

static pthread_key_t key;
static uintptr_t offset; // of the key's value; of the record's first word: none was found
static pthread_once_t once = PTHREAD_ONCE_INIT;

static uintptr_t word_at(const char *base, intptr_t at)
{
    uintptr_t word;
    memcpy(&word, base + at, sizeof word);
    return word;
}

// The place that changes with the value of the key.
static void find_offset(void)
{
    if (pthread_key_create(&key, NULL) != 0)
        return;
    const char *base = machine_thread_base();
    const uintptr_t marks[2] = {(uintptr_t)0x5ac4d1f00d17, (uintptr_t)0x7b3e20c4a961};
    pthread_setspecific(key, (void *)marks[0]);
    for (int i = 0; i < RECORD_WORDS && !offset; i++) {
        intptr_t at = (intptr_t)i * MACHINE_RECORD_STEP;
        if (word_at(base, at) != marks[0])
            continue;
        pthread_setspecific(key, (void *)marks[1]);
        if (word_at(base, at) == marks[1])
            offset = (uintptr_t)at;
        pthread_setspecific(key, (void *)marks[0]);
    }
    pthread_setspecific(key, NULL);
}

uintptr_t compiler_stack_limit_offset(void)
{
    pthread_once(&once, find_offset);
    return offset;
}

static uintptr_t (*_Atomic ask_floor)(void); // NULL: nobody guards stacks

void compiler_set_stack_floor(uintptr_t (*ask)(void))
{
    atomic_store(&ask_floor, ask);
}

static uintptr_t closed_end(void)
{
    uintptr_t (*ask)(void) = atomic_load(&ask_floor);
    return ask ? ask() : 0;
}

static uintptr_t find_limit(void)
{
    pthread_attr_t attributes;
    void *start;
    size_t size_bytes;
    if (pthread_getattr_np(pthread_self(), &attributes))
        return 1;
    bool is_known = !pthread_attr_getstack(&attributes, &start, &size_bytes);
    pthread_attr_destroy(&attributes);
    size_t reserve = size_bytes / 4 < RESERVE_BYTES ? size_bytes / 4 : RESERVE_BYTES;
    uintptr_t end = closed_end();
    end = end > (uintptr_t)start ? end : (uintptr_t)start;
    return is_known ? end + reserve : 1;
}

void compiler_watch_stack(void)
{
    if (compiler_stack_limit_offset() && !pthread_getspecific(key))
        pthread_setspecific(key, (void *)find_limit());
}

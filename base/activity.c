// SPDX-License-Identifier: MIT
// Notes of what the process does, in the order in which it ended.
#include "base/activity.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/vec.h"

enum { MOST_KEPT = 1 << 16 };

atomic_bool activity_is_kept;

static struct {
    pthread_mutex_t lock;
    VEC(struct activity) notes; // guarded by lock
    size_t lost;                // likewise
} kept = {.lock = PTHREAD_MUTEX_INITIALIZER};

double activity_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void keep(struct activity note, const char *what)
{
    note.end = activity_clock();
    note.thread = syscall(SYS_gettid);
    snprintf(note.what, sizeof note.what, "%s", what ? what : "");
    pthread_mutex_lock(&kept.lock);
    if (kept.notes.len < MOST_KEPT)
        vec_push(&kept.notes, note);
    else
        kept.lost++;
    pthread_mutex_unlock(&kept.lock);
}

static bool is_kept(void)
{
    return atomic_load_explicit(&activity_is_kept, memory_order_relaxed);
}

void activity_note(enum activity_kind kind, const char *what, double begin, size_t bytes,
        const void *stream)
{
    struct activity note = {
            .kind = kind, .begin = begin, .bytes = bytes, .stream = (uintptr_t)stream};
    if (is_kept())
        keep(note, what);
}

void activity_note_copy(enum activity_kind kind, const char *what, double begin,
        size_t bytes, bool is_pageable)
{
    struct activity note = {.kind = kind,
            .begin = begin,
            .bytes = bytes,
            .memory = is_pageable ? ACTIVITY_PAGEABLE : ACTIVITY_PINNED};
    if (is_kept())
        keep(note, what);
}

void activity_keep(int is_on)
{
    pthread_mutex_lock(&kept.lock);
    vec_finish(&kept.notes);
    kept.lost = 0;
    pthread_mutex_unlock(&kept.lock);
    atomic_store(&activity_is_kept, is_on != 0);
}

struct activity *activity_take(size_t *count, size_t *lost)
{
    pthread_mutex_lock(&kept.lock);
    struct activity *notes;
    *count = kept.notes.len;
    *lost = kept.lost;
    vec_take(&kept.notes, notes);
    kept.lost = 0;
    pthread_mutex_unlock(&kept.lock);
    return notes;
}

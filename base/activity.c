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

void activity_note(enum activity_kind kind, const char *what, double begin, size_t bytes,
        const void *stream)
{
    if (!atomic_load_explicit(&activity_is_kept, memory_order_relaxed))
        return;
    struct activity note = {.kind = kind,
            .begin = begin,
            .end = activity_clock(),
            .bytes = bytes,
            .stream = (uintptr_t)stream,
            .thread = syscall(SYS_gettid)};
    snprintf(note.what, sizeof note.what, "%s", what ? what : "");
    pthread_mutex_lock(&kept.lock);
    if (kept.notes.len < MOST_KEPT)
        vec_push(&kept.notes, note);
    else
        kept.lost++;
    pthread_mutex_unlock(&kept.lock);
}

void activity_keep(int is_kept)
{
    pthread_mutex_lock(&kept.lock);
    vec_finish(&kept.notes);
    kept.lost = 0;
    pthread_mutex_unlock(&kept.lock);
    atomic_store(&activity_is_kept, is_kept != 0);
}

struct activity *activity_take(size_t *count, size_t *lost)
{
    pthread_mutex_lock(&kept.lock);
    struct activity *notes = kept.notes.items;
    *count = kept.notes.len;
    *lost = kept.lost;
    kept.notes.items = NULL;
    kept.notes.len = kept.notes.capacity = 0;
    kept.lost = 0;
    pthread_mutex_unlock(&kept.lock);
    return notes;
}

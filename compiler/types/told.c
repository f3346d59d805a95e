// SPDX-License-Identifier: MIT
// The table of what programs tell of conversions. Rows stay for ever, as types do; when
// the program says more, the version in all keys changes, and all is asked for again.
#include "compiler/types/told.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/guard.h"
#include "base/map.h"
#include "base/memory.h"

struct pair {
    const struct type *from, *to;
    uint64_t version;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct map known;                 // struct pair -> struct told; guarded by lock
static uint64_t version;                 // guarded by lock
static _Thread_local struct pair wanted; // from is NULL: nothing is

static const struct told *look_up(const struct type *from, const struct type *to)
{
    guard_lock(&lock);
    const struct pair pair = {from, to, version};
    const struct told *told = map_get_bytes(&known, &pair, sizeof pair);
    guard_unlock(&lock);
    if (!told && !wanted.from)
        wanted = pair;
    return told;
}

enum conversion told_conversion(const struct type *from, const struct type *to)
{
    const struct told *told = look_up(from, to);
    return told ? told->conversion : CONVERT_NEVER;
}

// One row serves for both orders.
const struct type *told_common(const struct type *a, const struct type *b)
{
    const struct told *told = a->id < b->id ? look_up(a, b) : look_up(b, a);
    return told ? told->common : NULL;
}

struct source *told_cast(const struct type *from, const struct type *to)
{
    const struct told *told = look_up(from, to);
    return told ? told->cast : NULL;
}

bool told_is_wanting(void)
{
    return wanted.from != NULL;
}

bool told_wants(const struct type *pair[2])
{
    pair[0] = wanted.from;
    pair[1] = wanted.to;
    wanted = (struct pair){NULL, NULL, 0};
    return pair[0] != NULL;
}

// The first row stays where two threads ask the same at once: sessions point to it.
void told_set(const struct type *from, const struct type *to, const struct told *told)
{
    struct told *row = memory_zalloc(sizeof *row);
    *row = *told;
    guard_lock(&lock);
    const struct pair pair = {from, to, version};
    if (map_get_bytes(&known, &pair, sizeof pair))
        free(row);
    else
        map_set_bytes(&known, &pair, sizeof pair, row);
    guard_unlock(&lock);
}

void told_forget(void)
{
    guard_lock(&lock);
    version++;
    guard_unlock(&lock);
}

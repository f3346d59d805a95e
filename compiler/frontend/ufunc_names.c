// SPDX-License-Identifier: MIT
// The names of ufuncs that programs make, for as long as the process lives.
#include "compiler/frontend/ufunc_names.h"

#include <pthread.h>
#include <stdio.h>

#include "base/guard.h"
#include "base/map.h"

static struct source gone; // stands for what was destroyed
static struct map by_name; // guarded by lock; to struct source
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void write_name(const struct source *source, char name[40])
{
    snprintf(name, 40, UFUNC_PREFIX "%llu", (unsigned long long)source->serial);
}

const char *ufunc_register(struct source *source)
{
    char name[40];
    write_name(source, name);
    guard_lock(&lock);
    map_set(&by_name, name, source);
    guard_unlock(&lock);
    source->is_ufunc = true;
    return type_function_of(name)->function;
}

struct source *ufunc_find(const char *name)
{
    guard_lock(&lock);
    struct source *source = map_get(&by_name, name);
    guard_unlock(&lock);
    return source == &gone ? NULL : source;
}

void ufunc_forget(const struct source *source)
{
    if (!source->is_ufunc)
        return;
    char name[40];
    write_name(source, name);
    guard_lock(&lock);
    map_set(&by_name, name, &gone);
    guard_unlock(&lock);
}

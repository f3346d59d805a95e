// SPDX-License-Identifier: MIT
// How many threads OpenBLAS takes for small matrices: one. Newer versions share out even
// a hundred rows, which gains nothing, and costs a lot where the other thread gets no
// CPU.
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

#include "runtime/host/lapack/lapack.h"

enum { LEAST_SHARED = 40000 }; // items of a matrix that threads share

static int (*count_threads)(void);
static void (*set_threads)(const int *count);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int callers, usual; // guarded by lock: calls that are alone, and what they found

void lapack_threads_find(void *library, const char *prefix, const char *suffix)
{
    char name[64];
    snprintf(name, sizeof name, "%sopenblas_get_num_threads%s", prefix, suffix);
    *(void **)&count_threads = dlsym(library, name);
    snprintf(name, sizeof name, "%sopenblas_set_num_threads%s", prefix, suffix);
    *(void **)&set_threads = dlsym(library, name);
}

bool lapack_enter(int64_t items)
{
    static const int one = 1;
    if (items >= LEAST_SHARED || !count_threads || !set_threads)
        return false;
    pthread_mutex_lock(&lock);
    if (callers++ == 0) {
        usual = count_threads();
        if (usual > 1)
            set_threads(&one);
    }
    pthread_mutex_unlock(&lock);
    return true;
}

// Leaves the number alone that somebody else has set meanwhile.
void lapack_leave(bool is_alone)
{
    if (!is_alone)
        return;
    pthread_mutex_lock(&lock);
    if (--callers == 0 && usual > 1 && count_threads() == 1)
        set_threads(&usual);
    pthread_mutex_unlock(&lock);
}

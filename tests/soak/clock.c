// SPDX-License-Identifier: MIT
// The wall clock, as it is after somebody set it: what programs read of it is moved by as
// many seconds as the file that SOAK_CLOCK names holds. Waits until a moment of the wall
// clock follow it: they look at the moved clock again every few milliseconds, as the
// system does when it is set.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { SLICE_NS = 5 * 1000 * 1000 };

static volatile int64_t *moved_by(void)
{
    static volatile int64_t none, *seconds;
    if (!seconds) {
        const char *path = getenv("SOAK_CLOCK");
        int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
        void *map = fd >= 0 ? mmap(NULL, 8, PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
        seconds = map == MAP_FAILED ? &none : map;
        if (fd >= 0)
            close(fd);
    }
    return seconds;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int status = (int)syscall(SYS_clock_gettime, clock, now);
    if (!status && clock == CLOCK_REALTIME)
        now->tv_sec += *moved_by();
    return status;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    *now = (struct timeval){time.tv_sec, time.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *result)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (result)
        *result = now.tv_sec;
    return now.tv_sec;
}

static int is_over(const struct timespec *end)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec != end->tv_sec ? now.tv_sec > end->tv_sec
                                     : now.tv_nsec >= end->tv_nsec;
}

static struct timespec slice_of(clockid_t clock)
{
    struct timespec end;
    syscall(SYS_clock_gettime, clock, &end);
    end.tv_nsec += SLICE_NS;
    if (end.tv_nsec >= 1000000000) {
        end.tv_nsec -= 1000000000;
        end.tv_sec++;
    }
    return end;
}

// Of conditions whose clock is the wall clock; one made for the monotonic clock has a
// time of the machine's uptime, which the wall clock never shows.
int pthread_cond_timedwait(pthread_cond_t *restrict condition,
        pthread_mutex_t *restrict lock, const struct timespec *restrict end)
{
    enum { FIRST_WALL_SECOND = 1000000000 };
    int (*real)(pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *) =
            (__typeof__(real))dlsym(RTLD_NEXT, "pthread_cond_clockwait");
    if (end->tv_sec < FIRST_WALL_SECOND)
        return real(condition, lock, CLOCK_MONOTONIC, end);
    while (!is_over(end)) {
        struct timespec slice = slice_of(CLOCK_MONOTONIC);
        int status = real(condition, lock, CLOCK_MONOTONIC, &slice);
        if (status != ETIMEDOUT)
            return status;
    }
    return ETIMEDOUT;
}

int pthread_mutex_timedlock(
        pthread_mutex_t *restrict lock, const struct timespec *restrict end)
{
    while (!is_over(end)) {
        int status = pthread_mutex_trylock(lock);
        if (status != EBUSY)
            return status;
        nanosleep(&(struct timespec){0, SLICE_NS}, NULL);
    }
    return ETIMEDOUT;
}

int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *end)
{
    while (!is_over(end)) {
        int status = pthread_tryjoin_np(thread, result);
        if (status != EBUSY)
            return status;
        nanosleep(&(struct timespec){0, SLICE_NS}, NULL);
    }
    return ETIMEDOUT;
}

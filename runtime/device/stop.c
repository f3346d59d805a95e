// SPDX-License-Identifier: MIT
// Interrupts while the host waits for a device. The waiting thread sits in a call of the
// driver and cannot act; a thread of ours does so for it: it has the kernels leave, by
// which the call comes back.
//
// Only a wait that lasts is ended so. A loop that launches kernels, or copies their
// results, comes back to Python soon enough by itself, and its kernels may end in peace.
#include "runtime/device/device.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "compiler/support/interrupt.h"

enum { PATIENCE_MS = 40 };

// Held while kernels are told to leave, or that they may run again.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// A wait that ends now sees is_stopping, and waits for the lock; or it has ended before,
// which is seen here.
static void stop(struct device *device)
{
    pthread_mutex_lock(&lock);
    if (!atomic_load(&device->is_stopping) && atomic_load(&device->waits)) {
        atomic_store(&device->is_stopping, true);
        if (atomic_load(&device->waits)) {
            atomic_fetch_add(&device->stops, 1);
            device->operations->stop(device);
        } else {
            atomic_store(&device->is_stopping, false);
        }
    }
    pthread_mutex_unlock(&lock);
}

static void resume(struct device *device)
{
    pthread_mutex_lock(&lock);
    if (atomic_load(&device->is_stopping)) {
        device->operations->resume(device);
        atomic_store(&device->is_stopping, false);
    }
    pthread_mutex_unlock(&lock);
}

// Each wait clears the flag as it begins (py_device_wait_begin): where the flag is still
// set, the wait is older than the interrupt.
static void *watch(void *unused)
{
    (void)unused;
    const struct timespec patience = {.tv_nsec = PATIENCE_MS * 1000000L};
    for (;;) {
        compiler_interrupt_wait();
        nanosleep(&patience, NULL);
        for (size_t i = 0; compiler_interrupt_flag && i < device_count(); i++) {
            struct device *device = device_borrowed(i);
            if (device->operations->stop)
                stop(device);
        }
    }
    return NULL;
}

// Signals are for others. Without the thread waits are not interrupted, and all else is
// as it is.
static void start(void)
{
    sigset_t all, before;
    pthread_t thread;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    if (!pthread_create(&thread, NULL, watch, NULL)) {
        pthread_setname_np(thread, "gridcell-stop");
        pthread_detach(thread);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void device_stop_watch(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start);
}

// What is launched while kernels are to leave would leave, too.
unsigned device_wait_begin(struct device *device)
{
    if (atomic_load_explicit(&device->is_stopping, memory_order_relaxed))
        resume(device);
    unsigned stops = atomic_load_explicit(&device->stops, memory_order_relaxed);
    atomic_fetch_add(&device->waits, 1);
    return stops;
}

void device_wait_idle(struct device *device)
{
    struct error ignored = {0};
    unsigned stops = device_wait_begin(device);
    device->operations->synchronize(device, &ignored);
    device_wait_end(device, stops);
}

bool device_wait_end(struct device *device, unsigned stops)
{
    atomic_fetch_sub(&device->waits, 1);
    if (atomic_load(&device->is_stopping))
        resume(device);
    return atomic_load_explicit(&device->stops, memory_order_relaxed) != stops;
}

// SPDX-License-Identifier: MIT
// Waits for a device that an interrupt ends. The device is none: its kernels leave when
// the count of calls of `stop` goes up.
#include "tests/unit/test.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "compiler/support/interrupt.h"
#include "runtime/device/device.h"

static atomic_int stops, resumes;

static void stop_kernels(struct device *device)
{
    (void)device;
    atomic_fetch_add(&stops, 1);
}

static void resume_kernels(struct device *device)
{
    (void)device;
    atomic_fetch_add(&resumes, 1);
}

static const struct device_operations operations = {
        .stop = stop_kernels, .resume = resume_kernels};
static struct device the_device = {.operations = &operations, .target = TARGET_GPU};

static bool open_one(
        struct device **devices, size_t capacity, size_t *count, struct error *err)
{
    (void)capacity;
    (void)err;
    devices[0] = &the_device;
    *count = 1;
    return true;
}

static void sleep_ms(int ms)
{
    const struct timespec time = {.tv_nsec = ms * 1000000L};
    nanosleep(&time, NULL);
}

// Waits until the count is reached; a test that fails ends, too.
static bool reaches(const atomic_int *count, int wanted)
{
    for (int i = 0; i < 2000 && atomic_load(count) < wanted; i++)
        sleep_ms(5);
    return atomic_load(count) == wanted;
}

static void open_all(void)
{
    static const struct device_kinds kinds = {.open_cuda = open_one};
    struct error err = {0};
    setenv("GRIDCELL_DEVICE", "cuda", true);
    unsetenv("NUMBA_DISABLE_CUDA");
    CHECK(devices_init(&kinds, &err));
    device_stop_watch();
    compiler_interrupt_flag = 0;
    atomic_store(&stops, 0);
    atomic_store(&resumes, 0);
    sleep_ms(20); // the watcher has begun to wait
}

TEST(a_wait_that_lasts_is_ended)
{
    open_all();
    unsigned before = device_wait_begin(&the_device);
    compiler_interrupt_request();
    CHECK(reaches(&stops, 1));
    CHECK_INT(atomic_load(&resumes), 0);
    CHECK(device_wait_end(&the_device, before));
    CHECK_INT(atomic_load(&resumes), 1);
    compiler_interrupt_flag = 0;
    before = device_wait_begin(&the_device);
    CHECK(!device_wait_end(&the_device, before));
    CHECK_INT(atomic_load(&resumes), 1);
}

TEST(what_nobody_waits_for_goes_on)
{
    open_all();
    unsigned before = device_wait_begin(&the_device);
    compiler_interrupt_request();
    CHECK(!device_wait_end(&the_device, before)); // within the patience
    sleep_ms(150);
    CHECK_INT(atomic_load(&stops), 0);
    compiler_interrupt_flag = 0;
}

TEST(an_interrupt_that_was_answered_ends_no_wait)
{
    open_all();
    compiler_interrupt_request();
    compiler_interrupt_flag = 0;
    unsigned before = device_wait_begin(&the_device);
    sleep_ms(150);
    CHECK(!device_wait_end(&the_device, before));
    CHECK_INT(atomic_load(&stops), 0);
}

static void *wait_as_well(void *is_stopped)
{
    unsigned before = device_wait_begin(&the_device);
    reaches(&stops, 1);
    *(bool *)is_stopped = device_wait_end(&the_device, before);
    return NULL;
}

TEST(each_wait_learns_of_the_stop_and_one_resumes)
{
    bool is_stopped[3] = {false};
    pthread_t threads[3];
    open_all();
    for (int i = 0; i < 3; i++)
        REQUIRE(!pthread_create(&threads[i], NULL, wait_as_well, &is_stopped[i]));
    while (atomic_load(&the_device.waits) < 3)
        sleep_ms(1);
    compiler_interrupt_request();
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        CHECK(is_stopped[i]);
    }
    compiler_interrupt_flag = 0;
    CHECK_INT(atomic_load(&stops), 1);
    CHECK_INT(atomic_load(&resumes), 1);
}

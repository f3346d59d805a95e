// SPDX-License-Identifier: MIT
// The emulated device by itself, with kernels written by hand in the form that codegen
// emits.
#include "runtime/device/device.h"

#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/emulator/emulator.h"
#include "runtime/threads/thread_pool.h"
#include "tests/unit/test.h"
#include "compiler/support/interrupt.h"

// the compiler brings its own where it is linked in
__attribute__((weak)) volatile int compiler_interrupt_flag;

static struct device *open_device(void)
{
    static struct device *device;
    if (!device)
        device = emulated_device_create(0);
    return device;
}

static struct launch_config config_of(int32_t grid, int32_t block)
{
    return (struct launch_config){.grid_dim = {grid, 1, 1}, .block_dim = {block, 1, 1}};
}

static bool run_entry(abi_emulated_entry entry, const struct launch_config *config,
        const void *args, struct error *err)
{
    struct device *device = open_device();
    static const struct raise_site sites[] = {
            {.kind = ERROR_VALUE,
                    .message = "bad thing",
                    .function = "f",
                    .span = {.file = "k.py", .line = 9}},
    };
    struct compiled compiled = {.target = TARGET_EMULATOR,
            .emulated_entry = entry,
            .raise_sites = (struct raise_site *)sites,
            .raise_site_count = 1,
            .static_shared_bytes = 64,
            .frame_bytes = 24};
    struct device_kernel *kernel = NULL;
    if (!device->operations->kernel_load(device, &compiled, &kernel, err))
        return false;
    bool done = device->operations->launch(device, kernel, config, args, err);
    device->operations->kernel_unload(device, kernel);
    return done;
}

struct add_args {
    const int32_t *a, *b;
    int32_t *sum;
    int64_t len;
};

static int32_t add_entry(struct abi_emulated_block *block, const void *memory)
{
    const struct add_args *args = memory;
    for (int32_t thread = 0; thread < block->block_dim[0]; thread++) {
        int64_t i = (int64_t)block->block_idx[0] * block->block_dim[0] + thread;
        if (i < args->len)
            args->sum[i] = args->a[i] + args->b[i];
    }
    return STATUS_OK;
}

TEST(adds_two_vectors)
{
    struct device *device = open_device();
    const struct device_operations *ops = device->operations;
    enum { LEN = 100003 };
    static int32_t a[LEN], b[LEN], sum[LEN];
    for (int i = 0; i < LEN; i++)
        a[i] = i, b[i] = 3 * i;
    struct error err = {0};
    device_address on_device[3];
    for (int i = 0; i < 3; i++)
        REQUIRE(ops->memory_alloc(device, sizeof a, &on_device[i], &err));
    CHECK(ops->copy_to_device(device, on_device[0], a, sizeof a, NULL, &err));
    CHECK(ops->copy_to_device(device, on_device[1], b, sizeof b, NULL, &err));
    struct add_args args = {(int32_t *)on_device[0], (int32_t *)on_device[1],
            (int32_t *)on_device[2], LEN};
    struct launch_config config = config_of((LEN + 127) / 128, 128);
    CHECK(run_entry(add_entry, &config, &args, &err));
    CHECK(ops->copy_to_host(device, sum, on_device[2], sizeof sum, NULL, &err));
    int wrong = 0;
    for (int i = 0; i < LEN; i++)
        wrong += sum[i] != 4 * i;
    CHECK_INT(wrong, 0);
    for (int i = 0; i < 3; i++)
        CHECK(ops->memory_free(device, on_device[i], &err));
}

static atomic_int seen[2][3][4]; // by block index z, y, x

static int32_t mark_entry(struct abi_emulated_block *block, const void *args)
{
    (void)args;
    const int32_t *index = block->block_idx;
    atomic_fetch_add(&seen[index[2]][index[1]][index[0]], 1);
    char *shared = block->shared;
    memset(shared, 1, 64 + (size_t)block->dynamic_shared_bytes);
    memset(block->scratch, 2, (size_t)(24 * block->block_dim[0] * block->block_dim[1]));
    return STATUS_OK;
}

TEST(runs_each_block_of_a_grid_once)
{
    struct launch_config config = {.grid_dim = {4, 3, 2},
            .block_dim = {32, 32, 1},
            .dynamic_shared_bytes = 1024};
    struct error err = {0};
    CHECK(run_entry(mark_entry, &config, NULL, &err));
    for (int i = 0; i < 2 * 3 * 4; i++)
        CHECK_INT((&seen[0][0][0])[i], 1);
}

static void check_refused(struct launch_config config, const char *message)
{
    struct error err = {0};
    CHECK(!run_entry(add_entry, &config, NULL, &err));
    CHECK_INT(err.kind, ERROR_DEVICE);
    CHECK_INT(err.code, DEVICE_ERROR_INVALID_VALUE);
    CHECK_STR(err.message, message);
}

TEST(refuses_launches_over_the_limits)
{
    const char *message = "Call to cuLaunchKernel results in CUDA_ERROR_INVALID_VALUE";
    check_refused(config_of(1, 1025), message);
    check_refused(config_of(1, 0), message);
    check_refused(config_of(0, 1), message);
    check_refused((struct launch_config){.grid_dim = {1, 1, 1}, .block_dim = {32, 32, 2}},
            message);
    check_refused((struct launch_config){.grid_dim = {1, 1, 1}, .block_dim = {1, 1, 65}},
            message);
    check_refused(
            (struct launch_config){.grid_dim = {1, 65536, 1}, .block_dim = {1, 1, 1}},
            message);
    struct launch_config shared = config_of(1, 1);
    shared.dynamic_shared_bytes = 163 * 1024;
    check_refused(shared, message);
    shared.dynamic_shared_bytes = SIZE_MAX;
    check_refused(shared, message);
}

static int32_t raise_entry(struct abi_emulated_block *block, const void *args)
{
    (void)args;
    if (block->block_idx[0] < 3)
        return STATUS_OK;
    block->failed_thread[0] = 7;
    return 1;
}

TEST(reports_the_thread_that_raised)
{
    struct launch_config config = config_of(50, 32);
    struct error err = {0};
    CHECK(!run_entry(raise_entry, &config, NULL, &err));
    CHECK_INT(err.kind, ERROR_VALUE);
    CHECK_INT(err.code, 1);
    CHECK_CONTAINS(err.message,
            "In function 'f', file k.py, line 9, tid=[0, 0, 7] ctaid=[0, 0, ");
    CHECK_CONTAINS(err.message, "]: bad thing");
}

static int32_t interrupting_entry(struct abi_emulated_block *block, const void *args)
{
    (void)args;
    compiler_interrupt_flag = 1;
    return *block->stop ? STATUS_INTERRUPTED : STATUS_OK;
}

TEST(stops_when_interrupted)
{
    struct launch_config config = config_of(1000000, 1);
    struct error err = {0};
    CHECK(!run_entry(interrupting_entry, &config, NULL, &err));
    CHECK_INT(err.kind, ERROR_INTERRUPT);
    compiler_interrupt_flag = 0;
}

TEST(accounts_for_memory)
{
    struct error err = {0};
    struct emulated_memory *memory = emulated_memory_create(10000);
    device_address a = 0, b = 0, c = 77;
    size_t free_bytes, total_bytes;
    CHECK(emulated_memory_alloc(memory, 5000, &a, &err));
    CHECK_INT(a % 256, 0);
    CHECK(!emulated_memory_alloc(memory, 5000, &c, &err));
    CHECK_INT(err.code, DEVICE_ERROR_OUT_OF_MEMORY);
    CHECK_STR(err.message, "Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY");
    CHECK_INT(c, 77);
    CHECK(emulated_memory_free(memory, a, &err));
    emulated_memory_info(memory, &free_bytes, &total_bytes);
    CHECK_INT(free_bytes, 10000);
    CHECK_INT(total_bytes, 10000);
    CHECK(emulated_memory_alloc(memory, 9000, &b, &err)); // what was cached has to go
    CHECK(!emulated_memory_free(memory, b + 256, &err));
    CHECK(emulated_memory_free(memory, 0, &err));
    CHECK(emulated_memory_free(memory, b, &err));
    error_clear(&err);
    CHECK(!emulated_memory_free(memory, b, &err));
    CHECK_INT(err.code, DEVICE_ERROR_INVALID_VALUE);
    emulated_memory_destroy(memory);
}

TEST(keeps_many_allocations_apart)
{
    struct error err = {0};
    struct emulated_memory *memory = emulated_memory_create((size_t)1 << 30);
    enum { COUNT = 1000 };
    static device_address addresses[COUNT];
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < COUNT; i++) {
            REQUIRE(emulated_memory_alloc(memory, 1 + i * 7 % 900, &addresses[i], &err));
            memset((void *)addresses[i], (int)i, 1 + i * 7 % 900);
        }
        for (size_t i = 0; i < COUNT; i++)
            CHECK(emulated_memory_free(memory, addresses[(i * 37) % COUNT], &err));
    }
    size_t free_bytes, total_bytes;
    emulated_memory_info(memory, &free_bytes, &total_bytes);
    CHECK_INT(free_bytes, total_bytes);
    emulated_memory_destroy(memory);
}

TEST(times_events)
{
    struct device *device = open_device();
    const struct device_operations *ops = device->operations;
    struct device_event *start = NULL, *end = NULL;
    struct device_stream *stream = NULL;
    struct error err = {0};
    float elapsed_ms = -1;
    bool is_done = false;
    CHECK(ops->stream_create(device, &stream, &err));
    CHECK(ops->event_create(device, true, &start, &err));
    CHECK(ops->event_create(device, true, &end, &err));
    CHECK(ops->event_record(device, start, stream, &err));
    CHECK(!ops->event_elapsed_ms(
            device, start, end, &elapsed_ms, &err)); // `end` is not recorded
    error_clear(&err);
    usleep(2000);
    CHECK(ops->event_record(device, end, stream, &err));
    CHECK(ops->event_query(device, end, &is_done, &err) && is_done);
    CHECK(ops->event_elapsed_ms(device, start, end, &elapsed_ms, &err));
    CHECK(elapsed_ms >= 2 && elapsed_ms < 2000);
    ops->event_destroy(device, start);
    ops->event_destroy(device, end);
    ops->stream_destroy(device, stream);
}

TEST(has_the_attributes_of_a_device)
{
    struct device *device = open_device();
    struct error err = {0};
    int value = 0;
    CHECK(device->operations->attribute(device, DEVICE_WARP_SIZE, &value, &err) &&
            value == 32);
    CHECK(device->operations->attribute(
            device, DEVICE_MULTIPROCESSOR_COUNT, &value, &err));
    CHECK_INT(value, thread_pool_cores());
    CHECK(!device->operations->attribute(device, -3, &value, &err));
    CHECK_INT(err.code, DEVICE_ERROR_INVALID_VALUE);
}

static void count_up(void *context)
{
    atomic_fetch_add((atomic_int *)context, 1);
}

TEST(pool_works_in_a_forked_child)
{
    atomic_int count = 0;
    thread_pool_run(count_up, &count, 3);
    CHECK(count >= 1 && count <= 4);
    pid_t child = fork();
    if (!child) {
        atomic_int child_count = 0;
        for (int i = 0; i < 100; i++)
            thread_pool_run(count_up, &child_count, 3);
        _exit(child_count >= 100 ? 0 : 1);
    }
    int status = -1;
    CHECK_INT(waitpid(child, &status, 0), child);
    CHECK_INT(status, 0);
}

static void run_nested(void *context)
{
    thread_pool_run(count_up, context, 2);
}

TEST(pool_runs_nested_jobs)
{
    atomic_int count = 0;
    for (int i = 0; i < 50; i++)
        thread_pool_run(run_nested, &count, 2);
    CHECK(count >= 50);
}

// SPDX-License-Identifier: MIT
// The driver layer against a stand-in for libcuda, which NUMBA_CUDA_DRIVER names.
#include "tests/unit/test.h"

#include <dirent.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compiler/ir/ir.h"
#include "runtime/cuda/cuda_driver.h"
#include "runtime/device/device.h"
#include "tests/unit/fake_device.h"

TEST(device_is_described)
{
    struct device *device = open_device();
    REQUIRE(device);
    CHECK_STR(device->name, "Fake device 40");
    CHECK_STR(device->uuid, "GPU-00112233-4455-6677-8899-aabbccddeeff");
    CHECK_INT(device->compute_major, 8);
    CHECK_INT(device->compute_minor, 6);
    CHECK_INT(device->max_ptx_version, 87);
    CHECK_INT(device->target, TARGET_GPU);
}

TEST(ptx_versions_follow_the_driver)
{
    CHECK_INT(cuda_driver_ptx_version(11040), 74);
    CHECK_INT(cuda_driver_ptx_version(12000), 80);
    CHECK_INT(cuda_driver_ptx_version(12060), 85);
    CHECK_INT(cuda_driver_ptx_version(12080), 87);
    CHECK_INT(cuda_driver_ptx_version(13000), 90);
    CHECK_INT(cuda_driver_ptx_version(13010), 91);
    CHECK_INT(cuda_driver_ptx_version(10020), 63);
}

DEVICE_TEST(memory_is_copied_set_and_freed)
{
    struct device_stream *stream = NULL;
    device_address a = 0, b = 0, none = 0;
    int values[4] = {1, 2, 3, 4}, back[4] = {0};
    int before = fake()->seen->live;
    CHECK(operations->stream_create(device, &stream, err));
    CHECK(operations->memory_alloc(device, sizeof values, &a, err));
    CHECK(operations->memory_alloc(device, sizeof values, &b, err));
    CHECK(operations->memory_alloc(device, 0, &none, err));
    CHECK(none != 0);
    CHECK(operations->copy_to_device(device, a, values, sizeof values, NULL, err));
    CHECK(operations->copy_on_device(device, b, a, sizeof values, stream, err));
    CHECK(operations->memory_set(device, b, 0xff, 4, stream, err));
    CHECK(operations->copy_to_host(device, back, b, sizeof back, stream, err));
    CHECK_INT(back[0], -1);
    CHECK_INT(back[3], 4);
    CHECK_INT(fake()->seen->live, before + 4);
    CHECK(operations->memory_free(device, a, err));
    CHECK(operations->memory_free(device, b, err));
    CHECK(operations->memory_free(device, none, err));
    CHECK(operations->memory_free(device, 0, err));
    operations->stream_destroy(device, stream);
    operations->stream_destroy(device, NULL);
    CHECK_INT(fake()->seen->live, before);
}

DEVICE_TEST(unused_pool_memory_counts_as_free)
{
    size_t free_bytes = 0, total_bytes = 0;
    CHECK(operations->memory_info(device, &free_bytes, &total_bytes, err));
    CHECK_INT(free_bytes, 1200);
    CHECK_INT(total_bytes, 100000);
}

DEVICE_TEST(events_and_queries)
{
    struct device_event *event = NULL;
    float elapsed_ms = 0;
    bool is_finished = false;
    CHECK(operations->event_create(device, true, &event, err));
    CHECK(operations->event_record(device, event, NULL, err));
    CHECK(operations->event_wait(device, event, NULL, err));
    CHECK(operations->event_synchronize(device, event, err));
    CHECK(operations->event_query(device, event, &is_finished, err));
    CHECK(is_finished);
    fake()->fail("cuEventQuery", CUDA_ERROR_NOT_READY);
    CHECK(operations->event_query(device, event, &is_finished, err));
    CHECK(!is_finished);
    CHECK(operations->event_elapsed_ms(device, event, event, &elapsed_ms, err));
    CHECK(elapsed_ms == 1.5f);
    operations->event_destroy(device, event);
    operations->event_destroy(device, NULL);
}

DEVICE_TEST(failures_are_worded_as_numba_does)
{
    device_address address = 7;
    fake()->fail_always("cuMemAllocAsync", 2);
    CHECK(!operations->memory_alloc(device, 8, &address, err));
    fake()->recover();
    CHECK_INT(err->kind, ERROR_DEVICE);
    CHECK_INT(err->code, DEVICE_ERROR_OUT_OF_MEMORY);
    CHECK_STR(
            err->message, "Call to cuMemAllocAsync results in CUDA_ERROR_OUT_OF_MEMORY");
    CHECK_INT(address, 7);
    error_clear(err);
    fake()->fail("cuCtxSynchronize", 4242);
    CHECK(!operations->synchronize(device, err));
    CHECK_STR(err->message, "Call to cuCtxSynchronize results in UNKNOWN_CUDA_ERROR");
    fake()->recover();
}

struct arguments {
    struct {
        void *memory, *parent;
        double *data;
        int64_t shape, stride;
    } array;
    int64_t count;  // an int32 in its 8 bytes
    double pair[2]; // a complex number
};

static const char PTX[] =
        ".version 7.8\n.visible .entry kernel_of_another(\n.param .u64 a\n)\n{\n}\n"
        ".visible .entry kernel(\n.param .u64 a,\n.param .u64 b,\n.param .u64 c,\n"
        ".param .u64 d,\n.param .u64 e,\n.param .u32 f,\n.param .f64 g,\n"
        ".param .f64 h\n)\n{\n.param .b32 not_one;\n}\n";

static struct compiled compiled;

static bool load_kernel_with(const char *ptx, const char *joined,
        struct device_kernel **kernel, struct error *err)
{
    static const struct type *params[3];
    static struct ir_function *function;
    struct device *device = open_device();
    types_init();
    params[0] = type_array(type_float64, 1, LAYOUT_C, false);
    params[1] = type_int32;
    params[2] = type_complex128;
    if (!function)
        function = ir_function_create("kernel");
    function->params = params;
    function->param_count = 3;
    compiled = (struct compiled){.function = function,
            .target = TARGET_GPU,
            .recurses = compiled.recurses,
            .ptx = (char *)ptx,
            .ptx_entry = (char *)"kernel",
            .joined_entry = (char *)joined};
    return device->operations->kernel_load(device, &compiled, kernel, err);
}

static bool load_kernel(const char *ptx, struct device_kernel **kernel, struct error *err)
{
    return load_kernel_with(ptx, NULL, kernel, err);
}

TEST(grids_of_many_blocks_are_launched_by_the_joined_entry)
{
    static const struct {
        int32_t grid[3], block[3];
        unsigned launched; // blocks
    } launches[] = {{{4095, 1, 1}, {32, 1, 1}, 4095}, {{4096, 1, 1}, {32, 1, 1}, 1024},
            {{4097, 1, 1}, {8, 8, 2}, 1025}, {{INT32_MAX, 1, 1}, {32, 1, 1}, 1 << 29},
            {{4096, 2, 1}, {32, 1, 1}, 4096}, {{4096, 1, 2}, {32, 1, 1}, 4096},
            {{4096, 1, 1}, {513, 1, 1}, 4096}}; // 512 threads: as the driver says
    struct device *device = open_device();
    REQUIRE(device);
    struct error err = {0};
    struct device_kernel *kernel = NULL;
    struct arguments args = {0};
    REQUIRE(load_kernel_with(PTX, "kernel_joined", &kernel, &err));
    for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
        struct launch_config config = {0};
        memcpy(config.grid_dim, launches[i].grid, sizeof config.grid_dim);
        memcpy(config.block_dim, launches[i].block, sizeof config.block_dim);
        CHECK(device->operations->launch(device, kernel, &config, &args, &err));
        CHECK_INT(fake()->seen->launched[0], launches[i].launched);
        CHECK_INT(fake()->seen->launched[3], launches[i].block[0]);
    }
    CHECK(device->operations->synchronize(device, &err));
    device->operations->kernel_unload(device, kernel);
    CHECK(!load_kernel_with(PTX, "missing", &kernel, &err));
}

DEVICE_TEST(launch_passes_the_leaves_of_its_arguments)
{
    struct device_kernel *kernel = NULL;
    struct arguments args = {
            .array = {.data = (double *)0x1000, .shape = 12, .stride = 8},
            .count = 34,
            .pair = {1.5, 2.5}};
    struct launch_config config = {.grid_dim = {2, 3, 4},
            .block_dim = {5, 6, 7},
            .dynamic_shared_bytes = 100000};
    int before = fake()->seen->live;
    REQUIRE(load_kernel(PTX, &kernel, err));
    CHECK(operations->launch(device, kernel, &config, &args, err));
    int64_t wide = 0;
    int32_t narrow = 0;
    double real = 0, imaginary = 0;
    fake()->parameter(2, &wide, 8);
    CHECK_INT(wide, 0x1000);
    fake()->parameter(3, &wide, 8);
    CHECK_INT(wide, 12);
    fake()->parameter(4, &wide, 8);
    CHECK_INT(wide, 8);
    fake()->parameter(5, &narrow, 4);
    CHECK_INT(narrow, 34);
    fake()->parameter(6, &real, 8);
    fake()->parameter(7, &imaginary, 8);
    CHECK(real == 1.5 && imaginary == 2.5);
    for (unsigned i = 0; i < 6; i++)
        CHECK_INT(fake()->seen->launched[i], i + 2);
    CHECK_INT(fake()->seen->launched[6], 100000);
    CHECK_INT(fake()->seen->function_shared_bytes, 100000);
    CHECK(operations->launch(device, kernel, &config, &args, err));
    CHECK_INT(atomic_load(&device->unwaited), 2);
    CHECK(operations->stream_synchronize(device, NULL, err));
    CHECK_INT(atomic_load(&device->unwaited), 0);
    CHECK(operations->launch(device, kernel, &config, &args, err));
    CHECK(operations->synchronize(device, err));
    CHECK_INT(atomic_load(&device->unwaited), 0);
    operations->kernel_unload(device, kernel);
    operations->kernel_unload(device, NULL);
    CHECK_INT(fake()->seen->live, before);
}

TEST(kernels_that_recurse_have_a_larger_stack)
{
    struct error err = {0};
    struct device_kernel *kernels[3];
    struct device *device = open_device();
    REQUIRE(load_kernel(PTX, &kernels[0], &err));
    CHECK_INT(fake()->seen->limits, 0);
    compiled.recurses = true;
    REQUIRE(load_kernel(PTX, &kernels[1], &err));
    CHECK_INT(fake()->seen->stack_bytes, 3072); // a 32nd of 100000 bytes for one thread
    REQUIRE(load_kernel(PTX, &kernels[2], &err));
    CHECK_INT(fake()->seen->limits, 1);
    for (size_t i = 0; i < 3; i++)
        device->operations->kernel_unload(device, kernels[i]);
    compiled.recurses = false;
}

TEST(refused_ptx_reports_the_assembler)
{
    struct error err = {0};
    struct device_kernel *kernel = NULL;
    CHECK(!load_kernel(strstr(PTX, ".visible .entry kernel("), &kernel, &err));
    CHECK_CONTAINS(
            err.message, "Call to cuModuleLoadDataEx results in CUDA_ERROR_INVALID_PTX");
    CHECK_CONTAINS(err.message, "not PTX at all");
    CHECK(!kernel);
}

// The one file of the folder, or NULL.
static const char *only_file(const char *folder)
{
    static char path[512];
    DIR *dir = opendir(folder);
    int count = 0;
    for (struct dirent *entry = dir ? readdir(dir) : NULL; entry; entry = readdir(dir)) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%.200s", folder, entry->d_name);
        count++;
    }
    if (dir)
        closedir(dir);
    return count == 1 ? path : NULL;
}

// How often the linker ran to load the kernel; -1 when it was not loaded.
static int links_to_load(void)
{
    struct error err = {0};
    struct device_kernel *kernel = NULL;
    int before = fake()->seen->links;
    if (!load_kernel(PTX, &kernel, &err))
        return -1;
    open_device()->operations->kernel_unload(open_device(), kernel);
    return fake()->seen->links - before;
}

TEST(cubins_are_kept_and_checked)
{
    char root[] = "/tmp/test_cubinXXXXXX", folder[64];
    REQUIRE(mkdtemp(root));
    snprintf(folder, sizeof folder, "%s/deep/cubin", root);
    setenv("GRIDCELL_CACHE_DIR", "", true);
    CHECK_INT(links_to_load(), 1);
    CHECK_INT(links_to_load(), 1);
    char deep[64];
    snprintf(deep, sizeof deep, "%s/deep", root);
    setenv("GRIDCELL_CACHE_DIR", deep, true);
    CHECK_INT(links_to_load(), 1);
    CHECK_INT(links_to_load(), 0);
    const char *path = only_file(folder);
    REQUIRE(path);
    // one changed byte, then a torn file, then one of nothing
    FILE *file = fopen(path, "r+b");
    REQUIRE(file);
    fseek(file, -3, SEEK_END);
    fputc('!', file);
    fclose(file);
    CHECK_INT(links_to_load(), 1);
    CHECK_INT(links_to_load(), 0);
    CHECK(!truncate(path, 100));
    CHECK_INT(links_to_load(), 1);
    CHECK(!truncate(path, 0));
    CHECK_INT(links_to_load(), 1);
    CHECK_INT(links_to_load(), 0);
    path = only_file(folder);
    REQUIRE(path);
    unlink(path);
    // a folder that cannot be written, and a linker that refuses
    setenv("GRIDCELL_CACHE_DIR", "/proc/none", true);
    CHECK_INT(links_to_load(), 1);
    fake()->fail("cuLinkComplete", 1);
    CHECK_INT(links_to_load(), 1);
    setenv("GRIDCELL_CACHE_DIR", "", true);
    rmdir(folder);
    rmdir(deep);
    rmdir(root);
}

TEST(parameters_are_counted_before_they_are_passed)
{
    struct error err = {0};
    struct device_kernel *kernel = NULL;
    CHECK(!load_kernel(
            ".version 7.8\n.entry kernel(\n.param .u64 a\n)\n{}", &kernel, &err));
    CHECK_CONTAINS(err.message, "takes 1 parameters where 8 are passed");
    CHECK(!kernel);
}

DEVICE_TEST(fault_names_the_kernel)
{
    struct device_kernel *kernel = NULL;
    struct arguments args = {0};
    struct launch_config config = {.grid_dim = {1, 1, 1}, .block_dim = {1, 1, 1}};
    char byte;
    REQUIRE(load_kernel(PTX, &kernel, err));
    CHECK(operations->launch(device, kernel, &config, &args, err));
    fake()->fail("cuMemcpyDtoH", 700);
    CHECK(!operations->copy_to_host(device, &byte, 16, 1, NULL, err));
    CHECK_INT(err->code, DEVICE_ERROR_ILLEGAL_ADDRESS);
    CHECK_CONTAINS(err->message, "Call to cuMemcpyDtoH results in "
                                 "CUDA_ERROR_ILLEGAL_ADDRESS in kernel 'kernel'");
    CHECK_CONTAINS(err->message, "The context of device 0 is lost");
    operations->kernel_unload(device, kernel);
}

// A driver may refuse a new context with the old one's error: then the message says that,
// and nothing of a new context.
DEVICE_TEST(refused_context_promises_no_other)
{
    static const int fatal[] = {214, 700, 702, 709, 710, 714, 715, 716, 717, 718, 719};
    device_address address = 0;
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++) {
        error_clear(err);
        CHECK(operations->synchronize(device, err));
        fake()->fail_always("cuCtxSynchronize", fatal[i]);
        CHECK(!operations->synchronize(device, err));
        CHECK_CONTAINS(err->message, "the next use of the device asks for a new one");
        CHECK(!strstr(err->message, "restart"));
        fake()->recover();
        for (int again = 0; again < 2; again++) {
            error_clear(err);
            fake()->fail_always("cuDevicePrimaryCtxRetain", fatal[i]);
            CHECK(!(again ? operations->synchronize(device, err)
                          : operations->memory_alloc(device, 8, &address, err)));
            CHECK_CONTAINS(err->message, "restart the kernel");
            CHECK(!strstr(err->message, "is lost"));
            CHECK(!strstr(err->message, "asks for a new one"));
            fake()->recover();
        }
    }
    error_clear(err);
    CHECK(operations->synchronize(device, err));
}

DEVICE_TEST(lost_context_is_made_anew)
{
    device_address old = 0, fresh = 0;
    struct device_kernel *kernel = NULL;
    REQUIRE(operations->memory_alloc(device, 8, &old, err));
    REQUIRE(load_kernel(PTX, &kernel, err));
    uint64_t generation = device->generation;
    int resets = fake()->seen->resets;
    CHECK(device_check_generation(device, generation, "this array", err));
    fake()->fail("cuCtxSynchronize", 719);
    CHECK(!operations->synchronize(device, err));
    CHECK_INT(err->code, DEVICE_ERROR_LAUNCH_FAILED);
    CHECK_INT(device->generation, generation + 1);
    CHECK_INT(fake()->seen->resets, resets); // the new one comes with the next use
    error_clear(err);
    CHECK(!device_check_generation(device, generation, "this array", err));
    CHECK_INT(err->code, DEVICE_ERROR_CONTEXT_ENDED);
    CHECK_CONTAINS(err->message, "this array was made in a context of device 0 that was "
                                 "lost by a kernel's fault");
    error_clear(err);
    REQUIRE(operations->memory_alloc(device, 8, &fresh, err));
    CHECK_INT(fake()->seen->resets, resets + 1);
    int live = fake()->seen->live;
    CHECK(device_free(device, old, generation, false, err)); // the driver hears nothing
    operations->kernel_unload(device, kernel);
    CHECK_INT(fake()->seen->live, live);
    CHECK(device_free(device, fresh, device->generation, false, err));
    CHECK_INT(fake()->seen->live, live - 1);
}

DEVICE_TEST(reset_ends_what_the_context_held)
{
    uint64_t generation = device->generation;
    CHECK(operations->synchronize(device, err));
    CHECK(operations->context_reset(device, CONTEXT_CLOSED, err));
    CHECK_INT(device->generation, generation + 1);
    CHECK(operations->context_reset(device, CONTEXT_CLOSED, err));
    CHECK_INT(device->generation, generation + 1); // there was none
    CHECK(!device_check_generation(device, generation, "x", err));
    CHECK_CONTAINS(err->message, "that was closed");
    error_clear(err);
    CHECK(operations->synchronize(device, err));
}

DEVICE_TEST(a_forked_process_says_so)
{
    REQUIRE(operations->synchronize(device, err));
    pid_t child = fork();
    if (!child) {
        bool is_refused = !operations->synchronize(device, err) &&
                          strstr(err->message, "CUDA initialized before forking");
        _exit(is_refused ? 0 : 1);
    }
    int status = 1;
    REQUIRE(child > 0 && waitpid(child, &status, 0) == child);
    CHECK_INT(status, 0);
    CHECK(operations->synchronize(device, err));
}

// SPDX-License-Identifier: MIT
// What a stand-in for libcupti records, in the folder of a toolkit made up for the test.
#include "tests/unit/test.h"

#include <dlfcn.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/activity.h"
#include "runtime/cuda/cupti.h"
#include "tests/unit/fake_device.h"

enum { KERNEL = 10 };

static void place_library(void)
{
    static char root[] = "/tmp/gridcell-cupti-XXXXXX";
    char path[256];
    if (strstr(root, "XXXXXX"))
        REQUIRE(mkdtemp(root));
    setenv("CUDA_HOME", root, 1);
    static const char *const folders[] = {"extras", "extras/CUPTI", "extras/CUPTI/lib64"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/%s", root, folders[i]);
        mkdir(path, 0700);
    }
    snprintf(path, sizeof path, "%s/extras/CUPTI/lib64/libcupti.so.12", root);
    CHECK(!symlink(getenv("FAKE_CUPTI"), path) || !access(path, R_OK));
}

static void *of_library(const char *name)
{
    void *library = dlopen(getenv("FAKE_CUPTI"), RTLD_NOW);
    return library ? dlsym(library, name) : NULL;
}

static void refuse(int kind)
{
    void (*function)(int kind);
    void *found = of_library("fake_cupti_refuse");
    memcpy(&function, &found, sizeof function);
    function(kind);
}

static uint64_t enabled(void)
{
    uint64_t (*function)(void);
    void *found = of_library("fake_cupti_enabled");
    memcpy(&function, &found, sizeof function);
    return function();
}

static void check(const struct gpu_activity *found, const char *what, int kind,
        uint32_t stream, double now)
{
    CHECK_STR(found->what, what);
    CHECK_INT(found->stream, stream);
    CHECK(fabs(found->end - found->begin - 5e-4) < 1e-9);
    CHECK(fabs(found->begin - now - 1e-3 * kind) < 0.5);
}

DEVICE_TEST(what_is_recorded)
{
    size_t count = 0, lost = 0;
    REQUIRE(operations);
    place_library();
    double now = activity_clock();
    REQUIRE(cupti_begin(device, err));
    struct gpu_activity *found = cupti_end(&count, &lost);
    CHECK_INT(enabled(), 0);
    CHECK_INT(lost, 3);
    REQUIRE(count == 4);
    check(&found[0], "host to device", 1, 0, now);
    CHECK_INT(found[0].kind, GPU_ACTIVITY_COPY);
    CHECK_INT(found[0].bytes, 4096);
    CHECK_STR(found[0].memory, "pageable");
    check(&found[1], "memset", 2, 0, now);
    CHECK_INT(found[1].bytes, 64);
    check(&found[2], "a_kernel", KERNEL, 13, now);
    CHECK_INT(found[2].kind, GPU_ACTIVITY_KERNEL);
    check(&found[3], "stream", 38, 0, now);
    CHECK_INT(found[3].kind, GPU_ACTIVITY_WAIT);
    free(found);
}

DEVICE_TEST(a_refusal_leaves_nothing_on)
{
    size_t count = 1, lost = 1;
    REQUIRE(operations);
    place_library();
    refuse(38);
    CHECK(!cupti_begin(device, err));
    CHECK(strstr(err->message,
            "CUPTI could not record what the GPU does: CUPTI_ERROR_MULTIPLE"));
    CHECK_INT(enabled(), 0);
    refuse(0);
    free(cupti_end(&count, &lost));
    CHECK_INT(count, 0);
    CHECK_INT(lost, 0);
}

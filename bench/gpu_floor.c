// SPDX-License-Identifier: MIT
// What the driver itself takes for what bench/gpu_worker.py measures: prints a JSON
// object of row -> [unit, value]. Asks for nothing but libcuda.so.1.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { REPEATS = 20, ISSUE_REPEATS = 101, INNER = 500 }; // as bench/clock.py

static const char PTX[] =
        ".version 7.0\n.target sm_70\n.address_size 64\n"
        ".visible .entry empty() { ret; }\n"
        ".visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u64 "
        "n)\n"
        "{\n"
        "  .reg .pred %p; .reg .b32 %r<4>; .reg .f32 %f<3>; .reg .b64 %d<9>;\n"
        "  mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ntid.x; mov.u32 %r2, %tid.x;\n"
        "  mad.wide.u32 %d0, %r0, %r1, 0; cvt.u64.u32 %d1, %r2; add.s64 %d0, %d0, %d1;\n"
        "  ld.param.u64 %d2, [n]; setp.ge.s64 %p, %d0, %d2; @%p ret;\n"
        "  shl.b64 %d0, %d0, 2;\n"
        "  ld.param.u64 %d3, [a]; add.s64 %d3, %d3, %d0; ld.global.f32 %f0, [%d3];\n"
        "  ld.param.u64 %d4, [b]; add.s64 %d4, %d4, %d0; ld.global.f32 %f1, [%d4];\n"
        "  add.f32 %f2, %f0, %f1;\n"
        "  ld.param.u64 %d5, [c]; add.s64 %d5, %d5, %d0; st.global.f32 [%d5], %f2;\n"
        "  ret;\n}\n";

// The driver's functions, all int f(...), by the names that its library exports.
#define FUNCTIONS(F)                                                                     \
    F(cuInit, cuInit, (unsigned))                                                        \
    F(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, (void **, int))                \
    F(cuCtxSetCurrent, cuCtxSetCurrent, (void *))                                        \
    F(cuCtxSynchronize, cuCtxSynchronize, (void))                                        \
    F(cuModuleLoadData, cuModuleLoadData, (void **, const void *))                       \
    F(cuModuleGetFunction, cuModuleGetFunction, (void **, void *, const char *))         \
    F(cuMemAlloc, cuMemAlloc_v2, (uint64_t *, size_t))                                   \
    F(cuMemAllocHost, cuMemAllocHost_v2, (void **, size_t))                              \
    F(cuMemcpyHtoD, cuMemcpyHtoD_v2, (uint64_t, const void *, size_t))                   \
    F(cuMemcpyDtoH, cuMemcpyDtoH_v2, (void *, uint64_t, size_t))                         \
    F(cuLaunchKernel, cuLaunchKernel,                                                    \
            (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,         \
                    unsigned, void *, void **, void **))
#define POINTER(name, symbol, parameters) static int(*name) parameters;
FUNCTIONS(POINTER)

static void check(int result, const char *what)
{
    if (!result)
        return;
    fprintf(stderr, "%s: error %d\n", what, result);
    exit(1);
}

static void load_driver(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    check(!library, "libcuda.so.1");
#define LOAD(name, symbol, parameters) *(void **)&name = dlsym(library, #symbol);
    FUNCTIONS(LOAD)
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static uint64_t arrays[3], big;
static void *host, *empty, *add;
static const size_t BIG_BYTES = 400000000;

static void launch(void *kernel)
{
    uint64_t count = 1000;
    void *params[] = {&arrays[0], &arrays[1], &arrays[2], &count};
    check(cuLaunchKernel(kernel, 8, 1, 1, 128, 1, 1, 0, NULL, params, NULL), "launch");
}

static void launch_empty(void)
{
    launch(empty);
}

static void launch_add(void)
{
    launch(add);
}

static void launch_and_wait(void)
{
    launch(add);
    check(cuCtxSynchronize(), "synchronize");
}

static void copy_to_device(void)
{
    check(cuMemcpyHtoD(big, host, BIG_BYTES), "copy to the device");
}

static void copy_to_host(void)
{
    check(cuMemcpyDtoH(host, big, BIG_BYTES), "copy to the host");
}

// The median time of a call, of `inner` without a synchronisation between them.
static void row(const char *name, void (*action)(void), int inner, const char *end)
{
    double samples[ISSUE_REPEATS];
    int repeats = inner > 1 ? ISSUE_REPEATS : REPEATS;
    action();
    for (int i = 0; i < repeats; i++) {
        check(cuCtxSynchronize(), "synchronize");
        double start = now();
        for (int j = 0; j < inner; j++)
            action();
        samples[i] = (now() - start) / inner;
    }
    check(cuCtxSynchronize(), "synchronize");
    qsort(samples, (size_t)repeats, sizeof *samples, compare);
    printf("\"%s\": [\"s\", %.9g]%s", name, samples[repeats / 2], end);
}

int main(void)
{
    void *context, *module;
    load_driver();
    check(cuInit(0), "cuInit");
    check(cuDevicePrimaryCtxRetain(&context, 0), "context");
    check(cuCtxSetCurrent(context), "context");
    check(cuModuleLoadData(&module, PTX), "module");
    check(cuModuleGetFunction(&empty, module, "empty"), "empty");
    check(cuModuleGetFunction(&add, module, "add"), "add");
    for (int i = 0; i < 3; i++)
        check(cuMemAlloc(&arrays[i], 4000), "memory");
    check(cuMemAlloc(&big, BIG_BYTES), "memory");
    check(cuMemAllocHost(&host, BIG_BYTES), "pinned memory");
    printf("{");
    row("launch of an empty kernel", launch_empty, INNER, ", ");
    row("launch with 3 device arrays", launch_add, INNER, ", ");
    row("launch and synchronize", launch_and_wait, 1, ", ");
    row("to_device of 400 MB", copy_to_device, 1, ", ");
    row("copy_to_host of 400 MB", copy_to_host, 1, "}\n");
    return 0;
}

// SPDX-License-Identifier: MIT
// The one device of the stand-in for libcuda, which NUMBA_CUDA_DRIVER names. Include it
// after test.h.
#pragma once

#include "runtime/device/device.h"
#include "tests/unit/fake_cuda.h"

// What a test may ask the stand-in.
const struct fake_cuda *fake(void);
// The device, opened once; NULL where that fails.
struct device *open_device(void);

// A test that begins with the device open and no error.
#define DEVICE_TEST(id)                                                                  \
    static void run_##id(struct device *device,                                          \
            const struct device_operations *operations, struct error *err);              \
    TEST(id)                                                                             \
    {                                                                                    \
        struct device *device = open_device();                                           \
        struct error err = {0};                                                          \
        REQUIRE(device);                                                                 \
        run_##id(device, device->operations, &err);                                      \
    }                                                                                    \
    static void run_##id(struct device *device,                                          \
            const struct device_operations *operations, struct error *err)

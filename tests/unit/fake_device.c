// SPDX-License-Identifier: MIT
// Opens the one device of the stand-in for libcuda.
#include "tests/unit/fake_device.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/cuda/cuda_device.h"

const struct fake_cuda *fake(void)
{
    void *handle = dlopen(getenv("NUMBA_CUDA_DRIVER"), RTLD_NOW);
    return handle ? dlsym(handle, "fake_cuda") : NULL;
}

struct device *open_device(void)
{
    static struct device *device;
    struct error err = {0};
    size_t count = 0;
    if (!device && (!cuda_devices_open(&device, 1, &count, &err) || count != 1))
        fprintf(stderr, "no device: %s\n", err.message);
    return device;
}

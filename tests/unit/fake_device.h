// SPDX-License-Identifier: MIT
// The one device of the stand-in for libcuda, which NUMBA_CUDA_DRIVER names.
#pragma once

#include "runtime/device/device.h"
#include "tests/unit/fake_cuda.h"

// What a test may ask the stand-in.
const struct fake_cuda *fake(void);
// The device, opened once; NULL where that fails.
struct device *open_device(void);

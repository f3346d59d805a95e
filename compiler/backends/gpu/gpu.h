// SPDX-License-Identifier: MIT
// Kernels and device functions for NVIDIA GPUs.
#pragma once

#include "compiler/backends/compiled.h"

bool gpu_compile(struct compiled *compiled, const struct compile_options *options,
        struct error *err);

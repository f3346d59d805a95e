// SPDX-License-Identifier: MIT
// Kernels for the emulated device.
#pragma once

#include "compiler/backends/compiled.h"

bool emulator_compile(struct compiled *compiled, const struct compile_options *options,
        struct error *err);

// SPDX-License-Identifier: MIT
// Kernels that run several blocks of the grid in one.
#pragma once

#include <stdbool.h>

#include <llvm-c/Core.h>

// Whether the kernel is of the kind that gains by running JOINED_BLOCKS
// blocks in one; adds such a kernel under `name` (NULL: only asks).
bool gpu_join_blocks(LLVMModuleRef module, LLVMValueRef kernel, const char *name);

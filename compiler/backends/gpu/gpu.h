// SPDX-License-Identifier: MIT
// Kernels and device functions for NVIDIA GPUs.
#pragma once

#include "compiler/backends/compilation.h"

// Refuses what is no kernel.
bool gpu_check(struct compilation *c);
// Which arrays the kernel may write to, where it may assume that they are disjoint.
bool gpu_find_writes(struct compilation *c);
// Makes the module, with each leaf of the arguments as a parameter.
bool gpu_emit(struct compilation *c);
// Makes values of stack slots and inlines what always is.
bool gpu_tidy(struct compilation *c);
// Adds the entry of which one block runs several of the grid, where that gains.
bool gpu_join(struct compilation *c);
// Makes PTX, by libnvvm or by LLVM.
bool gpu_make_ptx(struct compilation *c);
// Besides PTX, what links that optimise take, if the options ask for it.
bool gpu_make_ltoir(struct compilation *c);

// SPDX-License-Identifier: MIT
// Kernels and device functions for NVIDIA GPUs.
#pragma once

#include "compiler/backends/compilation.h"

// Refuses what is no kernel.
compilation_pass gpu_check;
// Which arrays the kernel may write to, where it may assume that they are disjoint.
compilation_pass gpu_find_writes;
// Makes the module, with each leaf of the arguments as a parameter.
compilation_pass gpu_emit;
// Makes values of stack slots and inlines what always is.
compilation_pass gpu_tidy;
// Adds the entry of which one block runs several of the grid, where that gains.
compilation_pass gpu_join;
// Makes PTX, by libnvvm or by LLVM.
compilation_pass gpu_make_ptx;
// Besides PTX, what links that optimise take, if the options ask for it.
compilation_pass gpu_make_ltoir;

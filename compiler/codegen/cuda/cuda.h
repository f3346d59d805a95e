// SPDX-License-Identifier: MIT
// Primitives of CUDA, on GPUs and on the emulated device.
#pragma once

#include "compiler/codegen/base/body.h"

emitter cuda_coordinate, cuda_grid, cuda_lane;
emitter cuda_shared_array, cuda_local_array;
emitter cuda_barrier, cuda_syncwarp;
emitter atomic_primitive, foreign_call, warp_primitive, cached_primitive;
emitter libdevice_primitive;
// The regular rows of compiler/types/intrinsics.def, on all targets.
emitter intrinsic_primitive;

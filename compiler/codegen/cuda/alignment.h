// SPDX-License-Identifier: MIT
// Complex numbers and records: NumPy aligns them by their parts or not at all, and a GPU
// reads what may lie anywhere byte by byte. Nearly all of them lie at multiples of their
// size, which a launch can see: a kernel may be compiled for that.
#pragma once

#include "compiler/codegen/base/body.h"

// At the entry of a kernel: says of its parameters what launches see to, for LLVM's pass
// infer-alignment. False where there is nothing to say.
bool cuda_assume_alignment(const struct body *body);

// SPDX-License-Identifier: MIT
// What a kernel's loops gain by, as far as it decides how the kernel is compiled.
#pragma once

#include "compiler/codegen/codegen.h"

// Whether a loop reads an array at indices that it has read from another.
bool gpu_loop_gathers(const struct body *body);
// Arrays that are only read, while a loop writes to others: where no memory is shared
// among them, loads of several turns can go ahead of the stores. What other arguments
// point to is not known.
bool gpu_gains_by_disjoint(const struct body *body);

// SPDX-License-Identifier: MIT
// A ufunc's inner loop, spread over threads.
#pragma once

#include <stdint.h>

#include "compiler/types/abi.h"

// Runs `loop` over dims[0] elements of `input_count` inputs and one output, in chunks on
// several threads where that pays and the output's elements are apart. The first failed
// status goes to *status. Needs no GIL.
void parallel_loop(abi_ufunc_loop loop, char **args, const intptr_t *dims,
        const intptr_t *steps, int input_count, int32_t *status);

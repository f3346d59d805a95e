// SPDX-License-Identifier: MIT
// A ufunc's inner loop, on the calling thread or spread over several. Both enter the
// compiled loop through the fault gate, once for each chunk of elements, and answer its
// status.
#pragma once

#include <stdint.h>

#include "compiler/types/abi.h"

// Runs `loop` over dims[0] elements. Needs no GIL.
int32_t serial_loop(
        abi_ufunc_loop loop, char **args, const intptr_t *dims, const intptr_t *steps);
// Runs `loop` over dims[0] elements of `input_count` inputs and one output, in chunks on
// several threads where that pays and the output's elements are apart. The status is that
// of the earliest chunk that failed. Needs no GIL.
int32_t parallel_loop(abi_ufunc_loop loop, char **args, const intptr_t *dims,
        const intptr_t *steps, int input_count);

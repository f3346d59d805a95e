// SPDX-License-Identifier: MIT
// The processor's floating-point flags behind a ufunc's loop, of which NumPy makes
// warnings.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "compiler/types/type.h"

// What a loop worked on: operands by their types, the output last.
struct loop_operands {
    const struct type *const *types;
    int input_count;
    char *const *args;
    const intptr_t *steps;
    intptr_t count;
};

// Functions of numbers, written for whole vectors, compute both sides of each choice:
// they raise flags for items whose results are as they should be. Takes back what the
// results do not show: a NaN of numbers, an infinity of finite ones.
void loop_flags_settle(const struct loop_operands *operands);

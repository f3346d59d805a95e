// SPDX-License-Identifier: MIT
// The hash that names cells: front ends with a debugger compute the same file name.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define MURMUR2_CELL_SEED 0xC70F6907u

uint32_t murmur2(const void *bytes, size_t len, uint32_t seed);

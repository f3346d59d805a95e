// SPDX-License-Identifier: MIT
// Functions that compiled code calls while it runs on the CPU.
#pragma once

#include <stdint.h>

#include "compiler/abi.h"

struct support_symbol {
    const char *name;
    void *address;
};

// All of them by name; ends with a NULL name.
extern const struct support_symbol support_symbols[];

// Counted memory with room for `size_bytes` behind its header; NULL if there is none.
struct abi_memory *gridcell_memory_create(int64_t size_bytes);
struct abi_memory *gridcell_memory_create_zeroed(int64_t size_bytes);
// Any thread; NULL is fine.
void gridcell_memory_retain(struct abi_memory *memory);
void gridcell_memory_release(struct abi_memory *memory);

// SPDX-License-Identifier: MIT
// Interrupts of kernels whose loops do not ask: a thread of ours looks at the flag while
// launches are under way, and has the CPU's threads leave the kernel's code at whatever
// instruction they are. A kernel owns nothing that would be lost.
#pragma once

#include <stddef.h>

// The calling thread runs blocks of a kernel between these two; the number that the first
// gives is for the second.
size_t emulated_interrupt_watch(void);
void emulated_interrupt_unwatch(size_t number);

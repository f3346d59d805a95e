// SPDX-License-Identifier: MIT
// What the compiler offers to whoever is interrupted, and guards the ends of stacks: the
// kernel has it by the capsule `interrupt` of the module `_gridcell`, under the name
// INTERRUPT_CAPSULE.
#pragma once

#include <stdint.h>

#define INTERRUPT_CAPSULE "gridcell.interrupt"

// All live for ever.
struct interrupt_hooks {
    volatile int *flag;    // compiled code polls it; who has answered it stores 0
    void (*request)(void); // sets the flag; a signal handler may call it
    // Takes a function that tells where the stack of the calling thread ends for compiled
    // code; 0: where the system says.
    void (*set_stack_floor)(uintptr_t (*ask)(void));
};

// SPDX-License-Identifier: MIT
// What the compiler offers to whoever is interrupted: the kernel has it by the capsule
// `interrupt` of the module `_gridcell`, under the name INTERRUPT_CAPSULE.
#pragma once

#define INTERRUPT_CAPSULE "gridcell.interrupt"

// All live for ever.
struct interrupt_hooks {
    volatile int *flag;    // compiled code polls it; who has answered it stores 0
    void (*request)(void); // sets the flag; a signal handler may call it
};

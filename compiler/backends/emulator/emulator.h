// SPDX-License-Identifier: MIT
// Kernels for the emulated device.
#pragma once

#include "compiler/backends/compilation.h"

// Refuses what is no kernel, and limits optimisation.
bool emulator_check(struct compilation *c);
// Lists the array arguments, if the kernel does nothing with one but add to it.
bool emulator_find_counters(struct compilation *c);
// Starts code generation: what follows asks how LLVM lays out types.
bool emulator_open(struct compilation *c);
// Whether blocks side by side can run as one, and gain by it.
bool emulator_find_lanes(struct compilation *c);
// Whether the threads of a block take the turns of the kernel's loop together.
bool emulator_find_turns(struct compilation *c);
// Cuts the kernel at its barriers, if it has any and can be cut.
bool emulator_find_segments(struct compilation *c);
// Makes the module: a function that runs one block of threads.
bool emulator_emit(struct compilation *c);
// When LLVM has made the coroutines: the size of a thread's frame is set for good.
bool emulator_settle_frame(struct compilation *c);
// Loads the machine code and looks up the entry.
bool emulator_load(struct compilation *c);

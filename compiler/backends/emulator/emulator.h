// SPDX-License-Identifier: MIT
// Kernels for the emulated device.
#pragma once

#include "compiler/backends/compilation.h"

// Refuses what is no kernel, and limits optimisation.
compilation_pass emulator_check;
// Lists the array arguments, if the kernel does nothing with one but add to it.
compilation_pass emulator_find_counters;
// Starts code generation: what follows asks how LLVM lays out types.
compilation_pass emulator_open;
// Whether blocks side by side can run as one, and gain by it.
compilation_pass emulator_find_lanes;
// Whether the threads of a block take the turns of the kernel's loop together.
compilation_pass emulator_find_turns;
// Cuts the kernel at its barriers, if it has any and can be cut.
compilation_pass emulator_find_segments;
// Makes the module: a function that runs one block of threads.
compilation_pass emulator_emit;
// When LLVM has made the coroutines: the size of a thread's frame is set for good.
compilation_pass emulator_settle_frame;
// Loads the machine code and looks up the entry.
compilation_pass emulator_load;

// SPDX-License-Identifier: MIT
// The flag that compiled loops, and long functions that they call, poll. Any thread, and
// a signal handler, may set it; who has started the code clears it.
#pragma once

// Non-zero asks compiled code to return STATUS_INTERRUPTED. Its name is a symbol of the
// code.
extern volatile int compiler_interrupt_flag;

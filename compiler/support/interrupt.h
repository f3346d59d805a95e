// SPDX-License-Identifier: MIT
// The flag that compiled loops, and long functions that they call, poll. Any thread, and
// a signal handler, may set it; who has started the code clears it.
#pragma once

// Non-zero asks compiled code to return STATUS_INTERRUPTED. Its name is a symbol of the
// code.
extern volatile int compiler_interrupt_flag;

// Sets the flag, and wakes the thread that waits for that; a signal handler may call it.
void compiler_interrupt_request(void);
// Waits until an interrupt is requested. For one thread of the process.
void compiler_interrupt_wait(void);

// SPDX-License-Identifier: MIT
// The last part of a thread's stack, closed off, so that code which is about to overflow
// it is noticed while there is room to go on.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Closes that part of the calling thread's stack, if it is open; with little on it.
void stack_guard_close(void);
// The same for a thread that is not the main one, with a stack for signal handlers; and
// undoes it before the thread ends.
void stack_guard_begin_thread(void);
void stack_guard_end_thread(void);
// In the handler of a fault at this address: true when it was the guard, which is open
// now, so that the code goes on when the handler returns.
bool stack_guard_open(const void *address);
// Whether a fault at this address means that the thread's stack is full.
bool stack_guard_overflowed(const void *address);
// Where the stack of the calling thread ends for compiled code; 0: where the system says.
uintptr_t stack_guard_floor(void);

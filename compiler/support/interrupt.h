// SPDX-License-Identifier: MIT
// The flag that compiled loops, and long functions that they call, poll. Any thread, and
// a signal handler, may set it; who has started the code clears it.
#pragma once

#include <stdint.h>

// Non-zero asks compiled code to return STATUS_INTERRUPTED.
extern volatile int compiler_interrupt_flag;
// Non-zero where the flag above is, and where somebody has to be asked whether the code
// is to end: a signal waits for its handler, which may raise. Compiled code polls this
// one; C functions of ours, which cannot ask, the other. Its name is a symbol of the
// code.
extern volatile int compiler_poll_flag;
// What is asked then. STATUS_OK: the code goes on. Set by the runtime; NULL: nobody.
extern int32_t (*compiler_poll_answer)(void);

// Sets both, and wakes the thread that waits for that; a signal handler may call it.
void compiler_interrupt_request(void);
// Sets the second alone; a signal handler may call it.
void compiler_poll_request(void);
// By who has started the code.
void compiler_interrupt_clear(void);
// By compiled code that has seen the flag: whether it ends, and with which status.
int32_t compiler_poll(void);
// The same, on x86-64 by the convention that keeps all registers (poll.c).
int32_t compiler_poll_keeping(void);
// Waits until an interrupt is requested. For one thread of the process.
void compiler_interrupt_wait(void);

// SPDX-License-Identifier: MIT
// Interrupts from the signal to the cell, and those that no Python code looks at.
#pragma once

#include <stdbool.h>

struct kernel;
struct message;

// Any thread: as SIGINT does.
void interrupts_send(struct kernel *kernel);
// In the handler of SIGINT: asks the cell that runs to stop.
void interrupts_note(struct kernel *kernel);
// I/O thread. Sees to interrupts that no Python code looks at; the milliseconds until the
// next step, or -1.
int interrupts_poll(struct kernel *kernel);
// I/O thread. Takes an input_reply that answers the question about such an interrupt.
bool interrupts_take_answer(struct kernel *kernel, struct message *message);

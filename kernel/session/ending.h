// SPDX-License-Identifier: MIT
// The end of the kernel, in order or not.
#pragma once

#include <stdbool.h>

struct kernel;

// Any thread. Starts the end: interrupts what runs and makes the main thread leave its
// loop.
void ending_begin(struct kernel *kernel);
// I/O thread: the milliseconds that are left to the process, or -1: it is not to end.
int ending_poll(struct kernel *kernel);
// I/O thread: begins the end that a signal or the launcher's end calls for; ends the
// process when a cell did not stop in time.
void ending_check(struct kernel *kernel, bool is_orphan);
// I/O thread: after a crash, tells the front end, and ends the process.
void ending_check_crash(struct kernel *kernel);

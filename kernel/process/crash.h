// SPDX-License-Identifier: MIT
// Fatal signals: the process ends by them, after the front end was told.
#pragma once

#include <pthread.h>
#include <stdbool.h>

#include "base/str.h"
#include "kernel/process/process.h"

// From now on a fatal signal is reported before the process ends by it. `teller` is the
// thread that then tells it: its own crashes are not told. The hooks stay for ever.
void crash_watch(
        const struct process_hooks *hooks, struct kernel *kernel, pthread_t teller);
void crash_unwatch(void);
// Any thread: a crash was reported.
bool crash_is_pending(void);
// The teller: appends one line that says what happened, and where Python stood.
void crash_describe(struct str *line, struct str *place);
// The teller: all is told, and the process ends.
void crash_end(void) __attribute__((noreturn));

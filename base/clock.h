// SPDX-License-Identifier: MIT
// The clock that measures how long things take: it never goes back.
#pragma once

#include <stdint.h>

// Milliseconds since some moment in the past. Any thread, and async-signal-safe.
int64_t clock_ms(void);

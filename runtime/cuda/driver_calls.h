// SPDX-License-Identifier: MIT
// Who watches the calls of the driver.
#pragma once

// `observe` is given the text of each call that was made, and what it returned. NULL:
// none. Any thread may call it.
void driver_calls_observe(void (*observe)(const char *call, int result));

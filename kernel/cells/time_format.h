// SPDX-License-Identifier: MIT
// Time spans in the words that %time and %timeit print.
#pragma once

#include <stddef.h>

// `seconds` with `precision` significant digits: `376 ns`, `1.2 s`, `2h 5min 7s`.
void time_format(double seconds, int precision, char *text, size_t size);

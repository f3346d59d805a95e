// SPDX-License-Identifier: MIT
// Failures of passes on demand.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Has the row of the list of passes fail when it begins next; false: no such way.
bool provoke_next(size_t row, const char *way);
// Told of each row that begins.
void provoke_at(size_t row);

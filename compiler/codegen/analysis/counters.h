// SPDX-License-Identifier: MIT
// Arrays in which a kernel only counts.
#pragma once

#include "compiler/ir/ir.h"

// Whether the kernel adds to the items of an argument and does nothing else
// with it, in no order that a thread could tell.
bool counters_are(const struct ir_function *kernel, const struct ir_instr *array);

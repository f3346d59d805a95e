// SPDX-License-Identifier: MIT
// Loops over numbers whose result a formula gives.
#pragma once

#include "compiler/ir/ir.h"

// Whether the counted loop with this header does no more than add polynomials up.
bool formula_is_all(const struct ir_block *header);

// SPDX-License-Identifier: MIT
// The typed Python level as inspect_types shows it.
#pragma once

#include "compiler/ir/ir.h"

// Keeps the text of the typed instructions in the function, before they are resolved.
void annotate_function(struct ir_function *function);

// SPDX-License-Identifier: MIT
// Calls of compiled functions, and of functions of the runtime by name.
#pragma once

#include "compiler/codegen/base/body.h"

emitter call_direct, call_external;
// Before a block is emitted; those that lead to it have been, but for turns of loops.
void call_enter_block(struct body *body, const struct ir_block *block);

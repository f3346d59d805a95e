// SPDX-License-Identifier: MIT
// One instruction that is not a terminator, whatever its operation.
#pragma once

#include "compiler/codegen/base/body.h"

// Whatever the operation is.
emitter emit_value;
// A phi for each leaf, without incoming values.
emitter emit_phi;

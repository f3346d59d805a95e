// SPDX-License-Identifier: MIT
// Calls of Python from compiled code.
#pragma once

#include "compiler/codegen/base/body.h"

// Hands the operands over as one tuple; leaves the body when Python raised.
emitter objmode_call;

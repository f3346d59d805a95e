// SPDX-License-Identifier: MIT
// Loops that the threads of the pool share: prange.
#pragma once

#include "compiler/codegen/base/body.h"

// The loop, and what it reduces to; the number of the thread, or how many there may be.
emitter parallel_for, parallel_question;

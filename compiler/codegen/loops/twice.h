// SPDX-License-Identifier: MIT
// Loops that are there twice, with questions and without.
#pragma once

#include "compiler/codegen/base/body.h"

// Emits such a loop by `emit` for each of its blocks, and returns how many blocks of the
// order these are; 0: at this place none begins.
size_t twice_emit(struct body *body, size_t place,
        void (*emit)(struct body *body, const struct ir_block *block));

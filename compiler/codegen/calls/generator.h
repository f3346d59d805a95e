// SPDX-License-Identifier: MIT
// Generators: the function as a coroutine.
#pragma once

#include "compiler/codegen/base/body.h"

// The coroutine, and the function that makes the object.
void generator_emit(struct codegen *gen, struct callee *callee);
// Hands a value to who asks, and waits to be asked again.
emitter generator_yield;

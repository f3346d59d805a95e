// SPDX-License-Identifier: MIT
// Calls of functions that a program's own generators wrote as LLVM's text.
#pragma once

#include "compiler/codegen/base/body.h"

emitter llvm_text_call, stack_copy;

// SPDX-License-Identifier: MIT
// LLVM in a file of its own, gridcell-llvm.so beside the extension module, which is
// loaded when something is compiled.
#pragma once

#include <stdbool.h>

#include "base/error.h"

// Loads LLVM, once. Thread-safe.
bool llvm_load(struct error *err);

// SPDX-License-Identifier: MIT
// Prints a module as LLVM 7 text, the typed-pointer dialect that libnvvm reads for
// compute_75 to compute_90.
#pragma once

#include <stdbool.h>

#include <llvm-c/Core.h>

#include "base/error.h"
#include "base/str.h"

// Appends the text of `module`, which stays as it is. Fails, naming the instruction, on
// what the dialect cannot say; `out` then holds what it held before.
bool llvm7_write(LLVMModuleRef module, struct str *out, struct error *err);

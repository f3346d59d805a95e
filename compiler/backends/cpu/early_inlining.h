// SPDX-License-Identifier: MIT
// What is inlined before LLVM's own passes run.
#pragma once

#include <stdbool.h>

#include <llvm-c/Core.h>

// Marks functions that are to be inlined before all else; false if
// there are none.
bool early_inlining_mark(LLVMModuleRef module);

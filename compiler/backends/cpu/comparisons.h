// SPDX-License-Identifier: MIT
// Switches turned into comparisons.
#pragma once

#include <llvm-c/Core.h>

// Replaces the switches of few cases, of all functions.
void comparisons_for_switches(LLVMModuleRef module);

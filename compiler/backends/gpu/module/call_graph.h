// SPDX-License-Identifier: MIT
// How the functions of a module for the GPU call each other.
#pragma once

#include <stdbool.h>

#include <llvm-c/Core.h>

// Whether a function may come to call itself. Then no assembler knows how much stack a
// thread needs. A function that is called by its address may be any.
bool gpu_module_recurses(LLVMModuleRef module);

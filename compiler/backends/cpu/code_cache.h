// SPDX-License-Identifier: MIT
// Code of portable modules on disk.
#pragma once

#include <llvm-c/Core.h>

#include "compiler/backends/compiled.h"

// Loads the module's code, from a file if there is one; disposes of the module. Sets
// code_symbol and entry_symbol to the names in this process.
bool code_cache_load(struct compiled *compiled, LLVMModuleRef module,
        const struct code_cache *cache, struct error *err);

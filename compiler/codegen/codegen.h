// SPDX-License-Identifier: MIT
// From resolved IR to one LLVM module: what the backends call.
#pragma once

#include "compiler/codegen/base/module.h"

// Opens an empty module for a target; `err` receives the first failure.
void codegen_init(struct codegen *gen, const struct target *target,
        LLVMContextRef context, const char *name, struct error *err);
// Frees all but the module, which goes to the caller (or is disposed of with take =
// false).
LLVMModuleRef codegen_finish(struct codegen *gen, bool take);
// Emits what has been declared, then all that is reachable from it.
bool codegen_emit_pending(struct codegen *gen);

// SPDX-License-Identifier: MIT
// Functions of the module: declared when first called, emitted later.
#pragma once

#include "compiler/codegen/base/module.h"

// What a call has to know of a function. The module owns it.
struct callee {
    const struct ir_function *ir;
    value function;
    LLVMTypeRef type;
    bool can_fail;
    bool borrows; // returns an array that an argument brings, without a reference
};

// Declares a function under `name` with its IR parameters behind the hidden ones.
struct callee *codegen_declare(
        struct codegen *gen, const struct ir_function *ir, const char *name);

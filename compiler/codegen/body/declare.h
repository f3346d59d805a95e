// SPDX-License-Identifier: MIT
// Functions of the module: declared when first called, emitted later.
#pragma once

#include "compiler/codegen/base/module.h"

// What the only caller of a function knows of its arguments.
struct argument_facts {
    const struct interval *intervals; // by parameter: where integers lie
    // By leaf of the parameters: a constant, or NULL; the first leaf that is always the
    // same, or the leaf itself.
    const value *constants;
    const unsigned *same;
    // By parameter: the leaf, plus 1, that an integer is never larger than; 0: none.
    const unsigned *at_most;
};

// What a call has to know of a function. The module owns it.
struct callee {
    const struct ir_function *ir;
    value function;
    LLVMTypeRef type;
    bool can_fail;
    bool borrows; // returns an array that an argument brings, without a reference
    const struct argument_facts *facts; // NULL: calls differ
};

// Declares a function under `name` with its IR parameters behind the hidden ones.
struct callee *codegen_declare(
        struct codegen *gen, const struct ir_function *ir, const char *name);
// Declares a copy of the function for one caller, of which the facts hold.
struct callee *codegen_declare_copy(struct codegen *gen, const struct ir_function *ir,
        const struct argument_facts *facts);

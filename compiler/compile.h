// SPDX-License-Identifier: MIT
// The parts of a compilation, for what is below the public entry and for tests.
#pragma once

#include "compiler/backends/compiled.h"
#include "compiler/ir/ir.h"

// Compiles resolved IR; the function must outlive the result.
struct compiled *compile_resolved(const struct ir_function *function,
        const struct compile_options *options, struct error *err);
// Runs the passes up to the text of the optimised module once more, for code that a cache
// held: sets compiled->llvm_ir.
bool compile_text(struct compiled *compiled, struct error *err);

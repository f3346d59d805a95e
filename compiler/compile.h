// SPDX-License-Identifier: MIT
// The second half of a compilation, from resolved IR on.
#pragma once

#include "compiler/backends/compiled.h"
#include "compiler/ir/ir.h"

// Compiles resolved IR; the function must outlive the result.
struct compiled *compile_resolved(const struct ir_function *function,
        const struct compile_options *options, struct error *err);

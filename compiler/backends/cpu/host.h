// SPDX-License-Identifier: MIT
// Functions and ufunc loops for the CPU.
#pragma once

#include "compiler/backends/compiled.h"

bool host_compile(struct compiled *compiled, const struct compile_options *options,
        struct error *err);
// The optimised module of what a cache holds the code of, for compiled->llvm_ir.
bool host_show(struct compiled *compiled, struct error *err);

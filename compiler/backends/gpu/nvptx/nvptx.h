// SPDX-License-Identifier: MIT
// LLVM's own NVPTX code generator: the route to PTX that needs no CUDA toolkit.
#pragma once

#include <stdbool.h>

#include <llvm-c/Core.h>

#include "base/error.h"
#include "base/str.h"
#include "compiler/backends/gpu/module/ptx_options.h"

// As ptx_compile, by LLVM. Math functions come from libdevice, or from libclc without it.
bool nvptx_compile(LLVMModuleRef module, int cc, const struct ptx_options *options,
        struct str *ptx, struct error *err);

// Fails, naming the instruction, on IR that the code generator for `cc` is not known to
// take: it ends the process where it cannot select an instruction. (nvptx/check.c)
bool nvptx_check(LLVMModuleRef module, int cc, struct error *err);

// Defines the `__nv_*` functions that `module` declares and uses. (nvptx/math.c)
bool nvptx_link_math(LLVMModuleRef module, struct error *err);

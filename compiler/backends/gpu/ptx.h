// SPDX-License-Identifier: MIT
// From an LLVM module to PTX text, by libnvvm or by LLVM's own NVPTX code generator.
//
// The module: kernels have calling convention 71 (ptx_kernel) or !nvvm.annotations; math
// functions are declared under their libdevice names (__nv_exp, __nv_sinf); other
// external functions are the driver's (vprintf, malloc, free). It stays as it is.
#pragma once

#include <stdbool.h>

#include <llvm-c/Core.h>

#include "base/error.h"
#include "base/str.h"
#include "compiler/backends/gpu/module/ptx_options.h"

// Appends the PTX of `module` for a device of compute capability `cc` (90 for 9.0), by
// the route that GRIDCELL_PTX names, else by libnvvm where it is found and its PTX is not
// too new for the driver, else by NVPTX, which is the first choice for plain modules: it
// is done with them in half the time. Any thread; `module`'s context must not be in
// use elsewhere.
bool ptx_compile(LLVMModuleRef module, int cc, const struct ptx_options *options,
        struct str *ptx, struct error *err);

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

struct ptx_options {
    int optimization;           // 0 to 3
    bool flush_denormals;       // float32 results below the normal range become 0
    bool approximate_divide;    // float32 divisions within 2 ulp
    bool approximate_sqrt;      // float32 square roots within 3 ulp
    bool separate_multiply_add; // no fused multiply-add
    int max_registers;          // of a thread, 0: the assembler decides
    int max_ptx_version;        // that the driver takes, 90 for 9.0; 0: any
    int max_threads, min_blocks, max_cluster; // a kernel's launch bounds; 0: none
    bool has_foreign_code; // functions that are declared only come with the linker
    bool has_variables;    // the module describes the user's variables for debuggers
    bool is_plain;         // neither loops nor calls: both routes write the same code
    bool as_ltoir;         // libnvvm's language for link-time optimisation, not PTX
};

enum { PTX_WITH_VARIABLES = 75 }; // the version of PTX that takes LLVM's description

// Optimisation 3, exact division and square root, fused multiply-add.
struct ptx_options ptx_options_default(void);
// What @jit(fastmath=True) asks for.
struct ptx_options ptx_options_fastmath(void);

// Appends the PTX of `module` for a device of compute capability `cc` (90 for 9.0), by
// the route that GRIDCELL_PTX names, else by libnvvm where it is found and its PTX is not
// too new for the driver, else by NVPTX, which is the first choice for plain modules: it
// is done with them in half the time. Any thread; `module`'s context must not be in
// use elsewhere.
bool ptx_compile(LLVMModuleRef module, int cc, const struct ptx_options *options,
        struct str *ptx, struct error *err);

// The version in a PTX text's `.version` line, 90 for 9.0; 0 if there is none.
int ptx_version(const char *ptx);

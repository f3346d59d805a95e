// SPDX-License-Identifier: MIT
// What the compilation of a module to PTX is told, whichever route it takes.
#pragma once

#include <stdbool.h>

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
    bool suits_llvm;       // LLVM's code is the faster, or both routes write the same
    bool as_ltoir;         // libnvvm's language for link-time optimisation, not PTX
};

enum { PTX_WITH_VARIABLES = 75 }; // the version of PTX that takes LLVM's description

// Optimisation 3, exact division and square root, fused multiply-add.
struct ptx_options ptx_options_default(void);
// What @jit(fastmath=True) asks for.
struct ptx_options ptx_options_fastmath(void);

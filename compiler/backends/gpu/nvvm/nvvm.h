// SPDX-License-Identifier: MIT
// NVIDIA's compiler library, loaded at its first use.
#pragma once

#include <stdbool.h>

#include <llvm-c/Core.h>

#include "base/error.h"
#include "base/str.h"
#include "compiler/backends/gpu/module/ptx_options.h"

// As ptx_compile, by libnvvm.
bool nvvm_compile(LLVMModuleRef module, int cc, const struct ptx_options *options,
        struct str *ptx, struct error *err);

// Whether libnvvm loads; the error says where it was looked for.
bool nvvm_is_available(struct error *err);

// Has the library count as missing from now on. Any thread.
void nvvm_avoid(void);
// The path of the loaded library, or NULL; and its own version as major * 100 + minor.
const char *nvvm_path(void);
int nvvm_version(void);

// The version of the PTX that libnvvm has written in this process; 0 before it has.
int nvvm_ptx_version(void);

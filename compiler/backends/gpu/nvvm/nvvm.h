// SPDX-License-Identifier: MIT
// NVIDIA's compiler library, loaded at its first use.
#pragma once

#include "compiler/backends/gpu/ptx.h"

#define NVVM_DATA_LAYOUT                                                                 \
    "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-"   \
    "f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"

// As ptx_compile, by libnvvm.
bool nvvm_compile(LLVMModuleRef module, int cc, const struct ptx_options *options,
        struct str *ptx, struct error *err);

// Whether libnvvm loads; the error says where it was looked for.
bool nvvm_is_available(struct error *err);

// The path of the loaded library, or NULL; and its own version as major * 100 + minor.
const char *nvvm_path(void);
int nvvm_version(void);

// The version of the PTX that libnvvm has written in this process; 0 before it has.
int nvvm_ptx_version(void);

// SPDX-License-Identifier: MIT
// What both routes to PTX need done to a module before they take it.
#pragma once

#include <stdbool.h>

#include <llvm-c/Core.h>

#include "base/error.h"
#include "base/str.h"
#include "compiler/backends/gpu/module/ptx_options.h"

#define PTX_TRIPLE "nvptx64-nvidia-cuda"
#define PTX_KERNEL_CALL_CONVENTION                                                       \
    71 // LLVM's ptx_kernel; its C header has no name for it

// How libnvvm lays out data; the text for it says so, too.
#define NVVM_DATA_LAYOUT                                                                 \
    "e-p:64:64:64-i1:8:8-i8:8:8-i16:16:16-i32:32:32-i64:64:64-i128:128:128-f32:32:32-"   \
    "f64:64:64-v16:16:16-v32:32:32-v64:64:64-v128:128:128-n16:32:64"

// A verified copy of `module` for the GPU: target set, symbols valid in PTX, all that is
// not a kernel internal (unless there is no kernel), and what neither route takes
// rewritten. The caller disposes of it; NULL on failure.
LLVMModuleRef ptx_module_prepare(
        LLVMModuleRef module, const char *data_layout, struct error *err);

// Whether `function` is an entry point: by calling convention or by !nvvm.annotations.
bool ptx_is_kernel(LLVMModuleRef module, LLVMValueRef function);

// Rewrites in place, with the same meaning, what neither libnvvm nor LLVM's NVPTX code
// generator takes: fences, ordered atomic loads and stores, the math intrinsics of libm.
void ptx_legalize(LLVMModuleRef module);

// Beyond that, what libnvvm alone refuses: atomic loads and stores, rounding and the like
// as intrinsics.
void ptx_legalize_for_nvvm(LLVMModuleRef module);

// Limits every kernel's registers and gives its launch bounds, as the options say.
void ptx_limit_kernels(LLVMModuleRef module, const struct ptx_options *options);

// Says that kernels are used. A link that optimises drops them otherwise.
void ptx_keep_kernels(LLVMModuleRef module);

// Appends `name` with each character that PTX identifiers do not have replaced by '_'.
void ptx_symbol(struct str *out, const char *name, size_t len);

// Fails when `ptx` calls a function that it neither defines nor finds in the driver.
bool ptx_check_externals(const char *ptx, struct error *err);

// Appends "'f': '  %x = add ...'", the place that a message about `instruction` names.
void ptx_describe(struct str *out, LLVMValueRef instruction);

// The version in a PTX text's `.version` line, 90 for 9.0; 0 if there is none.
int ptx_version(const char *ptx);

// SPDX-License-Identifier: MIT
// Functions around a compiled one, by which others than gridcell call it.
#pragma once

#include "compiler/codegen/codegen.h"

// ufunc.c: Emits a NumPy inner loop (abi_ufunc_loop) over a scalar function.
void ufunc_emit(struct codegen *gen, const struct callee *callee, const char *name);

// callback.c: emits a function of C over it, which reports failures of `owner`.
void callback_emit(struct codegen *gen, const struct callee *callee, const char *name,
        const void *owner);

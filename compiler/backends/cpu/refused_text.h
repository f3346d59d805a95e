// SPDX-License-Identifier: MIT
// Modules that a program's own generators wrote as LLVM's text.
#pragma once

// Why such a module cannot be compiled, for the caller to free; NULL: it can. Any thread.
char *jit_refused_text(const char *llvm_ir);

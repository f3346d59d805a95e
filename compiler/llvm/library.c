// SPDX-License-Identifier: MIT
// The one symbol of gridcell-llvm.so: where LLVM's functions are, in the order that the
// extension module expects.
#define LLVM_CALL(name) void name(void);
#include <llvm_calls.def>
#undef LLVM_CALL

extern void *const gridcell_llvm_calls[];

#define LLVM_CALL(name) (void *)name,
__attribute__((visibility("default"))) void *const gridcell_llvm_calls[] = {
#include <llvm_calls.def>
};

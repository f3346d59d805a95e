// SPDX-License-Identifier: MIT
// Arrays under names that a loop gives to other arrays.
#pragma once

#include "compiler/codegen/base/body.h"

// What a phi takes over from `from`, at the end of the block `source`: hides from LLVM
// where arrays come from that take each other's names in turns of a loop.
const value *exchanged_arrays(struct body *body, const struct ir_instr *phi,
        const struct ir_instr *from, LLVMBasicBlockRef source);

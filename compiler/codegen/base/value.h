// SPDX-License-Identifier: MIT
// Values as rows of leaves: constants of numbers, rows in memory and on the stack, and
// the operands of an instruction.
#pragma once

#include "compiler/codegen/base/body.h"

value *value_row(struct codegen *gen, size_t count);
value value_i32(struct codegen *gen, int64_t number);
value value_i64(struct codegen *gen, int64_t number);
value value_bool(struct codegen *gen, bool truth);
value value_float(struct codegen *gen, const struct type *type, double number);
value value_zero(struct codegen *gen, const struct type *scalar);
// Says of a loaded int32 that it is at least `low` and below `high`.
void value_set_range(struct codegen *gen, value loaded, int32_t low, int32_t high);
value value_offset(struct codegen *gen, value pointer, size_t offset);
// A value at `pointer` in the layout of abi.h; `alignment` 0: natural.
void value_load(struct codegen *gen, const struct type *type, value pointer,
        size_t alignment, const char *name, value *leaves);
void value_store(struct codegen *gen, const struct type *type, value pointer,
        size_t alignment, const value *leaves);
// A flag (int32) that another thread sets: each load of it is done.
value value_load_flag(struct codegen *gen, value pointer);
value value_alloca(struct body *body, LLVMTypeRef type, const char *name);
// The same integer or address, of which LLVM does not know where it comes from.
value value_opaque(struct codegen *gen, value known);
// The operands of an instruction as one tuple.
const struct type *value_pack_type(struct codegen *gen, const struct ir_instr *instr);
value *value_pack(struct body *body, const struct ir_instr *instr);
// How numbers are compared: EQ to GE. NaN differs from all.
LLVMIntPredicate value_predicate(enum ir_compare compare, bool is_signed);
LLVMRealPredicate value_real_predicate(enum ir_compare compare);
value value_select(struct codegen *gen, value condition, value yes, value no);
// The value that comes from one of two blocks.
value value_phi(struct codegen *gen, const char *name, const value values[2],
        const LLVMBasicBlockRef from[2]);
value fp(struct body *body, value instruction); // applies the function's fast-math flags

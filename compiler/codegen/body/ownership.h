// SPDX-License-Identifier: MIT
// References to counted memory that a body holds (ownership.c says which).
#pragma once

#include "compiler/codegen/base/body.h"

void ownership_plan(struct body *body);
bool ownership_borrows(const struct body *body, const struct ir_instr *instr);
// Whether callers of the function are to take what it returns for a view of an argument.
bool ownership_returns_borrowed(struct codegen *gen, const struct ir_function *function);
// Before the return: the caller gets a reference.
void ownership_return(struct body *body, const struct ir_instr *result);
void ownership_define(struct body *body, const struct ir_instr *instr);
// Releases what the instruction was the last to use.
void ownership_end(struct body *body, const struct ir_instr *instr);
// Whether a store takes over the reference of the value's slot, which is cleared: the
// next thing is to store it.
bool ownership_give(struct body *body, const struct ir_instr *store);
// Whether nothing is held any more where a return has ended what it used.
bool ownership_ends_all(const struct body *body);
// Where a block begins: its phis, and the end of what was used last before it.
void ownership_phis(struct body *body, const struct ir_block *block);
void ownership_retain(struct body *body, const struct type *type, const value *leaves);
void ownership_release(struct body *body, const struct type *type, const value *leaves);
void ownership_release_all(struct body *body);
void ownership_release_unless(
        struct body *body, const struct type *type, const value *leaves, value condition);

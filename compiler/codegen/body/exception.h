// SPDX-License-Identifier: MIT
// Exceptions in compiled code: raising, handlers, and what a status stands for.
#pragma once

#include "compiler/codegen/base/body.h"

// Goes to the handler of the current block with a status; false if it is to be returned.
bool exception_catch(struct body *body, value status);
// When all blocks are emitted, before their phis are connected.
void exception_finish_landings(struct body *body);
// The block by which an exception comes from `from` to `to`; NULL for other ways.
LLVMBasicBlockRef exception_source(
        const struct body *body, const struct ir_block *from, const struct ir_block *to);
void exception_raise(struct body *body, const struct ir_instr *instr);
void exception_reraise(struct body *body, const struct ir_instr *instr);
void exception_raise_format(struct body *body, enum error_kind kind, const char *format,
        const struct type *tuple, const value *leaves, struct span span);

// What an index out of bounds is told by: status (int32), index, axis and extent (int64).
enum { BOUNDS_FAILURE_PARTS = 4 };
// The status of a failing access there.
int exception_index_site(struct body *body, struct span span);
void exception_raise_index(struct body *body, const value *failure);

emitter exception_caught, exception_matches, exception_catch_end, exception_chain;
// When all raise sites of the module are known.
void exception_define_matchers(struct codegen *gen);
// Whether a CAUGHT keeps what the program knows of the exception: its handler may tell of
// it, or raise it again, when another has been raised and caught meanwhile.
bool exception_is_held(const struct body *body, const struct ir_instr *caught);
// Prints the text of an exception, a value of type CAUGHT.
void exception_print(struct body *body, const value *leaves, bool is_repr);
void exception_trace_call(struct body *body, struct span span);

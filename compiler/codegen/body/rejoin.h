// SPDX-License-Identifier: MIT
// Where the lanes of a warp come together again, behind branches and loops of an observed
// kernel for a GPU.
#pragma once

#include "compiler/codegen/base/body.h"

struct rejoin;

// Finds the places of a body, of which `loops` are the headers' blocks by block id, or
// NULL.
struct rejoin *rejoin_find(struct body *body, bool *const *loops);
// At the start of a block; `turn`: of the loop that it is the header of, or NULL.
void rejoin_enter(struct body *body, struct rejoin *rejoin, const struct ir_block *block,
        value turn);
// Before the branch that ends a block.
void rejoin_leave(struct body *body, struct rejoin *rejoin, const struct ir_block *block);
// The lanes that are here, for a function that becomes part of the body; behind it they
// wait for each other. NULL: they need not come.
value rejoin_begin_call(struct body *body, const struct ir_function *callee);
void rejoin_end_call(struct body *body, value lanes);

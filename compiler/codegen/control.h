// SPDX-License-Identifier: MIT
// The dispatch on operations, and how bodies are put together of blocks.
#pragma once

#include "compiler/codegen/base/body.h"

extern const struct emitter control_emitter;
// Emits the whole IR function; the builder stands where its code is to begin.
void body_emit(struct body *body);
// The same step by step: prepares, and goes to the first block.
void body_open(struct body *body);
void body_emit_block(struct body *body, const struct ir_block *block);
void body_emit_instr(struct body *body, const struct ir_instr *instr);
void body_emit_terminator(struct body *body, const struct ir_instr *instr);

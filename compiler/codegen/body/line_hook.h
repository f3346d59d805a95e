// SPDX-License-Identifier: MIT
// Code for debuggers inside of functions: where a body is, and what its variables are.
#pragma once

#include "compiler/codegen/base/body.h"

// Before the body's first instruction.
void line_hook_open(struct body *body);
// The code that follows is of another block.
void line_hook_enter(struct body *body);
// Before an instruction: the debugger may stop here, if it begins a line.
void line_hook_at(struct body *body, const struct ir_instr *instr);
// The instruction's value is what its variable is from here on.
void line_hook_assigned(struct body *body, const struct ir_instr *instr);
// Around the wait of an emulated thread for others.
void line_hook_wait(struct body *body);
void line_hook_wake(struct body *body);
// An exception with this status ends the body, which owns its values still.
void line_hook_fail(struct body *body, value status);
// A generator is asked again.
void line_hook_resume(struct body *body);
// The body ends with this status, or yields.
void line_hook_leave(struct body *body, value status);
// breakpoint(): the debugger stops here, whatever it was told.
void line_hook_stop(struct body *body);

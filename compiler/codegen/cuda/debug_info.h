// SPDX-License-Identifier: MIT
// What debuggers and profilers are told: lines and variables.
#pragma once

#include "compiler/codegen/base/body.h"

enum debug_detail {
    DEBUG_DIRECTIVES, // lines, as directives in PTX
    DEBUG_FUNCTIONS,  // lines and functions, for debuggers of the CPU
    DEBUG_VARIABLES,  // likewise, and the user's variables, for debuggers of GPUs
};

// debug_info.c: the lines of the source that instructions come from.
void debug_begin(struct codegen *gen, const char *path, enum debug_detail detail);
void debug_finish(struct codegen *gen);
void debug_enter(struct body *body);
void debug_at(struct body *body, struct span span);
// debug_variables.c: notes the value where debuggers find the variable it is assigned to.
void debug_assigned(struct body *body, const struct ir_instr *instr);

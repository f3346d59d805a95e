// SPDX-License-Identifier: MIT
// A body as a coroutine of LLVM: threads that meet at barriers, and generators.
#pragma once

#include "compiler/codegen/base/body.h"

void coroutine_begin(struct body *body, value memory, value frame_bytes);
void coroutine_suspend(struct body *body, bool is_final);
void coroutine_end(struct body *body);
value coroutine_is_done(struct codegen *gen, value handle);
void coroutine_resume(struct codegen *gen, value handle);

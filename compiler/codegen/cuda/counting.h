// SPDX-License-Identifier: MIT
// An observed kernel on a GPU: what its warps do at a site, that they have come to a part
// or a loop, is counted in device memory by functions that the kernel calls.
#pragma once

#include "compiler/codegen/base/body.h"

void count_site(struct body *body, int site, value turn, value what);
void count_part(struct body *body, int part, value turn);
void count_loop(struct body *body, int loop, bool is_turn, value times);

// SPDX-License-Identifier: MIT
// What code generation asks of a resolved function before it emits it. The list of passes
// in compile.c supplies the analyses, so that it names all of them and can time them.
#pragma once

#include "compiler/ir/ir.h"

struct flow;

struct ir_analyses {
    // The loops of the function; in the arena.
    struct flow *(*flow)(struct arena *arena, const struct ir_function *function);
    // ir_find_intervals
    struct interval *(*intervals)(const struct ir_function *function,
            const struct interval *params, struct arena *arena);
};

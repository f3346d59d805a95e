// SPDX-License-Identifier: MIT
// Lowers a function, once more where its end tells what its loops are (read_behind.c).
#include "compiler/ir/lower/lower.h"

bool ir_lower(struct source *source, struct ir_function *function, struct error *err)
{
    struct lower_in_turn in_turn = {0};
    bool is_done;
    do {
        in_turn.has_grown = false;
        in_turn.forgetting.len = 0;
        is_done = lower_once(source, function, &in_turn, err);
        if (is_done && in_turn.has_grown)
            ir_function_clear(function);
    } while (is_done && in_turn.has_grown);
    vec_finish(&in_turn.loops);
    vec_finish(&in_turn.forgetting);
    return is_done;
}

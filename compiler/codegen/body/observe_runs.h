// SPDX-License-Identifier: MIT
// Innermost loops of an observed kernel, whose turns the emulated device is told by runs.
#pragma once

#include "compiler/codegen/base/body.h"

struct observed_runs;

// NULL: the loop is none that is told so.
struct observed_runs *runs_find(
        struct body *body, const struct ir_block *header, const bool *members);
// At the header, in the turn `turn` from 0; `number`: what the turn is told by;
// `entries`: the part that counts how often the loop is come to, or -1.
void runs_enter(struct body *body, struct observed_runs *runs, value turn, value number,
        int entries);
// A site within the loop. False: it has too many.
bool runs_tell(struct body *body, struct observed_runs *runs, int site, value line,
        value what, value turn);
// The branch at the end of a block, if it is that at the header which asks whether there
// is another turn. Else false.
bool runs_decide(struct body *body, struct observed_runs *runs, int site, value line,
        value goes_on, value turn);
// The thread comes to a part that is within the loop.
void runs_count(struct body *body, struct observed_runs *runs, int number, value turn);
// When all blocks of the body are emitted.
void runs_close(struct body *body, const struct observed_runs *runs);

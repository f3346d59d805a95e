// SPDX-License-Identifier: MIT
// The calls that an exception passed through on its way out of compiled code, for its
// traceback: those nearest to the raise, and of very many only the outermost besides.
#include "compiler/support/trace.h"

#include <string.h>

#include "compiler/support/support.h"

enum { KEPT = COMPILER_TRACE_MAX, INNER = COMPILER_TRACE_MAX / 2 };

static _Thread_local struct compiler_trace trace;

void gridcell_trace_call(const char *function, const char *file, int32_t line)
{
    size_t at = trace.count;
    if (at == KEPT) { // forget the oldest of the outer half
        memmove(trace.frames + INNER, trace.frames + INNER + 1,
                (KEPT - INNER - 1) * sizeof *trace.frames);
        at = KEPT - 1;
        trace.left_out++;
    } else {
        trace.count++;
    }
    trace.frames[at] = (struct compiler_frame){function, file, line};
}

struct compiler_trace *compiler_trace(void)
{
    return &trace;
}

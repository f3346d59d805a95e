// SPDX-License-Identifier: MIT
// What is told of a defect of the compiler: a file for its makers, named in the error's
// message. It holds the function's own source, types, the IR without values, where the
// compiler stood, versions; none of the program's data.
#pragma once

#include "base/error.h"
#include "compiler/frontend/source.h"

struct report {
    const struct source *source; // that was compiled; NULL: unknown
    const struct type *const *params;
    size_t param_count;
    enum target_kind target;
    const struct ir_function *function; // as far as it came; or NULL
};

// Sets `err` to the failure of guarded work in a pass.
void report_given_up(const char *pass, struct error *err);
// False, with a MemoryError, where there is too little memory to begin a compilation.
bool report_check_room(struct span at, struct error *err);
// Where the error is ERROR_INTERNAL: writes the file and names it in the message. No lock
// may be held: asks the runtime for the source.
void report_write(const struct report *report, struct error *err);

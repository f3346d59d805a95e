// SPDX-License-Identifier: MIT
// What GRIDCELL_DUMP and %%gpu_timeline ask to see of one compilation: the code after
// passes that it names, and with "passes" how long each one took. compile.c opens a log
// where the variable is set and reports each run of a pass to it; without a log that
// costs the look at one pointer.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir.h"

enum { PASS_LOG_ROWS = 40 };

struct pass_times {
    unsigned runs;
    double ms;            // without the passes that ran within this one
    size_t before, after; // instructions, of all runs
};

struct pass_log {
    struct pass_log *outer;   // of the compilation that this one interrupts, or NULL
    struct pass_run *running; // the innermost
    double begin;             // seconds
    char wanted[256];         // the variable
    struct pass_times times[PASS_LOG_ROWS];
};

// One run of a pass, in the frame of who starts it.
struct pass_run {
    struct pass_log *log; // NULL: nobody asks
    struct pass_run *outer;
    size_t row;
    double start_ms, inside_ms; // inside: of passes within
    size_t before;
};

// Opens a log for what this thread compiles until it is closed; false where nobody asks.
bool pass_log_open(struct pass_log *log);
// Where this thread's log stands, and back to there, after work was given up in between.
struct pass_mark {
    struct pass_log *log;
    struct pass_run *running;
};
struct pass_mark pass_log_mark(void);
void pass_log_return(struct pass_mark mark);
// Prints the table if it is wanted. `names`: of the rows; `what`: has been compiled.
void pass_log_close(struct pass_log *log, const char *const *names, size_t name_count,
        const char *what);
// Whether this thread's log asks for `name`.
bool pass_log_wants(const char *name);
// Prints the function if "ir" is wanted.
void pass_log_show_ir(const struct ir_function *function);

// Around a pass over a function or a module; NULL where there is none yet.
void pass_begin(struct pass_run *run, size_t row, const struct ir_function *function);
void pass_end(struct pass_run *run, const char *name, const struct ir_function *function);
void pass_begin_module(struct pass_run *run, size_t row, LLVMModuleRef module);
void pass_end_module(struct pass_run *run, const char *name, LLVMModuleRef module);

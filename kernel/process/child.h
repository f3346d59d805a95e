// SPDX-License-Identifier: MIT
// A child process whose output is read while it runs: on a terminal of its own, or
// through pipes.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/error.h"

struct child_options {
    const char *const *argv; // NULL-terminated; argv[0] is looked up on PATH
    bool uses_terminal;      // stdout and stderr are one pseudo-terminal
    bool merges_errors;      // with pipes: stderr goes where stdout goes
    const char *input; // for its stdin, borrowed until the end; NULL: end of file at once
    size_t input_len;
};

struct child {
    pid_t pid;
    int output, errors, input; // our ends; -1: closed
    const char *input_text;
    size_t input_left;
    bool is_terminal;
    bool flows;          // output came at the last look, and more may come at once
    bool ends_in_return; // the last character read was \r
    bool has_exited;
    int status; // as waitpid has it, once has_exited
};

enum child_event {
    CHILD_OUTPUT, // some bytes of stdout
    CHILD_ERRORS, // some bytes of stderr
    CHILD_QUIET,  // nothing for a while, or a signal came
    CHILD_ENDED,
};

bool child_start(
        struct child *child, const struct child_options *options, struct error *err);
// Waits up to a tenth of a second for output, of which `size` / 2 bytes are read at most,
// and while it flows some milliseconds for more; needs no GIL.
enum child_event child_read(struct child *child, char *buffer, size_t size, size_t *len);
// Passes an interrupt on: as the terminal's ^C, or as SIGINT to its process group.
void child_interrupt(struct child *child);
void child_kill(struct child *child);
// Reaps it and closes everything. The exit code; the negative signal number when one
// ended it.
int child_finish(struct child *child);

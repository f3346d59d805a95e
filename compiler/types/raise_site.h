// SPDX-License-Identifier: MIT
// What a status of compiled code refers to: code generation fills in a table of these,
// and the runtime makes exceptions of them.
#pragma once

#include <stdbool.h>

#include "base/error.h"

// What a caught exception is to the one that is raised next: IR_CHAIN's immediate.
enum exception_chain { CHAIN_CONTEXT = 1, CHAIN_CAUSE = 2 };

// A place that can raise: what STATUS n > 0 refers to.
struct raise_site {
    enum error_kind kind;   // for errors of our own (index, zero division, ...)
    const char *class_name; // "ValueError"
    void *class_object;     // the user's exception class, or NULL: use `kind`
    const char *message;    // NULL: no arguments
    bool is_format;         // the message is one for Python's %, of the arguments
    bool has_arguments;     // given to gridcell_raise_arguments before
    const char *function;   // qualname
    struct span span;
    bool is_dynamic; // class and message are the thread's: compiler_take_raised
};

// SPDX-License-Identifier: MIT
// The table by which the compiler and its code call the program around them.
#include "compiler/support/host_hooks.h"

#include <stdio.h>

static void write_to_stdout(const char *text, size_t len)
{
    fwrite(text, 1, len, stdout);
    fflush(stdout);
}

static const char no_items[] = "arg is an empty sequence";

struct host_hooks host_hooks = {.print = write_to_stdout,
        .characters = &ascii_tables,
        .nothing_to_compare = no_items};

void host_hooks_set(const struct host_hooks *hooks)
{
    host_hooks = *hooks;
    if (!hooks->print)
        host_hooks.print = write_to_stdout;
    if (!hooks->nothing_to_compare)
        host_hooks.nothing_to_compare = no_items;
    if (!hooks->characters)
        host_hooks.characters = &ascii_tables;
}

// SPDX-License-Identifier: MIT
// Functions of ours in place of the C library's, where the kernel is not the program
// itself: as a program its names come first for all libraries, as an extension module of
// somebody else's interpreter they do not.
#pragma once

#include <stddef.h>

struct stand_in {
    const char *name; // of the C library's function
    void *function;   // that is called in its place
};

// From now on calls from the program and its libraries reach the stand-ins. Those of the
// library that this function lies in, and of the C library itself, stay. The table must
// live for ever. Main thread.
void interpose(const struct stand_in *table, size_t count);
// The same for libraries that were loaded since; costs next to nothing when none was.
void interpose_again(void);

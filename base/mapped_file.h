// SPDX-License-Identifier: MIT
// Which file an address of this process was mapped from: the program or one of its
// libraries.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct mapped_file {
    uintptr_t start, end; // all that was mapped of it; no two files have the same start
    const char *path; // as the loader has it: empty for the program; lives as the file
};

// False: in none of them, as code that was compiled in this process. Takes no lock, and
// may be called in handlers of signals, where the C library is glibc 2.35 or later;
// before it the loader's own lock, which the same thread may have taken already.
bool mapped_file_find(const void *address, struct mapped_file *out);

// The same by a walk over all files, for systems where nothing better is there.
bool mapped_file_find_by_walk(const void *address, struct mapped_file *out);

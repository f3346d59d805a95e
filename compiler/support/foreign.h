// SPDX-License-Identifier: MIT
// Code of others that a kernel is linked with: what cuda.jit(link=...) and
// cuda.declare_device name.
#pragma once

#include <stddef.h>

enum foreign_kind {
    FOREIGN_PTX,
    FOREIGN_CUBIN,
    FOREIGN_FATBIN,
    FOREIGN_OBJECT,
    FOREIGN_ARCHIVE,
    FOREIGN_LTOIR,
    FOREIGN_CUDA_C,
};

struct foreign_code {
    enum foreign_kind kind;
    const char *name; // of its file, for messages
    const char *data; // a NUL follows
    size_t len;
    // the runtime's: who is told of the modules that it is linked into; NULL: nobody
    void *holder;
};

// How a foreign function takes its arguments: bits of a call's `immediate`.
enum foreign_call_flag {
    FOREIGN_AS_IN_C = 1,    // result as C returns it; else through the first argument
    FOREIGN_SYNCS_GRID = 2, // it may wait for all threads of the grid
};

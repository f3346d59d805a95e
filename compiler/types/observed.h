// SPDX-License-Identifier: MIT
// What an observed kernel tells the emulated device while it runs: code generation fills
// in a table of the places that tell something, and the runtime counts by them.
#pragma once

#include "base/error.h"
#include "compiler/types/abi.h"

enum observed_kind {
    OBSERVED_LOAD = ACCESS_LOAD,
    OBSERVED_STORE = ACCESS_STORE,
    OBSERVED_ATOMIC = ACCESS_ATOMIC,
    OBSERVED_BRANCH,
    OBSERVED_BARRIER,
};

// As the types of arrays have it.
enum observed_space {
    OBSERVED_GLOBAL,
    OBSERVED_SHARED = 3,
    OBSERVED_CONSTANT,
    OBSERVED_LOCAL
};

// A place in the source where a thread does something that others of its warp do with it.
struct observed_site {
    enum observed_kind kind;
    enum observed_space space; // of an access
    int item_bytes;            // of an access
    struct span span;
};

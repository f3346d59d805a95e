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
    OBSERVED_PART, // the start of a part that stands for a line of its caller's
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
    int part; // that it stands in, see struct observed_work
};

// Instructions, by the units of a multiprocessor that run them. Accesses are told as
// such.
enum observed_class {
    CLASS_FP16,
    CLASS_FP32,
    CLASS_FP64,
    CLASS_INTEGER,
    CLASS_SPECIAL,
    CLASS_CONVERSION,
    CLASS_CONTROL,
    CLASS_COUNT
};

// What a thread does for a line each time that it comes to a part: a block of the IR, of
// which the line may have several. What it computes is in numbers of operations.
struct observed_work {
    int part;
    const char *file;
    int32_t line; // 0: the one that is told
    int32_t instructions[CLASS_COUNT];
    int32_t flops[3]; // float16, float32, float64
    int32_t integers;
};

// A loop of the user's: how often it is come to, and how often its body.
struct observed_loop_site {
    const char *file;
    int32_t line;
    int entries, turns; // parts
};

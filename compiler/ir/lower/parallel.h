// SPDX-License-Identifier: MIT
// What a prange loop does with variables and arrays: whether its turns can run in any
// order, which variables are sums of all turns, and if not, why.
#pragma once

#include "compiler/frontend/ast.h"

enum parallel_role {
    PARALLEL_UNUSED,
    PARALLEL_READ,      // not written
    PARALLEL_PRIVATE,   // each turn sets it before it reads it
    PARALLEL_LAST,      // likewise, in every turn: the last one's value stays
    PARALLEL_REDUCTION, // x += ...: turns add to it in any order
    PARALLEL_CARRIED,   // a turn reads what an earlier one wrote
};

enum parallel_operator {
    REDUCE_NONE,
    REDUCE_ADD,
    REDUCE_MUL,
    REDUCE_AND,
    REDUCE_OR,
    REDUCE_XOR,
    REDUCE_CALL,
    REDUCE_MIXED
};

struct parallel_variable {
    enum parallel_role role;
    enum parallel_operator kind;
    const struct ast_node *call; // REDUCE_CALL: the function, such as max
    struct span span;            // of the write that matters
    bool has_stores;             // some item of it is written
    struct span store_span;      // if so: where
};

struct parallel_plan {
    struct parallel_variable *variables; // by local
    const char *reason;                  // why the loop runs turn after turn, or NULL
    bool is_race;                        // the reason is one that deserves a warning
    bool minds_errors;                   // it raises, asserts or tries by itself
    struct span reason_span;
};

// Looks at a loop over prange. Memory comes from `arena`.
void parallel_analyse(const struct ast_function *function, const struct ast_node *loop,
        struct arena *arena, struct parallel_plan *plan);

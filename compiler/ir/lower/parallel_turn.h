// SPDX-License-Identifier: MIT
// What is known of a turn of a prange loop: noted by the walk through its body
// (parallel_check.c), judged by parallel_verdict.c.
#pragma once

#include "compiler/ir/lower/parallel.h"

// How a value depends on the loop's own variable.
enum dependence {
    TURN_SAME,   // not: the same in each turn
    TURN_MOVING, // differs in each turn: i, i + 1, 2 * i
    TURN_ANY,    // may be equal in different turns: i % 2, a[i]
};

// Of each local variable.
struct turn_variable {
    int writes, plain_writes, reads; // reads other than those of a reduction
    bool is_exposed;                 // read before the turn has set it
    enum dependence dependence;
    enum parallel_operator kind;
    const struct ast_node *call;
    struct span write_span, read_span;
};

// Of an item of an array, or an attribute.
struct turn_access {
    int array; // local
    const struct ast_node *place;
    struct span span;
    bool is_store, is_augmented;
};

// What the walk through a turn finds.
struct turn {
    const struct ast_function *function;
    struct arena *arena;
    struct turn_variable *variables;
    bool *is_set; // by local, in this turn so far
    int depth;    // of loops inside this one
    int target;   // the turn's own number, -1 where it is no local
    VEC(struct turn_access) accesses;
    struct parallel_plan *plan;
};

// How the value of an expression depends on the turn.
enum dependence parallel_depends(const struct turn *turn, const struct ast_node *node);
// The same of what a loop inside the turn counts with.
enum dependence parallel_loop_depends(
        const struct turn *turn, const struct ast_node *iterable);
bool parallel_is_local(const struct ast_node *node, int local);
// Says why the loop runs in order; the first reason counts.
void parallel_refuse(
        struct turn *turn, struct span span, bool is_race, const char *reason);
// Fills in the plan from what was noted.
void parallel_conclude(struct turn *turn);

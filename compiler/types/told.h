// SPDX-License-Identifier: MIT
// Conversions of types that a program adds: it tells of each pair of types when typing
// first asks. What was not told yet does not convert, and is wanted: who types with that
// gets it told, and begins again.
#pragma once

#include "compiler/types/type.h"

struct source;

struct told {
    enum conversion conversion; // from the first to the second
    const struct type *common;  // which holds values of both, or NULL
    struct source *cast;        // code from the first to the second, or NULL
};

enum conversion told_conversion(const struct type *from, const struct type *to);
const struct type *told_common(const struct type *a, const struct type *b);
// NULL: the program has no code for it, or has not told yet.
struct source *told_cast(const struct type *from, const struct type *to);

// The pair that was asked for on this thread, and not told of; false: there is none. It
// is forgotten then.
bool told_wants(const struct type *pair[2]);
bool told_is_wanting(void);
void told_set(const struct type *from, const struct type *to, const struct told *told);
// What was told may be otherwise from now on.
void told_forget(void);

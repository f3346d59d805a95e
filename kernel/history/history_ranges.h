// SPDX-License-Identifier: MIT
// What `%history 1-3 7 ~2/ ~8/1-~6/5` names: lines of this session and of earlier ones.
#pragma once

#include <stdbool.h>

#include "base/vec.h"

struct history_range {
    long long session;     // 0 is this one, -1 the one before, above 0 a session's number
    long long start, stop; // `stop` excluded; 0: to the end
};

struct history_ranges {
    VEC(struct history_range) list;
};

// Appends the ranges of a text; words that are none are passed over.
void history_ranges_parse(struct history_ranges *ranges, const char *text);
void history_ranges_finish(struct history_ranges *ranges);

// SPDX-License-Identifier: MIT
// What programs know as cuda.NAME, as tables made of intrinsics.def. They never change.
#pragma once

#include <stddef.h>

#include "compiler/types/type.h"

// What a call does besides giving its result; passes over the code ask for it.
enum intrinsic_effect {
    INTRINSIC_PURE,      // nothing: equal operands give equal results, in all threads
    INTRINSIC_BY_THREAD, // the result differs by thread, as that of a special register
    INTRINSIC_WAITS,     // lets time pass, in which other threads may act
    INTRINSIC_FENCE,     // orders what the thread reads and writes
};

// A REGULAR row; its primitive is PRIMITIVE_ID.
struct intrinsic {
    const char *name, *params, *signature;
    enum intrinsic_effect effect;
    const char *gpu, *elsewhere;
    int capability;
};

extern const struct intrinsic intrinsics[]; // in the order of the rows
extern const size_t intrinsic_count;

enum { INTRINSIC_MOST_OPERANDS = 3 };

// Operand i is described by the code signature[INTRINSIC_FIRST_OPERAND + i].
enum { INTRINSIC_FIRST_OPERAND = 2 };
size_t intrinsic_operand_count(const struct intrinsic *intrinsic);
// The type that a code stands for, where the first operand has type `first`; NULL: no
// such value can be the operand. V gives the type of None.
const struct type *intrinsic_type(char code, const struct type *first);
// The least compute capability (70 for 7.0) of LLVM's intrinsic of this whole name, as
// far as rows name it for GPUs; -1: none does.
int intrinsic_capability(const char *llvm_name);

// What a thread brings to a meeting, and what all that meet are given.
enum meeting_item { MEETING_ITEM_NOTHING, MEETING_ITEM_VALUE, MEETING_ITEM_TRUTH };
enum meeting_result {
    MEETING_RESULT_SAME, // a value of the item's type
    MEETING_RESULT_BOOL,
    MEETING_RESULT_INT32,
    MEETING_RESULT_UINT32,
    MEETING_RESULT_PAIR, // int32, and whether it is not 0
};

struct meeting {
    enum meeting_item item;
    enum meeting_result result;
    const char *ptx;
};

extern const struct meeting meetings[];          // by enum abi_meeting
extern const char *const cache_hint_operators[]; // of PTX, by enum cache_hint

// All rows, for docstrings. kind: a REGULAR row's signature; "value", "truth" or
// "nothing" of a MEETING; "load", "store"; "rule" and "library" for the rest.
struct intrinsic_entry {
    const char *name, *params, *kind;
    int capability;
    const char *doc;
};

extern const struct intrinsic_entry intrinsic_entries[];
extern const size_t intrinsic_entry_count;

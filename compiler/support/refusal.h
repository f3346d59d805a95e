// SPDX-License-Identifier: MIT
// What was asked for when there was no memory, for the message of the MemoryError; of the
// calling thread.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { REFUSAL_AXES = 4, REFUSAL_DTYPE = 32 };

struct refusal {
    uint64_t size_bytes; // 0: nothing is known
    int64_t ndim;        // of the array that the memory was for; -1: it was for none
    int64_t shape[REFUSAL_AXES];
    char dtype[REFUSAL_DTYPE]; // a copy: the code that names it may be gone
};

struct refusal *refusal_last(void);
// Notes the size and gives NULL, which the caller passes on.
void *refusal_note(size_t size_bytes);
// malloc and realloc that note what they could not give.
void *refusal_malloc(size_t size_bytes);
void *refusal_realloc(void *memory, size_t size_bytes);

// SPDX-License-Identifier: MIT
// What is known of the place of an instruction that failed. All but places_find() and
// places_keep() are safe in a handler of signals: they take no lock.
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Looks for the allocator and the loader. Called before the first handler can run.
void places_find(void);
// The code of this address's file keeps locks of its own, or counts what it does: a fault
// in it is never jumped over. Under the GIL, or without threads. Such a file stays
// loaded.
void places_keep(const void *address);

// Code that belongs to no file that is loaded is ours, while we are in a call.
bool places_is_compiled(uintptr_t place);
// In the C library's sin() and kin, which hold nothing and may be left anywhere.
bool places_is_mathematics(uintptr_t place);
bool places_is_allocator(uintptr_t place);
// In the allocator, or in a file of places_keep().
bool places_is_kept(uintptr_t place);
// The C library is about to abort after a look at its heap: "free(): invalid pointer".
bool places_is_heap_broken(void);

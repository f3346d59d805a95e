// SPDX-License-Identifier: MIT
// How deep compiled code may recurse on each thread (support/stack.c).
#pragma once

#include <stdint.h>

// Has recursive code on this thread raise RecursionError before its stack is full.
void compiler_watch_stack(void);
// Where that limit lies, from a thread's base address; 0: nowhere.
uintptr_t compiler_stack_limit_offset(void);

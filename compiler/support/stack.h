// SPDX-License-Identifier: MIT
// How deep compiled code may recurse on each thread (support/stack.c).
#pragma once

#include <stdint.h>

// Has recursive code on this thread raise RecursionError before its stack is full.
void compiler_watch_stack(void);
// The program may have closed off the end of the stack: `ask` says where that of the
// calling thread is; 0: where the system says.
void compiler_set_stack_floor(uintptr_t (*ask)(void));
// Where that limit lies, from a thread's base address; 0: nowhere.
uintptr_t compiler_stack_limit_offset(void);

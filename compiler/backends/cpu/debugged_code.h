// SPDX-License-Identifier: MIT
// Code that a debugger of the process is told of: for functions with debug=True.
#pragma once

#include <stddef.h>
#include <stdint.h>

struct debugged_code;

// Copies an ELF object before the JIT takes it.
struct debugged_code *debugged_code_create(const char *object, size_t size_bytes);
// Tells the debugger where the code is: `address` is that of `symbol`, once it is loaded.
// Any thread. NULL is no code.
void debugged_code_tell(
        struct debugged_code *code, const char *symbol, uintptr_t address);
// Before the code is unloaded.
void debugged_code_destroy(struct debugged_code *code);

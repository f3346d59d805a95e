// SPDX-License-Identifier: MIT
// Failures of passes on demand, for tests of what happens then: each of the ways in which
// a defect shows.
#include "compiler/provoke.h"

#include <assert.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

static void fault(void)
{
    volatile uintptr_t nowhere = 8;
    *(volatile int *)nowhere = 1;
}

static void trap(void)
{
    __builtin_trap();
}

static void divide(void)
{
    volatile int zero = 0;
    zero = 1000 / zero;
}

// Not a loop: each call needs what it has on the stack after the call inside it.
static volatile int depth;

static __attribute__((noinline)) int recurse(const volatile int *outer)
{
    volatile int own[64] = {*outer + 1};
    depth = own[0];
    return (depth >= 0 ? recurse(own) : 0) + own[0];
}

static void overflow(void)
{
    volatile int first = 0;
    first = recurse(&first);
}

static void fail_assertion(void)
{
    volatile bool is_provoked = true;
    assert(!is_provoked);
}

// LLVM's handler of fatal errors is told, which compilers set.
static void fail_llvm(void)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = LLVMModuleCreateWithNameInContext("provoked", context);
    LLVMSetDataLayout(module, "no layout");
}

// What nothing can go on after: the C library finds its heap broken.
static void break_heap(void)
{
    static char memory[64];
    void *volatile none = memory + 8;
    free(none);
}

static const struct {
    const char *name;
    void (*fail)(void);
} ways[] = {{"fault", fault}, {"trap", trap}, {"division", divide},
        {"recursion", overflow}, {"assert", fail_assertion}, {"abort", abort},
        {"llvm", fail_llvm}, {"heap", break_heap}};

// Set under the GIL by tests, which compile on one thread.
static size_t next_row = SIZE_MAX;
static void (*next)(void);

bool provoke_next(size_t row, const char *way)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (strcmp(way, ways[i].name) != 0)
            continue;
        next_row = row;
        next = ways[i].fail;
        return true;
    }
    return false;
}

void provoke_at(size_t row)
{
    if (row != next_row)
        return;
    next_row = SIZE_MAX;
    next();
}

// SPDX-License-Identifier: MIT
// Names of functions in LLVM modules: unique in the process for code that is loaded as it
// is, the same in every process for what is found again on disk.
#include "compiler/backends/backend.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

// The count is the function's: a table of all names would keep two small blocks of each
// function that is gone, and with each of them a page.
const char *backend_unique_name(struct arena *arena, const struct ir_function *function)
{
    assert(function->symbol);
    unsigned count = atomic_fetch_add(function->times_named, 1);
    return count ? arena_printf(arena, "%s.%u", function->symbol, count)
                 : arena_strdup(arena, function->symbol);
}

// "gc_name_12.part" -> "name.part": the number counts the functions of the process.
const char *backend_plain_name(struct arena *arena, const char *symbol)
{
    const char *name = str_starts_with(symbol, "gc_") ? symbol + 3 : symbol;
    size_t len = strcspn(name, "."), number = len;
    while (number && isdigit((unsigned char)name[number - 1]))
        number--;
    if (!number || number == len || name[number - 1] != '_')
        return name;
    return arena_printf(arena, "%.*s%s", (int)number - 1, name, name + len);
}

void backend_number_functions(struct arena *arena, LLVMModuleRef module)
{
    unsigned count = 0;
    for (value function = LLVMGetFirstFunction(module); function;
            function = LLVMGetNextFunction(function)) {
        if (LLVMGetLinkage(function) != LLVMInternalLinkage)
            continue;
        size_t len;
        const char *symbol = backend_plain_name(arena, LLVMGetValueName2(function, &len));
        char *name = arena_printf(arena, "%s.%u", symbol, count++);
        LLVMSetValueName2(function, name, strlen(name));
    }
}

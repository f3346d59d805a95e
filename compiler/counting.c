// SPDX-License-Identifier: MIT
// Finds what observed kernels on a GPU call to count: compiler/library/counting.py, typed
// like all of the library.
#include "compiler/compiler.h"
#include "compiler/typing/infer/stages.h"

bool compiler_find_counting(
        const struct ir_function *found[COUNTING_COUNT], struct error *err)
{
    static const struct {
        const char *name;
        size_t numbers; // that it takes besides the memory
    } functions[COUNTING_COUNT] = {[COUNTING_ACCESS] = {"counting.access", 6},
            [COUNTING_BRANCH] = {"counting.branch", 3},
            [COUNTING_BARRIER] = {"counting.barrier", 2},
            [COUNTING_PART] = {"counting.part", 2},
            [COUNTING_LOOP] = {"counting.loop", 2}};
    const struct type *params[7] = {type_array(type_int64, 1, LAYOUT_C, false)};
    for (size_t i = 1; i < sizeof params / sizeof *params; i++)
        params[i] = type_int64;
    for (size_t i = 0; i < COUNTING_COUNT; i++) {
        struct source *source = infer_find_library(functions[i].name, err);
        found[i] = source ? source_infer(source, params, 1 + functions[i].numbers, NULL,
                                    TARGET_GPU, err)
                          : NULL;
        if (!found[i])
            return false;
    }
    return true;
}

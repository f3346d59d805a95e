// SPDX-License-Identifier: MIT
// The table of builtins: canonical names to rules.

#include <pthread.h>

#include "base/map.h"
#include "compiler/types/abi.h"
#include "compiler/typing/builtins.h"
#include "compiler/typing/infer/rule.h"
#include "compiler/typing/rules/arrays/arrays.h"
#include "compiler/typing/rules/containers/container.h"
#include "compiler/typing/rules/cuda/cuda.h"
#include "compiler/typing/rules/language/language.h"
#include "compiler/typing/rules/numbers/numbers.h"
#include "compiler/typing/rules/text/text.h"

// Numbers of libdevice_functions.
enum {
#define LIBDEVICE(signature, name, code) LIBDEVICE_##name,
#include "compiler/support/libdevice.def"
#undef LIBDEVICE
};

static const struct builtin builtins[] = {
#define LIBDEVICE(signature, name, code)                                                 \
    {"cuda.libdevice." #name, rule_libdevice, LIBDEVICE_##name, 1, 4, "", NULL, false},
#include "compiler/support/libdevice.def"
#undef LIBDEVICE
#define BUILTIN(name, rule, data, min, max, params)                                      \
    {name, rule, data, min, max, params, NULL, false},
#define UFUNC(name, rule, data, min, max, params)                                        \
    {name, rule, data, min, max, params, NULL, true},
#define LIBRARY(name, library, min, max, params)                                         \
    {name, NULL, 0, min, max, params, library, false},
#define LIBRARY_UFUNC(name, library, count, params)                                      \
    {name, NULL, 0, count, count, params, library, true},
#define REDUCTION(name, library, max, params)                                            \
    {name, NULL, true, 1, max, params, library, false},
#include "compiler/typing/builtins.def"
#include "compiler/typing/builtins_bfloat.def"
#define POWER(exponent, name)                                                            \
    UFUNC("library.power_" name, rule_np_power, exponent, 1, 1, "x")                     \
    LIBRARY_UFUNC("library.float_power_" name, "powers.power_" name, 1, "x")
#define HALF_POWER(halves, name)                                                         \
    LIBRARY_UFUNC("library.float_power_" name, "powers.power_" name, 1, "x")
#include "compiler/types/powers.def"
// The signature of a regular row tells how many operands there are: "V(U)" of one.
#define REGULAR(id, name, params, signature, effect, gpu, elsewhere, capability, doc)    \
    BUILTIN(name, rule_intrinsic, PRIMITIVE_##id, (int)sizeof signature - 4,             \
            (int)sizeof signature - 4, params)
#define MEETING(id, name, count, params, item, result, ptx, capability, doc)             \
    BUILTIN(name, rule_cuda_meeting, MEETING_##id, count, count, params)
#define LOAD_HINT(id, name, ptx, doc)                                                    \
    BUILTIN(name, rule_cuda_cached, CACHE_LOAD_##id, 2, 2, "array i")
#define STORE_HINT(id, name, ptx, doc)                                                   \
    BUILTIN(name, rule_cuda_cached, CACHE_STORE_##id, 3, 3, "array i value")
#define BY_RULE(name, rule, data, min, max, params, doc)                                 \
    BUILTIN(name, rule, data, min, max, params)
#define BY_LIBRARY(name, library, count, params, doc)                                    \
    LIBRARY(name, library, count, count, params)
#include "compiler/types/intrinsics.def"
#undef BUILTIN
#undef UFUNC
#undef LIBRARY
#undef LIBRARY_UFUNC
#undef REDUCTION
};

enum { BUILTIN_COUNT = sizeof builtins / sizeof *builtins };

static struct map by_name;                   // written once
static const char *names[BUILTIN_COUNT + 1]; // written once

static void fill_tables(void)
{
    for (size_t i = 0; i < BUILTIN_COUNT; i++) {
        map_set(&by_name, builtins[i].name, (void *)&builtins[i]);
        names[i] = builtins[i].name;
    }
}

static void prepare(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_tables);
}

const struct builtin *builtin_find(const char *name)
{
    prepare();
    return map_get(&by_name, name);
}

const char *const *compiler_builtin_names(void)
{
    prepare();
    return names;
}

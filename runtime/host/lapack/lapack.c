// SPDX-License-Identifier: MIT
// Linear algebra for compiled code. The functions are found by name in the library that
// NumPy has loaded, or come from SciPy. Libraries differ in the width of their integers:
// numbers pass by address with their low half first, so that both widths read them; only
// what comes back in arrays needs care.
#include "runtime/host/lapack/lapack.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/compiler.h"
#include "compiler/support/refusal.h"
#include "runtime/threads/places.h"

static void *library;               // of dlopen
static const char *prefix, *suffix; // around names in it
static bool has_wide_integers;

// The functions in use, as far as they have been looked up; [1] for complex numbers.
static const char *const names[][2] = {{"dot", "dotu"}, {"gemv", "gemv"},
        {"gemm", "gemm"}, {"gesv", "gesv"}, {"getrf", "getrf"}, {"getri", "getri"},
        {"potrf", "potrf"}, {"geqrf", "geqrf"}, {"orgqr", "ungqr"}, {"gesdd", "gesdd"},
        {"geev", "geev"}, {"syevd", "heevd"}, {"gelsd", "gelsd"}};
enum { NAME_COUNT = sizeof names / sizeof *names };
static _Atomic(void *) functions[4][NAME_COUNT];
static bool has_scipy;

// --- Finding functions

static bool take_names(void *handle)
{
    static const char *const forms[][2] = {
            {"scipy_", "_64_"}, {"scipy_", "_"}, {"", "_64_"}, {"", "_"}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char name[64];
        snprintf(name, sizeof name, "%sdgesdd%s", forms[i][0], forms[i][1]);
        if (!dlsym(handle, name))
            continue;
        library = handle;
        prefix = forms[i][0];
        suffix = forms[i][1];
        has_wide_integers = !strcmp(suffix, "_64_");
        places_keep(dlsym(handle, name)); // it locks, and shares out to threads
        lapack_threads_find(library, prefix, suffix);
        return true;
    }
    return false;
}

static int look_into(struct dl_phdr_info *info, size_t size, void *context)
{
    const char *name = strrchr(info->dlpi_name, '/');
    if (!name ||
            (!strstr(name, "blas") && !strstr(name, "lapack") && !strstr(name, "mkl")))
        return 0;
    void *handle = dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD);
    return handle && take_names(handle);
}

bool lapack_find(void)
{
    return library || has_scipy || dl_iterate_phdr(look_into, NULL);
}

void lapack_take(void *(*find)(void *context, const char *name), void *context)
{
    for (size_t kind = 0; kind < 4; kind++)
        for (size_t i = 0; i < NAME_COUNT; i++) {
            char name[32];
            snprintf(name, sizeof name, "%c%s", "sdcz"[kind], names[i][kind > 1]);
            functions[kind][i] = find(context, name);
            places_keep(functions[kind][i]);
        }
    has_scipy = true;
}

void *lapack_function(int64_t kind, const char *name)
{
    size_t row = kind == LAPACK_FLOAT32     ? 0
                 : kind == LAPACK_FLOAT64   ? 1
                 : kind == LAPACK_COMPLEX64 ? 2
                                            : 3;
    size_t i = 0;
    while (strcmp(names[i][0], name) != 0)
        i++;
    void *function = functions[row][i];
    if (function || !library)
        return function;
    char full[64];
    snprintf(full, sizeof full, "%s%c%s%s", prefix, "sdcz"[row], names[i][row > 1],
            suffix);
    function = dlsym(library, full);
    functions[row][i] = function;
    return function;
}

bool lapack_has_wide_integers(void)
{
    return has_wide_integers;
}

void *lapack_workspace(int64_t kind, const void *asked, int64_t *count)
{
    double wanted = lapack_real_bytes(kind) == 4 ? (double)*(const float *)asked
                                                 : *(const double *)asked;
    *count = (int64_t)wanted + 1;
    return refusal_malloc((size_t)*count * lapack_item_bytes(kind));
}

void lapack_define_symbols(void)
{
    lapack_define_products();
    lapack_define_factors();
    lapack_define_spectra();
}

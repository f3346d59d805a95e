// SPDX-License-Identifier: MIT
// Sorting for compiled code, once for each type of numbers. NaN comes last; complex
// numbers are in order of their real, then their imaginary parts.
#include "compiler/support/refusal.h"
#include "compiler/support/support.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/support/interrupt.h"

enum {
    FEW = 16,        // items that insertion sorts fastest
    MANY = 256,      // items for which a good pivot pays
    RUNS = 16,       // in order one by one, that are merged
    BLOCK = 1 << 15, // items between two looks at the interrupt flag; a power of 2
};

// Whether an interrupt has come, which is looked at where `i` is a multiple of BLOCK.
// Others may clear the flag at any time, so who sees it notes that down.
static inline bool is_stopped(int64_t i, bool *stop)
{
    if (!(i & (BLOCK - 1)) && compiler_interrupt_flag)
        *stop = true;
    return *stop;
}

struct complex64 {
    float real, imag;
};

struct complex128 {
    double real, imag;
};

#define LESS_NUMBER(a, b) ((a) < (b))
#define LESS_FLOAT(a, b) ((a) < (b) || ((b) != (b) && (a) == (a)))
#define LESS_COMPLEX(a, b)                                                               \
    ((a).real < (b).real          ? (a).imag == (a).imag || (b).imag != (b).imag         \
            : (a).real > (b).real ? (b).imag != (b).imag && (a).imag == (a).imag         \
            : (a).real == (b).real || ((a).real != (a).real && (b).real != (b).real)     \
                    ? LESS_FLOAT((a).imag, (b).imag)                                     \
                    : (b).real != (b).real)

// float16 by its bits: their order is that of the numbers once the sign is turned round
static int32_t half_rank(uint16_t half)
{
    bool is_nan = (half & 0x7fff) > 0x7c00;
    return is_nan ? 0x8000 : half & 0x8000 ? -(int32_t)(half & 0x7fff) : half;
}

#define LESS_HALF(a, b) (half_rank(a) < half_rank(b))

#define ITEM int8_t
#define LESS(a, b) LESS_NUMBER(a, b)
#define NAME(what) what##_i1
#include "compiler/support/sort_template.def"

#define ITEM int16_t
#define LESS(a, b) LESS_NUMBER(a, b)
#define NAME(what) what##_i2
#include "compiler/support/sort_template.def"

#define ITEM int32_t
#define LESS(a, b) LESS_NUMBER(a, b)
#define NAME(what) what##_i4
#include "compiler/support/sort_template.def"

#define ITEM int64_t
#define LESS(a, b) LESS_NUMBER(a, b)
#define NAME(what) what##_i8
#include "compiler/support/sort_template.def"

// NaT, the least number, comes last
#define LESS_TIME(a, b) ((a) != INT64_MIN && ((b) == INT64_MIN || (a) < (b)))

#define ITEM int64_t
#define LESS(a, b) LESS_TIME(a, b)
#define NAME(what) what##_t8
#include "compiler/support/sort_template.def"

#define ITEM uint8_t
#define LESS(a, b) LESS_NUMBER(a, b)
#define NAME(what) what##_u1
#include "compiler/support/sort_template.def"

#define ITEM uint16_t
#define LESS(a, b) LESS_NUMBER(a, b)
#define NAME(what) what##_u2
#include "compiler/support/sort_template.def"

#define ITEM uint32_t
#define LESS(a, b) LESS_NUMBER(a, b)
#define NAME(what) what##_u4
#include "compiler/support/sort_template.def"

#define ITEM uint64_t
#define LESS(a, b) LESS_NUMBER(a, b)
#define NAME(what) what##_u8
#include "compiler/support/sort_template.def"

#define ITEM uint16_t
#define LESS(a, b) LESS_HALF(a, b)
#define NAME(what) what##_f2
#include "compiler/support/sort_template.def"

#define ITEM float
#define LESS(a, b) LESS_NUMBER(a, b)
#define NAME(what) what##_f4
#include "compiler/support/sort_template.def"

#define ITEM double
#define LESS(a, b) LESS_NUMBER(a, b)
#define NAME(what) what##_f8
#include "compiler/support/sort_template.def"

#define ITEM struct complex64
#define LESS(a, b) LESS_COMPLEX(a, b)
#define NAME(what) what##_c8
#include "compiler/support/merge_template.def"
#include "compiler/support/sort_template.def"

#define ITEM struct complex128
#define LESS(a, b) LESS_COMPLEX(a, b)
#define NAME(what) what##_c16
#include "compiler/support/merge_template.def"
#include "compiler/support/sort_template.def"

static int depth_limit(int64_t n)
{
    int depth = 2;
    for (; n > 1; n /= 2)
        depth += 2;
    return depth;
}

// Brings NaN to the end; returns how many other numbers there are.
#define SET_ASIDE(name, item)                                                            \
    static int64_t set_aside_##name(item *a, int64_t n, bool *stop)                      \
    {                                                                                    \
        int64_t i = 0;                                                                   \
        for (int64_t turn = 0; i < n && !is_stopped(turn, stop); turn++) {               \
            item last = a[n - 1];                                                        \
            if (a[i] == a[i]) {                                                          \
                i++;                                                                     \
            } else {                                                                     \
                a[--n] = a[i];                                                           \
                a[i] = last;                                                             \
            }                                                                            \
        }                                                                                \
        return n;                                                                        \
    }
SET_ASIDE(f4, float)
SET_ASIDE(f8, double)

static int64_t comparable(void *items, int64_t n, int64_t type, bool *stop)
{
    return type == 4064   ? set_aside_f8(items, n, stop)
           : type == 4032 ? set_aside_f4(items, n, stop)
                          : n;
}

// Sorts n items that lie side by side. 0, or STATUS_INTERRUPTED with the items in any
// order.
int64_t gridcell_sort(void *items, int64_t n, int64_t type)
{
    bool stop = false;
    n = comparable(items, n, type, &stop);
    switch (type) {
#define TYPE(code, name, item)                                                           \
    case code:                                                                           \
        if (!sort_runs_##name(items, n, &stop))                                          \
            sort_##name(items, n, depth_limit(n), &stop);                                \
        break;
#include "compiler/support/sort_types.def"
    }
    return stop ? STATUS_INTERRUPTED : STATUS_OK;
}

// Partitions the items around the place k. 0, or STATUS_INTERRUPTED.
int64_t gridcell_select(void *items, int64_t n, int64_t k, int64_t type)
{
    bool stop = false;
    n = comparable(items, n, type, &stop);
    if (k >= n)
        return stop ? STATUS_INTERRUPTED : STATUS_OK;
    switch (type) {
#define TYPE(code, name, item)                                                           \
    case code:                                                                           \
        select_##name(items, n, k, depth_limit(n), &stop);                               \
        break;
#include "compiler/support/sort_types.def"
    }
    return stop ? STATUS_INTERRUPTED : STATUS_OK;
}

// --- The order of items: by keys that sort as unsigned numbers, with their places

struct keyed {
    uint64_t key;
    int64_t place;
};

#define ITEM struct keyed
#define LESS(a, b) ((a).key < (b).key || ((a).key == (b).key && (a).place < (b).place))
#define NAME(what) what##_keyed
#include "compiler/support/sort_template.def"

static uint64_t signed_key(int64_t number)
{
    return (uint64_t)number ^ (uint64_t)1 << 63;
}

static uint64_t float_key(double number)
{
    uint64_t bits;
    if (number != number)
        return UINT64_MAX;
    number += 0.0; // -0.0 is 0.0
    memcpy(&bits, &number, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static uint64_t key_at(const void *items, int64_t i, int64_t type)
{
    switch (type) {
    case 2008:
        return signed_key(((const int8_t *)items)[i]);
    case 2016:
        return signed_key(((const int16_t *)items)[i]);
    case 2032:
        return signed_key(((const int32_t *)items)[i]);
    case 2064:
        return signed_key(((const int64_t *)items)[i]);
    case 3016:
        return ((const uint16_t *)items)[i];
    case 3032:
        return ((const uint32_t *)items)[i];
    case 3064:
        return ((const uint64_t *)items)[i];
    case 4016:
        return signed_key(half_rank(((const uint16_t *)items)[i]));
    case 4032:
        return float_key((double)((const float *)items)[i]);
    case 4064:
        return float_key(((const double *)items)[i]);
    case 6064: // NaT comes last
        return signed_key((int64_t)((const uint64_t *)items)[i]) - 1;
    default: // uint8, bool
        return ((const uint8_t *)items)[i];
    }
}

static int64_t argsort_by_keys(const void *items, int64_t *index, int64_t n, int64_t type)
{
    bool stop = false;
    struct keyed *keyed = refusal_malloc((size_t)(n ? n : 1) * sizeof *keyed);
    if (!keyed)
        return STATUS_MEMORY;
    for (int64_t i = 0; i < n && !is_stopped(i, &stop); i++)
        keyed[i] = (struct keyed){key_at(items, i, type), i};
    if (!sort_runs_keyed(keyed, n, &stop))
        sort_keyed(keyed, n, depth_limit(n), &stop);
    for (int64_t i = 0; i < n && !is_stopped(i, &stop); i++)
        index[i] = keyed[i].place;
    free(keyed);
    return stop ? STATUS_INTERRUPTED : STATUS_OK;
}

static int64_t argsort_complex(const void *items, int64_t *index, int64_t n, int64_t type)
{
    bool stop = false;
    int64_t *scratch = refusal_malloc((size_t)(n ? n : 1) * sizeof *scratch);
    if (!scratch)
        return STATUS_MEMORY;
    for (int64_t i = 0; i < n && !is_stopped(i, &stop); i++)
        index[i] = i;
    if (type == 5064 && !stop)
        argsort_c8(items, index, scratch, n, &stop);
    else if (!stop)
        argsort_c16(items, index, scratch, n, &stop);
    free(scratch);
    return stop ? STATUS_INTERRUPTED : STATUS_OK;
}

// Fills `index` with the order of the items, equal ones as they come. 0, STATUS_MEMORY or
// STATUS_INTERRUPTED.
int64_t gridcell_argsort(const void *items, int64_t *index, int64_t n, int64_t type)
{
    bool is_complex = type == 5064 || type == 5128;
    return is_complex ? argsort_complex(items, index, n, type)
                      : argsort_by_keys(items, index, n, type);
}

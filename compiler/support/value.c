// SPDX-License-Identifier: MIT
// What Python does with numbers and slices, and C has no instruction for: hashes, bounds.
#include <math.h>

#include "compiler/support/raise.h"
#include "compiler/support/support.h"

// --- Hashes: numbers modulo a prime, so that equal numbers of all types agree

static const uint64_t modulus = ((uint64_t)1 << 61) - 1;

static int32_t hash_uint(int64_t *out, uint64_t number)
{
    *out = (int64_t)(number % modulus);
    return STATUS_OK;
}

static int32_t hash_int(int64_t *out, int64_t number)
{
    uint64_t size = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    int64_t hash = (int64_t)(size % modulus);
    *out = number < 0 ? -hash : hash;
    if (*out == -1)
        *out = -2;
    return STATUS_OK;
}

static int64_t float_hash(double number)
{
    if (!isfinite(number))
        return isinf(number) ? (number > 0 ? 314159 : -314159) : 0;
    int exponent;
    double rest = frexp(fabs(number), &exponent);
    uint64_t hash = 0;
    while (rest != 0) { // 28 bits at a time
        hash = (hash << 28 & modulus) | hash >> (61 - 28);
        rest *= 268435456.0;
        exponent -= 28;
        uint64_t bits = (uint64_t)rest;
        rest -= (double)bits;
        hash += bits;
        if (hash >= modulus)
            hash -= modulus;
    }
    exponent = exponent >= 0 ? exponent % 61 : 60 - (-1 - exponent) % 61;
    if (exponent)
        hash = (hash << exponent & modulus) | hash >> (61 - exponent);
    int64_t signed_hash = number < 0 ? -(int64_t)hash : (int64_t)hash;
    return signed_hash == -1 ? -2 : signed_hash;
}

static int32_t hash_float(int64_t *out, double number)
{
    *out = float_hash(number);
    return STATUS_OK;
}

static int32_t hash_complex(int64_t *out, double real, double imag)
{
    uint64_t hash = (uint64_t)float_hash(real) + 1000003u * (uint64_t)float_hash(imag);
    *out = hash == UINT64_MAX ? -2 : (int64_t)hash;
    return STATUS_OK;
}

// A tuple's hash of those of its items.
static int32_t hash_items(int64_t *out, const int64_t *hashes, int64_t count)
{
    static const uint64_t first = 11400714785074694791u, second = 14029467366897019727u,
                          fifth = 2870177450012600261u;
    uint64_t hash = fifth;
    for (int64_t i = 0; i < count; i++) {
        hash += (uint64_t)hashes[i] * second;
        hash = hash << 31 | hash >> 33;
        hash *= first;
    }
    hash += (uint64_t)count ^ (fifth ^ 3527539u);
    *out = hash == UINT64_MAX ? 1546275796 : (int64_t)hash;
    return STATUS_OK;
}

// --- The others

static int32_t slice_indices(int64_t *out, const int64_t *slice, int64_t len)
{
    int64_t step = slice[2], low = step < 0 ? -1 : 0, high = step < 0 ? len - 1 : len;
    if (len < 0)
        return support_raise("ValueError", "length should not be negative");
    if (!step)
        return support_raise("ValueError", "slice step cannot be zero");
    for (int i = 0; i < 2; i++) {
        int64_t bound = slice[i];
        if (bound < 0)
            bound = bound < -len ? low : bound + len;
        out[i] = bound < low ? low : bound > high ? high : bound;
    }
    out[2] = step;
    return STATUS_OK;
}

const struct support_symbol value_symbols[] = {
        SUPPORT_FUNCTION(hash_int),
        SUPPORT_FUNCTION(hash_uint),
        SUPPORT_FUNCTION(hash_float),
        SUPPORT_FUNCTION(hash_complex),
        SUPPORT_FUNCTION(hash_items),
        SUPPORT_FUNCTION(slice_indices),
        {0},
};

// SPDX-License-Identifier: MIT
// What Python does with numbers, slices and enums, and C has no instruction for: hashes,
// rounding to decimal digits, bounds.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/support/text/text.h"

// --- Hashes: numbers modulo a prime, so that equal numbers of all types agree

static const uint64_t modulus = ((uint64_t)1 << 61) - 1;

static int32_t hash_uint(int64_t *out, uint64_t number)
{
    *out = (int64_t)(number % modulus);
    return TEXT_OK;
}

static int32_t hash_int(int64_t *out, int64_t number)
{
    uint64_t size = number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
    int64_t hash = (int64_t)(size % modulus);
    *out = number < 0 ? -hash : hash;
    if (*out == -1)
        *out = -2;
    return TEXT_OK;
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
    return TEXT_OK;
}

static int32_t hash_complex(int64_t *out, double real, double imag)
{
    uint64_t hash = (uint64_t)float_hash(real) + 1000003u * (uint64_t)float_hash(imag);
    *out = hash == UINT64_MAX ? -2 : (int64_t)hash;
    return TEXT_OK;
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
    return TEXT_OK;
}

// --- The others

static int32_t enum_value(int64_t *out, int64_t value, const int64_t *values,
        int64_t count, const struct abi_text *class_name)
{
    *out = value;
    for (int64_t i = 0; i < count; i++)
        if (values[i] == value)
            return TEXT_OK;
    struct str name = {0};
    text_append_utf8(&name, class_name->data, class_name->len);
    int32_t status = support_raise(
            "ValueError", "%lld is not a valid %s", (long long)value, str_text(&name));
    str_finish(&name);
    return status;
}

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
    return TEXT_OK;
}

// Scaling is exact but near a tie: there the decimal digits decide, as in Python.
static int32_t round_digits(double *out, double number, int64_t digits)
{
    *out = number;
    if (!isfinite(number) || digits > 330)
        return TEXT_OK;
    if (digits < -308) {
        *out = copysign(0, number);
        return TEXT_OK;
    }
    double power = pow(10, (double)llabs(digits));
    double scaled = digits < 0 ? number / power : number * power;
    double distance = fabs(fabs(scaled - trunc(scaled)) - 0.5);
    if (llabs(digits) <= 22 && fabs(scaled) < 4503599627370496.0 && distance > 1e-3) {
        double whole = rint(scaled);
        *out = digits < 0 ? whole * power : whole / power;
        return TEXT_OK;
    }
    char text[700];
    if (digits >= 0) {
        snprintf(text, sizeof text, "%.*f", (int)digits, number);
        *out = text_read_float(text);
        return TEXT_OK;
    }
    // to tens: of the exact value, which all its digits tell
    snprintf(text, sizeof text, "%.0f", fabs(trunc(number)));
    double unit = pow(10, (double)-digits), whole = floor(fabs(number) / unit);
    double below = whole * unit, above = (whole + 1) * unit, size = fabs(number);
    bool is_up = size - below > above - size ||
                 (size - below == above - size && fmod(whole, 2) != 0);
    *out = copysign(is_up ? above : below, number);
    return isfinite(*out)
                   ? TEXT_OK
                   : support_raise("OverflowError", "rounded value too large to represent");
}

const struct text_symbol value_symbols[] = {
        {"gridcell_hash_int", (void *)hash_int},
        {"gridcell_hash_uint", (void *)hash_uint},
        {"gridcell_hash_float", (void *)hash_float},
        {"gridcell_hash_complex", (void *)hash_complex},
        {"gridcell_hash_items", (void *)hash_items},
        {"gridcell_enum_value", (void *)enum_value},
        {"gridcell_slice_indices", (void *)slice_indices},
        {"gridcell_round_digits", (void *)round_digits},
        {0},
};

// SPDX-License-Identifier: MIT
// libdevice on the CPU, for kernels on the emulated device: each function of
// libdevice.def in C, by the math library where it has it.
#include "compiler/support/libdevice.h"

#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/older_glibc.h"

// Evaluates `code` over copies a, b, c of the arguments in a rounding mode; volatile, so
// that it is not computed at compile time or moved out.
#define IN_MODE(mode, type, code, x, y, z)                                               \
    ({                                                                                   \
        volatile type a = (type)(x), b = (type)(y), c = (type)(z);                       \
        (void)b, (void)c;                                                                \
        int before = fegetround();                                                       \
        fesetround(mode);                                                                \
        volatile __typeof__(code) result = code;                                         \
        fesetround(before);                                                              \
        result;                                                                          \
    })

#define SAME_BITS(name, to, from)                                                        \
    static to name(from x)                                                               \
    {                                                                                    \
        to y;                                                                            \
        _Static_assert(sizeof y == sizeof x, "as many bits");                            \
        memcpy(&y, &x, sizeof y);                                                        \
        return y;                                                                        \
    }
SAME_BITS(double_of_bits, double, uint64_t)
SAME_BITS(bits_of_double, uint64_t, double)
SAME_BITS(float_of_bits, float, uint32_t)
SAME_BITS(bits_of_float, uint32_t, float)

// Conversions saturate, and NaN becomes 0, as on a GPU.
#define SATURATE(name, type, low, high, low_bound, high_bound)                           \
    static type name(double x)                                                           \
    {                                                                                    \
        return isnan(x) ? 0 : x <= low_bound ? low : x >= high_bound ? high : (type)x;   \
    }
SATURATE(to_int32, int32_t, INT32_MIN, INT32_MAX, -0x1p31, 0x1p31)
SATURATE(to_int64, int64_t, INT64_MIN, INT64_MAX, -0x1p63, 0x1p63)

static int32_t to_uint32(double x)
{
    return (int32_t)(isnan(x) || x <= 0 ? 0 : x >= 0x1p32 ? UINT32_MAX : (uint32_t)x);
}

static int64_t to_uint64(double x)
{
    return (int64_t)(isnan(x) || x <= 0 ? 0 : x >= 0x1p64 ? UINT64_MAX : (uint64_t)x);
}

static uint64_t reverse_bits(uint64_t bits)
{
    uint64_t reverse = 0;
    for (int i = 0; i < 64; i++, bits >>= 1)
        reverse = reverse << 1 | (bits & 1);
    return reverse;
}

// Byte i of the result is byte `selector nibble i` of b:a; bit 3 spreads its sign.
static int32_t permute_bytes(uint32_t a, uint32_t b, uint32_t selector)
{
    uint64_t pool = (uint64_t)b << 32 | a;
    uint32_t result = 0;
    for (int i = 0; i < 4; i++) {
        uint32_t nibble = selector >> (4 * i) & 15;
        uint32_t byte = (uint32_t)(pool >> (8 * (nibble & 7))) & 255;
        if (nibble & 8)
            byte = byte & 128 ? 255 : 0;
        result |= byte << (8 * i);
    }
    return (int32_t)result;
}

// sin(pi x), exact at multiples of 1/2
static double sin_pi(double x)
{
    double turns = x - 2 * rint(x / 2); // in [-1, 1]
    if (turns == trunc(turns))
        return isnan(turns) ? turns : copysign(0, x);
    if (fabs(turns) > 0.5)
        turns = copysign(1, turns) - turns;
    return sin(M_PI * turns);
}

static double cos_pi(double x)
{
    double turns = fabs(x - 2 * rint(x / 2));
    return turns == 0.5   ? 0
           : turns < 0.25 ? cos(M_PI * turns)
                          : sin(M_PI * (0.5 - turns));
}

// log |gamma(x)|; unlike lgamma() it has no global sign.
static double gamma_logarithm(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

// exp(x * x) * erfc(x): by its continued fraction where erfc underflows (Abramowitz and
// Stegun 7.1.14).
static double erfc_scaled(double x)
{
    if (x < 8)
        return exp(x * x) * erfc(x);
    double fraction = 0;
    for (int k = 60; k > 0; k--)
        fraction = k / 2.0 / (x + fraction);
    return 1 / (sqrt(M_PI) * (x + fraction));
}

// The quantile of the normal distribution: the starting value of Abramowitz and Stegun
// 26.2.23 (error below 4.5e-4), then Halley's steps on the distribution function.
static double normal_quantile(double p)
{
    if (!(p > 0 && p < 1))
        return p == 0 ? -INFINITY : p == 1 ? INFINITY : NAN;
    double tail = p < 0.5 ? p : 1 - p, t = sqrt(-2 * log(tail));
    double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                           (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    x = -x; // the lower tail's
    for (int i = 0; i < 3; i++) {
        double density = exp(-x * x / 2) / sqrt(2 * M_PI);
        double step = (erfc(-x / M_SQRT2) / 2 - tail) / density;
        x -= step / (1 + x * step / 2);
    }
    return p < 0.5 ? x : -x;
}

static double erf_inverse(double y)
{
    if (!(fabs(y) < 1))
        return fabs(y) == 1 ? copysign(INFINITY, y) : NAN;
    double x =
            fabs(y) < 0.5 ? y * sqrt(M_PI) / 2 : normal_quantile((1 + y) / 2) / M_SQRT2;
    if (fabs(y) >= 0.5)
        return x;
    for (int i = 0; i < 5; i++) {
        double step = (erf(x) - y) / (M_2_SQRTPI * exp(-x * x));
        x -= step / (1 + x * step);
    }
    return x;
}

// Modified Bessel function of the first kind: its power series (Abramowitz and Stegun
// 9.6.10), all terms positive; for large arguments the asymptotic series 9.7.1.
static double bessel_i(int order, double x)
{
    double size = fabs(x), term = order ? size / 2 : 1, sum = term;
    if (size < 30) {
        for (int k = 1; k < 200 && term > sum * 1e-17; k++) {
            term *= size * size / 4 / ((double)k * (k + order));
            sum += term;
        }
    } else {
        term = sum = 1;
        for (int k = 1; k < 30; k++) {
            term *= ((2.0 * k - 1) * (2.0 * k - 1) - 4.0 * order * order) /
                    (8.0 * k * size);
            sum += term;
        }
        sum *= exp(size / 2) / sqrt(2 * M_PI * size) * exp(size / 2);
    }
    return order && x < 0 ? -sum : sum;
}

#define HOST(name, returns, params, code)                                                \
    static returns host_##name params                                                    \
    {                                                                                    \
        return code;                                                                     \
    }
#define D_D(name, code) HOST(name, double, (double x), code)
#define D_DD(name, code) HOST(name, double, (double x, double y), code)
#define D_DDD(name, code) HOST(name, double, (double x, double y, double z), code)
#define D_DDDD(name, code)                                                               \
    HOST(name, double, (double x, double y, double z, double w), code)
#define D_DDPI(name, code) HOST(name, double, (double x, double y, int32_t *out), code)
#define D_DI(name, code) HOST(name, double, (double x, int32_t n), code)
#define D_DPD(name, code) HOST(name, double, (double x, double *out), code)
#define D_DPI(name, code) HOST(name, double, (double x, int32_t *out), code)
#define D_I(name, code) HOST(name, double, (int32_t n), code)
#define D_ID(name, code) HOST(name, double, (int32_t n, double x), code)
#define D_II(name, code) HOST(name, double, (int32_t m, int32_t n), code)
#define D_L(name, code) HOST(name, double, (int64_t n), code)
#define F_D(name, code) HOST(name, float, (double x), code)
#define F_F(name, code) HOST(name, float, (float x), code)
#define F_FF(name, code) HOST(name, float, (float x, float y), code)
#define F_FFF(name, code) HOST(name, float, (float x, float y, float z), code)
#define F_FFFF(name, code) HOST(name, float, (float x, float y, float z, float w), code)
#define F_FFPI(name, code) HOST(name, float, (float x, float y, int32_t *out), code)
#define F_FI(name, code) HOST(name, float, (float x, int32_t n), code)
#define F_FPF(name, code) HOST(name, float, (float x, float *out), code)
#define F_FPI(name, code) HOST(name, float, (float x, int32_t *out), code)
#define F_I(name, code) HOST(name, float, (int32_t n), code)
#define F_IF(name, code) HOST(name, float, (int32_t n, float x), code)
#define F_L(name, code) HOST(name, float, (int64_t n), code)
#define I_D(name, code) HOST(name, int32_t, (double x), code)
#define I_F(name, code) HOST(name, int32_t, (float x), code)
#define I_I(name, code) HOST(name, int32_t, (int32_t n), code)
#define I_II(name, code) HOST(name, int32_t, (int32_t m, int32_t n), code)
#define I_III(name, code) HOST(name, int32_t, (int32_t k, int32_t m, int32_t n), code)
#define I_L(name, code) HOST(name, int32_t, (int64_t n), code)
#define L_D(name, code) HOST(name, int64_t, (double x), code)
#define L_F(name, code) HOST(name, int64_t, (float x), code)
#define L_L(name, code) HOST(name, int64_t, (int64_t n), code)
#define L_LL(name, code) HOST(name, int64_t, (int64_t m, int64_t n), code)
#define V_DPDPD(name, code)                                                              \
    HOST(name, void, (double x, double *first, double *second), (void)code)
#define V_FPFPF(name, code)                                                              \
    HOST(name, void, (float x, float *first, float *second), (void)code)
#define LIBDEVICE(signature, name, code) signature(name, code)
#include "compiler/support/libdevice.def"
#undef LIBDEVICE

const struct support_symbol libdevice_symbols[] = {
#define LIBDEVICE(signature, name, code) {"__nv_" #name, (void *)host_##name},
#include "compiler/support/libdevice.def"
#undef LIBDEVICE
        {0},
};

// SPDX-License-Identifier: MIT
// Functions of complex numbers: mostly C's, whose branch cuts and special values are
// Python's.
#include <complex.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/older_glibc.h"
#include "compiler/support/support.h"

// C11's CMPLX, which not every compiler has: unlike real + imag * I it keeps signed
// zeros.
static double complex make_complex(double real, double imag)
{
    double parts[2] = {real, imag};
    double complex number;
    memcpy(&number, parts, sizeof number);
    return number;
}

static int32_t store(double *out, double complex number)
{
    out[0] = creal(number);
    out[1] = cimag(number);
    return STATUS_OK;
}

// Whether exp(grown), and the sine and cosine of the angle, need no care: then the C
// library's functions are these products, and asking it what the numbers are takes up to
// a third of its time.
static bool is_usual(double grown, double angle)
{
    return fabs(grown) < 700 && fabs(angle) > DBL_MIN && fabs(angle) <= DBL_MAX;
}

static double complex turned(double along, double across, double angle)
{
    return make_complex(along * cos(angle), across * sin(angle));
}

static int32_t complex_exp(double *out, double real, double imag)
{
    if (is_usual(real, imag)) {
        double size = exp(real);
        return store(out, turned(size, size, imag));
    }
    return store(out, cexp(make_complex(real, imag)));
}

// *error: what a + b lost.
static double sum_of(double a, double b, double *error)
{
    double sum = a + b, part = sum - a;
    *error += (a - (sum - part)) + (b - part);
    return sum;
}

// The logarithm of |x + iy|, where the size is near 1: by x * x + y * y - 1 in twice the
// digits.
static double log_near_1(double x, double y)
{
    double xx = x * x, yy = y * y;
    double error = fma(x, x, -xx) + fma(y, y, -yy);
    double sum = sum_of(fmax(xx, yy), -1.0, &error);
    sum = sum_of(sum, fmin(xx, yy), &error);
    return log1p(sum + error) / 2;
}

// clog of the C library takes several times as long.
static double log_of_size(double x, double y)
{
    const double log_2 = 0.69314718055994530942;
    double squares = x * x + y * y;
    if (squares > 0.5 && squares < 3)
        return log_near_1(x, y);
    if (squares > 1e-280 && squares < 1e300)
        return log(squares) / 2;
    double size = hypot(x, y);
    if (isinf(size) && isfinite(x) && isfinite(y))
        return log(hypot(x / 2, y / 2)) + log_2;
    if (size < DBL_MIN && size > 0)
        return log(hypot(x * 0x1p54, y * 0x1p54)) - 54 * log_2;
    return log(size);
}

static int32_t complex_log(double *out, double real, double imag)
{
    return store(out, make_complex(log_of_size(real, imag), atan2(imag, real)));
}

// Squares of numbers that are neither small nor large lose nothing that shows.
static int32_t complex_sqrt(double *out, double real, double imag)
{
    double squares = real * real + imag * imag;
    if (!(squares > 1e-280 && squares < 1e300))
        return store(out, csqrt(make_complex(real, imag)));
    double root = sqrt((fabs(real) + sqrt(squares)) / 2), other = imag / (2 * root);
    return store(out, real >= 0 ? make_complex(root, other)
                                : make_complex(fabs(other), copysign(root, imag)));
}

static int32_t complex_sin(double *out, double real, double imag)
{
    if (is_usual(imag, real)) {
        double complex rest = turned(sinh(imag), cosh(imag), real);
        return store(out, make_complex(cimag(rest), creal(rest)));
    }
    return store(out, csin(make_complex(real, imag)));
}

static int32_t complex_cos(double *out, double real, double imag)
{
    if (is_usual(imag, real))
        return store(out, turned(cosh(imag), -sinh(imag), real));
    return store(out, ccos(make_complex(real, imag)));
}

static int32_t complex_tan(double *out, double real, double imag)
{
    return store(out, ctan(make_complex(real, imag)));
}

static int32_t complex_asin(double *out, double real, double imag)
{
    return store(out, casin(make_complex(real, imag)));
}

static int32_t complex_acos(double *out, double real, double imag)
{
    return store(out, cacos(make_complex(real, imag)));
}

static int32_t complex_atan(double *out, double real, double imag)
{
    return store(out, catan(make_complex(real, imag)));
}

static int32_t complex_sinh(double *out, double real, double imag)
{
    if (is_usual(real, imag))
        return store(out, turned(sinh(real), cosh(real), imag));
    return store(out, csinh(make_complex(real, imag)));
}

static int32_t complex_cosh(double *out, double real, double imag)
{
    if (is_usual(real, imag))
        return store(out, turned(cosh(real), sinh(real), imag));
    return store(out, ccosh(make_complex(real, imag)));
}

static int32_t complex_tanh(double *out, double real, double imag)
{
    return store(out, ctanh(make_complex(real, imag)));
}

static int32_t complex_asinh(double *out, double real, double imag)
{
    return store(out, casinh(make_complex(real, imag)));
}

static int32_t complex_acosh(double *out, double real, double imag)
{
    return store(out, cacosh(make_complex(real, imag)));
}

static int32_t complex_atanh(double *out, double real, double imag)
{
    return store(out, catanh(make_complex(real, imag)));
}

static int32_t complex_exp2(double *out, double real, double imag)
{
    const double log_2 = 0.69314718055994530942;
    double size = exp2(real), angle = imag * log_2;
    if (imag == 0)
        return store(out, make_complex(size, imag));
    return isfinite(size) ? store(out, make_complex(size * cos(angle), size * sin(angle)))
                          : store(out, cexp(make_complex(real * log_2, angle)));
}

static int32_t complex_expm1(double *out, double real, double imag)
{
    double half = sin(imag / 2);
    return store(out, make_complex(expm1(real) * cos(imag) - 2 * half * half,
                              exp(real) * sin(imag)));
}

static int32_t divided_log(double *out, double real, double imag, double by)
{
    return store(out, make_complex(log_of_size(real, imag) / by, atan2(imag, real) / by));
}

static int32_t complex_log2(double *out, double real, double imag)
{
    return divided_log(out, real, imag, 0.69314718055994530942);
}

static int32_t complex_log10(double *out, double real, double imag)
{
    return divided_log(out, real, imag, 2.30258509299404568402);
}

static int32_t complex_log1p(double *out, double real, double imag)
{
    return complex_log(out, real + 1, imag);
}

const struct support_symbol complex_symbols[] = {
        SUPPORT_FUNCTION(complex_exp),
        SUPPORT_FUNCTION(complex_log),
        SUPPORT_FUNCTION(complex_sqrt),
        SUPPORT_FUNCTION(complex_sin),
        SUPPORT_FUNCTION(complex_cos),
        SUPPORT_FUNCTION(complex_tan),
        SUPPORT_FUNCTION(complex_asin),
        SUPPORT_FUNCTION(complex_acos),
        SUPPORT_FUNCTION(complex_atan),
        SUPPORT_FUNCTION(complex_sinh),
        SUPPORT_FUNCTION(complex_cosh),
        SUPPORT_FUNCTION(complex_tanh),
        SUPPORT_FUNCTION(complex_asinh),
        SUPPORT_FUNCTION(complex_acosh),
        SUPPORT_FUNCTION(complex_atanh),
        SUPPORT_FUNCTION(complex_exp2),
        SUPPORT_FUNCTION(complex_expm1),
        SUPPORT_FUNCTION(complex_log2),
        SUPPORT_FUNCTION(complex_log10),
        SUPPORT_FUNCTION(complex_log1p),
        {0},
};

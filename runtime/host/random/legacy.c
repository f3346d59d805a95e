// SPDX-License-Identifier: MIT
// The distributions of np.random, drawn as NumPy's legacy generator draws them, so that a
// seeded stream gives its numbers.
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "compiler/backends/cpu/symbols.h"
#include "runtime/host/random/random.h"

// The layout of NumPy's bitgen_t.
struct bitgen {
    void *stream;
    uint64_t (*next_wide)(void *stream);
    uint32_t (*next_word)(void *stream);
    double (*next_number)(void *stream);
    uint64_t (*next_raw)(void *stream);
};

static uint64_t raw_word(void *stream)
{
    return random_word(stream);
}

void *gridcell_np_bitgen(void)
{
    static _Thread_local struct bitgen bitgen;
    bitgen = (struct bitgen){
            gridcell_random_np(), random_wide_word, random_word, random_number, raw_word};
    return &bitgen;
}

// NumPy's binomial_t, which has room enough in it.
static void *binomial_workspace(void)
{
    static _Thread_local int64_t workspace[40];
    return workspace;
}

static double draw(void)
{
    return random_number(gridcell_random_np());
}

static double gauss(void)
{
    return random_gauss(gridcell_random_np());
}

static double exponential(void)
{
    return -log(1.0 - draw());
}

// Of a shape below 1, by rejection from two pieces.
static double small_gamma(double shape)
{
    for (;;) {
        double u = draw(), v = exponential();
        if (u <= 1.0 - shape) {
            double x = pow(u, 1. / shape);
            if (x <= v)
                return x;
        } else {
            double y = -log((1 - u) / shape);
            double x = pow(1.0 - shape + shape * y, 1. / shape);
            if (x <= v + y)
                return x;
        }
    }
}

static double standard_gamma(double shape)
{
    if (shape == 1.0)
        return exponential();
    if (shape == 0.0)
        return 0.0;
    if (shape < 1.0)
        return small_gamma(shape);
    double b = shape - 1. / 3., c = 1. / sqrt(9 * b);
    for (;;) {
        double x, v;
        do {
            x = gauss();
            v = 1.0 + c * x;
        } while (v <= 0.0);
        v = v * v * v;
        double u = draw();
        if (u < 1.0 - 0.0331 * (x * x) * (x * x))
            return b * v;
        if (log(u) < 0.5 * x * x + b * (1. - v + log(v)))
            return b * v;
    }
}

static double chisquare(double df)
{
    return 2.0 * standard_gamma(df / 2.0);
}

static double beta(double a, double b)
{
    if (a > 1.0 || b > 1.0) {
        double x = standard_gamma(a), y = standard_gamma(b);
        return x / (x + y);
    }
    for (;;) {
        double u = draw(), v = draw();
        double x = pow(u, 1.0 / a), y = pow(v, 1.0 / b);
        if (x + y > 1.0)
            continue;
        if (x + y > 0)
            return x / (x + y);
        double log_x = log(u) / a, log_y = log(v) / b;
        double most = log_x > log_y ? log_x : log_y;
        log_x -= most;
        log_y -= most;
        return exp(log_x - log(exp(log_x) + exp(log_y)));
    }
}

static double f_ratio(double numerator, double denominator)
{
    double top = chisquare(numerator) * denominator;
    return top / (chisquare(denominator) * numerator);
}

static double pareto(double a)
{
    return exp(exponential() / a) - 1;
}

static double weibull(double a)
{
    return a == 0.0 ? 0.0 : pow(exponential(), 1. / a);
}

static double power(double a)
{
    return pow(1 - exp(-exponential()), 1. / a);
}

static double rayleigh(double mode)
{
    return mode * sqrt(-2.0 * log1p(-draw()));
}

static double standard_t(double df)
{
    double top = gauss(), bottom = standard_gamma(df / 2);
    return sqrt(df / 2) * top / sqrt(bottom);
}

static double standard_cauchy(void)
{
    double top = gauss();
    return top / gauss();
}

static double wald(double mean, double scale)
{
    double y = gauss(), half = mean / (2 * scale);
    y = mean * y * y;
    double x = mean + half * (y - sqrt(4 * scale * y + y * y));
    return draw() <= mean / (mean + x) ? x : mean * mean / x;
}

static double vonmises_spread(double kappa)
{
    if (kappa < 1e-5)
        return 1. / kappa + kappa;
    double r = 1 + sqrt(1 + 4 * kappa * kappa);
    double rho = (r - sqrt(2 * r)) / (2 * kappa);
    return (1 + rho * rho) / (2 * rho);
}

static double vonmises(double mu, double kappa)
{
    if (kappa < 1e-8)
        return M_PI * (2 * draw() - 1);
    double s = vonmises_spread(kappa), w, y, v;
    do {
        double z = cos(M_PI * draw());
        w = (1 + s * z) / (s + z);
        y = kappa * (s - w);
        v = draw();
    } while (y * (2 - y) - v < 0 && log(y / v) + 1 - y < 0);
    double angle = acos(w);
    angle = (draw() < 0.5 ? -angle : angle) + mu;
    double turned = fmod(fabs(angle) + M_PI, 2 * M_PI) - M_PI;
    return angle < 0 ? -turned : turned;
}

static int64_t geometric(double p)
{
    if (p < 0.333333333333333333333333)
        return (int64_t)ceil(log1p(-draw()) / log(1 - p));
    int64_t x = 1;
    double sum = p, part = p, u = draw();
    while (u > sum) {
        part *= 1 - p;
        sum += part;
        x++;
    }
    return x;
}

static int64_t zipf(double a)
{
    double less = a - 1.0, b = pow(2.0, less);
    for (;;) {
        double u = 1.0 - draw(), v = draw(), x = floor(pow(u, -1.0 / less));
        if (x > 9223372036854775807.0 || x < 1.0)
            continue;
        double t = pow(1.0 + 1.0 / x, less);
        if (v * x * (t - 1.0) / (b - 1.0) <= t / b)
            return (int64_t)x;
    }
}

static int64_t logseries(double p)
{
    double r = log(1.0 - p);
    for (;;) {
        double v = draw();
        if (v >= p)
            return 1;
        double q = 1.0 - exp(r * draw());
        if (v <= q * q) {
            int64_t result = (int64_t)floor(1 + log(v) / log(q));
            if (result >= 1 && v != 0.0)
                return result;
        } else {
            return v >= q ? 1 : 2;
        }
    }
}

// --- Drawing without putting back

static int64_t few_good(int64_t good, int64_t bad, int64_t sample)
{
    int64_t rest = bad + good - sample, left = sample;
    double fewer = bad < good ? (double)bad : (double)good, y = fewer;
    while (y > 0.0) {
        y -= (double)(int64_t)floor(draw() + y / (double)(rest + left));
        if (--left == 0)
            break;
    }
    int64_t found = (int64_t)(fewer - y);
    return good > bad ? sample - found : found;
}

static double log_factorials(double z, double fewer, double more, double m)
{
    return lgamma(z + 1) + lgamma(fewer - z + 1) + lgamma(m - z + 1) +
           lgamma(more - m + z + 1);
}

static int64_t many_good(int64_t good, int64_t bad, int64_t sample)
{
    double fewer = good < bad ? (double)good : (double)bad;
    double more = good < bad ? (double)bad : (double)good,
           all = (double)good + (double)bad;
    double m =
            (double)sample < all - (double)sample ? (double)sample : all - (double)sample;
    double share = fewer / all, middle = m * share + 0.5;
    double spread =
            sqrt((all - m) * (double)sample * share * (1.0 - share) / (all - 1) + 0.5);
    double width = 1.7155277699214135 * spread + 0.8989161620588988;
    double mode = floor((m + 1) * (fewer + 1) / (all + 2));
    double peak = log_factorials(mode, fewer, more, m);
    double limit = fmin(fmin(m, fewer) + 1.0, floor(middle + 16 * spread));
    double z;
    for (;;) {
        double x = draw(), y = draw(), w = middle + width * (y - 0.5) / x;
        if (w < 0.0 || w >= limit)
            continue;
        z = floor(w);
        double t = peak - log_factorials(z, fewer, more, m);
        if (x * (4.0 - x) - 3.0 <= t)
            break;
        if (x * (x - t) >= 1)
            continue;
        if (2.0 * log(x) <= t)
            break;
    }
    if (good > bad)
        z = m - z;
    return (int64_t)(m < (double)sample ? (double)good - z : z);
}

static int64_t hypergeometric(int64_t good, int64_t bad, int64_t sample)
{
    return sample > 10  ? many_good(good, bad, sample)
           : sample > 0 ? few_good(good, bad, sample)
                        : 0;
}

// --- Integers up to a limit, included: bits of a mask until they fit

static int bit_length(uint64_t number)
{
    return number ? 64 - __builtin_clzll(number) : 0;
}

static uint64_t interval(uint64_t limit)
{
    return limit ? random_up_to(gridcell_random_np(), limit,
                           UINT64_MAX >> (64 - bit_length(limit)))
                 : 0;
}

// As CPython's random.getrandbits(k), k from 0 to 64.
static uint64_t bits_of(void *stream, int64_t count)
{
    if (count <= 0)
        return 0;
    if (count <= 32)
        return random_word(stream) >> (32 - count);
    uint64_t low = random_word(stream);
    return low | (uint64_t)(random_word(stream) >> (64 - count)) << 32;
}

static uint64_t python_bits(int64_t count)
{
    return bits_of(gridcell_random_py(), count);
}

// As CPython's random.randrange(n), n above 0.
static uint64_t python_below(uint64_t n)
{
    void *stream = gridcell_random_py();
    int width = bit_length(n);
    uint64_t value;
    do
        value = bits_of(stream, width);
    while (value >= n && n);
    return value;
}

// As CPython's random.gauss(0, 1), whose numbers come in pairs.
static double python_gauss(void)
{
    return random_python_gauss(gridcell_random_py());
}

static const struct support_symbol symbols[] = {
        SUPPORT_SYMBOL("gridcell_np_bitgen", gridcell_np_bitgen),
        SUPPORT_SYMBOL("gridcell_np_gauss", gauss),
        SUPPORT_SYMBOL("gridcell_np_number", draw),
        SUPPORT_SYMBOL("gridcell_py_gauss", python_gauss),
        SUPPORT_SYMBOL("gridcell_np_exponential", exponential),
        SUPPORT_SYMBOL("gridcell_np_gamma", standard_gamma),
        SUPPORT_SYMBOL("gridcell_np_chisquare", chisquare),
        SUPPORT_SYMBOL("gridcell_np_beta", beta),
        SUPPORT_SYMBOL("gridcell_np_f", f_ratio),
        SUPPORT_SYMBOL("gridcell_np_pareto", pareto),
        SUPPORT_SYMBOL("gridcell_np_weibull", weibull),
        SUPPORT_SYMBOL("gridcell_np_power", power),
        SUPPORT_SYMBOL("gridcell_np_rayleigh", rayleigh),
        SUPPORT_SYMBOL("gridcell_np_standard_t", standard_t),
        SUPPORT_SYMBOL("gridcell_np_standard_cauchy", standard_cauchy),
        SUPPORT_SYMBOL("gridcell_np_wald", wald),
        SUPPORT_SYMBOL("gridcell_np_vonmises", vonmises),
        SUPPORT_SYMBOL("gridcell_np_geometric", geometric),
        SUPPORT_SYMBOL("gridcell_np_zipf", zipf),
        SUPPORT_SYMBOL("gridcell_np_logseries", logseries),
        SUPPORT_SYMBOL("gridcell_np_hypergeometric", hypergeometric),
        SUPPORT_SYMBOL("gridcell_np_interval", interval),
        SUPPORT_SYMBOL("gridcell_np_binomial_workspace", binomial_workspace),
        SUPPORT_SYMBOL("gridcell_py_bits", python_bits),
        SUPPORT_SYMBOL("gridcell_py_below", python_below),
        {0},
};

void random_define_legacy(void)
{
    compiler_define_symbols(symbols);
}

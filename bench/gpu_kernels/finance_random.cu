// The kernels of finance_random.py in CUDA C.
#include <cstdint>

static __device__ double share_below(double d)
{
    double k = 1.0 / (1.0 + 0.2316419 * fabs(d));
    double found = 0.39894228040143267 * exp(-0.5 * d * d)
            * (k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)))));
    return d > 0 ? 1.0 - found : found;
}

extern "C" __global__ void black_scholes_doubles(const double *spot, const double *strike, const double *years,
        double *call, double *put, int n)
{
    const double rate = 0.02, volatility = 0.3;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double s = spot[i], x = strike[i], t = years[i], root = sqrt(t);
    double d1 = (log(s / x) + (rate + 0.5 * volatility * volatility) * t) / (volatility * root);
    double d2 = d1 - volatility * root;
    double below1 = share_below(d1), below2 = share_below(d2), now = x * exp(-rate * t);
    call[i] = s * below1 - now * below2;
    put[i] = now * (1.0 - below2) - s * (1.0 - below1);
}

extern "C" __global__ void binomial_trees(const float *spot, const float *strike, float *out, int count)
{
    const int tree = 64;
    const float up = 1.05f, up_share = 0.51f, discount = 0.999f;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) {
        float values[tree + 1], price = spot[i];
        for (int k = 0; k < tree; k++)
            price /= up;
        for (int k = 0; k < tree + 1; k++) {
            values[k] = fmaxf(strike[i] - price, 0.0f);
            price *= up * up;
        }
        for (int n = tree; n > 0; n--)
            for (int k = 0; k < n; k++)
                values[k] = discount * (up_share * values[k + 1] + (1.0f - up_share) * values[k]);
        out[i] = values[0];
    }
}

struct state {
    uint64_t s0, s1;
};

static __device__ float next_uniform(struct state *state)
{
    uint64_t s0 = state->s0, s1 = state->s1, total = s0 + s1;
    s1 ^= s0;
    state->s0 = (s0 << 55 | s0 >> 9) ^ s1 ^ (s1 << 14);
    state->s1 = s1 << 36 | s1 >> 28;
    return (float)((total >> 11) * (1.0 / (1ull << 53)));
}

extern "C" __global__ void darts(struct state *states, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int inside = 0;
        for (int k = 0; k < 64; k++) {
            float x = next_uniform(&states[i]), y = next_uniform(&states[i]);
            if (x * x + y * y <= 1.0f)
                inside++;
        }
        out[i] = inside;
    }
}

extern "C" __global__ void asian_options(const uint64_t *seeds, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        uint64_t x = seeds[i];
        double price = 100, total = 0;
        for (int k = 0; k < 100; k++) {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            price *= 1.0 + 0.02 * ((double)(int64_t)(x >> 11) * (1.0 / (1ull << 53)) - 0.5);
            total += price;
        }
        out[i] = fmax(total / 100 - 100.0, 0.0);
    }
}

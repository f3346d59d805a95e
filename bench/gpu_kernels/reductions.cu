// The kernels of reductions.py in CUDA C.
#include <cooperative_groups.h>
#include <climits>
#include <cstdint>

const int threads = 256;

extern "C" __global__ void dot_by_warps(const double *x, const double *y, double *out, int n)
{
    double total = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        total += x[i] * y[i];
    for (int reach = 16; reach > 0; reach /= 2)
        total += __shfl_down_sync(0xffffffff, total, reach);
    if (threadIdx.x % 32 == 0)
        atomicAdd(out, total);
}

extern "C" __global__ void histogram_of_bytes(const uint8_t *a, int *out, int n)
{
    __shared__ int own[256];
    int t = threadIdx.x;
    own[t] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&own[a[i]], 1);
    __syncthreads();
    atomicAdd(&out[t], own[t]);
}

extern "C" __global__ void prefix_sums(const int64_t *a, int64_t *out, int n)
{
    __shared__ int64_t own[2][threads];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, now = 0;
    own[now][t] = i < n ? a[i] : 0;
    __syncthreads();
    for (int step = 1; step < threads; step *= 2) {
        if (t >= step)
            own[1 - now][t] = own[now][t] + own[now][t - step];
        else
            own[1 - now][t] = own[now][t];
        now = 1 - now;
        __syncthreads();
    }
    if (i < n)
        out[i] = own[now][t];
}

extern "C" __global__ void argmax_of_blocks(const float *a, float *best, int *where, int n)
{
    __shared__ float values[threads];
    __shared__ int places[threads];
    int t = threadIdx.x, first = blockIdx.x * 4 * threads, place = first + t;
    float value = a[place];
    for (int i = first + t + threads; i < min(first + 4 * threads, n); i += threads)
        if (a[i] > value) {
            value = a[i];
            place = i;
        }
    values[t] = value;
    places[t] = place;
    __syncthreads();
    for (int half = threads / 2; half > 0; half >>= 1) {
        if (t < half) {
            float other = values[t + half];
            if (other > values[t] || (other == values[t] && places[t + half] < places[t])) {
                values[t] = other;
                places[t] = places[t + half];
            }
        }
        __syncthreads();
    }
    if (t == 0) {
        best[blockIdx.x] = values[0];
        where[blockIdx.x] = places[0];
    }
}

extern "C" __global__ void dynamic_shared_sums(const float *a, const int *lengths, float *out, int width)
{
    extern __shared__ float own[];
    int row = blockIdx.x, t = threadIdx.x;
    float total = 0;
    for (int j = t; j < lengths[row]; j += blockDim.x)
        total += a[row * width + j];
    own[t] = total;
    __syncthreads();
    for (int reach = blockDim.x >> 1; reach; reach >>= 1) {
        if (t < reach)
            own[t] += own[t + reach];
        __syncthreads();
    }
    if (t == 0)
        out[row] = own[0];
}

extern "C" __global__ void grid_of_rounds(double *a, double *b, int n)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x, left = (i - 1 + n) % n, right = (i + 1) % n;
    for (int k = 0; k < 5; k++) {
        b[i] = 0.5 * a[i] + 0.25 * (a[left] + a[right]);
        grid.sync();
        a[i] = 0.5 * b[i] + 0.25 * (b[left] + b[right]);
        grid.sync();
    }
    b[i] = a[i];
}

extern "C" __global__ void extremes(const int *a, int *out, int n)
{
    int least = INT_MAX, most = INT_MIN;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        least = min(least, a[i]);
        most = max(most, a[i]);
    }
    atomicMin(&out[0], least);
    atomicMax(&out[1], most);
}

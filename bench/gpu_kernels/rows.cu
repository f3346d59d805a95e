// The kernels of rows.py in CUDA C. Those that say fastmath there use nvcc's approximate functions here.
#include <cstdint>

const int threads = 128;

extern "C" __global__ void softmax_rows(const float *a, float *out, int rows, int width)
{
    __shared__ float partial[threads];
    int row = blockIdx.x, t = threadIdx.x;
    float best = -INFINITY;
    for (int j = t; j < width; j += threads)
        best = fmaxf(best, a[row * width + j]);
    partial[t] = best;
    __syncthreads();
    for (int k = 1; k < 8; k++) {
        int half = threads >> k;
        if (t < half)
            partial[t] = fmaxf(partial[t], partial[t + half]);
        __syncthreads();
    }
    best = partial[0];
    __syncthreads();
    float total = 0;
    for (int j = t; j < width; j += threads) {
        float power = expf(a[row * width + j] - best);
        out[row * width + j] = power;
        total += power;
    }
    partial[t] = total;
    __syncthreads();
    for (int k = 1; k < 8; k++) {
        int half = threads >> k;
        if (t < half)
            partial[t] += partial[t + half];
        __syncthreads();
    }
    total = partial[0];
    for (int j = t; j < width; j += threads)
        out[row * width + j] /= total;
}

static __device__ float sum_of_warp(float value)
{
    for (int reach = 16; reach > 0; reach /= 2)
        value += __shfl_xor_sync(0xffffffff, value, reach);
    return value;
}

extern "C" __global__ void layer_norm(const float *a, float *out, int rows, int width)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= rows)
        return;
    float total = 0, squares = 0;
    for (int j = lane; j < width; j += 32) {
        float value = a[row * width + j];
        total += value;
        squares += value * value;
    }
    float mean = sum_of_warp(total) / (float)width;
    float variance = sum_of_warp(squares) / (float)width - mean * mean;
    float scale = 1.0f / sqrtf(variance + 1e-5f);
    for (int j = lane; j < width; j += 32)
        out[row * width + j] = (a[row * width + j] - mean) * scale;
}

extern "C" __global__ void gelu_ufunc(const float *x, const float *y, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float u = x[i], inner = 0.7978846f * (u + 0.044715f * u * u * u);
        out[i] = 0.5f * u * (1.0f + tanhf(inner)) + y[i];
    }
}

extern "C" __global__ void moving_average_gufunc(const double *a, const int64_t *widths, double *out, int rows,
        int length)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        int width = (int)widths[row];
        double total = 0;
        for (int i = 0; i < length; i++) {
            total += a[row * length + i];
            if (i >= width)
                total -= a[row * length + i - width];
            out[row * length + i] = total / min(i + 1, width);
        }
    }
}

extern "C" __global__ void distance_gufunc(const float *a, const float *b, float *out, int rows, int length)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {
        float total = 0;
        for (int i = 0; i < length; i++) {
            float change = a[row * length + i] - b[row * length + i];
            total += change * change;
        }
        out[row] = total;
    }
}

static __device__ float root(float x)
{
    float found;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(found) : "f"(x));
    return found;
}

extern "C" __global__ void fast_unit_vectors(const float *a, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = a[i], y = a[n + i], z = a[2 * n + i], size = root(x * x + y * y + z * z);
        for (int axis = 0; axis < 3; axis++)
            out[axis * n + i] = __fdividef(a[axis * n + i], size);
    }
}

extern "C" __global__ void fast_functions(const float *x, const float *y, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float u = x[i], v = y[i];
        out[i] = __fdividef(__expf(-u * u) * __sinf(v), 1.0f + root(u)) + __logf(1.0f + v) * __cosf(u);
    }
}

// The kernels of memory.py in CUDA C.
#include <cuComplex.h>
#include <cstdint>

extern "C" __global__ void column_sums(const float *a, float *out, int rows, int columns)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < columns) {
        float total = 0;
        for (int i = 0; i < rows; i++)
            total += a[i * columns + j];
        out[j] = total;
    }
}

extern "C" __global__ void row_sums(const float *a, float *out, int rows, int columns)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows) {
        float total = 0;
        for (int j = 0; j < columns; j++)
            total += a[i * columns + j];
        out[i] = total;
    }
}

extern "C" __global__ void gather(const double *a, const int64_t *index, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a[index[i]];
}

extern "C" __global__ void strided_view(const float *a, float *out, int stride, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a[i * stride] * 2.0f;
}

extern "C" __global__ void transpose_3d(const double *a, double *out, int depth, int height, int width)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    int i = blockIdx.z * blockDim.z + threadIdx.z;
    if (i < depth && j < height && k < width)
        out[(k * height + j) * depth + i] = a[(i * height + j) * width + k];
}

extern "C" __global__ void complex_multiply_add(const cuFloatComplex *x, const cuFloatComplex *y, cuFloatComplex *z,
        int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        z[i] = cuCaddf(z[i], cuCmulf(x[i], y[i]));
}

struct body {
    float x, y, z, vx, vy, vz;
    double mass;
};

extern "C" __global__ void records_advance(float step, struct body *bodies, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        struct body *body = &bodies[i];
        body->x += step * body->vx;
        body->y += step * body->vy;
        body->z += step * body->vz;
        body->mass *= 0.5;
    }
}

extern "C" __global__ void columns_advance(const float *speeds, float *places, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        for (int axis = 0; axis < 3; axis++)
            places[axis * n + i] += 0.125f * speeds[axis * n + i];
}

extern "C" __global__ void byte_lookup(const uint8_t *a, const float *table, float *out, int height, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y < height && x < width)
        out[y * width + x] = table[a[y * width + x]];
}

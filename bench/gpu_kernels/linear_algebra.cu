// The kernels of linear_algebra.py in CUDA C.

extern "C" __global__ void matmul_shared(const double *a, const double *b, double *c, int rows, int inner)
{
    const int size = 16;
    __shared__ double left[size][size], right[size][size];
    int tx = threadIdx.x, ty = threadIdx.y, columns = inner;
    int j = blockIdx.x * blockDim.x + tx, i = blockIdx.y * blockDim.y + ty;
    double total = 0;
    for (int start = 0; start < inner; start += size) {
        left[ty][tx] = right[ty][tx] = 0.0;
        if (i < rows && start + tx < inner)
            left[ty][tx] = a[i * inner + start + tx];
        if (start + ty < inner && j < columns)
            right[ty][tx] = b[(start + ty) * columns + j];
        __syncthreads();
        for (int k = 0; k < size; k += 2)
            total += left[ty][k] * right[k][tx] + left[ty][k + 1] * right[k + 1][tx];
        __syncthreads();
    }
    if (i < rows && j < columns)
        c[i * columns + j] = total;
}

extern "C" __global__ void matmul_of_ints(const int *a, const int *b, int *c, int rows, int inner)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, columns = inner;
    if (i < rows && j < columns) {
        int total = 0;
        for (int k = 0; k < inner; k++)
            total += a[i * inner + k] * b[k * columns + j];
        c[i * columns + j] = total;
    }
}

extern "C" __global__ void sparse_by_warps(const int *columns, const int *starts, const double *values,
        const double *x, double *out, int n)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row < n) {
        double total = 0;
        for (int k = starts[row] + lane; k < starts[row + 1]; k += 32)
            total += values[k] * x[columns[k]];
        for (int reach = 16; reach > 0; reach /= 2)
            total += __shfl_down_sync(0xffffffff, total, reach);
        if (lane == 0)
            out[row] = total;
    }
}

extern "C" __global__ void batched_lu(double *a, int n)
{
    const int order = 6;
    int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= n)
        return;
    double own[order][order];
    for (int i = 0; i < order; i++)
        for (int j = 0; j < order; j++)
            own[i][j] = a[(m * order + i) * order + j];
    for (int k = 0; k < order; k++)
        for (int i = k + 1; i < order; i++) {
            own[i][k] /= own[k][k];
            for (int j = k + 1; j < order; j++)
                own[i][j] -= own[i][k] * own[k][j];
        }
    for (int i = 0; i < order; i++)
        for (int j = 0; j < order; j++)
            a[(m * order + i) * order + j] = own[i][j];
}

extern "C" __global__ void tridiagonal(const double *lower, const double *middle, const double *upper,
        const double *right, double *out, int systems)
{
    const int n = 64;
    int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s < systems) {
        double ratio[n];
        ratio[0] = upper[s] / middle[s];
        out[s] = right[s] / middle[s];
        for (int i = 1; i < n; i++) {
            int at = i * systems + s;
            double below = middle[at] - lower[at] * ratio[i - 1];
            ratio[i] = upper[at] / below;
            out[at] = (right[at] - lower[at] * out[at - systems]) / below;
        }
        for (int i = n - 2; i >= 0; i--)
            out[i * systems + s] -= ratio[i] * out[(i + 1) * systems + s];
    }
}

static __device__ float3 cross(float3 a, float3 b)
{
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

extern "C" __global__ void quaternion_rotate(const float *turns, const float *points, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float w = turns[i * 4], x = turns[i * 4 + 1], y = turns[i * 4 + 2], z = turns[i * 4 + 3];
        float scale = 1.0f / sqrtf(w * w + x * x + y * y + z * z);
        w *= scale;
        float3 axis = make_float3(x * scale, y * scale, z * scale);
        float3 p = make_float3(points[i * 3], points[i * 3 + 1], points[i * 3 + 2]);
        float3 a = cross(axis, p);
        a = make_float3(a.x + a.x, a.y + a.y, a.z + a.z);
        float3 b = cross(axis, a);
        out[i * 3] = p.x + w * a.x + b.x;
        out[i * 3 + 1] = p.y + w * a.y + b.y;
        out[i * 3 + 2] = p.z + w * a.z + b.z;
    }
}

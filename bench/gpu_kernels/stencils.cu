// The kernels of stencils.py in CUDA C.
#include <cstdint>

extern "C" __global__ void jacobi_2d(const double *a, double *out, int height, int width)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i > 0 && i < height - 1 && j > 0 && j < width - 1)
        out[i * width + j] = 0.25 * (a[(i - 1) * width + j] + a[(i + 1) * width + j] + a[i * width + j - 1]
                + a[i * width + j + 1]);
}

extern "C" __global__ void jacobi_3d(const float *a, float *out, int depth, int height, int width)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    int i = blockIdx.z * blockDim.z + threadIdx.z;
    if (i >= 1 && i < depth - 1 && j >= 1 && j < height - 1 && k >= 1 && k < width - 1) {
        int plane = height * width, at = i * plane + j * width + k;
        out[at] = (float)(1 / 6.0)
                * (a[at - plane] + a[at + plane] + a[at - width] + a[at + width] + a[at - 1] + a[at + 1]);
    }
}

extern "C" __global__ void sobel(const uint8_t *a, uint8_t *out, int height, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
        return;
    const uint8_t *above = a + (y - 1) * width + x, *here = above + width, *below = here + width;
    int across = above[1] + 2 * here[1] + below[1] - above[-1] - 2 * here[-1] - below[-1];
    int down = below[-1] + 2 * below[0] + below[1] - above[-1] - 2 * above[0] - above[1];
    out[y * width + x] = min(abs(across) + abs(down), 255);
}

extern "C" __global__ void bilateral(const float *a, float *out, int height, int width)
{
    const int radius = 3;
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        float middle = a[y * width + x], total = 0, weights = 0;
        for (int dy = -radius; dy <= radius; dy++)
            for (int dx = -radius; dx <= radius; dx++) {
                float other = a[min(max(y + dy, 0), height - 1) * width + min(max(x + dx, 0), width - 1)];
                float change = other - middle;
                float weight = expf(-(float)(dx * dx + dy * dy) * (float)(1 / 18.0)
                        - change * change * (float)(1 / 0.08));
                total += weight * other;
                weights += weight;
            }
        out[y * width + x] = total / weights;
    }
}

extern "C" __global__ void convolve_shared(const float *a, const float *weights, float *out, int height, int width)
{
    const int size = 16, reach = 2, wide = size + 2 * reach;
    __shared__ float tile[wide][wide];
    int tx = threadIdx.x, ty = threadIdx.y;
    int left = blockIdx.x * size - reach, top = blockIdx.y * size - reach;
    for (int i = ty; i < wide; i += size)
        for (int j = tx; j < wide; j += size) {
            int y = top + i, x = left + j;
            tile[i][j] = y >= 0 && y < height && x >= 0 && x < width ? a[y * width + x] : 0;
        }
    __syncthreads();
    int y = top + reach + ty, x = left + reach + tx;
    if (y < height && x < width) {
        float total = 0;
        for (int i = 0; i < 2 * reach + 1; i++)
            for (int j = 0; j < 2 * reach + 1; j++)
                total += weights[i * (2 * reach + 1) + j] * tile[ty + i][tx + j];
        out[y * width + x] = total;
    }
}

extern "C" __global__ void wave_step(const double *before, const double *now, double *after, int height, int width)
{
    const double coefficients[] = {-2.5, 4 / 3.0, -1 / 12.0};
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= 2 && i < height - 2 && j >= 2 && j < width - 2) {
        int at = i * width + j;
        double curve = 2 * coefficients[0] * now[at];
        for (int k = 1; k < 3; k++)
            curve += coefficients[k] * (now[at - k * width] + now[at + k * width] + now[at - k] + now[at + k]);
        after[at] = 2 * now[at] - before[at] + 0.1 * curve;
    }
}

extern "C" __global__ void lattice_boltzmann(const double *old, double *next, int height, int width)
{
    const int speeds_x[] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, speeds_y[] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
    const double weights[] = {4 / 9.0, 1 / 9.0, 1 / 9.0, 1 / 9.0, 1 / 9.0, 1 / 36.0, 1 / 36.0, 1 / 36.0, 1 / 36.0};
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    double f[9], density = 0, ux = 0, uy = 0;
    for (int k = 0; k < 9; k++) {
        int from_y = (y - speeds_y[k] + height) % height, from_x = (x - speeds_x[k] + width) % width;
        f[k] = old[(k * height + from_y) * width + from_x];
        density += f[k];
        ux += speeds_x[k] * f[k];
        uy += speeds_y[k] * f[k];
    }
    ux /= density;
    uy /= density;
    double squared = 1.5 * (ux * ux + uy * uy);
    for (int k = 0; k < 9; k++) {
        double along = 3.0 * (speeds_x[k] * ux + speeds_y[k] * uy);
        double equilibrium = weights[k] * density * (1.0 + along + 0.5 * along * along - squared);
        next[(k * height + y) * width + x] = f[k] + 1.2 * (equilibrium - f[k]);
    }
}

extern "C" __global__ void ising_half_step(const float *chance, int8_t *spin, int n, int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < m && (i + j) % 2 == 0) {
        int around = spin[(i + 1) % n * m + j] + spin[(i - 1 + n) % n * m + j] + spin[i * m + (j + 1) % m]
                + spin[i * m + (j - 1 + m) % m];
        int gain = 2 * spin[i * m + j] * around;
        if (gain <= 0 || chance[i * m + j] < expf(-0.44f * (float)gain))
            spin[i * m + j] = -spin[i * m + j];
    }
}

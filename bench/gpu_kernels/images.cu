// The kernels of images.py in CUDA C.
#include <cstdint>

extern "C" __global__ void mandelbrot(double left, double top, double step, int *out, int height, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        double c_re = left + x * step, c_im = top + y * step, re = 0, im = 0;
        int count = 200;
        for (int k = 0; k < 200; k++) {
            double next = re * re - im * im + c_re;
            im = 2 * re * im + c_im;
            re = next;
            if (re * re + im * im > 4.0) {
                count = k;
                break;
            }
        }
        out[y * width + x] = count;
    }
}

extern "C" __global__ void julia(const float2 *start, uint8_t *out, int height, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float re = start[y * width + x].x, im = start[y * width + x].y;
    int k = 0;
    while (k < 100) {
        float next = re * re - im * im - 0.8f;
        im = 2 * re * im + 0.156f;
        re = next;
        if (re * re + im * im > 4)
            break;
        k++;
    }
    out[y * width + x] = k;
}

extern "C" __global__ void grey_levels(const uint8_t *rgb, uint8_t *grey, int height, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (y < height && x < width) {
        const uint8_t *pixel = rgb + (y * width + x) * 3;
        grey[y * width + x] = (77 * pixel[0] + 150 * pixel[1] + 29 * pixel[2]) >> 8;
    }
}

extern "C" __global__ void rotate_bilinear(float cosine, float sine, const float *a, float *out, int height, int width)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && column < width) {
        float x = column - width / 2, y = row - height / 2;
        float from_x = cosine * x + sine * y + width / 2, from_y = cosine * y - sine * x + height / 2;
        int j = (int)floorf(from_x), i = (int)floorf(from_y);
        float found = 0;
        if (j >= 0 && j < width - 1 && i >= 0 && i < height - 1) {
            float u = from_x - j, v = from_y - i;
            const float *at = a + i * width + j;
            found = (1 - v) * ((1 - u) * at[0] + u * at[1]) + v * ((1 - u) * at[width] + u * at[width + 1]);
        }
        out[row * width + column] = found;
    }
}

extern "C" __global__ void fft_stage(int half, double2 *values, int butterflies)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < butterflies) {
        int k = i % half, first = i / half * 2 * half + k;
        double angle = -3.141592653589793 * k / half;
        double2 turn = make_double2(cos(angle), sin(angle)), other = values[first + half], kept = values[first];
        double2 turned = make_double2(turn.x * other.x - turn.y * other.y, turn.x * other.y + turn.y * other.x);
        values[first] = make_double2(kept.x + turned.x, kept.y + turned.y);
        values[first + half] = make_double2(kept.x - turned.x, kept.y - turned.y);
    }
}

extern "C" __global__ void cosine_blocks(const float *a, const float *cosines, float *out, int height, int width)
{
    __shared__ float own[8][8], half[8][8];
    int tx = threadIdx.x, ty = threadIdx.y;
    int x = blockIdx.x * blockDim.x + tx, y = blockIdx.y * blockDim.y + ty;
    own[ty][tx] = a[y * width + x];
    __syncthreads();
    float total = 0;
    for (int i = 0; i < 8; i++)
        total += cosines[ty * 8 + i] * own[i][tx];
    half[ty][tx] = total;
    __syncthreads();
    total = 0;
    for (int j = 0; j < 8; j++)
        total += half[ty][j] * cosines[tx * 8 + j];
    out[y * width + x] = total;
}

extern "C" __global__ void haar_rows(const float *a, float *out, int height, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int half = width / 2;
    if (y < height && x < half) {
        float left = a[y * width + 2 * x], right = a[y * width + 2 * x + 1];
        out[y * width + x] = (left + right) * 0.70710678f;
        out[y * width + half + x] = (left - right) * 0.70710678f;
    }
}

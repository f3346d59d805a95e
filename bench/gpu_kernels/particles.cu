// The kernels of particles.py in CUDA C.
#include <cmath>

extern "C" __global__ void n_body_shared(const float *bodies, float *out, int n)
{
    const int threads = 128;
    __shared__ float own[threads][4];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    float x = bodies[i * 4], y = bodies[i * 4 + 1], z = bodies[i * 4 + 2], ax = 0, ay = 0, az = 0;
    for (int tile = 0; tile < n / threads; tile++) {
        for (int k = 0; k < 4; k++)
            own[t][k] = bodies[(tile * threads + t) * 4 + k];
        __syncthreads();
        for (int j = 0; j < threads; j++) {
            float dx = own[j][0] - x, dy = own[j][1] - y, dz = own[j][2] - z;
            float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
            float pull = own[j][3] * inverse * inverse * inverse;
            ax += dx * pull;
            ay += dy * pull;
            az += dz * pull;
        }
        __syncthreads();
    }
    out[i * 3] = ax;
    out[i * 3 + 1] = ay;
    out[i * 3 + 2] = az;
}

extern "C" __global__ void n_body_naive(const double *places, const double *masses, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double force[3] = {0, 0, 0};
    for (int j = 0; j < n; j++) {
        double squared = 1e-3;
        for (int k = 0; k < 3; k++) {
            double change = places[j * 3 + k] - places[i * 3 + k];
            squared += change * change;
        }
        double pull = masses[j] / (squared * sqrt(squared));
        for (int k = 0; k < 3; k++)
            force[k] += pull * (places[j * 3 + k] - places[i * 3 + k]);
    }
    for (int k = 0; k < 3; k++)
        out[i * 3 + k] = force[k];
}

extern "C" __global__ void k_means_assign(const float *points, const float *centres, int *out, int n, int clusters)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int best = -1;
        float least = INFINITY;
        for (int c = 0; c < clusters; c++) {
            float distance = 0;
            for (int k = 0; k < 8; k++) {
                float change = points[i * 8 + k] - centres[c * 8 + k];
                distance += change * change;
            }
            if (distance < least) {
                best = c;
                least = distance;
            }
        }
        out[i] = best;
    }
}

static __device__ float hit(float dx, float dy, float dz, float cx, float cy, float cz, float radius)
{
    float along = dx * cx + dy * cy + dz * cz;
    float inside = along * along - (cx * cx + cy * cy + cz * cz - radius * radius);
    if (inside < 0)
        return -1;
    float root = sqrtf(inside);
    if (along - root > 0)
        return along - root;
    if (along + root > 0)
        return along + root;
    return -1;
}

extern "C" __global__ void ray_spheres(const float *directions, const float *spheres, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float dx = directions[i * 3], dy = directions[i * 3 + 1], dz = directions[i * 3 + 2], nearest = -1;
        for (int s = 0; s < 24; s++) {
            float distance = hit(dx, dy, dz, spheres[s * 4], spheres[s * 4 + 1], spheres[s * 4 + 2],
                    spheres[s * 4 + 3]);
            if (distance > 0 && (nearest < 0 || distance < nearest))
                nearest = distance;
        }
        out[i] = nearest;
    }
}

extern "C" __global__ void lennard_jones(const double *places, const int *neighbours, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double x = places[i], y = places[n + i], z = places[2 * n + i], energy = 0;
        for (int k = 0; k < 32; k++) {
            int j = neighbours[k * n + i];
            double dx = x - places[j], dy = y - places[n + j], dz = z - places[2 * n + j];
            double squared = dx * dx + dy * dy + dz * dz + 0.5;
            if (squared < 25.0) {
                double inverse = 1.0 / (squared * squared * squared);
                energy += 4.0 * (inverse * inverse - inverse);
            }
        }
        out[i] = energy;
    }
}

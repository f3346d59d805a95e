// The kernels of sorting_graphs.py in CUDA C.
#include <cstdint>

extern "C" __global__ void bitonic_step(int distance, int run, int *values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, other = i ^ distance;
    if (i < n && other > i) {
        int a = values[i], b = values[other];
        if ((a > b) == ((i & run) == 0)) {
            values[i] = b;
            values[other] = a;
        }
    }
}

extern "C" __global__ void sort_blocks(int *a, int n)
{
    const int threads = 256;
    __shared__ int own[threads];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    own[t] = a[i];
    __syncthreads();
    for (int run = 2; run <= threads; run *= 2)
        for (int distance = run / 2; distance > 0; distance /= 2) {
            int other = t ^ distance;
            if (other > t) {
                int x = own[t], y = own[other];
                if ((x > y) == ((t & run) == 0)) {
                    own[t] = y;
                    own[other] = x;
                }
            }
            __syncthreads();
        }
    a[i] = own[t];
}

extern "C" __global__ void binary_search(const double *a, const double *wanted, int64_t *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        double value = wanted[i];
        int low = 0, high = n;
        while (low < high) {
            int middle = (low + high) / 2;
            if (a[middle] >= value)
                high = middle;
            else
                low = middle + 1;
        }
        out[i] = low;
    }
}

extern "C" __global__ void hash_insert(const int *keys, int *table, int *count, int n, int slots)
{
    const int empty = -1;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int key = keys[i];
        unsigned slot = ((unsigned)key * 2654435769u >> 7) % (unsigned)slots;
        for (;;) {
            int found = atomicCAS(&table[slot], empty, key);
            if (found == empty) {
                atomicAdd(count, 1);
                break;
            }
            if (found == key)
                break;
            slot = (slot + 1) % slots;
        }
    }
}

extern "C" __global__ void rank_by_counting(const float *a, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int rank = 0;
        for (int j = 0; j < n; j++)
            if (a[j] < a[i] || (a[j] == a[i] && j < i))
                rank++;
        out[i] = rank;
    }
}

extern "C" __global__ void murmur_finish(const uint64_t *keys, uint64_t *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        uint64_t h = keys[i];
        h ^= h >> 33;
        h *= 0xff51afd7ed558ccdull;
        h ^= h >> 33;
        h *= 0xc4ceb9fe1a85ec53ull;
        h ^= h >> 33;
        out[i] = h;
    }
}

extern "C" __global__ void bfs_level(const int *starts, const int *edges, int level, int *levels, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n && levels[v] == level)
        for (int k = starts[v]; k < starts[v + 1]; k++) {
            int w = edges[k];
            if (levels[w] == -1)
                levels[w] = level + 1;
        }
}

extern "C" __global__ void page_rank(const int *starts, const int *edges, const float *ranks, const int *degrees,
        float *out, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) {
        float total = 0;
        for (int k = starts[v]; k < starts[v + 1]; k++) {
            int w = edges[k];
            total += ranks[w] / (float)degrees[w];
        }
        out[v] = (1.0f - 0.85f) / (float)n + 0.85f * total;
    }
}

extern "C" __global__ void floyd_warshall_step(int k, int *far, int n)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    int i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n && j < n) {
        int detour = far[i * n + k] + far[k * n + j];
        if (detour < far[i * n + j])
            far[i * n + j] = detour;
    }
}

extern "C" __global__ void triangles(const int *starts, const int *edges, int64_t *out, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) {
        int64_t count = 0;
        for (int k = starts[v]; k < starts[v + 1]; k++) {
            int w = edges[k], i = starts[v], j = starts[w];
            while (i < starts[v + 1] && j < starts[w + 1]) {
                if (edges[i] < edges[j]) {
                    i++;
                } else if (edges[i] > edges[j]) {
                    j++;
                } else {
                    count++;
                    i++;
                    j++;
                }
            }
        }
        out[v] = count;
    }
}

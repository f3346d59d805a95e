// The kernels of strings_bytes.py in CUDA C.
#include <cstdint>

extern "C" __global__ void count_words(const uint8_t *text, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int words = 0;
        for (int k = i * 64; k < (i + 1) * 64; k++)
            if (text[k] != ' ' && text[k] != '\n' && (k == 0 || text[k - 1] == ' ' || text[k - 1] == '\n'))
                words++;
        out[i] = words;
    }
}

extern "C" __global__ void find_pattern(const uint8_t *pattern, const uint8_t *text, uint8_t *out, int length, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int k = 0;
        while (k < length && i + k < n && text[i + k] == pattern[k])
            k++;
        out[i] = k == length;
    }
}

extern "C" __global__ void crc_of_rows(const uint8_t *rows, const uint32_t *table, uint32_t *out, int n)
{
    const int width = 128;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        uint32_t crc = 0xffffffff;
        for (int j = 0; j < width; j++)
            crc = table[(crc ^ rows[i * width + j]) & 255] ^ (crc >> 8);
        out[i] = crc ^ 0xffffffff;
    }
}

extern "C" __global__ void cipher_round(const uint8_t *box, const uint8_t *key, const uint8_t *blocks, uint8_t *out,
        int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uint8_t state[16];
    for (int column = 0; column < 4; column++)
        for (int row = 0; row < 4; row++)
            state[4 * column + row] = box[blocks[i * 16 + 4 * ((column + row) % 4) + row]];
    for (int column = 0; column < 4; column++) {
        int every = 0;
        for (int row = 0; row < 4; row++)
            every ^= state[4 * column + row];
        for (int row = 0; row < 4; row++) {
            int both = state[4 * column + row] ^ state[4 * column + (row + 1) % 4], twice = both << 1;
            if (both & 128)
                twice ^= 0x1b;
            out[i * 16 + 4 * column + row]
                    = state[4 * column + row] ^ every ^ (twice & 255) ^ key[4 * column + row];
        }
    }
}

extern "C" __global__ void levenshtein(const uint8_t *a, const uint8_t *b, int *out, int n)
{
    const int word = 24;
    int pair = blockIdx.x * blockDim.x + threadIdx.x;
    if (pair < n) {
        int costs[word + 1];
        for (int j = 0; j < word + 1; j++)
            costs[j] = j;
        for (int i = 0; i < word; i++) {
            int corner = costs[0];
            costs[0] = i + 1;
            for (int j = 0; j < word; j++) {
                int change = a[pair * word + i] == b[pair * word + j] ? corner : corner + 1;
                corner = costs[j + 1];
                costs[j + 1] = min(min(corner, costs[j]) + 1, change);
            }
        }
        out[pair] = costs[word];
    }
}

extern "C" __global__ void smith_waterman_diagonal(int d, const uint8_t *a, const uint8_t *b, const int *older,
        const int *old, int *next)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    if (i < d) {
        int j = d - i, score = older[i - 1] + (a[i - 1] == b[j - 1] ? 3 : -2);
        next[i] = max(max(score, 0), max(old[i - 1] - 1, old[i] - 1));
    }
}

extern "C" __global__ void parse_numbers(const uint8_t *text, const int *starts, int64_t *out, int n,
        int size)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int k = starts[i];
        bool is_negative = text[k] == '-';
        if (is_negative)
            k++;
        int64_t value = 0;
        while (k < size && text[k] >= '0' && text[k] <= '9')
            value = value * 10 + (text[k++] - '0');
        out[i] = is_negative ? -value : value;
    }
}

// SPDX-License-Identifier: MIT
// MurmurHash2 for 32-bit words, by Austin Appleby's public-domain description.
#include "kernel/cells/murmur2.h"

uint32_t murmur2(const void *bytes, size_t len, uint32_t seed)
{
    const uint32_t multiplier = 0x5bd1e995u;
    const unsigned char *data = bytes;
    uint32_t hash = seed ^ (uint32_t)len;
    for (; len >= 4; data += 4, len -= 4) {
        uint32_t word = (uint32_t)data[0] | (uint32_t)data[1] << 8 |
                        (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
        word *= multiplier;
        word ^= word >> 24;
        hash = hash * multiplier ^ word * multiplier;
    }
    for (size_t i = len; i > 0; i--)
        hash ^= (uint32_t)data[i - 1] << (8 * (i - 1));
    if (len)
        hash *= multiplier;
    hash ^= hash >> 13;
    hash *= multiplier;
    return hash ^ hash >> 15;
}

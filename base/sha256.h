// SPDX-License-Identifier: MIT
// SHA-256 (FIPS 180-4): names for content.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { SHA256_BYTES = 32 };

// A zeroed struct is not ready: sha256_init comes first.
struct sha256 {
    uint32_t state[8];
    uint64_t len;
    unsigned char block[64];
};

void sha256_init(struct sha256 *sha);
void sha256_add(struct sha256 *sha, const void *bytes, size_t len);
void sha256_finish(struct sha256 *sha, unsigned char digest[SHA256_BYTES]);

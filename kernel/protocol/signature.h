// SPDX-License-Identifier: MIT
// Message signatures: HMAC over the four JSON frames, and the memory that rejects
// replays.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define SIGNATURE_HEX_SIZE 129 // 64 bytes of SHA-512 as hex digits, and NUL

struct evp_mac_ctx_st;
struct sha256_mac;

// The last 2^16 signatures at least, in two generations of open-addressed 64-bit
// prefixes.
struct signature_history {
    uint64_t *recent, *older; // 0: free
    size_t recent_len, recent_capacity, older_capacity;
};

struct signature {
    // keyed, and copied for each message; both NULL: unsigned
    struct sha256_mac *sha256;
    struct evp_mac_ctx_st *template; // of another hash
    struct signature_history history;
};

struct signed_part {
    const void *bytes;
    size_t len;
};

// `scheme` is hmac-<digest>. An empty key means no signing at all.
bool signature_init(struct signature *signature, const char *scheme, const char *key,
        struct error *err);
void signature_finish(struct signature *signature);

// Lower-case hex, NUL-terminated; empty when unsigned. Any thread.
bool signature_make(const struct signature *signature, const struct signed_part parts[4],
        char hex[SIGNATURE_HEX_SIZE]);
// False when `hex` is not the signature of the parts, or was accepted before. I/O thread.
bool signature_accept(struct signature *signature, const struct signed_part parts[4],
        const void *hex, size_t hex_len, struct error *err);

// SPDX-License-Identifier: MIT
// Machine code that the driver has made of PTX, kept in files between processes.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// What a cubin was made of: two that differ in anything never share a file's content.
struct cubin_key {
    const char *ptx;
    int compute_major, compute_minor, driver_version;
};

// The kept cubin, which the caller frees; NULL when there is none that is whole.
void *cubin_cache_get(const struct cubin_key *key, size_t *size_bytes);
// Keeps a cubin for later. That it cannot be kept is no failure of the caller's: then the
// driver compiles again.
void cubin_cache_put(const struct cubin_key *key, const void *cubin, size_t size_bytes);

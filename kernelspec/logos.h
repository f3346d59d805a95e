// SPDX-License-Identifier: MIT
// The kernelspec's pictures, embedded at build time.
#pragma once

#include <stddef.h>

struct logo {
    const char *name;
    const unsigned char *bytes;
    size_t len;
};

extern const struct logo logos[];
extern const size_t logo_count;

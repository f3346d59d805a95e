// SPDX-License-Identifier: MIT
// PTX that libnvvm has made, kept in files between processes: found again, it spares a
// process the library too, which takes longer to load than most kernels to compile.
#pragma once

#include <stdbool.h>

#include <llvm-c/Core.h>

#include "base/sha256.h"
#include "base/str.h"
#include "compiler/backends/gpu/module/ptx_options.h"

struct ptx_key {
    unsigned char digest[SHA256_BYTES];
};

// The hash of all that the PTX is made of: the module, the options, this build, and the
// copies of libnvvm on this machine. False where there is none of these, or caches are
// not wanted.
bool ptx_cache_key(struct ptx_key *key, LLVMModuleRef module, int cc,
        const struct ptx_options *options);
// Appends what is kept under the key; false when nothing is.
bool ptx_cache_get(const struct ptx_key *key, struct str *ptx);
// That it cannot be kept is no failure of the caller's.
void ptx_cache_put(const struct ptx_key *key, const struct str *ptx);

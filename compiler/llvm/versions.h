// SPDX-License-Identifier: MIT
// What differs between the versions of LLVM that gridcell is built with: 19 to 21.
#pragma once

#include <llvm/Config/llvm-config.h>

// memory(...) has two bits (1 reads, 2 writes) for each kind of memory, from the bit
// named here on. LLVM 21 put errno, as a kind of its own, before all other memory.
enum {
    LLVM_MEMORY_OF_ARGUMENTS = 0,
    LLVM_MEMORY_INACCESSIBLE = 2,
    LLVM_MEMORY_ERRNO = 4,
    LLVM_MEMORY_OTHER = LLVM_VERSION_MAJOR < 21 ? 4 : 6,
};

// The barrier of a block, and how many arguments it has: LLVM 21 names one of sixteen.
#if LLVM_VERSION_MAJOR < 21
#define LLVM_BLOCK_BARRIER "llvm.nvvm.barrier0"
#else
#define LLVM_BLOCK_BARRIER "llvm.nvvm.barrier.cta.sync.aligned.all"
#endif
enum { LLVM_BLOCK_BARRIER_ARGUMENTS = LLVM_VERSION_MAJOR < 21 ? 0 : 1 };

#define LLVM_VERSION_QUOTE(number) #number
#define LLVM_VERSION_QUOTED(number) LLVM_VERSION_QUOTE(number)
// where Debian puts the files of this version
#define LLVM_FOLDER "/usr/lib/llvm-" LLVM_VERSION_QUOTED(LLVM_VERSION_MAJOR)

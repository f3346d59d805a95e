// SPDX-License-Identifier: MIT
// What LLVM asks the C library for that only glibc 2.36 has. With a function of ours the
// same file runs on older systems.
#include <stdint.h>
#include <sys/random.h>

uint32_t arc4random(void);

// For names of temporary files.
uint32_t arc4random(void)
{
    uint32_t number = 0;
    while (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        continue;
    return number;
}

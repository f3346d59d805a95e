// SPDX-License-Identifier: MIT
// The result of each call stays in a variable, so that none becomes a jump: who calls is
// told by the address that the call returns to.
#include "tests/unit/foreign_calls.h"

#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT int foreign_close(int fd)
{
    volatile int result = close(fd);
    return result;
}

EXPORT int foreign_dup2(int from, int to)
{
    volatile int result = dup2(from, to);
    return result;
}

EXPORT int foreign_close_range(unsigned first, unsigned last)
{
    volatile int result = close_range(first, last, 0);
    return result;
}

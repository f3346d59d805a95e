// SPDX-License-Identifier: MIT
// Names of cells: front ends compute the same hash.
#include "tests/unit/test.h"

#include "kernel/cells/murmur2.h"

static uint32_t hash(const char *text)
{
    return murmur2(text, strlen(text), MURMUR2_CELL_SEED);
}

TEST(known_hashes)
{
    CHECK_INT(hash("1+1"), 225133317);
    CHECK_INT(hash("a = = 3"), 1247515196);
    CHECK_INT(hash("print('\u00e9')"), 443812004);
    CHECK_INT(hash(""), 3990065800);
}

// SPDX-License-Identifier: MIT
// A fuzz target: one function that reads bytes of somebody else. Under libFuzzer it is
// called with what that makes up; in the ordinary build main.c calls it with the seeds
// beside this file and with mutations of them. It must return for any bytes, leak
// nothing, and check what must hold whatever they are.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition)                                                               \
    do {                                                                                 \
        if (!(condition)) {                                                              \
            fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__,             \
                    #condition);                                                         \
            abort();                                                                     \
        }                                                                                \
    } while (0)

// A file of this process with these bytes, under a path of its own.
static inline const char *target_file(const uint8_t *data, size_t size)
{
    static char path[64];
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%.32s/fuzz-%ld", folder ? folder : "/tmp",
            (long)getpid());
    FILE *file = fopen(path, "wb");
    REQUIRE(file && fwrite(data, 1, size, file) == size);
    fclose(file);
    return path;
}

// SPDX-License-Identifier: MIT
// What stands in for libFuzzer in the ordinary build: each file that is named on the
// command line, and simple mutations of it, the same ones each time.
#include "tests/fuzz/targets/target.h"

enum { MOST_BYTES = 1 << 16, MUTATIONS = 400 };

static uint64_t state = 88172645463325252U;

static uint64_t chance(uint64_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % below;
}

// Exactly as large as the input, so that reading past its end is seen.
static void run(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size + !size);
    REQUIRE(copy);
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static size_t mutate(uint8_t *data, size_t size)
{
    static const uint8_t special[] = {0, 1, 9, 10, 13, 32, '"', '\'', '%', '(', '-', '0',
            '9', ':', '[', '\\', '{', '}', 0x7f, 0x80, 0xc3, 0xed, 0xff};
    size_t at = size ? chance(size) : 0, len = size ? chance(size - at) + 1 : 0;
    switch (chance(6)) {
    case 0: // another byte
        if (size)
            data[at] = special[chance(sizeof special)];
        return size;
    case 1: // a bit
        if (size)
            data[at] ^= (uint8_t)(1 << chance(8));
        return size;
    case 2: // cut off
        return at;
    case 3: // left out
        memmove(data + at, data + at + len, size - at - len);
        return size - len;
    case 4: // repeated
        if (size + len > MOST_BYTES)
            return size;
        memmove(data + at + len, data + at, size - at);
        return size + len;
    default: // put in
        if (size == MOST_BYTES)
            return size;
        memmove(data + at + 1, data + at, size - at);
        data[at] = special[chance(sizeof special)];
        return size + 1;
    }
}

int main(int argc, char **argv)
{
    static uint8_t seed[MOST_BYTES], data[MOST_BYTES];
    long count = 0;
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        REQUIRE(file);
        size_t size = fread(seed, 1, sizeof seed, file);
        fclose(file);
        run(seed, size);
        for (int turn = 0; turn < MUTATIONS; turn++, count++) {
            memcpy(data, seed, size);
            size_t len = size;
            for (uint64_t times = chance(4) + 1; times; times--)
                len = mutate(data, len);
            run(data, len);
        }
    }
    printf("%d seeds, %ld mutations\n", argc - 1, count);
    return argc > 1 ? 0 : 1;
}

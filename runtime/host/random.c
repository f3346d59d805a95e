// SPDX-License-Identifier: MIT
// MT19937 as CPython and NumPy seed and read it, so that a seeded stream is theirs bit by
// bit.
#include "runtime/host/random.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/random.h>
#include <time.h>

#include "compiler/compiler.h"

enum { MT_WORDS = 624, MT_SHIFT = 397 };

struct twister {
    uint32_t words[MT_WORDS];
    int next; // index of the next word to hand out
    bool is_seeded;
};

static _Thread_local struct twister python_state, numpy_state;

static void seed_word(struct twister *state, uint32_t seed)
{
    state->words[0] = seed;
    for (uint32_t i = 1; i < MT_WORDS; i++) {
        uint32_t before = state->words[i - 1];
        state->words[i] = 1812433253u * (before ^ (before >> 30)) + i;
    }
    state->next = MT_WORDS;
    state->is_seeded = true;
}

// The reference code's init_by_array.
static void seed_array(struct twister *state, const uint32_t *key, size_t len)
{
    seed_word(state, 19650218u);
    uint32_t *words = state->words;
    size_t i = 1, j = 0;
    for (size_t k = len > MT_WORDS ? len : MT_WORDS; k; k--) {
        words[i] = (words[i] ^ ((words[i - 1] ^ (words[i - 1] >> 30)) * 1664525u)) +
                   key[j] + (uint32_t)j;
        if (++i == MT_WORDS) {
            words[0] = words[MT_WORDS - 1];
            i = 1;
        }
        j = j + 1 < len ? j + 1 : 0;
    }
    for (size_t k = MT_WORDS - 1; k; k--) {
        words[i] = (words[i] ^ ((words[i - 1] ^ (words[i - 1] >> 30)) * 1566083941u)) -
                   (uint32_t)i;
        if (++i == MT_WORDS) {
            words[0] = words[MT_WORDS - 1];
            i = 1;
        }
    }
    words[0] = 0x80000000u;
}

static void seed_from_system(struct twister *state)
{
    uint32_t key[8] = {0};
    if (getrandom(key, sizeof key, GRND_NONBLOCK) < (ssize_t)sizeof key) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        key[0] ^= (uint32_t)now.tv_nsec;
        key[1] ^= (uint32_t)now.tv_sec;
        key[2] ^= (uint32_t)(uintptr_t)state;
    }
    seed_array(state, key, sizeof key / sizeof *key);
}

static void generate(struct twister *state)
{
    uint32_t *words = state->words;
    for (int i = 0; i < MT_WORDS; i++) {
        uint32_t pair =
                (words[i] & 0x80000000u) | (words[(i + 1) % MT_WORDS] & 0x7fffffffu);
        words[i] = words[(i + MT_SHIFT) % MT_WORDS] ^ (pair >> 1) ^
                   (pair & 1 ? 0x9908b0dfu : 0);
    }
    state->next = 0;
}

static inline uint32_t next_word(struct twister *state)
{
    if (state->next >= MT_WORDS)
        generate(state);
    uint32_t word = state->words[state->next++];
    word ^= word >> 11;
    word ^= (word << 7) & 0x9d2c5680u;
    word ^= (word << 15) & 0xefc60000u;
    return word ^ (word >> 18);
}

// 53 random bits in [0, 1)
static double next_double(struct twister *state)
{
    if (!state->is_seeded)
        seed_from_system(state);
    uint32_t high = next_word(state) >> 5, low = next_word(state) >> 6;
    return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0);
}

double gridcell_random_py(void)
{
    return next_double(&python_state);
}

double gridcell_random_np(void)
{
    return next_double(&numpy_state);
}

// As random.seed(n) does for an integer: its absolute value in 32-bit words.
void gridcell_random_seed_py(uint64_t seed)
{
    int64_t number = (int64_t)seed;
    uint64_t magnitude = number < 0 ? -seed : seed;
    uint32_t key[2] = {(uint32_t)magnitude, (uint32_t)(magnitude >> 32)};
    seed_array(&python_state, key, key[1] ? 2 : 1);
}

void gridcell_random_seed_np(uint64_t seed)
{
    seed_word(&numpy_state, (uint32_t)seed);
}

void random_define_symbols(void)
{
    compiler_define_symbol("gridcell_random_py", (void *)gridcell_random_py);
    compiler_define_symbol("gridcell_random_np", (void *)gridcell_random_np);
    compiler_define_symbol("gridcell_random_seed_py", (void *)gridcell_random_seed_py);
    compiler_define_symbol("gridcell_random_seed_np", (void *)gridcell_random_seed_np);
}

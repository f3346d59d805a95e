// SPDX-License-Identifier: MIT
// MT19937 as CPython and NumPy seed and read it, so that a seeded stream is theirs bit by
// bit.
#include "runtime/host/random/random.h"

#include <stdbool.h>
#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "compiler/backends/cpu/symbols.h"

enum { MT_WORDS = 624, MT_SHIFT = 397, NUMBERS = MT_WORDS / 2 };

// A number takes two words, so that a block of words is used up by a block of numbers.
struct twister {
    // these four are read and counted down by compiled code
    uint64_t left;            // numbers not yet handed out
    double numbers[NUMBERS];  // the next one is numbers[left - 1]
    uint64_t words_left;      // words that come after the numbers not yet handed out
    uint32_t drawn[MT_WORDS]; // the next one is drawn[MT_WORDS - words_left]

    uint32_t words[MT_WORDS];
    uint32_t ahead; // numbers that the next block has, at most
    bool is_seeded;
    bool has_gauss; // numbers of a normal distribution come in pairs
    double gauss;
};

_Static_assert(offsetof(struct twister, words_left) == RANDOM_WORDS_LEFT &&
                       offsetof(struct twister, drawn) == RANDOM_WORDS_LEFT + 8 &&
                       sizeof((struct twister *)0)->drawn == 4 * RANDOM_WORDS,
        "compiled code knows where the words are");

static _Thread_local struct twister python_state, numpy_state;

static void seed_word(struct twister *state, uint32_t seed)
{
    state->words[0] = seed;
    for (uint32_t i = 1; i < MT_WORDS; i++) {
        uint32_t before = state->words[i - 1];
        state->words[i] = 1812433253u * (before ^ (before >> 30)) + i;
    }
    state->left = state->words_left = 0;
    state->ahead = NUMBERS;
    state->is_seeded = true;
    state->has_gauss = false;
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

static inline uint32_t twist(uint32_t first, uint32_t second, uint32_t shifted)
{
    uint32_t pair = (first & 0x80000000u) | (second & 0x7fffffffu);
    return shifted ^ (pair >> 1) ^ (-(pair & 1) & 0x9908b0dfu);
}

static inline uint32_t temper(uint32_t word)
{
    word ^= word >> 11;
    word ^= (word << 7) & 0x9d2c5680u;
    word ^= (word << 15) & 0xefc60000u;
    return word ^ (word >> 18);
}

static void generate(struct twister *state)
{
    uint32_t *words = state->words;
    enum { REST = MT_WORDS - MT_SHIFT };
    for (int i = 0; i < REST; i++)
        words[i] = twist(words[i], words[i + 1], words[i + MT_SHIFT]);
    for (int i = REST; i < MT_WORDS - 1; i++)
        words[i] = twist(words[i], words[i + 1], words[i - REST]);
    words[MT_WORDS - 1] = twist(words[MT_WORDS - 1], words[0], words[MT_SHIFT - 1]);
    for (int i = 0; i < MT_WORDS; i++)
        state->drawn[i] = temper(words[i]);
    state->words_left = MT_WORDS;
}

// Who draws words and numbers by turns has each block of numbers given back: blocks begin
// small then, and grow again as they are used up.
static void give_back(struct twister *state)
{
    state->words_left += 2 * state->left;
    state->left = 0;
    state->ahead = 1;
}

// Makes the next word one that is there, and before it no numbers.
static __attribute__((noinline)) void make_words(struct twister *state)
{
    if (!state->is_seeded)
        seed_from_system(state);
    if (state->left)
        give_back(state);
    if (!state->words_left)
        generate(state);
}

// The next word, which numbers made ahead of it give back.
static inline uint32_t draw_word(struct twister *state)
{
    if (__builtin_expect(state->left || !state->words_left, 0))
        make_words(state);
    return state->drawn[MT_WORDS - state->words_left--];
}

static double number_of(uint32_t first, uint32_t second)
{
    int32_t high = (int32_t)(first >> 5), low = (int32_t)(second >> 6);
    return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0);
}

// The next block of numbers: 53 random bits each, in [0, 1). One of which only the first
// word is left is made alone.
static void fill(struct twister *state)
{
    if (!state->is_seeded)
        seed_from_system(state);
    if (!state->words_left)
        generate(state);
    uint32_t count = (uint32_t)state->words_left / 2;
    if (!count) {
        uint32_t first = draw_word(state), second = draw_word(state);
        state->numbers[0] = number_of(first, second);
        state->left = 1;
        return;
    }
    if (count > state->ahead)
        count = state->ahead;
    const uint32_t *drawn = state->drawn + MT_WORDS - state->words_left;
    for (uint32_t i = 0; i < count; i++)
        state->numbers[count - 1 - i] = number_of(drawn[2 * i], drawn[2 * i + 1]);
    state->left = count;
    state->words_left -= 2 * count;
    state->ahead = state->ahead < NUMBERS ? 2 * state->ahead : NUMBERS;
}

void random_set_state(void *stream, const uint32_t *words)
{
    struct twister *state = stream;
    memcpy(state->words, words, sizeof state->words);
    state->left = state->words_left = 0;
    state->ahead = NUMBERS;
    state->is_seeded = true;
    state->has_gauss = false;
}

double random_number(void *stream)
{
    struct twister *state = stream;
    if (!state->left)
        fill(state);
    return state->numbers[--state->left];
}

uint32_t random_word(void *stream)
{
    return draw_word(stream);
}

uint64_t random_wide_word(void *stream)
{
    uint64_t high = draw_word(stream);
    return high << 32 | draw_word(stream);
}

uint64_t random_up_to(void *stream, uint64_t limit, uint64_t mask)
{
    uint64_t value;
    if (limit <= UINT32_MAX)
        while ((value = draw_word(stream) & mask) > limit)
            ;
    else
        while ((value = random_wide_word(stream) & mask) > limit)
            ;
    return value;
}

double random_gauss(void *stream)
{
    struct twister *state = stream;
    if (state->has_gauss) {
        state->has_gauss = false;
        return state->gauss;
    }
    double x, y, square;
    do {
        x = 2 * random_number(state) - 1;
        y = 2 * random_number(state) - 1;
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    double factor = sqrt(-2 * log(square) / square);
    state->gauss = factor * x;
    state->has_gauss = true;
    return factor * y;
}

double random_python_gauss(void *stream)
{
    struct twister *state = stream;
    if (state->has_gauss) {
        state->has_gauss = false;
        return state->gauss;
    }
    double turn = random_number(state) * 2 * M_PI;
    double radius = sqrt(-2.0 * log(1.0 - random_number(state)));
    state->gauss = sin(turn) * radius;
    state->has_gauss = true;
    return cos(turn) * radius;
}

void gridcell_random_fill(void *numbers)
{
    fill(numbers);
}

void gridcell_random_words(void *numbers)
{
    make_words(numbers);
}

void *gridcell_random_py(void)
{
    return &python_state;
}

void *gridcell_random_np(void)
{
    return &numpy_state;
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

// As np.random.seed(array), of 32-bit words.
static void seed_np_words(const uint32_t *words, int64_t count)
{
    seed_array(&numpy_state, words, (size_t)count);
}

// As seed() without an argument.
static void seed_anew_py(void)
{
    seed_from_system(&python_state);
}

static void seed_anew_np(void)
{
    seed_from_system(&numpy_state);
}

static void forget(struct twister *state)
{
    state->left = state->words_left = 0;
    state->is_seeded = false;
    state->has_gauss = false;
}

// A forked child draws numbers of its own, not its parent's and its siblings'.
static void forget_all(void)
{
    forget(&python_state);
    forget(&numpy_state);
}

static const struct support_symbol symbols[] = {
        SUPPORT_SYMBOL("gridcell_random_fill", gridcell_random_fill),
        SUPPORT_SYMBOL("gridcell_random_words", gridcell_random_words),
        SUPPORT_SYMBOL("gridcell_random_py", gridcell_random_py),
        SUPPORT_SYMBOL("gridcell_random_np", gridcell_random_np),
        SUPPORT_SYMBOL("gridcell_random_seed_py", gridcell_random_seed_py),
        SUPPORT_SYMBOL("gridcell_random_seed_np", gridcell_random_seed_np),
        SUPPORT_SYMBOL("gridcell_random_seed_np_words", seed_np_words),
        SUPPORT_SYMBOL("gridcell_random_seed_anew_py", seed_anew_py),
        SUPPORT_SYMBOL("gridcell_random_seed_anew_np", seed_anew_np),
        {0},
};

void random_define_symbols(void)
{
    static bool has_fork_handler;
    if (!has_fork_handler)
        pthread_atfork(NULL, NULL, forget_all);
    has_fork_handler = true;
    random_define_legacy();
    compiler_define_symbols(symbols);
}

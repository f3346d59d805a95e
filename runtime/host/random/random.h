// SPDX-License-Identifier: MIT
// The random streams of compiled code: one Mersenne Twister per thread for each of the
// `random` module and NumPy's legacy generator, seeded from the system until the code
// seeds it.
#pragma once

#include <stdint.h>

#include "compiler/types/random_words.h"

// The calling thread's numbers of random.random() and of np.random.random(): an uint64_t
// that counts those left, then a block of them in which the next one is the last left.
void *gridcell_random_py(void);
void *gridcell_random_np(void);

// Replaces a block that is used up by the next one.
void gridcell_random_fill(void *numbers);

// Behind the block, after so many bytes: an uint64_t that counts the words left of 32
// bits, then RANDOM_WORDS words, of which they are the last. They come after the numbers
// left: who draws a word while there are some, or none is left, calls this first.
void gridcell_random_words(void *numbers);

void gridcell_random_seed_py(uint64_t seed);
void gridcell_random_seed_np(uint64_t seed);

// Single draws from a stream, as NumPy's legacy generator makes them: a number in [0, 1),
// 32 and 64 bits, a number of the normal distribution.
double random_number(void *stream);
uint32_t random_word(void *stream);
uint64_t random_wide_word(void *stream);
double random_gauss(void *stream);
// Bits of the mask, drawn until they are at most the limit; words where that has 32 bits.
uint64_t random_up_to(void *stream, uint64_t limit, uint64_t mask);
// As random.gauss(0, 1) of CPython.
double random_python_gauss(void *stream);

// The stream goes on from the 624 words of a state that has just been seeded.
void random_set_state(void *stream, const uint32_t *words);

// NumPy's interface to the calling thread's stream of np.random (a bitgen_t).
void *gridcell_np_bitgen(void);

// Makes the functions above known to compiled code.
void random_define_symbols(void);
void random_define_legacy(void);

// SPDX-License-Identifier: MIT
// The random streams of compiled code: one Mersenne Twister per thread for each of the
// `random` module and NumPy's legacy generator, seeded from the system until the code
// seeds it.
#pragma once

#include <stdint.h>

// The calling thread's numbers of random.random() and of np.random.random(): an uint64_t
// that counts those left, then a block of them in which the next one is the last left.
void *gridcell_random_py(void);
void *gridcell_random_np(void);

// Replaces a block that is used up by the next one.
void gridcell_random_fill(void *numbers);

void gridcell_random_seed_py(uint64_t seed);
void gridcell_random_seed_np(uint64_t seed);

// Makes the functions above known to compiled code.
void random_define_symbols(void);

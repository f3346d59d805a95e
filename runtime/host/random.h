// SPDX-License-Identifier: MIT
// The random streams of compiled code: one Mersenne Twister per thread for each of the
// `random` module and NumPy's legacy generator, seeded from the system until the code
// seeds it.
#pragma once

#include <stdint.h>

double gridcell_random_py(void); // random.random()
double gridcell_random_np(void); // np.random.random()
void gridcell_random_seed_py(uint64_t seed);
void gridcell_random_seed_np(uint64_t seed);

// Makes the functions above known to compiled code.
void random_define_symbols(void);

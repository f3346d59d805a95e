// SPDX-License-Identifier: MIT
// Where the words of a stream of random numbers lie (runtime/host/random/random.h).
#pragma once

enum { RANDOM_WORDS = 624, RANDOM_WORDS_LEFT = 8 + 8 * RANDOM_WORDS / 2 };

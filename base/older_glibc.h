// SPDX-License-Identifier: MIT
// Included by what calls hypot and hypotf. glibc 2.35 has them twice: the versions from
// before compute the same and set errno, too. Asking for these leaves wheels that run
// with glibc 2.34.
#pragma once

#include <features.h>

#if defined(__x86_64__) && defined(__GLIBC__)
__asm__(".symver hypot, hypot@GLIBC_2.2.5");
__asm__(".symver hypotf, hypotf@GLIBC_2.2.5");
#endif

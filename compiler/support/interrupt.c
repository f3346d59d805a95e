// SPDX-License-Identifier: MIT
// The flag that compiled loops poll. It has a file of its own, as programs without the
// JIT link it too.
#include "compiler/support/interrupt.h"

volatile int compiler_interrupt_flag;

// SPDX-License-Identifier: MIT
// input() and getpass() on the stdin channel.
#pragma once

#include <stdbool.h>

#include "base/error.h"
#include "base/str.h"

struct kernel;
struct origin;

// A lane's thread: forgets the interrupts so far, which its caller has to look at.
void input_begin(struct kernel *kernel);

// A lane's thread: asks, and waits for the answer. The question belongs to `origin`.
bool input_ask(struct kernel *kernel, const struct origin *origin, const char *prompt,
        bool is_password, struct str *value, struct error *err);

// SPDX-License-Identifier: MIT
// Descriptors of the kernel's own, which cells cannot close.
#pragma once

#include "kernel/protocol/connection.h"

// From now on what is open, and what front ends' connections open, is the kernel's.
void descriptors_guard(const struct connection *connection);
void descriptors_release(void);
// One that was opened later. Any thread.
void descriptors_note(int fd);
// All files that are open now under a path that begins so; NULL: all but files.
void descriptors_note_open(const char *path);
// The library that `function` lies in may close them, too.
void descriptors_allow(const void *function);

// SPDX-License-Identifier: MIT
// Descriptors of the kernel's own, which cells cannot close.
#pragma once

#include <stdbool.h>
#include <sys/socket.h>

// Whether a socket with this address of its own is the kernel's. Any thread.
typedef bool (*descriptors_owner)(const struct sockaddr_storage *address);

// From now on what is open, and sockets with such an address, are the kernel's.
void descriptors_guard(descriptors_owner owns);
void descriptors_release(void);
// One that was opened later. Any thread.
void descriptors_note(int fd);
// All files that are open now under a path that begins so; NULL: all but files.
void descriptors_note_open(const char *path);
// The library that `function` lies in may close them, too.
void descriptors_allow(const void *function);

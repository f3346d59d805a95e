// SPDX-License-Identifier: MIT
// Where the parts of a CUDA toolkit lie on this machine.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/str.h"

// Adds a folder in which the user's Python finds packages: NVIDIA's bring parts of a
// toolkit. To be called before the first compilation, if at all; the text is copied.
void nvvm_search_add_packages(const char *folder);

// Calls `visit` with each existing candidate path of libnvvm (best first; the last is a
// bare name for the loader's own search) until it returns true; true if it did.
bool nvvm_search_library(bool (*visit)(const char *path, void *data), void *data);

// Reads libdevice's bitcode: the one beside `libnvvm` (a path or NULL) first. The caller
// frees.
char *nvvm_search_libdevice(const char *libnvvm, size_t *len);

// Reads the libclc bitcode for NVPTX that Debian ships, a stand-in for libdevice.
char *nvvm_search_libclc(size_t *len);

// Calls `visit` with each existing candidate path of another library of the toolkit
// ("nvrtc": libnvrtc.so*), likewise.
bool nvvm_search_toolkit(
        const char *stem, bool (*visit)(const char *path, void *data), void *data);

// Calls `visit` with one of CUDA's headers, likewise: its folder has all of them.
bool nvvm_search_headers(bool (*visit)(const char *path, void *data), void *data);

// Opens a candidate, for visitors. `failure` keeps why the first file that is there could
// not be opened: a broken library is to be told from a missing one.
void *nvvm_search_open(const char *path, struct error *failure);

// The places looked at, as a list for a message.
void nvvm_search_describe(struct str *out);

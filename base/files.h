// SPDX-License-Identifier: MIT
// Files that are written whole. Others may write into the folder, as into /tmp, or read
// the file while it is written: the new content goes into a file of its own, under a name
// that nobody can guess, and takes the old one's place by renaming. What stood under the
// path, a link to somebody's file too, is replaced and not written through.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum {
    FILE_PRIVATE = 0600, // for this user alone, under any umask
    FILE_SHARED = 0644,  // as far as the umask lets
};

// What the names of files end in that are not finished yet.
#define FILE_UNFINISHED ".tmp"

// False, with the reason in errno, when it cannot be written; then the old file stays.
bool file_replace(const char *path, const void *bytes, size_t size_bytes, mode_t mode);
// Makes the folders above `path` that are missing: for this user only, but Python's
// __pycache__ as Python makes it. Whoever writes there next finds out what is not
// possible.
void file_make_folders(const char *path, mode_t mode);
// Reads into the memory, or writes it, as often as the descriptor takes only a part.
bool file_transfer(int fd, void *memory, size_t size_bytes, bool is_written);

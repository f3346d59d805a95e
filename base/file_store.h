// SPDX-License-Identifier: MIT
// Files of a folder, each with what belongs to a key: caches on disk. Many processes may
// use one at once. A file that is torn, of another key, or of another user counts as
// none.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

struct file_store {
    const char *folder; // made when something is written; NULL: other processes' alone
    const char *suffix; // of its files' names; file_store_trim looks at no others
};

// Appends the folder that gridcell's caches lie in: GRIDCELL_CACHE_DIR, else
// $XDG_CACHE_HOME/gridcell, else ~/.cache/gridcell. False when the user wants none
// (GRIDCELL_CACHE_DIR is empty), or there is no home for it.
bool file_store_home(struct str *path);

// What is kept under the key in the file `name` + suffix, to be freed; NULL when there is
// none. The file counts as used now.
void *file_store_read(const struct file_store *store, const char *name, const void *key,
        size_t key_bytes, size_t *content_bytes);
// Keeps the content. The file appears whole, by renaming: of several that are written at
// once the last stays. ERROR_SYSTEM when it cannot be written.
bool file_store_write(const struct file_store *store, const char *name, const void *key,
        size_t key_bytes, const void *content, size_t content_bytes, struct error *err);

// Other processes' files, by their names, suffix included: asked for what the disk does
// not have, and given what is written. Any thread; neither may fail.
struct file_exchange {
    // A whole file, to be freed; NULL when there is none.
    char *(*fetch)(const char *name, size_t *size_bytes);
    void (*offer)(const char *name, const void *bytes, size_t size_bytes);
};

// Joins an exchange, which stays; NULL: leaves it.
void file_store_join(const struct file_exchange *exchange);
bool file_store_is_joined(void);

// Deletes the files that were used longest ago until the rest is within the limit.
void file_store_trim(const struct file_store *store, uint64_t limit_bytes);

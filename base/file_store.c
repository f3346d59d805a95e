// SPDX-License-Identifier: MIT
// A file holds a header, its whole key, so that names may be short hashes, and the
// content; a checksum covers both. Its time of change is when it was used last.
#include "base/file_store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/files.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/vec.h"

enum { MAX_FILE_BYTES = 1 << 28, TOUCH_AFTER_S = 600, ABANDONED_AFTER_S = 3600 };

static const char MAGIC[] = {'g', 'c', 's', 't', 'o', 'r', 'e', '1'};

struct header {
    char magic[8];
    uint64_t key_bytes, content_bytes;
    uint64_t checksum; // of key and content
};

static const struct file_exchange *_Atomic joined; // NULL: none

void file_store_join(const struct file_exchange *exchange)
{
    atomic_store(&joined, exchange);
}

bool file_store_is_joined(void)
{
    return atomic_load(&joined) != NULL;
}

bool file_store_home(struct str *path)
{
    const char *chosen = getenv("GRIDCELL_CACHE_DIR");
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    size_t start = path->len;
    if (chosen)
        str_append(path, chosen);
    else if (cache && cache[0] == '/')
        str_printf(path, "%s/gridcell", cache);
    else if (home && home[0])
        str_printf(path, "%s/.cache/gridcell", home);
    return path->len > start;
}

// --- reading

// Code from a file runs as this user: nobody else may have written it.
static bool is_trusted(const struct stat *status)
{
    return S_ISREG(status->st_mode) &&
           (status->st_uid == geteuid() || status->st_uid == 0) &&
           !(status->st_mode & (S_IWGRP | S_IWOTH)) &&
           status->st_size > (off_t)sizeof(struct header) &&
           status->st_size < MAX_FILE_BYTES;
}

static char *load_file(const char *path, size_t *size_bytes)
{
    struct stat status;
    char *content = NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0)
        return NULL;
    if (!fstat(file, &status) && is_trusted(&status)) {
        *size_bytes = (size_t)status.st_size;
        content = malloc(*size_bytes);
        if (content && !file_transfer(file, content, *size_bytes, false)) {
            free(content);
            content = NULL;
        }
        if (content && time(NULL) - status.st_mtime > TOUCH_AFTER_S)
            futimens(file, NULL); // of no consequence where it is not allowed
    }
    close(file);
    return content;
}

static bool is_of(const char *file, size_t size_bytes, const void *key, size_t key_bytes)
{
    struct header header;
    if (size_bytes <= sizeof header)
        return false;
    memcpy(&header, file, sizeof header);
    const char *body = file + sizeof header;
    size_t body_bytes = size_bytes - sizeof header;
    return !memcmp(header.magic, MAGIC, sizeof MAGIC) && header.key_bytes == key_bytes &&
           body_bytes > key_bytes && header.content_bytes == body_bytes - key_bytes &&
           !memcmp(body, key, key_bytes) && map_hash(body, body_bytes) == header.checksum;
}

// The content of a file, which is freed; NULL where it is another key's, or damaged.
static void *take_content(char *file, size_t file_bytes, const void *key,
        size_t key_bytes, size_t *content_bytes)
{
    void *content = NULL;
    if (file && is_of(file, file_bytes, key, key_bytes)) {
        *content_bytes = file_bytes - sizeof(struct header) - key_bytes;
        content = memory_alloc(*content_bytes);
        memcpy(content, file + file_bytes - *content_bytes, *content_bytes);
    }
    free(file);
    return content;
}

void *file_store_read(const struct file_store *store, const char *name, const void *key,
        size_t key_bytes, size_t *content_bytes)
{
    const struct file_exchange *exchange = atomic_load(&joined);
    struct str path = {0};
    size_t file_bytes = 0, folder_len = 0;
    void *content = NULL;
    if (store->folder)
        str_printf(&path, "%s/", store->folder);
    folder_len = path.len;
    str_printf(&path, "%s%s", name, store->suffix);
    char *file = store->folder ? load_file(path.text, &file_bytes) : NULL;
    content = take_content(file, file_bytes, key, key_bytes, content_bytes);
    if (!content && exchange) {
        file = exchange->fetch(path.text + folder_len, &file_bytes);
        content = take_content(file, file_bytes, key, key_bytes, content_bytes);
    }
    str_finish(&path);
    return content;
}

// --- writing

static bool write_file(const struct file_store *store, const char *name,
        const struct str *bytes, struct error *err)
{
    struct str path = {0};
    str_printf(&path, "%s/%s%s", store->folder, name, store->suffix);
    file_make_folders(path.text, 0700);
    bool is_done = file_replace(path.text, bytes->text, bytes->len, FILE_SHARED) ||
                   error_set(err, ERROR_SYSTEM, SPAN_NONE, "%s: %s", store->folder,
                           strerror(errno));
    str_finish(&path);
    return is_done;
}

bool file_store_write(const struct file_store *store, const char *name, const void *key,
        size_t key_bytes, const void *content, size_t content_bytes, struct error *err)
{
    const struct file_exchange *exchange = atomic_load(&joined);
    struct str path = {0}, bytes = {0};
    struct header header = {.key_bytes = key_bytes, .content_bytes = content_bytes};
    memcpy(header.magic, MAGIC, sizeof MAGIC);
    str_append_bytes(&bytes, &header, sizeof header);
    str_append_bytes(&bytes, key, key_bytes);
    str_append_bytes(&bytes, content, content_bytes);
    header.checksum = map_hash(bytes.text + sizeof header, bytes.len - sizeof header);
    memcpy(bytes.text, &header, sizeof header);
    if (exchange) {
        str_printf(&path, "%s%s", name, store->suffix);
        exchange->offer(path.text, bytes.text, bytes.len);
    }
    bool is_done = !store->folder || write_file(store, name, &bytes, err);
    str_finish(&bytes);
    str_finish(&path);
    return is_done;
}

// --- what is too much

struct kept {
    char *path;
    uint64_t size_bytes;
    struct timespec used;
};

struct listing {
    VEC(struct kept) files;
    uint64_t total_bytes;
};

static void list_file(
        struct listing *listing, const struct file_store *store, const char *name)
{
    struct stat status;
    struct str path = {0};
    str_printf(&path, "%s/%s", store->folder, name);
    if (lstat(path.text, &status) || !S_ISREG(status.st_mode) ||
            status.st_uid != geteuid()) {
        str_finish(&path);
    } else if (str_ends_with(name, store->suffix)) {
        vec_push(&listing->files, (struct kept){.size_bytes = (uint64_t)status.st_size,
                                          .used = status.st_mtim,
                                          .path = str_take(&path)});
        listing->total_bytes += (uint64_t)status.st_size;
    } else {
        // left by a process that was ended while it wrote
        if (str_ends_with(name, FILE_UNFINISHED) && strstr(name, store->suffix) &&
                time(NULL) - status.st_mtime > ABANDONED_AFTER_S)
            unlink(path.text);
        str_finish(&path);
    }
}

static int oldest_first(const void *left, const void *right)
{
    const struct kept *a = left, *b = right;
    if (a->used.tv_sec != b->used.tv_sec)
        return a->used.tv_sec < b->used.tv_sec ? -1 : 1;
    return (a->used.tv_nsec > b->used.tv_nsec) - (a->used.tv_nsec < b->used.tv_nsec);
}

void file_store_trim(const struct file_store *store, uint64_t limit_bytes)
{
    struct listing listing = {0};
    DIR *folder = store->folder ? opendir(store->folder) : NULL;
    if (!folder)
        return;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
        list_file(&listing, store, entry->d_name);
    closedir(folder);
    if (listing.files.len)
        qsort(listing.files.items, listing.files.len, sizeof *listing.files.items,
                oldest_first);
    vec_each (file, &listing.files) {
        if (listing.total_bytes > limit_bytes && !unlink(file->path))
            listing.total_bytes -= file->size_bytes;
        free(file->path);
    }
    vec_finish(&listing.files);
}

// SPDX-License-Identifier: MIT
// One file for each cubin in GRIDCELL_CACHE_DIR (~/.cache/gridcell; set and empty: no
// cache). It holds its whole key, so that equal hashes of different keys do no harm, and
// a checksum, so that a torn file counts as none. Files appear whole, by renaming:
// processes that write the same one leave the last.
#include "runtime/cuda/cubin_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/str.h"

enum { MAX_FILE_BYTES = 1 << 28 };

static const char MAGIC[] = {'g', 'c', 'c', 'u', 'b', 'i', 'n', '1'};

struct header {
    char magic[8];
    uint64_t key_bytes, cubin_bytes;
    uint64_t checksum; // of key and cubin
};

static void key_text(const struct cubin_key *key, struct str *text)
{
    str_printf(text, "sm %d.%d driver %d\n", key->compute_major, key->compute_minor,
            key->driver_version);
    str_append(text, key->ptx);
}

// False when the user wants no cache, or there is no home for it.
static bool folder_path(struct str *path)
{
    const char *chosen = getenv("GRIDCELL_CACHE_DIR");
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (chosen)
        str_append(path, chosen);
    else if (cache && cache[0] == '/')
        str_printf(path, "%s/gridcell", cache);
    else if (home && home[0])
        str_printf(path, "%s/.cache/gridcell", home);
    if (!path->len)
        return false;
    str_append(path, "/cubin");
    return true;
}

static bool file_path(const struct str *key, struct str *path)
{
    if (!folder_path(path))
        return false;
    str_printf(path, "/%016" PRIx64 ".cubin", map_hash(key->text, key->len));
    return true;
}

static bool read_whole(int file, void *memory, size_t size_bytes)
{
    for (size_t done = 0; done < size_bytes;) {
        ssize_t got = read(file, (char *)memory + done, size_bytes - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

static bool write_whole(int file, const void *memory, size_t size_bytes)
{
    for (size_t done = 0; done < size_bytes;) {
        ssize_t put = write(file, (const char *)memory + done, size_bytes - done);
        if (put < 0 && errno == EINTR)
            continue;
        if (put <= 0)
            return false;
        done += (size_t)put;
    }
    return true;
}

// The file's content, which the caller frees; NULL when there is none of such a size.
static char *load_file(const char *path, size_t *size_bytes)
{
    struct stat status;
    char *content = NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return NULL;
    if (!fstat(file, &status) && status.st_size > (off_t)sizeof(struct header) &&
            status.st_size < MAX_FILE_BYTES) {
        *size_bytes = (size_t)status.st_size;
        content = malloc(*size_bytes);
        if (content && !read_whole(file, content, *size_bytes)) {
            free(content);
            content = NULL;
        }
    }
    close(file);
    return content;
}

static bool is_of(const char *content, size_t size_bytes, const struct str *key)
{
    struct header header;
    memcpy(&header, content, sizeof header);
    const char *body = content + sizeof header;
    size_t body_bytes = size_bytes - sizeof header;
    return !memcmp(header.magic, MAGIC, sizeof MAGIC) && header.key_bytes == key->len &&
           body_bytes > key->len && header.cubin_bytes == body_bytes - key->len &&
           !memcmp(body, key->text, key->len) &&
           map_hash(body, body_bytes) == header.checksum;
}

void *cubin_cache_get(const struct cubin_key *key, size_t *size_bytes)
{
    struct str text = {0}, path = {0};
    size_t file_bytes = 0;
    char *cubin = NULL;
    key_text(key, &text);
    char *content = file_path(&text, &path) ? load_file(path.text, &file_bytes) : NULL;
    if (content && is_of(content, file_bytes, &text)) {
        *size_bytes = file_bytes - sizeof(struct header) - text.len;
        cubin = memory_alloc(*size_bytes);
        memcpy(cubin, content + file_bytes - *size_bytes, *size_bytes);
    }
    free(content);
    str_finish(&path);
    str_finish(&text);
    return cubin;
}

// Makes the folders above `path`, for this user only.
static void make_folders(char *path)
{
    for (char *end = strchr(path + 1, '/'); end; end = strchr(end + 1, '/')) {
        *end = '\0';
        mkdir(path, 0700);
        *end = '/';
    }
}

static bool write_file(const char *path, const struct header *header,
        const struct str *key, const void *cubin)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return false;
    bool is_done = write_whole(file, header, sizeof *header) &&
                   write_whole(file, key->text, key->len) &&
                   write_whole(file, cubin, (size_t)header->cubin_bytes);
    return !close(file) && is_done;
}

void cubin_cache_put(const struct cubin_key *key, const void *cubin, size_t size_bytes)
{
    static atomic_uint serial;
    struct str text = {0}, path = {0}, temporary = {0}, body = {0};
    key_text(key, &text);
    if (file_path(&text, &path)) {
        str_append_bytes(&body, text.text, text.len);
        str_append_bytes(&body, cubin, size_bytes);
        struct header header = {.key_bytes = text.len,
                .cubin_bytes = size_bytes,
                .checksum = map_hash(body.text, body.len)};
        memcpy(header.magic, MAGIC, sizeof MAGIC);
        str_printf(&temporary, "%s.%ld.%u", path.text, (long)getpid(),
                atomic_fetch_add(&serial, 1));
        make_folders(path.text);
        if (!write_file(temporary.text, &header, &text, cubin) ||
                rename(temporary.text, path.text))
            unlink(temporary.text);
    }
    str_finish(&body);
    str_finish(&temporary);
    str_finish(&path);
    str_finish(&text);
}

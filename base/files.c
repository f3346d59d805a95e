// SPDX-License-Identifier: MIT
// See files.h for what is guarded against. Not synced to the disk: after a loss of power
// the old or the new content is there, or nothing, and all who read such files check
// them.
#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/str.h"

enum { MOST_NAMES = 16 }; // tried; one that exists already is next to impossible

bool file_transfer(int fd, void *memory, size_t size_bytes, bool is_written)
{
    char *bytes = memory;
    for (size_t done = 0; done < size_bytes;) {
        ssize_t moved = is_written ? write(fd, bytes + done, size_bytes - done)
                                   : read(fd, bytes + done, size_bytes - done);
        if (moved < 0 && errno == EINTR)
            continue;
        if (moved <= 0)
            return false;
        done += (size_t)moved;
    }
    return true;
}

static uint64_t random_number(void)
{
    uint64_t number = 0;
    while (getrandom(&number, sizeof number, 0) < 0 && errno == EINTR)
        continue;
    return number;
}

// A new file beside `path`, with its name; -1 and errno when there can be none.
static int open_beside(const char *path, mode_t mode, struct str *name)
{
    int fd = -1;
    for (int i = 0; fd < 0 && i < MOST_NAMES; i++) {
        str_clear(name);
        str_printf(name, "%s.%016llx" FILE_UNFINISHED, path,
                (unsigned long long)random_number());
        fd = open(name->text, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (fd < 0 && errno != EEXIST)
            return -1;
    }
    return fd;
}

bool file_replace(const char *path, const void *bytes, size_t size_bytes, mode_t mode)
{
    struct str unfinished = {0};
    int fd = open_beside(path, mode, &unfinished);
    bool is_made = fd >= 0, is_done = is_made;
    if (is_done && mode == FILE_PRIVATE)
        is_done = !fchmod(fd, mode);
    is_done = is_done && file_transfer(fd, (void *)(uintptr_t)bytes, size_bytes, true);
    int reason = errno;
    // some file systems report only here that there was no room
    if (is_made && close(fd) && is_done) {
        is_done = false;
        reason = errno;
    }
    if (is_done && rename(unfinished.text, path)) {
        is_done = false;
        reason = errno;
    }
    if (!is_done && is_made)
        unlink(unfinished.text);
    str_finish(&unfinished);
    errno = reason;
    return is_done;
}

void file_make_folders(const char *path, mode_t mode)
{
    char *copy = memory_strdup(path);
    for (char *end = strchr(copy + 1, '/'); end; end = strchr(end + 1, '/')) {
        *end = '\0';
        mkdir(copy, str_ends_with(copy, "/__pycache__") ? 0777 : mode);
        *end = '/';
    }
    free(copy);
}

// SPDX-License-Identifier: MIT
// Names of cells by the hash of their text. Files are written only for a debugger, into a
// folder that nobody else can have prepared.
#include "kernel/cell_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/str.h"
#include "kernel/murmur2.h"

static pid_t writer; // the process that made the folder; 0: none yet

// Python's tempfile.gettempdir(), by which tools recognise cells.
static const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    bool is_fit = folder && folder[0] == '/' && strlen(folder) < CELL_FILE_SIZE - 64 &&
                  !str_ends_with(folder, "/") && access(folder, W_OK) == 0;
    return is_fit ? folder : "/tmp";
}

void cell_file_prefix(char prefix[CELL_FILE_SIZE])
{
    snprintf(prefix, CELL_FILE_SIZE, "%s/ipykernel_%d/", temporary_folder(),
            (int)getpid());
}

void cell_file_name(char name[CELL_FILE_SIZE], const char *code, size_t len)
{
    cell_file_prefix(name);
    size_t used = strlen(name);
    snprintf(name + used, CELL_FILE_SIZE - used, "%u" CELL_FILE_SUFFIX,
            (unsigned)murmur2(code, len, MURMUR2_CELL_SEED));
}

static bool make_folder(struct error *err)
{
    char folder[CELL_FILE_SIZE];
    struct stat info;
    cell_file_prefix(folder);
    folder[strlen(folder) - 1] = '\0'; // a link there would be followed with the slash
    if (mkdir(folder, 0700) && errno != EEXIST)
        return error_set(err, ERROR_SYSTEM, SPAN_NONE, "%s: %s", folder, strerror(errno));
    if (lstat(folder, &info) || !S_ISDIR(info.st_mode) || info.st_uid != geteuid())
        return error_set(
                err, ERROR_SYSTEM, SPAN_NONE, "%s is not a folder of ours", folder);
    writer = getpid();
    return true;
}

static bool write_all(int fd, const char *text, size_t len)
{
    while (len) {
        ssize_t written = write(fd, text, len);
        if (written < 0 && errno != EINTR)
            return false;
        text += written > 0 ? written : 0;
        len -= written > 0 ? (size_t)written : 0;
    }
    return true;
}

bool cell_file_write(const char *code, size_t len, struct error *err)
{
    char name[CELL_FILE_SIZE];
    if (!make_folder(err))
        return false;
    cell_file_name(name, code, len);
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool is_written = fd >= 0 && write_all(fd, code, len);
    if (!is_written)
        error_set(err, ERROR_SYSTEM, SPAN_NONE, "%s: %s", name, strerror(errno));
    if (fd >= 0)
        close(fd);
    return is_written;
}

void cell_file_remove_all(void)
{
    char folder[CELL_FILE_SIZE];
    if (writer != getpid())
        return;
    cell_file_prefix(folder);
    DIR *list = opendir(folder);
    struct dirent *entry;
    while (list && (entry = readdir(list))) {
        if (str_ends_with(entry->d_name, CELL_FILE_SUFFIX))
            unlinkat(dirfd(list), entry->d_name, 0);
    }
    if (list)
        closedir(list);
    rmdir(folder);
}

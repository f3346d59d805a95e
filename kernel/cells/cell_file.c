// SPDX-License-Identifier: MIT
// Names of cells by the hash of their text. Files are written only for a debugger, into a
// folder that nobody else can have prepared.
#include "kernel/cells/cell_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files.h"
#include "base/str.h"
#include "kernel/cells/murmur2.h"

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

// The latest cells, for those who must not wait for Python to ask it.
enum { NOTED_CELLS = 1024 };

static struct {
    atomic_uint hash;
    atomic_int number;
} noted[NOTED_CELLS];
static atomic_uint noted_count;

static bool read_hash(const char *name, unsigned *hash)
{
    char prefix[CELL_FILE_SIZE], *end;
    cell_file_prefix(prefix);
    size_t len = strlen(prefix);
    if (strncmp(name, prefix, len))
        return false;
    *hash = (unsigned)strtoul(name + len, &end, 10);
    return end > name + len && !strcmp(end, CELL_FILE_SUFFIX);
}

void cell_file_note(const char *name, int number)
{
    unsigned hash;
    if (!read_hash(name, &hash))
        return;
    unsigned i = atomic_fetch_add(&noted_count, 1) % NOTED_CELLS;
    atomic_store(&noted[i].hash, hash);
    atomic_store(&noted[i].number, number);
}

int cell_file_number(const char *name)
{
    unsigned hash, count = atomic_load(&noted_count);
    if (!read_hash(name, &hash))
        return 0;
    for (unsigned back = 1; back <= NOTED_CELLS && back <= count; back++) {
        unsigned i = (count - back) % NOTED_CELLS;
        if (atomic_load(&noted[i].hash) == hash)
            return atomic_load(&noted[i].number);
    }
    return 0;
}

static bool make_folder(struct error *err)
{
    char folder[CELL_FILE_SIZE];
    struct stat info;
    cell_file_prefix(folder);
    folder[strlen(folder) - 1] = '\0'; // a link there would be followed with the slash
    if (mkdir(folder, 0700) && errno != EEXIST)
        return error_set(err, ERROR_SYSTEM, SPAN_NONE, "%s: %s", folder, strerror(errno));
    if (lstat(folder, &info) || !S_ISDIR(info.st_mode) || info.st_uid != geteuid() ||
            (info.st_mode & (S_IWGRP | S_IWOTH)))
        return error_set(err, ERROR_SYSTEM, SPAN_NONE,
                "%s is not a folder that only this user writes to", folder);
    writer = getpid();
    return true;
}

bool cell_file_write(const char *code, size_t len, struct error *err)
{
    char name[CELL_FILE_SIZE];
    if (!make_folder(err))
        return false;
    cell_file_name(name, code, len);
    return file_replace(name, code, len, FILE_PRIVATE) ||
           error_set(err, ERROR_SYSTEM, SPAN_NONE, "%s: %s", name, strerror(errno));
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

// SPDX-License-Identifier: MIT
// The mark is an extended attribute of the connection file, which goes with the file: how
// many processes had been ended for lack of memory when the kernel began. A kernel that
// ends in order takes it away; where it stays and the count has grown, memory ran out.
// File systems without such attributes have no mark, and nothing is told.
#include "kernel/session/predecessor.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>

#include "base/log.h"

#define MARK "user.gridcell.kills"

static const char *note;

// The number after `name` at the start of a line.
static long long read_count(const char *path, const char *name)
{
    FILE *file = fopen(path, "re");
    char line[256];
    long long count = -1;
    size_t len = strlen(name);
    while (file && count < 0 && fgets(line, sizeof line, file)) {
        if (!strncmp(line, name, len) && line[len] == ' ')
            count = strtoll(line + len, NULL, 10);
    }
    if (file)
        fclose(file);
    return count;
}

// The events of this process' group; in a container, those of the container.
static void find_events(char path[PATH_MAX])
{
    char line[PATH_MAX - 64], group[PATH_MAX - 64] = "";
    FILE *file = fopen("/proc/self/cgroup", "re");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (!strncmp(line, "0::", 3))
            snprintf(group, sizeof group, "%s", line + 3);
    }
    if (file)
        fclose(file);
    snprintf(path, PATH_MAX, "/sys/fs/cgroup%s/memory.events", group);
}

// How many processes the system has ended because memory ran out; -1: unknown.
static long long count_kills(void)
{
    char events[PATH_MAX];
    find_events(events);
    long long count = read_count(events, "oom_kill");
    return count >= 0 ? count : read_count("/proc/vmstat", "oom_kill");
}

void predecessor_look(const char *connection_file)
{
    char mark[32] = "";
    long long count = count_kills();
    if (count < 0)
        return;
    if (getxattr(connection_file, MARK, mark, sizeof mark - 1) > 0 &&
            strtoll(mark, NULL, 10) < count) {
        note = "The last kernel was ended by the system when memory had run out. Its "
               "variables are lost.\n";
        log_write(LOG_WARNING, "the last kernel was ended when memory had run out");
    }
    snprintf(mark, sizeof mark, "%lld", count);
    setxattr(connection_file, MARK, mark, strlen(mark), 0);
}

const char *predecessor_take_note(void)
{
    const char *taken = note;
    note = NULL;
    return taken;
}

void predecessor_leave(const char *connection_file)
{
    removexattr(connection_file, MARK);
}

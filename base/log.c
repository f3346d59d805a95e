// SPDX-License-Identifier: MIT
// One write(2) per line, so that lines of several threads do not mix.
#include "base/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_int log_level = LOG_WARNING;
static atomic_int log_fd = STDERR_FILENO;
static const char *const level_names[] = {"error", "warning", "info", "debug"};

void log_set_level(enum log_level level)
{
    atomic_store(&log_level, (int)level);
}

void log_set_fd(int fd)
{
    atomic_store(&log_fd, fd);
}

void log_set_level_from_environment(void)
{
    const char *name = getenv("GRIDCELL_LOG");
    for (int i = 0; name && i < 4; i++) {
        if (!strcmp(name, level_names[i]))
            log_set_level((enum log_level)i);
    }
}

void log_write(enum log_level level, const char *format, ...)
{
    if ((int)level > atomic_load(&log_level))
        return;
    char line[1024];
    int len = snprintf(line, sizeof line, "gridcell: %s: ", level_names[level]);
    va_list args;
    va_start(args, format);
    int more = vsnprintf(line + len, sizeof line - (size_t)len - 1, format, args);
    va_end(args);
    len += more < (int)sizeof line - len - 1 ? more : (int)sizeof line - len - 2;
    line[len++] = '\n';
    ssize_t written = write(atomic_load(&log_fd), line, (size_t)len);
    (void)written;
}

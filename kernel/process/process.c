// SPDX-License-Identifier: MIT
// The processes around the kernel: the launcher, whose end is ours, and children left
// behind.
#include "kernel/process/process.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include "kernel/process/interpose.h"

void process_stand_in(void)
{
    static const struct stand_in table[] = {{"close", (void *)(uintptr_t)close},
            {"dup2", (void *)(uintptr_t)dup2}, {"dup3", (void *)(uintptr_t)dup3},
            {"close_range", (void *)(uintptr_t)close_range},
            {"closefrom", (void *)(uintptr_t)closefrom},
            {"sigaction", (void *)(uintptr_t)sigaction}};
    interpose(table, sizeof table / sizeof *table);
}

static long parent_of(long pid)
{
    char path[64];
    long parent = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    // the name in parentheses may hold anything: the fields begin after its last ')'
    for (int c, depth = 0; (c = getc(file)) != EOF;) {
        if (c == ')' && (depth = 1) && fscanf(file, " %*c %ld", &parent) == 1)
            break;
    }
    fclose(file);
    return parent;
}

static bool is_ancestor(long pid)
{
    long at = getpid();
    for (int depth = 0; at > 1 && depth < 64; depth++) {
        at = parent_of(at);
        if (at == pid)
            return true;
    }
    return false;
}

int process_watch_parent(void)
{
    const char *text = getenv("JPY_PARENT_PID");
    long pid = text ? strtol(text, NULL, 10) : 0;
    if (pid <= 1)
        return -1;
    // in another pid namespace the number means nothing here: the direct parent then
    if (!is_ancestor(pid))
        pid = getppid();
    if (pid <= 1)
        return -1;
    return (int)syscall(SYS_pidfd_open, (pid_t)pid, 0);
}

// Signals the direct children one by one; false when there are none.
static bool signal_children(int number)
{
    char path[64];
    bool has_any = false;
    long pid;
    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)getpid());
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    while (fscanf(file, "%ld", &pid) == 1) {
        kill((pid_t)pid, number);
        has_any = true;
    }
    fclose(file);
    return has_any;
}

void process_end_children(void)
{
    const struct timespec pause = {.tv_nsec = 5000000};
    if (getpgrp() == getpid()) {
        signal(SIGTERM, SIG_IGN);
        kill(0, SIGTERM);
    } else if (!signal_children(SIGTERM)) {
        return;
    }
    for (int i = 0; i < 30; i++) {
        pid_t ended = waitpid(-1, NULL, WNOHANG);
        if (ended < 0 && errno == ECHILD)
            return;
        if (!ended)
            nanosleep(&pause, NULL);
    }
    signal_children(SIGKILL);
}

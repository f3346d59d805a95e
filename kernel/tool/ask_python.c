// SPDX-License-Identifier: MIT
// The interpreter, the package's folder, and a pipe for the answer.
#include "kernel/tool/ask_python.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernel/python/environment.h"

extern char **environ;

void ask_choose_python(struct str *python, const char *given)
{
    char *chosen = given ? NULL : environment_choose_python(NULL);
    str_append(python, given ? given : chosen ? chosen : "python3");
    free(chosen);
}

void ask_add_package_path(void)
{
    static const char *const places[] = {"python", "../lib/gridcell/python"};
    if (environment_host()) // which finds it as it found us
        return;
    char *executable = realpath("/proc/self/exe", NULL);
    const char *before = getenv("PYTHONPATH");
    char *slash = executable ? strrchr(executable, '/') : NULL;
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
        struct str path = {0}, package = {0};
        str_printf(&path, "%.*s/%s", (int)(slash - executable), executable, places[i]);
        str_printf(&package, "%s/gridcell/__init__.py", str_text(&path));
        bool is_here = !access(str_text(&package), R_OK);
        if (is_here && before && *before)
            str_printf(&path, ":%s", before);
        if (is_here)
            setenv("PYTHONPATH", str_text(&path), 1);
        str_finish(&path);
        str_finish(&package);
        if (is_here)
            break;
    }
    free(executable);
}

void ask_program(
        char *const argv[], bool is_quiet, struct str *answer, struct str *failure)
{
    int ends[2];
    pid_t child;
    posix_spawn_file_actions_t actions;
    if (pipe2(ends, O_CLOEXEC)) {
        str_printf(failure, "pipe: %s", strerror(errno));
        return;
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    if (is_quiet)
        posix_spawn_file_actions_addopen(
                &actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    int problem = posix_spawnp(&child, argv[0], &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    char bytes[4096];
    ssize_t got;
    while (!problem && (got = read(ends[0], bytes, sizeof bytes)) > 0)
        str_append_bytes(answer, bytes, (size_t)got);
    close(ends[0]);
    int status = 0;
    if (problem)
        str_printf(failure, "%s: %s", argv[0], strerror(problem));
    else if (waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status))
        str_printf(failure, "%s did not answer", argv[0]);
}

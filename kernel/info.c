// SPDX-License-Identifier: MIT
// `gridcell info`: versions, and what the package finds on this machine. The package is
// asked in a Python process of its own, so that a broken environment is a line of the
// answer, not the end.
#include <errno.h>
#include <jansson.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "kernel/commands.h"

extern char **environ;

// Prints one JSON object: what could not be found out is an `error` text.
static const char question[] =
        "import json, sys\n"
        "answer = {'python': sys.version.split()[0], 'executable': sys.executable}\n"
        "try:\n"
        "    import numpy\n"
        "    answer['numpy'] = numpy.__version__\n"
        "except Exception as error:\n"
        "    answer['numpy'] = None\n"
        "try:\n"
        "    import gridcell\n"
        "    answer['package'] = gridcell.__file__\n"
        "    answer.update(gridcell.info())\n"
        "except Exception as error:\n"
        "    answer['error'] = f'{type(error).__name__}: {error}'\n"
        "print(json.dumps(answer, default=str))\n";

static void choose_python(struct str *python, const char *given)
{
    const char *active = getenv("VIRTUAL_ENV");
    if (given)
        str_append(python, given);
    else if (active && *active)
        str_printf(python, "%s/bin/python", active);
    else
        str_append(python, "/usr/bin/python3");
}

// The package beside the executable (a build folder), or under the prefix where it is
// installed.
static void add_package_path(void)
{
    static const char *const places[] = {"python", "../lib/gridcell/python"};
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

// Runs `python -c question` and returns what it printed; *failure says why there is
// nothing.
static void ask_python(const char *python, struct str *answer, struct str *failure)
{
    char *argv[] = {(char *)python, "-c", (char *)question, NULL};
    int ends[2];
    pid_t child;
    posix_spawn_file_actions_t actions;
    if (pipe(ends)) {
        str_printf(failure, "pipe: %s", strerror(errno));
        return;
    }
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    int problem = posix_spawnp(&child, python, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    char bytes[4096];
    ssize_t got;
    while (!problem && (got = read(ends[0], bytes, sizeof bytes)) > 0)
        str_append_bytes(answer, bytes, (size_t)got);
    close(ends[0]);
    int status = 0;
    if (problem)
        str_printf(failure, "%s: %s", python, strerror(problem));
    else if (waitpid(child, &status, 0) < 0 || !WIFEXITED(status) || WEXITSTATUS(status))
        str_printf(failure, "%s did not answer", python);
}

static void print_value(const char *name, const json_t *value, int depth);

static void print_items(const json_t *value, int depth)
{
    const char *name;
    json_t *item;
    size_t i;
    json_object_foreach((json_t *)value, name, item) print_value(name, item, depth);
    json_array_foreach(value, i, item) print_value("-", item, depth);
}

static void print_value(const char *name, const json_t *value, int depth)
{
    bool is_nested = json_is_object(value) || json_is_array(value);
    char *text = is_nested || json_is_string(value) ? NULL
                                                    : json_dumps(value, JSON_ENCODE_ANY);
    const char *shown = json_is_string(value) ? json_string_value(value) : text;
    if (json_is_null(value))
        shown = "not found";
    if (is_nested && !json_object_size(value) && !json_array_size(value))
        shown = "none";
    printf("%*s%-*s %s\n", 2 * depth, "", 18 - 2 * depth, name, shown ? shown : "");
    free(text);
    if (is_nested)
        print_items(value, depth + 1);
}

int command_info(int argc, char **argv)
{
    bool as_json = false;
    const char *given = NULL, *value;
    struct str python = {0}, answer = {0}, failure = {0};
    for (int i = 0; i < argc; i++) {
        if (!strcmp(argv[i], "--json"))
            as_json = true;
        else if ((value = option_value(argc, argv, &i, "--python")))
            given = value;
    }
    choose_python(&python, given);
    add_package_path();
    ask_python(str_text(&python), &answer, &failure);
    json_t *info = json_pack("{s:s}", "gridcell", GRIDCELL_VERSION);
    json_t *found = json_loads(str_text(&answer), 0, NULL);
    if (found)
        json_object_update(info, found);
    else
        json_object_set_new(info, "error",
                json_string(failure.len ? str_text(&failure)
                                        : "Python's answer is not JSON"));
    if (as_json) {
        json_dumpf(info, stdout, JSON_INDENT(2));
        putchar('\n');
    } else {
        print_items(info, 0);
    }
    json_decref(found);
    json_decref(info);
    str_finish(&python);
    str_finish(&answer);
    str_finish(&failure);
    return 0;
}

// SPDX-License-Identifier: MIT
// Command-line options as all commands read them.
#include "kernel/tool/commands.h"

#include <stdio.h>
#include <string.h>

const char *option_value(int argc, char **argv, int *index, const char *name)
{
    size_t len = strlen(name);
    if (strncmp(argv[*index], name, len))
        return NULL;
    if (argv[*index][len] == '=')
        return argv[*index] + len + 1;
    if (argv[*index][len] || *index + 1 >= argc)
        return NULL;
    return argv[++*index];
}

int refuse_argument(const char *command, const char *argument)
{
    fprintf(stderr, "gridcell: error: %s: what is '%s'? See gridcell %s --help\n",
            command, argument, command);
    return 2;
}

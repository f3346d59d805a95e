// SPDX-License-Identifier: MIT
// `gridcell tutorial`: the package copies the notebooks out and opens JupyterLab on them,
// in the environment's Python, which takes the place of this process.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "kernel/python/environment.h"
#include "kernel/tool/ask_python.h"
#include "kernel/tool/commands.h"

// The package's folder comes by an argument: what a variable says, JupyterLab and all
// that it starts would be told, too.
static const char program[] = "import sys\n"
                              "sys.path[0] = sys.argv.pop(1)\n"
                              "from gridcell import tutorial\n"
                              "sys.exit(tutorial.main(sys.argv[1:]))\n";

int command_tutorial(int argc, char **argv)
{
    struct str python = {0};
    ask_choose_python(&python, NULL);
    char *package = environment_find_package();
    const char **command = calloc((size_t)argc + 5, sizeof *command);
    if (package && command) {
        const char *const first[] = {str_text(&python), "-c", program, package};
        memcpy(command, first, sizeof first);
        memcpy(command + 4, argv, (size_t)argc * sizeof *argv);
        fflush(NULL);
        execvp(command[0], (char **)command);
    }
    fprintf(stderr, "gridcell: error: tutorial: %s: %s\n",
            package ? str_text(&python) : "the package",
            strerror(package ? errno : ENOENT));
    free(command);
    free(package);
    str_finish(&python);
    return 2;
}

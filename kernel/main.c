// SPDX-License-Identifier: MIT
// The command line: which command was asked for, and the exit status.
#include <stdio.h>
#include <string.h>

static const char usage_text[] =
        "gridcell " GRIDCELL_VERSION
        ": a Jupyter kernel for interactive GPU-Python notebooks\n"
        "\n"
        "  gridcell --version\n"
        "  gridcell --help\n";

int main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "--version")) {
        puts("gridcell " GRIDCELL_VERSION);
        return 0;
    }
    if (argc > 1 && !strcmp(argv[1], "--help")) {
        fputs(usage_text, stdout);
        return 0;
    }
    fputs(usage_text, stderr);
    return 2;
}

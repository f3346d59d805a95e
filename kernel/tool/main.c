// SPDX-License-Identifier: MIT
// The command line: which command was asked for, its options, and the exit status.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "kernel/tool/commands.h"
#include "kernel/interface/interp.h"
#include "kernel/process/signals.h"
#include "kernel/session/kernel.h"

static const char usage_text[] =
        "gridcell " GRIDCELL_VERSION
        ": a Jupyter kernel for interactive GPU-Python notebooks\n"
        "\n"
        "  gridcell kernel -f CONNECTION_FILE [--python EXE]\n"
        "      the kernel, as a front end starts it\n"
        "  gridcell install [--user | --sys-prefix | --prefix P] [--name N] "
        "[--display-name D]\n"
        "                   [--python EXE]\n"
        "      makes the kernel known to Jupyter\n"
        "  gridcell run FILE [ARGS]\n"
        "      runs a script (.py, .ipy) or a notebook (.ipynb)\n"
        "  gridcell info [--json] [--python EXE]\n"
        "      versions and devices\n"
        "  gridcell doctor [--python EXE]\n"
        "      what is missing or broken, and what to do about it\n"
        "  gridcell --version | --help\n";

static int command_kernel(int argc, char **argv)
{
    const char *unsigned_too = getenv("GRIDCELL_ALLOW_UNSIGNED");
    struct interp_options options = {
            .allows_unsigned = unsigned_too && !strcmp(unsigned_too, "1")};
    // the launcher interrupts kernels even while they start
    signals_install();
    for (int i = 0; i < argc; i++) {
        const char *value;
        if ((value = option_value(argc, argv, &i, "-f")) ||
                (value = option_value(argc, argv, &i, "--connection-file")))
            options.connection_file = value;
        else if ((value = option_value(argc, argv, &i, "--python")))
            options.python = value;
        else if (!strcmp(argv[i], "--allow-unsigned"))
            options.allows_unsigned = true;
        else if ((value = option_value(argc, argv, &i, "--HistoryManager.hist_file")))
            setenv("GRIDCELL_HISTORY", value, 1); // nbclient's to kernels named python3
        else                                      // what front ends give ipykernel
            log_write(LOG_INFO, "the argument %s means nothing here", argv[i]);
    }
    if (!options.connection_file) {
        fputs("gridcell: error: no connection file; see gridcell --help\n", stderr);
        return 2;
    }
    return kernel_run(options.connection_file, &options);
}

static int command_run(int argc, char **argv)
{
    if (argc < 1) {
        fputs("gridcell: error: no file to run; see gridcell --help\n", stderr);
        return 2;
    }
    return interp_run_file(argc, argv);
}

static int command_version(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    puts("gridcell " GRIDCELL_VERSION);
    return 0;
}

static int command_help(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    fputs(usage_text, stdout);
    return 0;
}

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
} commands[] = {
        {"kernel", command_kernel},
        {"install", command_install},
        {"run", command_run},
        {"info", command_info},
        {"doctor", command_doctor},
        {"--doctor", command_doctor},
        {"--version", command_version},
        {"-V", command_version},
        {"--help", command_help},
        {"-h", command_help},
};

int main(int argc, char **argv)
{
    log_set_level_from_environment();
    if (argc < 2) {
        fputs(usage_text, stderr);
        return 2;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (!strcmp(argv[1], commands[i].name))
            return commands[i].run(argc - 2, argv + 2);
    }
    if (argv[1][0] == '-')
        return command_kernel(argc - 1, argv + 1);
    fprintf(stderr, "gridcell: error: no command '%s'; see gridcell --help\n", argv[1]);
    return 2;
}

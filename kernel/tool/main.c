// SPDX-License-Identifier: MIT
// The command line: which command was asked for, its options, and the exit status.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "kernel/tool/commands.h"
#include "kernel/interface/interp.h"
#include "kernel/process/signals.h"
#include "kernel/python/environment.h"
#include "kernel/session/kernel.h"

static const char kernel_usage[] =
        "  gridcell kernel -f CONNECTION_FILE [--python EXE] [--allow-unsigned]\n"
        "      the kernel, as a front end starts it\n"
        "      --python EXE      the Python of the environment to use\n"
        "      --allow-unsigned  an empty key also where others reach the address\n";

static const char install_usage[] =
        "  gridcell install [--user | --sys-prefix | --prefix P] [--name N]\n"
        "                   [--display-name D] [--env NAME=VALUE]... [--python EXE]\n"
        "      makes the kernel known to Jupyter\n"
        "      --user            for this account; --sys-prefix: in the active "
        "environment;\n"
        "                        --prefix P: below P; else for everybody, in /usr/local\n"
        "      --name N          of the folder (gridcell); --display-name D: for people\n"
        "      --env NAME=VALUE  a variable that the kernel is started with\n"
        "      --python EXE      the Python of the environment that it always uses\n";

static const char run_usage[] =
        "  gridcell run [--allow-errors] FILE [ARGS]\n"
        "      runs a script (.py, .ipy) or a notebook (.ipynb)\n"
        "      --allow-errors    a notebook goes on after a cell that fails; the status "
        "is "
        "1\n"
        "                        and the cells are named at the end\n";

static const char info_usage[] = "  gridcell info [--json] [--python EXE]\n"
                                 "      versions and devices\n";

static const char doctor_usage[] =
        "  gridcell doctor [--python EXE]\n"
        "      what is missing or broken, and what to do about it\n";

static const char tutorial_usage[] =
        "  gridcell tutorial [--no-lab] [FOLDER [OPTION OF JUPYTERLAB]...]\n"
        "      copies the notebooks to FOLDER (gridcell-tutorial), where what you "
        "changed "
        "stays,\n"
        "      and opens JupyterLab on them; --no-lab: does not\n";

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
    if (options.python && environment_host()) {
        fprintf(stderr,
                "gridcell: error: --python: the kernel runs in %s; for another Python, "
                "that one runs it: %s -m gridcell kernel\n",
                environment_host(), options.python);
        return 2;
    }
    if (!options.connection_file) {
        fputs("gridcell: error: no connection file; see gridcell --help\n", stderr);
        return 2;
    }
    return kernel_run(options.connection_file, &options);
}

// Options come before the file; what follows it is the script's.
static int command_run(int argc, char **argv)
{
    struct run_options options = {0};
    for (; argc && argv[0][0] == '-' && argv[0][1]; argc--, argv++) {
        if (!strcmp(argv[0], "--allow-errors"))
            options.allows_errors = true;
        else
            return refuse_argument("run", argv[0]);
    }
    if (argc < 1) {
        fputs("gridcell: error: no file to run; see gridcell --help\n", stderr);
        return 2;
    }
    return interp_run_file(argc, argv, &options);
}

static int command_version(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    puts("gridcell " GRIDCELL_VERSION);
    return 0;
}

static int command_help(int argc, char **argv);

static const struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *usage; // NULL: another name of a command, or none of its own
} commands[] = {
        {"kernel", command_kernel, kernel_usage},
        {"install", command_install, install_usage},
        {"run", command_run, run_usage},
        {"info", command_info, info_usage},
        {"doctor", command_doctor, doctor_usage},
        {"tutorial", command_tutorial, tutorial_usage},
        {"--doctor", command_doctor, NULL},
        {"--version", command_version, NULL},
        {"-V", command_version, NULL},
        {"--help", command_help, NULL},
        {"-h", command_help, NULL},
};

static void print_usage(FILE *file)
{
    fputs("gridcell " GRIDCELL_VERSION
          ": a Jupyter kernel for interactive GPU-Python notebooks\n\n",
            file);
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (commands[i].usage)
            fputs(commands[i].usage, file);
    }
    fputs("  gridcell --version | --help | COMMAND --help\n", file);
}

static int command_help(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    print_usage(stdout);
    return 0;
}

// Whether a command's own options ask for help: a script's come after its name.
static bool asks_for_help(int argc, char **argv)
{
    bool is_run = !strcmp(argv[1], "run");
    for (int i = 2; i < argc && (!is_run || argv[i][0] == '-'); i++) {
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))
            return true;
    }
    return false;
}

int tool_run(int argc, char **argv)
{
    log_set_level_from_environment();
    if (argc < 2) {
        print_usage(stderr);
        return 2;
    }
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        if (strcmp(argv[1], commands[i].name))
            continue;
        if (commands[i].usage && asks_for_help(argc, argv)) {
            fputs(commands[i].usage, stdout);
            return 0;
        }
        return commands[i].run(argc - 2, argv + 2);
    }
    if (argv[1][0] == '-')
        return command_kernel(argc - 1, argv + 1);
    fprintf(stderr, "gridcell: error: no command '%s'; see gridcell --help\n", argv[1]);
    return 2;
}

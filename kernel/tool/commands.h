// SPDX-License-Identifier: MIT
// Commands of the executable that have a file of their own, and what they share. Each
// takes the arguments after its name and returns the exit status.
#pragma once

// The command that the arguments name, as of a program: argv[0] is its own name.
int tool_run(int argc, char **argv);

int command_install(int argc, char **argv);
int command_info(int argc, char **argv);
int command_doctor(int argc, char **argv);
int command_tutorial(int argc, char **argv);

// The value of `NAME VALUE` or `NAME=VALUE` at *index, which moves on; NULL: another
// argument.
const char *option_value(int argc, char **argv, int *index, const char *name);
// Says that the command has no such argument; the exit status.
int refuse_argument(const char *command, const char *argument);

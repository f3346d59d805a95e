// SPDX-License-Identifier: MIT
// The executable.
#include "kernel/tool/commands.h"

int main(int argc, char **argv)
{
    return tool_run(argc, argv);
}

// SPDX-License-Identifier: MIT
// The list of all built-in magics.
#include "kernel/magics/py_magics.h"

#include "kernel/python/state/py_magic_table.h"

static const struct magic *const families[] = {magics_time, magics_shell, magics_files,
        magics_display, magics_namespace, magics_settings, magics_history, magics_python};

bool magics_init(void)
{
    magic_set_families(families, sizeof families / sizeof *families);
    return true;
}

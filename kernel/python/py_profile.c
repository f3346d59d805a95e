// SPDX-License-Identifier: MIT
// The user's IPython profile: where it has configuration or startup files, they are
// loaded before the first cell. Where it has none, this is a few looks into a folder.
#include "kernel/python/state/py_state.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/python/display/py_display.h"
#include "kernel/python/py_module.h"
#include "kernel/python/state/py_text.h"

static bool has_file(const char *folder, const char *name)
{
    struct str path = {0};
    str_printf(&path, "%s/%s", folder, name);
    bool is_there = access(str_text(&path), R_OK) == 0;
    str_finish(&path);
    return is_there;
}

static bool has_configuration(const char *folder)
{
    static const char *const names[] = {"ipython_config.py", "ipython_config.json",
            "ipython_kernel_config.py", "ipython_kernel_config.json"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (has_file(folder, names[i]))
            return true;
    }
    return false;
}

static bool has_scripts(const char *folder)
{
    struct str path = {0};
    str_printf(&path, "%s/startup", folder);
    DIR *entries = opendir(str_text(&path));
    const struct dirent *entry;
    bool is_found = false;
    while (entries && !is_found && (entry = readdir(entries)))
        is_found = str_ends_with(entry->d_name, ".py") ||
                   str_ends_with(entry->d_name, ".ipy");
    if (entries)
        closedir(entries);
    str_finish(&path);
    return is_found;
}

// IPYTHONDIR, or else ~/.ipython.
static bool find_profile(struct str *folder)
{
    const char *chosen = getenv("IPYTHONDIR"), *home = getenv("HOME");
    if (chosen && *chosen && *chosen != '~')
        str_printf(folder, "%s/profile_default", chosen);
    else if (chosen && *chosen == '~' && home)
        str_printf(folder, "%s%s/profile_default", home, chosen + 1);
    else if (home)
        str_printf(folder, "%s/.ipython/profile_default", home);
    return folder->len > 0;
}

void profile_load(void)
{
    struct str folder = {0};
    bool is_wanted = find_profile(&folder) && (has_configuration(str_text(&folder)) ||
                                                      has_scripts(str_text(&folder)));
    PyObject *done = is_wanted ? py_call_module("gridcell.ipython.profile", "load", "(s)",
                                         str_text(&folder))
                               : NULL;
    if (is_wanted && !done)
        json_decref(traceback_report(true));
    Py_XDECREF(done);
    str_finish(&folder);
}

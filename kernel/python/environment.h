// SPDX-License-Identifier: MIT
// Which Python environment the kernel serves, and where gridcell's own Python package
// lies.
#pragma once

#include "base/error.h"

// The interpreter of the user's environment: `python` if given, else that of VIRTUAL_ENV,
// else of a .venv beside the build, else the system's. The caller frees the path; NULL:
// what was given is not there.
char *environment_choose_python(const char *python);
// The same; it must belong to the Python version `version` ("3.11"), because the kernel
// embeds that one.
char *environment_find_python(const char *python, const char *version, struct error *err);

// The interpreter that the kernel is an extension module of, which is the environment's
// then; NULL: the kernel is the program. Borrowed, and kept.
void environment_set_host(const char *python);
const char *environment_host(void);

// Whether the environment was made by another release ("3.11.7") of the same version than
// `release`, the one that the kernel embeds: its standard library does not fit then.
bool environment_has_other_release(const char *python, const char *release);

// The folder whose lib/pythonX.Y is the standard library that came with the shared
// library at `library`; NULL: not found. The caller frees it.
char *environment_find_home(const char *library, const char *version);

// Whether a package lies where that interpreter looks for modules.
bool environment_has_package(const char *python, const char *version, const char *name);

// The folder that holds the `gridcell` package; NULL when it is not installed. The caller
// frees it.
char *environment_find_package(void);

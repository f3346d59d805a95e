// SPDX-License-Identifier: MIT
// Magics by name, for those who need to know which there are. All of it needs the GIL.
#pragma once

#include "base/py.h"

#include <stdbool.h>
#include <stddef.h>

enum magic_kind { MAGIC_LINE = 1, MAGIC_CELL = 2 };

// `body` is NULL for a line magic.
typedef PyObject *(*magic_function)(const char *name, PyObject *line, PyObject *body);

struct magic {
    const char *name;
    unsigned kinds; // enum magic_kind values
    magic_function run;
    const char *summary; // for %name? and %lsmagic
    bool expands_line;   // $name and {expression} in the line are replaced
    bool allows_no_body; // the cell form may have an empty body
};

// The built-in ones: a list of families, each ending in a magic without a name. Both stay
// as they are for ever.
void magic_set_families(const struct magic *const *families, size_t count);

// Built-in or the user's own.
bool magic_exists(enum magic_kind kind, const char *name);
// Names of a kind, sorted, as a new list of str.
PyObject *magic_names(enum magic_kind kind);
const struct magic *magic_find(enum magic_kind kind, const char *name);
// The user's magic as a new reference, or else the built-in one; neither when the name is
// hidden. Whether $name and {expression} in its line are replaced.
bool magic_find_any(enum magic_kind kind, const char *name, PyObject **function,
        const struct magic **magic);
// Whether a function of the user's has an attribute that is true: magics may ask for
// their line as typed, as IPython's @no_var_expand says it.
bool magic_has_mark(PyObject *function, const char *name);

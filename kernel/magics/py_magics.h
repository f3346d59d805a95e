// SPDX-License-Identifier: MIT
// The built-in magics by family, and calls by name. A magic takes the rest of its line
// (and a cell magic the cell's body) and returns a new reference, None for no value, or
// NULL with an exception.
#pragma once

#include "base/py.h"

#include "kernel/python/state/py_magic_table.h"
#include "kernel/python/state/py_state.h"

// One table a family, each ending in a magic without a name.
extern const struct magic magics_time[];
extern const struct magic magics_shell[];
extern const struct magic magics_files[];
extern const struct magic magics_display[];
extern const struct magic magics_namespace[];
extern const struct magic magics_settings[];
extern const struct magic magics_history[];
extern const struct magic magics_python[];
// Before the first cell: makes them known.
bool magics_init(void);

// Built-in or the user's own; an unknown name raises UsageError.
PyObject *magic_run_line(const char *name, PyObject *line);
PyObject *magic_run_cell(const char *name, PyObject *line, PyObject *body);
// The built-in one, whatever the user has under its name, with the line as it is.
PyObject *magic_run_built_in(const char *name, PyObject *line, PyObject *body);

// ---- shared by the families
// `text` with $name, ${name} and {expression} replaced from the names of the function
// that is running, and the user's; unchanged when one of them has no value. New
// reference.
PyObject *magic_expand(PyObject *text);
// The same with these names before the user's; NULL: the user's only.
PyObject *magic_expand_with(PyObject *text, PyObject *locals);

// Options in front of a magic's argument: `letters` as in getopt, "n:r:qo".
struct magic_options {
    PyObject *values[128]; // by letter: the argument, Py_None for a flag; NULL: not given
    PyObject *rest;        // what follows the options
};
bool magic_parse(const char *name, PyObject *line, const char *letters,
        struct magic_options *options);
void magic_options_finish(struct magic_options *options);
bool magic_has(const struct magic_options *options, char letter);
// The integer value of an option, or `otherwise`. -1 with an exception when it is no
// number.
long magic_integer(const struct magic_options *options, char letter, long otherwise);
// What earlier cells hold, by ranges such as `1-3 ~2/5`; None when it names none.
PyObject *magic_history_text(const char *ranges, bool is_raw);
// The mode of a name that %xmode and %tb take, in any case of letters.
bool magic_traceback_mode(const char *name, enum traceback_mode *mode);
#define MAGIC_TRACEBACK_MODES "Plain, Context, Verbose, Minimal, Docs, Doctest"
// The line split as a shell does; new list of str.
PyObject *magic_split(PyObject *line);

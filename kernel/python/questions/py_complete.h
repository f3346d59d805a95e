// SPDX-License-Identifier: MIT
// The matches of one completion while they are collected.
#pragma once

#include "kernel/python/state/py_state.h"

#include "kernel/cells/context.h"

struct completion {
    PyObject *matches; // dict: str -> (order, type, signature)
    size_t start;      // byte offset of what is replaced
    int hidden;     // names hidden before an underscore is typed: 2 _x, 1 __x__, 0 none
    bool may_go_on; // nothing knew the object: a static analysis may
};

// Matches of a lower order come first.
enum match_order { MATCH_FIRST, MATCH_NAME, MATCH_LINE_MAGIC, MATCH_CELL_MAGIC };

void match_add(struct completion *completion, PyObject *name, const char *type,
        PyObject *signature);
void match_add_text(struct completion *completion, const char *name, const char *type,
        enum match_order order);
// Whether `name` is a str that starts with `prefix`, and not one that is hidden.
bool match_fits(const struct completion *completion, PyObject *name, const char *prefix);

// ---- py_complete_names.c
void match_names(struct completion *completion, const char *code, const char *prefix);
void match_attributes(
        struct completion *completion, PyObject *object, const char *prefix);
void match_modules(struct completion *completion, const char *prefix);
// What `from module import` can import, when the module is loaded.
bool match_members(struct completion *completion, const char *module, const char *prefix);
// `name=` of the parameters of the function whose call is open at `bracket`.
void match_parameters(struct completion *completion, const char *code, size_t bracket,
        const char *prefix);
// The keys of the object before `bracket`; `quote` is the one already typed, or 0, and
// `is_bytes` says that a b stands before it. False when it has no keys.
bool match_keys(struct completion *completion, const char *code, size_t bracket,
        const char *prefix, char quote, bool is_bytes);

// ---- py_complete_found.c
// Adds those of a list of (name, type, signature) that fit. Takes `found`, which may be
// NULL with an exception; whether any was added.
bool match_found(
        struct completion *completion, PyObject *found_stolen, const char *prefix);
// What the result of a call has, as far as that is known without making the call.
bool match_results(
        struct completion *completion, const char *expression, const char *prefix);
// What the text of the cell before `start` says of `owner`, which is to be completed;
// `object` is what it stands for now, or NULL. False: nothing, or nothing that the object
// doesn't know.
bool match_written(struct completion *completion, const char *code, size_t start,
        const char *owner, PyObject *object);
// What a name behind a backslash at the end of the code stands for; false: there is none.
bool match_symbols(struct completion *completion, const char *code, bool is_string);

// ---- py_complete_magics.c
// %name and %%name; `percents` counts the signs already typed.
void match_magics(struct completion *completion, const char *prefix, size_t percents);
// The arguments of `%name ...` or `!command ...`: options, values, files.
void match_arguments(struct completion *completion, const char *line, size_t cursor);
void match_files(struct completion *completion, const char *path, bool only_folders);

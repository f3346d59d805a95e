// SPDX-License-Identifier: MIT
// Dicts and sets between Python and compiled code: their rows' contents.
#pragma once

#include "base/py.h"
#include "compiler/types/abi.h"

// Puts what a dict or set holds into a new row.
bool py_table_fill(PyObject *table, const struct type *type, struct abi_row *row);
// Puts what a row holds into an empty dict or set.
bool py_table_read(PyObject *table, const struct type *type, const struct abi_row *row);
// Makes a dict or set that was an argument hold what the row does.
bool py_table_write_back(
        PyObject *table, const struct type *type, const struct abi_row *row);
// Entry by entry in order: *at starts at 0; *key and *value point into the row.
bool py_table_next(const struct type *type, const struct abi_row *row, int64_t *at,
        const void **key, const void **value);

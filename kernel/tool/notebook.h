// SPDX-License-Identifier: MIT
// A notebook's file: its cells as they stand there. Anything may stand in a file of that
// name; what is not as it should be counts as missing.
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct notebook {
    json_t *file;
    const json_t *cells; // an array; borrowed from the file
};

bool notebook_read(struct notebook *notebook, const char *path, struct error *err);
void notebook_finish(struct notebook *notebook);
bool notebook_is_code(const json_t *cell);
// Whether the cell is tagged as one that may fail.
bool notebook_may_raise(const json_t *cell);
// The text of the cell, to be freed; "" where it has none.
char *notebook_cell_source(const json_t *cell, size_t *len);

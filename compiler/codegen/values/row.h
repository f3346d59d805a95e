// SPDX-License-Identifier: MIT
// Rows of memory that grow: lists, the entries of dicts and sets, fields of objects.
#pragma once

#include "compiler/codegen/base/body.h"

emitter list_new, list_len, list_load, list_store, list_part, list_set_part;
emitter list_append, list_push, list_splice, list_swap;
emitter cell_new, cell_get, cell_set, cell_is;
value row_length(struct body *body, value row);
// Whether arrays are among the leaves of a value, which may be an argument's, that is
// lent.
bool row_has_array(const struct type *type);
// Takes a reference on all that a value holds; arrays that are lent get memory to count.
void row_keep(struct body *body, const struct type *type, value *leaves);
value row_capacity(struct body *body, value row); // in items
// How many entries a dict or set, which is of the type `table`, has.
value row_used(struct body *body, const struct type *table, value container);
// An item, without and with a reference on what it holds.
void row_peek(
        struct body *body, const struct type *item, value row, value index, value *out);
void row_load(
        struct body *body, const struct type *item, value row, value index, value *out);

// SPDX-License-Identifier: MIT
// Containers between Python and compiled code.
#pragma once

#include "base/py.h"
#include "base/map.h"
#include "base/vec.h"
#include "compiler/abi.h"

struct reflected;

// The plain containers of one call.
struct reflection {
    struct reflection *outer; // of a call that is under way on this thread
    VEC(struct reflected) items;
    struct map by_object;
};

// Opens and closes a call: what it unboxes and boxes in between belongs together. The end
// writes arguments back, also when an exception is set; false with another one set.
void py_reflection_begin(struct reflection *reflection);
bool py_reflection_end(struct reflection *reflection);
// Whether values of the type are plain containers, or have some in them.
bool py_reflects(const struct type *type);

// A new list for items of a type, or an object of fields; NULL with MemoryError set.
struct abi_row *py_list_create(const struct type *item, int64_t capacity);
struct abi_row *py_row_create(const struct type *const *types, const size_t *offsets,
        size_t count, size_t item_bytes, int64_t capacity);
void *py_row_item(const struct abi_row *row, int64_t index);
// Appends a value, converted; false with an exception set.
bool py_row_add(struct abi_row *row, const struct type *item, PyObject *value);
// Boxes a value that stays where it is.
PyObject *py_box_kept(const struct type *type, const void *source);

bool py_unbox_list(PyObject *value, const struct type *type, struct abi_row **out);
PyObject *py_box_list(const struct type *type, struct abi_row *row);
const struct type *py_typeof_list(PyObject *list);

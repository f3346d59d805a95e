// SPDX-License-Identifier: MIT
// Containers between Python and compiled code.
#pragma once

#include "base/py.h"
#include "base/map.h"
#include "base/vec.h"
#include "compiler/types/abi.h"

struct reflected;

// Code of a program that runs when a call ends: of @reflect, and NativeValue's cleanup.
struct after_call {
    bool (*function)(void *state); // false with an exception set
    void *state;
};

// The plain containers of one call, and what its arguments want done at its end.
struct reflection {
    struct reflection *outer;      // of a call that is under way on this thread
    VEC(struct after_call) afters; // in the order of arguments
    VEC(struct reflected) items;
    struct map by_object;
};

// Opens and closes a call: what it unboxes and boxes in between belongs together. The end
// writes arguments back, also when an exception is set; false with another one set.
void py_reflection_begin(struct reflection *reflection);
bool py_reflection_end(struct reflection *reflection);
// Has the end of the call that unboxes now run a function with the state, which is given
// back: so many zero bytes. NULL with an exception: no call unboxes now.
void *py_reflection_after(bool (*function)(void *), size_t state_bytes);
// Whether values of the type are plain containers or of types that a program adds, or
// have some in them.
bool py_reflects(const struct type *type);

// A new list for items of a type, or an object of fields; NULL with MemoryError set.
struct abi_row *py_list_create(const struct type *item, int64_t capacity);
struct abi_row *py_row_create(const struct type *const *types, const size_t *offsets,
        size_t count, size_t item_bytes, int64_t capacity);
void *py_row_item(const struct abi_row *row, int64_t index);
// Appends zeros; false with MemoryError set.
bool py_row_extend(struct abi_row *row, int64_t count);
// Appends a value, converted; false with an exception set.
bool py_row_add(struct abi_row *row, const struct type *item, PyObject *value);
// Whether the object is what boxing the value would give. Sets no exception.
bool py_stands_for(PyObject *object, const struct type *type, const void *item);
// Boxes a value that stays where it is.
PyObject *py_box_kept(const struct type *type, const void *source);

// Containers and objects of all kinds.
bool py_unbox_object(PyObject *value, const struct type *type, struct abi_row **out);
PyObject *py_box_object(const struct type *type, struct abi_row *row);

// Makes the objects that stand for a plain container, and for those in it, what compiled
// code has made of them; false with an exception set.
bool py_write_now(const struct type *type, struct abi_row *row);
// Makes the row of a plain container what the object that stands for it has become in the
// interpreter's hands; false with an exception set.
bool py_read_back(PyObject *object, const struct type *type, struct abi_row *row);

// A new container with nothing in it, or object with fields that are zero.
struct abi_row *py_object_create(const struct type *type);
// Field `index` of an object in memory.
void *py_object_field(const struct type *type, const struct abi_row *row, size_t index);

// py_typed.c: objects that Python holds as compiled code does
struct typed_object {
    PyObject ob_base;
    PyObject *dict, *weakrefs;
    struct abi_row *row; // NULL while the type is not known; the object has a reference
    const struct type *type; // likewise
};
bool py_unbox_typed(PyObject *value, const struct type *type, struct abi_row **out);
PyObject *py_box_typed(const struct type *type, struct abi_row *row);

// SPDX-License-Identifier: MIT
// Values known while compiling: literals, captured globals, and compile-time objects.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "compiler/types/type.h"

struct source;

struct constant_array {
    const void *data; // a private C-contiguous copy, owned by the source that captured it
    const int64_t *shape; // ndim of the type
    size_t size_bytes;
    // Where the array lies on a device, which is then used in place of `data`; strides in
    // bytes. NULL: in `data`.
    const int64_t *device_strides;
    uint64_t device_address;
    bool is_in_constant_memory; // of a GPU, if there is room
};

struct constant {
    const struct type *type;
    union {
        int64_t integer;         // BOOL, INT (uint64 as its bits)
        double real;             // FLOAT
        double complex_parts[2]; // COMPLEX
        struct {
            const char *text; // STRING; UTF-8, NUL-terminated
            size_t len;       // in bytes; SIZE_MAX: an argument that was left out
        } string;
        struct {
            const struct constant *items; // TUPLE
            size_t len;
        } tuple;
        struct constant_array array; // ARRAY
        const char *name;      // FUNCTION: "math.exp"; MODULE: "math"; METHOD: "sum"
        struct source *source; // DISPATCHER: the function behind it
        const struct type *instance; // CLASS: same as type->element
        struct {
            const char *name; // EXCEPTION: "ValueError"
            void *object;     // the Python class, kept alive by the source; opaque here
        } exception;
        struct {
            const char *class_name; // PYOBJECT: str(type(object)), for messages
            const char *type_name;  // of a list, set or dict: its type; or NULL
            const char *module;     // the repr of the module it was looked up in; or NULL
            void *object;
        } object;
    };
};

// The value of an enum's member number `i`, of the type of its values.
struct constant type_member_value(const struct type *enumeration, size_t i);
// The literal type of a constant int, bool or str; NULL for others.
const struct type *literal_type(const struct constant *constant);

// SPDX-License-Identifier: MIT
// What is known of each kind of types: the rows of kinds.def as a table. Who asks what
// kind a type is in order to lay out, count, compare or pass its values asks here
// instead, so that a new kind is a row.
//
// Tables by kind stand where something is done that only some kinds are able to; no row
// there means that it is refused:
//   what a loop takes        types/iterated.c, codegen/loops/iter.c
//   calls                    typing/rules/language/call.c
//   a variable left unset    typing/infer/rule.c
//   a type made again        runtime/host/values/py_type.c (without a row: by its name)
// A word for box or unbox that is new needs a function in runtime/host/values/py_box.c or
// py_unbox.c, a shape a row in types/abi.c, a detail one in types/type.c.
#pragma once

#include <assert.h>

#include "compiler/types/type.h"

// What a value consists of. abi.c has the parts of each, codegen/base/types.c makes
// registers of them.
enum type_shape {
    SHAPE_NOTHING,   // no value at run time
    SHAPE_BIT,       // one register of its own: a truth value, a byte in memory
    SHAPE_INT,       // likewise, of so many bits
    SHAPE_FLOAT,     // likewise
    SHAPE_POINTER,   // likewise: an address that is nobody's to release
    SHAPE_REFERENCE, // one register: the address of a struct abi_memory or what begins
                     // with it
    SHAPE_CAUGHT,    // what the program knows of an exception, or NULL; its status
    SHAPE_COMPLEX,
    SHAPE_TEXT,  // struct abi_text
    SHAPE_ARRAY, // struct abi_array
    SHAPE_SLICE,
    SHAPE_RANGE,
    SHAPE_DIM3,
    SHAPE_ELEMENT,   // what its element consists of
    SHAPE_OPTIONAL,  // its element, and whether it is there
    SHAPE_ENUMERATE, // its element, and how many items it has given
    SHAPE_ITEMS,     // tuple.items one after another, as in a struct of C
    SHAPE_RECORD,    // bytes in an array, no registers: size and alignment are NumPy's
    SHAPE_CELLS,     // likewise, characters
    SHAPE_COUNT,
};

// Where a value has pointers to counted memory.
enum type_counted {
    COUNTED_NO,
    COUNTED_FIRST,   // one, in its first register
    COUNTED_ELEMENT, // where its element has some
    COUNTED_ITEMS,   // where its items have some
};

// Which member of struct type's union says more.
enum type_detail {
    DETAIL_NONE,
    DETAIL_TUPLE,
    DETAIL_ARRAY,
    DETAIL_RECORD,
    DETAIL_ENUM,
    DETAIL_TIME,
    DETAIL_CELL,
    DETAIL_NAME,   // function
    DETAIL_SOURCE, // source
    DETAIL_COUNT,
};

// Where values live.
enum type_role {
    ROLE_VALUE,
    ROLE_HOST,     // in the host's heap, out of a device's reach
    ROLE_ITERATOR, // in registers of one function, never at the border of compiled code
    ROLE_KNOWN,    // in the compiler alone
    ROLE_UNTYPED,
};

// What the library takes a value for: its form(). library/__init__.py has the same
// numbers.
enum type_form {
    FORM_NONE,
    FORM_NUMBER,
    FORM_ARRAY,
    FORM_TUPLE,
    FORM_STRING,
    FORM_DTYPE,
    FORM_SLICE,
    FORM_OTHER,
    FORM_LIST,
    FORM_RANGE,
};

enum { VARIES = -1 };

struct type_traits {
    const char *name; // LIST
    enum type_shape shape;
    signed char size_bytes, alignment, leaves; // or VARIES
    enum type_counted counted;
    enum type_detail detail;
    enum type_role role;
    enum type_form form;
    char dtype; // or 0
};

// By enum type_kind.
extern const struct type_traits type_traits[TYPE_KIND_COUNT];

static inline const struct type_traits *type_traits_of(const struct type *type)
{
    assert(type->kind < TYPE_KIND_COUNT);
    return &type_traits[type->kind];
}

// SPDX-License-Identifier: MIT
// Classes whose objects compiled code makes and changes: their methods. The fields are
// the type's (TYPE_INSTANCE).
#pragma once

#include "compiler/types/type.h"

struct source;

enum object_method_kind { METHOD_PLAIN, METHOD_PROPERTY, METHOD_STATIC };

struct object_method {
    const char *name;
    enum object_method_kind kind;
    struct source *source, *setter; // setter: of a property, or NULL
};

// Made by the runtime, for the life of the process.
struct object_class {
    const char *name;
    const char *struct_name; // of a struct: what the type is shown as, before the fields
    void *python_class;      // opaque
    struct object_method *methods;
    size_t method_count;
    bool is_deferred;              // of no objects: a type is defined later
    const struct type *stands_for; // of a deferred type: what it was defined to be
};

// A type for objects of the class, with fields in order.
const struct type *type_instance(
        struct object_class *class, struct type_field *fields, size_t len);
// The fields placed anew, for their types as they are defined by now. No object of the
// type exists yet.
void instance_place_again(const struct type *instance);
// The type with deferred types replaced by what they stand for.
const struct type *type_defined(const struct type *type);
// Whether a value, or a field of an object, has a type that is not defined yet.
bool type_is_undefined(const struct type *type);
// Has the class's fields placed anew when deferred types that they name are defined.
void type_await(const struct type *instance);
// False: it is defined already, or would hold itself.
bool type_define(const struct type *deferred, const struct type *wanted);
// NULL when the class has none of the name.
const struct object_method *object_method_find(
        const struct type *instance, const char *name);

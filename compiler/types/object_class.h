// SPDX-License-Identifier: MIT
// Classes whose objects compiled code makes and changes: their methods. The fields are
// the type's (TYPE_INSTANCE).
#pragma once

#include "compiler/frontend/source.h"
#include "compiler/typing/infer/infer.h"

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
    const struct type *stands_for; // of a deferred type: what it was defined to be
};

// A type for objects of the class, with fields in order.
const struct type *type_instance(
        struct object_class *class, struct type_field *fields, size_t len);
// The type with deferred types replaced by what they stand for.
const struct type *type_defined(const struct type *type);
// NULL when the class has none of the name.
const struct object_method *object_method_find(
        const struct type *instance, const char *name);

// Calls the function with `args`, the last of which have the keywords of a call.
bool rule_call_source(struct rule *r, struct source *callee, struct ir_instr **args,
        size_t count, size_t keyword_count);

bool rule_instance_has(const struct type *type, const char *name);
bool rule_instance_getattr(struct rule *r, const struct type *type);
bool rule_instance_setattr(struct rule *r, const struct type *type);
bool rule_instance_method(struct rule *r);                          // object.method(...)
bool rule_instance_new(struct rule *r, const struct type *type);    // Class(...)
bool rule_class_attribute(struct rule *r, const struct type *type); // Class.method
// An operation that is a method of the first argument; r->args are its arguments.
// The truth of an object: by __bool__ or __len__.
bool rule_instance_truth(struct rule *r);
bool rule_instance_operation(struct rule *r, const char *method);
// An operator on objects: the left one's method, or the right one's reflected one.
bool rule_instance_binary(struct rule *r, enum ir_binary op, bool is_inplace);
bool rule_instance_compare(struct rule *r);

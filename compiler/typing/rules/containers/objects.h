// SPDX-License-Identifier: MIT
// Enums, named tuples, and what programs ask of types: isinstance, type, hasattr, hash.
#pragma once

#include "compiler/typing/infer/rule.h"

bool rule_enum_attribute(struct rule *r, const struct type *type); // .name, .value
bool rule_enum_class(struct rule *r);                              // Color(2)
bool rule_enum_item(struct rule *r);                               // Color["RED"]
bool rule_enum_has(const struct type *class, const char *name);
bool rule_enum_member(struct rule *r, const struct type *class); // .RED

// --- flag.c

bool rule_is_flag(const struct type *type); // of Flag, not of IntFlag
bool rule_flag_binary(struct rule *r, enum ir_binary op);
bool rule_flag_unary(struct rule *r, enum ir_unary op);
bool rule_flag_contains(struct rule *r);
bool rule_flag_number(struct rule *r, const struct type *type); // Access(3)
bool rule_named_class(struct rule *r);                          // Point(1, y=2)
// The position of a named tuple's item, or -1.
int rule_named_item(const struct type *type, const char *name);
// point._fields, point._replace(x=3), point._asdict()
bool rule_named_has(const struct type *type, const char *name);
bool rule_named_attribute(struct rule *r, const struct type *type);
bool rule_named_method(struct rule *r, const struct type *type);

bool rule_instance_has(const struct type *type, const char *name);
bool rule_instance_getattr(struct rule *r, const struct type *type);
bool rule_instance_setattr(struct rule *r, const struct type *type);
bool rule_instance_method(struct rule *r);                          // object.method(...)
bool rule_instance_new(struct rule *r, const struct type *type);    // Class(...)
bool rule_class_attribute(struct rule *r, const struct type *type); // Class.method
// An operator on objects: the left one's method, or the right one's reflected one.
bool rule_instance_binary(struct rule *r, enum ir_binary op, bool is_inplace);
bool rule_instance_compare(struct rule *r);

// SPDX-License-Identifier: MIT
// Functions as values: one that is known, a choice among several, one behind an address.
#pragma once

#include "compiler/types/type.h"

// How a function, or a choice, becomes a value of the type `to`, a CALLABLE or CHOICE.
enum conversion function_conversion(const struct type *from, const struct type *to);
// The type that holds the functions of both; NULL: they are no functions, or differ.
const struct type *function_unify(const struct type *a, const struct type *b);
// The tuple whose items all have the type that holds the functions of a tuple; NULL:
// there is none.
const struct type *type_tuple_of_choices(const struct type *tuple);
// The position of a function among those of a choice; -1: it is none of them.
int function_position(const struct type *choice, const struct type *function);
// Whether C takes and gives values of the type; and whether functions of C have the type
// of a function: `function` is a CALLABLE.
bool type_is_of_c(const struct type *type);
bool function_may_be_of_c(const struct type *function);

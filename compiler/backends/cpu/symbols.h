// SPDX-License-Identifier: MIT
// What compiled code of the CPU finds by name.
#pragma once

#include "compiler/support/support.h"

// Functions that compiled code calls are looked up in the process first, then here. Any
// thread; a name that is defined already keeps its address.
void compiler_define_symbol(const char *name, void *address);
// Where code finds what has a name; NULL: nowhere.
void *compiler_symbol(const char *name);
// Those of a table, which ends with a NULL name.
void compiler_define_symbols(const struct support_symbol *table);

// SPDX-License-Identifier: MIT
// The text of a value, written piece by piece by calls of the runtime.
#pragma once

#include "compiler/codegen/base/body.h"

// As str() has it, or repr() where `is_nested`.
void print_value(struct body *body, const struct type *type, const value *leaves,
        bool is_nested, struct span span);
void print_text(struct body *body, const char *text);
void print_string(struct body *body, const value *leaves, bool is_nested);
// Whether the type is an f-string on a device: its parts behind an Ellipsis.
bool print_is_parts(const struct codegen *gen, const struct type *type);
// What printf takes for ">8.3f" or "5d", and the number as it takes it.
const char *print_printf_format(struct body *body, const char *spec,
        const struct type *type, const value *leaves, value *wide);

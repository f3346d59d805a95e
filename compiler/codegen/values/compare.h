// SPDX-License-Identifier: MIT
// Comparisons of values of one type.
#pragma once

#include "compiler/codegen/base/body.h"

value compare_values(struct body *body, enum ir_compare compare, const struct type *type,
        const value *left, const value *right, struct span span);
emitter compare_instr;

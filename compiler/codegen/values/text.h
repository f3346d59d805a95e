// SPDX-License-Identifier: MIT
// Strings: constants, items, comparison, and what the runtime does with them.
#pragma once

#include "compiler/codegen/base/body.h"

void text_constant(struct body *body, const struct constant *constant, value *leaves);
emitter text_call, text_build, text_at, text_len;
void text_item(struct body *body, const value *text, value index, value *out);
// The number of a byte, as an int64.
value text_byte(struct body *body, const value *text, value index);
value text_compare_values(
        struct body *body, enum ir_compare compare, const value *a, const value *b);

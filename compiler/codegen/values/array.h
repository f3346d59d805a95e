// SPDX-License-Identifier: MIT
// Arrays as they are described: addresses of elements whose indices are in range.
#pragma once

#include "compiler/codegen/base/body.h"

value array_plain_index(struct body *body, const struct ir_instr *instr); // as int64
// An index as int64, a negative one counted from the end.
value array_wrap_index(struct body *body, const struct ir_instr *instr, value extent);
value array_element_address(struct body *body, const struct type *type,
        const value *array, const value *indices);
// In a dense layout the stride of the last (C) or first (F) axis is the size of an item:
// a constant, which is what vectorisation needs to know.
void array_fix_dense_stride(struct body *body, const struct type *type, value *leaves);
void array_describe(struct body *body, const struct type *type, value data,
        const value *shape, value *out);
size_t array_item_bytes(const struct type *type);
size_t array_item_alignment(const struct type *type);
// Tells those who look at what a kernel does of an access before it happens: the emulated
// device may end the thread there. `stored`: leaves, or NULL.
void array_tell_access(struct body *body, const struct type *array, value address,
        enum abi_access access, const value *stored, struct span span);

// SPDX-License-Identifier: MIT
// Functions of mathematics: intrinsics of LLVM, calls of the library, and its vectors.
#pragma once

#include "compiler/codegen/base/body.h"

emitter math_primitive;
value math_call(struct body *body, enum ir_primitive primitive, const struct type *type,
        const value *args, unsigned count);
// The name that libm has for it.
void math_library_name(enum ir_primitive primitive, int bits, char *name, size_t size);

// fmod on the host; `library`: the call of the C library's.
typedef value value_call(struct body *body, enum ir_primitive primitive,
        const struct type *type, const value *args, unsigned count);
value math_remainder(struct body *body, const struct type *type, const value *args,
        value_call *library);

// --- vector_math.c

extern const char vector_math_library[]; // file name of SLEEF's vector ABI
// Tells the vectoriser about SIMD variants of a math function just declared.
void vector_math_describe(struct codegen *gen, value function,
        enum ir_primitive primitive, int bits, unsigned param_count);
// After optimisation: scalar calls beside calls of a SIMD variant go through it, too.
void vector_math_unify(LLVMModuleRef module);

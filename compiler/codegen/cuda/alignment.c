// SPDX-License-Identifier: MIT
// What a kernel is told of where its arguments' items lie.
#include "compiler/codegen/cuda/alignment.h"

#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/values/array.h"

static void assume_multiple(struct codegen *gen, value number, size_t divisor)
{
    LLVMBuilderRef b = gen->builder;
    value rest = LLVMBuildAnd(b, number, value_i64(gen, (int64_t)divisor - 1), "");
    value is_multiple = LLVMBuildICmp(b, LLVMIntEQ, rest, value_i64(gen, 0), "");
    codegen_intrinsic(gen, "llvm.assume", NULL, 0, &is_multiple, 1, "");
}

bool cuda_assume_alignment(const struct body *body)
{
    struct codegen *gen = body->gen;
    const struct ir_function *ir = body->ir;
    bool is_any = false;
    unsigned at = 0;
    for (size_t i = 0; i < ir->param_count; i++) {
        const struct type *type = ir->params[i];
        size_t alignment = abi_usual_alignment(type);
        if (alignment > 1) {
            is_any = true;
            codegen_attribute(
                    gen, body->function, at + ARRAY_DATA + 1, "align", alignment);
            for (int axis = 0; axis < type->array.ndim; axis++)
                assume_multiple(
                        gen, body->args[at + ARRAY_STRIDE(type, axis)], alignment);
        }
        at += (unsigned)type_leaf_count(gen, type);
    }
    return is_any;
}

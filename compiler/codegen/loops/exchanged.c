// SPDX-License-Identifier: MIT
// Arrays under names that a loop gives to other arrays: `a, b = b, a`, and
//
//   while ...:
//       b = np.empty(n)
//       ...
//       a = b
//
// To LLVM the phi of `a` may be either of two objects, one of which is `b`; as the two
// are not told apart it has no vectors for loops that read the one and write the other,
// not even behind a question at run time, which it asks of objects that it takes for
// different ones. So data that a name gets anew in each turn go through an instruction
// that LLVM does not look into, and which costs nothing.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/loops/exchanged.h"
#include "compiler/codegen/values/row.h"

// The value whose memory an array is a view of. A name that is a view of itself, as in
// `a = a[1:]`, moves evenly, which LLVM is to see.
static const struct ir_instr *viewed(const struct ir_instr *array)
{
    while (array->op == IR_PRIMITIVE && array->operand_count &&
            array->primitive != PRIMITIVE_ARRAY_EMPTY &&
            array->primitive != PRIMITIVE_ARRAY_ZEROS && array->operands[0]->type &&
            array->operands[0]->type->kind == TYPE_ARRAY)
        array = array->operands[0];
    return array;
}

const value *exchanged_arrays(struct body *body, const struct ir_instr *phi,
        const struct ir_instr *from, LLVMBasicBlockRef source)
{
    struct codegen *gen = body->gen;
    const value *leaves = body->values[from->id];
    if (gen->target->kind != TARGET_HOST || !row_has_array(phi->type) ||
            viewed(from) == phi)
        return leaves;
    size_t count = type_leaf_count(gen, phi->type);
    value *hidden = value_row(gen, count);
    LLVMPositionBuilderBefore(gen->builder, LLVMGetBasicBlockTerminator(source));
    for (size_t i = 0; i < count; i++) {
        bool is_address = LLVMTypeOf(leaves[i]) == gen->ptr && !LLVMIsConstant(leaves[i]);
        hidden[i] = is_address ? value_opaque(gen, leaves[i]) : leaves[i];
    }
    return hidden;
}

// SPDX-License-Identifier: MIT
// A GPU's registers hold 32 bits: int64 takes two of them, a sum two instructions, a
// product or an extreme four and a division a hundred. Python's integers are int64 all
// the same; so what is known to fit is computed in one register, and widened afterwards.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/values/arith.h"
#include "compiler/codegen/values/cast.h"

static bool fits(const struct body *body, const struct ir_instr *number)
{
    struct interval of = body->intervals[number->id];
    return number->type == type_int64 && of.low >= INT32_MIN && of.high <= INT32_MAX;
}

bool narrow_applies(const struct body *body, const struct ir_instr *instr)
{
    if (body->gen->target->kind != TARGET_GPU || !instr->operand_count)
        return false;
    for (size_t i = 0; i < instr->operand_count; i++)
        if (!fits(body, instr->operands[i]))
            return false;
    return instr->type != type_int64 || fits(body, instr);
}

value narrow_operand(struct body *body, const struct ir_instr *instr, size_t index)
{
    value number = operand(body, instr, index)[0];
    return LLVMBuildTrunc(body->gen->builder, number, body->gen->i32, "");
}

value narrow_widened(struct body *body, value number)
{
    return LLVMBuildSExt(body->gen->builder, number, body->gen->i64, "");
}

bool narrow_cast(struct body *body, const struct ir_instr *instr, value *out)
{
    if (instr->type->kind != TYPE_FLOAT || !narrow_applies(body, instr))
        return false;
    value number = narrow_operand(body, instr, 0);
    cast_value(body, type_int32, instr->type, &number, out, instr->span);
    return true;
}

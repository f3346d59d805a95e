// SPDX-License-Identifier: MIT
// The neighbour in a row that is closed to a ring, (i + 1) % n and (i - 1) % n where i is
// a number of range(n): at most one n too large or too small, so that a choice takes the
// place of the division. A loop of such choices vectorises.
#include <assert.h>

#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/bounds/bounds.h"

enum {
    MOST_STEPS = 2
}; // an index so far from [0, n) may be two n out of it where n is 1

static const int64_t most_exact = (int64_t)1 << 62; // twice of which is an int64

// The number in [0, n) that the dividend is some steps away from, or NULL. There may be
// an n besides, as in (i + n - 1) % n.
static const struct ir_instr *number_near(
        const struct body *body, const struct ir_instr *remainder, int64_t *steps)
{
    value n = body->values[remainder->operands[1]->id][0];
    bool is_exact = body->intervals[remainder->operands[1]->id].high <= most_exact;
    int64_t more = 0;
    const struct ir_instr *number = flow_without_constants(remainder->operands[0], steps);
    for (size_t i = 0; number->op == IR_BINARY && number->binary == BINARY_ADD && i < 2;
            i++) {
        const struct ir_instr *added = number->operands[1 - i];
        if (!is_exact || !body->values[added->id] || body->values[added->id][0] != n)
            continue;
        number = flow_without_constants(number->operands[i], &more);
        *steps += more;
        break;
    }
    bool is_near = *steps >= -MOST_STEPS && *steps <= MOST_STEPS &&
                   (is_exact || *steps * *steps <= 1);
    return is_near && body->intervals[number->id].low >= 0 &&
                           bounds_is_below(body, number, 0, n)
                   ? number
                   : NULL;
}

// The remainder of what is out: for a step the same in each turn, which lets LLVM tell
// apart the arrays of a loop. Of two steps n itself may be fewer.
static value other_end(struct body *body, value moved, value n, int64_t steps)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    LLVMTypeRef type = gen->i64;
    value first = value_i64(gen, 0), last = LLVMBuildNSWSub(b, n, value_i64(gen, 1), "");
    assert(steps >= -MOST_STEPS && steps <= MOST_STEPS);
    if (steps == 1 || steps == -1)
        return steps > 0 ? first : last;
    value around = steps > 0 ? LLVMBuildNSWSub(b, moved, n, "")
                             : LLVMBuildNSWAdd(b, moved, n, "");
    return codegen_intrinsic(gen, steps > 0 ? "llvm.smin" : "llvm.smax", &type, 1,
            (value[2]){around, steps > 0 ? last : first}, 2, "");
}

bool bounds_wrap(struct body *body, const struct ir_instr *instr, value *out)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    assert(instr->op == IR_BINARY && instr->operand_count == 2);
    if (instr->binary != BINARY_MOD || !flow_is_int64(instr->type))
        return false;
    int64_t steps;
    const struct ir_instr *number = number_near(body, instr, &steps);
    if (!number)
        return false;
    value n = body->values[instr->operands[1]->id][0];
    value moved =
            LLVMBuildNSWAdd(b, body->values[number->id][0], value_i64(gen, steps), "");
    value is_out = steps < 0 ? LLVMBuildICmp(b, LLVMIntSLT, moved, value_i64(gen, 0), "")
                             : LLVMBuildICmp(b, LLVMIntSGE, moved, n, "");
    *out = steps ? value_select(gen, is_out, other_end(body, moved, n, steps), moved)
                 : moved;
    return true;
}

// SPDX-License-Identifier: MIT
// The neighbour in a row that is closed to a ring, (i + 1) % n and (i - 1) % n where i is
// in range(n): a number of that range, or one that was compared with n on the way. It is
// at most once n too large or too small, so that a choice takes the place of the
// division, and a loop of such choices vectorises. Where nothing is known of i it mostly
// is in the range: the division is left for when the sum is not.
#include <assert.h>

#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/bounds/bounds.h"
#include "compiler/codegen/values/arith.h"

enum {
    MOST_STEPS = 2, // an index so far from [0, n) may be two n out of it where n is 1
    MOST_TERMS = 4
};

static const int64_t most_exact = (int64_t)1 << 62; // twice of which is an int64

// A dividend taken apart: a number, and steps away from it.
struct near {
    const struct ir_instr *number;
    int64_t constant, low,
            high; // the steps: the constant ones, and between which they are
    const struct ir_instr *moves[MOST_TERMS]; // those that are no constants
    bool is_back[MOST_TERMS];                 // subtracted
    int count;
    bool has_n, is_exact; // there is an n besides; twice n is an int64
};

// --- What a branch has told

struct wanted {
    const struct ir_instr *number;
    const struct body *body;
    value n; // NULL: whether the number is 0 or more
};

static const struct ir_instr *without_casts(const struct ir_instr *instr)
{
    while (instr->op == IR_CAST && flow_is_int64(instr->type) &&
            instr->operands[0]->type->kind == TYPE_INT &&
            (instr->operands[0]->type->is_signed || instr->operands[0]->type->bits < 64))
        instr = instr->operands[0];
    return instr;
}

static bool is_n(const struct wanted *wanted, const struct ir_instr *instr)
{
    const struct body *body = wanted->body;
    return flow_is_int64(instr->type) && body->values[instr->id] &&
           body->values[instr->id][0] == wanted->n;
}

// Of a < b, or a <= b if it may be the same.
static bool is_order_wanted(const struct wanted *wanted, const struct ir_instr *a,
        const struct ir_instr *b, bool may_be_same)
{
    if (wanted->n)
        return !may_be_same && without_casts(a) == wanted->number && is_n(wanted, b);
    int64_t least = wanted->body->intervals[a->id].low;
    return least >= (may_be_same ? 0 : -1) && flow_is_int64(a->type) &&
           without_casts(b) == wanted->number;
}

static bool says(const struct ir_instr *condition, bool is_so, const void *data)
{
    if (condition->op == IR_UNARY && condition->unary == UNARY_NOT)
        return says(condition->operands[0], !is_so, data);
    if (condition->op != IR_COMPARE || !flow_is_int64(condition->operands[0]->type) ||
            !flow_is_int64(condition->operands[1]->type))
        return false;
    const struct ir_instr *a = condition->operands[0], *b = condition->operands[1];
    enum ir_compare compare = condition->compare;
    bool is_less = compare == COMPARE_LT || compare == COMPARE_LE;
    if (!is_less && compare != COMPARE_GT && compare != COMPARE_GE)
        return false;
    bool may_be_same = (compare == COMPARE_LE || compare == COMPARE_GE) == is_so;
    return is_less == is_so ? is_order_wanted(data, a, b, may_be_same)
                            : is_order_wanted(data, b, a, may_be_same);
}

// Whether the number, in the block of its remainder, is one of range(n).
static bool is_in_range(const struct body *body, const struct ir_block *block,
        const struct ir_instr *number, value n)
{
    struct wanted wanted = {without_casts(number), body, NULL};
    bool is_turn = body->turn.header; // what was compared, was so of another turn
    if (body->intervals[number->id].low < 0 &&
            (is_turn || !flow_is_told(body->flow, block, says, &wanted)))
        return false;
    wanted.n = n;
    return bounds_is_below(body, number, 0, n) ||
           (!is_turn && flow_is_told(body->flow, block, says, &wanted));
}

// --- What the dividend consists of

// Takes constants off the number, and n, or a step that is at most a few. False: there is
// nothing to take.
static bool take_off(const struct body *body, struct near *near, value n)
{
    int64_t more;
    near->number = flow_without_constants(near->number, &more);
    near->constant += more;
    near->low += more;
    near->high += more;
    const struct ir_instr *sum = near->number;
    bool is_sum = sum->op == IR_BINARY && sum->binary == BINARY_ADD;
    if (!is_sum && (sum->op != IR_BINARY || sum->binary != BINARY_SUB))
        return false;
    for (int i = 1; i >= !is_sum; i--) {
        const struct ir_instr *part = sum->operands[i];
        struct interval of = body->intervals[part->id];
        bool is_n = is_sum && near->is_exact && !near->has_n && body->values[part->id] &&
                    body->values[part->id][0] == n;
        if (!is_n && (of.low < -MOST_STEPS || of.high > MOST_STEPS || of.low > of.high ||
                             !flow_is_int64(part->type) || near->count == MOST_TERMS))
            continue;
        near->number = sum->operands[1 - i];
        near->has_n |= is_n;
        if (is_n)
            return true;
        near->low += is_sum ? of.low : -of.high;
        near->high += is_sum ? of.high : -of.low;
        near->is_back[near->count] = !is_sum;
        near->moves[near->count++] = part;
        return true;
    }
    return false;
}

// Whether the dividend is a number in [0, n) and few steps, with an n besides as in
// (i + n - 1) % n, or without.
static bool is_near(
        const struct body *body, const struct ir_instr *remainder, struct near *near)
{
    value n = body->values[remainder->operands[1]->id][0];
    *near = (struct near){.number = remainder->operands[0],
            .is_exact = body->intervals[remainder->operands[1]->id].high <= most_exact};
    for (int i = 0; i <= MOST_TERMS && take_off(body, near, n);)
        i++;
    int64_t most = near->is_exact ? MOST_STEPS : 1;
    return near->low >= -most && near->high <= most &&
           is_in_range(body, remainder->block, near->number, n);
}

// --- The choice

// All steps together: a constant one, in a loop that LLVM writes out.
static value all_steps(struct body *body, const struct near *near)
{
    LLVMBuilderRef b = body->gen->builder;
    value steps = value_i64(body->gen, near->constant);
    for (int i = 0; i < near->count; i++) {
        value step = body->values[near->moves[i]->id][0];
        steps = near->is_back[i] ? LLVMBuildNSWSub(b, steps, step, "")
                                 : LLVMBuildNSWAdd(b, steps, step, "");
    }
    return steps;
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

// With steps of both directions each end is asked about only where it can be reached.
static value wrapped(struct body *body, value n, const struct near *near)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value zero = value_i64(gen, 0), steps = all_steps(body, near);
    value moved = LLVMBuildNSWAdd(b, body->values[near->number->id][0], steps, "");
    value out = moved;
    if (near->high > 0) {
        value is_out = LLVMBuildAnd(b, LLVMBuildICmp(b, LLVMIntSGT, steps, zero, ""),
                LLVMBuildICmp(b, LLVMIntSGE, moved, n, ""), "");
        out = value_select(gen, is_out, other_end(body, moved, n, near->high), out);
    }
    if (near->low < 0) {
        value is_out = LLVMBuildAnd(b, LLVMBuildICmp(b, LLVMIntSLT, steps, zero, ""),
                LLVMBuildICmp(b, LLVMIntSLT, moved, zero, ""), "");
        out = value_select(gen, is_out, other_end(body, moved, n, near->low), out);
    }
    return out;
}

// --- Where nothing is known

// A step up or down from what may well be an index: no product or other number that is
// mostly far from it, whose remainder is not to be guessed.
static bool is_step_of_index(const struct body *body, const struct ir_instr *remainder)
{
    int64_t steps;
    const struct ir_instr *number =
            without_casts(flow_without_constants(remainder->operands[0], &steps));
    bool is_part = number->op == IR_BINARY &&
                   (number->binary == BINARY_MOD || number->binary == BINARY_FLOORDIV);
    bool is_index = number->op == IR_ARG || number->op == IR_PHI || is_part ||
                    number->op == IR_TUPLE_GET || number->op == IR_PAIR_FIRST;
    value n = body->values[remainder->operands[1]->id][0];
    return is_index && steps && steps >= -MOST_STEPS && steps <= MOST_STEPS &&
           !LLVMIsConstant(n);
}

static value divided_seldom(struct body *body, const struct ir_instr *instr)
{
    struct codegen *gen = body->gen;
    LLVMBuilderRef b = gen->builder;
    value dividend = body->values[instr->operands[0]->id][0];
    value n = body->values[instr->operands[1]->id][0], remainder;
    value is_out =
            LLVMBuildOr(b, LLVMBuildICmp(b, LLVMIntSLT, dividend, value_i64(gen, 0), ""),
                    LLVMBuildICmp(b, LLVMIntSGE, dividend, n, ""), "");
    LLVMBasicBlockRef here = LLVMGetInsertBlock(b);
    LLVMBasicBlockRef next = body_enter_seldom(body, is_out, "around");
    arith_binary(body, instr, &remainder);
    LLVMBasicBlockRef there = LLVMGetInsertBlock(b);
    LLVMBuildBr(b, next);
    LLVMPositionBuilderAtEnd(b, next);
    return value_phi(
            gen, "", (value[]){dividend, remainder}, (LLVMBasicBlockRef[]){here, there});
}

bool bounds_is_wrapped(const struct body *body, const struct ir_instr *instr)
{
    struct near near;
    return instr->op == IR_BINARY && instr->binary == BINARY_MOD &&
           flow_is_int64(instr->type) && is_near(body, instr, &near);
}

bool bounds_wrap(struct body *body, const struct ir_instr *instr, value *out)
{
    assert(instr->op == IR_BINARY && instr->operand_count == 2);
    if (instr->binary != BINARY_MOD || !flow_is_int64(instr->type))
        return false;
    struct near near;
    if (is_near(body, instr, &near))
        *out = wrapped(body, body->values[instr->operands[1]->id][0], &near);
    else if (is_step_of_index(body, instr))
        *out = divided_seldom(body, instr);
    else
        return false;
    return true;
}

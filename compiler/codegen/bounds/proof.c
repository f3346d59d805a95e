// SPDX-License-Identifier: MIT
// Indices that cannot be out of range: numbers of a range that ends with the axis, what
// only falls from there or is made less, and remainders of a division by the axis's
// length. Lengths are
// told by the values that stand for them: an SSA value never changes.
#include "compiler/codegen/body/declare.h"
#include "compiler/codegen/bounds/bounds.h"
#include "compiler/codegen/values/arith.h"

#include <assert.h>

enum { MAX_STEPS = 3 }; // from a value to what it comes of

// Whether an argument is known to be no larger than the extent.
static bool is_at_most(const struct body *body, const struct ir_instr *arg, value extent)
{
    unsigned leaf = body->facts ? body->facts->at_most[arg->index] : 0;
    return leaf && body->args[leaf - 1] == extent;
}

// Whether a number is the extent, or less.
static bool stands_for(
        const struct body *body, const struct ir_instr *instr, value extent)
{
    if (!flow_is_int64(instr->type) || !body->values[instr->id])
        return false;
    return body->values[instr->id][0] == extent ||
           (instr->op == IR_ARG && is_at_most(body, instr, extent));
}

// Whether all numbers of the range, moved by a constant, are below the extent.
static bool range_ends_before(const struct body *body, const struct ir_instr *range,
        int64_t moved, value extent)
{
    bool is_up = body->intervals[range->operands[2]->id].low > 0;
    bool is_down = body->intervals[range->operands[2]->id].high < 0;
    int64_t more;
    const struct ir_instr *end = flow_without_constants(range->operands[is_up], &more);
    return (is_up || is_down) && stands_for(body, end, extent) &&
           moved + more <= -is_down;
}

static bool is_below(const struct body *body, const struct ir_instr *index, int64_t moved,
        value extent, int depth);

// A variable that starts below and never grows.
static bool phi_is_below(const struct body *body, const struct ir_instr *phi,
        int64_t moved, value extent, int depth)
{
    for (size_t i = 0; i < phi->operand_count; i++) {
        int64_t change;
        bool is_itself = flow_without_constants(phi->operands[i], &change) == phi;
        if (is_itself ? change > 0
                      : !depth || !is_below(body, phi->operands[i], moved, extent, depth))
            return false;
    }
    return true;
}

// What is no larger than its first operand, which is not negative.
static bool only_lessens(const struct body *body, const struct ir_instr *instr)
{
    const struct interval *intervals = body->intervals;
    if (instr->op != IR_BINARY || intervals[instr->operands[0]->id].low < 0)
        return false;
    struct interval by = intervals[instr->operands[1]->id];
    switch (instr->binary) {
    case BINARY_SUB:
        // so far that a constant more cannot make it wrap around
        return by.low >= 0 && by.high <= INT64_MAX / 2;
    case BINARY_RSHIFT:
    case BINARY_MOD:
        return by.low >= 0;
    case BINARY_FLOORDIV:
        return by.low >= 1;
    case BINARY_AND:
        return true;
    default:
        return false;
    }
}

static bool is_least(const struct ir_instr *instr)
{
    return instr->op == IR_PRIMITIVE && instr->primitive == PRIMITIVE_MIN &&
           instr->operand_count == 2;
}

// Whether the index and a constant are less than the extent, whatever the turn.
static bool is_below(const struct body *body, const struct ir_instr *index, int64_t moved,
        value extent, int depth)
{
    int64_t more;
    if (!flow_is_int64(index->type) || body->turn.header)
        return false;
    if (index->op == IR_BINARY && index->binary == BINARY_MOD && moved <= 0 &&
            !arith_divides_as_numpy(body, index) &&
            stands_for(body, index->operands[1], extent))
        return true;
    const struct ir_instr *item = flow_without_constants(index, &more);
    moved += more;
    if (stands_for(body, item, extent))
        return moved < 0;
    if (depth && only_lessens(body, item))
        return is_below(body, item->operands[0], moved, extent, depth - 1);
    if (depth && is_least(item))
        return is_below(body, item->operands[0], moved, extent, depth - 1) ||
               is_below(body, item->operands[1], moved, extent, depth - 1);
    if (depth && item->op == IR_PHI)
        return phi_is_below(body, item, moved, extent, depth - 1);
    if (item->op != IR_PAIR_FIRST || item->operands[0]->op != IR_ITERNEXT ||
            item->operands[0]->operands[0]->op != IR_GETITER)
        return false;
    const struct ir_instr *range = item->operands[0]->operands[0]->operands[0];
    return range->op == IR_PRIMITIVE && range->primitive == PRIMITIVE_RANGE &&
           flow_is_int64(item->type) && range_ends_before(body, range, moved, extent);
}

bool bounds_is_below(const struct body *body, const struct ir_instr *index, int64_t moved,
        value extent)
{
    return is_below(body, index, moved, extent, MAX_STEPS);
}

bool bounds_is_proven(const struct body *body, const struct ir_instr *index, value extent)
{
    bool is_remainder = index->op == IR_BINARY && index->binary == BINARY_MOD;
    return (is_remainder || body->intervals[index->id].low >= 0) &&
           is_below(body, index, 0, extent, MAX_STEPS);
}

// --- Numbers that are held within the axis: min(max(i, 0), n - 1), max(min(i, n - 1), 0)

static bool is_limit(const struct ir_instr *instr, enum ir_primitive which)
{
    return instr->op == IR_PRIMITIVE && instr->primitive == which &&
           instr->operand_count == 2 && flow_is_int64(instr->type);
}

// Whether it is the number of the axis's last item.
static bool is_last(const struct body *body, const struct ir_instr *instr, value extent)
{
    int64_t moved;
    assert(body && instr);
    const struct ir_instr *item = flow_without_constants(instr, &moved);
    return moved == -1 && flow_is_int64(item->type) && body->values[item->id] &&
           body->values[item->id][0] == extent;
}

static bool is_at_most_last(
        const struct body *body, const struct ir_instr *instr, value extent)
{
    return is_limit(instr, PRIMITIVE_MIN) &&
           (is_last(body, instr->operands[0], extent) ||
                   is_last(body, instr->operands[1], extent));
}

bool bounds_is_held(const struct body *body, const struct ir_instr *index, value extent,
        int64_t *of_none)
{
    assert(extent && of_none);
    *of_none = is_limit(index, PRIMITIVE_MIN) ? -1 : 0;
    for (int i = 0; i < 2; i++) {
        if (is_at_most_last(body, index, extent)) {
            if (is_last(body, index->operands[i], extent) &&
                    body->intervals[index->operands[!i]->id].low >= 0)
                return true;
        } else if (is_limit(index, PRIMITIVE_MAX)) {
            struct interval least = body->intervals[index->operands[i]->id];
            if (least.low == 0 && least.high == 0 &&
                    is_at_most_last(body, index->operands[!i], extent))
                return true;
        }
    }
    return false;
}

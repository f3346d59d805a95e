// SPDX-License-Identifier: MIT
// Sums and differences that are never negative because of how numbers of ranges relate to
// other values: `n - 1 - i` for i of range(n), `i - k` for i of range(k, n). Their terms
// alone may be anything.
//
// A number of a range is its start, or what comes before its stop, and a distance from
// there that is not negative. With that in the number's place terms cancel out. What is
// left of them, and all distances, are added up without a remainder: they are less than
// 2^63 together, so that the sum is exact although parts of it may have wrapped around.
#include "compiler/ir/differences.h"
#include "compiler/types/type.h"

enum { MAX_TERMS = 6, MAX_DEPTH = 4, MAX_PLACES = 3, MAX_CONSTANT = 1 << 20 };

struct term {
    const struct ir_instr *instr;
    int64_t factor;
};

struct sum {
    const struct interval *of; // by instruction id
    struct term terms[MAX_TERMS];
    int count;
    __int128 constant, distances; // distances: what they are at most, together
};

// Of what nothing is known yet the best is thought: it is asked again.
static struct interval interval_of(const struct sum *sum, const struct ir_instr *instr)
{
    struct interval of = sum->of[instr->id];
    return of.low > of.high ? (struct interval){0, 0} : of;
}

static bool is_int64(const struct ir_instr *instr)
{
    const struct type *type = instr->type;
    return type && type->kind == TYPE_INT && type->bits == 64 && type->is_signed;
}

static bool add_term(struct sum *sum, const struct ir_instr *instr, int64_t factor)
{
    int at = 0;
    while (at < sum->count && sum->terms[at].instr != instr)
        at++;
    if (at == MAX_TERMS)
        return false;
    if (at == sum->count)
        sum->terms[sum->count++] = (struct term){instr, 0};
    sum->terms[at].factor += factor;
    if (!sum->terms[at].factor)
        sum->terms[at] = sum->terms[--sum->count];
    return true;
}

// Adds a value, taken apart. Each part is the value of an instruction of int64.
static bool add_value(
        struct sum *sum, const struct ir_instr *instr, int64_t factor, int depth)
{
    if (instr->op == IR_CAST && is_int64(instr) &&
            (is_int64(instr->operands[0]) || instr->operands[0]->op == IR_CONST) &&
            instr->operands[0]->type->kind == TYPE_INT)
        instr = instr->operands[0];
    if (instr->op == IR_CONST && instr->type->kind == TYPE_INT &&
            instr->constant.integer >= -MAX_CONSTANT &&
            instr->constant.integer <= MAX_CONSTANT) {
        sum->constant += factor * instr->constant.integer;
        return true;
    }
    if (instr->op == IR_UNARY && instr->unary == UNARY_NEGATIVE && is_int64(instr) &&
            depth)
        return add_value(sum, instr->operands[0], -factor, depth - 1);
    bool is_sum = instr->op == IR_BINARY && is_int64(instr) &&
                  (instr->binary == BINARY_ADD || instr->binary == BINARY_SUB);
    if (!is_sum || !depth)
        return is_int64(instr) && add_term(sum, instr, factor);
    int64_t right = instr->binary == BINARY_ADD ? factor : -factor;
    return add_value(sum, instr->operands[0], factor, depth - 1) &&
           add_value(sum, instr->operands[1], right, depth - 1);
}

// Whether what is left of the terms cannot be negative, and is exact.
static bool is_settled(const struct sum *sum)
{
    __int128 low = sum->constant, high = sum->constant + sum->distances;
    for (int i = 0; i < sum->count; i++) {
        struct interval of = interval_of(sum, sum->terms[i].instr);
        __int128 factor = sum->terms[i].factor;
        low += factor * (factor > 0 ? of.low : of.high);
        high += factor * (factor > 0 ? of.high : of.low);
    }
    return low >= 0 && high <= INT64_MAX;
}

static const struct ir_instr *range_of(const struct ir_instr *number)
{
    const struct ir_instr *next =
            number->op == IR_PAIR_FIRST ? number->operands[0] : NULL;
    const struct ir_instr *iterator =
            next && next->op == IR_ITERNEXT ? next->operands[0] : NULL;
    const struct ir_instr *range =
            iterator && iterator->op == IR_GETITER ? iterator->operands[0] : NULL;
    return range && range->op == IR_PRIMITIVE && range->primitive == PRIMITIVE_RANGE
                   ? range
                   : NULL;
}

static bool settle(const struct sum *sum, int places);

// With an end of the range in the number's place, which makes the sum no larger; from the
// start on the number went no further than `most`.
static bool settle_by(const struct sum *sum, const struct term *term,
        const struct ir_instr *end, int64_t moved, __int128 most, int places)
{
    struct sum less = *sum;
    struct interval number = interval_of(sum, term->instr), from = interval_of(sum, end);
    __int128 distance = term->factor > 0 ? (__int128)number.high - from.low - moved
                                         : (__int128)from.high + moved - number.low;
    less.distances += distance < most ? distance : most;
    less.constant += term->factor * moved;
    return add_term(&less, term->instr, -term->factor) &&
           add_value(&less, end, term->factor, MAX_DEPTH) && settle(&less, places);
}

static bool settle_number(const struct sum *sum, const struct term *term, int places)
{
    const struct ir_instr *range = range_of(term->instr);
    if (!range || !is_int64(term->instr) || (term->factor != 1 && term->factor != -1))
        return false;
    struct interval step = interval_of(sum, range->operands[2]);
    bool is_up = step.low > 0;
    if (!is_up && step.high >= 0)
        return false;
    const __int128 anywhere = (__int128)1 << 65,
                   most = (__int128)MAX_TURNS * (is_up ? step.high : -(__int128)step.low);
    if (is_up == (term->factor > 0))
        return settle_by(sum, term, range->operands[0], 0, most, places);
    const struct ir_instr *stop = range->operands[1];
    bool is_least = is_up && stop->op == IR_PRIMITIVE && stop->primitive == PRIMITIVE_MIN;
    int64_t moved = is_up ? -1 : 1;
    if (settle_by(sum, term, stop, moved, anywhere, places))
        return true;
    for (size_t i = 0; is_least && i < stop->operand_count; i++)
        if (settle_by(sum, term, stop->operands[i], moved, anywhere, places))
            return true;
    return false;
}

static bool settle(const struct sum *sum, int places)
{
    if (is_settled(sum))
        return true;
    for (int i = 0; places && i < sum->count; i++)
        if (settle_number(sum, &sum->terms[i], places - 1))
            return true;
    return false;
}

bool ir_is_never_negative(const struct ir_instr *instr, const struct interval *of)
{
    struct sum sum = {.of = of};
    return is_int64(instr) && instr->op == IR_BINARY &&
           (instr->binary == BINARY_ADD || instr->binary == BINARY_SUB) &&
           add_value(&sum, instr, 1, MAX_DEPTH) && settle(&sum, MAX_PLACES);
}

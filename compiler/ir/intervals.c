// SPDX-License-Identifier: MIT
// Between which numbers each integer of a resolved function lies, so that an index that
// cannot be negative needs no counting from the end. A forward analysis: instructions
// start without a value, take the hull of what can reach them, and give up on a side that
// keeps growing. Two things are taken as physically impossible: an extent beyond
// MAX_EXTENT items, and a loop of more than MAX_TURNS turns.
#include "compiler/ir/differences.h"
#include "compiler/ir/ir.h"
#include "compiler/types/type.h"

// An address has 47 bits on every machine that this runs on, and an item has a byte at
// least.
static const int64_t MAX_EXTENT = (int64_t)1 << 47;

// Of a block, and of a grid along an axis: 2^31 blocks of 2^10.
static const int64_t MAX_BLOCK = 1 << 10, MAX_THREADS = (int64_t)1 << 41;

// What a number that grows by less than MAX_STEP in a turn never passes.
static const int64_t MAX_COUNT = (int64_t)1 << 62, MAX_STEP = 4096;

enum { MAX_CHANGES = 4 }; // of an instruction, before a growing side is given up

struct analysis {
    struct interval *of;           // by instruction id
    unsigned char *changes;        // likewise
    const struct interval *params; // of the function; NULL: nothing is known of them
};

static const struct interval nothing = {INT64_MAX, INT64_MIN};

static bool is_nothing(struct interval interval)
{
    return interval.low > interval.high;
}

static bool is_integer(const struct type *type)
{
    return type && (type->kind == TYPE_INT || type->kind == TYPE_BOOL);
}

// Whether numbers are compared as the ends of intervals are. A uint64 from 2^63 on stands
// in an interval as the negative int64 of the same bits.
static bool is_ordered(const struct type *type, struct interval interval)
{
    return type->is_signed || type->kind == TYPE_BOOL || type->bits < 64 ||
           interval.low >= 0;
}

// All numbers of a type; of uint64 those that int64 has are not told from the others.
static struct interval all_of(const struct type *type)
{
    if (!is_integer(type) || (type->kind == TYPE_INT && type->bits == 64))
        return (struct interval){INT64_MIN, INT64_MAX};
    if (type->kind == TYPE_BOOL)
        return (struct interval){0, 1};
    int64_t half = (int64_t)1 << (type->bits - 1);
    return type->is_signed ? (struct interval){-half, half - 1}
                           : (struct interval){0, 2 * half - 1};
}

// The interval if the type holds all of it, else whatever the type holds.
// Arithmetic wraps: a sum that may leave the type may be any number of it afterwards. So
// a bound never comes out of an overflow.
static struct interval fitted(const struct type *type, __int128 low, __int128 high)
{
    struct interval all = all_of(type);
    bool fits = low >= all.low && high <= all.high;
    return fits ? (struct interval){(int64_t)low, (int64_t)high} : all;
}

static struct interval hull(struct interval a, struct interval b)
{
    if (is_nothing(a))
        return b;
    if (is_nothing(b))
        return a;
    return (struct interval){
            a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

// A counter `i += 1` would have no upper bound, as it might wrap in the end. Under the
// second assumption above it cannot get that far; this is what makes most indices
// provably non-negative.
static bool is_step(struct interval interval)
{
    return interval.low == interval.high && interval.low >= -MAX_STEP &&
           interval.low <= MAX_STEP;
}

static struct interval add(const struct type *type, struct interval a, struct interval b)
{
    __int128 low = (__int128)a.low + b.low, high = (__int128)a.high + b.high;
    bool counts = (is_step(a) || is_step(b)) && type->bits == 64;
    if (counts && a.high <= MAX_COUNT && b.high <= MAX_COUNT && high > MAX_COUNT)
        high = MAX_COUNT;
    if (counts && a.low >= -MAX_COUNT && b.low >= -MAX_COUNT && low < -MAX_COUNT)
        low = -MAX_COUNT;
    return fitted(type, low, high);
}

static struct interval negated(struct interval a)
{
    return (struct interval){a.high == INT64_MAX ? INT64_MIN : -a.high,
            a.low == INT64_MIN ? INT64_MAX : -a.low};
}

static struct interval subtract(
        const struct type *type, struct interval a, struct interval b)
{
    return b.low == INT64_MIN ? all_of(type) : add(type, a, negated(b));
}

static struct interval multiply(
        const struct type *type, struct interval a, struct interval b)
{
    __int128 ends[] = {(__int128)a.low * b.low, (__int128)a.low * b.high,
            (__int128)a.high * b.low, (__int128)a.high * b.high};
    __int128 low = ends[0], high = ends[0];
    for (int i = 1; i < 4; i++) {
        low = ends[i] < low ? ends[i] : low;
        high = ends[i] > high ? ends[i] : high;
    }
    return fitted(type, low, high);
}

// Python's modulo has the divisor's sign: between 0 and the divisor, whatever the left
// side is.
static struct interval remainder_of(
        const struct type *type, struct interval a, struct interval b)
{
    if (b.low < 0)
        return all_of(type);
    int64_t high = b.high > 0 ? b.high - 1 : 0;
    return (struct interval){0, a.low >= 0 && a.high < high ? a.high : high};
}

// One side that is not negative clears the sign, and the result is no larger than it.
static struct interval masked(
        const struct type *type, struct interval a, struct interval b)
{
    if (a.low < 0 && b.low < 0)
        return all_of(type);
    int64_t high = a.low < 0 ? b.high : b.low < 0 || a.high < b.high ? a.high : b.high;
    return (struct interval){0, high};
}

static struct interval quotient(
        const struct type *type, struct interval a, struct interval b)
{
    return a.low >= 0 && b.low >= 1 ? (struct interval){0, a.high} : all_of(type);
}

// By less than the type has bits.
static struct interval shifted_left(
        const struct type *type, struct interval a, struct interval b)
{
    if (b.low < 0 || b.high > 62)
        return all_of(type);
    __int128 least = a.low < 0 ? b.high : b.low, most = a.high < 0 ? b.low : b.high;
    return fitted(type, a.low * ((__int128)1 << least), a.high * ((__int128)1 << most));
}

// Bits of two numbers that are not negative: below the next power of two.
static struct interval joined(
        const struct type *type, struct interval a, struct interval b)
{
    if (a.low < 0 || b.low < 0)
        return all_of(type);
    int64_t most = a.high > b.high ? a.high : b.high, high = 0;
    while (high < most)
        high = 2 * high + 1;
    return (struct interval){0, high};
}

static struct interval shifted_right(
        const struct type *type, struct interval a, struct interval b)
{
    return a.low >= 0 ? (struct interval){0, a.high} : all_of(type);
}

static struct interval of_binary(
        const struct ir_instr *instr, struct interval a, struct interval b)
{
    static struct interval (*const functions[])(
            const struct type *, struct interval, struct interval) = {
            [BINARY_ADD] = add,
            [BINARY_SUB] = subtract,
            [BINARY_MUL] = multiply,
            [BINARY_FLOORDIV] = quotient,
            [BINARY_MOD] = remainder_of,
            [BINARY_LSHIFT] = shifted_left,
            [BINARY_RSHIFT] = shifted_right,
            [BINARY_OR] = joined,
            [BINARY_XOR] = joined,
            [BINARY_AND] = masked,
    };
    enum ir_binary op = instr->binary;
    bool is_known = (size_t)op < sizeof functions / sizeof *functions && functions[op];
    return is_known ? functions[op](instr->type, a, b) : all_of(instr->type);
}

static struct interval operand_interval(
        const struct analysis *analysis, const struct ir_instr *instr, size_t index)
{
    return analysis->of[instr->operands[index]->id];
}

// The numbers that a range gives.
// The stop is never reached, but it may lie before the start: then no number is given,
// and any interval is true. The start stays in it, so that it is not empty.
static struct interval of_range(
        const struct analysis *analysis, const struct ir_instr *range)
{
    const struct type *type = range->operands[0]->type;
    struct interval start = operand_interval(analysis, range, 0),
                    stop = operand_interval(analysis, range, 1),
                    step = operand_interval(analysis, range, 2);
    if (is_nothing(start) || is_nothing(stop) || is_nothing(step))
        return nothing;
    if (!is_ordered(type, start))
        return all_of(type);
    if (!is_ordered(type, stop))
        stop = (struct interval){0, INT64_MAX};
    __int128 farthest = (__int128)MAX_TURNS * (step.low > 0 ? step.high : step.low);
    if (step.low > 0) {
        __int128 high = start.high + farthest, last = (__int128)stop.high - 1;
        high = last < high ? last : high;
        return fitted(type, start.low, high > start.low ? high : start.low);
    }
    if (step.high < 0) {
        __int128 low = start.low + farthest, last = (__int128)stop.low + 1;
        low = last > low ? last : low;
        return fitted(type, low < start.high ? low : start.high, start.high);
    }
    return all_of(type);
}

// Of the items of a tuple that is written down, or, at `index`, of the tuples in it.
static struct interval of_tuple(const struct analysis *analysis,
        const struct ir_instr *tuple, int index, const struct type *type)
{
    struct interval all = nothing;
    for (size_t i = 0; i < tuple->operand_count; i++) {
        const struct ir_instr *item = tuple->operands[i];
        if (index >= 0 && item->op != IR_BUILD_TUPLE)
            return all_of(type);
        all = hull(all, analysis->of[(index < 0 ? item : item->operands[index])->id]);
    }
    return all;
}

static const struct ir_instr *iterable_of(const struct ir_instr *item)
{
    const struct ir_instr *next = item->op == IR_PAIR_FIRST ? item->operands[0] : NULL;
    return next && next->operands[0]->op == IR_GETITER ? next->operands[0]->operands[0]
                                                       : NULL;
}

static struct interval of_item(
        const struct analysis *analysis, const struct ir_instr *pair)
{
    const struct ir_instr *iterable = iterable_of(pair);
    if (iterable && iterable->op == IR_BUILD_TUPLE)
        return of_tuple(analysis, iterable, -1, pair->type);
    if (iterable && iterable->op == IR_PRIMITIVE &&
            iterable->primitive == PRIMITIVE_RANGE)
        return of_range(analysis, iterable);
    return all_of(pair->type);
}

static struct interval of_select(
        const struct analysis *analysis, const struct ir_instr *instr, size_t first)
{
    return hull(operand_interval(analysis, instr, first),
            operand_interval(analysis, instr, first + 1));
}

static struct interval of_size(
        const struct analysis *analysis, const struct ir_instr *instr)
{
    struct interval a = operand_interval(analysis, instr, 0);
    if (!is_integer(instr->operands[0]->type) || !is_integer(instr->type))
        return all_of(instr->type);
    if (a.low >= 0 || !is_ordered(instr->operands[0]->type, a))
        return a;
    if (a.low == INT64_MIN)
        return all_of(instr->type);
    struct interval size = {a.high < 0 ? -a.high : 0, a.high > -a.low ? a.high : -a.low};
    return fitted(instr->type, size.low, size.high);
}

// Of numbers whose order is not that of their intervals, one of the two is all that is
// known.
static struct interval of_extreme(
        const struct analysis *analysis, const struct ir_instr *instr)
{
    struct interval a = operand_interval(analysis, instr, 0),
                    b = operand_interval(analysis, instr, 1);
    if (!is_ordered(instr->type, a) || !is_ordered(instr->type, b))
        return hull(a, b);
    if (instr->primitive == PRIMITIVE_MIN)
        return (struct interval){
                a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high};
    return (struct interval){
            a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
}

static struct interval of_primitive(
        const struct analysis *analysis, const struct ir_instr *instr)
{
    switch (instr->primitive) {
    case PRIMITIVE_ARRAY_LEN:
    case PRIMITIVE_ARRAY_SIZE:
    case PRIMITIVE_LIST_LEN:
    case PRIMITIVE_TEXT_LEN:
    case PRIMITIVE_RANGE_LEN:
        return (struct interval){0, MAX_EXTENT};
    case PRIMITIVE_CUDA_THREAD_IDX:
        return (struct interval){0, MAX_BLOCK - 1};
    case PRIMITIVE_CUDA_LANE_ID:
        return (struct interval){0, 31};
    case PRIMITIVE_CUDA_BLOCK_IDX:
        return (struct interval){0, INT32_MAX};
    case PRIMITIVE_CUDA_BLOCK_DIM:
        return (struct interval){1, MAX_BLOCK};
    case PRIMITIVE_CUDA_GRID_DIM:
        return (struct interval){1, INT32_MAX};
    case PRIMITIVE_CUDA_GRID:
        return (struct interval){0, MAX_THREADS};
    case PRIMITIVE_CUDA_GRID_SIZE:
        return (struct interval){1, MAX_THREADS};
    case PRIMITIVE_ABS:
        return of_size(analysis, instr);
    case PRIMITIVE_SELECT:
        return of_select(analysis, instr, 1);
    case PRIMITIVE_MIN:
    case PRIMITIVE_MAX:
        return of_extreme(analysis, instr);
    default:
        return all_of(instr->type);
    }
}

// What the part of an item that is taken out of it comes from; NULL: no loop gives it.
static const struct type *source_of(const struct ir_instr *item)
{
    if (item->op == IR_PAIR_FIRST)
        return item->operands[0]->operands[0]->op == IR_GETITER
                       ? item->operands[0]->operands[0]->operands[0]->type
                       : NULL;
    const struct type *from =
            item->op == IR_TUPLE_GET ? source_of(item->operands[0]) : NULL;
    if (from && from->kind == TYPE_ZIP)
        return from->tuple.items[item->index];
    if (from && from->kind == TYPE_INDICES && from->element->kind == TYPE_ARRAY)
        return item->index == 0 ? type_indices(type_index(from->element->array.ndim))
                                : NULL;
    return from && from->kind == TYPE_ENUMERATE && item->index == 1 ? from->element
                                                                    : NULL;
}

// An item of a shape, or the number of an item of enumerate.
static struct interval of_tuple_item(
        const struct analysis *analysis, const struct ir_instr *instr)
{
    const struct ir_instr *tuple = instr->operands[0];
    if (tuple->op == IR_PRIMITIVE && tuple->primitive == PRIMITIVE_ARRAY_SHAPE)
        return (struct interval){0, MAX_EXTENT};
    const struct type *from = source_of(tuple);
    if (from && from->kind == TYPE_INDICES && from->element->kind == TYPE_TUPLE)
        return (struct interval){0, MAX_EXTENT};
    if (tuple->op == IR_PRIMITIVE &&
            (tuple->primitive == PRIMITIVE_CUDA_GRID ||
                    tuple->primitive == PRIMITIVE_CUDA_GRID_SIZE))
        return of_primitive(analysis, tuple);
    const struct ir_instr *iterable = iterable_of(tuple);
    if (iterable && iterable->op == IR_BUILD_TUPLE)
        return of_tuple(analysis, iterable, instr->index, instr->type);
    if (!iterable || iterable->op != IR_PRIMITIVE || instr->index != 0 ||
            iterable->primitive != PRIMITIVE_ENUMERATE)
        return all_of(instr->type);
    struct interval start = operand_interval(analysis, iterable, 1);
    return is_nothing(start)
                   ? start
                   : fitted(instr->type, start.low, start.high + (__int128)MAX_TURNS);
}

static struct interval of_cast(
        const struct analysis *analysis, const struct ir_instr *instr)
{
    const struct type *from = instr->operands[0]->type, *to = instr->type;
    struct interval value = operand_interval(analysis, instr, 0);
    if (!is_integer(from))
        return all_of(to);
    bool is_unknown = from->kind == TYPE_INT && from->bits == 64 &&
                      from->is_signed != to->is_signed && value.low < 0;
    return is_unknown ? all_of(to) : fitted(to, value.low, value.high);
}

static bool has_unknown_operand(
        const struct analysis *analysis, const struct ir_instr *instr)
{
    for (size_t i = 0; i < instr->operand_count; i++)
        if (is_integer(instr->operands[i]->type) &&
                is_nothing(operand_interval(analysis, instr, i)))
            return true;
    return false;
}

static struct interval of_phi(const struct analysis *analysis, const struct ir_instr *phi)
{
    struct interval all = nothing;
    for (size_t i = 0; i < phi->operand_count; i++)
        all = hull(all, operand_interval(analysis, phi, i));
    return all;
}

static struct interval of_sum(const struct analysis *analysis,
        const struct ir_instr *instr, struct interval found)
{
    if (found.low < 0 && found.high >= 0 && ir_is_never_negative(instr, analysis->of))
        found.low = 0;
    return found;
}

// The order matters: phis and items of loops are what breaks circles, so they may look at
// operands that nothing is known of yet; all others wait for theirs.
static struct interval of_instr(
        const struct analysis *analysis, const struct ir_instr *instr)
{
    if (instr->op == IR_PHI)
        return of_phi(analysis, instr);
    if (instr->op == IR_PAIR_FIRST)
        return of_item(analysis, instr);
    if (has_unknown_operand(analysis, instr))
        return nothing;
    switch (instr->op) {
    case IR_ARG:
        return analysis->params ? analysis->params[instr->index] : all_of(instr->type);
    case IR_CONST:
        return (struct interval){instr->constant.integer, instr->constant.integer};
    case IR_CAST:
        return of_cast(analysis, instr);
    case IR_TUPLE_GET:
        return of_tuple_item(analysis, instr);
    case IR_PRIMITIVE:
        return of_primitive(analysis, instr);
    case IR_UNARY:
        if (instr->unary == UNARY_NEGATIVE)
            return subtract(instr->type, (struct interval){0, 0},
                    operand_interval(analysis, instr, 0));
        return instr->unary == UNARY_POSITIVE ? operand_interval(analysis, instr, 0)
                                              : all_of(instr->type);
    case IR_BINARY:
        return of_sum(analysis, instr,
                of_binary(instr, operand_interval(analysis, instr, 0),
                        operand_interval(analysis, instr, 1)));
    default:
        return all_of(instr->type);
    }
}

// A side that grew too often goes to where counting ends, and then to the type's end.
static struct interval widened(
        const struct type *type, struct interval before, struct interval now)
{
    struct interval all = all_of(type);
    if (now.high > before.high)
        now.high = now.high <= MAX_COUNT && all.high > MAX_COUNT ? MAX_COUNT : all.high;
    if (now.low < before.low)
        now.low = now.low >= -MAX_COUNT && all.low < -MAX_COUNT ? -MAX_COUNT : all.low;
    return now;
}

static bool update(struct analysis *analysis, const struct ir_instr *instr)
{
    struct interval before = analysis->of[instr->id],
                    now = hull(before, of_instr(analysis, instr));
    if (now.low == before.low && now.high == before.high)
        return false;
    if (analysis->changes[instr->id] >= MAX_CHANGES)
        now = widened(instr->type, before, now);
    else
        analysis->changes[instr->id]++;
    analysis->of[instr->id] = now;
    return true;
}

// Ends: each interval only grows, and after MAX_CHANGES steps a side goes to its end.
struct interval *ir_find_intervals(const struct ir_function *function,
        const struct interval *params, struct arena *arena)
{
    size_t count = (size_t)function->next_id;
    struct analysis analysis = {arena_array(arena, struct interval, count + 1),
            arena_array(arena, unsigned char, count + 1), params};
    for (size_t i = 0; i < count; i++)
        analysis.of[i] = nothing;
    for (bool is_moving = true; is_moving;) {
        is_moving = false;
        vec_each (block, &function->blocks)
            ir_each_instr(instr, *block) if (is_integer(instr->type) &&
                                             update(&analysis, instr)) is_moving = true;
    }
    return analysis.of;
}

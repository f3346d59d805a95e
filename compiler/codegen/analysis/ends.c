// SPDX-License-Identifier: MIT
// Two kinds of numbers count a loop's turns: those of a range, and the phis of a while
// loop that a test, which each turn passes, holds against a bound:
//
//   header: x = phi(before: start, latch: next)
//   test:   branch x < bound, on, out
#include "compiler/codegen/analysis/ends.h"
#include "compiler/codegen/analysis/bits.h"

#include "compiler/types/type.h"

// How many turns a loop of few instructions soon makes.
enum { MOST_CONSTANT = 1 << 26 };

// What is small in a product, and how many turns are few.
enum { MOST_FACTOR = 1 << 16, FEW_TURNS = 256, BITS = 64 };

// How far is looked: at counters, ways through a turn, and values that one comes from.
enum { MOST_COUNTERS = 4, MOST_WAYS = 64, MOVE_STEPS = 12, EXTENT_STEPS = 6 };

// --- Numbers -------------------------------------------------------------------------

static const struct ir_instr *without_casts(const struct ir_instr *number)
{
    while (number->op == IR_CAST && type_is_integer(number->operands[0]->type))
        number = number->operands[0];
    return number;
}

static bool is_constant(const struct ir_instr *number, int64_t *out)
{
    number = without_casts(number);
    bool is_one = number->op == IR_CONST && type_is_integer(number->type);
    *out = is_one ? number->constant.integer : 0;
    return is_one;
}

bool ends_is_constant_within(const struct ir_instr *number, int64_t low, int64_t high)
{
    int64_t constant;
    return is_constant(number, &constant) && constant >= low && constant <= high;
}

static bool is_range(const struct ir_instr *iterable)
{
    return iterable->op == IR_PRIMITIVE && iterable->primitive == PRIMITIVE_RANGE;
}

static bool is_place(enum ir_primitive primitive)
{
    return primitive == PRIMITIVE_CUDA_THREAD_IDX ||
           primitive == PRIMITIVE_CUDA_BLOCK_IDX || primitive == PRIMITIVE_CUDA_LANE_ID ||
           primitive == PRIMITIVE_CUDA_GRID;
}

static bool is_size(enum ir_primitive primitive)
{
    return primitive == PRIMITIVE_CUDA_BLOCK_DIM ||
           primitive == PRIMITIVE_CUDA_GRID_DIM || primitive == PRIMITIVE_CUDA_GRID_SIZE;
}

static bool is_within(const struct ir_instr *iterable, int steps);

// Loaded numbers of 64 bits may be anything.
static bool is_narrow_item(const struct ir_instr *load)
{
    return load->type->kind == TYPE_INT && load->type->bits <= 32;
}

static bool is_extent_of(const struct ir_instr *number, int steps);

static bool are_extents(const struct ir_instr *instr, int steps)
{
    return is_extent_of(instr->operands[0], steps) &&
           is_extent_of(instr->operands[1], steps);
}

static bool is_extent_of_primitive(const struct ir_instr *number, int steps)
{
    switch (number->primitive) {
    case PRIMITIVE_ARRAY_LEN:
    case PRIMITIVE_ARRAY_SIZE:
        return true;
    case PRIMITIVE_ARRAY_LOAD:
    case PRIMITIVE_CUDA_CACHED_LOAD:
        return is_narrow_item(number);
    case PRIMITIVE_MIN:
        return is_extent_of(number->operands[0], steps) ||
               is_extent_of(number->operands[1], steps);
    case PRIMITIVE_MAX:
        return are_extents(number, steps);
    default:
        return is_place(number->primitive) || is_size(number->primitive);
    }
}

// Whether a number cannot grow beyond what memory has items, give or take a few times:
// it comes from the extents of arrays, from their smaller items, from places in the grid
// and from constants.
static bool is_extent_of(const struct ir_instr *number, int steps)
{
    const struct ir_instr *from = number->operand_count ? number->operands[0] : NULL;
    if (!steps--)
        return false;
    switch (number->op) {
    case IR_CONST:
        return number->constant.integer < MOST_CONSTANT &&
               number->constant.integer > -MOST_CONSTANT;
    case IR_CAST:
        return type_is_integer(from->type) && is_extent_of(from, steps);
    case IR_TUPLE_GET:
        return from->op == IR_PRIMITIVE &&
               (from->primitive == PRIMITIVE_ARRAY_SHAPE || is_extent_of(from, steps));
    case IR_BINARY:
        if (number->binary == BINARY_MUL)
            return is_extent_of(from, steps) &&
                   ends_is_constant_within(
                           number->operands[1], -MOST_FACTOR, MOST_FACTOR);
        if (number->binary == BINARY_MOD)
            return is_extent_of(number->operands[1], steps);
        return (number->binary == BINARY_ADD || number->binary == BINARY_SUB ||
                       number->binary == BINARY_FLOORDIV) &&
               are_extents(number, steps);
    case IR_PAIR_FIRST: // of a loop around this one
        return from->op == IR_ITERNEXT && from->operands[0]->op == IR_GETITER &&
               is_within(from->operands[0]->operands[0], steps);
    case IR_PRIMITIVE:
        return is_extent_of_primitive(number, steps);
    default:
        return false;
    }
}

static bool is_extent(const struct ir_instr *number)
{
    return is_extent_of(number, EXTENT_STEPS);
}

static bool is_within(const struct ir_instr *iterable, int steps)
{
    return !is_range(iterable) || are_extents(iterable, steps);
}

bool ends_is_within_memory(const struct ir_instr *iterable)
{
    return is_within(iterable, EXTENT_STEPS);
}

// Whether a number is at least 1 in each launch.
static bool is_positive(const struct ir_instr *number)
{
    number = without_casts(number);
    if (number->op == IR_TUPLE_GET)
        number = number->operands[0];
    if (number->op == IR_BINARY && number->binary == BINARY_MUL)
        return is_positive(number->operands[0]) && is_positive(number->operands[1]);
    if (number->op == IR_PRIMITIVE)
        return is_size(number->primitive);
    return ends_is_constant_within(number, 1, INT64_MAX);
}

// The range that a loop around this one takes the number from, or NULL.
static const struct ir_instr *range_of(const struct ir_instr *number)
{
    const struct ir_instr *next =
            number->op == IR_PAIR_FIRST ? number->operands[0] : NULL;
    if (!next || next->op != IR_ITERNEXT || next->operands[0]->op != IR_GETITER)
        return NULL;
    const struct ir_instr *iterable = next->operands[0]->operands[0];
    return is_range(iterable) ? iterable : NULL;
}

static bool is_never_negative(const struct ir_instr *number, int steps)
{
    number = without_casts(number);
    const struct ir_instr *from = number, *range = range_of(number);
    if (!steps--)
        return false;
    if (from->op == IR_TUPLE_GET)
        from = from->operands[0];
    if (from->op == IR_PRIMITIVE)
        return is_place(from->primitive) || is_size(from->primitive);
    if (number->op == IR_BINARY && number->binary == BINARY_ADD)
        return is_never_negative(number->operands[0], steps) &&
               is_never_negative(number->operands[1], steps);
    if (range)
        return is_never_negative(range->operands[0], steps) &&
               (ends_is_constant_within(range->operands[2], 1, INT64_MAX) ||
                       ends_is_constant_within(range->operands[1], -1, INT64_MAX));
    return ends_is_constant_within(number, 0, INT64_MAX);
}

bool ends_is_never_negative(const struct ir_instr *number)
{
    return is_never_negative(number, EXTENT_STEPS);
}

// Whether a number comes from constants, by loops over them and sums, and how large it is
// at most.
static bool is_at_most(const struct ir_instr *number, int64_t *most, int steps)
{
    number = without_casts(number);
    const struct ir_instr *range = range_of(number), *parts = range ? range : number;
    bool is_sum = number->op == IR_BINARY && number->binary == BINARY_ADD;
    if (!steps--)
        return false;
    if (!range && !is_sum)
        return is_constant(number, most) && *most < MOST_CONSTANT;
    int64_t other;
    if (!is_at_most(parts->operands[0], most, steps) ||
            !is_at_most(parts->operands[1], &other, steps))
        return false;
    *most = is_sum ? *most + other : *most > other ? *most : other;
    return true;
}

// --- While loops ---------------------------------------------------------------------

// A number of the header that a test keeps below a bound, or above one.
struct counter {
    const struct ir_instr *phi, *bound, *start, *next;
    bool is_up;
    bool is_moved;  // not the number itself is tested, but that and another
    bool is_strict; // never equal to the bound in a turn
};

struct counted_loop {
    const bool *in_loop;
    const struct ir_block *header, *latch;
    struct counter counters[MOST_COUNTERS];
    size_t count;
    int ways; // that may still be looked at
};

// Where the loop's only jump back comes from, or NULL.
static const struct ir_block *only_latch(
        const struct flow *flow, const bool *in_loop, const struct ir_block *header)
{
    const struct ir_block *latch = NULL;
    vec_each (predecessor, &header->predecessors) {
        if (flow->position[(*predecessor)->id] < 0 || !in_loop[(*predecessor)->id])
            continue;
        if (latch)
            return NULL;
        latch = *predecessor;
    }
    return latch;
}

// The header's phi that the number is, moved by what does not grow; or NULL.
static const struct ir_instr *moved_phi(
        const struct counted_loop *loop, const struct ir_instr *number)
{
    if (number->op == IR_BINARY &&
            (number->binary == BINARY_ADD || number->binary == BINARY_SUB)) {
        const struct ir_instr *left = number->operands[0], *right = number->operands[1];
        if (is_extent(right))
            number = left;
        else if (number->binary == BINARY_ADD && is_extent(left))
            number = right;
    }
    bool is_own = number->op == IR_PHI && number->block == loop->header &&
                  flow_is_int64(number->type);
    return is_own ? number : NULL;
}

static void add_counter(struct counted_loop *loop, const struct ir_instr *number,
        const struct ir_instr *bound, bool is_up, bool is_strict)
{
    const struct ir_instr *phi = moved_phi(loop, number);
    if (!phi || loop->count == MOST_COUNTERS || loop->header->predecessors.len != 2)
        return;
    bool is_second = loop->header->predecessors.items[1] == loop->latch;
    loop->counters[loop->count++] = (struct counter){.phi = phi,
            .bound = bound,
            .start = phi->operands[!is_second],
            .next = phi->operands[is_second],
            .is_up = is_up,
            .is_moved = phi != number,
            .is_strict = is_strict};
}

// What the test at the end of a block, which each turn passes, says of those that go on.
static void take_test(struct counted_loop *loop, const struct ir_block *block)
{
    const struct ir_instr *branch = block->last;
    if (branch->op != IR_BRANCH)
        return;
    bool goes_on[] = {
            loop->in_loop[branch->targets[0]->id], loop->in_loop[branch->targets[1]->id]};
    const struct ir_instr *test = branch->operands[0];
    if (goes_on[0] == goes_on[1] || test->op != IR_COMPARE ||
            !flow_is_int64(test->operands[0]->type))
        return;
    const struct ir_instr *left = test->operands[0], *right = test->operands[1];
    bool is_less = test->compare == COMPARE_LT || test->compare == COMPARE_LE;
    if (!is_less && test->compare != COMPARE_GT && test->compare != COMPARE_GE)
        return;
    bool is_up = is_less == goes_on[0]; // the left side, of those that go on
    bool is_strict =
            (test->compare == COMPARE_LT || test->compare == COMPARE_GT) == goes_on[0];
    add_counter(loop, left, right, is_up, is_strict);
    add_counter(loop, right, left, !is_up, is_strict);
}

static void find_counters(const struct flow *flow, struct counted_loop *loop)
{
    if (!loop->latch)
        return;
    for (const struct ir_block *block = loop->latch; block != loop->header;
            block = flow->dominator[block->id])
        take_test(loop, block);
    take_test(loop, loop->header);
}

enum move { MOVES_ANYHOW, STAYS, MOVES_ON };

// By a factor of two at least.
static bool is_scaled(const struct counter *counter, const struct ir_instr *next)
{
    const struct ir_instr *by = next->operands[1];
    if (next->operands[0] != counter->phi || counter->is_moved)
        return false;
    if (counter->is_up)
        return ends_is_constant_within(counter->start, 1, MOST_CONSTANT) &&
               ((next->binary == BINARY_MUL &&
                        ends_is_constant_within(by, 2, MOST_FACTOR)) ||
                       (next->binary == BINARY_LSHIFT &&
                               ends_is_constant_within(by, 1, 16)));
    return ends_is_constant_within(counter->bound, !counter->is_strict, INT64_MAX) &&
           ((next->binary == BINARY_FLOORDIV &&
                    ends_is_constant_within(by, 2, INT64_MAX)) ||
                   (next->binary == BINARY_RSHIFT &&
                           ends_is_constant_within(by, 1, BITS - 1)));
}

static bool is_half(const struct ir_instr *number)
{
    return number->op == IR_BINARY &&
           ((number->binary == BINARY_FLOORDIV &&
                    ends_is_constant_within(number->operands[1], 2, 2)) ||
                   (number->binary == BINARY_RSHIFT &&
                           ends_is_constant_within(number->operands[1], 1, 1)));
}

static bool is_pair(const struct ir_instr *instr, enum ir_binary op,
        const struct ir_instr *left, const struct ir_instr *right)
{
    return instr->op == IR_BINARY && instr->binary == op && instr->operands[0] == left &&
           instr->operands[1] == right;
}

// Whether a value lies in the middle of a counter and its bound, rounded down:
// `(low + high) // 2` or `low + (high - low) // 2`.
static bool is_middle(const struct counter *counter, const struct ir_instr *value)
{
    const struct ir_instr *low = counter->is_up ? counter->phi : counter->bound,
                          *high = counter->is_up ? counter->bound : counter->phi;
    if (counter->is_moved)
        return false;
    if (is_half(value))
        return is_pair(value->operands[0], BINARY_ADD, low, high) ||
               is_pair(value->operands[0], BINARY_ADD, high, low);
    return value->op == IR_BINARY && value->binary == BINARY_ADD &&
           value->operands[0] == low && is_half(value->operands[1]) &&
           is_pair(value->operands[1]->operands[0], BINARY_SUB, high, low);
}

// How a value stands to what the counter was at the start of the turn.
static enum move move_of(const struct counted_loop *loop, const struct counter *counter,
        const struct ir_instr *value, int steps)
{
    if (value == counter->phi)
        return STAYS;
    if (!steps-- || !loop->in_loop[value->block->id] || !flow_is_int64(value->type))
        return MOVES_ANYHOW;
    if (value->op == IR_CAST)
        return move_of(loop, counter, value->operands[0], steps);
    if (value->op == IR_PHI && value->block != loop->header) {
        enum move least = MOVES_ON;
        for (size_t i = 0; i < value->operand_count && least; i++) {
            enum move move = move_of(loop, counter, value->operands[i], steps);
            least = move < least ? move : least;
        }
        return least;
    }
    if (value->op != IR_BINARY)
        return MOVES_ANYHOW;
    if (is_scaled(counter, value))
        return MOVES_ON;
    if (is_middle(counter, value))
        return counter->is_up || !counter->is_strict ? STAYS : MOVES_ON;
    const struct ir_instr *left = value->operands[0], *right = value->operands[1];
    bool adds = value->binary == BINARY_ADD, takes = value->binary == BINARY_SUB;
    bool is_towards =
            counter->is_up
                    ? adds && is_positive(right)
                    : (takes && is_positive(right)) ||
                              (adds && ends_is_constant_within(right, INT64_MIN, -1));
    if (is_towards)
        return move_of(loop, counter, left, steps) ? MOVES_ON : MOVES_ANYHOW;
    if (counter->is_up && adds && is_positive(left))
        return move_of(loop, counter, right, steps) ? MOVES_ON : MOVES_ANYHOW;
    return MOVES_ANYHOW;
}

// Whether one of the counters moves on, whichever way the turn went to these values.
static bool one_moves_on(
        struct counted_loop *loop, const struct ir_instr *const *values, int steps)
{
    const struct ir_block *meeting = NULL;
    for (size_t i = 0; i < loop->count; i++) {
        if (move_of(loop, &loop->counters[i], values[i], MOVE_STEPS) == MOVES_ON)
            return true;
        if (values[i]->op == IR_PHI && values[i]->block != loop->header)
            meeting = values[i]->block;
    }
    if (!meeting || !steps || --loop->ways < 0)
        return false;
    for (size_t way = 0; way < meeting->predecessors.len; way++) {
        const struct ir_instr *before[MOST_COUNTERS];
        for (size_t i = 0; i < loop->count; i++) {
            bool is_met = values[i]->op == IR_PHI && values[i]->block == meeting;
            before[i] = is_met ? values[i]->operands[way] : values[i];
        }
        if (!one_moves_on(loop, before, steps - 1))
            return false;
    }
    return true;
}

// Whether the bound stays within memory: as an extent, or as a counter that comes from
// the other side, as in a search by halves.
static bool is_bound_within(
        const struct counted_loop *loop, const struct counter *counter)
{
    if (is_extent(counter->bound))
        return true;
    for (size_t i = 0; i < loop->count; i++) {
        const struct counter *other = &loop->counters[i];
        if (other->phi == counter->bound && other->is_up != counter->is_up &&
                is_extent(other->start) && move_of(loop, other, other->next, MOVE_STEPS))
            return true;
    }
    return false;
}

bool ends_while_within_memory(
        const struct flow *flow, const bool *in_loop, const struct ir_block *header)
{
    struct counted_loop loop = {.in_loop = in_loop,
            .header = header,
            .latch = only_latch(flow, in_loop, header),
            .ways = MOST_WAYS};
    find_counters(flow, &loop);
    struct counted_loop kept = loop;
    kept.count = 0;
    const struct ir_instr *values[MOST_COUNTERS];
    for (size_t i = 0; i < loop.count; i++) {
        const struct counter *counter = &loop.counters[i];
        if (!is_extent(counter->start) || !is_bound_within(&loop, counter) ||
                move_of(&loop, counter, counter->next, MOVE_STEPS) == MOVES_ANYHOW)
            continue;
        values[kept.count] = counter->next;
        kept.counters[kept.count++] = *counter;
    }
    return kept.count && one_moves_on(&kept, values, MOVE_STEPS);
}

// --- Few turns -----------------------------------------------------------------------

static int64_t few(__int128 way, int64_t step)
{
    __int128 turns = way <= 0 ? 0 : (way + step - 1) / step;
    return turns < FEW_TURNS ? (int64_t)turns + 1 : 0;
}

// From 0 at least: by no more turns than from there.
static int64_t most_of_range(const struct ir_instr *range)
{
    int64_t stop, step;
    bool is_few = is_never_negative(range->operands[0], EXTENT_STEPS) &&
                  is_at_most(range->operands[1], &stop, EXTENT_STEPS) &&
                  is_constant(range->operands[2], &step) && step > 0;
    return is_few ? few(stop, step) : 0;
}

static int64_t most_of_counter(const struct counter *counter)
{
    const struct ir_instr *next = counter->next;
    int64_t start, bound, step;
    if (next->op != IR_BINARY || next->operands[0] != counter->phi || counter->is_moved)
        return 0;
    if (is_scaled(counter, next))
        return BITS;
    if (!is_constant(counter->start, &start) || !is_constant(counter->bound, &bound) ||
            !is_constant(next->operands[1], &step) || step <= 0)
        return 0;
    __int128 way = (__int128)bound - start;
    bool is_towards = next->binary == (counter->is_up ? BINARY_ADD : BINARY_SUB);
    return is_towards ? few((counter->is_up ? way : -way) + 1, step) : 0;
}

int64_t ends_most_turns(
        const struct flow *flow, const bool *in_loop, const struct ir_block *header)
{
    const struct ir_instr *next = flow_deciding_iternext(header);
    if (next) {
        const struct ir_instr *iterable = next->operands[0]->operands[0];
        return is_range(iterable) ? most_of_range(iterable) : 0;
    }
    struct counted_loop loop = {.in_loop = in_loop,
            .header = header,
            .latch = only_latch(flow, in_loop, header)};
    if (loop.latch && bits_run_out(flow, in_loop, header, loop.latch))
        return BITS + 1;
    find_counters(flow, &loop);
    for (size_t i = 0; i < loop.count; i++) {
        int64_t turns = most_of_counter(&loop.counters[i]);
        if (turns)
            return turns;
    }
    return 0;
}

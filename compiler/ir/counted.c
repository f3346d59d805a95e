// SPDX-License-Identifier: MIT
// While loops that count become loops over a range:
//
//   before:  jump header                 before:  turns = getiter range(start, n, 1)
//   header:  i = phi(start, next)        header:  i = phi(start, next)
//            branch i < n, body, out              item = iternext turns
//   body:    ... i ...                            branch pair_second item, body, out
//            next = i + 1                body:    i' = pair_first item
//            jump header                          ... i' ...
//
// What is known of ranges is then known of them: they run in strips and have vectors, and
// indices are asked about ahead. Out of the loop `i` stays what it was.
// Where the number would pass the last int64 the loop ends, as it does in Python.
#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"
#include "compiler/ir/ir.h"
#include "compiler/types/source.h"
#include "compiler/types/type.h"

enum { STEPS = 12, MOST_STEP = 1 << 20 };

struct counted {
    struct ir_function *function;
    struct ir_block *header, *before;
    bool *in_loop; // by block id
    struct ir_instr *number, *compare, *start, *bound;
    enum ir_compare test; // number TEST bound
    int64_t step;
};

// --- Which loops

// Blocks that lead back to the header without passing it. They are in reverse postorder,
// so that few rounds find all.
static void find_loop(struct counted *loop)
{
    struct ir_function *function = loop->function;
    size_t first = (size_t)loop->header->id;
    for (size_t i = 0; i < function->blocks.len; i++)
        loop->in_loop[i] = i == first;
    vec_each (latch, &loop->header->predecessors)
        loop->in_loop[(*latch)->id] |= (*latch)->id >= loop->header->id;
    for (bool has_grown = true; has_grown;) {
        has_grown = false;
        for (size_t i = function->blocks.len - 1; i > first; i--) {
            if (!loop->in_loop[i])
                continue;
            vec_each (from, &function->blocks.items[i]->predecessors) {
                has_grown |= !loop->in_loop[(*from)->id] && (size_t)(*from)->id > i;
                loop->in_loop[(*from)->id] = true;
            }
        }
    }
}

static bool is_constant(const struct ir_instr *instr, int64_t *constant)
{
    if (instr->op == IR_CAST)
        instr = instr->operands[0];
    bool is_one = instr->op == IR_CONST && instr->type == type_int64;
    *constant = is_one ? instr->constant.integer : 0;
    return is_one;
}

// By how much the number has moved when a turn gives it this value, on all ways there.
static bool find_step(const struct counted *loop, const struct ir_instr *value,
        int64_t *step, int depth)
{
    *step = 0;
    if (value == loop->number)
        return true;
    if (!depth-- || value->type != type_int64 || !loop->in_loop[value->block->id] ||
            value->block == loop->header)
        return false;
    if (value->op == IR_BINARY && value->binary == BINARY_ADD) {
        int64_t by;
        bool is_right = is_constant(value->operands[1], &by);
        if ((!is_right && !is_constant(value->operands[0], &by)) || by > MOST_STEP ||
                by < -MOST_STEP ||
                !find_step(loop, value->operands[!is_right], step, depth))
            return false;
        *step += by;
        return true;
    }
    if (value->op == IR_BINARY && value->binary == BINARY_SUB) {
        int64_t by;
        if (!is_constant(value->operands[1], &by) || by > MOST_STEP || by < -MOST_STEP ||
                !find_step(loop, value->operands[0], step, depth))
            return false;
        *step -= by;
        return true;
    }
    if (value->op != IR_PHI || !value->operand_count)
        return false;
    for (size_t i = 0; i < value->operand_count; i++) {
        int64_t other;
        if (!find_step(loop, value->operands[i], &other, depth) || (i && other != *step))
            return false;
        *step = other;
    }
    return true;
}

// What gives the same in each turn, and may as well be done before the loop: the header
// runs once at least.
static bool may_move(const struct ir_instr *instr)
{
    switch (instr->op) {
    case IR_CONST:
    case IR_TUPLE_GET:
    case IR_BINARY:
        return true;
    case IR_CAST:
        return type_is_number(instr->type) && type_is_number(instr->operands[0]->type);
    case IR_PRIMITIVE:
        return instr->primitive == PRIMITIVE_ARRAY_LEN ||
               instr->primitive == PRIMITIVE_ARRAY_SHAPE ||
               instr->primitive == PRIMITIVE_ARRAY_SIZE ||
               instr->primitive == PRIMITIVE_MIN || instr->primitive == PRIMITIVE_MAX;
    default:
        return false;
    }
}

static bool stays(const struct counted *loop, const struct ir_instr *value, int depth)
{
    if (!loop->in_loop[value->block->id])
        return true;
    if (!depth-- || value->block != loop->header || !may_move(value))
        return false;
    for (size_t i = 0; i < value->operand_count; i++)
        if (!stays(loop, value->operands[i], depth))
            return false;
    return true;
}

// Whether a turn can only end by going on to the next one. A search has no vectors, and
// is faster as it stands.
static bool has_one_end(const struct counted *loop)
{
    vec_each (block, &loop->function->blocks) {
        struct ir_block *successors[2];
        size_t count = ir_successors(*block, successors);
        if (!loop->in_loop[(*block)->id] || *block == loop->header)
            continue;
        for (size_t i = 0; i < count; i++)
            if (!loop->in_loop[successors[i]->id])
                return false;
    }
    return true;
}

// Whether the header does no more than compare the number with what stays.
static bool is_plain(const struct counted *loop)
{
    ir_each_instr(instr, loop->header)
    {
        if (instr->op != IR_PHI && instr != loop->compare &&
                instr != loop->header->last && !stays(loop, instr, STEPS))
            return false;
    }
    return true;
}

static bool is_number_of(const struct counted *loop, const struct ir_instr *value)
{
    return value->op == IR_PHI && value->block == loop->header &&
           value->type == type_int64;
}

static bool find_number(struct counted *loop)
{
    static const enum ir_compare mirrored[] = {
            [COMPARE_LT] = COMPARE_GT,
            [COMPARE_LE] = COMPARE_GE,
            [COMPARE_GT] = COMPARE_LT,
            [COMPARE_GE] = COMPARE_LE,
    };
    struct ir_instr *branch = loop->header->last;
    loop->compare = branch->op == IR_BRANCH ? branch->operands[0] : NULL;
    const struct ir_instr *compare = loop->compare;
    if (!compare || compare->op != IR_COMPARE || compare->block != loop->header ||
            compare->compare < COMPARE_LT || compare->compare > COMPARE_GE ||
            compare->operands[0]->type != type_int64 ||
            compare->operands[1]->type != type_int64)
        return false;
    bool is_left = is_number_of(loop, compare->operands[0]);
    if (!is_left && !is_number_of(loop, compare->operands[1]))
        return false;
    loop->number = compare->operands[!is_left];
    loop->bound = compare->operands[is_left];
    loop->test = is_left ? compare->compare : mirrored[compare->compare];
    return true;
}

// The step is the same whichever way leads back, and towards the bound.
static bool find_steps(struct counted *loop)
{
    bool is_first = true;
    for (size_t i = 0; i < loop->header->predecessors.len; i++) {
        struct ir_block *from = loop->header->predecessors.items[i];
        if (from->id < loop->header->id) {
            if (loop->before || from->last->op != IR_JUMP)
                return false;
            loop->before = from;
            loop->start = loop->number->operands[i];
            continue;
        }
        int64_t step;
        if (!find_step(loop, loop->number->operands[i], &step, STEPS) ||
                (!is_first && step != loop->step))
            return false;
        loop->step = step;
        is_first = false;
    }
    bool is_up = loop->test == COMPARE_LT || loop->test == COMPARE_LE;
    return loop->before && !is_first && (is_up ? loop->step > 0 : loop->step < 0);
}

static bool is_counted(struct counted *loop)
{
    const struct ir_block *header = loop->header;
    bool is_header = false;
    vec_each (from, &header->predecessors)
        is_header |= (*from)->id >= header->id;
    if (!is_header || !find_number(loop) || ir_handler(header))
        return false;
    find_loop(loop);
    const struct ir_instr *branch = header->last;
    if (!loop->in_loop[branch->targets[0]->id] || loop->in_loop[branch->targets[1]->id] ||
            branch->targets[0]->predecessors.len != 1 || branch->targets[0] == header)
        return false;
    return find_steps(loop) && stays(loop, loop->bound, STEPS) && is_plain(loop) &&
           has_one_end(loop);
}

// --- What becomes of them

static struct ir_instr *add(struct counted *loop, struct ir_instr *place, enum ir_op op,
        const struct type *type, struct ir_instr *left, struct ir_instr *right)
{
    size_t count = right ? 2 : left ? 1 : 0;
    struct ir_instr *instr =
            ir_instr_create(loop->function, op, count, loop->compare->span);
    instr->type = type;
    if (left)
        instr->operands[0] = left;
    if (right)
        instr->operands[1] = right;
    ir_insert_before(place, instr);
    return instr;
}

static struct ir_instr *add_number(
        struct counted *loop, struct ir_instr *place, int64_t number)
{
    struct ir_instr *instr = add(loop, place, IR_CONST, type_int64, NULL, NULL);
    instr->constant = (struct constant){.type = type_int64, .integer = number};
    return instr;
}

// The first number that ends the loop, where the bound itself is the last that does not.
static struct ir_instr *behind_bound(struct counted *loop, struct ir_instr *place)
{
    bool is_up = loop->test == COMPARE_LE;
    enum ir_binary back = is_up ? BINARY_SUB : BINARY_ADD;
    struct ir_instr *bound = loop->bound;
    int64_t constant, last = is_up ? INT64_MAX : INT64_MIN, one = is_up ? 1 : -1;
    if (is_constant(bound, &constant))
        return add_number(loop, place, constant == last ? last : constant + one);
    if (bound->op == IR_BINARY && bound->binary == back &&
            is_constant(bound->operands[1], &constant) && constant == 1)
        return bound->operands[0];
    struct ir_instr *limit = add(loop, place, IR_PRIMITIVE, type_int64, bound,
            add_number(loop, place, last - one));
    limit->primitive = is_up ? PRIMITIVE_MIN : PRIMITIVE_MAX;
    struct ir_instr *sum =
            add(loop, place, IR_BINARY, type_int64, limit, add_number(loop, place, one));
    sum->binary = BINARY_ADD;
    return sum;
}

static void move_fixed(struct counted *loop, struct ir_instr *place)
{
    struct ir_instr *next;
    for (struct ir_instr *instr = loop->header->first; instr; instr = next) {
        next = instr->next;
        if (instr->op == IR_PHI || instr == loop->compare || instr == loop->header->last)
            continue;
        ir_remove(instr);
        ir_insert_before(place, instr);
    }
}

// In all of the loop but its header, where the number is the next turn's.
static void replace_number(struct counted *loop, struct ir_instr *item)
{
    for (size_t i = 0; i < loop->function->blocks.len; i++) {
        struct ir_block *block = loop->function->blocks.items[i];
        if (!loop->in_loop[i] || block == loop->header)
            continue;
        ir_each_instr(instr, block)
        {
            for (size_t k = 0; k < instr->operand_count; k++)
                if (instr->operands[k] == loop->number)
                    instr->operands[k] = item;
        }
    }
    for (size_t i = 0; i < loop->header->predecessors.len; i++)
        if (loop->in_loop[loop->header->predecessors.items[i]->id])
            ir_each_instr(phi, loop->header) if (phi->op == IR_PHI &&
                                                 phi->operands[i] == loop->number)
                    phi->operands[i] = item;
}

static bool is_used(const struct ir_function *function, const struct ir_instr *value)
{
    vec_each (block, &function->blocks)
        ir_each_instr(instr, *block) if (ir_has_operand(instr, value)) return true;
    return false;
}

static void make_range(struct counted *loop)
{
    struct ir_instr *place = loop->before->last, *branch = loop->header->last;
    struct ir_block *body = branch->targets[0];
    move_fixed(loop, place);
    bool is_strict = loop->test == COMPARE_LT || loop->test == COMPARE_GT;
    struct ir_instr *stop = is_strict ? loop->bound : behind_bound(loop, place);
    const struct type *type = type_range(type_int64);
    struct ir_instr *range =
            ir_instr_create(loop->function, IR_PRIMITIVE, 3, loop->compare->span);
    range->type = type;
    range->primitive = PRIMITIVE_RANGE;
    range->operands[0] = loop->start;
    range->operands[1] = stop;
    range->operands[2] = add_number(loop, place, loop->step);
    ir_insert_before(place, range);
    struct ir_instr *turns =
            add(loop, place, IR_GETITER, type_iterator(type), range, NULL);
    struct ir_instr *next = add(loop, branch, IR_ITERNEXT, type_int64, turns, NULL);
    branch->operands[0] = add(loop, branch, IR_PAIR_SECOND, type_bool, next, NULL);
    struct ir_instr *item = add(loop, body->first, IR_PAIR_FIRST, type_int64, next, NULL);
    replace_number(loop, item);
    if (!is_used(loop->function, loop->compare))
        ir_remove(loop->compare);
}

void ir_count_loops(struct ir_function *function)
{
    const struct source *source = function->source;
    if (function->is_generator || (source && source->options.is_device))
        return;
    bool *in_loop = memory_zalloc(function->blocks.len);
    vec_each (block, &function->blocks) {
        struct counted loop = {
                .function = function, .header = *block, .in_loop = in_loop};
        if (is_counted(&loop))
            make_range(&loop);
    }
    free(in_loop);
}

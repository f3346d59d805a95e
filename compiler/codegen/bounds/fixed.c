// SPDX-License-Identifier: MIT
// What a loop leaves alone: indices that are made before it, or that it makes in each
// turn of such as are; and lengths of axes, of arrays made before it and of their parts.
#include "compiler/codegen/base/types.h"
#include "compiler/codegen/base/value.h"
#include "compiler/codegen/bounds/bounds.h"
#include "compiler/codegen/bounds/even.h"
#include "compiler/codegen/values/arith.h"
#include "compiler/codegen/values/array.h"

#include <assert.h>

enum { MOST_LENT = 16, MOST_STEPS = 6 };

bool even_is_fixed(const struct clamp *clamp, const struct ir_instr *instr)
{
    return !clamp->in_loop[instr->block->id] && clamp->body->values[instr->id];
}

// --- Indices

// Instructions of the loop that have values for as long as the index is made.
struct lent {
    const struct ir_instr *items[MOST_LENT];
    size_t len;
};

static bool is_integer(const struct ir_instr *instr)
{
    return instr->type && type_is_integer(instr->type);
}

static bool is_nonzero(const struct ir_instr *instr)
{
    return instr->op == IR_CONST && instr->type->kind == TYPE_INT &&
           instr->constant.integer;
}

// Whether it can be made ahead of its turn: of integers, and it never raises.
static bool is_harmless_binary(const struct body *body, const struct ir_instr *instr)
{
    switch (instr->binary) {
    case BINARY_ADD:
    case BINARY_SUB:
    case BINARY_MUL:
        return !body->options->overflow_check;
    case BINARY_AND:
    case BINARY_OR:
    case BINARY_XOR:
    case BINARY_RSHIFT:
        return true;
    case BINARY_FLOORDIV:
    case BINARY_MOD:
        return is_nonzero(instr->operands[1]) || arith_divides_as_numpy(body, instr);
    default:
        return false;
    }
}

static bool is_harmless(const struct body *body, const struct ir_instr *instr)
{
    switch (instr->op) {
    case IR_CONST:
        return true;
    case IR_CAST:
        return is_integer(instr->operands[0]);
    case IR_BINARY:
        return is_harmless_binary(body, instr);
    case IR_UNARY:
        return instr->unary == UNARY_INVERT ||
               (instr->unary == UNARY_NEGATIVE && !body->options->overflow_check);
    case IR_PRIMITIVE:
        return instr->primitive == PRIMITIVE_MIN || instr->primitive == PRIMITIVE_MAX;
    default:
        return false;
    }
}

static bool is_lent(const struct lent *lent, const struct ir_instr *instr)
{
    for (size_t i = 0; i < lent->len; i++)
        if (lent->items[i] == instr)
            return true;
    return false;
}

// Makes a value that the loop has in each turn, before it.
static bool lend(const struct clamp *clamp, const struct ir_instr *instr,
        struct lent *lent, int depth)
{
    struct body *body = clamp->body;
    if (even_is_fixed(clamp, instr) || is_lent(lent, instr))
        return true;
    if (!depth || lent->len == MOST_LENT || !is_integer(instr) ||
            !is_harmless(body, instr))
        return false;
    for (size_t i = 0; i < instr->operand_count; i++)
        if (!is_integer(instr->operands[i]) ||
                !lend(clamp, instr->operands[i], lent, depth - 1))
            return false;
    if (lent->len == MOST_LENT)
        return false;
    value *row = value_row(body->gen, 1);
    body->gen->emitter->value(body, instr, row);
    // what is known in the turn alone may not hold where the loop has none
    if (instr->op != IR_CONST)
        row[0] = LLVMBuildFreeze(body->gen->builder, row[0], "");
    body->values[instr->id] = row;
    lent->items[lent->len++] = instr;
    return true;
}

value even_fixed_index(const struct clamp *clamp, const struct ir_instr *index)
{
    struct body *body = clamp->body;
    struct lent lent = {.len = 0};
    value made = NULL;
    if (lend(clamp, index, &lent, MOST_STEPS))
        made = array_plain_index(body, index);
    for (size_t i = 0; i < lent.len; i++)
        body->values[lent.items[i]->id] = NULL;
    return made;
}

// --- Lengths

// Of an array among the items that the loop goes over: `at` counts the values of those
// before it in a tuple.
static const struct type *items_array(struct codegen *gen, const struct type *over,
        const struct ir_instr *part, int *at)
{
    if (over->kind == TYPE_ARRAY)
        return part ? NULL : over;
    if (!part || part->op != IR_TUPLE_GET)
        return NULL;
    if (over->kind == TYPE_ENUMERATE)
        return part->index == 1 && over->element->kind == TYPE_ARRAY ? over->element
                                                                     : NULL;
    if (over->kind != TYPE_ZIP || over->tuple.items[part->index]->kind != TYPE_ARRAY)
        return NULL;
    for (int i = 0; i < part->index; i++)
        *at += (int)type_leaf_count(gen, over->tuple.items[i]);
    return over->tuple.items[part->index];
}

static value length_of_item(
        const struct clamp *clamp, const struct ir_instr *array, int axis)
{
    const struct ir_instr *part = array->op == IR_TUPLE_GET ? array : NULL;
    const struct ir_instr *item = part ? array->operands[0] : array;
    const struct ir_instr *next = flow_deciding_iternext(clamp->header);
    if (item->op != IR_PAIR_FIRST || item->operands[0] != next)
        return NULL;
    const struct ir_instr *over = next->operands[0]->operands[0];
    int at = 0;
    if (!even_is_fixed(clamp, over) ||
            !items_array(clamp->body->gen, over->type, part, &at))
        return NULL;
    return clamp->body->values[over->id][at + ARRAY_SHAPE(axis + 1)];
}

// a[i, :], as a[i] is too.
static bool is_whole(const struct ir_instr *slice)
{
    for (size_t i = 0; i < slice->operand_count; i++)
        if (slice->operands[i]->type->kind != TYPE_NONE)
            return false;
    return slice->op == IR_PRIMITIVE && slice->primitive == PRIMITIVE_SLICE;
}

// Of a view by indices, the axes that these leave are as long as before.
static value length_of_view(
        const struct clamp *clamp, const struct ir_instr *view, int axis)
{
    if (view->op != IR_PRIMITIVE || view->primitive != PRIMITIVE_ARRAY_VIEW)
        return NULL;
    for (size_t i = 1; i < view->operand_count; i++) {
        bool is_kept = view->operands[i]->type->kind == TYPE_SLICE;
        if (!is_kept && !is_integer(view->operands[i]))
            return NULL;
        if (is_kept && !axis--)
            return is_whole(view->operands[i])
                           ? even_fixed_length(clamp, view->operands[0], (int)i - 1)
                           : NULL;
    }
    return NULL;
}

value even_fixed_length(const struct clamp *clamp, const struct ir_instr *array, int axis)
{
    assert(array->type->kind == TYPE_ARRAY && axis >= 0);
    if (even_is_fixed(clamp, array))
        return clamp->body->values[array->id][ARRAY_SHAPE(axis)];
    value length = length_of_item(clamp, array, axis);
    return length ? length : length_of_view(clamp, array, axis);
}

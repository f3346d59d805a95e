// SPDX-License-Identifier: MIT
// Whether one part of an array may share elements with another at other places, as far as
// the code shows it: then one of them cannot be read while the other is written.
#include "compiler/typing/infer/rule.h"

static bool is_view(const struct ir_instr *value)
{
    return (value->op == IR_GETITEM || value->op == IR_GETATTR) && value->type &&
           value->type->kind == TYPE_ARRAY;
}

// The array that a value is a part of.
static const struct ir_instr *whole_of(const struct ir_instr *value)
{
    while (is_view(value))
        value = value->operands[0];
    return value;
}

static bool is_none(const struct ir_instr *value)
{
    return value->type == type_none;
}

// a[:], a[...]
static bool is_full(const struct ir_instr *index)
{
    if (index->type == type_ellipsis)
        return true;
    bool is_full = index->op == IR_BUILD_SLICE;
    for (size_t i = 0; i < index->operand_count; i++)
        is_full = is_full && is_none(index->operands[i]);
    return is_full;
}

static bool is_same_index(const struct ir_instr *a, const struct ir_instr *b)
{
    int64_t left, right;
    if (a == b || (is_none(a) && is_none(b)))
        return true;
    if (rule_constant_int(a, &left) && rule_constant_int(b, &right))
        return left == right;
    bool is_made = a->op == IR_BUILD_SLICE || a->op == IR_BUILD_TUPLE;
    bool is_same = is_made && a->op == b->op && a->operand_count == b->operand_count;
    for (size_t i = 0; is_same && i < a->operand_count; i++)
        is_same = is_same_index(a->operands[i], b->operands[i]);
    return is_same;
}

// Whether two indices name different rows, or columns.
static bool is_apart(const struct ir_instr *a, const struct ir_instr *b)
{
    int64_t left, right;
    if (rule_constant_int(a, &left) && rule_constant_int(b, &right))
        return left != right && (left < 0) == (right < 0);
    bool is_tuple = a->op == IR_BUILD_TUPLE && b->op == IR_BUILD_TUPLE;
    size_t count =
            a->operand_count < b->operand_count ? a->operand_count : b->operand_count;
    for (size_t i = 0; is_tuple && i < count; i++) {
        if (a->operands[i]->type == type_ellipsis ||
                b->operands[i]->type == type_ellipsis)
            return false;
        if (is_apart(a->operands[i], b->operands[i]))
            return true;
    }
    return false;
}

static bool is_same_view(const struct ir_instr *a, const struct ir_instr *b)
{
    if (a == b)
        return true;
    return a->op == IR_GETITEM && b->op == IR_GETITEM &&
           is_same_view(a->operands[0], b->operands[0]) &&
           is_same_index(a->operands[1], b->operands[1]);
}

bool view_overlaps(const struct ir_instr *array, const struct ir_instr *index,
        const struct ir_instr *read)
{
    if (whole_of(array) != whole_of(read))
        return false;
    if (!index)
        return !is_same_view(array, read);
    if (is_full(index) && is_same_view(array, read))
        return false;
    return read->op != IR_GETITEM || !is_same_view(array, read->operands[0]) ||
           (!is_same_index(index, read->operands[1]) &&
                   !is_apart(index, read->operands[1]));
}

// SPDX-License-Identifier: MIT
// f(*t), (*t, x) and a, *b = t: once the tuple's type is known, its items take its place.
#include <assert.h>

#include "compiler/typing/infer/infer.h"

bool infer_has_stars(const struct ir_instr *instr)
{
    if (instr->op == IR_UNPACK_REST)
        return true;
    return (instr->op == IR_CALL || instr->op == IR_BUILD_TUPLE ||
                   instr->op == IR_BUILD_LIST) &&
           instr->call.is_starred;
}

static bool check_tuple(
        struct infer *in, const struct ir_instr *instr, const struct ir_instr *value)
{
    if (value->type->kind == TYPE_TUPLE)
        return true;
    return error_set(in->err, ERROR_UNSUPPORTED, instr->span,
            "'*' before a value of type %s: in a compiled function only a tuple can be "
            "unpacked this way, because the number of its items is known.",
            value->type->name);
}

// Item `index` of the tuple, before `instr`.
static struct ir_instr *unpack(
        struct infer *in, struct ir_instr *instr, struct ir_instr *tuple, size_t index)
{
    assert(index < tuple->type->tuple.len);
    struct ir_instr *item = ir_instr_create(in->function, IR_UNPACK, 1, instr->span);
    item->operands[0] = tuple;
    item->index = (int)index;
    item->count = (int)tuple->type->tuple.len;
    ir_insert_before(instr, item);
    return infer_instr(in, item) ? item : NULL;
}

static bool unpack_rest(struct infer *in, struct ir_instr *instr)
{
    struct ir_instr *tuple = instr->operands[0];
    if (tuple->type->kind != TYPE_TUPLE)
        return true; // a list, or an error: rule_unpack
    size_t len = tuple->type->tuple.len, others = (size_t)instr->count;
    if (len < others)
        return error_set(in->err, ERROR_VALUE, instr->span,
                "not enough values to unpack (expected at least %zu, got %zu)", others,
                len);
    size_t first = (size_t)instr->index, count = len - others;
    struct ir_instr **items =
            arena_array(&in->function->arena, struct ir_instr *, count + 1);
    for (size_t i = 0; i < count; i++)
        if (!(items[i] = unpack(in, instr, tuple, first + i)))
            return false;
    instr->op = IR_BUILD_LIST;
    instr->operands = items;
    instr->operand_count = count;
    instr->call.is_starred = NULL;
    return true;
}

bool infer_expand_stars(struct infer *in, struct ir_instr *instr)
{
    assert(infer_has_stars(instr));
    if (instr->op == IR_UNPACK_REST)
        return unpack_rest(in, instr);
    size_t count = 0;
    for (size_t i = 0; i < instr->operand_count; i++) {
        if (instr->call.is_starred[i] && !check_tuple(in, instr, instr->operands[i]))
            return false;
        count += instr->call.is_starred[i] ? instr->operands[i]->type->tuple.len : 1;
    }
    struct ir_instr **all =
            arena_array(&in->function->arena, struct ir_instr *, count + 1);
    size_t at = 0;
    for (size_t i = 0; i < instr->operand_count; i++) {
        struct ir_instr *operand = instr->operands[i];
        if (!instr->call.is_starred[i]) {
            all[at++] = operand;
            continue;
        }
        for (size_t k = 0; k < operand->type->tuple.len; k++)
            if (!(all[at++] = unpack(in, instr, operand, k)))
                return false;
    }
    instr->operands = all;
    instr->operand_count = count;
    instr->call.is_starred = NULL;
    return true;
}

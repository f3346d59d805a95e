// SPDX-License-Identifier: MIT
// f(*t), (*t, x) and a, *b = t: once the tuple's type is known, its items take its place.
// a, b = x: of what has no items by number, a list of them does.
#include <assert.h>

#include "compiler/typing/infer/infer.h"
#include "compiler/typing/infer/rule.h"

bool infer_has_stars(const struct ir_instr *instr)
{
    if (instr->op == IR_UNPACK_REST)
        return true;
    return (instr->op == IR_CALL || instr->op == IR_BUILD_TUPLE ||
                   instr->op == IR_BUILD_LIST) &&
           instr->call.is_starred;
}

// The type of a tuple, which may be None.
static const struct type *tuple_type(const struct ir_instr *value)
{
    return rule_value_type(value->type);
}

static bool check_tuple(
        struct infer *in, const struct ir_instr *instr, const struct ir_instr *value)
{
    if (tuple_type(value)->kind == TYPE_TUPLE)
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
    assert(index < tuple_type(tuple)->tuple.len);
    struct ir_instr *item = ir_instr_create(in->function, IR_UNPACK, 1, instr->span);
    item->operands[0] = tuple;
    item->index = (int)index;
    item->count = (int)tuple_type(tuple)->tuple.len;
    ir_insert_before(instr, item);
    return infer_instr(in, item) ? item : NULL;
}

static bool unpack_rest(struct infer *in, struct ir_instr *instr)
{
    struct ir_instr *tuple = instr->operands[0];
    if (tuple_type(tuple)->kind != TYPE_TUPLE)
        return true; // a list, or an error: rule_unpack
    size_t len = tuple_type(tuple)->tuple.len, others = (size_t)instr->count;
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
        count +=
                instr->call.is_starred[i] ? tuple_type(instr->operands[i])->tuple.len : 1;
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
        for (size_t k = 0; k < tuple_type(operand)->tuple.len; k++)
            if (!(all[at++] = unpack(in, instr, operand, k)))
                return false;
    }
    instr->operands = all;
    instr->operand_count = count;
    instr->call.is_starred = NULL;
    return true;
}

// --- What is unpacked and has no items by number

bool infer_unpacks_iterable(const struct ir_instr *instr)
{
    if (instr->op != IR_UNPACK && instr->op != IR_UNPACK_REST)
        return false;
    const struct type *type = rule_value_type(instr->operands[0]->type);
    if (type->kind == TYPE_TUPLE || type->kind == TYPE_LIST || type_is_incomplete(type))
        return false;
    bool is_starred = instr->op == IR_UNPACK_REST || instr->count < 0;
    bool is_indexed = type->kind == TYPE_ARRAY || type->kind == TYPE_RANGE ||
                      type->kind == TYPE_STRING;
    return type_iterated(type) && (is_starred || !is_indexed);
}

static struct ir_instr *insert(struct infer *in, struct ir_instr *place, enum ir_op op,
        struct constant constant, size_t operand_count)
{
    struct ir_instr *made = ir_instr_create(in->function, op, operand_count, place->span);
    if (op == IR_CONST)
        made->constant = constant;
    ir_insert_before(place, made);
    return made;
}

// The instructions of one statement stand in a row, with that of the first item before.
bool infer_list_unpacked(struct infer *in, struct ir_instr *first)
{
    struct ir_instr *value = first->operands[0];
    bool is_starred = first->op == IR_UNPACK_REST || first->count < 0;
    int64_t count = is_starred ? -1 : first->count;
    assert(infer_unpacks_iterable(first));
    struct ir_instr *call = insert(in, first, IR_CALL, (struct constant){0}, 3);
    call->operands[0] = insert(in, call, IR_CONST,
            (struct constant){.type = type_function, .name = "gridcell.unpacked"}, 0);
    call->operands[1] = value;
    call->operands[2] = insert(in, call, IR_CONST,
            (struct constant){.type = type_int64, .integer = count}, 0);
    if (!infer_instr(in, call->operands[0]) || !infer_instr(in, call->operands[2]) ||
            !infer_instr(in, call))
        return false;
    struct ir_instr *item = first;
    do {
        item->operands[0] = call;
        item = item->next;
    } while ((item->op == IR_UNPACK || item->op == IR_UNPACK_REST) && item->index &&
             item->operands[0] == value);
    return true;
}

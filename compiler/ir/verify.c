// SPDX-License-Identifier: MIT
// Checks the invariants of the SSA form: shape of blocks, operands that dominate their
// uses, and on the resolved level the operand types that ir_ops.def promises.
#include "compiler/ir/ir.h"

#include "compiler/types/type.h"

struct verifier {
    const struct ir_function *function;
    struct ir_block *
            *dominators; // immediate, by block id; NULL while unknown or unreachable
    int *order;          // position in reverse postorder, by block id; -1: unreachable
    struct error *err;
};

static bool broken(struct verifier *v, const struct ir_instr *instr, const char *what)
{
    struct str text = {0};
    if (instr)
        ir_print_instr(instr, &text);
    error_set(v->err, ERROR_LOWERING, instr ? instr->span : SPAN_NONE,
            "internal: invalid IR in %s: %s: %s", v->function->name, what,
            str_text(&text));
    str_finish(&text);
    return false;
}

static int visit_postorder(
        struct verifier *v, struct ir_block *block, struct ir_block **list, int count)
{
    v->order[block->id] = 0;
    struct ir_block *successors[2];
    size_t successor_count = ir_successors(block, successors);
    for (size_t i = 0; i < successor_count; i++)
        if (v->order[successors[i]->id] < 0)
            count = visit_postorder(v, successors[i], list, count);
    list[count] = block;
    return count + 1;
}

static struct ir_block *common_dominator(
        struct verifier *v, struct ir_block *a, struct ir_block *b)
{
    while (a != b) {
        if (v->order[a->id] > v->order[b->id])
            a = v->dominators[a->id];
        else
            b = v->dominators[b->id];
    }
    return a;
}

static struct ir_block *dominator_of_predecessors(
        struct verifier *v, struct ir_block *block)
{
    struct ir_block *dominator = NULL;
    vec_each (predecessor, &block->predecessors) {
        if (v->order[(*predecessor)->id] < 0 || !v->dominators[(*predecessor)->id])
            continue;
        dominator =
                dominator ? common_dominator(v, dominator, *predecessor) : *predecessor;
    }
    return dominator;
}

static void find_dominators(struct verifier *v)
{
    size_t block_count = v->function->blocks.len;
    for (size_t i = 0; i < block_count; i++)
        v->order[i] = -1;
    struct ir_block **list = memory_zalloc(block_count * sizeof *list);
    int count = visit_postorder(v, v->function->blocks.items[0], list, 0);
    for (int i = 0; i < count; i++)
        v->order[list[i]->id] = count - 1 - i;
    v->dominators[0] = v->function->blocks.items[0];
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = count - 2; i >= 0; i--) {
            struct ir_block *dominator = dominator_of_predecessors(v, list[i]);
            changed = changed || v->dominators[list[i]->id] != dominator;
            v->dominators[list[i]->id] = dominator;
        }
    }
    free(list);
}

static bool block_dominates(
        struct verifier *v, const struct ir_block *a, const struct ir_block *b)
{
    while (v->order[b->id] > v->order[a->id])
        b = v->dominators[b->id];
    return a == b;
}

static bool comes_before(const struct ir_instr *a, const struct ir_instr *b)
{
    for (const struct ir_instr *instr = b->previous; instr; instr = instr->previous)
        if (instr == a)
            return true;
    return false;
}

static bool check_operand(struct verifier *v, const struct ir_instr *instr, size_t i)
{
    const struct ir_instr *operand = instr->operands[i];
    if (!operand)
        return broken(v, instr, "missing operand");
    if (!operand->block)
        return broken(v, instr, "operand is not placed in a block");
    if (!ir_has_result(operand->op))
        return broken(v, instr, "operand has no result");
    if (instr->op == IR_PHI) {
        const struct ir_block *from = instr->block->predecessors.items[i];
        if (v->order[from->id] >= 0 && !block_dominates(v, operand->block, from))
            return broken(v, instr, "operand does not reach the phi");
        return true;
    }
    if (operand->block == instr->block
                    ? !comes_before(operand, instr)
                    : !block_dominates(v, operand->block, instr->block))
        return broken(v, instr, "operand does not dominate its use");
    return true;
}

static bool check_same(
        struct verifier *v, const struct ir_instr *instr, const struct type *type)
{
    for (size_t i = 0; i < instr->operand_count; i++)
        if (instr->operands[i]->type != type)
            return broken(v, instr, "operand type differs");
    return true;
}

static bool check_binary(struct verifier *v, const struct ir_instr *instr)
{
    const struct type *left = instr->operands[0]->type, *right = instr->operands[1]->type;
    if (left != instr->type)
        return broken(v, instr, "left operand type differs");
    if (right != left && !(instr->binary == BINARY_POW && right == type_int64))
        return broken(v, instr, "right operand type differs");
    return true;
}

static bool check_compare(struct verifier *v, const struct ir_instr *instr)
{
    if (instr->type != type_bool)
        return broken(v, instr, "result is not bool");
    if (instr->compare == COMPARE_IS || instr->compare == COMPARE_IS_NOT)
        return true;
    return check_same(v, instr, instr->operands[0]->type);
}

static bool check_build_tuple(struct verifier *v, const struct ir_instr *instr)
{
    if (instr->type->kind != TYPE_TUPLE || instr->type->tuple.len != instr->operand_count)
        return broken(v, instr, "type is no tuple of so many items");
    for (size_t i = 0; i < instr->operand_count; i++)
        if (instr->operands[i]->type != instr->type->tuple.items[i])
            return broken(v, instr, "item type differs");
    return true;
}

static bool check_call(struct verifier *v, const struct ir_instr *instr)
{
    const struct ir_function *callee = instr->callee;
    if (!callee || callee->param_count != instr->operand_count)
        return broken(v, instr, "wrong number of arguments");
    for (size_t i = 0; i < instr->operand_count; i++)
        if (instr->operands[i]->type != callee->params[i])
            return broken(v, instr, "argument type differs");
    return instr->type == callee->returns || broken(v, instr, "return type differs");
}

static bool check_types(struct verifier *v, const struct ir_instr *instr)
{
    if (instr->op < IR_CONST)
        return broken(v, instr, "left over from the Python level");
    if (ir_has_result(instr->op) && !instr->type)
        return broken(v, instr, "no type");
    switch (instr->op) {
    case IR_PHI:
        return check_same(v, instr, instr->type);
    case IR_UNARY:
        return check_same(v, instr, instr->type);
    case IR_BINARY:
        return check_binary(v, instr);
    case IR_COMPARE:
        return check_compare(v, instr);
    case IR_BUILD_TUPLE:
        return check_build_tuple(v, instr);
    case IR_TUPLE_GET:
        return instr->operands[0]->type->kind == TYPE_TUPLE ||
               instr->operands[0]->type->kind == TYPE_CLOSURE ||
               instr->operands[0]->type->kind == TYPE_CHOICE ||
               instr->operands[0]->type->kind == TYPE_SLICE ||
               instr->operands[0]->type->kind == TYPE_RANGE ||
               broken(v, instr, "operand is no tuple");
    case IR_CALL_DIRECT:
        return check_call(v, instr);
    case IR_BRANCH:
        return instr->operands[0]->type == type_bool || broken(v, instr, "not a bool");
    case IR_RETURN:
        return v->function->is_generator ||
               instr->operands[0]->type == v->function->returns ||
               broken(v, instr, "not the return type");
    default:
        return true;
    }
}

static bool has_predecessor(
        const struct ir_block *block, const struct ir_block *predecessor)
{
    vec_each (item, &block->predecessors)
        if (*item == predecessor)
            return true;
    return false;
}

static bool check_block_edges(struct verifier *v, const struct ir_block *block)
{
    struct ir_block *successors[2];
    size_t count = ir_successors(block, successors);
    for (size_t i = 0; i < count; i++)
        if (!successors[i] || !has_predecessor(successors[i], block))
            return broken(v, block->last, "successor does not know its predecessor");
    return true;
}

static bool check_block(struct verifier *v, const struct ir_block *block)
{
    if (!block->last || !ir_is_terminator(block->last->op))
        return broken(v, block->last, "block has no terminator");
    bool in_phis = true;
    ir_each_instr(instr, block)
    {
        if (instr->block != block)
            return broken(v, instr, "instruction does not know its block");
        if (instr->op == IR_PHI && !in_phis)
            return broken(v, instr, "phi after other instructions");
        in_phis = in_phis && instr->op == IR_PHI;
        if (ir_is_terminator(instr->op) && instr != block->last)
            return broken(v, instr, "terminator inside a block");
        if (instr->op == IR_PHI && instr->operand_count != block->predecessors.len)
            return broken(v, instr, "phi does not match its predecessors");
        for (size_t i = 0; i < instr->operand_count; i++)
            if (!check_operand(v, instr, i))
                return false;
        if (v->function->is_resolved && !check_types(v, instr))
            return false;
    }
    return check_block_edges(v, block);
}

bool ir_verify(const struct ir_function *function, struct error *err)
{
    struct verifier v = {.function = function, .err = err};
    size_t count = function->blocks.len;
    if (!count)
        return broken(&v, NULL, "no blocks");
    v.dominators = memory_zalloc(count * sizeof *v.dominators);
    v.order = memory_zalloc(count * sizeof *v.order);
    bool is_valid = true;
    for (size_t i = 0; is_valid && i < count; i++) {
        const struct ir_block *block = function->blocks.items[i];
        is_valid =
                block->id == (int)i || broken(&v, NULL, "block id is not its position");
        is_valid = is_valid && (block->last || broken(&v, NULL, "empty block"));
    }
    if (is_valid)
        find_dominators(&v);
    for (size_t i = 0; is_valid && i < count; i++)
        if (v.order[i] >= 0)
            is_valid = check_block(&v, function->blocks.items[i]);
    free(v.dominators);
    free(v.order);
    return is_valid;
}

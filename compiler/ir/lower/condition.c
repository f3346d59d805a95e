// SPDX-License-Identifier: MIT
// Lowers conditions, and expressions whose value comes from one of several paths.
#include "compiler/ir/lower/lower.h"

// --- Values that come from several paths

static struct ir_instr *emit_truth(
        struct lowering *lw, struct ir_instr *value, struct span span)
{
    // `is` and `in` give a bool; `<` and its kin give arrays of arrays
    if (value->op == IR_COMPARE && value->compare >= COMPARE_IS)
        return value;
    return lower_emit_of(lw, IR_TRUTH, span, value);
}

// Makes the block that merges `values`, one for each of its predecessors, and goes on in
// it.
// The phi is made by hand and not by ssa_read: it is no variable's.
static struct ir_instr *merge(struct lowering *lw, struct ir_block *end,
        struct ir_instr **values, size_t count, struct span span)
{
    lower_continue_in(lw, end);
    struct ir_instr *phi = lower_emit(lw, IR_PHI, 0, span);
    phi->operands = values;
    phi->operand_count = count;
    return phi;
}

// `a and b` is a value, not a truth: the block where it is decided brings its operand.
struct ir_instr *lower_and_or(struct lowering *lw, const struct ast_node *node)
{
    size_t count = node->items.len;
    struct ir_instr **values =
            arena_array(&lw->function->arena, struct ir_instr *, count);
    struct ir_block *end = lower_new_block(lw, node->span);
    for (size_t i = 0; i < count; i++) {
        values[i] = lower_expr(lw, node->items.items[i]);
        if (!values[i])
            return NULL;
        if (i == count - 1) {
            lower_jump(lw, end, node->span);
            break;
        }
        struct ir_block *next = lower_new_block(lw, node->span);
        struct ir_instr *truth = emit_truth(lw, values[i], node->items.items[i]->span);
        if (node->kind == AST_AND)
            lower_branch(lw, truth, next, end, node->span);
        else
            lower_branch(lw, truth, end, next, node->span);
        lower_continue_in(lw, next);
    }
    return merge(lw, end, values, count, node->span);
}

struct ir_instr *lower_conditional(struct lowering *lw, const struct ast_node *node)
{
    struct ir_instr **values = arena_array(&lw->function->arena, struct ir_instr *, 2);
    const struct ast_node *arms[] = {node->conditional.then, node->conditional.otherwise};
    struct ir_block *blocks[] = {
            lower_new_block(lw, arms[0]->span), lower_new_block(lw, arms[1]->span)};
    struct ir_block *end = lower_new_block(lw, node->span);
    if (!lower_condition(lw, node->conditional.test, blocks[0], blocks[1]))
        return NULL;
    size_t count = 0;
    for (int i = 0; i < 2; i++) {
        lower_continue_in(lw, blocks[i]);
        if (!lw->block)
            continue;
        values[count] = lower_expr(lw, arms[i]);
        if (!values[count++])
            return NULL;
        lower_jump(lw, end, arms[i]->span);
    }
    return merge(lw, end, values, count, node->span);
}

void lower_keep_nameless(const struct ast_node *node, struct ir_instr *value)
{
    if (node->kind == AST_LIST || node->kind == AST_SET)
        value->immediate = value->op == IR_BUILD_LIST || value->op == IR_BUILD_SET;
}

static struct ir_instr *emit_compare(struct lowering *lw, const struct ast_node *node,
        size_t i, struct ir_instr *left, struct ir_instr *right)
{
    lower_keep_nameless(node->compare.items.items[i + 1], right);
    struct ir_instr *instr = lower_emit_of(lw, IR_COMPARE, node->span, left, right);
    instr->compare = node->compare.ops[i];
    return instr;
}

struct ir_instr *lower_compare(struct lowering *lw, const struct ast_node *node)
{
    size_t count = node->compare.items.len - 1;
    struct ir_instr **values =
            arena_array(&lw->function->arena, struct ir_instr *, count);
    struct ir_block *end = count > 1 ? lower_new_block(lw, node->span) : NULL;
    struct ir_instr *left = lower_expr(lw, node->compare.items.items[0]);
    for (size_t i = 0; left && i < count; i++) {
        struct ir_instr *right = lower_expr(lw, node->compare.items.items[i + 1]);
        if (!right)
            return NULL;
        values[i] = emit_compare(lw, node, i, left, right);
        left = right;
        if (i + 1 < count) {
            struct ir_block *next = lower_new_block(lw, node->span);
            lower_branch(
                    lw, emit_truth(lw, values[i], node->span), next, end, node->span);
            lower_continue_in(lw, next);
        }
    }
    if (!left || count == 1)
        return left ? values[0] : NULL;
    lower_jump(lw, end, node->span);
    return merge(lw, end, values, count, node->span);
}

// --- Conditions

static bool lower_condition_parts(struct lowering *lw, const struct ast_node *node,
        struct ir_block *then, struct ir_block *otherwise)
{
    bool is_and = node->kind == AST_AND;
    for (size_t i = 0; i + 1 < node->items.len && lw->block; i++) {
        struct ir_block *next = lower_new_block(lw, node->items.items[i + 1]->span);
        if (!lower_condition(lw, node->items.items[i], is_and ? next : then,
                    is_and ? otherwise : next))
            return false;
        lower_continue_in(lw, next);
    }
    return !lw->block ||
           lower_condition(lw, node->items.items[node->items.len - 1], then, otherwise);
}

static bool lower_condition_compare(struct lowering *lw, const struct ast_node *node,
        struct ir_block *then, struct ir_block *otherwise)
{
    size_t count = node->compare.items.len - 1;
    struct ir_instr *left = lower_expr(lw, node->compare.items.items[0]);
    for (size_t i = 0; left && i < count; i++) {
        struct ir_instr *right = lower_expr(lw, node->compare.items.items[i + 1]);
        if (!right)
            return false;
        struct ir_instr *value = emit_compare(lw, node, i, left, right);
        struct ir_block *next = i + 1 < count ? lower_new_block(lw, node->span) : then;
        lower_branch(lw, emit_truth(lw, value, node->span), next, otherwise, node->span);
        if (i + 1 < count)
            lower_continue_in(lw, next);
        left = right;
    }
    return left;
}

// A literal's truth, when it is a number or None.
static bool literal_truth(const struct ast_node *node, bool *truth)
{
    const struct constant *constant = &node->constant.value;
    if (node->kind != AST_CONSTANT || !constant->type)
        return false;
    if (type_is_integer(constant->type))
        *truth = constant->integer != 0;
    else if (constant->type->kind == TYPE_FLOAT)
        *truth = constant->real != 0;
    else if (constant->type == type_none)
        *truth = false;
    else
        return false;
    return true;
}

static bool lower_capture(
        struct lowering *lw, const struct ast_node *node, struct ir_block *then)
{
    struct ir_instr *value = lower_expr(lw, node->named.value);
    if (!value || !lower_assign(lw, node->named.target, value))
        return false;
    lower_jump(lw, then, node->span);
    return true;
}

// Straight to two blocks, without a bool in between: less to type, and `x is None` of a
// branch can rule a block out, which a bool that travels through a phi could not.
bool lower_condition(struct lowering *lw, const struct ast_node *node,
        struct ir_block *then, struct ir_block *otherwise)
{
    bool truth;
    if (node->kind == AST_AND || node->kind == AST_OR)
        return lower_condition_parts(lw, node, then, otherwise);
    if (node->kind == AST_UNARY && node->unary.op == UNARY_NOT)
        return lower_condition(lw, node->unary.operand, otherwise, then);
    if (node->kind == AST_COMPARE)
        return lower_condition_compare(lw, node, then, otherwise);
    if (node->kind == AST_CAPTURE)
        return lower_capture(lw, node, then);
    if (literal_truth(node, &truth)) {
        lower_jump(lw, truth ? then : otherwise, node->span);
        return true;
    }
    struct ir_instr *value = lower_expr(lw, node);
    if (!value)
        return false;
    lower_branch(lw, emit_truth(lw, value, node->span), then, otherwise, node->span);
    return true;
}

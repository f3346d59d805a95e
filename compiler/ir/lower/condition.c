// SPDX-License-Identifier: MIT
// Lowers conditions, and expressions whose value comes from one of several paths.
#include "compiler/ir/lower/lower.h"

// --- Values that come from several paths

static bool literal_truth(const struct ast_node *node, bool *truth);

static bool literal_truth_of_unary(const struct ast_node *node, bool *truth)
{
    const struct ast_node *operand = node->unary.operand;
    const struct type *type =
            operand->kind == AST_CONSTANT ? operand->constant.value.type : NULL;
    if (node->unary.op == UNARY_NOT) {
        if (!literal_truth(operand, truth))
            return false;
        *truth = !*truth;
        return true;
    }
    if (!type || (!type_is_integer(type) && type->kind != TYPE_FLOAT))
        return false;
    if (node->unary.op != UNARY_INVERT)
        return literal_truth(operand, truth);
    *truth = operand->constant.value.integer != -1;
    return type != type_uint64 && type->kind != TYPE_FLOAT;
}

// Whether what stands in the text is true or false by itself. CPython makes no code of
// what that rules out, and numba types what CPython makes code of.
static bool literal_truth(const struct ast_node *node, bool *truth)
{
    const struct constant *constant = &node->constant.value;
    if (node->kind == AST_UNARY)
        return literal_truth_of_unary(node, truth);
    if (node->kind != AST_CONSTANT || !constant->type)
        return false;
    if (type_is_integer(constant->type))
        *truth = constant->integer != 0;
    else if (constant->type->kind == TYPE_FLOAT)
        *truth = constant->real != 0;
    else if (constant->type->kind == TYPE_COMPLEX)
        *truth = constant->complex_parts[0] != 0 || constant->complex_parts[1] != 0;
    else if (constant->type == type_string || constant->type == type_bytes)
        *truth = constant->string.len != 0;
    else if (constant->type == type_none || constant->type == type_ellipsis)
        *truth = constant->type == type_ellipsis;
    else
        return false;
    return true;
}

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

// Which of the operands of `and` and `or` is the last that is looked at, and which are
// looked at before it: literals decide by themselves.
static size_t and_or_operands(const struct ast_node *node, const struct ast_node **out)
{
    size_t count = 0, last = node->items.len - 1;
    for (size_t i = 0; i <= last; i++) {
        bool truth, is_literal = literal_truth(node->items.items[i], &truth);
        bool goes_on = is_literal && truth == (node->kind == AST_AND);
        if (i == last || !goes_on)
            out[count++] = node->items.items[i];
        if (is_literal && !goes_on)
            break;
    }
    return count;
}

// `a and b` is a value, not a truth: the block where it is decided brings its operand.
struct ir_instr *lower_and_or(struct lowering *lw, const struct ast_node *node)
{
    const struct ast_node **operands =
            arena_array(&lw->function->arena, const struct ast_node *, node->items.len);
    size_t count = and_or_operands(node, operands);
    struct ir_instr **values =
            arena_array(&lw->function->arena, struct ir_instr *, count);
    struct ir_block *end = lower_new_block(lw, node->span);
    for (size_t i = 0; i < count; i++) {
        values[i] = lower_expr(lw, operands[i]);
        if (!values[i])
            return NULL;
        if (i == count - 1) {
            lower_jump(lw, end, node->span);
            break;
        }
        struct ir_block *next = lower_new_block(lw, node->span);
        struct ir_instr *truth = emit_truth(lw, values[i], operands[i]->span);
        if (node->kind == AST_AND)
            lower_branch(lw, truth, next, end, node->span);
        else
            lower_branch(lw, truth, end, next, node->span);
        lower_continue_in(lw, next);
    }
    return merge(lw, end, values, count, node->span);
}

// Where the arms of a conditional expression begin.
static bool lower_choice(
        struct lowering *lw, const struct ast_node *node, struct ir_block *arms[2])
{
    arms[0] = lower_new_block(lw, node->conditional.then->span);
    arms[1] = lower_new_block(lw, node->conditional.otherwise->span);
    return lower_condition(lw, node->conditional.test, arms[0], arms[1]);
}

struct ir_instr *lower_conditional(struct lowering *lw, const struct ast_node *node)
{
    struct ir_instr **values = arena_array(&lw->function->arena, struct ir_instr *, 2);
    const struct ast_node *arms[] = {node->conditional.then, node->conditional.otherwise};
    struct ir_block *blocks[2], *end = lower_new_block(lw, node->span);
    if (!lower_choice(lw, node, blocks))
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

static bool lower_condition_arms(struct lowering *lw, const struct ast_node *node,
        struct ir_block *then, struct ir_block *otherwise)
{
    const struct ast_node *arms[] = {node->conditional.then, node->conditional.otherwise};
    struct ir_block *blocks[2];
    if (!lower_choice(lw, node, blocks))
        return false;
    for (int i = 0; i < 2; i++) {
        lower_continue_in(lw, blocks[i]);
        if (lw->block && !lower_condition(lw, arms[i], then, otherwise))
            return false;
    }
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
    if (node->kind == AST_CONDITIONAL)
        return lower_condition_arms(lw, node, then, otherwise);
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

// SPDX-License-Identifier: MIT
// Lowers yield, and yield from: a loop that yields.
#include "compiler/ir/lower/lower.h"

static struct ir_instr *emit_none(struct lowering *lw, struct span span)
{
    return lower_emit_constant(lw, (struct constant){.type = type_none}, span);
}

static void emit_yield(struct lowering *lw, struct ir_instr *value, struct span span)
{
    lower_emit(lw, IR_YIELD, 1, span)->operands[0] = value;
}

// Its value would be what the inner generator returns; compiled ones return nothing.
static bool lower_yield_from(struct lowering *lw, const struct ast_node *node)
{
    struct ir_instr *iterable = lower_expr(lw, node->value);
    if (!iterable)
        return false;
    struct ir_instr *iterator = lower_emit_of(lw, IR_GETITER, node->span, iterable);
    struct ir_block *head = lower_new_block(lw, node->span);
    struct ir_block *body = lower_new_block(lw, node->span);
    struct ir_block *end = lower_new_block(lw, node->span);
    lower_jump(lw, head, node->span);
    lw->block = head;
    struct ir_instr *next = lower_emit_of(lw, IR_ITERNEXT, node->span, iterator);
    struct ir_instr *has_item = lower_emit_of(lw, IR_PAIR_SECOND, node->span, next);
    lower_branch(lw, has_item, body, end, node->span);
    lower_continue_in(lw, body);
    struct ir_instr *item = lower_emit_of(lw, IR_PAIR_FIRST, node->span, next);
    emit_yield(lw, item, node->span);
    lower_jump(lw, head, node->span);
    ssa_seal(lw, head);
    lower_continue_in(lw, end);
    return true;
}

struct ir_instr *lower_yield(struct lowering *lw, const struct ast_node *node)
{
    if (node->kind == AST_YIELD_FROM) {
        if (!lower_yield_from(lw, node))
            return NULL;
    } else {
        struct ir_instr *value =
                node->value ? lower_expr(lw, node->value) : emit_none(lw, node->span);
        if (!value)
            return NULL;
        emit_yield(lw, value, node->span);
    }
    return emit_none(lw, node->span);
}

// SPDX-License-Identifier: MIT
// Lowers loops: their heads and turns, and how `break` and `continue` leave one. Those
// over tuples whose items have different types have the body once for each item, where
// the items' types are known. How many there are, typing finds out at the latest: what
// goes beyond the tuple's length is not reached.
#include <string.h>

#include "compiler/ir/lower/lower.h"
#include "compiler/types/source.h"

// The body of a loop, from which `next` comes next, and `end` after a break.
// Turns that `continue` ends and others meet before they go on, so that a loop has one
// way back.
static bool lower_turn(struct lowering *lw, const struct ast_node *node,
        struct ir_block *next, struct ir_block *end)
{
    struct loop loop = {.on_break = end, .outer = lw->loop};
    lw->loop = &loop;
    bool is_done = lower_body(lw, &node->block.body);
    lw->loop = loop.outer;
    if (is_done && loop.on_continue) {
        if (lw->block)
            lower_jump(lw, loop.on_continue, node->span);
        lower_continue_in(lw, loop.on_continue);
    }
    if (is_done && lw->block)
        lower_jump(lw, next, node->span);
    return is_done;
}

// --- Over the items of a tuple

enum { MAX_ITEMS = 24 }; // where the length is not known yet

// The function that a constant is, also where the program overloads it, or NULL.
static const char *function_of(const struct constant *constant)
{
    if (constant->type == type_function)
        return constant->name;
    bool is_overloaded = constant->type == type_dispatcher && constant->source &&
                         constant->source->is_overloaded;
    return is_overloaded ? constant->source->builtin : NULL;
}

// The argument of a call of the function with this one, or NULL.
static const struct ast_node *argument_of(const struct ast_node *node, const char *name)
{
    if (!node || node->kind != AST_CALL || node->call.function->kind != AST_CONSTANT ||
            node->call.args.len != 1)
        return NULL;
    const char *function = function_of(&node->call.function->constant.value);
    return function && !strcmp(function, name) ? node->call.args.items[0] : NULL;
}

// The tuple in literal_unroll(tuple), or NULL.
// literal_unroll is numba's own word for it; its function does nothing by itself.
static const struct ast_node *unrolled_tuple(const struct ast_node *node)
{
    return argument_of(node, "numba.literal_unroll");
}

// The tuple in range(len(literal_unroll(tuple))), for which the loop's variable is the
// index of an item, or NULL.
static const struct ast_node *counted_tuple(const struct ast_node *node)
{
    return unrolled_tuple(
            argument_of(argument_of(node, "builtins.range"), "builtins.len"));
}

static const struct type *known_type(
        const struct lowering *lw, const struct ast_node *node)
{
    if (node->kind == AST_CONSTANT)
        return node->constant.value.type;
    bool is_param =
            node->kind == AST_LOCAL && (size_t)node->local < lw->function->param_count;
    return is_param ? lw->function->params[node->local] : NULL;
}

static size_t most_items(const struct lowering *lw, const struct ast_node *node)
{
    const struct type *type = known_type(lw, node);
    if (node->kind == AST_TUPLE)
        return node->items.len;
    return type && type->kind == TYPE_TUPLE ? type->tuple.len : MAX_ITEMS;
}

// Whether a plain loop is over a parameter whose items differ.
static bool is_mixed(const struct lowering *lw, const struct ast_node *node)
{
    const struct type *type = node->kind == AST_LOCAL ? known_type(lw, node) : NULL;
    return type && type->kind == TYPE_TUPLE && !type_iterated(type);
}

// Whether the local holds what literal_unroll gave.
static bool is_unrolled_value(struct lowering *lw, const struct ast_node *node)
{
    if (node->kind != AST_LOCAL || lower_is_cell(lw, node->local))
        return false;
    const struct ir_instr *value = ssa_read(lw, node->local, lw->block, node->span);
    if (value->op != IR_CALL || value->operands[0]->op != IR_CONST)
        return false;
    const char *function = function_of(&value->operands[0]->constant);
    return function && !strcmp(function, "numba.literal_unroll");
}

// The tuple that a loop is over with its body once for each item; NULL: a plain loop.
static const struct ast_node *find_unrolled(
        struct lowering *lw, const struct ast_node *iterable)
{
    const struct ast_node *tuple = unrolled_tuple(iterable);
    if (!tuple)
        tuple = counted_tuple(iterable);
    if (!tuple && is_unrolled_value(lw, iterable))
        tuple = iterable;
    return tuple ? tuple : is_mixed(lw, iterable) ? iterable : NULL;
}

static struct ir_instr *emit_index(struct lowering *lw, size_t index, struct span span)
{
    return lower_emit_constant(
            lw, (struct constant){.type = type_int64, .integer = (int64_t)index}, span);
}

// index < len(tuple)
static struct ir_instr *emit_has_item(
        struct lowering *lw, struct ir_instr *tuple, size_t index, struct span span)
{
    struct ir_instr *number = emit_index(lw, index, span);
    struct ir_instr *function = lower_emit_constant(
            lw, (struct constant){.type = type_function, .name = "builtins.len"}, span);
    function->origin = "len";
    struct ir_instr *len = lower_emit_of(lw, IR_CALL, span, function, tuple);
    struct ir_instr *has_item = lower_emit_of(lw, IR_COMPARE, span, number, len);
    has_item->compare = COMPARE_LT;
    return has_item;
}

// The body for one item; goes on in `after`.
static bool lower_copy(struct lowering *lw, const struct ast_node *node,
        struct ir_instr *tuple, size_t index, struct ir_block *end)
{
    struct ir_block *after = lower_new_block(lw, node->span);
    struct ir_instr *item = emit_index(lw, index, node->span);
    if (!counted_tuple(node->block.test))
        item = lower_emit_of(lw, IR_GETITEM, node->span, tuple, item);
    if (!lower_assign(lw, node->block.target, item))
        return false;
    if (!lower_turn(lw, node, after, end))
        return false;
    lower_continue_in(lw, after);
    return true;
}

static bool raise_too_long(struct lowering *lw, struct span span)
{
    struct constant *class = arena_new(&lw->function->arena, struct constant);
    class->type = type_exception;
    class->exception.name = "NotImplementedError";
    return lower_raise_call(lw, class, NULL, 0, span);
}

// Types are not known yet, lengths of tuples neither: there are copies up to a limit,
// each behind `index < len(tuple)`. Typing knows the length, decides these conditions,
// and the copies beyond it are never typed. One copy more raises, if the limit was too
// low.
static bool lower_unrolled(
        struct lowering *lw, const struct ast_node *node, const struct ast_node *items)
{
    struct span span = node->span;
    struct ast_node display =
            *items; // a list's items keep their types, and values, in a tuple
    if (display.kind == AST_LIST)
        display.kind = AST_TUPLE;
    size_t most = most_items(lw, &display);
    struct ir_instr *tuple = lower_expr(lw, &display);
    if (!tuple)
        return false;
    struct ir_block *orelse = lower_new_block(lw, span), *end = lower_new_block(lw, span);
    for (size_t i = 0; lw->block && i <= most; i++) {
        struct ir_block *body = lower_new_block(lw, span);
        lower_branch(lw, emit_has_item(lw, tuple, i, span), body, orelse, span);
        lower_continue_in(lw, body);
        if (!(i < most ? lower_copy(lw, node, tuple, i, end) : raise_too_long(lw, span)))
            return false;
    }
    lower_continue_in(lw, orelse);
    if (!lower_body(lw, &node->block.orelse))
        return false;
    if (lw->block)
        lower_jump(lw, end, span);
    lower_continue_in(lw, end);
    return true;
}

// --- In turns

// The body of a loop, back to `head`, then the else part, then what follows the loop.
static bool lower_loop_body(struct lowering *lw, const struct ast_node *node,
        struct ir_block *head, struct ir_block *orelse, struct ir_block *end)
{
    if (!lower_turn(lw, node, head, end))
        return false;
    ssa_seal(lw, head);
    if (!lower_arm(lw, orelse, &node->block.orelse, end, node->span))
        return false;
    lower_continue_in(lw, end);
    return true;
}

// The head is not sealed before the body is lowered: `continue` and the loop's end are
// edges to it that are still to come.
bool lower_while(struct lowering *lw, const struct ast_node *node)
{
    struct ir_block *head = lower_new_block(lw, node->block.test->span);
    struct ir_block *body = lower_new_block(lw, node->span);
    struct ir_block *orelse = lower_new_block(lw, node->span);
    struct ir_block *end = lower_new_block(lw, node->span);
    lower_jump(lw, head, node->span);
    lw->block = head;
    if (!lower_condition(lw, node->block.test, body, orelse))
        return false;
    lower_continue_in(lw, body);
    return lower_loop_body(lw, node, head, orelse, end);
}

// Whether it is a call of range or prange, from which nothing is raised later.
static bool is_range(const struct ast_node *node)
{
    if (node->kind != AST_CALL || node->call.function->kind != AST_CONSTANT)
        return false;
    const struct constant *constant = &node->call.function->constant.value;
    return constant->type == type_function &&
           (!strcmp(constant->name, "builtins.range") ||
                   strstr(constant->name, "prange"));
}

// The item is taken in the body and not in the head: where there is none, PAIR_FIRST is
// never asked. This shape is what codegen/loops knows as a loop over a range.
bool lower_for(struct lowering *lw, const struct ast_node *node)
{
    if (lw->source->options.parallel && lower_is_prange(node->block.test)) {
        bool is_done;
        if (!lower_parallel_for(lw, node, &is_done) || is_done)
            return is_done;
    }
    struct span span = node->block.test->span;
    const struct ast_node *unrolled = find_unrolled(lw, node->block.test);
    if (unrolled)
        return lower_unrolled(lw, node, unrolled);
    struct ir_instr *iterable = lower_expr(lw, node->block.test);
    if (!iterable)
        return false;
    lower_keep_nameless(node->block.test, iterable);
    struct ir_instr *iterator = lower_emit_of(lw, IR_GETITER, span, iterable);
    struct ir_block *head = lower_new_block(lw, span);
    struct ir_block *body = lower_new_block(lw, node->span);
    struct ir_block *orelse = lower_new_block(lw, node->span);
    struct ir_block *end = lower_new_block(lw, node->span);
    lower_jump(lw, head, span);
    lw->block = head;
    struct ir_instr *next = lower_emit_of(lw, IR_ITERNEXT, span, iterator);
    next->immediate = is_range(node->block.test);
    struct ir_instr *has_item = lower_emit_of(lw, IR_PAIR_SECOND, span, next);
    lower_branch(lw, has_item, body, orelse, span);
    lower_continue_in(lw, body);
    struct ir_instr *item =
            lower_emit_of(lw, IR_PAIR_FIRST, node->block.target->span, next);
    if (!lower_assign(lw, node->block.target, item))
        return false;
    return lower_loop_body(lw, node, head, orelse, end);
}

bool lower_leave(struct lowering *lw, const struct ast_node *node)
{
    struct loop *loop = lw->loop;
    if (!lower_leave_tries(lw, false, node->span))
        return false;
    if (!lw->block)
        return true;
    if (node->kind == AST_CONTINUE && !loop->on_continue)
        loop->on_continue = lower_new_block(lw, node->span);
    lower_jump(
            lw, node->kind == AST_BREAK ? loop->on_break : loop->on_continue, node->span);
    return true;
}

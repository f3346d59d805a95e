// SPDX-License-Identifier: MIT
// Loops over tuples whose items have different types: the body once for each item, where
// the items' types are known. How many there are, typing finds out at the latest: what
// goes beyond the tuple's length is not reached.
#include <string.h>

#include "compiler/ir/lower/lower.h"
#include "compiler/types/source.h"

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

const struct ast_node *lower_finds_unrolled(
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
    if (!lower_loop_turn(lw, node, after, end))
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
bool lower_unrolled(
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

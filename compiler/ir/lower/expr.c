// SPDX-License-Identifier: MIT
// Lowers expressions and conditions.
#include "compiler/ir/lower/lower.h"

#include <string.h>

#include "compiler/types/source.h"

static struct ir_instr *lower_constant(struct lowering *lw, const struct ast_node *node)
{
    struct ir_instr *instr = lower_emit_constant(lw, node->constant.value, node->span);
    instr->origin = node->constant.origin;
    return instr;
}

// Emits an instruction over the values of up to two expressions.
static struct ir_instr *lower_operation(struct lowering *lw, enum ir_op op,
        const struct ast_node *first, const struct ast_node *second, struct span span)
{
    struct ir_instr *left = lower_expr(lw, first);
    struct ir_instr *right = left && second ? lower_expr(lw, second) : NULL;
    if (!left || (second && !right))
        return NULL;
    struct ir_instr *instr = lower_emit(lw, op, second ? 2 : 1, span);
    instr->operands[0] = left;
    if (second)
        instr->operands[1] = right;
    return instr;
}

// -1 and such are literals to numba, and must be: indices and exponents are looked at.
// 2**63 is no int64, but -2**63 is: Python's parser gives the one under a minus.
static bool fold_negative(const struct ast_node *node, struct constant *out)
{
    const struct ast_node *operand = node->unary.operand;
    if (node->unary.op != UNARY_NEGATIVE || operand->kind != AST_CONSTANT ||
            operand->constant.origin)
        return false;
    *out = operand->constant.value;
    if (out->type == type_int64)
        out->integer = (int64_t)(0 - (uint64_t)out->integer);
    else if (out->type == type_uint64 && out->integer == INT64_MIN)
        out->type = type_int64;
    else if (out->type == type_float64)
        out->real = -out->real;
    else
        return false;
    return true;
}

static struct ir_instr *lower_unary(struct lowering *lw, const struct ast_node *node)
{
    struct constant folded;
    if (fold_negative(node, &folded))
        return lower_emit_constant(lw, folded, node->span);
    struct ir_instr *instr =
            lower_operation(lw, IR_UNARY, node->unary.operand, NULL, node->span);
    if (instr)
        instr->unary = node->unary.op;
    return instr;
}

static struct ir_instr *lower_binary(struct lowering *lw, const struct ast_node *node)
{
    struct ir_instr *instr = lower_operation(
            lw, IR_BINARY, node->binary.left, node->binary.right, node->span);
    if (instr)
        instr->binary = node->binary.op;
    return instr;
}

static struct ir_instr *lower_attribute(struct lowering *lw, const struct ast_node *node)
{
    struct ir_instr *instr =
            lower_operation(lw, IR_GETATTR, node->attribute.value, NULL, node->span);
    if (instr)
        instr->attribute = node->attribute.name;
    return instr;
}

// The values of expressions, from values[0] on; says which are starred, if some are.
static bool lower_values(struct lowering *lw, const struct ast_list *nodes,
        struct ir_instr **values, bool **is_starred)
{
    for (size_t i = 0; i < nodes->len; i++) {
        const struct ast_node *node = nodes->items[i];
        if (node->kind == AST_STARRED) {
            if (!*is_starred)
                *is_starred = arena_array(&lw->function->arena, bool, nodes->len + 2);
            (*is_starred)[i] = true;
            node = node->value;
        }
        values[i] = lower_expr(lw, node);
        if (!values[i])
            return false;
    }
    return true;
}

static bool has_star(const struct ast_node *node)
{
    for (size_t i = 0; i < node->items.len; i++)
        if (node->items.items[i]->kind == AST_STARRED)
            return true;
    return false;
}

// A call of container.name(value)
static struct ir_instr *emit_method(struct lowering *lw, struct ir_instr *container,
        const char *name, struct ir_instr *value, struct span span)
{
    struct ir_instr *method = lower_emit_of(lw, IR_GETATTR, span, container);
    method->attribute = name;
    return lower_emit_of(lw, IR_CALL, span, method, value);
}

// [*a, b]: grows from nothing.
static struct ir_instr *lower_starred(struct lowering *lw, const struct ast_node *node)
{
    bool is_set = node->kind == AST_SET;
    struct ir_instr *container =
            lower_emit(lw, is_set ? IR_BUILD_SET : IR_BUILD_LIST, 0, node->span);
    for (size_t i = 0; i < node->items.len; i++) {
        const struct ast_node *item = node->items.items[i];
        bool is_starred = item->kind == AST_STARRED;
        struct ir_instr *value = lower_expr(lw, is_starred ? item->value : item);
        if (!value)
            return NULL;
        emit_method(lw, container,
                is_set       ? is_starred ? "update" : "add"
                : is_starred ? "extend"
                             : "append",
                value, item->span);
    }
    return container;
}

// The loops of a comprehension, which fill a variable.
static struct ir_instr *lower_comprehension(
        struct lowering *lw, const struct ast_node *node)
{
    int local = node->comprehension.local;
    struct ir_instr *start = lower_expr(lw, node->comprehension.start);
    if (!start)
        return NULL;
    ssa_write(lw, local, start, node->span);
    if (!lower_body(lw, &node->comprehension.loop))
        return NULL;
    return ssa_read(lw, local, lw->block, node->span);
}

static struct ir_instr *lower_sequence(struct lowering *lw, const struct ast_node *node)
{
    if ((node->kind == AST_LIST || node->kind == AST_SET) && has_star(node))
        return lower_starred(lw, node);
    size_t count = node->items.len;
    struct ir_instr **values =
            arena_array(&lw->function->arena, struct ir_instr *, count + 1);
    bool *is_starred = NULL;
    if (!lower_values(lw, &node->items, values, &is_starred))
        return NULL;
    enum ir_op op = node->kind == AST_LIST   ? IR_BUILD_LIST
                    : node->kind == AST_SET  ? IR_BUILD_SET
                    : node->kind == AST_DICT ? IR_BUILD_DICT
                                             : IR_BUILD_TUPLE;
    struct ir_instr *instr = lower_emit(lw, op, 0, node->span);
    instr->operands = values;
    instr->operand_count = count;
    instr->call.is_starred = is_starred;
    return instr;
}

static struct ir_instr *lower_bound(
        struct lowering *lw, const struct ast_node *bound, struct span span)
{
    if (bound)
        return lower_expr(lw, bound);
    return lower_emit_constant(lw, (struct constant){.type = type_none}, span);
}

static struct ir_instr *lower_slice(struct lowering *lw, const struct ast_node *node)
{
    struct ir_instr *start = lower_bound(lw, node->slice.start, node->span);
    struct ir_instr *stop = start ? lower_bound(lw, node->slice.stop, node->span) : NULL;
    struct ir_instr *step =
            stop && node->slice.step ? lower_expr(lw, node->slice.step) : NULL;
    if (!stop || (node->slice.step && !step))
        return NULL;
    struct ir_instr *instr = lower_emit(lw, IR_BUILD_SLICE, step ? 3 : 2, node->span);
    instr->operands[0] = start;
    instr->operands[1] = stop;
    if (step)
        instr->operands[2] = step;
    return instr;
}

// getattr(value, "name") is value.name.
static const char *named_attribute(const struct ast_node *call)
{
    const struct ast_node *function = call->call.function;
    if (function->kind != AST_CONSTANT || call->call.args.len != 2 ||
            function->constant.value.type != type_function ||
            strcmp(function->constant.value.name, "builtins.getattr") != 0)
        return NULL;
    const struct ast_node *name = call->call.args.items[1];
    bool is_literal =
            name->kind == AST_CONSTANT && name->constant.value.type == type_string;
    return is_literal ? name->constant.value.string.text : NULL;
}

// The slots of keyword arguments are the last operands, in the order of the text: so are
// they evaluated. Which parameter each is for, typing finds out.
static struct ir_instr *lower_call(struct lowering *lw, const struct ast_node *node)
{
    const char *attribute = named_attribute(node);
    if (attribute) {
        struct ir_instr *instr = lower_operation(
                lw, IR_GETATTR, node->call.args.items[0], NULL, node->span);
        if (instr)
            instr->attribute = attribute;
        return instr;
    }
    size_t count = node->call.args.len + 1;
    struct ir_instr **values =
            arena_array(&lw->function->arena, struct ir_instr *, count);
    bool *is_starred = NULL;
    values[0] = lower_expr(lw, node->call.function);
    if (!values[0] || !lower_values(lw, &node->call.args, values + 1, &is_starred))
        return NULL;
    if (is_starred) {
        memmove(is_starred + 1, is_starred, count - 1);
        is_starred[0] = false;
    }
    struct ir_instr *instr = lower_emit(lw, IR_CALL, 0, node->span);
    instr->operands = values;
    instr->operand_count = count;
    instr->call.keywords = node->call.keywords;
    instr->call.keyword_count = node->call.keyword_count;
    instr->call.is_starred = is_starred;
    return instr;
}

// --- Variables

// Packages that are installed were tried with numba, where such a variable is 0, or an
// array of nothing: some give one back that their callers leave alone.
static bool is_installed(const struct source *source)
{
    return source->file && (strstr(source->file, "/site-packages/") ||
                                   strstr(source->file, "/dist-packages/"));
}

// A kernel has no way to raise, but for debugging; the library knows what it does. What
// no path assigns is refused by typing, unless the text has an assignment before it.
static bool needs_check(
        struct lowering *lw, int local, struct ir_instr *value, struct span span)
{
    const struct source_options *options = &lw->source->options;
    if (options->is_library || options->is_device)
        return false;
    if (value == lw->undefined[local])
        return !lw->is_forgotten[local] && ssa_is_assigned_before(lw, local, span.line);
    return !is_installed(lw->source) && !ssa_is_assigned(lw, local, lw->block);
}

static struct ir_instr *lower_read(struct lowering *lw, int local, struct span span)
{
    struct ir_instr *value = ssa_read(lw, local, lw->block, span);
    if (!needs_check(lw, local, value, span))
        return value;
    struct ir_block *fails = lower_new_block(lw, span), *goes = lower_new_block(lw, span);
    struct ir_instr *flag = ssa_flag(lw, local, lw->block);
    lower_guard(lw);
    vec_push(&lw->checks, lower_emit_of(lw, IR_BRANCH, span, flag));
    lower_end_branch(lw, goes, fails);
    lower_continue_in(lw, fails);
    const char *text = arena_printf(&lw->function->arena,
            "cannot access local variable '%s' where it is not associated with a value",
            lw->ast->locals[local]);
    if (!lower_raise_text(lw, "UnboundLocalError", text, span))
        return NULL;
    lower_continue_in(lw, goes);
    ssa_note_value(lw, local, value);
    return value;
}

// --- Inner functions

// Inner functions that speak of one another would be made without end.
// A closure captures values, and another closure is one: of `a` that calls `b` that calls
// `a` there is no end. That is only found by its depth.
enum { MAX_CAPTURE_DEPTH = 40 };

// Evaluates what the defaults are, once, where the function is defined.
static bool lower_defaults(struct lowering *lw, const struct ast_node *node)
{
    for (size_t i = 0; i < node->function.defaults.len; i++) {
        int local = node->function.default_locals[i];
        struct ir_instr *value = lower_expr(lw, node->function.defaults.items[i]);
        if (!value)
            return false;
        ssa_write(lw, local, value, node->span);
    }
    return true;
}

// A cell is captured itself.
static struct ir_instr *captured_value(struct lowering *lw, int local, struct span span)
{
    return lower_is_cell(lw, local) ? ssa_read(lw, local, lw->block, span)
                                    : lower_local(lw, local, span);
}

// The function with what it captures, as that is now.
static struct ir_instr *make_closure(struct lowering *lw, const struct ast_node *node)
{
    size_t count = node->function.capture_count;
    struct ir_instr **values =
            arena_array(&lw->function->arena, struct ir_instr *, count + 1);
    if (lw->capture_depth > MAX_CAPTURE_DEPTH) {
        error_set(lw->err, ERROR_UNSUPPORTED, node->span,
                "inner functions that call each other are not supported in a compiled "
                "function where a name of theirs is bound more than once: give each a "
                "name of its own, or define them outside, each with @njit.");
        return NULL;
    }
    lw->capture_depth++;
    for (size_t i = 0; i < count; i++) {
        values[i] = captured_value(lw, node->function.captures[i], node->span);
        if (!values[i])
            return NULL;
    }
    lw->capture_depth--;
    struct ir_instr *instr = lower_emit(lw, IR_MAKE_CLOSURE, 0, node->span);
    instr->operands = values;
    instr->operand_count = count;
    instr->closure = node->function.inner;
    return instr;
}

struct ir_instr *lower_local(struct lowering *lw, int local, struct span span)
{
    const struct ast_node *function =
            lw->ast->functions ? lw->ast->functions[local] : NULL;
    if (lower_is_cell(lw, local))
        return lower_read_cell(lw, local, span);
    return function ? make_closure(lw, function) : ssa_read(lw, local, lw->block, span);
}

static struct ir_instr *lower_reference(struct lowering *lw, const struct ast_node *node)
{
    bool is_plain = !lower_is_cell(lw, node->local) &&
                    !(lw->ast->functions && lw->ast->functions[node->local]);
    return (is_plain ? lower_read : lower_local)(lw, node->local, node->span);
}

bool lower_define(struct lowering *lw, const struct ast_node *node)
{
    const struct ast_node *function = node->define.function;
    if (!lower_defaults(lw, function))
        return false;
    if (lw->ast->functions[node->define.local])
        return true; // made anew wherever it is used
    struct ir_instr *value = make_closure(lw, function);
    if (!value)
        return false;
    if (lower_is_cell(lw, node->define.local)) {
        lower_write_cell(lw, node->define.local, value, node->span);
        return true;
    }
    ssa_name(lw, node->define.local, value);
    ssa_write(lw, node->define.local, value, node->span);
    return true;
}

static struct ir_instr *lower_function(struct lowering *lw, const struct ast_node *node)
{
    return lower_defaults(lw, node) ? make_closure(lw, node) : NULL;
}

// CPython found that no way leads here, where lowering did not. What follows is behind a
// branch that is never taken, which typing drops. Should a way lead here all the same,
// the text is another than the code that was run.
static struct ir_instr *lower_missing(struct lowering *lw, const struct ast_node *node)
{
    const char *text = arena_printf(&lw->function->arena,
            "'%s' has no code: the file has changed since it was run.", node->missing);
    struct ir_block *here = lower_new_block(lw, node->span);
    struct ir_block *never = lower_new_block(lw, node->span);
    struct constant truth = {.type = type_bool, .integer = 1};
    lower_branch(lw, lower_emit_constant(lw, truth, node->span), here, never, node->span);
    lower_continue_in(lw, here);
    if (!lower_raise_text(lw, "RuntimeError", text, node->span))
        return NULL;
    lower_continue_in(lw, never);
    return lower_emit_constant(lw, (struct constant){.type = type_none}, node->span);
}

static struct ir_instr *lower_named(struct lowering *lw, const struct ast_node *node)
{
    struct ir_instr *value = lower_expr(lw, node->named.value);
    return value && lower_assign(lw, node->named.target, value) ? value : NULL;
}

static struct ir_instr *lower_subscript(struct lowering *lw, const struct ast_node *node)
{
    return lower_operation(
            lw, IR_GETITEM, node->subscript.value, node->subscript.index, node->span);
}

struct ir_instr *lower_expr(struct lowering *lw, const struct ast_node *node)
{
    static struct ir_instr *(*const lowerings[])(
            struct lowering *, const struct ast_node *) = {
            [AST_CONSTANT] = lower_constant,
            [AST_LOCAL] = lower_reference,
            [AST_ATTRIBUTE] = lower_attribute,
            [AST_SUBSCRIPT] = lower_subscript,
            [AST_SLICE] = lower_slice,
            [AST_TUPLE] = lower_sequence,
            [AST_LIST] = lower_sequence,
            [AST_SET] = lower_sequence,
            [AST_DICT] = lower_sequence,
            [AST_COMPREHENSION] = lower_comprehension,
            [AST_UNARY] = lower_unary,
            [AST_BINARY] = lower_binary,
            [AST_AND] = lower_and_or,
            [AST_OR] = lower_and_or,
            [AST_COMPARE] = lower_compare,
            [AST_CONDITIONAL] = lower_conditional,
            [AST_CALL] = lower_call,
            [AST_NAMED] = lower_named,
            [AST_FUNCTION] = lower_function,
            [AST_MISSING] = lower_missing,
            [AST_YIELD] = lower_yield,
            [AST_YIELD_FROM] = lower_yield,
    };
    bool is_known = (size_t)node->kind < sizeof lowerings / sizeof *lowerings;
    if (is_known && lowerings[node->kind])
        return lowerings[node->kind](lw, node);
    error_set(lw->err, ERROR_UNSUPPORTED, node->span,
            "unpacking with '*' is not supported in a compiled function.");
    return NULL;
}

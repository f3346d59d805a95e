// SPDX-License-Identifier: MIT
// Lowers statements: control flow to blocks, assignments to definitions.
#include "compiler/ir/lower/lower.h"

#include <assert.h>
#include <string.h>

#include "compiler/types/source.h"

struct ir_block *lower_new_block(struct lowering *lw, struct span span)
{
    struct ir_block *block = ir_block_create(lw->function);
    block->span = span;
    struct lower_block state = {0};
    state.definitions = arena_array(
            &lw->function->arena, struct lower_definition, lw->ast->local_count + 1);
    vec_push(&lw->blocks, state);
    return block;
}

// Each edge is listed as often as it is there. The order is that of phis' operands.
void lower_edge(struct ir_block *from, struct ir_block *to)
{
    vec_push(&to->predecessors, from);
}

struct ir_instr *lower_emit(
        struct lowering *lw, enum ir_op op, size_t operand_count, struct span span)
{
    struct ir_instr *instr = ir_instr_create(lw->function, op, operand_count, span);
    ir_append(lw->block, instr);
    return instr;
}

struct ir_instr *lower_emit_operands(struct lowering *lw, enum ir_op op, struct span span,
        struct ir_instr *const *operands, size_t count)
{
    struct ir_instr *instr = lower_emit(lw, op, count, span);
    memcpy(instr->operands, operands, count * sizeof *operands);
    return instr;
}

struct ir_instr *lower_emit_constant(
        struct lowering *lw, struct constant constant, struct span span)
{
    struct ir_instr *instr = lower_emit(lw, IR_CONST, 0, span);
    instr->constant = constant;
    return instr;
}

void lower_jump(struct lowering *lw, struct ir_block *target, struct span span)
{
    lower_guard(lw);
    lower_emit(lw, IR_JUMP, 0, span)->targets[0] = target;
    lower_edge(lw->block, target);
    lw->block = NULL;
}

void lower_branch(struct lowering *lw, struct ir_instr *condition, struct ir_block *then,
        struct ir_block *otherwise, struct span span)
{
    lower_guard(lw);
    lower_emit_of(lw, IR_BRANCH, span, condition);
    lower_end_branch(lw, then, otherwise);
}

void lower_end_branch(
        struct lowering *lw, struct ir_block *then, struct ir_block *otherwise)
{
    struct ir_instr *branch = lw->block->last;
    branch->targets[0] = then;
    branch->targets[1] = otherwise;
    lower_edge(lw->block, then);
    lower_edge(lw->block, otherwise);
    lw->block = NULL;
}

// Where no way leads there is nothing to lower: lw->block NULL ends a body's walk, so
// that dead code of the user's is neither typed nor refused.
void lower_continue_in(struct lowering *lw, struct ir_block *block)
{
    ssa_seal(lw, block);
    lw->block = block->predecessors.len ? block : NULL;
}

// The place of the starred target, or -1.
static int star_place(const struct ast_list *items)
{
    for (size_t i = 0; i < items->len; i++)
        if (items->items[i]->kind == AST_STARRED)
            return (int)i;
    return -1;
}

// Item `at` of the value, of which there are as many as targets.
static struct ir_instr *lower_unpacked(struct lowering *lw,
        const struct ast_list *targets, int at, int star, struct ir_instr *value)
{
    int len = (int)targets->len;
    struct ir_instr *item = lower_emit(
            lw, at == star ? IR_UNPACK_REST : IR_UNPACK, 1, targets->items[at]->span);
    item->operands[0] = value;
    item->index = star >= 0 && at > star ? at - len : at;
    item->count = star < 0 ? len : at == star ? len - 1 : -(len - 1);
    return item;
}

// a, *b, c = value: items behind the star count from the end. All are there before the
// first is assigned, which may change the value.
static bool lower_unpack(
        struct lowering *lw, const struct ast_node *target, struct ir_instr *value)
{
    const struct ast_list *targets = &target->items;
    int len = (int)targets->len, star = star_place(targets);
    struct ir_instr **items =
            arena_array(&lw->function->arena, struct ir_instr *, targets->len + 1);
    for (int i = 0; i < len; i++)
        items[i] = lower_unpacked(lw, targets, i, star, value);
    for (int i = 0; i < len; i++) {
        const struct ast_node *part = targets->items[i];
        if (!lower_assign(lw, i == star ? part->value : part, items[i]))
            return false;
    }
    return true;
}

static bool lower_set_item(
        struct lowering *lw, const struct ast_node *target, struct ir_instr *value)
{
    struct ir_instr *container = lower_expr(lw, target->subscript.value);
    struct ir_instr *index = container ? lower_expr(lw, target->subscript.index) : NULL;
    if (!index)
        return false;
    lower_emit_of(lw, IR_SETITEM, target->span, container, index, value);
    return true;
}

static bool lower_set_attribute(
        struct lowering *lw, const struct ast_node *target, struct ir_instr *value)
{
    struct ir_instr *object = lower_expr(lw, target->attribute.value);
    if (!object)
        return false;
    lower_emit_of(lw, IR_SETATTR, target->span, object, value)->attribute =
            target->attribute.name;
    return true;
}

// The type that the decorator's `locals` gives a variable, or NULL.
static const struct type *declared_type(const struct lowering *lw, int local)
{
    const struct source_options *options = &lw->source->options;
    for (size_t i = 0; i < options->local_count; i++)
        if (!strcmp(options->locals[i].name, lw->ast->locals[local]))
            return options->locals[i].type;
    return NULL;
}

static struct ir_instr *emit_declared(
        struct lowering *lw, int local, struct ir_instr *value)
{
    const struct type *type = declared_type(lw, local);
    if (!type)
        return value;
    struct constant class = {.type = type_class(type), .instance = type};
    struct ir_instr *callee = lower_emit_constant(lw, class, value->span);
    return lower_emit_of(lw, IR_CALL, value->span, callee, value);
}

bool lower_assign(
        struct lowering *lw, const struct ast_node *target, struct ir_instr *value)
{
    switch (target->kind) {
    case AST_LOCAL:
        value = emit_declared(lw, target->local, value);
        lower_guard(lw);
        if (lower_is_cell(lw, target->local)) {
            lower_write_cell(lw, target->local, value, target->span);
            return true;
        }
        if (!value->variable)
            ssa_name(lw, target->local, value);
        if (lw->source->options.debug)
            lower_emit_of(lw, IR_NAME, target->span, value)->variable =
                    lw->ast->locals[target->local];
        ssa_write(lw, target->local, value, target->span);
        ssa_note_assigned(lw, target->local, target->span, value);
        return true;
    case AST_SUBSCRIPT:
        return lower_set_item(lw, target, value);
    case AST_ATTRIBUTE:
        return lower_set_attribute(lw, target, value);
    default:
        return lower_unpack(lw, target, value);
    }
}

// a, b = b, a: no tuple is made; all values are computed before any is assigned.
static bool lower_parallel_assign(
        struct lowering *lw, const struct ast_node *target, const struct ast_node *value)
{
    struct ir_instr **values =
            arena_array(&lw->function->arena, struct ir_instr *, value->items.len + 1);
    for (size_t i = 0; i < value->items.len; i++) {
        values[i] = lower_expr(lw, value->items.items[i]);
        if (!values[i])
            return false;
    }
    for (size_t i = 0; i < value->items.len; i++)
        if (!lower_assign(lw, target->items.items[i], values[i]))
            return false;
    return true;
}

static bool lower_assignment(struct lowering *lw, const struct ast_node *node)
{
    const struct ast_list *targets = &node->assign.targets;
    const struct ast_node *first = targets->items[0], *value_node = node->assign.value;
    if (targets->len == 1 && (first->kind == AST_TUPLE || first->kind == AST_LIST) &&
            value_node->kind == AST_TUPLE && value_node->items.len == first->items.len &&
            star_place(&first->items) < 0 && star_place(&value_node->items) < 0)
        return lower_parallel_assign(lw, first, value_node);
    struct ir_instr *value = lower_expr(lw, value_node);
    if (!value)
        return false;
    for (size_t i = 0; i < targets->len; i++)
        if (!lower_assign(lw, targets->items[i], value))
            return false;
    return true;
}

// `left` NULL: its expression failed, and the error is set.
static struct ir_instr *emit_inplace(
        struct lowering *lw, const struct ast_node *node, struct ir_instr *left)
{
    struct ir_instr *right = left ? lower_expr(lw, node->binary.right) : NULL;
    if (!right)
        return NULL;
    struct ir_instr *result = lower_emit_of(lw, IR_INPLACE, node->span, left, right);
    result->binary = node->binary.op;
    return result;
}

// Container and index are evaluated once, as Python does: f()[g()] += 1.
static bool lower_augmented_item(struct lowering *lw, const struct ast_node *node)
{
    const struct ast_node *target = node->binary.left;
    struct ir_instr *container = lower_expr(lw, target->subscript.value);
    struct ir_instr *index = container ? lower_expr(lw, target->subscript.index) : NULL;
    if (!index)
        return false;
    struct ir_instr *item = lower_emit_of(lw, IR_GETITEM, target->span, container, index);
    struct ir_instr *result = emit_inplace(lw, node, item);
    if (!result)
        return false;
    lower_emit_of(lw, IR_SETITEM, node->span, container, index, result);
    return true;
}

static bool lower_augmented_attribute(struct lowering *lw, const struct ast_node *node)
{
    const struct ast_node *target = node->binary.left;
    struct ir_instr *object = lower_expr(lw, target->attribute.value);
    if (!object)
        return false;
    struct ir_instr *item = lower_emit_of(lw, IR_GETATTR, target->span, object);
    item->attribute = target->attribute.name;
    struct ir_instr *result = emit_inplace(lw, node, item);
    if (!result)
        return false;
    lower_emit_of(lw, IR_SETATTR, node->span, object, result)->attribute =
            target->attribute.name;
    return true;
}

static bool lower_augmented(struct lowering *lw, const struct ast_node *node)
{
    if (node->binary.left->kind == AST_SUBSCRIPT)
        return lower_augmented_item(lw, node);
    if (node->binary.left->kind == AST_ATTRIBUTE)
        return lower_augmented_attribute(lw, node);
    struct ir_instr *result = emit_inplace(lw, node, lower_expr(lw, node->binary.left));
    return result && lower_assign(lw, node->binary.left, result);
}

bool lower_return_none(struct lowering *lw, struct span span)
{
    if (!lower_leave_tries(lw, true, span))
        return false;
    if (!lw->block)
        return true;
    struct ir_instr *none =
            lower_emit_constant(lw, (struct constant){.type = type_none}, span);
    lower_emit(lw, IR_RETURN, 1, span)->operands[0] = none;
    lw->block = NULL;
    return true;
}

static bool lower_return(struct lowering *lw, const struct ast_node *node)
{
    if (!node->value)
        return lower_return_none(lw, node->span);
    struct ir_instr *value = lower_expr(lw, node->value);
    if (!value || !lower_leave_tries(lw, true, node->span))
        return false;
    if (!lw->block)
        return true;
    lower_emit(lw, IR_RETURN, 1, node->span)->operands[0] = value;
    lw->block = NULL;
    return true;
}

bool lower_arm(struct lowering *lw, struct ir_block *block, const struct ast_list *body,
        struct ir_block *end, struct span span)
{
    lower_continue_in(lw, block);
    if (!lower_body(lw, body))
        return false;
    if (lw->block)
        lower_jump(lw, end, span);
    return true;
}

static bool lower_if(struct lowering *lw, const struct ast_node *node)
{
    struct ir_block *then = lower_new_block(lw, node->span);
    struct ir_block *otherwise = lower_new_block(lw, node->span);
    struct ir_block *end = lower_new_block(lw, node->span);
    if (!lower_condition(lw, node->block.test, then, otherwise))
        return false;
    if (!lower_arm(lw, then, &node->block.body, end, node->span) ||
            !lower_arm(lw, otherwise, &node->block.orelse, end, node->span))
        return false;
    lower_continue_in(lw, end);
    return true;
}

static bool lower_delete_item(struct lowering *lw, const struct ast_node *target)
{
    struct ir_instr *container = lower_expr(lw, target->subscript.value);
    struct ir_instr *index = container ? lower_expr(lw, target->subscript.index) : NULL;
    if (!index)
        return false;
    lower_emit_of(lw, IR_DELITEM, target->span, container, index);
    return true;
}

static bool lower_delete(struct lowering *lw, const struct ast_node *node)
{
    for (size_t i = 0; i < node->items.len; i++) {
        const struct ast_node *target = node->items.items[i];
        int local = target->local;
        lower_guard(lw);
        if (target->kind == AST_SUBSCRIPT) {
            if (!lower_delete_item(lw, target))
                return false;
            continue;
        }
        ssa_forget(lw, local);
    }
    return true;
}

// What has no value yet comes to the block as None.
static struct ir_instr *objmode_input(struct lowering *lw, int local, struct span span)
{
    struct ir_instr *value = lower_local(lw, local, span);
    if (value && value == lw->undefined[local])
        return lower_emit_constant(lw, (struct constant){.type = type_none}, span);
    return value;
}

static bool lower_objmode(struct lowering *lw, const struct ast_node *node)
{
    size_t count = node->objmode.input_count, results = node->objmode.output_count;
    struct ir_instr **inputs =
            arena_array(&lw->function->arena, struct ir_instr *, count + 1);
    for (size_t i = 0; i < count; i++)
        if (!(inputs[i] = objmode_input(lw, node->objmode.inputs[i], node->span)))
            return false;
    struct ir_instr *call = lower_emit(lw, IR_OBJMODE, 0, node->span);
    call->operands = inputs;
    call->operand_count = count;
    call->objmode.function = node->objmode.function;
    call->objmode.outputs = type_tuple(node->objmode.types, results);
    lower_guard(lw);
    for (size_t i = 0; i < results; i++) {
        int local = node->objmode.outputs[i];
        struct ir_instr *item = lower_emit(lw, IR_UNPACK, 1, node->span);
        item->operands[0] = call;
        item->index = (int)i;
        item->count = (int)results;
        if (lower_is_cell(lw, local)) {
            lower_write_cell(lw, local, item, node->span);
            continue;
        }
        ssa_name(lw, local, item);
        ssa_write(lw, local, item, node->span);
    }
    return true;
}

static bool is_docstring(const struct ast_node *node)
{
    return node->value->kind == AST_CONSTANT && !node->value->constant.origin;
}

static bool lower_expression(struct lowering *lw, const struct ast_node *node)
{
    return is_docstring(node) || lower_expr(lw, node->value);
}

static bool lower_pass(struct lowering *lw, const struct ast_node *node)
{
    return true;
}

static bool lower_statement(struct lowering *lw, const struct ast_node *node)
{
    static bool (*const lowerings[])(struct lowering *, const struct ast_node *) = {
            [AST_EXPRESSION] = lower_expression,
            [AST_ASSIGN] = lower_assignment,
            [AST_AUGMENTED] = lower_augmented,
            [AST_RETURN] = lower_return,
            [AST_IF] = lower_if,
            [AST_WHILE] = lower_while,
            [AST_FOR] = lower_for,
            [AST_BREAK] = lower_leave,
            [AST_CONTINUE] = lower_leave,
            [AST_PASS] = lower_pass,
            [AST_RAISE] = lower_raise,
            [AST_ASSERT] = lower_assert,
            [AST_DELETE] = lower_delete,
            [AST_TRY] = lower_try,
            [AST_OBJMODE] = lower_objmode,
            [AST_DEFINE] = lower_define,
    };
    assert(node->kind < sizeof lowerings / sizeof *lowerings && lowerings[node->kind]);
    return lowerings[node->kind](lw, node);
}

bool lower_body(struct lowering *lw, const struct ast_list *body)
{
    for (size_t i = 0; lw->block && i < body->len; i++)
        if (!lower_statement(lw, body->items[i]))
            return false;
    return true;
}

static void lower_params(struct lowering *lw)
{
    for (size_t i = 0; i < lw->function->param_count; i++) {
        struct ir_instr *arg = lower_emit(lw, IR_ARG, 0, lw->ast->span);
        arg->index = (int)i;
        int local = lw->ast->param_locals ? lw->ast->param_locals[i] : (int)i;
        ssa_name(lw, local, arg);
        ssa_write(lw, local, arg, arg->span);
    }
    // behind all of them: those of a declared type
    struct ir_instr *arg = lw->block->first;
    for (size_t i = 0; i < lw->function->param_count; i++, arg = arg->next) {
        int local = lw->ast->param_locals ? lw->ast->param_locals[i] : (int)i;
        if (!declared_type(lw, local))
            continue;
        struct ir_instr *cast = emit_declared(lw, local, arg);
        ssa_name(lw, local, cast);
        ssa_write(lw, local, cast, arg->span);
    }
}

// `lw` and its vectors end here. A failure leaves a function that is only destroyed.
bool lower_once(struct source *source, struct ir_function *function,
        struct lower_in_turn *in_turn, struct error *err)
{
    function->is_generator = source->ast->is_generator;
    struct lowering lw = {source, source->ast, function, .in_turn = in_turn, .err = err};
    lw.undefined =
            arena_array(&function->arena, struct ir_instr *, lw.ast->local_count + 1);
    lw.is_forgotten = arena_array(&function->arena, bool, lw.ast->local_count + 1);
    lw.versions = arena_array(&function->arena, int, lw.ast->local_count + 1);
    lw.block = lower_new_block(&lw, lw.ast->span);
    ssa_seal(&lw, lw.block);
    lower_params(&lw);
    lower_make_cells(&lw);
    bool is_done = lower_body(&lw, &lw.ast->body);
    if (is_done && lw.block) {
        // without a column: nobody wrote it, and debuggers do not stop there
        struct span end = {.file = lw.ast->span.file, .line = lw.ast->span.end_line};
        lower_return_none(&lw, end);
    }
    if (is_done)
        ssa_finish(&lw);
    else
        vec_each (block, &lw.blocks)
            vec_finish(&block->incomplete);
    vec_finish(&lw.blocks);
    vec_finish(&lw.assigned);
    vec_finish(&lw.checks);
    return is_done;
}

// SPDX-License-Identifier: MIT
// Walks the body of a prange loop, turn by turn as it were: which variables a turn reads
// before it sets them, what it writes to where, and how that depends on the turn.
#include "compiler/ir/lower/parallel_turn.h"

#include <string.h>

// --- Expressions

static void read_node(struct turn *turn, const struct ast_node *node);

static void read_list(struct turn *turn, const struct ast_list *list)
{
    for (size_t i = 0; i < list->len; i++)
        read_node(turn, list->items[i]);
}

static void write_local(
        struct turn *turn, int local, struct span span, enum dependence dependence);
static void write_target(
        struct turn *turn, const struct ast_node *target, enum dependence dependence);

// A local function stands for what it captures: a call of it reads that.
static void read_local(struct turn *turn, int local, struct span span)
{
    const struct ast_node *function = turn->function->functions[local];
    struct turn_variable *variable = &turn->variables[local];
    if (function && !variable->reads++) {
        for (size_t i = 0; i < function->function.capture_count; i++)
            read_local(turn, function->function.captures[i], span);
        return;
    }
    variable->reads++;
    if (!turn->is_set[local] && !variable->is_exposed) {
        variable->is_exposed = true;
        variable->read_span = span;
    }
}

static const struct ast_node *base_of(const struct ast_node *node)
{
    while (node->kind == AST_SUBSCRIPT || node->kind == AST_ATTRIBUTE)
        node = node->kind == AST_SUBSCRIPT ? node->subscript.value
                                           : node->attribute.value;
    return node;
}

// By the variable that the array is in: that two names are of one array is not seen.
static void note_access(
        struct turn *turn, const struct ast_node *node, bool is_store, bool is_augmented)
{
    const struct ast_node *base = base_of(node);
    if (base->kind != AST_LOCAL)
        return;
    vec_push(&turn->accesses, ((struct turn_access){.array = base->local,
                                      .place = node,
                                      .span = node->span,
                                      .is_store = is_store,
                                      .is_augmented = is_augmented}));
}

static const char *const changing_methods[] = {"append", "extend", "insert", "pop",
        "remove", "clear", "add", "discard", "update", "setdefault", "popitem", "sort",
        "reverse", "fill"};

// A method that changes an object all turns share.
static void check_method(struct turn *turn, const struct ast_node *node)
{
    const struct ast_node *function = node->call.function;
    if (function->kind != AST_ATTRIBUTE || function->attribute.value->kind != AST_LOCAL)
        return;
    for (size_t i = 0; i < sizeof changing_methods / sizeof *changing_methods; i++)
        if (!strcmp(changing_methods[i], function->attribute.name))
            note_access(turn, function, true, true);
}

static void read_function(struct turn *turn, const struct ast_node *node)
{
    read_list(turn, &node->function.defaults);
    for (size_t i = 0; i < node->function.defaults.len; i++)
        write_local(turn, node->function.default_locals[i], node->span, TURN_ANY);
    for (size_t i = 0; i < node->function.capture_count; i++)
        read_local(turn, node->function.captures[i], node->span);
}

static void check_body(struct turn *turn, const struct ast_list *body);

static void read_comprehension(struct turn *turn, const struct ast_node *node)
{
    read_node(turn, node->comprehension.start);
    write_local(turn, node->comprehension.local, node->span, TURN_ANY);
    turn->depth++;
    check_body(turn, &node->comprehension.loop);
    turn->depth--;
}

// In the order in which they are computed; what is left out is NULL.
static void read_parts(struct turn *turn, const struct ast_node *first,
        const struct ast_node *second, const struct ast_node *third)
{
    read_node(turn, first);
    read_node(turn, second);
    read_node(turn, third);
}

static void read_node(struct turn *turn, const struct ast_node *node)
{
    if (!node)
        return;
    switch (node->kind) {
    case AST_CONSTANT:
        break;
    case AST_LOCAL:
        read_local(turn, node->local, node->span);
        break;
    case AST_ATTRIBUTE:
        read_node(turn, node->attribute.value);
        break;
    case AST_SUBSCRIPT:
        note_access(turn, node, false, false);
        read_node(turn, node->subscript.value);
        read_node(turn, node->subscript.index);
        break;
    case AST_SLICE:
        read_parts(turn, node->slice.start, node->slice.stop, node->slice.step);
        break;
    case AST_TUPLE:
    case AST_LIST:
    case AST_SET:
    case AST_DICT:
    case AST_AND:
    case AST_OR:
        read_list(turn, &node->items);
        break;
    case AST_UNARY:
        read_node(turn, node->unary.operand);
        break;
    case AST_BINARY:
        read_node(turn, node->binary.left);
        read_node(turn, node->binary.right);
        break;
    case AST_COMPARE:
        read_list(turn, &node->compare.items);
        break;
    case AST_CONDITIONAL:
        read_parts(turn, node->conditional.test, node->conditional.then,
                node->conditional.otherwise);
        break;
    case AST_CALL:
        check_method(turn, node);
        read_node(turn, node->call.function);
        read_list(turn, &node->call.args);
        break;
    case AST_STARRED:
        read_node(turn, node->value);
        break;
    case AST_NAMED:
        read_node(turn, node->named.value);
        write_local(turn, node->named.target->local, node->span, TURN_ANY);
        break;
    case AST_CAPTURE:
        read_node(turn, node->named.value);
        write_target(turn, node->named.target, parallel_depends(turn, node->named.value));
        break;
    case AST_FUNCTION:
        read_function(turn, node);
        break;
    case AST_MISSING:
        break;
    case AST_COMPREHENSION:
        read_comprehension(turn, node);
        break;
    default:
        parallel_refuse(turn, node->span, false,
                "it holds an expression that is not looked into");
    }
}

// --- Reductions

static enum parallel_operator reduction_of(enum ir_binary op)
{
    switch (op) {
    case BINARY_ADD:
    case BINARY_SUB:
        return REDUCE_ADD;
    case BINARY_MUL:
    case BINARY_TRUEDIV:
        return REDUCE_MUL;
    case BINARY_AND:
        return REDUCE_AND;
    case BINARY_OR:
        return REDUCE_OR;
    case BINARY_XOR:
        return REDUCE_XOR;
    default:
        return REDUCE_MIXED;
    }
}

static bool is_extreme(const struct ast_node *function)
{
    static const char *const names[] = {"builtins.max", "builtins.min", "numpy.maximum",
            "numpy.minimum", "numpy.fmax", "numpy.fmin"};
    if (function->kind != AST_CONSTANT || function->constant.value.type != type_function)
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(function->constant.value.name, names[i]))
            return true;
    return false;
}

static void note_reduction(struct turn *turn, int local, enum parallel_operator kind,
        const struct ast_node *call, struct span span)
{
    struct turn_variable *variable = &turn->variables[local];
    bool is_same = !variable->writes ||
                   (variable->kind == kind &&
                           (!call || !strcmp(call->constant.value.name,
                                             variable->call->constant.value.name)));
    variable->kind = is_same ? kind : REDUCE_MIXED;
    variable->call = call;
    variable->writes++;
    variable->dependence = TURN_ANY;
    variable->write_span = span;
}

// x = x + e, x = e * x, x = max(x, e): reads the rest, if it is one.
// A difference or quotient may have x on its left only. Once a turn has set x, `x += e`
// is about the turn's own x.
static bool check_reduction(
        struct turn *turn, int local, const struct ast_node *value, struct span span)
{
    const struct ast_node *pair[2], *call = NULL;
    enum parallel_operator kind = REDUCE_CALL;
    bool is_symmetric = true;
    if (value->kind == AST_BINARY) {
        kind = reduction_of(value->binary.op);
        is_symmetric =
                value->binary.op != BINARY_SUB && value->binary.op != BINARY_TRUEDIV;
        pair[0] = value->binary.left;
        pair[1] = value->binary.right;
    } else if (value->kind == AST_CALL && value->call.args.len == 2 &&
               !value->call.keyword_count && is_extreme(value->call.function)) {
        call = value->call.function;
        pair[0] = value->call.args.items[0];
        pair[1] = value->call.args.items[1];
    } else {
        return false;
    }
    bool is_left = parallel_is_local(pair[0], local);
    if (kind == REDUCE_MIXED || turn->is_set[local] ||
            (!is_left && !(is_symmetric && parallel_is_local(pair[1], local))))
        return false;
    read_node(turn, pair[is_left ? 1 : 0]);
    note_reduction(turn, local, kind, call, span);
    return true;
}

// --- Statements

static void write_local(
        struct turn *turn, int local, struct span span, enum dependence dependence)
{
    struct turn_variable *variable = &turn->variables[local];
    variable->writes++;
    variable->plain_writes++;
    variable->write_span = span;
    if (dependence > variable->dependence || variable->plain_writes == 1)
        variable->dependence =
                dependence > variable->dependence ? dependence : variable->dependence;
    turn->is_set[local] = true;
}

static void write_target(
        struct turn *turn, const struct ast_node *target, enum dependence dependence)
{
    switch (target->kind) {
    case AST_LOCAL:
        write_local(turn, target->local, target->span, dependence);
        break;
    case AST_STARRED:
        write_target(turn, target->value, TURN_ANY);
        break;
    case AST_TUPLE:
    case AST_LIST:
        for (size_t i = 0; i < target->items.len; i++)
            write_target(turn, target->items.items[i],
                    dependence == TURN_SAME ? TURN_SAME : TURN_ANY);
        break;
    case AST_SUBSCRIPT:
        read_node(turn, target->subscript.value);
        read_node(turn, target->subscript.index);
        note_access(turn, target, true, false);
        break;
    default:
        read_node(turn, target->attribute.value);
        note_access(turn, target, true, false);
    }
}

static bool *copy_set(struct turn *turn)
{
    return arena_copy(
            turn->arena, turn->is_set, turn->function->local_count * sizeof(bool));
}

// Set behind the `if` is only what both sides set.
static void check_branches(
        struct turn *turn, const struct ast_list *then, const struct ast_list *otherwise)
{
    bool *before = copy_set(turn);
    check_body(turn, then);
    bool *after = turn->is_set;
    turn->is_set = before;
    check_body(turn, otherwise);
    for (size_t i = 0; i < turn->function->local_count; i++)
        turn->is_set[i] = turn->is_set[i] && after[i];
}

// What a loop inside sets, it may not set at all.
static void check_loop(struct turn *turn, const struct ast_node *node)
{
    bool is_for = node->kind == AST_FOR;
    read_node(turn, node->block.test);
    bool *before = copy_set(turn);
    if (is_for)
        write_target(
                turn, node->block.target, parallel_loop_depends(turn, node->block.test));
    turn->depth++;
    check_body(turn, &node->block.body);
    turn->depth--;
    turn->is_set = before;
    check_body(turn, &node->block.orelse);
}

// A handler may begin anywhere in the body: what the body sets is not counted on in it.
static void check_try(struct turn *turn, const struct ast_node *node)
{
    bool *before = copy_set(turn);
    turn->plan->minds_errors = true;
    check_body(turn, &node->attempt.body);
    check_body(turn, &node->attempt.orelse);
    turn->is_set = before;
    for (size_t i = 0; i < node->attempt.handlers.len; i++) {
        const struct ast_node *handler = node->attempt.handlers.items[i];
        bool *inside = copy_set(turn);
        if (handler->handler.local >= 0)
            write_local(turn, handler->handler.local, handler->span, TURN_ANY);
        check_body(turn, &handler->handler.body);
        turn->is_set = inside;
    }
    check_body(turn, &node->attempt.finally);
}

static void check_assign(struct turn *turn, const struct ast_node *node)
{
    const struct ast_node *first = node->assign.targets.items[0];
    if (node->assign.targets.len == 1 && first->kind == AST_LOCAL &&
            check_reduction(turn, first->local, node->assign.value, node->span))
        return;
    read_node(turn, node->assign.value);
    for (size_t i = 0; i < node->assign.targets.len; i++)
        write_target(turn, node->assign.targets.items[i],
                parallel_depends(turn, node->assign.value));
}

static void check_augmented(struct turn *turn, const struct ast_node *node)
{
    const struct ast_node *target = node->binary.left;
    read_node(turn, node->binary.right);
    if (target->kind != AST_LOCAL) {
        read_node(turn, target->kind == AST_SUBSCRIPT ? target->subscript.value
                                                      : target->attribute.value);
        if (target->kind == AST_SUBSCRIPT)
            read_node(turn, target->subscript.index);
        note_access(turn, target, true, true);
        return;
    }
    enum parallel_operator kind = reduction_of(node->binary.op);
    if (kind != REDUCE_MIXED && !turn->is_set[target->local]) {
        note_reduction(turn, target->local, kind, NULL, node->span);
        return;
    }
    read_local(turn, target->local, node->span);
    write_local(turn, target->local, node->span, TURN_ANY);
}

static void check_statement(struct turn *turn, const struct ast_node *node)
{
    switch (node->kind) {
    case AST_EXPRESSION:
        read_node(turn, node->value);
        break;
    case AST_ASSIGN:
        check_assign(turn, node);
        break;
    case AST_AUGMENTED:
        check_augmented(turn, node);
        break;
    case AST_IF:
        read_node(turn, node->block.test);
        check_branches(turn, &node->block.body, &node->block.orelse);
        break;
    case AST_WHILE:
    case AST_FOR:
        check_loop(turn, node);
        break;
    case AST_TRY:
        check_try(turn, node);
        break;
    case AST_BREAK:
        if (!turn->depth)
            parallel_refuse(turn, node->span, false, "'break' ends it early");
        break;
    case AST_CONTINUE:
    case AST_PASS:
        break;
    case AST_RAISE:
        turn->plan->minds_errors = true;
        read_node(turn, node->raise.exception);
        read_node(turn, node->raise.cause);
        break;
    case AST_ASSERT:
        turn->plan->minds_errors = true;
        read_node(turn, node->check.test);
        read_node(turn, node->check.message);
        break;
    case AST_DEFINE:
        read_list(turn, &node->define.function->function.defaults);
        write_local(turn, node->define.local, node->span, TURN_ANY);
        break;
    case AST_OBJMODE:
        for (size_t i = 0; i < node->objmode.input_count; i++)
            read_local(turn, node->objmode.inputs[i], node->span);
        for (size_t i = 0; i < node->objmode.output_count; i++)
            write_local(turn, node->objmode.outputs[i], node->span, TURN_ANY);
        break;
    case AST_RETURN:
        parallel_refuse(turn, node->span, false, "'return' ends it early");
        break;
    default:
        parallel_refuse(
                turn, node->span, false, "it holds a statement that is not looked into");
    }
}

static void check_body(struct turn *turn, const struct ast_list *body)
{
    for (size_t i = 0; i < body->len; i++)
        check_statement(turn, body->items[i]);
}

void parallel_analyse(const struct ast_function *function, const struct ast_node *loop,
        struct arena *arena, struct parallel_plan *plan)
{
    size_t count = function->local_count;
    *plan = (struct parallel_plan){0};
    plan->variables = arena_array(arena, struct parallel_variable, count + 1);
    struct turn turn = {.function = function, .arena = arena, .plan = plan};
    turn.target = loop->block.target->kind == AST_LOCAL ? loop->block.target->local : -1;
    turn.variables = arena_array(arena, struct turn_variable, count + 1);
    // twice: what a turn depends on may be set further down
    for (int round = 0; round < 2; round++) {
        turn.is_set = arena_array(arena, bool, count + 1);
        for (size_t i = 0; i < count; i++) {
            enum dependence dependence = turn.variables[i].dependence;
            turn.variables[i] = (struct turn_variable){.dependence = dependence};
        }
        turn.accesses.len = 0;
        if (loop->block.target->kind != AST_LOCAL)
            parallel_refuse(&turn, loop->span, false, "its variable is no plain name");
        write_target(&turn, loop->block.target, TURN_MOVING);
        check_body(&turn, &loop->block.body);
    }
    if (loop->block.orelse.len)
        parallel_refuse(&turn, loop->span, false, "it has an 'else'");
    parallel_conclude(&turn);
    vec_finish(&turn.accesses);
}

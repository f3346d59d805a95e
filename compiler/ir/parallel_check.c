// SPDX-License-Identifier: MIT
// Walks the body of a prange loop, turn by turn as it were: which variables a turn reads
// before it sets them, what it writes to where, and how that depends on the turn.
#include "compiler/ir/parallel.h"

#include <string.h>

// How a value depends on the loop's own variable.
enum dependence {
    SAME,   // not: the same in each turn
    MOVING, // differs in each turn: i, i + 1, 2 * i
    ANY,    // may be equal in different turns: i % 2, a[i]
};

struct variable {
    int writes, plain_writes, reads; // reads other than those of a reduction
    bool is_exposed;                 // read before the turn has set it
    enum dependence dependence;
    enum parallel_operator kind;
    const struct ast_node *call;
    struct span write_span, read_span;
};

struct access {
    int array; // local
    const struct ast_node *index;
    struct span span;
    bool is_store, is_augmented;
};

struct check {
    const struct ast_function *function;
    struct arena *arena;
    struct variable *variables;
    bool *is_set; // by local, in this turn so far
    int depth;    // of loops inside this one
    VEC(struct access) accesses;
    struct parallel_plan *plan;
};

static void refuse(struct check *c, struct span span, bool is_race, const char *reason)
{
    if (c->plan->reason)
        return;
    c->plan->reason = reason;
    c->plan->reason_span = span;
    c->plan->is_race = is_race;
}

// --- Expressions

static void read_node(struct check *c, const struct ast_node *node);

static void read_list(struct check *c, const struct ast_list *list)
{
    for (size_t i = 0; i < list->len; i++)
        read_node(c, list->items[i]);
}

static void write_local(
        struct check *c, int local, struct span span, enum dependence dependence);
static void write_target(
        struct check *c, const struct ast_node *target, enum dependence dependence);

static void read_local(struct check *c, int local, struct span span)
{
    const struct ast_node *function = c->function->functions[local];
    struct variable *variable = &c->variables[local];
    if (function && !variable->reads++) {
        for (size_t i = 0; i < function->function.capture_count; i++)
            read_local(c, function->function.captures[i], span);
        return;
    }
    variable->reads++;
    if (!c->is_set[local] && !variable->is_exposed) {
        variable->is_exposed = true;
        variable->read_span = span;
    }
}

static enum dependence depends(const struct check *c, const struct ast_node *node)
{
    enum dependence left, right;
    switch (node->kind) {
    case AST_CONSTANT:
        return SAME;
    case AST_LOCAL:
        return c->variables[node->local].dependence;
    case AST_UNARY:
        left = depends(c, node->unary.operand);
        return left == MOVING && node->unary.op != UNARY_NEGATIVE ? ANY : left;
    case AST_BINARY:
        left = depends(c, node->binary.left);
        right = depends(c, node->binary.right);
        if (left == SAME && right == SAME)
            return SAME;
        if (left == ANY || right == ANY || (left == MOVING && right == MOVING))
            return ANY;
        if (node->binary.op == BINARY_ADD || node->binary.op == BINARY_SUB)
            return MOVING;
        return node->binary.op == BINARY_MUL ? MOVING : ANY;
    case AST_TUPLE:
        left = SAME;
        for (size_t i = 0; i < node->items.len; i++) {
            right = depends(c, node->items.items[i]);
            if (right == MOVING)
                return MOVING;
            left = right > left ? right : left;
        }
        return left;
    case AST_SLICE: // a[i:i + 1] moves with its start
        return node->slice.start ? depends(c, node->slice.start) : SAME;
    default:
        return ANY;
    }
}

static const struct ast_node *base_of(const struct ast_node *node)
{
    while (node->kind == AST_SUBSCRIPT || node->kind == AST_ATTRIBUTE)
        node = node->kind == AST_SUBSCRIPT ? node->subscript.value
                                           : node->attribute.value;
    return node;
}

static void note_access(
        struct check *c, const struct ast_node *node, bool is_store, bool is_augmented)
{
    const struct ast_node *base = base_of(node);
    if (base->kind != AST_LOCAL)
        return;
    vec_push(&c->accesses,
            ((struct access){.array = base->local,
                    .index = node->kind == AST_SUBSCRIPT ? node->subscript.index : NULL,
                    .span = node->span,
                    .is_store = is_store,
                    .is_augmented = is_augmented}));
}

static const char *const changing_methods[] = {"append", "extend", "insert", "pop",
        "remove", "clear", "add", "discard", "update", "setdefault", "popitem", "sort",
        "reverse", "fill"};

// A method that changes an object all turns share.
static void check_method(struct check *c, const struct ast_node *node)
{
    const struct ast_node *function = node->call.function;
    if (function->kind != AST_ATTRIBUTE || function->attribute.value->kind != AST_LOCAL)
        return;
    for (size_t i = 0; i < sizeof changing_methods / sizeof *changing_methods; i++)
        if (!strcmp(changing_methods[i], function->attribute.name))
            note_access(c, function, true, true);
}

static void read_function(struct check *c, const struct ast_node *node)
{
    read_list(c, &node->function.defaults);
    for (size_t i = 0; i < node->function.defaults.len; i++)
        write_local(c, node->function.default_locals[i], node->span, ANY);
    for (size_t i = 0; i < node->function.capture_count; i++)
        read_local(c, node->function.captures[i], node->span);
}

static void check_body(struct check *c, const struct ast_list *body);

static void read_comprehension(struct check *c, const struct ast_node *node)
{
    read_node(c, node->comprehension.start);
    write_local(c, node->comprehension.local, node->span, ANY);
    c->depth++;
    check_body(c, &node->comprehension.loop);
    c->depth--;
}

static void read_node(struct check *c, const struct ast_node *node)
{
    if (!node)
        return;
    switch (node->kind) {
    case AST_CONSTANT:
        break;
    case AST_LOCAL:
        read_local(c, node->local, node->span);
        break;
    case AST_ATTRIBUTE:
        read_node(c, node->attribute.value);
        break;
    case AST_SUBSCRIPT:
        note_access(c, node, false, false);
        read_node(c, node->subscript.value);
        read_node(c, node->subscript.index);
        break;
    case AST_SLICE:
        read_node(c, node->slice.start);
        read_node(c, node->slice.stop);
        read_node(c, node->slice.step);
        break;
    case AST_TUPLE:
    case AST_LIST:
    case AST_SET:
    case AST_DICT:
    case AST_AND:
    case AST_OR:
        read_list(c, &node->items);
        break;
    case AST_UNARY:
        read_node(c, node->unary.operand);
        break;
    case AST_BINARY:
        read_node(c, node->binary.left);
        read_node(c, node->binary.right);
        break;
    case AST_COMPARE:
        read_list(c, &node->compare.items);
        break;
    case AST_CONDITIONAL:
        read_node(c, node->conditional.test);
        read_node(c, node->conditional.then);
        read_node(c, node->conditional.otherwise);
        break;
    case AST_CALL:
        check_method(c, node);
        read_node(c, node->call.function);
        read_list(c, &node->call.args);
        break;
    case AST_STARRED:
        read_node(c, node->value);
        break;
    case AST_NAMED:
        read_node(c, node->named.value);
        write_local(c, node->named.target->local, node->span, ANY);
        break;
    case AST_CAPTURE:
        read_node(c, node->named.value);
        write_target(c, node->named.target, depends(c, node->named.value));
        break;
    case AST_FUNCTION:
        read_function(c, node);
        break;
    case AST_COMPREHENSION:
        read_comprehension(c, node);
        break;
    default:
        refuse(c, node->span, false, "it holds an expression that is not looked into");
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

static bool is_local(const struct ast_node *node, int local)
{
    return node->kind == AST_LOCAL && node->local == local;
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

static void note_reduction(struct check *c, int local, enum parallel_operator kind,
        const struct ast_node *call, struct span span)
{
    struct variable *variable = &c->variables[local];
    bool is_same = !variable->writes ||
                   (variable->kind == kind &&
                           (!call || !strcmp(call->constant.value.name,
                                             variable->call->constant.value.name)));
    variable->kind = is_same ? kind : REDUCE_MIXED;
    variable->call = call;
    variable->writes++;
    variable->dependence = ANY;
    variable->write_span = span;
}

// x = x + e, x = e * x, x = max(x, e): reads the rest, if it is one.
static bool check_reduction(
        struct check *c, int local, const struct ast_node *value, struct span span)
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
    bool is_left = is_local(pair[0], local);
    if (kind == REDUCE_MIXED || c->is_set[local] ||
            (!is_left && !(is_symmetric && is_local(pair[1], local))))
        return false;
    read_node(c, pair[is_left ? 1 : 0]);
    note_reduction(c, local, kind, call, span);
    return true;
}

// --- Statements

static void write_local(
        struct check *c, int local, struct span span, enum dependence dependence)
{
    struct variable *variable = &c->variables[local];
    variable->writes++;
    variable->plain_writes++;
    variable->write_span = span;
    if (dependence > variable->dependence || variable->plain_writes == 1)
        variable->dependence =
                dependence > variable->dependence ? dependence : variable->dependence;
    c->is_set[local] = true;
}

static void write_target(
        struct check *c, const struct ast_node *target, enum dependence dependence)
{
    switch (target->kind) {
    case AST_LOCAL:
        write_local(c, target->local, target->span, dependence);
        break;
    case AST_STARRED:
        write_target(c, target->value, ANY);
        break;
    case AST_TUPLE:
    case AST_LIST:
        for (size_t i = 0; i < target->items.len; i++)
            write_target(c, target->items.items[i], dependence == SAME ? SAME : ANY);
        break;
    case AST_SUBSCRIPT:
        read_node(c, target->subscript.value);
        read_node(c, target->subscript.index);
        note_access(c, target, true, false);
        break;
    default:
        read_node(c, target->attribute.value);
        note_access(c, target, true, false);
    }
}

static bool *copy_set(struct check *c)
{
    return arena_copy(c->arena, c->is_set, c->function->local_count * sizeof(bool));
}

static void check_branches(
        struct check *c, const struct ast_list *then, const struct ast_list *otherwise)
{
    bool *before = copy_set(c);
    check_body(c, then);
    bool *after = c->is_set;
    c->is_set = before;
    check_body(c, otherwise);
    for (size_t i = 0; i < c->function->local_count; i++)
        c->is_set[i] = c->is_set[i] && after[i];
}

// What a loop inside sets, it may not set at all.
static void check_loop(struct check *c, const struct ast_node *node)
{
    bool is_for = node->kind == AST_FOR;
    read_node(c, node->block.test);
    bool *before = copy_set(c);
    if (is_for) // over range(i) and such it runs through the same numbers in each turn
        write_target(c, node->block.target,
                depends(c, node->block.test) == SAME || node->block.test->kind == AST_CALL
                        ? SAME
                        : ANY);
    c->depth++;
    check_body(c, &node->block.body);
    c->depth--;
    c->is_set = before;
    check_body(c, &node->block.orelse);
}

static void check_try(struct check *c, const struct ast_node *node)
{
    bool *before = copy_set(c);
    check_body(c, &node->attempt.body);
    check_body(c, &node->attempt.orelse);
    c->is_set = before;
    for (size_t i = 0; i < node->attempt.handlers.len; i++) {
        const struct ast_node *handler = node->attempt.handlers.items[i];
        bool *inside = copy_set(c);
        if (handler->handler.local >= 0)
            write_local(c, handler->handler.local, handler->span, ANY);
        check_body(c, &handler->handler.body);
        c->is_set = inside;
    }
    check_body(c, &node->attempt.finally);
}

static void check_assign(struct check *c, const struct ast_node *node)
{
    const struct ast_node *first = node->assign.targets.items[0];
    if (node->assign.targets.len == 1 && first->kind == AST_LOCAL &&
            check_reduction(c, first->local, node->assign.value, node->span))
        return;
    read_node(c, node->assign.value);
    for (size_t i = 0; i < node->assign.targets.len; i++)
        write_target(c, node->assign.targets.items[i], depends(c, node->assign.value));
}

static void check_augmented(struct check *c, const struct ast_node *node)
{
    const struct ast_node *target = node->binary.left;
    read_node(c, node->binary.right);
    if (target->kind != AST_LOCAL) {
        read_node(c, target->kind == AST_SUBSCRIPT ? target->subscript.value
                                                   : target->attribute.value);
        if (target->kind == AST_SUBSCRIPT)
            read_node(c, target->subscript.index);
        note_access(c, target, true, true);
        return;
    }
    enum parallel_operator kind = reduction_of(node->binary.op);
    if (kind != REDUCE_MIXED && !c->is_set[target->local]) {
        note_reduction(c, target->local, kind, NULL, node->span);
        return;
    }
    read_local(c, target->local, node->span);
    write_local(c, target->local, node->span, ANY);
}

static void check_statement(struct check *c, const struct ast_node *node)
{
    switch (node->kind) {
    case AST_EXPRESSION:
        read_node(c, node->value);
        break;
    case AST_ASSIGN:
        check_assign(c, node);
        break;
    case AST_AUGMENTED:
        check_augmented(c, node);
        break;
    case AST_IF:
        read_node(c, node->block.test);
        check_branches(c, &node->block.body, &node->block.orelse);
        break;
    case AST_WHILE:
    case AST_FOR:
        check_loop(c, node);
        break;
    case AST_TRY:
        check_try(c, node);
        break;
    case AST_BREAK:
        if (!c->depth)
            refuse(c, node->span, false, "'break' ends it early");
        break;
    case AST_CONTINUE:
    case AST_PASS:
        break;
    case AST_RAISE:
        read_node(c, node->value);
        break;
    case AST_ASSERT:
        read_node(c, node->check.test);
        read_node(c, node->check.message);
        break;
    case AST_DEFINE:
        read_list(c, &node->define.function->function.defaults);
        write_local(c, node->define.local, node->span, ANY);
        break;
    case AST_OBJMODE:
        for (size_t i = 0; i < node->objmode.input_count; i++)
            read_local(c, node->objmode.inputs[i], node->span);
        for (size_t i = 0; i < node->objmode.output_count; i++)
            write_local(c, node->objmode.outputs[i], node->span, ANY);
        break;
    case AST_RETURN:
        refuse(c, node->span, false, "'return' ends it early");
        break;
    default:
        refuse(c, node->span, false, "it holds a statement that is not looked into");
    }
}

static void check_body(struct check *c, const struct ast_list *body)
{
    for (size_t i = 0; i < body->len; i++)
        check_statement(c, body->items[i]);
}

// --- What comes of it

static const char *local_name(const struct check *c, int local)
{
    return c->function->locals[local];
}

// The constant c of `i + c` or `i - c` for the loop's variable; false for other indices.
static bool offset_of(const struct ast_node *index, int local, int64_t *offset)
{
    *offset = 0;
    if (is_local(index, local))
        return true;
    if (index->kind != AST_BINARY || !is_local(index->binary.left, local) ||
            index->binary.right->kind != AST_CONSTANT ||
            index->binary.right->constant.value.type != type_int64)
        return false;
    int64_t number = index->binary.right->constant.value.integer;
    *offset = index->binary.op == BINARY_SUB ? -number : number;
    return index->binary.op == BINARY_ADD || index->binary.op == BINARY_SUB;
}

// a[i] = ... a[i - 1] ...: a turn needs what another one writes.
static void check_neighbours(struct check *c, const struct access *store, int target)
{
    int64_t stored, loaded;
    if (target < 0 || !store->index || !offset_of(store->index, target, &stored))
        return;
    vec_each (access, &c->accesses)
        if (!access->is_store && access->array == store->array && access->index &&
                offset_of(access->index, target, &loaded) && loaded != stored)
            refuse(c, access->span, true,
                    arena_printf(c->arena,
                            "a turn reads an element of '%s' that another turn writes",
                            local_name(c, store->array)));
}

static void check_stores(struct check *c, int target)
{
    vec_each (store, &c->accesses) {
        const struct variable *array = &c->variables[store->array];
        if (!store->is_store || (array->plain_writes && !array->is_exposed))
            continue;
        enum dependence dependence = store->index ? depends(c, store->index) : SAME;
        if (dependence == SAME || (dependence == ANY && store->is_augmented))
            refuse(c, store->span, true,
                    arena_printf(c->arena,
                            "several turns may write to '%s' in the same place",
                            local_name(c, store->array)));
        check_neighbours(c, store, target);
    }
}

static enum parallel_role role_of(const struct check *c, int local)
{
    const struct variable *variable = &c->variables[local];
    if (!variable->writes)
        return variable->reads ? PARALLEL_READ : PARALLEL_UNUSED;
    if (variable->kind != REDUCE_NONE && variable->kind != REDUCE_MIXED &&
            !variable->plain_writes && !variable->reads)
        return PARALLEL_REDUCTION;
    if (variable->is_exposed || variable->kind != REDUCE_NONE)
        return PARALLEL_CARRIED;
    return c->is_set[local] ? PARALLEL_LAST : PARALLEL_PRIVATE;
}

static void conclude(struct check *c, const struct ast_node *loop)
{
    const struct ast_node *target = loop->block.target;
    for (size_t i = 0; i < c->function->local_count; i++) {
        const struct variable *variable = &c->variables[i];
        struct parallel_variable *out = &c->plan->variables[i];
        *out = (struct parallel_variable){.role = role_of(c, (int)i),
                .kind = variable->kind,
                .call = variable->call,
                .span = variable->write_span};
        if (out->role == PARALLEL_CARRIED)
            refuse(c, variable->write_span, true,
                    arena_printf(c->arena,
                            "a turn reads the value of '%s' that an earlier turn wrote, "
                            "and this is no reduction such as %s += ...",
                            local_name(c, (int)i), local_name(c, (int)i)));
    }
    check_stores(c, target->kind == AST_LOCAL ? target->local : -1);
}

void parallel_analyse(const struct ast_function *function, const struct ast_node *loop,
        struct arena *arena, struct parallel_plan *plan)
{
    size_t count = function->local_count;
    *plan = (struct parallel_plan){0};
    plan->variables = arena_array(arena, struct parallel_variable, count + 1);
    struct check c = {.function = function, .arena = arena, .plan = plan};
    c.variables = arena_array(arena, struct variable, count + 1);
    // twice: what a turn depends on may be set further down
    for (int round = 0; round < 2; round++) {
        c.is_set = arena_array(arena, bool, count + 1);
        for (size_t i = 0; i < count; i++) {
            enum dependence dependence = c.variables[i].dependence;
            c.variables[i] = (struct variable){.dependence = dependence};
        }
        c.accesses.len = 0;
        if (loop->block.target->kind != AST_LOCAL)
            refuse(&c, loop->span, false, "its variable is no plain name");
        write_target(&c, loop->block.target, MOVING);
        check_body(&c, &loop->block.body);
    }
    if (loop->block.orelse.len)
        refuse(&c, loop->span, false, "it has an 'else'");
    conclude(&c, loop);
    vec_finish(&c.accesses);
}

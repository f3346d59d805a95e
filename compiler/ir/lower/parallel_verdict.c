// SPDX-License-Identifier: MIT
// Whether the turns of a prange loop may run at the same time, from what was noted of
// one: the role of each variable, and stores that meet.
#include "compiler/ir/lower/parallel_turn.h"

#include <string.h>

void parallel_refuse(
        struct turn *turn, struct span span, bool is_race, const char *reason)
{
    if (turn->plan->reason)
        return;
    turn->plan->reason = reason;
    turn->plan->reason_span = span;
    turn->plan->is_race = is_race;
}

// MOVING is what makes two turns write to different places. Sums and products with what
// is the same in each turn keep that (2 * i), but not of two that move (i - i).
enum dependence parallel_depends(const struct turn *turn, const struct ast_node *node)
{
    enum dependence left, right;
    switch (node->kind) {
    case AST_CONSTANT:
        return TURN_SAME;
    case AST_LOCAL:
        return turn->variables[node->local].dependence;
    case AST_UNARY:
        left = parallel_depends(turn, node->unary.operand);
        return left == TURN_MOVING && node->unary.op != UNARY_NEGATIVE ? TURN_ANY : left;
    case AST_BINARY:
        left = parallel_depends(turn, node->binary.left);
        right = parallel_depends(turn, node->binary.right);
        if (left == TURN_SAME && right == TURN_SAME)
            return TURN_SAME;
        if (left == TURN_ANY || right == TURN_ANY ||
                (left == TURN_MOVING && right == TURN_MOVING))
            return TURN_ANY;
        if (node->binary.op == BINARY_ADD || node->binary.op == BINARY_SUB)
            return TURN_MOVING;
        return node->binary.op == BINARY_MUL ? TURN_MOVING : TURN_ANY;
    case AST_TUPLE:
        left = TURN_SAME;
        for (size_t i = 0; i < node->items.len; i++) {
            right = parallel_depends(turn, node->items.items[i]);
            if (right == TURN_MOVING)
                return TURN_MOVING;
            left = right > left ? right : left;
        }
        return left;
    case AST_SLICE: // a[i:i + 1] moves with its start
        return node->slice.start ? parallel_depends(turn, node->slice.start) : TURN_SAME;
    default:
        return TURN_ANY;
    }
}

bool parallel_is_local(const struct ast_node *node, int local)
{
    return node->kind == AST_LOCAL && node->local == local;
}

static const char *local_name(const struct turn *turn, int local)
{
    return turn->function->locals[local];
}

// The constant k of `i + k` or `i - k` for the loop's variable; false for other indices.
static bool offset_of(const struct ast_node *index, int local, int64_t *offset)
{
    *offset = 0;
    if (parallel_is_local(index, local))
        return true;
    if (index->kind != AST_BINARY || !parallel_is_local(index->binary.left, local) ||
            index->binary.right->kind != AST_CONSTANT ||
            index->binary.right->constant.value.type != type_int64)
        return false;
    int64_t number = index->binary.right->constant.value.integer;
    *offset = index->binary.op == BINARY_SUB ? -number : number;
    return index->binary.op == BINARY_ADD || index->binary.op == BINARY_SUB;
}

static bool is_range(const struct ast_node *node)
{
    const struct ast_node *function = node->call.function;
    return function->kind == AST_CONSTANT &&
           function->constant.value.type == type_function &&
           (!strcmp(function->constant.value.name, "builtins.range") ||
                   !strcmp(function->constant.value.name, "numba.prange"));
}

// How the number depends on the turn that a loop inside it counts with. From 0 to i, or
// from i to n, two turns meet. From p * n // parts to (p + 1) * n // parts, or from p in
// steps of parts, they need not: this is how a turn takes a part of its own.
enum dependence parallel_loop_depends(
        const struct turn *turn, const struct ast_node *iterable)
{
    if (iterable->kind != AST_CALL)
        return parallel_depends(turn, iterable) == TURN_SAME ? TURN_SAME : TURN_ANY;
    struct ast_node **args = iterable->call.args.items;
    size_t count = iterable->call.args.len;
    if (!is_range(iterable) || count < 2 || parallel_depends(turn, args[0]) == TURN_SAME)
        return TURN_SAME;
    int64_t begin, end;
    if (turn->target >= 0 && offset_of(args[0], turn->target, &begin) &&
            offset_of(args[1], turn->target, &end) && end - begin > 1)
        return TURN_SAME; // i to i + 3 meets what the next turn has
    bool is_cut = parallel_depends(turn, args[1]) != TURN_SAME ||
                  (count == 3 && args[2]->kind != AST_CONSTANT);
    return is_cut ? TURN_ANY : TURN_SAME;
}

// Which index tells the places of two turns apart, and how it depends on the turn: one
// that moves does, wherever it stands (a[i].x, a[i][0], a[0][i]).
static enum dependence place_depends(const struct turn *turn,
        const struct ast_node *place, const struct ast_node **index)
{
    enum dependence found = TURN_SAME;
    *index = NULL;
    while (found != TURN_MOVING &&
            (place->kind == AST_SUBSCRIPT || place->kind == AST_ATTRIBUTE)) {
        if (place->kind == AST_ATTRIBUTE) {
            place = place->attribute.value;
            continue;
        }
        enum dependence here = parallel_depends(turn, place->subscript.index);
        if (!*index || here == TURN_MOVING)
            *index = place->subscript.index;
        found = here > found || here == TURN_MOVING ? here : found;
        place = place->subscript.value;
    }
    return found;
}

static const struct ast_node *loaded_index(const struct turn_access *access)
{
    bool is_item = !access->is_store && access->place->kind == AST_SUBSCRIPT;
    return is_item ? access->place->subscript.index : NULL;
}

// a[i] = ... a[i - 1] ...: a turn needs what another one writes.
static void check_neighbours(struct turn *turn, const struct turn_access *store,
        const struct ast_node *index, int target)
{
    int64_t stored, loaded;
    if (target < 0 || !index || !offset_of(index, target, &stored))
        return;
    vec_each (access, &turn->accesses)
        if (access->array == store->array && loaded_index(access) &&
                offset_of(loaded_index(access), target, &loaded) && loaded != stored)
            parallel_refuse(turn, access->span, true,
                    arena_printf(turn->arena,
                            "a turn reads an element of '%s' that another turn writes",
                            local_name(turn, store->array)));
}

// An array that the turn made itself (written before it is read) is nobody else's.
static void check_stores(struct turn *turn)
{
    vec_each (store, &turn->accesses) {
        const struct turn_variable *array = &turn->variables[store->array];
        if (!store->is_store || (array->plain_writes && !array->is_exposed))
            continue;
        const struct ast_node *index;
        enum dependence dependence = place_depends(turn, store->place, &index);
        if (dependence == TURN_SAME || (dependence == TURN_ANY && store->is_augmented))
            parallel_refuse(turn, store->span, true,
                    arena_printf(turn->arena,
                            "several turns may write to '%s' in the same place",
                            local_name(turn, store->array)));
        check_neighbours(turn, store, index, turn->target);
    }
}

static void note_stores(struct turn *turn)
{
    vec_each (store, &turn->accesses) {
        struct parallel_variable *variable = &turn->plan->variables[store->array];
        bool is_of_it = store->is_store && store->place->kind == AST_SUBSCRIPT &&
                        parallel_is_local(store->place->subscript.value, store->array);
        if (!is_of_it || variable->has_stores)
            continue;
        variable->has_stores = true;
        variable->store_span = store->span;
    }
}

// The order is the meaning: a variable that is read before the turn has set it cannot be
// private, whatever else is done with it.
static enum parallel_role role_of(const struct turn *turn, int local)
{
    const struct turn_variable *variable = &turn->variables[local];
    if (!variable->writes)
        return variable->reads ? PARALLEL_READ : PARALLEL_UNUSED;
    if (variable->kind != REDUCE_NONE && variable->kind != REDUCE_MIXED &&
            !variable->plain_writes && !variable->reads)
        return PARALLEL_REDUCTION;
    if (variable->is_exposed || variable->kind != REDUCE_NONE)
        return PARALLEL_CARRIED;
    return turn->is_set[local] ? PARALLEL_LAST : PARALLEL_PRIVATE;
}

void parallel_conclude(struct turn *turn)
{
    for (size_t i = 0; i < turn->function->local_count; i++) {
        const struct turn_variable *variable = &turn->variables[i];
        struct parallel_variable *out = &turn->plan->variables[i];
        *out = (struct parallel_variable){.role = role_of(turn, (int)i),
                .kind = variable->kind,
                .call = variable->call,
                .span = variable->write_span};
        if (out->role == PARALLEL_CARRIED)
            parallel_refuse(turn, variable->write_span, true,
                    arena_printf(turn->arena,
                            "a turn reads the value of '%s' that an earlier turn wrote, "
                            "and this is no reduction such as %s += ...",
                            local_name(turn, (int)i), local_name(turn, (int)i)));
    }
    note_stores(turn);
    check_stores(turn);
}

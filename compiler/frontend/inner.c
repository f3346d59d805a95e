// SPDX-License-Identifier: MIT
// What the functions that one outer function holds share: inner functions that speak of
// one another get what all of them capture, and make each other from it; variables that
// an inner function assigns are kept in cells.
#include <string.h>

#include "compiler/frontend/ast.h"
#include "compiler/types/source.h"

// The local of an inner function that its capture `i` comes to.
static int capture_local(const struct ast_function *ast, size_t i)
{
    return ast->param_locals ? ast->param_locals[i] : (int)i;
}

// --- Functions that speak of one another

enum { MAX_DEFINITIONS = 64 };

struct definitions {
    struct source *source;
    struct ast_node *nodes[MAX_DEFINITIONS];
    int locals[MAX_DEFINITIONS];
    bool reaches[MAX_DEFINITIONS][MAX_DEFINITIONS];
    size_t count;
};

struct group {
    const struct definitions *all;
    bool is_in[MAX_DEFINITIONS];
    int *shared; // locals of the outer function that they capture
    size_t shared_count;
};

static int definition_of(const struct definitions *all, int local)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->locals[i] == local)
            return (int)i;
    return -1;
}

static void find_definitions(struct source *source, struct definitions *all)
{
    const struct ast_function *ast = source->ast;
    *all = (struct definitions){.source = source};
    for (size_t i = 0; i < ast->local_count && all->count < MAX_DEFINITIONS; i++)
        if (ast->functions[i]) {
            all->nodes[all->count] = (struct ast_node *)ast->functions[i];
            all->locals[all->count++] = (int)i;
        }
    for (size_t i = 0; i < all->count; i++)
        for (size_t k = 0; k < all->nodes[i]->function.capture_count; k++) {
            int other = definition_of(all, all->nodes[i]->function.captures[k]);
            if (other >= 0)
                all->reaches[i][other] = true;
        }
    for (size_t via = 0; via < all->count; via++)
        for (size_t from = 0; from < all->count; from++)
            for (size_t to = 0; all->reaches[from][via] && to < all->count; to++)
                all->reaches[from][to] |= all->reaches[via][to];
}

// An inner function that assigns variables of functions around it.
static bool assigns_outer(const struct ast_node *node)
{
    const struct ast_function *inner = node->function.inner->ast;
    for (size_t i = 0; inner && i < node->function.capture_count; i++)
        if (inner->cells[capture_local(inner, i)])
            return true;
    return false;
}

// Whether two share what they capture: they call each other, or one calls the other,
// which assigns variables that it shares.
static bool is_linked(const struct definitions *all, size_t a, size_t b)
{
    return (all->reaches[a][b] && all->reaches[b][a]) ||
           (all->reaches[a][b] && assigns_outer(all->nodes[b])) ||
           (all->reaches[b][a] && assigns_outer(all->nodes[a]));
}

// Puts into the group what is linked to its members, directly or through others.
static void gather_members(struct group *group, size_t first, bool *is_joined)
{
    size_t waiting[MAX_DEFINITIONS], count = 0;
    waiting[count++] = first;
    group->is_in[first] = is_joined[first] = true;
    while (count) {
        size_t member = waiting[--count];
        for (size_t k = 0; k < group->all->count; k++)
            if (!is_joined[k] && is_linked(group->all, member, k)) {
                group->is_in[k] = is_joined[k] = true;
                waiting[count++] = k;
            }
    }
}

static bool is_alone(const struct group *group, size_t member)
{
    for (size_t k = 0; k < group->all->count; k++)
        if (group->is_in[k] && k != member)
            return false;
    return !group->all->reaches[member][member];
}

static bool is_member(const struct group *group, int outer_local)
{
    int i = definition_of(group->all, outer_local);
    return i >= 0 && group->is_in[i];
}

static int shared_place(const struct group *group, int outer_local)
{
    return int_place(group->shared, group->shared_count, outer_local);
}

static void gather_shared(struct group *group)
{
    const struct definitions *all = group->all;
    size_t most = 0;
    for (size_t i = 0; i < all->count; i++)
        most += group->is_in[i] ? all->nodes[i]->function.capture_count : 0;
    group->shared = arena_array(&all->source->arena, int, most + 1);
    for (size_t i = 0; i < all->count; i++) {
        const struct ast_node *node = all->nodes[i];
        for (size_t k = 0; group->is_in[i] && k < node->function.capture_count; k++) {
            int local = node->function.captures[k];
            if (!is_member(group, local) && shared_place(group, local) < 0)
                group->shared[group->shared_count++] = local;
        }
    }
}

static int add_local(struct source *source, const char *name)
{
    struct ast_function *ast = source->ast;
    size_t count = ast->local_count;
    const char **locals = arena_array(&source->arena, const char *, count + 1);
    const struct ast_node **functions =
            arena_array(&source->arena, const struct ast_node *, count + 2);
    bool *cells = arena_array(&source->arena, bool, count + 2);
    memcpy(locals, ast->locals, count * sizeof *locals);
    memcpy(functions, ast->functions, count * sizeof *functions);
    memcpy(cells, ast->cells, count * sizeof *cells);
    locals[count] = arena_strdup(&source->arena, name);
    ast->locals = locals;
    ast->functions = functions;
    ast->cells = cells;
    ast->local_count++;
    return (int)count;
}

static int capture_of(const struct ast_node *node, int outer_local)
{
    for (size_t i = 0; i < node->function.capture_count; i++)
        if (node->function.captures[i] == outer_local)
            return (int)i;
    return -1;
}

// Where the shared locals are in a member.
static int *places_in(const struct group *group, const struct ast_node *node)
{
    struct source *inner = node->function.inner;
    int *places = arena_array(&inner->arena, int, group->shared_count + 1);
    for (size_t i = 0; i < group->shared_count; i++) {
        int capture = capture_of(node, group->shared[i]);
        places[i] = capture >= 0
                            ? capture_local(inner->ast, (size_t)capture)
                            : add_local(inner,
                                      group->all->source->ast->locals[group->shared[i]]);
    }
    return places;
}

static void add_made(struct source *source, struct ast_node *node)
{
    struct ast_function *ast = source->ast;
    struct ast_node **made =
            arena_array(&source->arena, struct ast_node *, ast->made_count + 1);
    memcpy(made, ast->made, ast->made_count * sizeof *made);
    made[ast->made_count++] = node;
    ast->made = made;
}

static void set_captures(
        const struct group *group, struct ast_node *node, const int *places)
{
    node->function.captures = places;
    node->function.capture_count = group->shared_count;
}

// In a member, the names of members mean functions that are made from what they share.
static void name_members(
        const struct group *group, const struct ast_node *node, const int *places)
{
    struct source *inner = node->function.inner;
    for (size_t i = 0; i < inner->ast->made_count; i++)
        if (inner->ast->made[i]->function.inner == inner)
            set_captures(group, inner->ast->made[i], places);
    for (size_t i = 0; i < group->all->count; i++) {
        int capture = group->is_in[i] ? capture_of(node, group->all->locals[i]) : -1;
        if (capture < 0)
            continue;
        struct ast_node *other = arena_new(&inner->arena, struct ast_node);
        other->kind = AST_FUNCTION;
        other->span = node->span;
        other->function.inner = group->all->nodes[i]->function.inner;
        set_captures(group, other, places);
        inner->ast->functions[capture_local(inner->ast, (size_t)capture)] = other;
        add_made(inner, other);
    }
}

static void set_params(
        const struct group *group, const struct ast_node *node, const int *places)
{
    struct source *inner = node->function.inner;
    size_t old = inner->capture_count, own = inner->param_count - old;
    size_t count = group->shared_count + own;
    struct source_param *params =
            arena_array(&inner->arena, struct source_param, count + 1);
    int *locals = arena_array(&inner->arena, int, count + 1);
    for (size_t i = 0; i < group->shared_count; i++) {
        params[i] = (struct source_param){.name = inner->ast->locals[places[i]]};
        locals[i] = places[i];
    }
    for (size_t i = 0; i < own; i++) {
        struct source_param *param = &params[group->shared_count + i];
        *param = inner->params[old + i];
        locals[group->shared_count + i] = capture_local(inner->ast, old + i);
        if (param->default_param)
            param->default_param =
                    1 + shared_place(
                                group, node->function.captures[param->default_param - 1]);
    }
    inner->params = params;
    inner->param_count = count;
    inner->capture_count = group->shared_count;
    inner->ast->param_locals = locals;
}

static void join_group(struct group *group)
{
    gather_shared(group);
    for (size_t i = 0; i < group->all->count; i++) {
        struct ast_node *node = group->all->nodes[i];
        if (!group->is_in[i])
            continue;
        int *places = places_in(group, node);
        name_members(group, node, places);
        set_params(group, node, places);
    }
    for (size_t i = 0; i < group->all->count; i++)
        if (group->is_in[i])
            set_captures(group, group->all->nodes[i], group->shared);
}

static void join_groups(struct source *source)
{
    struct definitions all;
    bool is_joined[MAX_DEFINITIONS] = {false};
    find_definitions(source, &all);
    for (size_t i = 0; i < all.count; i++) {
        struct group group = {.all = &all};
        if (is_joined[i])
            continue;
        gather_members(&group, i, is_joined);
        if (!is_alone(&group, i))
            join_group(&group);
    }
    for (size_t i = 0; i < source->inner.len; i++)
        if (source->inner.items[i]->ast)
            join_groups(source->inner.items[i]);
}

// --- Cells

// From inner functions outwards: what they assign is a cell where it comes from.
static void mark_assigned(struct source *source)
{
    struct ast_function *ast = source->ast;
    for (size_t i = 0; i < source->inner.len; i++)
        if (source->inner.items[i]->ast)
            mark_assigned(source->inner.items[i]);
    for (size_t i = 0; i < ast->made_count; i++) {
        const struct ast_node *node = ast->made[i];
        const struct ast_function *inner = node->function.inner->ast;
        for (size_t k = 0; inner && k < node->function.capture_count; k++)
            if (inner->cells[capture_local(inner, k)])
                ast->cells[node->function.captures[k]] = true;
    }
}

// From the outer function inwards: true if something new is a cell.
static bool mark_captured(struct source *source)
{
    struct ast_function *ast = source->ast;
    bool changed = false;
    for (size_t i = 0; i < ast->made_count; i++) {
        const struct ast_node *node = ast->made[i];
        struct ast_function *inner = node->function.inner->ast;
        for (size_t k = 0; inner && k < node->function.capture_count; k++) {
            bool *is_cell = &inner->cells[capture_local(inner, k)];
            changed |= ast->cells[node->function.captures[k]] && !*is_cell;
            *is_cell |= ast->cells[node->function.captures[k]];
        }
    }
    for (size_t i = 0; i < source->inner.len; i++)
        if (source->inner.items[i]->ast)
            changed |= mark_captured(source->inner.items[i]);
    for (size_t i = 0; i < ast->local_count; i++)
        if (ast->cells[i])
            ast->functions[i] = NULL;
    for (size_t i = 0; i < source->capture_count; i++)
        if (ast->cells[capture_local(ast, i)])
            source->cell_captures |= 1ULL << (i & 63);
    return changed;
}

void ast_join_inner(struct source *source)
{
    join_groups(source);
    mark_assigned(source);
    while (mark_captured(source))
        mark_assigned(source);
}

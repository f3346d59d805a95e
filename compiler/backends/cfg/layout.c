// SPDX-License-Identifier: MIT
// A layered layout: ranks by longest path without back edges, orders that reduce
// crossings, places that keep edges short. Edges that pass ranks get an invisible slot in
// each; edges that lead back run at the right side.
#include "compiler/backends/cfg/cfg.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    GAP_X = 28,
    GAP_Y = 44,
    LANE = 12, // between edges at the side
    MARGIN = 16,
    TITLE = 28,
    SWEEPS = 12,
};

// A box, or the place where an edge passes a rank.
struct slot {
    int node; // -1: an edge's
    int edge, rank, order;
    double x, width;   // x: centre
    VEC(int) up, down; // slots in the ranks next to this one
};

struct layout {
    struct cfg *cfg;
    struct arena arena;
    VEC(struct slot) slots; // the nodes' first
    int rank_count;
    struct rank {
        VEC(int) slots; // from left to right
    } * ranks;
    int **edge_slots; // by edge: its slots between the ends
};

static void mark_back_edges(struct cfg *cfg, int node, char *state)
{
    state[node] = 1; // being visited
    vec_each (edge, &cfg->edges) {
        if (edge->from != node)
            continue;
        edge->is_back = state[edge->to] == 1;
        if (!state[edge->to])
            mark_back_edges(cfg, edge->to, state);
    }
    state[node] = 2;
}

static void assign_ranks(struct layout *layout)
{
    struct cfg *cfg = layout->cfg;
    char *state = arena_array(&layout->arena, char, cfg->nodes.len);
    for (size_t i = 0; i < cfg->nodes.len; i++)
        if (!state[i])
            mark_back_edges(cfg, (int)i, state);
    for (bool changed = true; changed;) {
        changed = false;
        vec_each (edge, &cfg->edges) {
            int least = cfg->nodes.items[edge->from].rank + 1;
            if (!edge->is_back && cfg->nodes.items[edge->to].rank < least) {
                cfg->nodes.items[edge->to].rank = least;
                changed = true;
            }
        }
    }
    layout->rank_count = 1;
    vec_each (node, &cfg->nodes)
        if (node->rank >= layout->rank_count)
            layout->rank_count = node->rank + 1;
}

static int add_slot(struct layout *layout, int node, int edge, int rank, double width)
{
    assert(rank >= 0 && rank < layout->rank_count);
    struct slot slot = {.node = node, .edge = edge, .rank = rank, .width = width};
    slot.order = (int)layout->ranks[rank].slots.len;
    int index = (int)layout->slots.len;
    vec_push(&layout->slots, slot);
    vec_push(&layout->ranks[rank].slots, index);
    return index;
}

static void link_slots(struct layout *layout, int upper, int lower)
{
    assert(layout->slots.items[upper].rank + 1 == layout->slots.items[lower].rank);
    vec_push(&layout->slots.items[upper].down, lower);
    vec_push(&layout->slots.items[lower].up, upper);
}

static void make_slots(struct layout *layout)
{
    struct cfg *cfg = layout->cfg;
    layout->ranks = arena_array(&layout->arena, struct rank, layout->rank_count);
    layout->edge_slots = arena_array(&layout->arena, int *, cfg->edges.len + 1);
    for (size_t i = 0; i < cfg->nodes.len; i++)
        add_slot(layout, (int)i, -1, cfg->nodes.items[i].rank, cfg->nodes.items[i].width);
    for (size_t i = 0; i < cfg->edges.len; i++) {
        const struct cfg_edge *edge = &cfg->edges.items[i];
        if (edge->is_back)
            continue;
        int from = cfg->nodes.items[edge->from].rank,
            to = cfg->nodes.items[edge->to].rank;
        layout->edge_slots[i] = arena_array(&layout->arena, int, to - from + 1);
        int above = edge->from;
        for (int rank = from + 1; rank < to; rank++) {
            int slot = add_slot(layout, -1, (int)i, rank, LANE);
            layout->edge_slots[i][rank - from - 1] = slot;
            link_slots(layout, above, slot);
            above = slot;
        }
        link_slots(layout, above, edge->to);
    }
}

static const struct slot *slot_at(
        const struct layout *layout, const struct rank *rank, size_t i)
{
    return &layout->slots.items[rank->slots.items[i]];
}

// Crossings between a rank and the one below it.
static long count_crossings(const struct layout *layout, const struct rank *rank)
{
    long crossings = 0;
    for (size_t i = 0; i < rank->slots.len; i++)
        for (size_t j = i + 1; j < rank->slots.len; j++) {
            const struct slot *left = slot_at(layout, rank, i),
                              *right = slot_at(layout, rank, j);
            vec_each (a, &left->down)
                vec_each (b, &right->down)
                    crossings +=
                            layout->slots.items[*a].order > layout->slots.items[*b].order;
        }
    return crossings;
}

static long total_crossings(const struct layout *layout)
{
    long total = 0;
    for (int i = 0; i + 1 < layout->rank_count; i++)
        total += count_crossings(layout, &layout->ranks[i]);
    return total;
}

struct keyed_slot {
    double key;
    int slot, order;
};

static int compare_keys(const void *a, const void *b)
{
    const struct keyed_slot *left = a, *right = b;
    if (left->key != right->key)
        return left->key < right->key ? -1 : 1;
    return left->order - right->order;
}

static double order_of(const struct slot *slot)
{
    return slot->order;
}

static double x_of(const struct slot *slot)
{
    return slot->x;
}

// The mean over the slots that an edge leads to on one side; the slot's own without any.
static double mean(const struct layout *layout, const struct slot *slot, bool from_above,
        double (*place_of)(const struct slot *slot))
{
    const int *items = from_above ? slot->up.items : slot->down.items;
    size_t len = from_above ? slot->up.len : slot->down.len;
    double sum = 0;
    for (size_t i = 0; i < len; i++)
        sum += place_of(&layout->slots.items[items[i]]);
    return len ? sum / (double)len : place_of(slot);
}

static void sort_rank(struct layout *layout, struct rank *rank, bool from_above)
{
    size_t len = rank->slots.len;
    struct keyed_slot *keyed = arena_array(&layout->arena, struct keyed_slot, len);
    for (size_t i = 0; i < len; i++) {
        int slot = rank->slots.items[i];
        keyed[i] = (struct keyed_slot){
                mean(layout, &layout->slots.items[slot], from_above, order_of), slot,
                (int)i};
    }
    qsort(keyed, len, sizeof *keyed, compare_keys);
    for (size_t i = 0; i < len; i++) {
        rank->slots.items[i] = keyed[i].slot;
        layout->slots.items[keyed[i].slot].order = (int)i;
    }
}

static void save_orders(const struct layout *layout, int *orders)
{
    for (size_t i = 0; i < layout->slots.len; i++)
        orders[i] = layout->slots.items[i].order;
}

static void restore_orders(struct layout *layout, const int *orders)
{
    for (size_t i = 0; i < layout->slots.len; i++) {
        struct slot *slot = &layout->slots.items[i];
        slot->order = orders[i];
        layout->ranks[slot->rank].slots.items[orders[i]] = (int)i;
    }
}

static void reduce_crossings(struct layout *layout)
{
    int *best = arena_array(&layout->arena, int, layout->slots.len);
    save_orders(layout, best);
    long least = total_crossings(layout);
    for (int sweep = 0; sweep < SWEEPS && least; sweep++) {
        bool is_down = sweep % 2 == 0;
        for (int i = 0; i < layout->rank_count; i++)
            sort_rank(layout, &layout->ranks[is_down ? i : layout->rank_count - 1 - i],
                    is_down);
        long crossings = total_crossings(layout);
        if (crossings < least) {
            least = crossings;
            save_orders(layout, best);
        }
    }
    restore_orders(layout, best);
}

static double least_distance(const struct slot *left, const struct slot *right)
{
    return (left->width + right->width) / 2 + GAP_X;
}

// Moves the slots of a rank towards their neighbours without changing the order: left to
// right and right to left, then the middle of both.
static void place_rank(struct layout *layout, const struct rank *rank, bool from_above)
{
    size_t len = rank->slots.len;
    double *low = arena_array(&layout->arena, double, len);
    double *high = arena_array(&layout->arena, double, len);
    for (size_t i = 0; i < len; i++) {
        const struct slot *slot = slot_at(layout, rank, i);
        low[i] = mean(layout, slot, from_above, x_of);
        if (i)
            low[i] = fmax(low[i],
                    low[i - 1] + least_distance(slot_at(layout, rank, i - 1), slot));
    }
    for (size_t i = len; i-- > 0;) {
        const struct slot *slot = slot_at(layout, rank, i);
        high[i] = mean(layout, slot, from_above, x_of);
        if (i + 1 < len)
            high[i] = fmin(high[i],
                    high[i + 1] - least_distance(slot, slot_at(layout, rank, i + 1)));
    }
    for (size_t i = 0; i < len; i++)
        layout->slots.items[rank->slots.items[i]].x = (low[i] + high[i]) / 2;
}

static void place_slots(struct layout *layout)
{
    for (int r = 0; r < layout->rank_count; r++) {
        double x = 0;
        for (size_t i = 0; i < layout->ranks[r].slots.len; i++) {
            struct slot *slot = &layout->slots.items[layout->ranks[r].slots.items[i]];
            slot->x = x + slot->width / 2;
            x += slot->width + GAP_X;
        }
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        bool is_down = sweep % 2 == 0;
        for (int i = 0; i < layout->rank_count; i++)
            place_rank(layout, &layout->ranks[is_down ? i : layout->rank_count - 1 - i],
                    is_down);
    }
}

static void measure_nodes(struct cfg *cfg)
{
    vec_each (node, &cfg->nodes) {
        size_t columns = strlen(node->name) + 2, lines = 1;
        vec_each (line, &node->lines) {
            size_t len = strlen(*line);
            lines += 1 + (len > CFG_MAX_COLUMNS ? (len - 1) / CFG_MAX_COLUMNS : 0);
            columns = len > columns ? len : columns;
        }
        if (columns > CFG_MAX_COLUMNS + 4)
            columns = CFG_MAX_COLUMNS + 4;
        node->width = (double)columns * CFG_CHARACTER_WIDTH + 2 * CFG_PADDING;
        node->height = (double)lines * CFG_LINE_HEIGHT + 2 * CFG_PADDING;
        if (node->port_count > 1)
            node->height += CFG_LINE_HEIGHT + 4;
        if (node->width < 48.0 * node->port_count)
            node->width = 48.0 * node->port_count;
    }
}

// Boxes get their corners; returns the tops of the ranks, and one more for the bottom.
static double *place_boxes(struct layout *layout)
{
    struct cfg *cfg = layout->cfg;
    double *tops = arena_array(&layout->arena, double, layout->rank_count + 1);
    double left = INFINITY, right = -INFINITY, y = TITLE + MARGIN;
    vec_each (slot, &layout->slots) {
        left = fmin(left, slot->x - slot->width / 2);
        right = fmax(right, slot->x + slot->width / 2);
    }
    vec_each (slot, &layout->slots)
        slot->x += MARGIN - left;
    for (int r = 0; r < layout->rank_count; r++) {
        double height = 0;
        tops[r] = y;
        for (size_t i = 0; i < cfg->nodes.len; i++) {
            struct cfg_node *node = &cfg->nodes.items[i];
            if (node->rank != r)
                continue;
            node->x = layout->slots.items[i].x - node->width / 2;
            node->y = y;
            height = fmax(height, node->height);
        }
        y += height + GAP_Y;
    }
    tops[layout->rank_count] = y;
    cfg->width = right - left + 2 * MARGIN;
    cfg->height = y - GAP_Y + 2 * MARGIN;
    return tops;
}

static struct cfg_point exit_point(const struct cfg *cfg, const struct cfg_edge *edge)
{
    const struct cfg_node *node = &cfg->nodes.items[edge->from];
    double part = (edge->port + 0.5) / (node->port_count ? node->port_count : 1);
    return (struct cfg_point){node->x + node->width * part, node->y + node->height};
}

static struct cfg_point entry_point(const struct cfg *cfg, const struct cfg_edge *edge)
{
    const struct cfg_node *node = &cfg->nodes.items[edge->to];
    return (struct cfg_point){node->x + node->width / 2, node->y};
}

static void route_forward(struct layout *layout, int index, const double *tops)
{
    struct cfg_edge *edge = &layout->cfg->edges.items[index];
    int from = layout->cfg->nodes.items[edge->from].rank;
    int to = layout->cfg->nodes.items[edge->to].rank;
    struct cfg_point start = exit_point(layout->cfg, edge);
    vec_push(&edge->points, start);
    // straight down past taller boxes of the same rank
    vec_push(&edge->points, (struct cfg_point){start.x, tops[from + 1] - GAP_Y});
    for (int rank = from + 1; rank < to; rank++) {
        double x = layout->slots.items[layout->edge_slots[index][rank - from - 1]].x;
        vec_push(&edge->points, (struct cfg_point){x, tops[rank]});
        vec_push(&edge->points, (struct cfg_point){x, tops[rank + 1] - GAP_Y});
    }
    vec_push(&edge->points, entry_point(layout->cfg, edge));
}

// The right end of what lies in the ranks from `first` to `last`.
static double right_side(const struct layout *layout, int first, int last)
{
    double right = 0;
    vec_each (slot, &layout->slots)
        if (slot->rank >= first && slot->rank <= last)
            right = fmax(right, slot->x + slot->width / 2);
    return right;
}

static void route_back(struct layout *layout, int index, int lane, const double *tops)
{
    struct cfg *cfg = layout->cfg;
    struct cfg_edge *edge = &cfg->edges.items[index];
    int bottom = cfg->nodes.items[edge->from].rank, top = cfg->nodes.items[edge->to].rank;
    double x = right_side(layout, top, bottom) + GAP_X / 2.0 + lane * LANE;
    struct cfg_point from = exit_point(cfg, edge), to = entry_point(cfg, edge);
    int shift = 3 * (lane % 6);
    double below = tops[bottom + 1] - GAP_Y + 8 + shift, above = to.y - 14 - shift;
    to.x += 10; // beside the edges from above
    struct cfg_point points[] = {
            from, {from.x, below}, {x, below}, {x, above}, {to.x, above}, to};
    for (size_t i = 0; i < sizeof points / sizeof *points; i++)
        vec_push(&edge->points, points[i]);
    cfg->width = fmax(cfg->width, x + MARGIN);
}

static void layout_finish(struct layout *layout)
{
    vec_each (slot, &layout->slots) {
        vec_finish(&slot->up);
        vec_finish(&slot->down);
    }
    for (int i = 0; i < layout->rank_count; i++)
        vec_finish(&layout->ranks[i].slots);
    vec_finish(&layout->slots);
    arena_finish(&layout->arena);
}

void cfg_layout(struct cfg *cfg)
{
    struct layout layout = {.cfg = cfg};
    measure_nodes(cfg);
    assign_ranks(&layout);
    make_slots(&layout);
    reduce_crossings(&layout);
    place_slots(&layout);
    const double *tops = place_boxes(&layout);
    int lane = 0;
    for (size_t i = 0; i < cfg->edges.len; i++) {
        if (cfg->edges.items[i].is_back)
            route_back(&layout, (int)i, lane++, tops);
        else
            route_forward(&layout, (int)i, tops);
    }
    layout_finish(&layout);
}

// SPDX-License-Identifier: MIT
// Puts together what was counted of a launch: by several threads of the CPU on the
// emulated device, in a GPU's memory else.
#include "runtime/device/device.h"

void observation_begin(struct observation *observation, const struct compiled *compiled,
        const struct launch_config *config)
{
    const int32_t *grid = config->grid_dim;
    observation->blocks += (int64_t)grid[0] * grid[1] * grid[2];
    observation->shared_bytes =
            (int64_t)(compiled->static_shared_bytes + config->dynamic_shared_bytes);
    observation->recurses |= compiled->recurses;
    observation->has_links |= compiled->link_count > 0;
}

void observation_finish(struct observation *observation)
{
    vec_finish(&observation->rows);
    vec_finish(&observation->works);
    vec_finish(&observation->loops);
    vec_finish(&observation->first_block);
    vec_finish(&observation->first_told);
}

// What was counted of some, as so many would have it: to the nearest.
struct scale {
    int64_t times, of;
};

static int64_t scaled(int64_t number, const struct scale *scale)
{
    if (!scale || scale->times == scale->of)
        return number;
    __extension__ typedef __int128 wide;
    return (int64_t)(((wide)number * scale->times + scale->of / 2) / scale->of);
}

static void add_scaled(
        int64_t *to, const int64_t *from, size_t count, const struct scale *scale)
{
    for (size_t i = 0; i < count; i++)
        to[i] += scaled(from[i], scale);
}

// Requests of lanes at one distance stay so.
static void add_counts(struct observed_counts *to, const struct observed_counts *from,
        const struct scale *scale)
{
    int64_t strides = to->strides, even = to->even;
    add_scaled((int64_t *)to, (const int64_t *)from, sizeof *to / sizeof(int64_t), scale);
    if (from->even && from->strides % from->even == 0)
        to->strides = strides + (to->even - even) * (from->strides / from->even);
}

size_t observation_row(
        struct observation *observation, const struct observed_site *site, int32_t line)
{
    for (size_t i = 0; i < observation->rows.len; i++)
        if (observation->rows.items[i].line == line &&
                observation->rows.items[i].place == site)
            return i;
    vec_push(&observation->rows,
            (struct observed_row){.place = site, .site = *site, .line = line});
    return observation->rows.len - 1;
}

static void widen(struct observed_range *range, const struct observed_range *more)
{
    if (!more->high)
        return;
    range->low = range->high && range->low < more->low ? range->low : more->low;
    range->high = range->high > more->high ? range->high : more->high;
}

void observed_row_add(struct observed_row *row, const struct observed_counts *counts,
        const struct observed_range *range)
{
    add_counts(&row->counts, counts, NULL);
    widen(&row->range, range);
}

void observation_weigh(const struct compiled *compiled, int64_t *weights)
{
    for (size_t i = 0; i < compiled->observed_work_count; i++) {
        const struct observed_work *work = &compiled->observed_works[i];
        for (int class = 0; class < CLASS_COUNT; class ++)
            weights[work->part] += work->instructions[class];
    }
}

// The row of a list that is of the line, or a new one.
#define LINE_ROW(list, named, number)                                                    \
    do {                                                                                 \
        vec_each (row_, (list))                                                          \
            if (row_->line == (number) && row_->file == (named))                         \
                return row_;                                                             \
        vec_push((list),                                                                 \
                (__typeof__(*(list)->items)){.file = (named), .line = (number)});        \
        return &vec_last(list);                                                          \
    } while (0)

static struct observed_work_row *work_row(
        struct observation *observation, const char *file, int32_t line)
{
    LINE_ROW(&observation->works, file, line);
}

static struct observed_loop_row *loop_row(
        struct observation *observation, const char *file, int32_t line)
{
    LINE_ROW(&observation->loops, file, line);
}

void observation_add_work(const struct compiled *compiled, int part, int32_t line,
        int64_t warps, int64_t lanes, struct observation *observation)
{
    for (size_t i = 0; lanes && i < compiled->observed_work_count; i++) {
        const struct observed_work *work = &compiled->observed_works[i];
        if (work->part != part)
            continue;
        struct observed_work_row *row =
                work_row(observation, work->file, work->line ? work->line : line);
        for (int class = 0; class < CLASS_COUNT; class ++) {
            row->warps[class] += warps * work->instructions[class];
            row->lanes[class] += lanes * work->instructions[class];
        }
        for (int width = 0; width < 3; width++)
            row->flops[width] += lanes * work->flops[width];
        row->integers += lanes * work->integers;
    }
}

void observed_turns_add(struct observed_turns *of, int64_t entries, int64_t turns)
{
    if (!entries)
        return;
    double own = entries == 1 ? (double)turns : (double)turns / (double)entries;
    of->least = of->entries && of->least < own ? of->least : own;
    of->most = of->entries && of->most > own ? of->most : own;
    of->entries += entries;
    of->turns += turns;
}

static void widen_turns(struct observed_loop_row *row, double least, double most)
{
    bool is_first = !row->entries;
    row->least = is_first || least < row->least ? least : row->least;
    row->most = is_first || most > row->most ? most : row->most;
}

void observation_add_turns(const struct observed_loop_site *loop,
        const struct observed_turns *counts, struct observation *observation)
{
    if (!counts->entries)
        return;
    struct observed_loop_row *row = loop_row(observation, loop->file, loop->line);
    widen_turns(row, counts->least, counts->most);
    row->entries += counts->entries;
    row->turns += counts->turns;
}

static void add_work(struct observed_work_row *to, const struct observed_work_row *from,
        const struct scale *scale)
{
    add_scaled(to->warps, from->warps, CLASS_COUNT, scale);
    add_scaled(to->lanes, from->lanes, CLASS_COUNT, scale);
    add_scaled(to->flops, from->flops, 3, scale);
    add_scaled(&to->integers, &from->integers, 1, scale);
}

void observation_add(
        struct observation *observation, const struct observation *part, int64_t blocks)
{
    int64_t of = part->observed_blocks;
    struct scale scale = blocks && of ? (struct scale){blocks, of} : (struct scale){1, 1};
    vec_each (row, &part->rows) {
        size_t number = observation_row(observation, row->place, row->line);
        struct observed_row *to = &observation->rows.items[number];
        add_counts(&to->counts, &row->counts, &scale);
        widen(&to->range, &row->range);
    }
    vec_each (row, &part->works)
        add_work(work_row(observation, row->file, row->line), row, &scale);
    vec_each (row, &part->loops) {
        struct observed_loop_row *to = loop_row(observation, row->file, row->line);
        widen_turns(to, row->least, row->most);
        add_scaled(&to->entries, &row->entries, 1, &scale);
        add_scaled(&to->turns, &row->turns, 1, &scale);
    }
    observation->observed_blocks += of;
}

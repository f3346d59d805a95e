// SPDX-License-Identifier: MIT
// How arrays are gone over along some of their axes, for compiled code: in the order of
// their memory, whichever axes are reduced, so that nothing needs a copy with its axes
// exchanged.
#include "compiler/support/support.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_AXES = 64 };

// An axis of the array; length 1 is left out.
struct axis {
    int64_t len, stride;
    int64_t place; // items of the results between neighbours; 0 along an axis that is
                   // reduced
    bool is_gone;
};

// What the library reads by numbers (library/lines.py): these are rows of int64 in its
// order. A turn takes a block of `width` neighbours, `count` times. Of lines (is_line),
// the results are as many as the width; else each of the `count` rows goes into the same
// `width` results.
struct plan {
    int64_t is_line, count, step, width, across;
    int64_t offset,
            result;   // where the turn begins: bytes of the array, number of the result
    int64_t is_first; // whether these results have had no items yet
    int64_t results;  // how many there are
    int64_t in_order; // whether they come in C order
    int64_t start;    // where the first one in C order is
    int64_t axes;     // that are gone over turn by turn, outermost first
    int64_t places[MAX_AXES];
    int64_t turns[MAX_AXES];
    struct axis outer[MAX_AXES];
};

// The library keeps room for it as int64 (LENGTH in library/lines.py).
_Static_assert(sizeof(struct plan) <= 8 * 400, "library/lines.py keeps 400 numbers");

static int64_t size_of(int64_t stride)
{
    return stride ? llabs(stride) : INT64_MAX; // what lies in one place is gone over last
}

static void sort_axes(struct axis *axes, int64_t *origin, int64_t count)
{
    for (int64_t i = 1; i < count; i++)
        for (int64_t k = i;
                k > 0 && size_of(axes[k - 1].stride) < size_of(axes[k].stride); k--) {
            struct axis axis = axes[k];
            int64_t from = origin[k];
            axes[k] = axes[k - 1];
            origin[k] = origin[k - 1];
            axes[k - 1] = axis;
            origin[k - 1] = from;
        }
}

// Numbers the results in the order of memory; axes that run backwards are turned round.
static void number_results(struct plan *plan, struct axis *axes, const int64_t *origin,
        int64_t count, int64_t *place_of)
{
    int64_t place = 1;
    for (int64_t i = count; i-- > 0;) {
        struct axis *axis = &axes[i];
        if (axis->is_gone)
            continue;
        axis->place = place;
        place_of[origin[i]] = place;
        if (axis->stride < 0) {
            plan->offset += (axis->len - 1) * axis->stride;
            plan->start += (axis->len - 1) * place;
            place_of[origin[i]] = -place;
            axis->stride = -axis->stride;
        }
        place *= axis->len;
    }
    plan->results = place;
}

static int64_t join(struct axis *axes, int64_t count)
{
    int64_t at = 0;
    for (int64_t i = 0; i < count; i++) {
        struct axis *last = at ? &axes[at - 1] : NULL;
        if (last && last->is_gone == axes[i].is_gone &&
                last->stride == axes[i].len * axes[i].stride &&
                last->place == axes[i].len * axes[i].place) {
            axes[i].len *= last->len;
            at--;
        }
        axes[at++] = axes[i];
    }
    return at;
}

static struct axis take_axis(struct axis *axes, int64_t *count, int64_t at)
{
    struct axis axis = axes[at];
    memmove(axes + at, axes + at + 1, (size_t)(*count - at - 1) * sizeof *axes);
    --*count;
    return axis;
}

// Chooses the axes of a turn; the others are left in axes.
static void choose(struct plan *plan, struct axis *axes, int64_t *count, bool wants_lines)
{
    struct axis inner = {.len = 1}, other = {.len = 1};
    int64_t at = *count - 1;
    plan->is_line = wants_lines || !*count || axes[at].is_gone;
    if (*count && axes[at].is_gone == plan->is_line)
        inner = take_axis(axes, count, at--);
    if (plan->is_line && at >= 0 && !axes[at].is_gone) {
        other = take_axis(axes, count, at);
    } else if (!plan->is_line) {
        while (at >= 0 && !axes[at].is_gone)
            at--;
        if (at >= 0)
            other = take_axis(axes, count, at);
    }
    const struct axis *gone = plan->is_line ? &inner : &other;
    const struct axis *kept = plan->is_line ? &other : &inner;
    plan->count = gone->len;
    plan->step = gone->stride;
    plan->width = kept->len;
    plan->across = kept->stride;
}

static bool is_named(const int64_t *named, int64_t count, int64_t axis, int64_t ndim)
{
    for (int64_t i = 0; i < count; i++)
        if ((named[i] < 0 ? named[i] + ndim : named[i]) == axis)
            return true;
    return false;
}

// Of an array without items: each result is that of an empty line.
static void plan_empty(struct plan *plan, const int64_t *shape, int64_t ndim,
        const int64_t *named, int64_t named_count)
{
    plan->results = 1;
    for (int64_t i = 0; i < ndim; i++)
        if (!is_named(named, named_count, i, ndim))
            plan->results *= shape[i];
    plan->is_line = 1;
    plan->width = plan->results;
    plan->in_order = 1;
}

// Plans the reduction of the axes that are named, which are in bounds; of lines alone
// where these lie densely, whatever their length.
void gridcell_plan(struct plan *plan, const int64_t *shape, const int64_t *strides,
        int64_t ndim, const int64_t *named, int64_t named_count, int64_t wants_lines)
{
    struct axis axes[MAX_AXES];
    int64_t origin[MAX_AXES], place_of[MAX_AXES] = {0}, count = 0, size = 1;
    memset(plan, 0, offsetof(struct plan, places));
    plan->is_first = 1;
    for (int64_t i = 0; i < ndim; i++) {
        size *= shape[i];
        origin[count] = i;
        axes[count] = (struct axis){.len = shape[i],
                .stride = strides[i],
                .is_gone = is_named(named, named_count, i, ndim)};
        count += shape[i] != 1;
    }
    if (!size) {
        plan_empty(plan, shape, ndim, named, named_count);
        return;
    }
    sort_axes(axes, origin, count);
    number_results(plan, axes, origin, count, place_of);
    int64_t kept = 0, expected = plan->results;
    plan->in_order = 1;
    for (int64_t i = 0; i < ndim; i++) {
        if (is_named(named, named_count, i, ndim))
            continue;
        plan->places[kept++] = place_of[i];
        expected /= shape[i];
        plan->in_order = plan->in_order && (shape[i] == 1 || place_of[i] == expected);
    }
    count = join(axes, count);
    choose(plan, axes, &count, wants_lines);
    plan->axes = count;
    memcpy(plan->outer, axes, (size_t)count * sizeof *axes);
    memset(plan->turns, 0, (size_t)count * sizeof *plan->turns);
}

static bool is_first(const struct plan *plan)
{
    for (int64_t i = 0; i < plan->axes; i++)
        if (plan->outer[i].is_gone && plan->turns[i])
            return false;
    return true;
}

// Goes on to the next turn; 0 after the last.
int64_t gridcell_plan_next(struct plan *plan)
{
    for (int64_t i = plan->axes; i-- > 0;) {
        const struct axis *axis = &plan->outer[i];
        bool has_more = ++plan->turns[i] < axis->len;
        int64_t moved = has_more ? 1 : 1 - axis->len;
        plan->offset += moved * axis->stride;
        plan->result += moved * axis->place;
        if (has_more) {
            plan->is_first = is_first(plan);
            return 1;
        }
        plan->turns[i] = 0;
    }
    return 0;
}

// Puts the results, which are in the plan's order, into C order.
int64_t gridcell_plan_order(const struct plan *plan, char *to, const char *results,
        const int64_t *shape, int64_t ndim, int64_t item_bytes)
{
    int64_t strides[MAX_AXES], places[MAX_AXES], stride = item_bytes;
    for (int64_t i = ndim; i-- > 0;) {
        strides[i] = stride;
        stride *= shape[i];
        places[i] = plan->places[i] * item_bytes;
    }
    return gridcell_array_copy(to, strides, results + plan->start * item_bytes, places,
            shape, ndim, item_bytes);
}

// Copies lines, each the items along the last `gone` axes of the order, between the array
// and rows; lines are numbered in C order of the other axes.
int64_t gridcell_copy_lines(char *rows, char *items, const int64_t *shape,
        const int64_t *strides, const int64_t *order, int64_t ndim, int64_t gone,
        int64_t first, int64_t count, int64_t item_bytes, int64_t is_write)
{
    int64_t kept = ndim - gone, block[MAX_AXES], from[MAX_AXES], to[MAX_AXES];
    int64_t line = item_bytes;
    for (int64_t i = gone; i > 0; i--) {
        block[i] = shape[order[kept + i - 1]];
        from[i] = strides[order[kept + i - 1]];
        to[i] = line;
        line *= block[i];
    }
    to[0] = line;
    from[0] = kept ? strides[order[kept - 1]] : 0;
    for (int64_t done = 0; done < count;) {
        int64_t rest = first + done, run = 1;
        char *place = items;
        for (int64_t i = kept; i-- > 0;) {
            int64_t len = shape[order[i]], at = rest % len;
            if (i == kept - 1)
                run = len - at < count - done ? len - at : count - done;
            place += at * strides[order[i]];
            rest /= len;
        }
        block[0] = run;
        char *row = rows + done * line;
        int32_t status = is_write ? gridcell_array_copy(place, from, row, to, block,
                                            gone + 1, item_bytes)
                                  : gridcell_array_copy(row, to, place, from, block,
                                            gone + 1, item_bytes);
        if (status)
            return status;
        done += run;
    }
    return STATUS_OK;
}

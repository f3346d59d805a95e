// SPDX-License-Identifier: MIT
// Counts requests of a warp. What one costs (warp_access.c) depends on the distances
// between its lanes and on where in a line of 128 bytes the first one is: on that, too,
// in which banks it begins. So a place keeps the costs of the distances that it saw last,
// by place in the line, and a loop that goes on by equal steps comes to few different
// ones.
#include <string.h>

#include "runtime/emulator/place.h"

enum { LINE = 128, SECTOR = 32, WORD = 4 };

static int64_t first_of(const struct request *request)
{
    return request->what[__builtin_ctz(request->lanes)];
}

static bool is_of_pattern(const struct pattern *pattern, const struct request *request)
{
    int64_t first = first_of(request);
    uint64_t other = 0;
    if (pattern->lanes != request->lanes)
        return false;
    if (request->lanes == UINT32_MAX) {
        for (int lane = 0; lane < LANES; lane++)
            other |= (uint64_t)(request->what[lane] - first - pattern->offsets[lane]);
        return !other;
    }
    for (uint32_t left = request->lanes; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        if (request->what[lane] - first != pattern->offsets[lane])
            return false;
    }
    return true;
}

// Whether the lanes lie at equal distances, and at which.
static void find_stride(struct pattern *pattern)
{
    uint32_t pairs = pattern->lanes & pattern->lanes >> 1;
    const int64_t *offsets = pattern->offsets;
    pattern->is_even = pairs != 0;
    for (bool is_first = true; pairs; pairs &= pairs - 1, is_first = false) {
        int lane = __builtin_ctz(pairs);
        int64_t stride = offsets[lane + 1] - offsets[lane];
        if (is_first)
            pattern->stride = stride;
        else if (stride != pattern->stride) {
            pattern->is_even = false;
            return;
        }
    }
    if (pattern->stride < 0)
        pattern->stride = -pattern->stride;
}

// A lane within a sector's length of the one before touches no sector beyond the next.
static void find_spans(struct pattern *pattern, int item_bytes)
{
    int last = -1;
    pattern->span_count = 0;
    pattern->lowest = INT64_MAX;
    pattern->highest = INT64_MIN;
    for (uint32_t left = pattern->lanes; left; left &= left - 1) {
        int64_t low = pattern->offsets[__builtin_ctz(left)], high = low + item_bytes;
        pattern->lowest = low < pattern->lowest ? low : pattern->lowest;
        pattern->highest = high > pattern->highest ? high : pattern->highest;
        if (last >= 0 && low >= pattern->low[last] - SECTOR &&
                low <= pattern->high[last] + SECTOR - item_bytes) {
            pattern->low[last] = low < pattern->low[last] ? low : pattern->low[last];
            pattern->high[last] = high > pattern->high[last] ? high : pattern->high[last];
            continue;
        }
        last = pattern->span_count++;
        pattern->low[last] = low;
        pattern->high[last] = high;
    }
}

static void set_pattern(struct place *place, const struct request *request)
{
    struct pattern *pattern = &place->pattern;
    int64_t first = first_of(request);
    pattern->lanes = request->lanes;
    for (uint32_t left = request->lanes; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        pattern->offsets[lane] = request->what[lane] - first;
    }
    memset(pattern->known, 0, sizeof pattern->known);
    find_stride(pattern);
    if (place->site->space == OBSERVED_GLOBAL)
        find_spans(pattern, place->site->item_bytes);
}

// What costs depend on of the first lane's address: where in a line it is. In shared
// memory one word more is the next bank for all lanes, and constant memory asks only who
// wants the same.
static int64_t place_in_line(const struct place *place)
{
    if (place->site->space == OBSERVED_SHARED)
        return WORD - 1;
    return place->site->space == OBSERVED_CONSTANT ? 0 : LINE - 1;
}

static const struct cost *cost_of(struct place *place, int64_t first)
{
    struct pattern *pattern = &place->pattern;
    int at = (int)(first & place_in_line(place));
    struct cost *cost = &pattern->costs[at];
    if (pattern->known[at / 64] >> (at % 64) & 1)
        return cost;
    struct observed_counts counts = {0};
    int64_t what[LANES];
    for (uint32_t left = pattern->lanes; left; left &= left - 1)
        what[__builtin_ctz(left)] = first + pattern->offsets[__builtin_ctz(left)];
    warp_access_count(place->site, pattern->lanes, what, &counts);
    *cost = (struct cost){(int32_t)counts.sectors, (int32_t)counts.sectors_ideal,
            (int32_t)counts.wavefronts, (int32_t)counts.conflicts};
    pattern->known[at / 64] |= (uint64_t)1 << (at % 64);
    return cost;
}

static void add_costs(struct place *place, int64_t first, int64_t step, int64_t times)
{
    struct observed_counts *counts = &place->counts;
    int64_t mask = place_in_line(place);
    uint64_t shift = (uint64_t)(step & mask);
    // after so many steps it is at the same place of a line again
    int64_t period = shift ? (mask + 1) >> __builtin_ctzll(shift) : 1;
    for (int64_t i = 0; i < period && i < times; i++) {
        int64_t often = times / period + (i < times % period);
        const struct cost *cost = cost_of(place, first + i * step);
        counts->sectors += often * cost->sectors;
        counts->sectors_ideal += often * cost->ideal;
        counts->wavefronts += often * cost->wavefronts;
        counts->conflicts += often * cost->conflicts;
    }
}

static void add_strides(struct place *place, int64_t times)
{
    struct observed_counts *counts = &place->counts;
    const struct pattern *pattern = &place->pattern;
    if (!pattern->is_even)
        return;
    bool is_other = counts->strides != counts->even * pattern->stride;
    counts->changes += is_other ? times : 0;
    counts->even += times;
    counts->strides += times * pattern->stride;
}

static void widen(struct place *place, int64_t first, int64_t end)
{
    struct observed_range *range = &place->range;
    int64_t low = first < end ? first : end, high = first < end ? end : first;
    low += place->pattern.lowest;
    high += place->pattern.highest;
    bool is_first = range->high == 0;
    range->low = is_first || low < range->low ? low : range->low;
    range->high = is_first || high > range->high ? high : range->high;
}

// All lanes go on by the same step.
static void add_access(
        struct place *place, struct footprint *footprint, const struct request *request)
{
    int64_t first = first_of(request), times = request->times;
    int64_t step = times > 1 ? request->step[__builtin_ctz(request->lanes)] : 0;
    if (!is_of_pattern(&place->pattern, request))
        set_pattern(place, request);
    add_costs(place, first, step, times);
    add_strides(place, times);
    if (place->site->space != OBSERVED_GLOBAL)
        return;
    widen(place, first, first + (times - 1) * step);
    place->counts.distinct += footprint_add(footprint, place, first, step, times);
}

static bool is_together(const struct request *request)
{
    int64_t step = request->step[__builtin_ctz(request->lanes)];
    for (uint32_t left = request->lanes; left; left &= left - 1)
        if (request->step[__builtin_ctz(left)] != step)
            return false;
    return true;
}

static void add_one_by_one(
        struct place *place, struct footprint *footprint, const struct request *request)
{
    struct request one;
    one.lanes = request->lanes;
    one.times = 1;
    for (int64_t i = 0; i < request->times; i++) {
        for (uint32_t left = request->lanes; left; left &= left - 1) {
            int lane = __builtin_ctz(left);
            one.what[lane] = request->what[lane] + i * request->step[lane];
        }
        add_access(place, footprint, &one);
    }
}

// `what` is the way that is taken, 1 or 0, and may change from turn to turn.
static void add_branch(struct place *place, const struct request *request)
{
    for (int64_t i = 0; i < request->times; i++) {
        uint32_t yes = 0;
        bool is_steady = true;
        for (uint32_t left = request->lanes; left; left &= left - 1) {
            int lane = __builtin_ctz(left);
            int64_t way = request->what[lane] + i * request->step[lane];
            yes |= (uint32_t)(way & 1) << lane;
            is_steady = is_steady && !request->step[lane];
        }
        bool is_divergent = yes && yes != request->lanes;
        place->counts.divergent +=
                is_steady ? is_divergent * request->times : is_divergent;
        if (is_steady)
            return;
    }
}

void place_count(
        struct place *place, struct footprint *footprint, const struct request *request)
{
    struct observed_counts *counts = &place->counts;
    bool is_full = request->lanes == UINT32_MAX; // without a call
    int64_t lanes = is_full ? LANES : __builtin_popcount(request->lanes);
    lanes *= request->times;
    counts->requests += request->times;
    counts->lanes += lanes;
    if (place->site->kind == OBSERVED_BRANCH)
        add_branch(place, request);
    if (place->site->kind >= OBSERVED_BRANCH)
        return;
    counts->bytes += lanes * place->site->item_bytes;
    if (request->times == 1 || is_together(request))
        add_access(place, footprint, request);
    else
        add_one_by_one(place, footprint, request);
}

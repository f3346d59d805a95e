// SPDX-License-Identifier: MIT
// Puts together what the lanes of a warp did in one instruction: what they told in the
// same turn. Mostly all lanes have told runs of the same turns, which are counted as
// wholes; where some left turns out, the rest is sorted by turn (groups.c).
#include <string.h>

#include "runtime/emulator/place.h"

// How far the lanes have been counted.
struct heads {
    uint32_t left; // lanes of which there is something
    uint32_t run[LANES];
    int64_t used[LANES]; // of that run
};

// What coroutines keep lies in the frame of each.
int64_t place_address(const struct place *place, int lane, int64_t what)
{
    const struct frames *frames = place->frames;
    bool is_frame = place->site->space == OBSERVED_LOCAL && what >= frames->start &&
                    what < frames->end;
    return is_frame ? what - lane * frames->thread_bytes : what;
}

// What the lanes tell next, if it is the same turn for all.
static bool take(
        const struct place *place, const struct heads *heads, struct request *request)
{
    uint64_t turn = 0;
    int64_t step = 0;
    bool is_first = true, is_same = true;
    request->lanes = heads->left;
    request->times = INT64_MAX;
    for (uint32_t left = heads->left; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        const struct lane_runs *runs = &place->runs[heads->run[lane]];
        int64_t used = heads->used[lane], rest = runs->count[lane] - used;
        uint64_t own = runs->turn[lane] + (uint64_t)used * runs->turn_step[lane];
        turn = is_first ? own : turn;
        step = is_first ? (int64_t)runs->turn_step[lane] : step;
        is_first = false;
        if (own != turn)
            return false;
        is_same = is_same && (int64_t)runs->turn_step[lane] == step;
        request->times = rest < request->times ? rest : request->times;
        request->what[lane] = place_address(
                place, lane, runs->what[lane] + used * runs->what_step[lane]);
        request->step[lane] = runs->what_step[lane];
    }
    request->times = is_same ? request->times : 1;
    return true;
}

static void advance(const struct place *place, struct heads *heads, int64_t times)
{
    for (uint32_t left = heads->left; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        heads->used[lane] += times;
        if (heads->used[lane] < place->runs[heads->run[lane]].count[lane])
            continue;
        heads->used[lane] = 0;
        if (++heads->run[lane] == place->lens[lane])
            heads->left &= ~(1u << lane);
    }
}

// Sorts what a lane still has.
static void sort_lane(struct place *place, const struct heads *heads, int lane,
        struct groups *groups, size_t most)
{
    int64_t used = heads->used[lane];
    for (uint32_t run = heads->run[lane]; run < place->lens[lane]; run++, used = 0) {
        const struct lane_runs *runs = &place->runs[run];
        for (; used < runs->count[lane]; used++) {
            uint64_t turn = runs->turn[lane] + (uint64_t)used * runs->turn_step[lane];
            int64_t what = runs->what[lane] + used * runs->what_step[lane];
            what = place_address(place, lane, what);
            if (!groups_add(groups, lane, turn, what, most))
                place->counts.skipped++;
        }
    }
}

// What the lanes told in the turn in which the first of them came.
static int64_t count_first(struct place *place, struct footprint *footprint)
{
    const struct observed_track *track = place->track;
    if (!track->first_lanes)
        return 0;
    struct request request;
    request.lanes = (uint32_t)track->first_lanes;
    request.times = 1;
    memcpy(request.what, track->first_what, sizeof request.what);
    for (int lane = 0; place->site->space == OBSERVED_LOCAL && lane < LANES; lane++)
        request.what[lane] = place_address(place, lane, request.what[lane]);
    place_count(place, footprint, &request);
    return 1;
}

// Sorts all that the lanes have told by turn.
static void sort_all(struct place *place, const struct heads *heads, uint32_t first,
        struct groups *groups, size_t most)
{
    const struct observed_track *track = place->track;
    for (uint32_t left = heads->left | first; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        groups_next_lane(groups);
        int64_t what = place_address(place, lane, track->first_what[lane]);
        if (first >> lane & 1)
            groups_add(groups, lane, (uint64_t)track->first_turn, what, most);
        if (heads->left >> lane & 1)
            sort_lane(place, heads, lane, groups, most);
    }
}

// Runs that all lanes have told alike, from the first on, are counted as they lie.
static int64_t count_alike(
        struct place *place, struct footprint *footprint, struct heads *heads)
{
    struct request request = {.lanes = UINT32_MAX};
    uint32_t fewest = place_fewest_runs(place), run = 0;
    int64_t requests = 0;
    for (; run < fewest && runs_are_alike(&place->runs[run]); run++) {
        const struct lane_runs *runs = &place->runs[run];
        request.times = runs->count[0];
        memcpy(request.what, runs->what, sizeof request.what);
        memcpy(request.step, runs->what_step, sizeof request.step);
        for (int lane = 0; place->site->space == OBSERVED_LOCAL && lane < LANES; lane++)
            request.what[lane] = place_address(place, lane, runs->what[lane]);
        place_count(place, footprint, &request);
        requests += request.times;
    }
    for (int lane = 0; run && lane < LANES; lane++) {
        heads->run[lane] = run;
        heads->left &= ~((uint32_t)(run == place->lens[lane]) << lane);
    }
    return requests;
}

int64_t place_merge(struct place *place, struct footprint *footprint,
        struct groups *groups, size_t most)
{
    struct heads heads = {.left = place->begun};
    struct request request;
    uint32_t first = (uint32_t)place->track->first_lanes;
    // the turn that is kept apart may be within a run of a lane that has not begun with
    // it
    bool is_apart = !first || !(place->begun & ~first);
    int64_t requests = is_apart ? count_first(place, footprint) : 0;
    if (is_apart && heads.left)
        requests += count_alike(place, footprint, &heads);
    while (is_apart && heads.left && take(place, &heads, &request)) {
        place_count(place, footprint, &request);
        advance(place, &heads, request.times);
        requests += request.times;
    }
    if (heads.left)
        sort_all(place, &heads, is_apart ? 0 : first, groups, most);
    return requests + (heads.left ? groups_count(groups, place, footprint) : 0);
}

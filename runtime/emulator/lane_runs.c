// SPDX-License-Identifier: MIT
// What the lanes of a warp tell at a place, as runs: addresses at equal distances, in
// turns at equal distances. A loop that goes through an array is one run, however long it
// is; what comes without order is a run by every two.
//
// Lanes run one after the other. The run of the one that runs is in the place's track,
// where compiled code goes on with it as long as it can.
#include <string.h>

#include "base/vec.h"
#include "runtime/emulator/place.h"

static int lane_of(int64_t thread)
{
    return (int)(thread % LANES);
}

// Writes the track's run to where the lane's runs are.
static void write_run(struct place *place, int lane)
{
    const struct observed_track *track = place->track;
    uint32_t len = place->lens[lane];
    if (!len)
        return;
    struct lane_runs *runs = &place->runs[len - 1];
    runs->turn_step[lane] = (uint64_t)track->turn_step;
    runs->what_step[lane] = track->what_step;
    runs->count[lane] = track->count;
    if (len <= place->order_capacity)
        place->orders[len - 1].step[lane] = track->order_step;
}

void place_keep(struct place *place)
{
    if (place->thread < 0)
        return;
    write_run(place, lane_of(place->thread));
    place->thread = place->track->thread = -1;
}

void place_expose(struct place *place)
{
    struct observed_track *track = place->track;
    bool is_run = place->thread >= 0 && track->turn_step;
    is_run = is_run && !place->repeats[lane_of(place->thread)];
    track->thread = is_run ? place->thread : -1;
}

void place_clear(struct place *place)
{
    if (place->begun) {
        memset(place->lens, 0, sizeof place->lens);
        memset(place->repeats, 0, sizeof place->repeats);
    }
    place->begun = 0;
    place->thread = place->track->thread = -1;
    place->track->first_lanes = 0;
}

// Makes the track that of the thread.
static void take_thread(struct place *place, int32_t thread)
{
    struct observed_track *track = place->track;
    int lane = lane_of(thread);
    place_keep(place);
    place->thread = thread;
    track->count = 0;
    if (!place->lens[lane])
        return;
    const struct lane_runs *runs = &place->runs[place->lens[lane] - 1];
    track->count = runs->count[lane];
    track->turn_step = (int64_t)runs->turn_step[lane];
    track->what_step = runs->what_step[lane];
    uint64_t steps = (uint64_t)track->count;
    track->turn = (int64_t)(runs->turn[lane] + steps * runs->turn_step[lane]);
    track->what = (int64_t)((uint64_t)runs->what[lane] +
                            steps * (uint64_t)runs->what_step[lane]);
    track->order_mask = 0;
    if (place->lens[lane] <= place->order_capacity) {
        const struct lane_orders *orders = &place->orders[place->lens[lane] - 1];
        track->order_step = orders->step[lane];
        track->order = (int64_t)((uint64_t)orders->order[lane] +
                                 steps * (uint64_t)orders->step[lane]);
        track->order_mask = -1;
    }
}

// Of so many runs of a lane it is kept when they were told.
static void begin_order(struct place *place, uint32_t len, const struct told *told)
{
    struct observed_track *track = place->track;
    track->order_mask = 0;
    if (told->order == NOT_KEPT || len >= OBSERVED_KEPT_TURNS)
        return;
    while (len >= place->order_capacity)
        vec_grow(&place->orders, &place->order_capacity, sizeof *place->orders);
    place->orders[len].order[lane_of(place->thread)] = told->order;
    track->order = (int64_t)((uint64_t)told->order + (uint64_t)track->order_step);
    track->order_mask = -1;
}

// A new run of the thread that the track is of. It is expected to go on as the last one
// did of which that is known.
static void begin(struct place *place, const struct told *told, size_t most)
{
    struct observed_track *track = place->track;
    int lane = lane_of(told->thread);
    uint32_t len = place->lens[lane];
    if (len >= most) {
        place->counts.skipped++;
        return;
    }
    write_run(place, lane);
    begin_order(place, len, told);
    while (len >= place->capacity)
        vec_grow(&place->runs, &place->capacity, sizeof *place->runs);
    struct lane_runs *runs = &place->runs[len];
    runs->turn[lane] = told->turn;
    runs->what[lane] = told->what;
    place->lens[lane] = len + 1;
    place->begun |= 1u << lane;
    track->turn_step = place->repeats[lane] ? 0 : place->turn_step;
    track->what_step = track->turn_step ? place->what_step : 0;
    track->turn = (int64_t)(told->turn + (uint64_t)track->turn_step);
    track->what = (int64_t)((uint64_t)told->what + (uint64_t)track->what_step);
    track->count = 1;
}

// The thread comes here once more in a turn.
static void begin_repeat(struct place *place, struct told told, size_t most)
{
    int lane = lane_of(told.thread);
    uint64_t repeats = ++place->repeats[lane];
    place->raw[lane] = told.turn;
    place->has_repeats = true;
    told.turn += repeats * 0xD1B54A32D192ED03u;
    begin(place, &told, most);
}

static void go_on(struct place *place)
{
    struct observed_track *track = place->track;
    track->count++;
    track->turn = (int64_t)((uint64_t)track->turn + (uint64_t)track->turn_step);
    track->what = (int64_t)((uint64_t)track->what + (uint64_t)track->what_step);
    track->order = (int64_t)((uint64_t)track->order + (uint64_t)track->order_step);
}

// The second of a run says what the distances are.
static void find_steps(struct place *place, const struct told *told)
{
    struct observed_track *track = place->track;
    uint64_t turn = (uint64_t)track->turn - (uint64_t)track->turn_step;
    uint64_t what = (uint64_t)track->what - (uint64_t)track->what_step;
    track->turn_step = place->turn_step = (int64_t)(told->turn - turn);
    track->what_step = place->what_step = (int64_t)((uint64_t)told->what - what);
    uint64_t order = (uint64_t)track->order - (uint64_t)track->order_step;
    track->order_step = (int64_t)((uint64_t)told->order - order);
    track->turn = (int64_t)told->turn;
    track->what = told->what;
    track->order = told->order;
    go_on(place);
}

static bool is_next(const struct place *place, const struct told *told)
{
    const struct observed_track *track = place->track;
    return track->turn_step && (uint64_t)track->turn == told->turn &&
           track->what == told->what &&
           !((track->order ^ told->order) & track->order_mask);
}

void place_record(struct place *place, const struct told *told, size_t most)
{
    const struct observed_track *track = place->track;
    int lane = lane_of(told->thread);
    if (place->thread != told->thread)
        take_thread(place, told->thread);
    if (!place->lens[lane]) {
        begin(place, told, most);
        return;
    }
    bool is_repeat = place->repeats[lane] > 0;
    uint64_t last = (uint64_t)track->turn - (uint64_t)track->turn_step;
    if (told->turn == (is_repeat ? place->raw[lane] : last)) {
        begin_repeat(place, *told, most);
        return;
    }
    place->repeats[lane] = 0;
    if (!is_repeat && is_next(place, told))
        go_on(place);
    else if (!is_repeat && track->count == 1)
        find_steps(place, told);
    else
        begin(place, told, most);
}

// Whether the lane has told before, as its last thing or as its first, what is among
// these.
static bool has_repeat(struct place *place, const struct told *told, int64_t count)
{
    const struct observed_track *track = place->track;
    int lane = lane_of(told->thread);
    uint64_t first = (uint64_t)track->first_turn - told->turn;
    if (track->first_lanes >> lane & 1 && first < (uint64_t)count)
        place->has_repeats = true;
    if (!place->lens[lane])
        return false;
    const struct lane_runs *runs = &place->runs[place->lens[lane] - 1];
    uint64_t steps = (uint64_t)runs->count[lane] - 1;
    uint64_t last = runs->turn[lane] + steps * runs->turn_step[lane] - told->turn;
    return place->repeats[lane] || last < (uint64_t)count;
}

static void record_each(
        struct place *place, struct told told, const struct told_run *run, size_t most)
{
    for (int64_t i = 0; i < run->count; i++) {
        place_record(place, &told, most);
        told.turn++;
        told.what = (int64_t)((uint64_t)told.what + (uint64_t)run->what_step);
        told.order += told.order == NOT_KEPT ? 0 : run->order_step;
    }
}

// Whether a run goes on where the lane's last one ended.
static bool follows(const struct place *place, const struct told *told,
        const struct told_run *run, uint32_t len)
{
    int lane = lane_of(told->thread);
    const struct lane_runs *runs = &place->runs[len - 1];
    uint64_t count = (uint64_t)runs->count[lane];
    if (runs->turn_step[lane] != 1 || runs->what_step[lane] != run->what_step ||
            runs->turn[lane] + count != told->turn ||
            (uint64_t)runs->what[lane] + count * (uint64_t)run->what_step !=
                    (uint64_t)told->what)
        return false;
    if (told->order == NOT_KEPT || len > OBSERVED_KEPT_TURNS)
        return true;
    const struct lane_orders *orders = &place->orders[len - 1];
    return orders->step[lane] == run->order_step &&
           orders->order[lane] + (int64_t)count * run->order_step == told->order;
}

static inline void append_run(struct place *place, const struct told *told,
        const struct told_run *run, size_t most)
{
    int lane = lane_of(told->thread);
    uint32_t len = place->lens[lane];
    if (len >= most) {
        place->counts.skipped += run->count;
        return;
    }
    if (len >= place->capacity)
        vec_grow(&place->runs, &place->capacity, sizeof *place->runs);
    struct lane_runs *runs = &place->runs[len];
    runs->turn[lane] = told->turn;
    runs->turn_step[lane] = 1;
    runs->what[lane] = told->what;
    runs->what_step[lane] = run->what_step;
    runs->count[lane] = run->count;
    place->lens[lane] = len + 1;
    place->begun |= 1u << lane;
    if (told->order == NOT_KEPT || len >= OBSERVED_KEPT_TURNS)
        return;
    while (len >= place->order_capacity)
        vec_grow(&place->orders, &place->order_capacity, sizeof *place->orders);
    place->orders[len].order[lane] = told->order;
    place->orders[len].step[lane] = run->order_step;
}

// It needs no track: nothing goes on by itself here.
void place_record_run(struct place *place, const struct told *told,
        const struct told_run *run, size_t most)
{
    int lane = lane_of(told->thread);
    if (place->thread >= 0)
        place_keep(place);
    uint32_t len = place->lens[lane];
    if (!len && !place->track->first_lanes)
        append_run(place, told, run, most);
    else if (has_repeat(place, told, run->count))
        record_each(place, *told, run, most);
    else if (len && follows(place, told, run, len))
        place->runs[len - 1].count[lane] += run->count;
    else
        append_run(place, told, run, most);
}

bool runs_are_alike(const struct lane_runs *runs)
{
    uint64_t other = 0;
    for (int lane = 1; lane < LANES; lane++)
        other |= (runs->turn[lane] ^ runs->turn[0]) |
                 (runs->turn_step[lane] ^ runs->turn_step[0]) |
                 (uint64_t)(runs->count[lane] ^ runs->count[0]);
    return !other;
}

uint32_t place_fewest_runs(const struct place *place)
{
    uint32_t fewest = place->lens[0];
    for (int lane = 1; lane < LANES; lane++)
        fewest = place->lens[lane] < fewest ? place->lens[lane] : fewest;
    return fewest;
}

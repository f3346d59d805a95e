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
        place->orders[len - 1].step[lane] = place->order_step;
}

void place_keep(struct place *place)
{
    if (place->thread < 0)
        return;
    write_run(place, lane_of(place->thread));
    place->thread = place->steady = place->track->thread = -1;
}

void place_expose(struct place *place, bool may)
{
    struct observed_track *track = place->track;
    bool is_run = place->thread >= 0 && track->turn_step;
    is_run = is_run && !place->repeats[lane_of(place->thread)];
    place->steady = is_run ? place->thread : -1;
    track->thread = may ? place->steady : -1;
}

void place_clear(struct place *place)
{
    if (place->begun) {
        memset(place->lens, 0, sizeof place->lens);
        memset(place->repeats, 0, sizeof place->repeats);
    }
    place->begun = 0;
    place->thread = place->steady = place->track->thread = -1;
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
    if (place->lens[lane] <= place->order_capacity) {
        const struct lane_orders *orders = &place->orders[place->lens[lane] - 1];
        place->order_step = orders->step[lane];
        uint32_t since = (uint32_t)(track->count - 1) * (uint32_t)orders->step[lane];
        place->order = (int32_t)((uint32_t)orders->order[lane] + since);
    }
}

static void begin_order(struct place *place, int32_t order)
{
    int lane = lane_of(place->thread);
    uint32_t len = place->lens[lane];
    while (len >= place->order_capacity)
        vec_grow(&place->orders, &place->order_capacity, sizeof *place->orders);
    place->orders[len].order[lane] = order;
    place->order = order;
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
    if (told->order != NOT_KEPT)
        begin_order(place, told->order);
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

static void go_on(struct place *place, int32_t order)
{
    struct observed_track *track = place->track;
    track->count++;
    track->turn = (int64_t)((uint64_t)track->turn + (uint64_t)track->turn_step);
    track->what = (int64_t)((uint64_t)track->what + (uint64_t)track->what_step);
    place->order = order;
}

// The second of a run says what the distances are.
static void find_steps(struct place *place, const struct told *told)
{
    struct observed_track *track = place->track;
    uint64_t turn = (uint64_t)track->turn - (uint64_t)track->turn_step;
    uint64_t what = (uint64_t)track->what - (uint64_t)track->what_step;
    track->turn_step = place->turn_step = (int64_t)(told->turn - turn);
    track->what_step = place->what_step = (int64_t)((uint64_t)told->what - what);
    place->order_step = told->order - place->order;
    track->turn = (int64_t)told->turn;
    track->what = told->what;
    go_on(place, told->order);
}

static bool is_next(const struct place *place, const struct told *told)
{
    const struct observed_track *track = place->track;
    return track->turn_step && (uint64_t)track->turn == told->turn &&
           track->what == told->what &&
           (told->order == NOT_KEPT ||
                   told->order == (int64_t)place->order + place->order_step);
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
        go_on(place, told->order);
    else if (!is_repeat && track->count == 1)
        find_steps(place, told);
    else
        begin(place, told, most);
}

// SPDX-License-Identifier: MIT
// Where the threads of an emulated block exchange values. The threads of a block run in
// turn, so that whoever finds all present settles the matter for all of them.
//
// A thread leaves its operand in its slot and suspends; when it is resumed it asks here.
// The first that is resumed after the last has come settles for the whole group, and sets
// `meeting` back to NONE: that is how the others know that their results are there.
#include "runtime/emulator/emulator.h"

#include <string.h>

enum { LANES = 32 };

// What a lane waits for; threads are numbered through the block.
// The slots of a block's threads lie one after the other.
static struct abi_emulated_thread *thread_at(
        struct abi_emulated_thread *self, int32_t number)
{
    return (struct abi_emulated_thread *)((char *)self +
                                          (number - self->number) * self->slot_bytes);
}

// A thread that has ended, or waits for the whole block, will not come.
static bool is_absent(const struct abi_emulated_thread *thread)
{
    void *resume; // LLVM clears it when the coroutine has ended
    memcpy(&resume, thread->frame, sizeof resume);
    return !resume || thread->scope >= 2;
}

// Lanes that ask which of them are active in other branches are not. Instead of a lane,
// compiled code says at which place it asks.
static bool is_at_place(
        const struct abi_emulated_thread *self, const struct abi_emulated_thread *other)
{
    return self->meeting != MEETING_ACTIVE || self->lane == other->lane;
}

struct group {
    struct abi_emulated_thread *lanes[LANES]; // NULL: not of the group
    uint32_t mask;
};

// The lanes that wait together with `self`; false while one is still to come.
// Lanes of the mask that have ended do not count: a program that names them is at fault,
// but it must not hang.
static bool gather(struct abi_emulated_thread *self, struct group *group)
{
    int32_t first = self->number - self->number % LANES;
    for (int32_t lane = 0; lane < LANES && first + lane < self->threads; lane++) {
        struct abi_emulated_thread *other = thread_at(self, first + lane);
        bool is_here = other->meeting == self->meeting && other->mask == self->mask &&
                       !is_absent(other) && is_at_place(self, other);
        if (!(self->mask >> lane & 1) || (!is_here && is_absent(other)))
            continue;
        if (!is_here && self->meeting != MEETING_ACTIVE)
            return false;
        if (is_here) {
            group->lanes[lane] = other;
            group->mask |= 1u << lane;
        }
    }
    return true;
}

// Outside of the warp, or from a lane that is not of the group: its own item, which is
// what CUDA promises for up and down, and leaves undefined otherwise.
static int64_t shuffled(const struct group *group, const struct abi_emulated_thread *self)
{
    int32_t lane = self->number % LANES, source = self->lane & (LANES - 1);
    switch (self->meeting) {
    case MEETING_SHUFFLE:
        break;
    case MEETING_SHUFFLE_UP:
        source = lane - source;
        break;
    case MEETING_SHUFFLE_DOWN:
        source = lane + source;
        break;
    default:
        source = lane ^ source;
        break;
    }
    bool is_there = source >= 0 && source < LANES && group->lanes[source];
    return is_there ? group->lanes[source]->item : self->item;
}

static uint32_t equal_lanes(const struct group *group, int64_t item)
{
    uint32_t equal = 0;
    for (int lane = 0; lane < LANES; lane++)
        if (group->lanes[lane] && group->lanes[lane]->item == item)
            equal |= 1u << lane;
    return equal;
}

static int64_t outcome(const struct group *group, const struct abi_emulated_thread *self)
{
    uint32_t ballot = group->mask & ~equal_lanes(group, 0);
    uint32_t equal = equal_lanes(group, self->item);
    switch (self->meeting) {
    case MEETING_ALL:
        return ballot == group->mask;
    case MEETING_ANY:
        return ballot != 0;
    case MEETING_EQUAL:
        return ballot == group->mask || ballot == 0;
    case MEETING_BALLOT:
        return ballot;
    case MEETING_MATCH_ANY:
        return equal;
    case MEETING_MATCH_ALL:
        return equal == group->mask ? equal : 0;
    case MEETING_ACTIVE:
        return group->mask;
    default:
        return shuffled(group, self);
    }
}

// Asked at a barrier of the block, which all have come to by now.
static void settle_block(struct abi_emulated_thread *self)
{
    int64_t present = 0, count = 0;
    int32_t meeting = self->meeting;
    for (int32_t i = 0; i < self->threads; i++) {
        struct abi_emulated_thread *other = thread_at(self, i);
        bool is_here = other->meeting == meeting;
        present += is_here;
        count += is_here && other->item != 0;
    }
    int64_t result = meeting == MEETING_BLOCK_COUNT ? count
                     : meeting == MEETING_BLOCK_AND ? count == present
                                                    : count != 0;
    for (int32_t i = 0; i < self->threads; i++) {
        struct abi_emulated_thread *other = thread_at(self, i);
        if (other->meeting != meeting)
            continue;
        other->result = result;
        other->meeting = MEETING_NONE;
    }
}

int32_t gridcell_meeting(struct abi_emulated_thread *self)
{
    struct group group = {0};
    if (self->meeting == MEETING_NONE) // another thread has settled it
        return 1;
    if (self->meeting >= MEETING_BLOCK_COUNT) {
        settle_block(self);
        return 1;
    }
    if (!gather(self, &group))
        return 0;
    for (int lane = 0; lane < LANES; lane++)
        if (group.lanes[lane])
            group.lanes[lane]->result = outcome(&group, group.lanes[lane]);
    for (int lane = 0; lane < LANES; lane++)
        if (group.lanes[lane])
            group.lanes[lane]->meeting = MEETING_NONE;
    return 1;
}
